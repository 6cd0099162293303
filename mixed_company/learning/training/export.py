"""The network of a trained policy as an ONNX model, written from its weights.

Inputs and outputs are as in `policies.trained.model`. The memory consists of the number of periods
and the sums of the remembered numbers. The model itself adds the new values, computes means and
rescales, so users of the model need not.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from mixed_company.engine.contract.space import Array
from mixed_company.learning.training.paths import Paths, drawn
from mixed_company.learning.training.scaling import Cells, Scaling

OPSET, FORMAT = 17, 9  # versions of 2022, which every current runtime can read


class Graph:
    """Nodes and constants of an ONNX graph. Methods that add a value return its name."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def add(self, kind: str, *inputs: str, output: str = "", **settings: Any) -> str:
        """Add a node with one output."""
        name = output or f"value_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], **settings))
        return name

    def constant(self, value: Array) -> str:
        """Add a constant; whole numbers stay whole, and all others become float32."""
        kind = np.int64 if value.dtype.kind == "i" else np.float32
        name = f"constant_{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(value.astype(kind), name))
        return name

    def linear(self, seen: str, weights: Array, biases: Array, output: str = "") -> str:
        """Add a linear layer; weights (out, in)."""
        constants = self.constant(weights), self.constant(biases)
        return self.add("Gemm", seen, *constants, output=output, transB=1)

    def columns(self, seen: str, places: Array) -> str:
        """Return the values at these positions in each row."""
        return self.add("Gather", seen, self.constant(places), axis=1)

    def model(self, inputs: Mapping[str, int], outputs: Mapping[str, int]) -> bytes:
        """Check the model and return its bytes; inputs and outputs map names to sizes per seat."""
        ends = ([_tensor(*end) for end in sizes.items()] for sizes in (inputs, outputs))
        graph = helper.make_graph(self.nodes, "policy", *ends, self.constants)
        opsets = [helper.make_opsetid("", OPSET)]
        model = helper.make_model(graph, opset_imports=opsets, ir_version=FORMAT)
        onnx.checker.check_model(model)
        return bytes(model.SerializeToString())


def _tensor(name: str, size: int) -> Any:
    """Declare a tensor (seats, size) with an open number of seats."""
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, ["seats", size])


_Layer = tuple[Array, Array]
"""Weights (out, in) and biases (out,)."""


def exported(policy: Any, remembered: Array, paths: Paths | None = None) -> bytes:
    """Return the actor of a Stable-Baselines3 policy as a model, in bytes.

    Layers are joined by tanh. `remembered` are indices in the observed numbers.
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
    """Replace each cell's numbers with a few numbers, which follow all other numbers."""
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
