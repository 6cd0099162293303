"""Tables with layers, in turn, and with seats that can leave; and their log, recomputed."""

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
    """A table opened at time 0; nobody has said hello yet. Bots take 2 and answer at once."""
    chosen: dict[str, Any] = {"bot_delay": "instant", "bots": "fixed:harvest=2", "quiz": False}
    chosen |= options
    who = dict(agents or {})
    if chosen.get("dropout") == "reduced":
        who["may_leave"] = True
    given: dict[str, Any] = {"layers": layers} if layers else {}
    made = engine.make(game, archetype=archetype, **(core or {}), agents=who, **given)
    setup = Setup(config=made.config.model_dump(mode="json"), options=Options(**chosen))
    return Table.open(setup, people, seed=7, now=0)


def begun(people: list[int], **given: Any) -> Table:
    """A table at which all people said hello at time 0."""
    made = opened(people, **given)
    for seat in people:
        made.hear(seat, 0)
    return made


def stay(made: Table, seats: list[int], start: int, end: int) -> None:
    """Pages that are open say so every five seconds."""
    for second in range(start, end + 1, 5):
        for seat in seats:
            made.hear(seat, second * SECOND)


def leaving(made: Table) -> dict[int, list[int]]:
    """Period -> the seats that left in it, as a reader of the log finds them."""
    gone: set[int] = set()
    found = {}
    for row in rows(made, "period"):
        absent = {seat for seat, who in enumerate(row["seats"]) if who["by"] == "absent"}
        found[row["period"]] = sorted(absent - gone)
        gone |= absent
    return found


def misreplayed(made: Table) -> list[str]:
    """What the log's actions do not give again; none if the log is right."""
    played = rows(made, "period")
    assert played, "nothing was played"
    steps = record.replayed(
        made.setup.config, made.episode.seed, (row["sent"] for row in played), leaving(made)
    )
    wrong = []
    for row, step in zip(played, steps, strict=True):
        bulk = {field.name for field in made.game.declaration.observations if field.bulk}
        shown = {name: value for name, value in step.observations.items() if name not in bulk}
        given = {
            "rewards": step.rewards.tolist(),
            "components": space.to_json(step.components),
            "used": space.to_json(step.used),
            "observations": space.to_json(shown),
            "ended": step.reason,
        }
        wrong += [
            f"period {row['period']}, {name}: {row[name]} should be {value}"
            for name, value in given.items()
            if row[name] != value
        ]
    return wrong


def reduced(people: list[int], **given: Any) -> Table:
    """Silent for 15 s is gone; no time limit, bots take 2 at once; all said hello at time 0."""
    return begun(people, dropout="reduced", **{"decision_seconds": 0, "grace_seconds": 15, **given})


def occupants(made: Table) -> list[str]:
    return [chair.occupant for chair in made.seats]


def left(game: str, periods: int, **given: Any) -> Table:
    """Seat 1 left in period `periods`, and seat 0 plays on."""
    made = opened([0, 1], game=game, dropout="reduced", grace_seconds=15, bots="random", **given)
    made.hear(0, 0)
    if periods:
        made.hear(1, 0)
    now = 0
    while occupants(made)[1] == "person" or made.episode.period < periods + 2:
        now += SECOND
        made.hear(0, now)
        if made.started_ms is not None and 0 not in made.decided:
            act_of(made, 0, now)
        if made.seats[1].occupant == "person" and made.episode.period < periods:
            act_of(made, 1, now)
    assert made.seats[1].periods == periods
    assert not made.episode.done
    return made


def act_of(made: Table, seat: int, now: int) -> None:
    """A person does the least of what is open."""
    action = {name: float(low) for name, low in made.episode.allowed(seat).low.items()}
    name = f"{seat} {now}"
    made.act(seat, Message("act", name, made.episode.period, action), now)
