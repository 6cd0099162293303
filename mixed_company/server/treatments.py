"""Treatments within a session, where the session has a plan: who is of which, and what they play.

A person is given a slot when the instructions are first shown, and keeps its treatment for good;
what counts as a free slot says `experiment.assignment`. Pages ask `setup_of` a person, and nobody
else what is played.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mixed_company.experiment.assignment import first_free, holds
from mixed_company.experiment.planned import Planned, planned_from
from mixed_company.server import clock
from mixed_company.table.setup import Setup, setup_from

__all__ = ["NONE", "assign", "planned_of", "setup_of", "setups_of", "treatment_shown"]

NONE = ""
"""The treatment of who has none: of a session without a plan, or before the instructions."""


def planned_of(subsession: Any) -> Planned | None:
    """What a session keeps of its plan; None: it has none."""
    return planned_from(subsession.plan) if subsession.plan else None


def setups_of(subsession: Any) -> Mapping[str, Setup]:
    """The setup of each treatment, and of who has none."""
    planned = planned_of(subsession)
    common = {NONE: setup_from(subsession.setup)}
    return common if planned is None else {**common, **planned.setups}


def setup_of(player: Any) -> Setup:
    """The setup of a person: that of the treatment, else what the session has in common."""
    if not player.treatment:
        return setup_from(player.subsession.setup)
    planned: Planned = planned_from(player.subsession.plan)
    return planned.setups[player.treatment]


def treatment_shown(player: Any) -> str:
    """The treatment of a person for tables: without a plan the session config; empty: not yet."""
    planned = player.treatment or player.subsession.plan
    return str(player.treatment if planned else player.session.config["name"])


def assign(player: Any) -> None:
    """Give a person who has come a slot, if the session has a plan and he or she has none."""
    planned = planned_of(player.subsession)
    if planned is None or player.treatment:
        return
    now, patience_s = clock.now_ms(), 60 * planned.slot_minutes
    others = type(player).objects_filter(subsession_id=player.subsession_id)
    held = [
        other.slot
        for other in others
        if other.slot >= 0
        and holds(other.status, other.seat >= 0, (now - other.assigned_ms) / 1000, patience_s)
    ]
    player.slot, player.assigned_ms = first_free(held), float(now)
    player.treatment = planned.treatment_of(player.slot)
