"""Plan keys for several plays in one session: the plays, their groups, and the paid blocks.

A block is one play, or several plays under the same rules (`repeat`) with no new instructions in
between. A session names and numbers plays: `first` for a block with one play, `first_1`, `first_2`
and so on for a repeated block.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, Self, TypeVar

from pydantic import model_validator

from mixed_company.engine.contract.config import Section, parameter
from mixed_company.engine.contract.errors import nearest
from mixed_company.experiment.assignment import Matching, Roles
from mixed_company.policies.spec import policy_specs

MOST_BLOCKS = 20
"""Largest number of plays in a session."""

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,39}")
NAME_RULE = "should be a letter, then letters, digits, _ or -, at most 40 characters in all"

_Value = TypeVar("_Value")

_APP = re.compile(r"[A-Za-z_]\w{0,39}")


class Varied(Section):
    """Settings of a block that apply only to one treatment's groups."""

    changes: dict[str, Any] = parameter(
        {}, "keys that differ only for this treatment in this block"
    )
    instruction: str = parameter(
        "",
        "instruction shown before the block to people in this treatment; empty: the block's "
        "instruction",
    )


class Block(Section):
    """A part of a session: one play, or several plays in a row under the same rules."""

    name: str = parameter(..., "name in the data", pattern=NAME.pattern)
    meaning: str = parameter(..., "how the block differs, in words", min_length=1)
    session: str = parameter(
        "",
        "session config of its game, if different from the first block's; then the `changes` of "
        "the "
        "plan and of treatments do not apply",
    )
    changes: dict[str, Any] = parameter({}, "keys that differ in this block, in all treatments")
    instruction: str = parameter(
        "",
        "one or more paragraphs about changes that people read before the block; empty: they read "
        "that the rules are the same as before",
    )
    apps_before: str = parameter(
        "", "comma-separated names of other oTree apps between the previous block and this one"
    )
    people: str = parameter(
        "", "policies in place of people in this block; empty: the treatment's policies"
    )
    repeat: int = parameter(
        1,
        "number of plays in a row in this block; before each, `matching` forms new groups; with "
        "periods = 1, these are periods among strangers",
        ge=1,
        le=MOST_BLOCKS,
    )

    @property
    def plays(self) -> list[str]:
        """Names of the block's plays in a session's data."""
        return plays_of(self.name, self.repeat)

    @property
    def apps(self) -> list[str]:
        """Names of the oTree apps between the previous block and this one."""
        return policy_specs(self.apps_before)

    @model_validator(mode="after")
    def _importable(self) -> Self:
        for app in self.apps:
            if _APP.fullmatch(app) is None:
                raise ValueError(f"apps_before = {app!r}: not the name of an app")
        return self


def plays_of(block: str, repeat: int) -> list[str]:
    """Return the names of a block's plays, given the number of its plays."""
    if repeat == 1:
        return [block]
    return [f"{block}_{number}" for number in range(1, repeat + 1)]


class Play(NamedTuple):
    """A play of a session: its name in the data, and its block's name and number (counted from
    1)."""

    name: str
    block: str
    number: int


def blocks_of_plays(entry: Mapping[str, Any]) -> dict[str, str]:
    """Return the block of each play in a session, by name, from the plan's entry in a manifest."""
    plays = list(entry.get("blocks") or ())
    return dict(zip(plays, entry.get("parts") or plays, strict=False))


