"""A group played again, from config, seed and what was sent: the rows that this gives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Any

from mixed_company.analysis import again
from mixed_company.analysis.audit.rows import Rows
from mixed_company.engine import solutions
from mixed_company.engine.contract.allowed import Allowed
from mixed_company.engine.contract.errors import EngineError
from mixed_company.engine.contract.space import Arrays
from mixed_company.engine.game import Game
from mixed_company.engine.play.episode import Episode
from mixed_company.engine.play.period import Period
from mixed_company.table.export import Row, pair_rows, period_row, seat_rows, sent_of

__all__ = ["Replay", "Sight", "replay"]


@dataclass(frozen=True)
class Sight:
    """What a seat saw when it was to decide, and what it could do."""

    seen: Arrays
    allowed: Allowed


@dataclass
class Replay:
    """What config, seed and actions give.

    decisions, periods, pairs   the rows by key, as far as the play could be played again
    events      (period, event) in order
    out         period -> the seats that were out of the play before it
    absent      period -> the seats that took no part in it
    defaults    (period, seat) -> what a seat that does not decide does, before and after the period
    sights      (period, seat) -> what a policy saw that had the seat
    ended       why the play ended; None: it has not
    stopped     (period, why) if it could not be played to the end
    """

    decisions: dict[tuple[int, int], Row] = field(default_factory=dict)
    periods: dict[tuple[int], Row] = field(default_factory=dict)
    pairs: dict[tuple[int, int, int], Row] = field(default_factory=dict)
    events: list[tuple[int, Row]] = field(default_factory=list)
    out: dict[int, tuple[int, ...]] = field(default_factory=dict)
    absent: dict[int, tuple[int, ...]] = field(default_factory=dict)
    defaults: dict[tuple[int, int], list[Row]] = field(default_factory=dict)
    sights: dict[tuple[int, int], Sight] = field(default_factory=dict)
    ended: str | None = None
    stopped: tuple[int, str] | None = None


def replay(game: Game[Any], seed: int, rows: Rows, periods: int, with_pairs: bool) -> Replay:
    """Play a group again; `rows` are its decisions in order, none of which is there twice."""
    replayed = Replay()
    try:
        episode = Episode(game, seed)
    except EngineError as error:
        replayed.stopped = (0, str(error))
        return replayed
    places: dict[int, list[int]] = {}
    for at, period in enumerate(rows.columns["period"]):
        places.setdefault(period, []).append(at)
    before: list[Row] = []

    def handed_out() -> Iterator[list[Row]]:
        for period in range(periods):
            own = list(rows.take(places.get(period, [])).records())
            if len(own) < game.seats:
                replayed.stopped = (period, f"{game.seats - len(own)} of its decisions are missing")
                return
            before.append(episode.state_record())
            replayed.out[period] = episode.absent
            for seat in _silent(own):
                replayed.defaults[period, seat] = [_default(episode, seat)]
            for seat, sight in _sights(episode, own):
                replayed.sights[period, seat] = sight
            yield own

    try:
        for period in again.played(episode, handed_out()):
            _write(replayed, episode, period, before.pop(), with_pairs)
    except EngineError as error:
        replayed.stopped = (episode.period, str(error))
    replayed.ended = episode.reason
    return replayed


def _silent(rows: Sequence[Row]) -> list[int]:
    """The seats that did not decide in a period."""
    return [seat for seat, row in enumerate(rows) if row["decided_by"] in ("default", "absent")]


def _sights(episode: Episode, rows: Sequence[Row]) -> Iterator[tuple[int, Sight]]:
    """What the policies see that are to decide; in a sequential play, when their turn comes."""
    policies = {seat for seat, row in enumerate(rows) if row["occupant"] == "policy"}
    if not policies:
        return
    if episode.turn is None:
        for seat in policies:
            yield seat, Sight(episode.observation(seat), episode.allowed(seat))
        return
    by_turn, sent = copy(episode), sent_of(episode.game, rows)
    turns = [seat for seat in episode.game.sight.order or () if seat not in episode.absent]
    for seat in turns:
        if seat in policies:
            yield seat, Sight(by_turn.observation(seat), by_turn.allowed(seat))
        if seat != turns[-1]:  # with the last one the copy would play the period
            action = {name: values[seat] for name, values in sent.items()}
            by_turn.decide(seat, action, leaving=rows[seat]["decided_by"] == "absent")


def _default(episode: Episode, seat: int) -> Row:
    default = episode.allowed(seat).default_action()
    return {f"sent_{name}": value for name, value in default.items()}


def _write(
    replayed: Replay, episode: Episode, played: Period, before: Row, with_pairs: bool
) -> None:
    game, line, period = episode.game, played.to_json(), played.number
    replayed.absent[period] = played.absent
    for seat in range(game.seats):
        if (period, seat) in replayed.defaults:
            replayed.defaults[period, seat].append(_default(episode, seat))
    for seat, row in enumerate(seat_rows(game, line)):
        replayed.decisions[period, seat] = row
    judged = solutions.judge(game, before, line["state"])
    replayed.periods[(period,)] = period_row(game, line, judged)
    if with_pairs:
        for row in pair_rows(game, line):
            replayed.pairs[period, row["seat"], row["partner"]] = row
    replayed.events += [(period, dict(event)) for event in played.events]
