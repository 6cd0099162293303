"""Exports of tables that people play at, leave and come back to: with times, without a server."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from typing import Any

import pandas as pd

import engine
from analysis.data import Data
from analysis.types import typed
from engine import solutions
from engine.play.decision import Decision
from table import pay
from table.export import Row, columns, decision_row, pair_rows, period_row, seat_rows, tables
from table.options import Options
from table.protocol import Message
from table.seating import play_seed
from table.setup import Setup
from table.table import Table

START = 1_700_000_000_000


def setup(game: str = "commons_game", **given: Any) -> Setup:
    """Bots think two seconds; `game` has the archetype lab. Options and parameters by name."""
    options = {key: given.pop(key) for key in list(given) if key in Options.model_fields}
    chosen = {"bots": "random", "bot_delay": "fixed:seconds=2", "quiz": False, **options}
    made = engine.make(game, **{"archetype": "lab", **given})
    return Setup(config=made.config.model_dump(mode="json"), options=Options(**chosen))


def play(given: Setup, people: Sequence[int], number: int, silent: float, most: int = 400) -> Table:
    """A play of people who act by chance; each falls silent, and comes back, with chance `silent`.

    Stops after `most` seconds of the clock, over or not.
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
            if seat not in away and not table.episode.done:
                table.hear(seat, now)
                if chance.random() < 0.5:
                    _act(table, seat, now, chance, f"{second} {seat}")
    return table


def _act(table: Table, seat: int, now: int, chance: random.Random, name: str) -> None:
    if table.episode.done:
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


def exported(given: Setup, played: Sequence[Table], session: str = "s") -> Data:
    """The tables of a session whose groups are these, as the server exports them."""
    game = given.game
    rows: dict[str, list[Row]] = {name: [] for name in tables(game)}
    for number, table in enumerate(played, start=1):
        _group(rows, table, {"session": session, "group": number})
    frames: dict[str, Any] = {}
    for name, found in rows.items():
        types = {each: column.type for column in columns(name, game) for each in column.names()}
        frames[name] = typed(pd.DataFrame(found, columns=list(types), dtype=object), types)
    people = len(rows["outcomes"])
    sessions = {session: {"session_config": "lab", "participants": people}}
    return Data(game.id, **frames, manifest={"sessions": sessions})


def _group(rows: dict[str, list[Row]], table: Table, base: Row) -> None:
    game = table.game
    codes = {each.seat: f"{base['group']}-{each.seat}" for each in table.seats if each.owner}
    log: dict[str, list[Row]] = {"period": [], "seat": [], "event": [], "start": []}
    for line in json.loads(json.dumps(table.rows)):
        log[line["kind"]].append(line)
    said = solutions.judge_play(game, table.episode.seed, (line["state"] for line in log["period"]))
    for line, judged in zip(log["period"], said, strict=True):
        period = {**base, "period": line["period"], "shown_ms": line["shown_ms"]}
        own = {"settled_ms": line["at_ms"], **period_row(game, line, judged)}
        rows["periods"].append({**period, **own})
        for seat, row in enumerate(seat_rows(game, line)):
            who = decision_row(Decision.from_json(line["seats"][seat]))
            who |= {"seat": seat, "participant": codes.get(seat, "")}
            rows["decisions"].append({**period, **who, **row})
        if "pairs" in rows:
            rows["pairs"] += [{**period, **row} for row in pair_rows(game, line)]
    _seats(rows, table, base, log["seat"], codes)
    for line in log["event"]:
        own = ("kind", "at_ms", "period", "event", "seat")
        rest = {key: value for key, value in line.items() if key not in own}
        rows["events"].append({**base, **line, "detail": json.dumps(rest) if rest else ""})
    rows["config"].append({**base, **_config(table)})


def _seats(
    rows: dict[str, list[Row]], table: Table, base: Row, log: list[Row], codes: dict[int, str]
) -> None:
    for at, line in enumerate(log):
        later = [each["since_period"] for each in log[at + 1 :] if each["seat"] == line["seat"]]
        until = (later[0] if later else table.episode.period) - 1
        own = {"participant": codes.get(line["seat"], ""), "until_period": until}
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
                "status": pay.status(chair.occupant, table.out(seat)),
                "points": chair.points,
                "seat_points": chair.seat_points,
                "paid_points": pay.paid_points(chair.points, options.pay_floor, options.pay_cap),
                "payment": 2.0,
                "quiz_attempts": 1,
                "quiz_log": '[{"at_ms": 1, "answers": {}, "wrong": []}]',
                "disconnections": chair.gaps,
                "bot_share": pay.bot_share(sat.count("policy"), len(sat)),
            }
        )


def _config(table: Table) -> Row:
    identity = table.setup.config["identity"]
    return {
        "seed": table.episode.seed,
        "session_config": "lab",
        "game": identity["game"],
        "version": identity["version"],
        "config": json.dumps(table.setup.config),
        "options": table.setup.options.model_dump_json(),
        "software": json.dumps({"python": "3.11"}),
    }
