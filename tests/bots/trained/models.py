"""Small models and cards for tests, with a constant or a linear answer."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
from onnx import TensorProto, helper, numpy_helper

from mixed_company import engine, policies

COMMONS = engine.make("commons_game", archetype="lab_0_7")
GEMS = engine.make("gem_mining", archetype="lab_0_7")


def tensor(name: str, shape: list[int], kind: int = TensorProto.FLOAT) -> Any:
    return helper.make_tensor_value_info(name, kind, shape)


def model(nodes: list[Any], inputs: list[Any], outputs: list[Any], **constants: Any) -> bytes:
    """Return a model with these nodes; constants become float32, and indices stay integers."""
    arrays = {name: np.asarray(value) for name, value in constants.items()}
    initializers = [
        numpy_helper.from_array(v if v.dtype.kind == "i" else v.astype(np.float32), name)
        for name, v in arrays.items()
    ]
    graph = helper.make_graph(nodes, "test", inputs, outputs, initializers)
    opsets = [helper.make_opsetid("", 17)]
    return bytes(helper.make_model(graph, opset_imports=opsets, ir_version=9).SerializeToString())


def linear(weights: Any, biases: Any, spread: Any = None) -> bytes:
    """Return a model with action = observation @ weights + biases and a constant spread."""
    weights, biases = np.asarray(weights, np.float32), np.asarray(biases, np.float32)
    nodes = [helper.make_node("Gemm", ["observation", "weights", "biases"], ["action"])]
    outputs = [tensor("action", [1, len(biases)])]
    constants = {"weights": weights, "biases": biases}
    if spread is not None:
        nodes.append(helper.make_node("Identity", ["widths"], ["spread"]))
        outputs.append(tensor("spread", [1, len(spread)]))
        constants["widths"] = np.array([spread])
    return model(nodes, [tensor("observation", [1, len(weights)])], outputs, **constants)


def always(*numbers: float, seen: int = 2) -> bytes:
    """Return a model with a constant action."""
    return linear(np.zeros((seen, len(numbers))), numbers)


def counting() -> bytes:
    """Return a model that counts its calls. The first amount is the count minus 1, the second is
    -1.
    """
    nodes = [
        helper.make_node("Add", ["memory", "one"], ["memory_after"]),
        helper.make_node("Sub", ["memory_after", "one"], ["before"]),
        helper.make_node("Concat", ["before", "least"], ["action"], axis=1),
    ]
    inputs = [tensor("observation", [1, 2]), tensor("memory", [1, 1])]
    outputs = [tensor("action", [1, 2]), tensor("memory_after", [1, 1])]
    return model(nodes, inputs, outputs, one=[[1.0]], least=[[-1.0]])


def card(game: engine.Game[Any], /, **changes: Any) -> dict[str, Any]:
    """Return a valid card with these changes."""
    return {
        "id": "pupil",
        "sentence": "Does what a test wants it to do.",
        "source": "a test",
        "game": game.id,
        "version": game.version,
        "observation": ["period", "stock" if game.id == "commons_game" else "seat"],
        "action": [field.name for field in game.declaration.actions],
        "sampling": "mode",
        "config": game.config.model_dump(mode="json"),
        "algorithm": "by hand",
        "seed": 0,
        "steps": 0,
        "seconds": 0.0,
        "aim": "own",
        "against": "self",
        **changes,
    }


def write(
    folder: Path, content: bytes, game: engine.Game[Any] = COMMONS, /, **changes: Any
) -> Path:
    """Write the two files of a policy to a folder, and return the path of its card."""
    fields = {"sha256": hashlib.sha256(content).hexdigest(), **changes}
    path = folder / f"{fields.get('id', 'pupil')}.json"
    path.with_suffix(".onnx").write_bytes(content)
    path.write_text(json.dumps(card(game, **fields)))
    return path


def learned(
    folder: Path, content: bytes, game: engine.Game[Any] = COMMONS, /, **changes: Any
) -> Any:
    """Return the `pupil` policy with this model, loaded from a folder and created for its game."""
    write(folder, content, game, **changes)
    policies.look_in(folder)
    return policies.make("pupil", game)
