"""A small plan for tests, and its session config."""

from __future__ import annotations

from mixed_company.experiment import reading, treatments
from mixed_company.table.setup import session_config

BASE = session_config(
    "commons_small",
    "commons_game",
    "lab",
    display_name="Small",
    people_per_group=2,
    bots="steward",
    periods=3,
)

SMALL = """
title = "A small experiment"
session = "commons_small"
groups = 2
people = "greedy,steward"

[treatments.open]
meaning = "nothing but harvest"

[treatments.pool]
meaning = "a pool"
changes = { governance = "per_step" }
"""


def plan(text=SMALL, **gaps):
    """Read a plan from a text, with these replacements."""
    for old, new in gaps.items():
        text = text.replace(old, new)
    return reading.from_text(text, "small.toml")


def config(small=None):
    """Return the session config of a plan."""
    return treatments.session_config("small", small or plan(), [BASE])
