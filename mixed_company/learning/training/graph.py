"""Builder of an ONNX graph: nodes and constants, named by their numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from mixed_company.engine.contract.space import Array

OPSET, FORMAT = 17, 9  # versions from 2022, which every current runtime can read


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
    """Declare a tensor (seats, size) with a variable number of seats."""
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, ["seats", size])
