"""Which operators a model has: its bytes read as far as that takes, and nothing run.

ONNX is a message of protocol buffers (https://github.com/onnx/onnx/blob/main/onnx/onnx.proto): a
field is its number and kind, then its value or its length and content. Of all fields those are
followed in which there are nodes; weights are passed over.
"""

from __future__ import annotations

from collections.abc import Iterator

__all__ = ["operators"]

_WITHIN: dict[str, dict[int, str]] = {
    "model": {7: "graph", 25: "function"},
    "graph": {1: "node"},
    "function": {7: "node"},
    "node": {4: "operator", 5: "attribute"},
    "attribute": {6: "graph", 11: "graph"},
}
"""What stands in which field of a message, where it leads to nodes."""

_FIXED = {1: 8, 5: 4}
"""Kind of a field -> its bytes."""


def operators(content: bytes) -> set[str]:
    """The names of all operators, those of inner graphs and functions too.

    Of bytes that are no such message: as many as can be read.
    """
    names: set[str] = set()
    waiting = [("model", memoryview(content))]
    while waiting:
        what, message = waiting.pop()
        for number, part in _fields(message):
            inner = _WITHIN[what].get(number)
            if inner == "operator":
                names.add(bytes(part).decode(errors="replace"))
            elif inner is not None:
                waiting.append((inner, part))
    return names


def _fields(message: memoryview) -> Iterator[tuple[int, memoryview]]:
    """The fields with content: their number, and it."""
    at = 0
    while at < len(message):
        key, at = _number(message, at)
        kind = key & 7
        if kind == 0:
            _, at = _number(message, at)
        elif kind == 2:
            size, at = _number(message, at)
            yield key >> 3, message[at : at + size]
            at += size
        elif kind in _FIXED:
            at += _FIXED[kind]
        else:
            return


def _number(message: memoryview, at: int) -> tuple[int, int]:
    """A number of 7 bits a byte, and where it ends."""
    value = shift = 0
    while at < len(message) and shift < 64:
        byte = message[at]
        value |= (byte & 127) << shift
        shift, at = shift + 7, at + 1
        if byte < 128:
            break
    return value, at
