"""Exports of plays in which people act, leave and return, with times but without a server."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from mixed_company import engine
from mixed_company.analysis.data import Data
from mixed_company.analysis.types import typed
from mixed_company.experiment.digests import of_treatment
from mixed_company.experiment.treatments import rules_of
from mixed_company.table.directives import Directive
from mixed_company.table.disclosing import disclosure
from mixed_company.table.export import Row, columns, group_id, tables
from mixed_company.table.export.played import ROWS, Played, credited
from mixed_company.table.ledger import Stay, Terms, ledger, total
from mixed_company.table.options import Options
from mixed_company.table.protocol import Message
from mixed_company.table.seating import play_seed, seats_of_people
from mixed_company.table.setup import Setup
from mixed_company.table.table import Table

START = 1_700_000_000_000
FEE, RATE = 2.0, 0.1
WAITED_MS = 30_000
INSTRUCTED = START - 60_000
"""Time at which people read the instructions and pass the quiz."""
_PASSED = f'[{{"at_ms": {INSTRUCTED}, "answers": {{"end": "a"}}, "wrong": []}}]'


def wall(table: Table, at_ms: int) -> int:
    """Return the machine's time, which is 250 ms ahead and keeps running while a play is paused."""
    stood = ((line["at_ms"], line["stood_ms"]) for line in table.rows if "stood_ms" in line)
    return at_ms + 250 + sum(ms for resumed, ms in stood if resumed < at_ms)


def setup(game: str = "commons_game", **parameters: Any) -> Setup:
    """Return a setup with bots that think for two seconds. Options and parameters are passed by
    name.
    """
    options = {key: parameters.pop(key) for key in list(parameters) if key in Options.model_fields}
    chosen = {"bots": "random", "bot_delay": "fixed:seconds=2", **options}
    rules = engine.make(game, **{"archetype": engine.find(game).reference, **parameters})
    return Setup(config=rules.config.model_dump(mode="json"), options=Options(**chosen))


def opened(setup: Setup, people: int, number: int, now: int) -> Table:
    """Return the table of the group with this number, with this many people in drawn seats."""
    seed, how = setup.config["identity"]["seed"], setup.options.people_seats
    seats = seats_of_people(how, seed, number, setup.game.seats, people)
    return Table.open(setup, sorted(seats), play_seed(seed, number), now)


def play(
    setup: Setup,
    people: int,
    number: int,
    silent: float,
    seconds: int = 400,
    managing: float = 0.0,
    slow: float = 0.0,
) -> Table:
    """Play with this many people, who act at random. In each second a person goes silent, or comes
    back, with probability `silent`.

    The play stops after `seconds` steps of the clock, even if it is not over. In each second the
    manager acts with probability `managing`, and a person's connection is measured again with
    probability `slow`. While a play is paused, `now` stops, like the table's clock.
    """
    chance = random.Random(number)
    now = START + 1000 * number
    table = opened(setup, people, number, now)
    seats = table.people
    away: set[int] = set()
    for seat in seats:
        now += chance.randrange(3000)
        table.hear(seat, now)
    for second in range(seconds):
        now += 400 + chance.randrange(1200)
        for seat in seats:
            if chance.random() < silent:
                away ^= {seat}
            if seat not in away and not table.over:
                table.hear(seat, now)
                if chance.random() < 0.5:
                    _act(table, seat, now, chance, f"{second} {seat}")
        if managing and chance.random() < managing:
            _manage(table, now, chance, str(second))
        if slow and chance.random() < slow:
            table.time_line(chance.choice(seats), chance.choice((20, 900, 2400, 9000)), now)
        if table.paused_ms is not None:
            now = table.paused_ms
    return table


def _manage(table: Table, now: int, chance: random.Random, name: str) -> None:
    """Let the manager act at random, but release people or end the play only after period 4."""
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
    action: dict[str, Any] = {}
    for field in allowed.fields:
        if field.name in allowed.idle:
            continue
        if field.shape:
            points = allowed.sample(np.random.default_rng(chance.getrandbits(32)))[field.name]
            action[field.name] = points.astype(int).tolist()
            continue
        low, high = float(allowed.low[field.name]), min(float(allowed.high[field.name]), 20.0)
        real = field.kind == "real"
        action[field.name] = (
            chance.uniform(low, high) if real else chance.randint(int(low), int(high))
        )
    table.act(seat, Message("act", name, table.episode.period, action), now)


def exported(
    setup: Setup,
    played: Sequence[Table],
    session: str = "s",
    treatments: Sequence[str] = (),
    journal: bool = True,
) -> Data:
    """Return the data of a session with these groups, as the server exports them.

    `treatments` names each group's treatment if the session has a plan. If `journal` is false, the
    data look like those of an earlier release.
    """
    game = setup.game
    names = [*tables(game), "messages", *(["journal"] if journal else [])]
    rows: dict[str, list[Row]] = {name: [] for name in names}
    for number, table in enumerate(played, start=1):
        treatment = treatments[number - 1] if treatments else "lab"
        base = {"session": session, "group": number, "treatment": treatment}
        group = _played(table, {**base, "group_id": group_id(session, number)})
        for name in rows.keys() & ROWS.keys():
            rows[name] += ROWS[name](group)
        rows["outcomes"] += [_outcome(table, group, seat) for seat in group.codes]
        digest = of_treatment(treatment, "", rules_of(table.setup))
        rows["config"].append({**group.base, "digest": digest, **_config(table)})
    frames: dict[str, Any] = {}
    for name, listed in rows.items():
        if listed or name != "messages":
            types = {
                header: column.type for column in columns(name, game) for header in column.names()
            }
            frames[name] = typed(pd.DataFrame(listed, columns=list(types), dtype=object), types)
    people = len(rows["outcomes"])
    sessions = {session: {"session_config": "lab", "participants": people}}
    return Data(game.id, **frames, manifest={"sessions": sessions})


def _played(table: Table, base: Row) -> Played:
    whose = f"{base['session']}-{base['group']}"
    codes = {chair.seat: f"{whose}-{chair.seat}" for chair in table.seats if chair.owner}
    journal = json.loads(json.dumps(table.rows))
    return Played(base, table.setup, journal, codes, partial(wall, table))


def _outcome(table: Table, group: Played, seat: int) -> Row:
    return {
        **group.base,
        "seat": seat,
        "participant": group.code(seat),
        "status": table.status(seat),
        "disclosure": disclosure(table.options, table.game.seats),
        "disclosed_ms": "" if table.options.disclosure == "none" else INSTRUCTED,
        **credited(group, seat),
        **_paid(table, seat),
        "quiz_attempts": int(table.options.quiz),
        "quiz_log": _PASSED if table.options.quiz else "",
    }


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
        "software": json.dumps({"python": "3.11", "otree": "6.0"}),
    }