class Course(Section):
    """Rules for how people continue from block to block; a session stores them
    (`experiment.planned`).
    """

    matching: Matching = parameter(
        "partners",
        "groups in the next block: partners: the same people; strangers: redrawn within "
        "matching_groups groups; perfect_strangers: nobody meets the same person twice",
    )
    matching_groups: int = parameter(
        1,
        "number of groups that are mixed; they are formed one after another within a treatment",
        ge=1,
        le=100,
    )
    roles: Roles = parameter(
        "kept",
        "kept: people keep their seats in all blocks; redrawn: seats are drawn again in each block",
    )
    pay_blocks: Literal["all", "one"] = parameter(
        "all",
        "blocks that are paid: all, or one per participant, drawn from the seed",
    )

    def check_groups(self) -> None:
        """Raise ValueError if groups cannot be matched this way."""
        if self.matching == "partners" and self.matching_groups > 1:
            raise ValueError(
                f"matching_groups = {self.matching_groups}: partners stay in their group; use "
                f"this key with strangers or perfect_strangers"
            )
        if self.matching != "partners" and self.matching_groups == 1:
            raise ValueError(
                f"matching = {self.matching!r}: with only one group, everyone meets again; set "
                "`matching_groups` to 2 or more"
            )


class Blocks(Course):
    """The part of a plan that describes blocks."""

    blocks: tuple[Block, ...] = parameter(
        (), "the plays, in order; none: a session is one play", max_length=MOST_BLOCKS
    )

    @model_validator(mode="after")
    def _blocks_make_sense(self) -> Self:
        if not self.blocks:
            for key, field in Course.model_fields.items():
                if getattr(self, key) != field.default:
                    raise ValueError(f"{key} = {getattr(self, key)!r}: there are no `blocks`")
            return self
        names = [play.name for play in self.plays]
        if len(names) == 1:
            raise ValueError("blocks: there is only one; name two or more, or set `repeat`")
        if len(names) > MOST_BLOCKS:
            raise ValueError(
                f"blocks: there are {len(names)} plays in all; at most {MOST_BLOCKS} are allowed"
            )
        _check_names([block.name for block in self.blocks])
        _check_names(names)
        if self.pay_blocks == "one" and len(names) > len(self.blocks):
            raise ValueError(
                "pay_blocks = 'one': a block with `repeat` has several plays, and all of them "
                "must be "
                "paid"
            )
        first = self.blocks[0]
        for key in ("session", "instruction", "apps_before"):
            if getattr(first, key):
                raise ValueError(
                    f"blocks.{first.name}.{key} = {getattr(first, key)!r}: the session config "
                    f"determines how the first block begins, so set it there"
                )
        self.check_groups()
        return self

    def block(self, number: int) -> Block | None:
        """Return the block with this number, counted from 1; None if the session has only one
        play."""
        return self.blocks[number - 1] if self.blocks else None

    def instruction_of(self, number: int, varied: Mapping[str, Varied]) -> str:
        """Return the instruction shown before the block with this number, for a treatment with the
        block settings `varied`; empty if there is none.
        """
        block = self.block(number)
        if block is None:
            return ""
        return varied.get(block.name, Varied()).instruction or block.instruction

    @property
    def plays(self) -> list[Play]:
        """All plays of a session, in order; if there are no blocks, one unnamed play."""
        return [
            Play(name, block.name, number)
            for number, block in enumerate(self.blocks, start=1)
            for name in block.plays
        ] or [Play("", "", 1)]

    def by_play(self, of_blocks: Sequence[_Value]) -> list[_Value]:
        """Convert one value per block to one value per play, in order."""
        return [of_blocks[play.number - 1] for play in self.plays]

    @property
    def block_names(self) -> list[str]:
        """Names of the blocks, in order; if there are no blocks, one empty name."""
        return [block.name for block in self.blocks] or [""]


def _check_names(names: Sequence[str]) -> None:
    for name in names:
        if NAME.fullmatch(name) is None:
            raise ValueError(f"blocks = {name!r}: {NAME_RULE}")
        if names.count(name) > 1:
            raise ValueError(f"blocks = {name!r}: appears twice")


def check_known(key: str, name: str, blocks: Iterable[str]) -> None:
    """Raise ValueError for a name that no block has."""
    names = list(blocks)
    if name not in names:
        raise ValueError(f"{key} = {name!r}: no such block{nearest(name, names)}")
