"""A group played again, from config, seed and what was sent: the rows that this gives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from analysis import again
from analysis.audit.rows import Rows
from engine import solutions
from engine.contract.errors import EngineError
from engine.game import Game
from engine.play.episode import Episode
from engine.play.period import Period
from table.export import Row, pair_rows, period_row, seat_rows

__all__ = ["Replay", "replay"]


@dataclass
class Replay:
    """What config, seed and actions give.

    decisions, periods, pairs   the rows by key, as far as the play could be played again
    events      (period, event) in order
    out         period -> the seats that were out of the play before it
    absent      period -> the seats that took no part in it
    defaults    (period, seat) -> what a seat that does not decide does, before and after the period
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
