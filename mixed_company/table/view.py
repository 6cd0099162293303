"""One seat's view, the `view` of the live protocol.

It contains only what the seat may see: its observation, its earnings, who has decided and, if the
session discloses this, which players are policies.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from mixed_company.engine.contract import space
from mixed_company.engine.contract.space import Field
from mixed_company.engine.game import Game
from mixed_company.engine.play.told import components_told
from mixed_company.table import replying, voting
from mixed_company.table.journal import Entry
from mixed_company.table.protocol import OwnPeriod, SeatView, View
from mixed_company.table.state import LastPeriod, State
from mixed_company.table.talk.seen import talk_seen

PAST = ("kind", "period", "observations", "rewards", "components", "used")
"""Values that `history` reads from an entry."""


def phase(table: State, seat: int) -> str:
    """Return the phase for one seat: decide, waiting, talk, over, or choose during a vote."""
    if table.parted(seat):
        return "over"
    if table.vote is not None and voting.is_open(table):
        return "waiting" if table.paused_ms is not None else "choose"
    agent, person = table.seats[seat].agent, table.seats[seat].occupant == "person"
    if table.paused_ms is not None or not (person or agent is not None):
        return "waiting"
    if table.talk is not None and table.talking:
        return "talk"
    if agent is not None:
        return "decide" if seat in table.pending else "waiting"
    open_still = seat not in table.decided or table.by_clock
    free = table.started_ms is not None and table.episode.turn in (None, seat)
    return "decide" if free and open_still else "waiting"


def view(table: State, seat: int, now: int) -> View:
    """Return the view of one seat; call `advance` first."""
    return views(table, [seat], now)[seat]


def views(table: State, seats: Collection[int], now: int) -> dict[int, View]:
    """Return the views of some seats. Values that they all share are computed only once."""
    if not seats:
        return {}
    remaining_ms, others = _remaining_ms(table, now), _others(table)
    return {seat: _view(table, seat, now, remaining_ms, others) for seat in seats}


def _view(
    table: State, seat: int, now: int, remaining_ms: int | None, others: Sequence[SeatView]
) -> View:
    chair, agent, episode = table.seats[seat], table.seats[seat].agent, table.episode
    return View(
        period=episode.period,
        phase=phase(table, seat),
        remaining_ms=remaining_ms,
        observation=episode.observation_json(seat),
        limits=episode.allowed(seat).to_json(),
        decision=_decision(table, seat),
        last=None if table.last is None else _last(table, table.last, seat),
        seats=_shown(table, seat, others),
        points=chair.points if agent is None else chair.seat_points,
        standin=chair.occupant == "policy" and agent is None,
        started=table.started_ms is not None,
        ready=table.started_ms is None and table.ready_ms is not None,
        to_confirm=table.options.ready and table.to_confirm(seat),
        turn=episode.turn,
        ended=_ended(table, seat),
        paused=table.paused_ms is not None and not table.over,
        called=chair.called,
        note=chair.note,
        vote=None if table.vote is None else voting.view(table, seat),
        awaited=table.options.dropout == "pause" and _awaited(table, seat),
        talk=None if table.talk is None else talk_seen(table, seat, now),
        questions=replying.shown(table, seat) if table.options.questions else None,
    )


def seen_by_all(table: State) -> tuple[Any, ...]:
    """Return the part of a view that is the same for all seats and that a message can change."""
    labelled = table.options.disclosure == "labels"
    episode, over = table.episode, table.over
    return (
        episode.period,
        over or [chair.seat for chair in table.seats if chair.occupant == "nobody"],
        episode.absent,
        table.ready_ms,
        table.started_ms,
        episode.turn,
        episode.stage,
        table.paused_ms is not None and not over,
        None if table.vote is None else (table.vote.begun_ms, table.vote.rule),
        [table.decides(chair.seat) for chair in table.seats if chair.awaited_ms is not None],
        table.deadline_at(None),
        table.talk is not None and table.talking,
        [] if table.by_clock else sorted(table.decided),
        # an unrequested view would reveal that a bot has taken a seat
        [chair.occupant for chair in table.seats] if labelled else [],
    )


def history(game: Game[Any], log: Sequence[Entry], seat: int) -> list[dict[str, Any]]:
    """Return a seat's observations and earnings at the start and in each period, without maps."""
    layout = [field for field in game.declaration.observations if not field.bulk]
    kept = [entry for entry in log if entry["kind"] in ("start", "period")]
    return [_past(game, layout, entry, seat) for entry in kept]


