"""Tables with layers, with turns, or with seats that can leave, and replays of their logs."""

from __future__ import annotations

from typing import Any

from mixed_company import engine
from mixed_company.engine.contract import space
from mixed_company.engine.play import record
from mixed_company.table.options import Options
from mixed_company.table.protocol import Message
from mixed_company.table.setup import Setup
from mixed_company.table.table import Table
from tests.table.plays import SECOND, rows

IN_TURN: dict[str, Any] = {"timing": "sequential", "order": [2, 0, 1, 3]}
LATER = {"temporal": {"intensity": 0.5, "reward_delay": 2}}


def opened(
    people: list[int],
    game: str = "commons_game",
    archetype: str = "lab_0_7",
    core: dict[str, Any] | None = None,
    layers: dict[str, Any] | None = None,
    agents: dict[str, Any] | None = None,
    **options: Any,
) -> Table:
    """Return a table that was opened at time 0, before any page connected. Bots take 2 and answer
    immediately."""
    chosen: dict[str, Any] = {"bot_delay": "instant", "bots": "fixed:harvest=2", "quiz": False}
    chosen |= options
    who = dict(agents or {})
    if chosen.get("dropout") == "reduced":
        who["may_leave"] = True
    layered: dict[str, Any] = {"layers": layers} if layers else {}
    rules = engine.make(game, archetype=archetype, **(core or {}), agents=who, **layered)
    setup = Setup(config=rules.config.model_dump(mode="json"), options=Options(**chosen))
    return Table.open(setup, people, seed=7, now=0)


def begun(people: list[int], **options: Any) -> Table:
    """Return a table that everyone joined at time 0."""
    table = opened(people, **options)
    for seat in people:
        table.hear(seat, 0)
    return table


def stay(table: Table, seats: list[int], start: int, end: int) -> None:
    """Send a heartbeat from the open pages every five seconds."""
    for second in range(start, end + 1, 5):
        for seat in seats:
            table.hear(seat, second * SECOND)


def leaving(table: Table) -> dict[int, list[int]]:
    """Return the seats that left in each period, according to the log."""
    gone: set[int] = set()
    departures = {}
    for row in rows(table, "period"):
        absent = {seat for seat, who in enumerate(row["seats"]) if who["by"] == "absent"}
        departures[row["period"]] = sorted(absent - gone)
        gone |= absent
    return departures


def misreplayed(table: Table) -> list[str]:
    """Return the values that replaying the log does not reproduce. The list is empty if the log is
    right.
    """
    played = rows(table, "period")
    assert played, "nothing was played"
    steps = record.replayed(
        table.setup.config, table.episode.seed, (row["sent"] for row in played), leaving(table)
    )
    wrong = []
    for row, step in zip(played, steps, strict=True):
        bulk = {field.name for field in table.game.declaration.observations if field.bulk}
        shown = {name: value for name, value in step.observations.items() if name not in bulk}
        recomputed = {
            "rewards": step.rewards.tolist(),
            "components": space.to_json(step.components),
            "used": space.to_json(step.used),
            "observations": space.to_json(shown),
            "ended": step.reason,
        }
        wrong += [
            f"period {row['period']}, {name}: {row[name]} should be {value}"
            for name, value in recomputed.items()
            if row[name] != value
        ]
    return wrong


def reduced(people: list[int], **options: Any) -> Table:
    """Return a table that everyone joined at time 0. Seats are out after 15 s of silence, there
    is no time limit, and bots take 2 immediately."""
    return begun(
        people, dropout="reduced", **{"decision_seconds": 0, "grace_seconds": 15, **options}
    )


def occupants(table: Table) -> list[str]:
    return [chair.occupant for chair in table.seats]


def left(game: str, periods: int, **options: Any) -> Table:
    """Play until seat 1 has left in period `periods` while seat 0 plays on."""
    options = {"archetype": engine.find(game).reference, **options}
    table = opened([0, 1], game=game, dropout="reduced", grace_seconds=15, bots="random", **options)
    table.hear(0, 0)
    if periods:
        table.hear(1, 0)
    now = 0
    while occupants(table)[1] == "person" or table.episode.period < periods + 2:
        now += SECOND
        table.hear(0, now)
        if table.started_ms is not None and 0 not in table.decided:
            act_of(table, 0, now)
        if table.seats[1].occupant == "person" and table.episode.period < periods:
            act_of(table, 1, now)
    assert table.seats[1].periods == periods
    assert not table.episode.done
    return table


def act_of(table: Table, seat: int, now: int) -> None:
    """Send the minimum of each open field as a person's decision."""
    action = {name: float(low) for name, low in table.episode.allowed(seat).low.items()}
    name = f"{seat} {now}"
    table.act(seat, Message("act", name, table.episode.period, action), now)
