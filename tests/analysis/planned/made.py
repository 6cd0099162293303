"""Plans, their seals, and data from their sessions, either simulated or played at tables."""

from __future__ import annotations

import json
from copy import deepcopy
from dataclasses import fields, replace
from functools import cache
from typing import Any

import pandas as pd

from mixed_company import analysis
from mixed_company.analysis.data import Data
from mixed_company.analysis.types import typed
from mixed_company.engine.game import Game
from mixed_company.experiment import sealing, treatments
from mixed_company.experiment.plan import Plan
from mixed_company.experiment.planned import Planned, described, planned_blocks
from mixed_company.experiment.sealing import Seal
from mixed_company.table.export import columns
from tests.analysis.audit.tables import FEE, RATE, exported, play
from tests.experiment.planned import SMALL, config, plan

SEED = 7
SESSION = "plan1"
MEAN_HARVEST = """
[hypotheses.harvest]
meaning = "more is harvested with a pool"
measure = "harvest"
test = "mann_whitney"
"""
HYPOTHESES = f"""{MEAN_HARVEST}
[hypotheses.points]
meaning = "more is earned"
measure = "mean_points"
test = "welch"
treatments = ["pool", "open"]
"""
TEXT = SMALL + HYPOTHESES
CHOSEN = """changes.rules.open = { meaning = "no pool" }
changes.rules.fed = { meaning = "a pool", changes = { governance = "per_step" } }
"""
MOOD = {
    "name": "mood",
    "text": "How are you?",
    "when": "after",
    "type": "choice",
    "options": {"en": ["fine", "bad"], "de": ["gut", "schlecht"]},
}
MONEY = {"participation_fee": FEE, "real_world_currency_per_point": RATE}
RULES = {"bot_delay": "fixed:seconds=2"}  # options of the tables in these tests


def content(study: Plan, **changes: Any) -> dict[str, Any]:
    shipped = config(study)
    played = treatments.series(study, {**shipped, **RULES, "seed": "0", **changes}, shipped)
    return sealing.content_of(study, played, MONEY)


def sealed(study: Plan, when: str = "1970-01-01T00:00:00+00:00", **changes: Any) -> Seal:
    return Seal.of("small", when, content(study, **changes))


def played(study: Plan, groups: int) -> Data:
    """Simulate groups of each treatment, as if people had played them under one session config."""
    setups = treatments.shipped_series("commons_game", config(study))[0]
    data = simulated(tuple((name, setup.game) for name, setup in setups.items()), groups)
    manifest = {key: value for key, value in data.manifest.items() if key != "rehearsed"}
    entry = {"name": "small", "digest": sealed(study).digest}
    about = {"session_config": "small", "participants": 2 * groups, "plan": entry}
    manifest["sessions"] = dict.fromkeys(dict.fromkeys(data.config["session"]), about)
    options = [json.loads(text) for text in data.config["options"]]
    texts = [json.dumps({k: v for k, v in of.items() if k != "simulated"}) for of in options]
    config_rows = data.config.assign(session_config="small", rehearsed=False, options=texts)
    people = data.outcomes.assign(assigned_ms=1.0)
    return replace(data, config=config_rows, outcomes=people, manifest=manifest)


@cache
def simulated(treated: tuple[tuple[str, Game[Any]], ...], groups: int) -> Data:
    """Simulate groups of every treatment; tests only read them."""
    seats = {"people": ["noisy_person", "steward"], "bots": ["steward"]}
    parts = [
        analysis.simulated(game, **seats, groups=groups, seed=seed, treatment=name)
        for seed, (name, game) in enumerate(treated)
    ]
    return analysis.joined(*parts)


def mixed(data: Data) -> Data:
    """Return the same groups in two sessions, each with half of the groups of each treatment."""
    frames: dict[str, Any] = {}
    for field in fields(data):
        frame = getattr(data, field.name)
        if isinstance(frame, pd.DataFrame):
            first, pool = frame["group"] <= 3, frame["session"] == "pool"
            sessions = pd.Series("s2", frame.index, dtype="str").mask(first, "s1")
            group = frame["group"] + 10 * pool.astype(frame["group"].dtype)
            frames[field.name] = frame.assign(session=sessions, group=group)
    return replace(data, **frames)


def planned(**changes: Any) -> Planned:
    """Return the plan as the session stores it; `changes` were made in the form."""
    study = plan(TEXT)
    shipped = config(study)
    options = {**shipped, **MONEY, **RULES, **changes}
    return planned_blocks(study, {**options, "seed": str(SEED)}, shipped)[0]


def export(**changes: Any) -> Data:
    """Return an export with one group of each of two treatments, made without a server. The first
    four people are in groups; the fifth had a slot and left. Tests may change it."""
    return deepcopy(_export(tuple(changes.items())))


@cache
def _export(changes: tuple[tuple[str, Any], ...]) -> Data:
    study = planned(**dict(changes))
    order = [study.treatment_of(slot) for slot in range(5)]
    first = list(dict.fromkeys(order))
    tables = [play(study.setups[name], 2, number, 0.0) for number, name in enumerate(first, 1)]
    data = exported(study.setups[first[0]], tables, SESSION, first)
    people = data.outcomes.copy()
    slots = {
        name: [number for number, other in enumerate(order) if other == name] for name in first
    }
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
    declared = columns("outcomes", study.setups[first[0]].game)
    everybody = typed(everybody.astype(object), {column.name: column.type for column in declared})
    about = {"session_config": "small", "participants": 5, "plan": described([study])}
    rules = data.config.assign(session_config="small")
    manifest = {"sessions": {SESSION: about}, "session_configs": ["small"]}
    return replace(data, outcomes=everybody, config=rules, manifest=manifest)
