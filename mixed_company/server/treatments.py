"""Treatments within a session that has a plan: each person's treatment, and the treatment's setup.

People get a slot when the instructions are first shown, and keep the slot's treatment.
`experiment.assignment` defines which slots are free. All pages get a person's setup from
`setup_of`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mixed_company.experiment.assignment import first_free, holds
from mixed_company.experiment.planned import Planned, planned_from
from mixed_company.server import clock
from mixed_company.table.setup import Setup, setup_from

NONE = ""
"""Treatment of people who have none, either in a session without a plan or before the assignment.
"""


def planned_of(subsession: Any) -> Planned | None:
    """Return the stored plan of a session, or None."""
    return planned_from(subsession.plan) if subsession.plan else None


def setups_of(subsession: Any) -> Mapping[str, Setup]:
    """Return the setup of each treatment, and the setup for people without a treatment."""
    planned = planned_of(subsession)
    common = {NONE: setup_from(subsession.setup)}
    return common if planned is None else {**common, **planned.setups}


def setup_of(player: Any) -> Setup:
    """Return the setup of a person's treatment, or else the session's common setup."""
    if not player.treatment:
        return setup_from(player.subsession.setup)
    planned: Planned = planned_from(player.subsession.plan)
    return planned.setups[player.treatment]


def treatment_shown(player: Any) -> str:
    """Return a person's treatment for exported tables. Without a plan, it is the session config's
    name. It is empty if the person has no treatment yet.
    """
    planned = player.treatment or player.subsession.plan
    return str(player.treatment if planned else player.session.config["name"])


def assign(player: Any) -> None:
    """Assign a slot to an arriving person, if the session has a plan and the person has no slot."""
    planned = planned_of(player.subsession)
    if planned is None or player.treatment:
        return
    now, patience_s = clock.wall_ms(), 60 * planned.slot_minutes
    others = type(player).objects_filter(subsession_id=player.subsession_id)
    held = [
        other.slot
        for other in others
        if other.slot >= 0
        and holds(other.status, other.seat >= 0, (now - other.assigned_ms) / 1000, patience_s)
    ]
    player.slot, player.assigned_ms = first_free(held), float(now)
    player.treatment = planned.treatment_of(player.slot)
