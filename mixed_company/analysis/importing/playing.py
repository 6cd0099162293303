"""Replay a table's plays with the engine, and write them as the tables of an export."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mixed_company import engine
from mixed_company.analysis.importing.cells import Table, listed
from mixed_company.analysis.importing.mapping import Action, Map
from mixed_company.analysis.importing.matching import Play
from mixed_company.analysis.simulated import frame_of
from mixed_company.engine.contract.errors import ConfigError, EngineError, short
from mixed_company.engine.contract.space import Array, Field
from mixed_company.engine.game import Game
from mixed_company.engine.play.episode import Episode
from mixed_company.engine.play.period import Decision, Period
from mixed_company.table.export import Row, group_id, tables
from mixed_company.table.export.played import ROWS, Played, answer_rows, credited
from mixed_company.table.items import Item
from mixed_company.table.journal import Entry
from mixed_company.table.options import Options
from mixed_company.table.seating import Occupancy, play_seed
from mixed_company.table.setup import Setup
from mixed_company.table.writing import period_entry

SEED = 0
"""The seed of every imported session, because the other experiment's random draws are unknown."""
BELIEF = "belief"
"""The question that the beliefs in a table answer."""
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
        entries = [*replay.entries(described.actions)]
        for places, entry in zip(play.places, replay.periods(entries), strict=True):
            points[list(places)] = entry["rewards"]
        for key, more in replay.rows(entries, described.name_of(play.treatment), name).items():
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


def _belief_about(action: str) -> Item:
    """Return the question that beliefs answer."""
    return Item(
        name=BELIEF,
        text="Belief about the others' mean action (as in the imported table)",
        every=1,
        type="number",
        step=0,
        about="others_mean",
        action=action,
    )


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
        self.seed = play_seed(SEED, play.group)
        self.questions: tuple[Item, ...] = ()
        if cells.beliefs is not None:
            self.questions = (_belief_about(game.declaration.actions[0].name),)

    def entries(self, described: Mapping[str, Action]) -> Iterator[Entry]:
        """Yield the entries of a journal. Raises ConfigError."""
        yield {"kind": "start", "at_ms": 0, "seed": self.seed}
        for seat in range(self.game.seats):
            occupancy = Occupancy(seat, "person", None, 0, "seated")
            yield {"kind": "seat", "at_ms": 0, **occupancy.to_json()}
        episode = Episode(self.game, self.seed)
        for number, places in enumerate(self.play.places):
            if episode.done:
                raise ConfigError(
                    f"{self.play}: under this configuration it would end after {number} periods "
                    f"({episode.reason}), but the table has {len(self.play.places)}"
                )
            period = self._played(episode, places, described)
            yield from self._answered(number, places)
            yield self._entry(episode, period, places)
            for event in period.events:
                yield {"kind": "event", "at_ms": 0, "period": number, **event}
        if not episode.done:
            raise ConfigError(
                f"{self.play}: in the table, it ends after {episode.period} of {self.game.horizon} "
                f"periods, but under this configuration it would continue"
            )
        ending = {"event": "ending", "detail": str(episode.reason)}
        yield {"kind": "event", "at_ms": 0, "period": episode.period, **ending}

    def _answered(self, number: int, places: Sequence[int]) -> Iterator[Entry]:
        """Yield a period's beliefs as answers to a question."""
        if self._cells.beliefs is not None:
            for seat, place in enumerate(places):
                about = {"seat": seat, "period": number, "question": BELIEF}
                value = self._cells.beliefs[place]
                yield {"kind": "answered", "at_ms": 0, **about, "value": value}

    def periods(self, entries: Sequence[Entry]) -> list[Entry]:
        """Return only the period entries."""
        return [entry for entry in entries if entry["kind"] == "period"]

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

    def _entry(self, episode: Episode, period: Period, places: Sequence[int]) -> Entry:
        """Return the journal entry of a period."""
        times = [0] * len(places)
        if self._cells.seconds is not None:
            times = [round(1000 * self._cells.seconds[place]) for place in places]
        decisions = [Decision({}, "person", time_ms).to_json() for time_ms in times]
        entry = {"kind": "period", "at_ms": 0, "shown_ms": 0, "seats": decisions}
        if self.game.stages.several:
            later = [Decision({}, "person", 0).to_json() for _ in places]
            entry |= {"later_ms": 0, "later": later, "stage": self.game.stages.names[-1]}
        return {**entry, **period_entry(episode, period)}

    def rows(self, entries: Sequence[Entry], treatment: str, name: str) -> dict[str, list[Row]]:
        """Return the play's rows, by table; `name` is the session config."""
        play, config = self.play, self.game.config
        base: Row = {
            "session": play.session,
            "group": play.group,
            "group_id": group_id(play.session, play.group),
            "treatment": treatment,
            "block": play.block,
        }
        setup = Setup(
            config=config.model_dump(mode="json"), options=Options(questions=self.questions)
        )
        codes = dict(enumerate(play.people))
        replay = Played(base, setup, entries, codes, lambda at_ms: None)
        rows = {key: list(ROWS[key](replay)) for key in tables(self.game) if key in ROWS}
        rows["outcomes"] = [self._outcome(replay, seat) for seat in codes]
        if self.questions:
            answers = [(seat, row) for seat in codes for row in answer_rows(replay, seat)]
            who = {seat: {"seat": seat, "participant": code} for seat, code in codes.items()}
            rows["answers"] = [{**base, **who[seat], **row} for seat, row in answers]
        rows["config"] = [
            {
                **base,
                "matching_group": "" if play.mixing is None else play.mixing,
                "seed": self.seed,
                "rehearsed": False,
                "session_config": name,
                "game": config.identity.game,
                "version": config.identity.version,
                "config": json.dumps(config.model_dump(mode="json")),
                "options": json.dumps(self._options),
                "software": "{}",
            }
        ]
        return {key: [self._without_times(key, row) for row in rows[key]] for key in rows}

    @property
    def _options(self) -> dict[str, Any]:
        """The group's options in the export, which say that it was imported."""
        items = [item.model_dump(mode="json") for item in self.questions]
        return {"imported": True, **({"questions": items} if items else {})}

    def _outcome(self, replay: Played, seat: int) -> Row:
        return {
            **replay.base,
            "seat": seat,
            "participant": self.play.people[seat],
            "status": "finished",
            **credited(replay, seat),
            "disconnections": "",
            **dict.fromkeys(("questions_asked", "questions_answered"), self._asked),
        }

    @property
    def _asked(self) -> int | str:
        """The number of questions that each person answered; empty if the table has no beliefs."""
        return len(self.play.places) if self.questions else ""

    def _without_times(self, key: str, row: Row) -> Row:
        """Return a row without the times that the imported table lacks."""
        times = (
            ("shown_ms", "received_ms", "reaction_ms") if self._cells.seconds is not None else ()
        )
        kept = times if key in ("decisions", "outcomes") else ()
        return {
            column: "" if column.endswith("_ms") and column not in kept else value
            for column, value in row.items()
        }
