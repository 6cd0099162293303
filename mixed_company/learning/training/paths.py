"""Proximity of things on the grid to a seat, along paths through its four neighbouring cells.

There is one number for each kind of thing that can be walked on, and for each of the four cells
next to the seat in the middle. The number is 0.8 to the power of the number of steps, around
obstacles, from that cell to the nearest thing of that kind. It is 0 if no such thing is in sight
within `STEPS` steps.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.contract.space import Array
from mixed_company.policies.flat.observations import FlatObservations

STEPS, SHARE = 8, 0.8


@dataclass(frozen=True)
class Paths:
    """A square of cells in an observation, and the codes of walkable things.

    It has side x side cells with `codes` numbers each, starting at index `begin`.
    """

    begin: int
    side: int
    codes: int
    walked: tuple[int, ...]

    @property
    def size(self) -> int:
        """Number of proximities."""
        return 4 * len(self.walked)

    @property
    def end(self) -> int:
        """Index after the last cell."""
        return self.begin + self.side**2 * self.codes

    @property
    def ahead(self) -> Array:
        """Indices of the cells above, below, left and right of the middle, counted row by row."""
        middle = self.side**2 // 2
        return np.array([middle - self.side, middle + self.side, middle - 1, middle + 1])

    def looked(self, seen: Array) -> Array:
        """Return the proximities, shape (N, size), from flat observations (N, ...)."""
        cells = seen[:, self.begin : self.end].reshape(len(seen), self.side, self.side, self.codes)
        kinds = np.moveaxis(cells[..., list(self.walked)], 3, 0)  # (kinds, N, side, side)
        share, reached = SHARE * kinds.sum(axis=0), kinds
        for _ in range(STEPS):
            framed = np.pad(reached, ((0, 0), (0, 0), (1, 1), (1, 1)))
            across = np.maximum(framed[..., 1:-1, :-2], framed[..., 1:-1, 2:])
            along = np.maximum(framed[..., :-2, 1:-1], framed[..., 2:, 1:-1])
            reached = np.maximum(kinds, share * np.maximum(across, along))
        flat = reached.reshape(len(self.walked), len(seen), -1)[..., self.ahead]
        return np.asarray(np.moveaxis(flat, 0, 1).reshape(len(seen), self.size))


def paths_over(
    flat: FlatObservations, observed: Array, name: str, walked: tuple[int, ...]
) -> Paths:
    """Return the paths for a field that shows the content of each cell in a square. Raises
    ConfigError."""
    shape = next((field.shape for field in flat.layout if field.name == name), ())
    side = math.isqrt(math.prod(shape[:-1]))
    if len(shape) != 3 or shape[0] != shape[1] or side % 2 == 0:
        raise ConfigError(f"paths: {name} is not a square of cells with a cell in the middle")
    if not walked or max(walked) >= shape[2]:
        raise ConfigError(f"paths: {name} = {list(walked)}: should be from 0 to {shape[2] - 1}")
    where = np.flatnonzero(observed == flat.values[name].start).tolist()
    if not where:
        raise ConfigError(f"paths: {name} is not observed")
    return Paths(where[0], side, shape[2], walked)


def drawn(graph: Any, paths: Paths) -> str:
    """Add the same computation to an ONNX graph (`learning.training.export`); return the name of
    the result."""
    cells = graph.constant(np.arange(paths.begin, paths.end))
    cells = graph.add("Gather", "observation", cells, axis=1)
    shape = graph.constant(np.array([-1, paths.side, paths.side, paths.codes]))
    cells = graph.add("Transpose", graph.add("Reshape", cells, shape), perm=[0, 3, 1, 2])
    kinds = graph.add("Gather", cells, graph.constant(np.array(paths.walked)), axis=1)
    open_now = graph.add("ReduceSum", kinds, graph.constant(np.array([1])), keepdims=1)
    share = graph.add("Mul", open_now, graph.constant(np.array(SHARE)))
    reached = kinds
    for _ in range(STEPS):
        across = graph.add("MaxPool", reached, kernel_shape=[1, 3], pads=[0, 1, 0, 1])
        along = graph.add("MaxPool", reached, kernel_shape=[3, 1], pads=[1, 0, 1, 0])
        passed = graph.add("Mul", share, graph.add("Max", across, along))
        reached = graph.add("Max", kinds, passed)
    flat = graph.constant(np.array([0, len(paths.walked), paths.side**2]))
    flat = graph.add("Reshape", reached, flat)
    ahead = graph.add("Gather", flat, graph.constant(paths.ahead), axis=2)
    return str(graph.add("Reshape", ahead, graph.constant(np.array([-1, paths.size]))))
