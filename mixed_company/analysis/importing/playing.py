"""Replay a table's plays with the engine, and write them as the tables of an export."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mixed_company import engine
from mixed_company.analysis.importing.cells import Table, listed
from mixed_company.analysis.importing.mapping import Action, Map
from mixed_company.analysis.importing.matching import Play
from mixed_company.analysis.importing.rows import BELIEF, SEED, ImportedPlay, events_of
from mixed_company.analysis.simulated import frame_of
from mixed_company.engine.contract.errors import ConfigError, EngineError, short
from mixed_company.engine.contract.space import Array, Field
from mixed_company.engine.game import Game
from mixed_company.engine.play.episode import Episode
from mixed_company.engine.play.period import Period
from mixed_company.table.export import Row, group_id, tables
from mixed_company.table.journal import Entry
from mixed_company.table.seating import play_seed

_SHOWN = 3
_GRID = 1e-9
"""Tolerance for amounts on a grid, in steps."""


def played(
    plays: Sequence[Play], table: Table, described: Map, name: str
) -> tuple[dict[str, Any], Array]:
    """Return the tables of an export and the points of each row of the imported table.

    `name` becomes the session config in the export. Raises ConfigError or UnknownName.
    """
    games = _games(plays, described)
    described.check_actions(games.values())
    sent = {key: _sent(table, key, action) for key, action in described.actions.items()}
    _check_lacking(plays, games, table, sent)
    cells = _Cells(sent, _seconds(table, described), _beliefs(table, described))
    points = np.full(len(table), np.nan)
    names = [*tables(*games.values()), *([] if cells.beliefs is None else ["answers"])]
    rows: dict[str, list[Row]] = {key: [] for key in names}
    for play in plays:
        game = games[play.treatment]
        replay = _Replay(play, game, table, cells)
        periods = [*replay.periods(described.actions)]
        for places, period in zip(play.places, periods, strict=True):
            points[list(places)] = period.rewards
        for key, more in replay.rows(periods, described.name_of(play.treatment), name).items():
            rows[key] += more
    frames = {key: frame_of(key, list(games.values()), rows[key]) for key in names}
    return frames, points


def _games(plays: Sequence[Play], described: Map) -> dict[str, Game[Any]]:
    """Return each treatment's game, with its groups' numbers of seats and periods."""
    games: dict[str, Game[Any]] = {}
    for treatment in dict.fromkeys(play.treatment for play in plays):
        of_treatment = [play for play in plays if play.treatment == treatment]
        parameters = described.config_of(treatment)
        for key in ("game", "seed"):
            if key in parameters:
                rule = "belongs at the top level of the map" if key == "game" else "cannot be set"
                raise ConfigError(f"config.{key} = {short(parameters[key])}: {rule}")
        counts = {
            "seats": len(of_treatment[0].people),
            "periods": max(len(play.places) for play in of_treatment),
        }
        for key, number in counts.items():
            if parameters.setdefault(key, number) != number:
                counted_as = "people per group" if key == "seats" else "periods per play"
                raise ConfigError(
                    f"config.{key} = {parameters[key]!r}: in treatment {treatment!r}, "
                    f"the table has {number} {counted_as}"
                )
        try:
            games[treatment] = engine.make(described.game, seed=SEED, **parameters)
        except EngineError as error:
            raise type(error)(f"config (treatment {treatment!r}): {error}") from None
        _check_names(games[treatment])
    return games


def _check_names(game: Game[Any]) -> None:
    """Raise ConfigError if the table does not contain the order in which people saw the other
    players."""
    if game.peers is not None and game.peers.shuffles:
        rule = "should be 'fixed', because the columns with points are in seat order"
        raise ConfigError(f"config.peer_names = 'shuffled': {rule}")


def _sent(table: Table, key: str, action: Action) -> Array:
    """Return the actions in all rows of the table: one number per row, or one for each column."""
    if action.value is not None:
        return np.full(len(table), action.value)
    where = f"actions.{key}"
    cells = [
        table.numbers(where, action.model_copy(update={"column": name, "columns": ()}))
        for name in action.names
    ]
    values = np.array(cells).T if action.columns else np.array(cells[0])
    if action.step:
        steps = values / action.step
        off = np.abs(steps - np.round(steps)) > _GRID
        rows = np.flatnonzero(off if off.ndim == 1 else off.any(axis=1))
        if len(rows):
            first = [f"line {table.lines[row]}: {values[row]}" for row in rows[:_SHOWN]]
            rule = f"should be a multiple of step = {action.step:g}"
            raise ConfigError(f"{where}: {rule}; {listed(first, len(rows))}")
    return values


def _check_lacking(
    plays: Sequence[Play], games: Mapping[str, Game[Any]], table: Table, sent: Mapping[str, Array]
) -> None:
    """Raise ConfigError if a row has a nonzero action that its treatment does not have."""
    for play in plays:
        lacking = sent.keys() - {field.name for field in games[play.treatment].declaration.actions}
        for name in sorted(lacking):
            for place in (place for places in play.places for place in places):
                if np.any(sent[name][place]):
                    rule = f"should be 0, because treatment {play.treatment!r} has no such action"
                    value = np.ravel(sent[name][place]).tolist()
                    raise ConfigError(
                        f"line {table.lines[place]}: actions.{name} = {short(value)}: {rule}"
                    )


def _seconds(table: Table, described: Map) -> Sequence[float] | None:
    """Return the thinking times. Raises ConfigError."""
    column = described.columns.seconds
    if column is None:
        return None
    seconds = table.numbers("columns.seconds", column)
    if min(seconds) < 0:
        line = table.lines[seconds.index(min(seconds))]
        raise ConfigError(f"columns.seconds: line {line}: {min(seconds):g} should be at least 0")
    return seconds


def _beliefs(table: Table, described: Map) -> Sequence[float] | None:
    column = described.columns.belief
    return None if column is None else table.numbers("columns.belief", column)


@dataclass(frozen=True)
class _Cells:
    """The numbers in all rows of the table: actions by field, thinking times and beliefs."""

    sent: Mapping[str, Array]
    seconds: Sequence[float] | None
    beliefs: Sequence[float] | None


class _Replay:
    """A replayed play."""

    def __init__(self, play: Play, game: Game[Any], table: Table, cells: _Cells) -> None:
        self.play, self.game, self.table, self._cells = play, game, table, cells

    def periods(self, described: Mapping[str, Action]) -> Iterator[Period]:
        """Yield the periods. Raises ConfigError."""
        episode = Episode(self.game, play_seed(SEED, self.play.group))
        for number, places in enumerate(self.play.places):
            if episode.done:
                raise ConfigError(
                    f"{self.play}: under this configuration it would end after {number} periods "
                    f"({episode.reason}), but the table has {len(self.play.places)}"
                )
            yield self._played(episode, places, described)
        if not episode.done:
            raise ConfigError(
                f"{self.play}: in the table, it ends after {episode.period} of {self.game.horizon} "
                f"periods, but under this configuration it would continue"
            )

    def _answered(self, beliefs: Sequence[float]) -> Iterator[Entry]:
        """Yield the beliefs as answers to a question."""
        for number, places in enumerate(self.play.places):
            for seat, place in enumerate(places):
                about = {"seat": seat, "period": number, "question": BELIEF}
                yield {"kind": "answered", "at_ms": 0, **about, "value": beliefs[place]}

    def _played(
        self, episode: Episode, places: Sequence[int], described: Mapping[str, Action]
    ) -> Period:
        """Play a period. Raises a ConfigError that names the row if an action is out of bounds."""
        actions = {}
        for field in self.game.declaration.actions:
            values = self._of_seats(field, described[field.name], places)
            if not field.shape:
                self._check_bounds(episode, field.name, places, values)
            actions[field.name] = values
        try:
            return episode.play_period(actions)
        except EngineError as error:
            lines = ", ".join(str(self.table.lines[place]) for place in places)
            raise ConfigError(f"{self.play}, lines {lines}: {error}") from None

    def _of_seats(self, field: Field, action: Action, places: Sequence[int]) -> list[Any]:
        """Return the seats' actions in a period. Points to others have an entry for every seat."""
        if not field.shape:
            return [float(self._cells.sent[field.name][place]) for place in places]
        seats = range(self.game.seats)
        if action.value is not None:
            return [[action.value * (seat != other) for other in seats] for seat in seats]
        rows = [self._cells.sent[field.name][place].tolist() for place in places]
        if len(action.columns) < self.game.seats:
            rows = [[*row[:seat], 0.0, *row[seat:]] for seat, row in enumerate(rows)]
        return rows

    def _check_bounds(
        self, episode: Episode, name: str, places: Sequence[int], values: Sequence[float]
    ) -> None:
        for seat, (place, value) in enumerate(zip(places, values, strict=True)):
            allowed = episode.allowed(seat)
            low, high = float(allowed.low[name]), float(allowed.high[name])
            if not low - _GRID <= value <= high + _GRID:
                raise ConfigError(
                    f"line {self.table.lines[place]}: actions.{name} = {value:g}: should be from "
                    f"{low:g} to {high:g} under this configuration"
                )

    def rows(self, periods: Sequence[Period], treatment: str, name: str) -> dict[str, list[Row]]:
        """Return the play's rows, by table; `name` is the session config."""
        play, seconds, beliefs = self.play, self._cells.seconds, self._cells.beliefs
        base: Row = {
            "session": play.session,
            "group": play.group,
            "group_id": group_id(play.session, play.group),
            "treatment": treatment,
            "block": play.block,
        }
        times = None
        if seconds is not None:
            times = [[round(1000 * seconds[place]) for place in places] for places in play.places]
        lines = [line for period in periods for line in (period.to_json(), *events_of(period))]
        group = ImportedPlay(base, self.game, play.people, lines, times, beliefs is not None)
        rows = group.rows(name, "" if play.mixing is None else play.mixing)
        if beliefs is not None:
            rows["answers"] = group.answers([*self._answered(beliefs)])
        return rows
