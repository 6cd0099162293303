"""What a session keeps of its plan: the setups of the treatments, and how people are assigned."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import Any

from mixed_company.engine.contract.config import Section
from mixed_company.experiment.assignment import Assignment, block_of, treatment_of
from mixed_company.experiment.blocks import Course
from mixed_company.experiment.plan import Plan
from mixed_company.experiment.sealing import content_of
from mixed_company.experiment.treatments import order_of, series
from mixed_company.table.setup import Setup
from mixed_company.table.stored import digest_of, restored

__all__ = ["Planned", "planned_blocks", "planned_from"]


class Planned(Section):
    """Plain JSON, which a session stores (`table.stored`).

    name       of the plan
    digest     of what is played, as `experiment.sealing` computes it
    seed       of the session
    setups     by treatment, in their order; those of one block, where there are several
    number     of that block, from 1, of `blocks` with their names
    course     how people go on from block to block
    instructions  by treatment, what people are told before this one; empty: that nothing changes
    known      has the game of this block been played before it?
    by_hand    treatments of groups, in turn, where the session has them so (`treatment_order`)
    """

    name: str
    digest: str
    assignment: Assignment
    slot_minutes: float
    seed: int
    setups: dict[str, Setup]
    number: int = 1
    blocks: tuple[str, ...] = ()
    course: Course = Course()
    instructions: dict[str, str] = {}
    known: bool = False
    by_hand: tuple[str, ...] = ()

    @property
    def block(self) -> str:
        """The name of the block; empty: the session is one play."""
        return self.blocks[self.number - 1] if self.blocks else ""

    @property
    def is_last(self) -> bool:
        """Does no other block follow?"""
        return self.number >= len(self.blocks)

    @cached_property
    def sizes(self) -> dict[str, int]:
        """The people of a group, by treatment."""
        return {name: setup.options.people_per_group for name, setup in self.setups.items()}

    def treatment_of(self, slot: int) -> str:
        """Return the treatment of a slot of the session, from 0."""
        return treatment_of(slot, self.sizes, self.assignment, self.seed, self.by_hand)

    def slots_of(self, block: int) -> list[str]:
        """Return the treatments of the slots of a block of slots, from 0."""
        return block_of(block, self.sizes, self.assignment, self.seed, self.by_hand)

    def described(self) -> dict[str, Any]:
        """Return what the manifest of an export says of it."""
        return {
            "name": self.name,
            "digest": self.digest,
            "assignment": self.assignment,
            **({"by_hand": self.by_hand} if self.by_hand else {}),
            "treatments": self.sizes,
            **({"blocks": self.blocks, **self.course.model_dump()} if self.blocks else {}),
        }


def planned_blocks(
    plan: Plan, given: Mapping[str, Any], shipped: Mapping[str, Any]
) -> list[Planned]:
    """Return what a session with the config `given` keeps of a plan, whose config is `shipped`:
    one value for each block. Raises ConfigError."""
    played = series(plan, given, shipped)
    digest = digest_of(content_of(plan, played, given))
    games = [next(iter(setups.values())).game.id for setups in played]
    return [
        Planned(
            name=shipped["name"],
            digest=digest,
            assignment=plan.assignment,
            slot_minutes=plan.slot_minutes,
            seed=int(given["seed"]),
            setups=setups,
            number=number,
            blocks=tuple(block.name for block in plan.blocks),
            course=Course(**{key: getattr(plan, key) for key in Course.model_fields}),
            instructions={
                treatment: plan.instruction_of(number, own.blocks)
                for treatment, own in plan.treatments.items()
            },
            known=games[number - 1] in games[: number - 1],
            by_hand=order_of(played[0]),
        )
        for number, setups in enumerate(played, start=1)
    ]


@lru_cache(maxsize=64)
def planned_from(text: str) -> Planned:
    """Return what a session has stored; the same object for the same text. Raises ConfigError."""
    return restored(Planned, text)
