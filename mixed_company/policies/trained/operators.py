"""Operator names of an ONNX model, read from its bytes without running it.

An ONNX model is a protocol buffers message
(https://github.com/onnx/onnx/blob/main/onnx/onnx.proto): a field consists of its number and kind,
followed by its value, or by its length and content. Only fields that can contain nodes are read, so
weights are skipped.
"""

from __future__ import annotations

from collections.abc import Iterator

_WITHIN: dict[str, dict[int, str]] = {
    "model": {7: "graph", 25: "function"},
    "graph": {1: "node"},
    "function": {7: "node"},
    "node": {4: "operator", 5: "attribute"},
    "attribute": {6: "graph", 11: "graph"},
}
"""For each kind of message, the fields that can contain nodes, and the kind of their content."""

_FIXED = {1: 8, 5: 4}
"""Size in bytes of each kind of fixed-size field."""


def operators(content: bytes) -> set[str]:
    """Return the names of all operators, including those of inner graphs and functions.

    If the bytes are malformed, as many names as possible are read.
    """
    names: set[str] = set()
    waiting = [("model", memoryview(content))]
    while waiting:
        kind, message = waiting.pop()
        for number, part in _fields(message):
            inner = _WITHIN[kind].get(number)
            if inner == "operator":
                names.add(bytes(part).decode(errors="replace"))
            elif inner is not None:
                waiting.append((inner, part))
    return names


def _fields(message: memoryview) -> Iterator[tuple[int, memoryview]]:
    """Yield the number and content of each field that has content."""
    offset = 0
    while offset < len(message):
        key, offset = _number(message, offset)
        kind = key & 7
        if kind == 0:
            _, offset = _number(message, offset)
        elif kind == 2:
            size, offset = _number(message, offset)
            yield key >> 3, message[offset : offset + size]
            offset += size
        elif kind in _FIXED:
            offset += _FIXED[kind]
        else:
            return


def _number(message: memoryview, offset: int) -> tuple[int, int]:
    """Return a varint (7 bits per byte), and the offset of its end."""
    value = shift = 0
    while offset < len(message) and shift < 64:
        byte = message[offset]
        value |= (byte & 127) << shift
        shift, offset = shift + 7, offset + 1
        if byte < 128:
            break
    return value, offset
