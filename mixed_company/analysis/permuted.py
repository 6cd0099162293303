"""True and permuted labels of groups, and the rule that says which values may be shown under
permuted labels.

The rule: no permuted label may have exactly the values of one true label. Otherwise the label's
mean would be a treatment's true mean, and a test could be the true test, except for its sign. It is
not enough that a label has other groups than every treatment: groups with equal values can exchange
labels without changing any result. If all groups have the same value, and for groups without a
value, the label must have other groups. For the points of a space, no permuted variable may have a
correlation above MOST_LEFT with a true variable.

Which groups have a value depends on the measure: for example, a group in which a seat was out of
the play has no efficiency. So `analysis.measures` applies the rule to every measure (`veiled`), and
`planned.tested` to the groups that a hypothesis compares (`check`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd
from pandas.util import hash_array

from mixed_company.analysis.statistics.result import NoTest
from mixed_company.engine.contract.space import Array

MOST_LEFT = 0.5
"""Largest correlation between a true and a permuted variable of a space."""
DECIMALS = 9
"""Decimals of a value by which groups are compared."""
REASON = (
    "among the groups with a value, a permuted label has exactly the values of one treatment, so "
    "the test could be the true one"
)
_ABOUT = ("session", "group", "seat", "period", "treatment", "participant", "person")
"""The columns of a frame of measures that are not measures."""


@dataclass(frozen=True)
class Permuted:
    """The true and permuted labels of groups.

    keys         the groups, by session and number
    true, drawn  their labels, by kind: `treatment` and, in a plan with blocks, `block` and `both`.
    without      groups that are excluded from some tests
    design       by point of a space, the columns of the regression, without the intercept
    """

    keys: tuple[tuple[str, int], ...]
    true: Mapping[str, np.ndarray]
    drawn: Mapping[str, np.ndarray]
    without: Collection[tuple[str, int]] = ()
    design: Mapping[str, Array] | None = None

    def shows(self, values: np.ndarray, but: str = "") -> bool:
        """Return whether these values may be shown. `values` has a number for the values of each of
        `keys`, 0 if it has none; or a flag, if only groups are compared. Labels of the kind `but`
        are ignored."""
        chosen = values != 0
        if not chosen.any():
            return True
        if self.design is not None:
            true, drawn = self.true["treatment"], self.drawn["treatment"]
            return correlation(true[chosen], drawn[chosen], self.design) <= MOST_LEFT
        different, numbers = np.unique(values[chosen], return_inverse=True)
        if len(different) == 1:
            numbers = np.arange(len(numbers))
        kinds = [codes[:, chosen] for kind, codes in self._codes.items() if kind != but]
        return not any(_is_revealed(true, drawn, numbers) for true, drawn in kinds)

    def uneven(self, chosen: np.ndarray) -> float:
        """Return, as a sum of squares, how far the permuted labels are from equal shares of each
        treatment's groups; for the points of a space, the largest correlation."""
        if self.design is not None:
            true, drawn = self.true["treatment"], self.drawn["treatment"]
            return correlation(true[chosen], drawn[chosen], self.design)
        true, drawn = self._codes["treatment"][:, chosen]
        table = crossed(true, drawn, 1 + max(true.max(), drawn.max()))
        even = np.outer(table.sum(1), table.sum(0)) / table.sum()
        return float(((table - even) ** 2).sum())

    def check(self, frame: pd.DataFrame, but: str = "") -> None:
        """Raise NoTest if a measure in a frame may not be shown (`shows`)."""
        for selections in self.with_value(frame).values():
            if not all(self.shows(values, but) for values in selections):
                raise NoTest(REASON)

    def veiled(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Return a frame of measures in which values that may not be shown are missing.

        Measures of periods are judged in each period, and then over all periods.
        """
        veiled = frame.copy()
        for rows in _slices(frame):
            veiled.loc[rows, self._hides(veiled[rows])] = np.nan
        veiled.loc[:, self._hides(veiled)] = np.nan
        return veiled

    def _hides(self, frame: pd.DataFrame) -> list[str]:
        """Return the measures in a frame that may not be shown, over all its rows."""
        return [
            name
            for name, selections in self.with_value(frame).items()
            if not all(map(self.shows, selections))
        ]

    def with_value(self, frame: pd.DataFrame) -> dict[str, list[np.ndarray]]:
        """Return, for each measure in a frame, a number for each group's values, 0 if it has none.
        If there are exclusions, the same is added for the groups that are not excluded. If the
        frame has a row per seat, the same is added for people's seats."""
        tables = [_numbered(frame, self._places)]
        if "person" in frame:
            tables.append(_numbered(frame[frame["person"].astype(bool)], self._places))
        if self.without:
            kept = ~self.flags(self.without)[:, None]
            tables += [np.where(kept, table, 0) for table in tables]
        names = enumerate(_measures(frame))
        return {name: [table[:, place] for table in tables] for place, name in names}

    def flags(self, groups: Collection[tuple[str, int]]) -> np.ndarray:
        """Return a flag for each of `keys`: whether it is one of these groups."""
        chosen = set(groups)
        return np.array([key in chosen for key in self.keys], dtype=bool)

    def of(self, kind: str) -> Permuted:
        """Return the same groups with only this kind of label."""
        true, drawn = (
            {name: labels for name, labels in kinds.items() if name == kind}
            for kinds in (self.true, self.drawn)
        )
        return replace(self, true=true, drawn=drawn, design=None)

    @cached_property
    def _places(self) -> pd.MultiIndex:
        return pd.MultiIndex.from_tuples(self.keys)

    @cached_property
    def _codes(self) -> dict[str, np.ndarray]:
        """Numbers of the true and permuted labels, shape (2, groups), by kind."""
        kinds = {}
        for kind, labels in self.true.items():
            both = np.array([labels, self.drawn[kind]], dtype="str")
            kinds[kind] = np.unique(both, return_inverse=True)[1].reshape(2, -1)
        return kinds


def _slices(frame: pd.DataFrame) -> Iterator[pd.Series]:
    """Yield, for a frame with a row per period, flags of the rows of each period."""
    for period in frame["period"].unique() if "period" in frame else ():
        yield frame["period"] == period


def _measures(frame: pd.DataFrame) -> list[str]:
    return [str(name) for name in frame if name not in _ABOUT]


def _numbered(frame: pd.DataFrame, places: pd.MultiIndex) -> np.ndarray:
    """Return a number for each group's values, shape (groups, measures): equal numbers for equal
    values, and 0 for groups without a value."""
    rows = places.get_indexer(pd.MultiIndex.from_frame(frame[["session", "group"]]))
    table = np.zeros((len(places), len(_measures(frame))), dtype=np.uint64)
    for column, name in enumerate(_measures(frame)):
        values = frame[name]
        present = (rows >= 0) & (values.notna() & (values != "")).to_numpy(dtype=bool)
        if pd.api.types.is_numeric_dtype(values):
            values = values.astype(float).round(DECIMALS) + 0.0  # without -0.0
        # the sum over a group's seats does not depend on their order
        np.add.at(table[:, column], rows[present], hash_array(values[present].to_numpy()))
    return table


def crossed(rows: np.ndarray, columns: np.ndarray, size: int) -> np.ndarray:
    """Return how often each pair of numbers below `size` occurs, shape (size, size)."""
    table: np.ndarray = np.bincount(rows * size + columns, minlength=size**2).reshape(size, size)
    return table


def _is_revealed(true: np.ndarray, drawn: np.ndarray, values: np.ndarray) -> bool:
    """Return whether a permuted label has exactly the values of one true label."""
    size = 1 + max(true.max(), drawn.max(), values.max())
    before, after = (crossed(labels, values, size) for labels in (true, drawn))
    same = (before[:, None] == after).all(axis=2)
    return bool(same[:, after.any(axis=1)].any())


def correlation(true: np.ndarray, drawn: np.ndarray, design: Mapping[str, Array]) -> float:
    """Return the largest correlation between a true and a permuted variable, 1 if all labels are
    true."""
    if (true == drawn).all():
        return 1.0
    before, after = (_standardised(labels, design) for labels in (true, drawn))
    return float(np.abs(before.T @ after).max())


def _standardised(labels: np.ndarray, design: Mapping[str, Array]) -> Array:
    """Return these groups' regression columns, each with mean 0 and length 1; columns that do not
    vary are 0."""
    columns = np.array([design[label] for label in labels])
    columns = columns - columns.mean(axis=0)
    length = np.sqrt((columns**2).sum(axis=0))
    standardised: Array = columns / np.where(length > 0, length, 1.0)
    return standardised
