"""Declare measures together with their descriptions, so that tables, documents and reports agree.

    @measure("group", unit="share", higher_is="better")
    def efficiency(plays, by):
        '''One line: its meaning.

        More, if needed.

        Formula: one paragraph. Missing: when it is NaN (left out: never). Source: who defined it.
        '''

`Formula:`, `Missing:` and `Source:` each start a paragraph of the docstring. The function takes the
plays (`analysis.measures.plays.Plays`) and the columns that identify a row (`KEYS` of the level),
and returns a Series indexed by these columns.

A measure of the whole play (a total, how it ended, how it changed) is declared with `whole=True`.
It is missing if the play has not ended, because otherwise part of one play would be compared with
all of another. A measure that is a count or a description says so in `untested`. A measure that can
be the same as another, on a different scale, names the other one in `same_as`. Both kinds are
shown, but a family of tests does not correct its p values for them.

A measure applies to all games, or to the games for which `games`, a function of their
`analysis.games.GameAnalysis`, is true. In a module of `analysis.games.<id>` it applies to that
game. It can be called directly:

    efficiency(data)                    or, if it has several levels,
    points_per_period(data, "person")
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pandas as pd

from mixed_company import engine
from mixed_company.analysis import games
from mixed_company.analysis.data import GROUP, PERIOD, SEAT, Data
from mixed_company.analysis.measures.plays import Plays
from mixed_company.analysis.ranges import FREE, FROM_0, Range
from mixed_company.engine.contract.errors import ConfigError, UnknownName, nearest, short

KEYS: Mapping[str, list[str]] = {"group": GROUP, "person": SEAT, "period": PERIOD}
"""Level -> columns that identify a row at this level."""

Compute = Callable[[Plays, list[str]], "pd.Series[Any]"]
Question = Callable[[games.GameAnalysis], bool]
"""A function of a game's analysis that returns whether the game has a measure."""

_ENDS: Mapping[str, Range] = {
    **dict.fromkeys(("share", "probability", "0 to 1", "0 or 1"), (0.0, 1.0)),
    "-1 to 1": (-1.0, 1.0),
    **dict.fromkeys(("ms", "periods", "resources"), FROM_0),
}
"""The range of values, by unit. Measures with other units are unbounded unless they declare a
range."""
_PARTS = ("Formula", "Missing", "Source")
_NOT_ENDED = "the play has not ended"


@dataclass(frozen=True)
class Measure:
    """A measure, and its descriptions.

    name       its column
    levels     `group`, `person` (a seat), `period`
    unit       unit of its values
    meaning, formula, missing, source   one line each; `missing`: when it is NaN
    function   dotted name of the function that computes it
    higher_is  a word for higher values, such as `better`; can be empty
    text       whether its values are words (empty if missing) instead of float64
    untested   reason why it is shown but not tested, such as `it is a count`; empty if it is
               tested
    same_as    measures that it equals under some rules, except for scale; it is then not tested
    ends       range of its values, which follows from the unit unless it is declared
    whole      whether, for a group or person, it is missing if the play has not ended
    """

    name: str
    levels: tuple[str, ...]
    unit: str
    meaning: str
    formula: str
    missing: str
    source: str
    function: str
    higher_is: str
    text: bool
    whole: bool
    untested: str
    same_as: tuple[str, ...]
    ends: Range
    compute: Compute
    question: Question | None = None

    @cached_property
    def games(self) -> tuple[str, ...]:
        """Ids of the games that have this measure."""
        home = self.function.removeprefix(f"{games.__name__}.")
        if home != self.function:
            return (home.partition(".")[0],)
        return tuple(engine.game_ids()) if self.question is None else games.having(self.question)

    def __call__(self, data: Data | Plays, level: str | None = None) -> pd.Series[Any]:
        """Return the value for every row of the level, by key. Raises ConfigError, UnknownName."""
        chosen = self._level(level)
        plays = data if isinstance(data, Plays) else Plays(data)
        if plays.game_id not in self.games:
            raise ConfigError(
                f"{self.name}: a measure of {', '.join(self.games)}, not of {plays.game_id}"
            )
        values = self.compute(plays, KEYS[chosen])
        if list(values.index.names) != KEYS[chosen]:
            raise ConfigError(
                f"{self.function}: values indexed by {values.index.names}, not {KEYS[chosen]}"
            )
        every = values.reindex(plays.keys(KEYS[chosen])).rename(self.name)
        if self.whole and chosen != "period":
            every = every.where(plays.ended(KEYS[chosen]))
        return every.fillna("").astype("str") if self.text else every.astype("float64")

    def _level(self, level: str | None) -> str:
        if level is None and len(self.levels) > 1:
            raise ConfigError(f"{self.name}: name a level, one of: {', '.join(self.levels)}")
        if level is not None and level not in self.levels:
            raise UnknownName(f"{self.name}: level = {short(level)}{nearest(level, self.levels)}")
        return level or self.levels[0]


def measure(
    *levels: str,
    unit: str,
    games: Question | None = None,
    name: str = "",
    higher_is: str = "",
    text: bool = False,
    whole: bool = False,
    untested: str = "",
    same_as: Sequence[str] = (),
    ends: Range | None = None,
) -> Callable[[Compute], Measure]:
    """Declare the decorated function as a measure. Raises ConfigError if a description is missing
    or invalid."""

    def declared(compute: Compute) -> Measure:
        function = f"{compute.__module__}.{compute.__name__}"
        for level in levels:
            if level not in KEYS:
                raise ConfigError(f"{function}: level = {short(level)}{nearest(level, KEYS)}")
        parts = _parts_of(function, compute.__doc__ or "")
        if games is not None and not callable(games):
            raise ConfigError(
                f"{function}: games = {games!r}: must be a function of a game's analysis; a "
                f"measure of one game belongs in mixed_company/analysis/games/<id>"
            )
        if not (levels and unit):
            raise ConfigError(f"{function}: a measure needs a level and a unit")
        if whole and not parts["Missing"].startswith(_NOT_ENDED):
            raise ConfigError(
                f"{function}: a measure of the whole play needs `Missing: {_NOT_ENDED}`"
            )
        return Measure(
            name=name or compute.__name__,
            levels=levels,
            unit=unit,
            meaning=parts["meaning"],
            formula=parts["Formula"],
            missing=parts["Missing"],
            source=parts["Source"],
            function=function,
            higher_is=higher_is,
            text=text,
            whole=whole,
            untested=untested,
            same_as=tuple(same_as),
            ends=_ENDS.get(unit, FREE) if ends is None else ends,
            compute=compute,
            question=games,
        )

    return declared


def _parts_of(function: str, docstring: str) -> dict[str, str]:
    """Return the parts of a docstring as one line each."""
    paragraphs = [" ".join(part.split()) for part in re.split(r"\n\s*\n", docstring.strip())]
    parts = {"meaning": paragraphs[0], "Missing": "never"}
    for paragraph in paragraphs[1:]:
        head, _, rest = paragraph.partition(":")
        if head in _PARTS:
            parts[head] = rest.strip()
    for part in ("meaning", "Formula", "Source"):
        if not parts.get(part):
            needed = "a first line" if part == "meaning" else f"a paragraph `{part}:`"
            raise ConfigError(f"{function}: its docstring has no {part.lower()}; it needs {needed}")
    return parts
