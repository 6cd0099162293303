"""Exports of tables that people play at, leave and come back to: with times, without a server."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from statistics import median
from typing import Any

import pandas as pd

from mixed_company import engine
from mixed_company.analysis.data import Data
from mixed_company.analysis.types import typed
from mixed_company.engine import solutions
from mixed_company.engine.play.decision import Decision
from mixed_company.table import pay
from mixed_company.table.directives import Directive
from mixed_company.table.export import (
    Row,
    columns,
    decision_row,
    group_id,
    pair_rows,
    period_row,
    seat_rows,
    tables,
)
from mixed_company.table.export.messages import message_rows
from mixed_company.table.ledger import Stay, Terms, ledger, total
from mixed_company.table.options import Options
from mixed_company.table.protocol import Message
from mixed_company.table.seating import play_seed
from mixed_company.table.setup import Setup
from mixed_company.table.table import Table

START = 1_700_000_000_000
FEE, RATE = 2.0, 0.1
WAITED_MS = 30_000


def wall(table: Table, at_ms: int) -> int:
    """Return the machine's time, which is 250 ms ahead and runs on while a play is paused."""
    stood = ((line["at_ms"], line["stood_ms"]) for line in table.rows if "stood_ms" in line)
    return at_ms + 250 + sum(ms for resumed, ms in stood if resumed < at_ms)


def setup(game: str = "commons_game", **given: Any) -> Setup:
    """Bots think two seconds; `game` has the archetype lab. Options and parameters by name."""
    options = {key: given.pop(key) for key in list(given) if key in Options.model_fields}
    chosen = {"bots": "random", "bot_delay": "fixed:seconds=2", "quiz": False, **options}
    made = engine.make(game, **{"archetype": engine.find(game).reference, **given})
    return Setup(config=made.config.model_dump(mode="json"), options=Options(**chosen))


def play(
    given: Setup,
    people: Sequence[int],
    number: int,
    silent: float,
    most: int = 400,
    managing: float = 0.0,
    slow: float = 0.0,
) -> Table:
    """A play of people who act by chance; each falls silent, and comes back, with chance `silent`.

    Stops after `most` seconds of the clock, over or not. `managing` is the chance of a second in
    which the manager has something done; `now` then stands still, as the table's clock does;
    `slow` that of one in which the line of a person is measured anew.
    """
    chance = random.Random(number)
    now = START + 1000 * number
    table = Table.open(
        given, list(people), play_seed(given.config["identity"]["seed"], number), now
    )
    away: set[int] = set()
    for seat in people:
        now += chance.randrange(3000)
        table.hear(seat, now)
    for second in range(most):
        now += 400 + chance.randrange(1200)
        for seat in people:
            if chance.random() < silent:
                away ^= {seat}
            if seat not in away and not table.over:
                table.hear(seat, now)
                if chance.random() < 0.5:
                    _act(table, seat, now, chance, f"{second} {seat}")
        if managing and chance.random() < managing:
            _manage(table, now, chance, str(second))
        if slow and chance.random() < slow:
            table.time_line(chance.choice(people), chance.choice((20, 900, 2400, 9000)), now)
        if table.paused_ms is not None:
            now = table.paused_ms
    return table


def _manage(table: Table, now: int, chance: random.Random, name: str) -> None:
    """Anything, but an end or a release only late."""
    kinds = ["skip", "stand_in", "give_back", "pause", "go_on", "extend", "message"]
    if table.episode.period > 4:
        kinds += ["release", "end"]
    kind = "go_on" if table.paused_ms is not None else chance.choice(kinds)
    seat = chance.choice(table.people)
    of_seat = kind in ("skip", "stand_in", "give_back", "release", "message")
    ms = chance.randrange(1, 9000) if kind in ("extend", "go_on") else 0
    directive = Directive(kind, name, seat if of_seat else None, ms, "Go on." * (kind == "message"))
    table.manage(directive, now)


def _act(table: Table, seat: int, now: int, chance: random.Random, name: str) -> None:
    if table.over:
        return
    allowed = table.episode.allowed(seat)
    action: dict[str, float] = {}
    for field in allowed.fields:
        low, high = float(allowed.low[field.name]), min(float(allowed.high[field.name]), 20.0)
        real = field.kind == "real"
        action[field.name] = (
            chance.uniform(low, high) if real else chance.randint(int(low), int(high))
        )
    table.act(seat, Message("act", name, table.episode.period, action), now)


def exported(
    given: Setup,
    played: Sequence[Table],
    session: str = "s",
    treatments: Sequence[str] = (),
) -> Data:
    """The tables of a session whose groups are these, as the server exports them.

    `treatments` are those of the groups, of a session with a plan.
    """
    game = given.game
    rows: dict[str, list[Row]] = {name: [] for name in tables(game)}
    for number, table in enumerate(played, start=1):
        own = treatments[number - 1] if treatments else "lab"
        base = {"session": session, "group": number, "treatment": own}
        _group(rows, table, {**base, "group_id": group_id(session, number)})
    frames: dict[str, Any] = {}
    if any(table.talk and table.talk.messages for table in played):
        rows["messages"] = [
            row
            for number, table in enumerate(played, 1)
            for row in _messages(table, number, session, treatments)
        ]
    for name, found in rows.items():
        types = {each: column.type for column in columns(name, game) for each in column.names()}
        frames[name] = typed(pd.DataFrame(found, columns=list(types), dtype=object), types)
    people = len(rows["outcomes"])
    sessions = {session: {"session_config": "lab", "participants": people}}
    return Data(game.id, **frames, manifest={"sessions": sessions})


