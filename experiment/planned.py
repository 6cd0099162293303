"""What a session keeps of its plan: the setups of the treatments, and how people are assigned."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import Any

from engine.contract.config import Section
from experiment.assignment import Assignment, treatment_of
from experiment.plan import Plan
from experiment.sealing import content_of, digest_of
from experiment.treatments import setups
from table.setup import Setup

__all__ = ["Planned", "planned_for", "planned_from"]


class Planned(Section):
    """Plain JSON.

    name       of the plan
    digest     of what is played, as `experiment.sealing` computes it
    seed       of the session
    setups     by treatment, in their order
    """

    name: str
    digest: str
    assignment: Assignment
    slot_minutes: float
    seed: int
    setups: dict[str, Setup]

    @cached_property
    def sizes(self) -> dict[str, int]:
        """The people of a group, by treatment."""
        return {name: setup.options.people_per_group for name, setup in self.setups.items()}

    def treatment_of(self, slot: int) -> str:
        """The treatment of a slot of the session, from 0."""
        return treatment_of(slot, self.sizes, self.assignment, self.seed)

    def described(self) -> dict[str, Any]:
        """What the manifest of an export says of it."""
        return {
            "name": self.name,
            "digest": self.digest,
            "assignment": self.assignment,
            "treatments": self.sizes,
        }


def planned_for(
    name: str, plan: Plan, given: Mapping[str, Any], shipped: Mapping[str, Any]
) -> Planned:
    """What a session with the config `given` keeps of a plan, whose config is `shipped`.

    Raises ConfigError.
    """
    played = setups(plan, given, shipped)
    return Planned(
        name=name,
        digest=digest_of(content_of(plan, played, given)),
        assignment=plan.assignment,
        slot_minutes=plan.slot_minutes,
        seed=int(given["seed"]),
        setups=played,
    )


@lru_cache(maxsize=64)
def planned_from(text: str) -> Planned:
    """What a JSON text describes; the same object for the same text."""
    return Planned.model_validate_json(text)
