"""Plan for a public good with a space of designs, and simulated groups that play it.

People contribute at random, whatever the design, so nothing has an effect on contributions. Their
points follow from the rules: endowment minus contribution, plus `mpcr` for each of the four
contributions.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mixed_company import analysis
from mixed_company.analysis.data import Data
from mixed_company.engine.contract.chance import play_seeds
from mixed_company.experiment import reading, treatments
from mixed_company.experiment.plan import Plan
from mixed_company.table.setup import session_config

BASE = session_config(
    "good_small",
    "sanctions",
    "unsanctioned",
    display_name="A public good",
    people_per_group=4,
    bots="random",
    periods=2,
    lobby_outcome="release",
)

TEXT = """
title = "A space of a public good"
session = "good_small"
groups = 1
people = "random"

[space]
points = 24
seed = 5

[space.variables]
mpcr = { low = 0.3, high = 0.9 }
endowment = { low = 18.0, high = 22.0 }
decision_seconds = { low = 30.0, high = 60.0 }
disclosure = { choices = ["none", "labels"] }

[hypotheses.earned]
meaning = "The higher the return, the more is earned."
measure = "mean_points"
variable = "mpcr"
direction = "higher"

[hypotheses.time]
meaning = "More time changes contributions."
measure = "contribution"
variable = "decision_seconds"
family = "other"

[hypotheses.told]
meaning = "Knowing about bots changes contributions."
measure = "contribution"
variable = "disclosure"
family = "other"
"""


def plan(text: str = TEXT, **gaps: str) -> Plan:
    """Read the plan, with these text replacements."""
    for old, new in gaps.items():
        text = text.replace(old, new)
    return reading.from_text(text, "space.toml")


def shipped(study: Plan) -> dict[str, Any]:
    """Return the session config of the plan."""
    return treatments.session_config("space", study, [BASE])


def played(study: Plan, seed: int, groups: int = 1) -> Data:
    """Simulate groups at every point, as one session of the plan."""
    setups = treatments.shipped_series("sanctions", shipped(study))[0]
    seeds = play_seeds(seed, range(len(setups)))
    parts = []
    for number, (name, setup) in enumerate(setups.items()):
        data = analysis.simulated(
            setup.game, ["random"] * 4, groups=groups, seed=int(seeds[number]), treatment=name
        )
        parts.append(data)
    data = analysis.joined(*parts)
    about = {"session_config": "space", "participants": 0, "plan": {"name": "space"}}
    sessions = dict.fromkeys(dict.fromkeys(data.config["session"]), about)
    return replace(
        data,
        config=data.config.assign(session_config="space"),
        manifest={**data.manifest, "sessions": sessions, "session_configs": ["space"]},
    )
