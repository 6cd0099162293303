"""The tables of one game in the form that measures need: sorted, and with each group's rules.

Decisions that count

    of a group or a period   decisions of all seats in the play, whoever made them (because every
                             harvest reduces the stock), but not of seats that are out of the play
                             (`absent`)
    of a seat                if a person decided in at least one period: the person's own decisions,
                             without those that a policy made in the person's place and without
                             defaults after a timeout; `timing` and `bots` count both. For any other
                             seat: the policy's decisions

A person's decision has `decided_by` = person. If a clock ends the periods (`pace=clock`), decisions
with `decided_by` = default in a person's seat are included, because pressing no key is a choice
there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from mixed_company.analysis.data import GROUP, PERIOD, SEAT, Data
from mixed_company.analysis.kept import measured
from mixed_company.analysis.treatments import described
from mixed_company.engine.contract.space import Array
from mixed_company.engine.game import Game

Values = pd.Series
T = TypeVar("T")


class Plays:
    """The tables of one game.

    decisions   sorted by group, period and seat; the index is 0, 1, ...
    periods     sorted by group and period
    groups      sorted, one row per group, indexed by its key: `treatment`, `seed`, `ended` ...
    games       the game of each group, in the order of `groups`

    Groups that cannot be played or are not in `config` are left out, and a LeftOutWarning names
    them.
    """

    def __init__(self, data: Data) -> None:
        data = measured(data)
        self.data = data
        self.game_id = data.game_id
        self.groups = _keyed(data.groups, GROUP).set_index(GROUP)
        games = data.games
        self.games: list[Game[Any]] = [games[key] for key in self.groups.index.tolist()]
        self.decisions = _keyed(data.decisions, [*PERIOD, "seat"])
        self.periods = _keyed(data.periods, PERIOD)
        self._computed: dict[Any, Any] = {}
        self._codes: dict[tuple[str, ...], tuple[Array, pd.MultiIndex]] = {}
        self.only_people = False

    def of_people(self) -> Plays:
        """Return the same plays, counting only people's decisions."""
        plays = copy(self)
        plays.only_people, plays._computed = True, {}
        return plays

    def once(self, compute: Callable[[Plays], T]) -> T:
        """Return the result of a function of these plays. It is computed once and then cached."""
        if compute not in self._computed:
            self._computed[compute] = compute(self)
        result: T = self._computed[compute]
        return result

    # -- which rows count -----------------------------------------------------------------

    @cached_property
    def here(self) -> Values[bool]:
        """Flags of decisions by seats that are in the play."""
        return self.decisions["decided_by"] != "absent"

    @property
    def over(self) -> Values[bool]:
        """Flags of groups whose play has ended."""
        return self.groups["ended"] != ""

    @cached_property
    def by_people(self) -> Values[bool]:
        """Flags of decisions that a person made; with a clock, pressing no key is also a
        decision."""
        return by_people(self.decisions, self.data.config)

    @cached_property
    def seats(self) -> pd.DataFrame:
        """One row per seat of every group, indexed by its key: `participant` and `person`.

        participant   code; empty if the seat never had a person
        person        whether a person decided in at least one period
        """
        counts = [game.seats for game in self.games]
        keys = self.groups.index.repeat(counts).to_frame(index=False)
        keys["seat"] = np.array([seat for count in counts for seat in range(count)], dtype=int)
        index = pd.MultiIndex.from_frame(keys)
        sat = _keyed(self.data.seats, SEAT).groupby(SEAT)["participant"].max()
        people = self.by_people.groupby([self.decisions[key] for key in SEAT]).any()
        return pd.DataFrame(
            {
                "participant": sat.reindex(index).fillna("").astype("str"),
                "person": people.reindex(index, fill_value=False).astype(bool),
            },
            index=index,
        )

    @cached_property
    def own(self) -> Values[bool]:
        """Flags of decisions that count for the seat: the person's or, if it has no person, the
        policy's."""
        person = self.to_rows(self.seats["person"], SEAT).astype(bool)
        return self.by_people.where(person, self.decisions["decided_by"] == "policy")

    def counted(self, by: list[str]) -> Values[bool]:
        """Return flags that mark the decisions that count for measures with these keys."""
        if self.only_people:
            return self.by_people
        return self.own if by == SEAT else self.here

    def keys(self, by: list[str]) -> pd.Index[Any]:
        """Return the index of all groups, seats or periods played, with these keys."""
        if by == PERIOD:
            return self._periods
        return self.seats.index if by == SEAT else self.groups.index

    @cached_property
    def _periods(self) -> pd.MultiIndex:
        return pd.MultiIndex.from_frame(self.periods[PERIOD])

    def ended(self, by: list[str]) -> Array:
        """Return, for every key of a group or seat, whether its group's play has ended."""
        over = self.over.to_numpy(dtype=bool)
        return np.repeat(over, [game.seats for game in self.games]) if by == SEAT else over

    def coded(self, by: list[str]) -> tuple[Array, pd.MultiIndex]:
        """Return the sorted keys, and the position of each decision's key among them."""
        if tuple(by) not in self._codes:
            grouped = self.decisions.groupby(by)
            keys = pd.MultiIndex.from_frame(grouped.size().index.to_frame(index=False))
            self._codes[tuple(by)] = grouped.ngroup().to_numpy(), keys
        return self._codes[tuple(by)]

    # -- between tables -------------------------------------------------------------------

    def number(self, frame: pd.DataFrame) -> Array:
        """Return the position of each row's group in `groups`; -1 if the group was left out."""
        if frame is self.decisions:
            codes, keys = self.coded(GROUP)
            return np.asarray(self.groups.index.get_indexer(keys)[codes])
        return self.groups.index.get_indexer(pd.MultiIndex.from_frame(frame[GROUP]))

    def to_rows(self, values: Values[Any], by: list[str]) -> Values[Any]:
        """Return, for each decision, the value of its group, seat or period."""
        codes, keys = self.coded(by)
        return pd.Series(values.reindex(keys).to_numpy()[codes], index=self.decisions.index)

    def of_groups(self, value: Callable[[Game[Any]], float]) -> Values[float]:
        """Return, for each group, a number computed from its game."""
        return pd.Series([value(game) for game in self.games], self.groups.index, dtype="float64")

    def each_game(self, frame: pd.DataFrame) -> Iterator[tuple[Game[Any], Array]]:
        """Yield each game that was played, with the positions of its rows."""
        kinds: dict[int, list[int]] = {}
        for place, game in enumerate(self.games):
            kinds.setdefault(id(game), []).append(place)
        numbers = self.number(frame)
        for places in kinds.values():
            yield self.games[places[0]], np.flatnonzero(np.isin(numbers, places))

    def seatwise(self, compute: Callable[..., Array], *columns: str) -> Values[float]:
        """Return a number for every decision, computed by a function of the game and of (periods,
        n) columns.

        The number is NaN for seats out of the play.
        """
        numbers = np.full(len(self.decisions), np.nan)
        for game, places in self.each_game(self.decisions):
            rows = self.decisions.iloc[places]
            period, seat = rows.groupby(PERIOD).ngroup().to_numpy(), rows["seat"].to_numpy()
            blank = np.zeros((period.max(initial=-1) + 1, game.seats))
            filled = [_filled(blank, period, seat, rows[column]) for column in columns]
            numbers[places] = compute(game, *filled)[period, seat]
        return pd.Series(numbers, self.decisions.index).where(self.here)

    # -- parts of measures ----------------------------------------------------------------

    def mean(self, values: Values[Any] | str, by: list[str]) -> Values[float]:
        """Return the mean over the decisions that count; `values` is a column of `decisions` or has
        one value per decision."""
        return self.mean_where(values, self.counted(by), by)

    def mean_where(
        self, values: Values[Any] | str, where: Values[bool], by: list[str]
    ) -> Values[float]:
        """Return the mean over the decisions flagged in `where` that have a value."""
        column = self.decisions[values] if isinstance(values, str) else values
        numbers = column[where].astype("float64")
        codes, keys = self.coded(by)
        means = numbers.groupby(codes[where.to_numpy(dtype=bool)]).mean()
        return pd.Series(means.to_numpy(), keys.take(means.index.to_numpy()), name=means.name)

    def share(self, where: Values[bool], among: Values[bool], by: list[str]) -> Values[float]:
        """Return the share of the decisions flagged in `among` that are also flagged in `where`."""
        return self.mean_where(where.astype("float64"), among, by)

    def before(self, values: Values[Any]) -> Values[Any]:
        """Return, for each decision, the seat's value one period earlier; NaN in the seat's first
        period."""
        seats, _ = self.coded(SEAT)
        shifted = values.groupby(seats).shift(1)
        last = self.decisions["period"].groupby(seats).shift(1)
        return shifted.where(last == self.decisions["period"] - 1)

    def of_others(self, values: Values[float]) -> Values[float]:
        """Return, for each decision, the mean over the other seats in the play in that period."""
        present = values.where(self.here)
        grouped = present.groupby(self.coded(PERIOD)[0])
        count = grouped.transform("count") - present.notna()
        total = grouped.transform("sum") - present.fillna(0.0)
        return (total / count.where(count > 0)).astype("float64")

    def of_period(self, column: str | Values[Any], by: list[str]) -> Values[float]:
        """Return the means of a column of `periods`, or of one value per period, by these keys."""
        values = self.periods[column] if isinstance(column, str) else column
        numbers = values.astype("float64")
        return numbers.groupby([self.periods[key] for key in by]).mean()