def _past(game: Game[Any], layout: list[Field], entry: Entry, seat: int) -> dict[str, Any]:
    seen = space.of_seat(layout, entry["observations"], seat)
    if entry["kind"] == "start":
        return {"period": -1, "observation": seen}
    return {
        "period": entry["period"],
        "observation": seen,
        "reward": entry["rewards"][seat],
        "components": _components(game, entry["components"], seat),
        "used": _of_seat(entry["used"], seat),
    }


def _of_seat(values: dict[str, list[Any]], seat: int) -> dict[str, Any]:
    return {name: values[name][seat] for name in values}


def _components(game: Game[Any], values: dict[str, list[Any]], seat: int) -> dict[str, Any]:
    """Return the components of a seat's reward; none if they would reveal hidden values."""
    return _of_seat(values, seat) if components_told(game, seat) else {}


def _decision(table: State, seat: int) -> dict[str, Any] | None:
    """Return the person's decision in this period, no matter which page sent it."""
    decision = table.decided.get(seat)
    return dict(decision.action) if decision is not None and decision.by == "person" else None


def _last(table: State, last: LastPeriod, seat: int) -> OwnPeriod:
    components = _components(table.game, last.components, seat)
    return OwnPeriod(last.rewards[seat], components, _of_seat(last.used, seat), last.by[seat])


def _awaited(table: State, viewer: int) -> bool:
    """Return whether the play is waiting for another person who is absent, without revealing who it
    is."""
    return any(
        chair.awaited_ms is not None and chair.seat != viewer and table.decides(chair.seat)
        for chair in table.seats
    )


def _ended(table: State, seat: int) -> dict[str, str | None]:
    """Return why the play is over for a seat."""
    if table.seats[seat].occupant == "nobody":
        return {"reason": "left", "result": "neither"}
    if table.seats[seat].released or (table.ended_ms is not None and not table.episode.done):
        return {"reason": table.status(seat), "result": "neither"}
    reason, result = table.episode.ending(seat)
    return {"reason": reason, "result": result}


def _remaining_ms(table: State, now: int) -> int | None:
    """Return the time until the decision's deadline; before the start, until the latest start.

    The time shown does not depend on bots' answers, because that would reveal the bots.
    """
    if table.over or table.paused_ms is not None:
        return None
    due = table.starts_ms if table.started_ms is None else table.ends_ms
    if table.vote is not None and voting.is_open(table):
        due = voting.ends_ms(table)
    return None if due is None else max(due - now, 0)


def _others(table: State) -> list[SeatView]:
    """Return the state of every seat, as far as other seats can see it."""
    # with pace `clock`, bots answer immediately, which would reveal them
    by_clock, labels = table.by_clock, table.options.disclosure == "labels"
    return [
        SeatView(
            chair.seat,
            False,
            None if by_clock else chair.seat in table.decided,
            chair.occupant if labels else None,
        )
        for chair in table.seats
    ]


def _shown(table: State, viewer: int, others: Sequence[SeatView]) -> tuple[SeatView, ...]:
    """Return the state of every seat as the viewer sees it, in the order of observations."""
    seats = list(others)
    state = others[viewer]
    seats[viewer] = SeatView(viewer, True, state.decided, state.occupant)
    if not table.episode.reorders:
        return tuple(seats)
    order = enumerate(table.episode.shown_as(viewer))
    return tuple(seats[seat]._replace(seat=place) for place, seat in order)
