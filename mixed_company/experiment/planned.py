"""The part of a plan that a session stores: treatments' setups, and the assignment of people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any

from mixed_company.engine.contract.config import Section
from mixed_company.experiment.assignment import Assignment, block_of, treatment_of
from mixed_company.experiment.blocks import Course
from mixed_company.experiment.digests import digests_of, of_plan
from mixed_company.experiment.plan import Plan
from mixed_company.experiment.sealing import content_of
from mixed_company.experiment.treatments import order_of, rules_of, series
from mixed_company.table.setup import Setup
from mixed_company.table.stored import digest_of, restored


class Planned(Section):
    """Part of a plan as plain JSON, which a session stores (`table.stored`).

    name       name of the plan
    plan       digest of the plan's text
    money      payments that the plan fixes
    digest     digest of the plan, in sessions from earlier releases, which lack `plan` and `money`
    seed       seed of the session
    setups     setup of each treatment, in the plan's order; if there are several plays, the
               setups for one of them
    number     number of that play in the session, counted from 1
    blocks     names of all plays; empty if the session has only one play
    parts      the plan's block for each play (`experiment.blocks`); empty in sessions of earlier
               releases, in which every block is one play
    course     rules for how people continue from block to block
    instructions  by treatment, text shown before this play; empty: a text saying that nothing
                  changes
    known      whether an earlier play had the same game
    by_hand    treatments of successive groups, if the session specifies them (`treatment_order`)
    seed_by_hand  whether the session's seed was typed in; if not, it was drawn or derived from the
               plan's seed
    """

    name: str
    plan: str = ""
    money: dict[str, float] = {}
    digest: str = ""
    assignment: Assignment
    slot_minutes: float
    seed: int
    setups: dict[str, Setup]
    number: int = 1
    blocks: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    course: Course = Course()
    instructions: dict[str, str] = {}
    known: bool = False
    by_hand: tuple[str, ...] = ()
    seed_by_hand: bool = False

    @property
    def block(self) -> str:
        """Name of the play; empty if the session has only one play."""
        return self.blocks[self.number - 1] if self.blocks else ""

    @cached_property
    def _parts(self) -> tuple[str, ...]:
        return self.parts or self.blocks

    @property
    def part(self) -> str:
        """Name of the play's block in the plan; empty if the session has only one play."""
        return self._parts[self.number - 1] if self.blocks else ""

    @property
    def part_number(self) -> int:
        """Number of the play's block in the plan, counted from 1."""
        return 1 + self.part_names.index(self.part) if self.blocks else 1

    @property
    def part_names(self) -> list[str]:
        """Names of the plan's blocks, in order."""
        return list(dict.fromkeys(self._parts))

    @property
    def round(self) -> tuple[int, int]:
        """Number of the play in its block, counted from 1, and number of plays in the block."""
        first = self._parts.index(self.part) if self.blocks else 0
        return self.number - first, self._parts.count(self.part) if self.blocks else 1

    @property
    def continues(self) -> bool:
        """True if the previous play belongs to the same block."""
        return self.round[0] > 1

    @property
    def is_last(self) -> bool:
        """True if this is the last play of the session."""
        return self.number >= len(self.blocks)

    @property
    def is_last_of_part(self) -> bool:
        """True if this is the last play of its block."""
        number, plays = self.round
        return number == plays

    @cached_property
    def sizes(self) -> dict[str, int]:
        """Number of people per group, by treatment."""
        return {name: setup.options.people_per_group for name, setup in self.setups.items()}

    def treatment_of(self, slot: int) -> str:
        """Return the treatment of a slot in the session, counted from 0."""
        return treatment_of(slot, self.sizes, self.assignment, self.seed, self.by_hand)

    def slots_of(self, block: int) -> list[str]:
        """Return the treatments of the slots in a block of the assignment, in order; blocks count
        from 0."""
        return block_of(block, self.sizes, self.assignment, self.seed, self.by_hand)


def described(blocks: Sequence[Planned]) -> dict[str, Any]:
    """Return the manifest's entry for a session's plan, given the stored values of all its blocks.

    Like the digests of groups in the export, these digests are computed from the setups as this
    release reads them. So both include settings that a later release added.
    """
    first = blocks[0]
    entry = {
        "name": first.name,
        "digest": first.digest,
        "assignment": first.assignment,
        **({"by_hand": first.by_hand} if first.by_hand else {}),
        **({"seed_by_hand": True} if first.seed_by_hand else {}),
        "treatments": first.sizes,
        **({"blocks": first.blocks, **first.course.model_dump()} if first.blocks else {}),
        **({"parts": first.parts} if len(first.part_names) < len(first.blocks) else {}),
    }
    if not first.plan:
        return entry
    rules = {
        planned.part: {name: rules_of(setup) for name, setup in planned.setups.items()}
        for planned in blocks
    }
    entry |= {"plan": first.plan, "order": list(first.setups), "money": first.money}
    entry["digests"] = digests_of(rules)
    return {**entry, "digest": of_plan(entry)}


def planned_blocks(
    plan: Plan, config: Mapping[str, Any], shipped: Mapping[str, Any], seed_by_hand: bool = False
) -> list[Planned]:
    """Return the part of a plan, one value per play, that a session with this config stores.

    `shipped` is the plan's own session config. `seed_by_hand` says whether the seed in `config` was
    typed in. Raises ConfigError.
    """
    played = series(plan, config, shipped)
    content = content_of(plan, played, config)
    plays = plan.plays
    games = [next(iter(played[play.number - 1].values())).game.id for play in plays]
    return [
        Planned(
            name=shipped["name"],
            plan=digest_of(content["plan"]),
            money=content["money"],
            assignment=plan.assignment,
            slot_minutes=plan.slot_minutes,
            seed=int(config["seed"]),
            setups=played[play.number - 1],
            number=number,
            blocks=tuple(play.name for play in plays if play.name),
            parts=tuple(play.block for play in plays if play.name),
            course=Course(**{key: getattr(plan, key) for key in Course.model_fields}),
            instructions={
                name: plan.instruction_of(play.number, treatment.blocks)
                for name, treatment in plan.treatments.items()
            },
            known=games[number - 1] in games[: number - 1],
            by_hand=order_of(played[0]),
            seed_by_hand=seed_by_hand,
        )
        for number, play in enumerate(plays, start=1)
    ]


@lru_cache(maxsize=64)
def planned_from(text: str) -> Planned:
    """Parse a stored value; equal strings return the same object. Raises ConfigError."""
    return restored(Planned, text)