def _keyed(frame: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """Return the frame sorted by its keys, which are integers and strings."""
    kinds = {key: "str" if key == "session" else "int64" for key in keys}
    others = {key: kind for key, kind in kinds.items() if frame[key].dtype != kind}
    return frame.astype(others).sort_values(keys, kind="stable", ignore_index=True)


def _filled(blank: Array, period: Array, seat: Array, values: Values[Any]) -> Array:
    column = values.to_numpy()
    array = np.zeros(blank.shape, dtype=column.dtype)
    array[period, seat] = column
    return array


def on_clock(rows: pd.DataFrame, config: pd.DataFrame) -> pd.Series[bool]:
    """Return, for each row of a table with the columns `session` and `group`, whether a clock ends
    the group's periods."""
    paces = [(described(text) or {}).get("pace") for text in config["options"]]
    clocked = pd.MultiIndex.from_frame(config.loc[[pace == "clock" for pace in paces], GROUP])
    return pd.Series(pd.MultiIndex.from_frame(rows[GROUP]).isin(clocked), rows.index)


def by_people(decisions: pd.DataFrame, config: pd.DataFrame) -> pd.Series[bool]:
    """Return, for each row of `decisions`, whether it is a person's choice.

    Every decision that a person sent is a choice. If a clock ends the periods, sending nothing is
    also a choice, because pressing no key means staying put. If a period waits for answers, a
    default played after a timeout is not a choice. A policy's decision never is.
    """
    idle = (decisions["decided_by"] == "default") & (decisions["occupant"] == "person")
    return (decisions["decided_by"] == "person") | (idle & on_clock(decisions, config))
