"""An export of a session with a plan, made without a server: a group of each of two treatments, and
a person who had a slot and left."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pandas as pd

from analysis.data import Data
from analysis.types import typed
from experiment.planned import Planned, planned_for
from table.export import columns
from tests.analysis.audit.tables import FEE, RATE, exported, play
from tests.experiment.planned import config, plan

SEED = 7
SESSION = "plan1"


def planned(**changes: Any) -> Planned:
    """What the session keeps of its plan, in which `changes` were made in the form."""
    shipped = config()
    money = {"participation_fee": FEE, "real_world_currency_per_point": RATE}
    given = {**shipped, **money, "bot_delay": "fixed:seconds=2", "quiz": False, **changes}
    return planned_for("small", plan(), {**given, "seed": str(SEED)}, shipped)


def export(**changes: Any) -> Data:
    """The tables; the first four people are in groups, the fifth is not."""
    own = planned(**changes)
    order = [own.treatment_of(slot) for slot in range(5)]
    first = list(dict.fromkeys(order))
    tables = [play(own.setups[name], [0, 1], at, 0.0) for at, name in enumerate(first, 1)]
    data = exported(own.setups[first[0]], tables, SESSION, first)
    people = data.outcomes.copy()
    slots = {name: [at for at, other in enumerate(order) if other == name] for name in first}
    people["slot"] = [slots[name].pop(0) for name in people["treatment"]]
    people["participant"] = [str(code) for code in people["participant"]]
    alone = people.iloc[[0]].assign(
        **dict.fromkeys(("group", "seat", "seat_points", "disconnections", "bot_share"), None),
        **dict.fromkeys(("points", "paid_points", "payment"), 0.0),
        **{name: None for name in people if name.startswith("pay_")},
        waited_ms=None,
        reaction_ms=None,
        participant="alone",
        status="left",
        slot=4,
        treatment=order[4],
        group_id="",
    )
    everybody = pd.concat([people, alone], ignore_index=True)
    everybody["assigned_ms"] = 1
    declared = columns("outcomes", own.setups[first[0]].game)
    everybody = typed(everybody.astype(object), {one.name: one.type for one in declared})
    about = {"session_config": "small", "participants": 5, "plan": own.described()}
    rules = data.config.assign(session_config="small")
    manifest = {"sessions": {SESSION: about}, "session_configs": ["small"]}
    return replace(data, outcomes=everybody, config=rules, manifest=manifest)