def _messages(table: Table, number: int, session: str, treatments: Sequence[str]) -> Iterator[Row]:
    base = {"session": session, "group": number, "group_id": group_id(session, number)}
    base["treatment"] = treatments[number - 1] if treatments else "lab"
    for row in message_rows(json.loads(json.dumps(table.rows))):
        person = table.seats[row["seat"]].owner
        code = f"{number}-{row['seat']}" if person else ""
        yield {**base, **row, "participant": code, "wall_ms": wall(table, row["at_ms"])}


def _group(rows: dict[str, list[Row]], table: Table, base: Row) -> None:
    game = table.game
    codes = {each.seat: f"{base['group']}-{each.seat}" for each in table.seats if each.owner}
    log: dict[str, list[Row]] = {"period": [], "seat": [], "event": [], "start": []}
    for line in json.loads(json.dumps(table.rows)):
        log.get(line["kind"], []).append(line)  # what the export does not show is left out
    said = solutions.judge_play(game, table.episode.seed, (line["state"] for line in log["period"]))
    for line, judged in zip(log["period"], said, strict=True):
        period = {**base, "period": line["period"], "shown_ms": line["shown_ms"]}
        own = {"settled_ms": line["at_ms"], **period_row(game, line, judged)}
        own["wall_ms"] = wall(table, line["at_ms"])
        rows["periods"].append({**period, **own})
        for seat, row in enumerate(seat_rows(game, line)):
            who = decision_row(Decision.from_json(line["seats"][seat]))
            who |= {"seat": seat, "participant": codes.get(seat, "")}
            who["wall_ms"] = wall(table, line["seats"][seat]["at_ms"])
            rows["decisions"].append({**period, **who, **row})
        if "pairs" in rows:
            rows["pairs"] += [{**period, **row} for row in pair_rows(game, line)]
    _seats(rows, table, base, log["seat"], codes)
    for line in log["event"]:
        own = ("kind", "at_ms", "period", "event", "seat")
        rest = {key: value for key, value in line.items() if key not in own}
        line |= {"detail": json.dumps(rest) if rest else "", "wall_ms": wall(table, line["at_ms"])}
        rows["events"].append({**base, **line})
    rows["config"].append({**base, **_config(table)})


def _seats(
    rows: dict[str, list[Row]], table: Table, base: Row, log: list[Row], codes: dict[int, str]
) -> None:
    for at, line in enumerate(log):
        later = [each["since_period"] for each in log[at + 1 :] if each["seat"] == line["seat"]]
        until = (later[0] if later else table.episode.period) - 1
        own = {"participant": codes.get(line["seat"], ""), "until_period": until}
        own["wall_ms"] = wall(table, line["at_ms"])
        rows["seats"].append({**base, **line, **own, "policy_id": line["policy_id"] or ""})
    periods = [line for line in table.rows if line["kind"] == "period"]
    for seat, code in codes.items():
        chair, options = table.seats[seat], table.options
        sat = [line["seats"][seat]["occupant"] for line in periods]
        rows["outcomes"].append(
            {
                **base,
                "seat": seat,
                "participant": code,
                "status": table.status(seat),
                "points": chair.points,
                "seat_points": chair.seat_points,
                "paid_points": pay.paid_points(chair.points, options.pay_floor, options.pay_cap),
                **_paid(table, seat),
                "quiz_attempts": 1,
                "quiz_log": '[{"at_ms": 1, "answers": {}, "wrong": []}]',
                "disconnections": chair.gaps,
                "reaction_ms": _reaction(periods, seat),
                "bot_share": pay.bot_share(sat.count("policy"), len(sat)),
            }
        )


def _reaction(periods: list[Row], seat: int) -> float | str:
    sat = [(line["seats"][seat], line["shown_ms"]) for line in periods]
    taken = [own["at_ms"] - shown for own, shown in sat if own["by"] == "person"]
    return median(taken) if taken else ""


def _paid(table: Table, seat: int) -> Row:
    chair = table.seats[seat]
    terms = Terms.of(FEE, RATE, table.options.model_dump())
    share = chair.periods / table.game.horizon
    parts = ledger(terms, Stay(table.status(seat), True, chair.points, share, WAITED_MS))
    return {
        "payment": float(total(parts)),
        **{f"pay_{name}": float(amount) for name, amount in parts.items()},
        "pay_elsewhere": 0.0,
        "waited_ms": WAITED_MS,
    }


def _config(table: Table) -> Row:
    identity = table.setup.config["identity"]
    return {
        "seed": table.episode.seed,
        "session_config": "lab",
        "participation_fee": FEE,
        "point_value": RATE,
        "game": identity["game"],
        "version": identity["version"],
        "config": json.dumps(table.setup.config),
        "options": table.setup.options.model_dump_json(),
        "software": json.dumps({"python": "3.11"}),
    }
