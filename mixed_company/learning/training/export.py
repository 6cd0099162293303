"""The network of a trained policy as an ONNX model, written from its weights.

Inputs and outputs are as in `policies.trained.model`. The memory consists of the number of periods
and the sums of the remembered numbers. The model itself adds the new values, computes means and
rescales, so its users do not have to.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mixed_company.engine.contract.space import Array
from mixed_company.learning.training.graph import Graph
from mixed_company.learning.training.paths import Paths, drawn
from mixed_company.learning.training.scaling import Cells, Scaling

_Layer = tuple[Array, Array]
"""Weights (out, in) and biases (out,)."""


def exported(policy: Any, remembered: Array, paths: Paths | None = None) -> bytes:
    """Return the actor of a Stable-Baselines3 policy as a model, in bytes.

    There is a tanh between layers. `remembered` contains indices into the observed numbers.
    """
    rules: Scaling = policy.features_extractor.rules
    linear = [*policy.mlp_extractor.policy_net, policy.action_net]
    layers = [_layer(module) for module in linear if hasattr(module, "weight")]
    more = paths.size if paths else 0
    graph, size = Graph(), len(rules.middle) - len(remembered) - more
    inputs, outputs = {"observation": size}, {"action": len(layers[-1][1])}
    seen = "observation"
    if len(remembered):
        seen = _remembering(graph, remembered)
        inputs["memory"] = outputs["memory_after"] = 1 + len(remembered)
    if paths:
        seen = graph.add("Concat", seen, drawn(graph, paths), axis=1)
    now = _scaled(graph, rules, seen)
    if rules.cells:
        cells = _layer(policy.features_extractor.cells)
        now = _summed_up(graph, rules.cells, cells, now, rules.size)
    for weights, biases in layers[:-1]:
        now = graph.add("Tanh", graph.linear(now, weights, biases))
    graph.linear(now, *layers[-1], output="action")
    if hasattr(policy, "log_std"):  # actions are amounts
        spread = np.exp(_array(policy.log_std))
        shape = graph.add("Shape", "action")
        graph.add("Expand", graph.constant(spread[None]), shape, output="spread")
        outputs["spread"] = len(spread)
    return graph.model(inputs, outputs)


def _remembering(graph: Graph, remembered: Array) -> str:
    """Add means of the remembered numbers to the observation, and update the memory."""
    chosen = graph.columns("observation", remembered)
    before = graph.constant(np.array([0, 1, 0, 0]))
    present = graph.add("Pad", chosen, before, graph.constant(np.ones(())))  # a leading 1
    graph.add("Add", "memory", present, output="memory_after")
    places = np.arange(1, 1 + len(remembered))
    count = graph.columns("memory_after", np.zeros(1, np.int64))
    sums = graph.columns("memory_after", places)
    return graph.add("Concat", "observation", graph.add("Div", sums, count), axis=1)


def _scaled(graph: Graph, rules: Scaling, seen: str) -> str:
    """Apply the rules of `learning.training.scaling`."""
    centred = graph.add("Sub", seen, graph.constant(rules.middle))
    straight = graph.add("Mul", centred, graph.constant(rules.factor))
    curved = graph.add("Mul", graph.add("Asinh", seen), graph.constant(rules.curved))
    scaled = graph.add("Add", straight, curved)
    if rules.seat is None:
        return scaled
    seat = graph.columns(seen, np.array([rules.seat]))
    numbers = graph.constant(np.arange(rules.seats)[None].astype(np.float32))
    away = graph.add("Abs", graph.add("Sub", seat, numbers))
    here = graph.add("Relu", graph.add("Sub", graph.constant(np.ones((1, 1))), away))
    return graph.add("Concat", scaled, here, axis=1)


def _summed_up(graph: Graph, cells: Cells, layer: _Layer, scaled: str, size: int) -> str:
    """Replace each cell's numbers with a few numbers, which come after all other numbers."""
    few = cells.count * cells.few
    rest = [*range(cells.begin), *range(cells.end, cells.end + size - few - cells.begin)]
    places = np.arange(cells.begin, cells.end)
    parts = [graph.columns(scaled, np.array(rest))]
    by_cell = graph.columns(scaled, places)
    by_cell = graph.add("Reshape", by_cell, graph.constant(np.array([-1, cells.codes])))
    by_cell = graph.linear(by_cell, *layer)
    parts.append(graph.add("Reshape", by_cell, graph.constant(np.array([-1, few]))))
    return graph.add("Concat", *parts, axis=1)


def _layer(module: Any) -> _Layer:
    return _array(module.weight), _array(module.bias)


def _array(parameter: Any) -> Array:
    return np.asarray(parameter.detach().cpu().numpy())
