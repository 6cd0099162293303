"""The schema of a plan: every key, its meaning and its rule. Any other key is rejected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any, Literal, Self

from pydantic import ValidationInfo, field_validator, model_validator

from mixed_company.engine.contract.chance import MAX_SEED
from mixed_company.engine.contract.config import Section, parameter
from mixed_company.engine.contract.errors import nearest
from mixed_company.engine.contract.section import Sparse
from mixed_company.experiment.assignment import Assignment
from mixed_company.experiment.blocks import NAME, NAME_RULE, Blocks, Varied, check_known
from mixed_company.experiment.hypothesis import REGRESSION, Hypothesis
from mixed_company.experiment.space import Space
from mixed_company.policies.spec import policy_specs


class Treatment(Section):
    """Groups that play the same setup."""

    meaning: str = parameter(..., "how the treatment differs, in words", min_length=1)
    changes: dict[str, Any] = parameter(
        {},
        "keys of the session config that differ from the plan: the game's keys, `layers`, "
        "`agents`, options, `bots`",
    )
    people: str = parameter(
        "",
        "policies in place of people for rehearsals and power, if they differ from the plan's "
        "(all output then says so); empty: the plan's",
    )
    blocks: dict[str, Varied] = parameter({}, "blocks that differ for this treatment, by name")


class Plan(Blocks, Sparse):
    """An experiment."""

    title: str = parameter(..., "title, also in oTree's list of sessions", min_length=1)
    authors: tuple[str, ...] = parameter((), "authors of the plan")
    sources: tuple[str, ...] = parameter((), "citations for its sources")
    session: str = parameter(..., "session config that it is based on", min_length=1)
    changes: dict[str, Any] = parameter(
        {}, "keys of the session config (docs/sessions.md) that differ in all treatments"
    )
    space: Space | None = parameter(
        None, "instead of `treatments`: the variables from which treatments are drawn"
    )
    treatments: dict[str, Treatment] = parameter(
        {},
        "treatments by name, in order; two or more, or one if there are `blocks`",
        validate_default=True,
    )
    groups: int = parameter(
        ...,
        "number of groups per treatment, over all sessions: at least two, or at least one in a "
        "`space`",
        ge=1,
    )
    assignment: Assignment = parameter(
        "balanced",
        "balanced: each block has slots for one group from every treatment, in an order drawn from "
        "the seed; by_group, the default in a `space`: the same, but the slots of a group are "
        "consecutive; arrival: one group after another, not randomised",
    )
    slot_minutes: float = parameter(
        15.0,
        "time from the start of the instructions to the lobby, after which the slot is lost",
        unit="min",
        gt=0,
        le=1440,
    )
    hypotheses: dict[str, Hypothesis] = parameter({}, "hypotheses by name")
    alpha: float = parameter(0.05, "significance level of the tests", gt=0, lt=1)
    exclusions: tuple[str, ...] = parameter(
        (),
        "rules for excluding data, in words; reports compare a rule with the data only if it "
        "contains the English words left, leave or drop out",
    )
    stopping: str = parameter("", "rule for when to stop collecting data, in words")
    looks: tuple[int, ...] = parameter(
        (),
        "numbers of groups per treatment, below `groups`, at which to run interim tests; none: "
        "only the final test",
    )
    spending: Literal["obrien_fleming", "pocock"] = parameter(
        "obrien_fleming", "how alpha is spent over `looks`: mostly late, or about evenly"
    )
    people: str = parameter(
        "",
        "comma-separated policies in place of people for rehearsals and power; one is drawn for "
        "each person"
        ", with equal probabilities",
    )
    seed: int | None = parameter(
        None,
        "number that, together with a session's code, determines the session's seed; none: seeds "
        "are drawn",
        ge=0,
        le=MAX_SEED,
    )

    @classmethod
    def unwritten(cls) -> tuple[str, ...]:
        return ("space",)

    @model_validator(mode="before")
    @classmethod
    def _for_space(cls, content: Any) -> Any:
        """Fill in the assignment and the test if a plan with a space does not specify them."""
        if not isinstance(content, dict) or content.get("space") is None:
            return content
        content, hypotheses = {"assignment": "by_group", **content}, content.get("hypotheses")
        if isinstance(hypotheses, dict):
            content["hypotheses"] = {
                name: {"test": REGRESSION, **table} if isinstance(table, dict) else table
                for name, table in hypotheses.items()
            }
        return content

    @field_validator("treatments")
    @classmethod
    def _of_space(
        cls, treatments: dict[str, Treatment], info: ValidationInfo
    ) -> dict[str, Treatment]:
        """Return the treatments drawn from the space, which a stored plan also contains."""
        space: Space | None = info.data.get("space")
        if space is None:
            return treatments
        drawn = {name: _treatment(space, point) for name, point in space.drawn.items()}
        if treatments and list(treatments.items()) != list(drawn.items()):
            raise ValueError("the `space` also determines the treatments; leave out one of the two")
        return drawn

    @model_validator(mode="after")
    def _named(self) -> Self:
        least = 1 if self.blocks else 2
        if len(self.treatments) < least:
            names = list(self.treatments)
            raise ValueError(
                f"treatments = {names!r}: should be two or more, so they can be compared"
            )
        if self.space is None and self.groups < 2:
            raise ValueError(f"groups = {self.groups}: should be greater than or equal to 2")
        for key in ("treatments", "hypotheses"):
            for name in getattr(self, key):
                if NAME.fullmatch(name) is None:
                    raise ValueError(f"{key} = {name!r}: {NAME_RULE}")
        for name, treatment in self.treatments.items():
            for block, varied in treatment.blocks.items():
                where = f"treatments.{name}.blocks"
                check_known(where, block, self.block_names)
                if varied.instruction and block == self.block_names[0]:
                    raise ValueError(
                        f"{where}.{block}.instruction = {varied.instruction!r}: the "
                        "first block cannot have an instruction of its own, because people read "
                        "the instructions just before it"
                    )
        ends = (1, *self.looks, self.groups)
        if self.looks and not all(earlier < later for earlier, later in pairwise(ends)):
            raise ValueError(
                f"looks = {list(self.looks)}: should be in increasing order, each at least 2 "
                f"and less than groups = {self.groups}"
            )
        if self.space is not None:
            self._check_space(self.space)
        for name, hypothesis in self.hypotheses.items():
            hypothesis.check_variable(f"hypotheses.{name}", self.space)
            self._check_hypothesis(f"hypotheses.{name}", hypothesis)
        return self

    def _check_space(self, space: Space) -> None:
        """Check that the plan's other keys are compatible with its space."""
        if self.looks:
            raise ValueError(
                f"looks = {list(self.looks)}: a regression over a `space` has no interim tests"
            )
        for name, variable in space.variables.items():
            for key in variable.keys_of(name):
                if key in self.changes:
                    raise ValueError(
                        f"changes.{key} = {self.changes[key]!r}: variable {name!r} of the space "
                        "also sets it; leave out one of the two"
                    )

    def _check_hypothesis(self, key: str, hypothesis: Hypothesis) -> None:
        """Check a hypothesis's treatments and its block, or its two blocks."""
        names = [block.name for block in self.blocks]
        for name in (*hypothesis.blocks, *([hypothesis.block] if hypothesis.block else [])):
            check_known(f"{key}.block", name, names)
        if hypothesis.blocks and (
            hypothesis.block or len(set(hypothesis.blocks)) != 2 or len(hypothesis.blocks) != 2
        ):
            raise ValueError(
                f"{key}.blocks = {list(hypothesis.blocks)!r}: should be two different blocks, "
                "without `block`"
            )
        if names and not (hypothesis.block or hypothesis.blocks):
            raise ValueError(
                f"{key}.block: is missing; name one of {', '.join(names)}, or two in `blocks`"
            )
        _check_compared(
            f"{key}.treatments",
            hypothesis.treatments,
            self.treatments,
            1 if hypothesis.blocks else 2,
        )

    def compared(self, hypothesis: Hypothesis) -> tuple[str, ...]:
        """Return the treatments that a hypothesis compares, in the hypothesis's order."""
        return hypothesis.treatments or tuple(self.treatments)

    def unit_of(self, hypothesis: Hypothesis) -> str:
        """Return the independent unit of a hypothesis's test: a group, a matching group (groups
        that exchange people), a session or, in a space, a point."""
        if hypothesis.variable:
            return "point"
        mixes = hypothesis.unit == "group" and self.matching != "partners"
        return "matching group" if mixes else hypothesis.unit

    def depends_on_order(self, hypothesis: Hypothesis) -> bool:
        """Return whether the order of the plan's treatments determines the test's direction, or the
        test itself.
        """
        if hypothesis.treatments or hypothesis.blocks:
            return False
        return hypothesis.has_direction or hypothesis.test == "jonckheere"

    def expectation(self, hypothesis: Hypothesis) -> str:
        """Return the direction that a hypothesis expects, in words; empty if it expects none."""
        if not hypothesis.has_direction:
            return ""
        if self.space is not None:
            return hypothesis.with_variable(self.space)
        first, *_, last = hypothesis.blocks or self.compared(hypothesis)
        if hypothesis.test == "jonckheere":
            listed = ", ".join(self.compared(hypothesis))
            return f"{'rises' if hypothesis.direction == 'higher' else 'falls'} over {listed}"
        return f"{hypothesis.direction} in {last} than in {first}"

    def people_of(self, treatment: str, number: int = 1) -> str:
        """Return the policies that play in place of people in a treatment and a block (numbered
        from 1).

        The result is empty if the plan names none.
        """
        return self.named_people(treatment, number)[1]

    def _population(self, treatment: str, number: int) -> tuple[str, list[str]]:
        key, named = self.named_people(treatment, number)
        return key, policy_specs(named)

    def named_people(self, treatment: str, number: int = 1) -> tuple[str, str]:
        """Return the plan's key that names a treatment's policies in a block, and its value."""
        block = self.block(number)
        if block is not None and block.people:
            return f"blocks.{block.name}.people", block.people
        if self.treatments[treatment].people:
            return f"treatments.{treatment}.people", self.treatments[treatment].people
        return "people", self.people

    @property
    def people_apart(self) -> list[str]:
        """Warnings about keys that make simulated people differ between treatments or blocks."""
        named = {
            number: {name: self._population(name, number) for name in self.treatments}
            for number in range(1, len(self.block_names) + 1)
        }
        by_treatment = [list(people.values()) for people in named.values()]
        by_block = [[people[name] for people in named.values()] for name in self.treatments]
        return [*apart("treatments", by_treatment), *apart("blocks", by_block)]

    def simulated_by(self, people: str) -> Self:
        """Return the plan with `people` as the simulated people of every treatment and block;
        unchanged if `people` is empty.
        """
        if not people:
            return self
        treatments = {
            name: treatment.model_copy(update={"people": people})
            for name, treatment in self.treatments.items()
        }
        blocks = tuple(block.model_copy(update={"people": people}) for block in self.blocks)
        return self.model_copy(update={"treatments": treatments, "blocks": blocks})


def _treatment(space: Space, point: Mapping[str, Any]) -> Treatment:
    """Return the treatment for a point."""
    meaning = ", ".join(f"{name} {value}" for name, value in point.items())
    return Treatment(meaning=meaning, changes=space.changes(point))


def misplaced(key: str) -> str:
    """Return a hint for the error about an unknown key in a table, if it is a key of the plan."""
    if key not in Plan.model_fields:
        return ""
    return f"; {key} is a key of the plan: write it above the first [table] of the file"


def apart(groups: str, compared: Iterable[Sequence[tuple[str, Sequence[str]]]]) -> list[str]:
    """Return a warning if simulated people differ between treatments or blocks.

    Each element of `compared` has populations that should be equal, as pairs of key and policies.
    The warning names the keys that make them differ.
    """
    keys = list[str]()
    for people in compared:
        if len({_shares(specs) for _, specs in people}) > 1:
            keys += [key for key, specs in people if key != "people" and specs]
    if not keys:
        return []
    named = ", ".join(dict.fromkeys(keys))
    return [
        f"Simulated people differ between {groups} ({named}), so a difference between {groups} can "
        "be due to this alone."
    ]


def _shares(specs: Sequence[str]) -> frozenset[tuple[str, Fraction]]:
    """Return each policy and its share of a population."""
    return frozenset((spec, Fraction(count, len(specs))) for spec, count in Counter(specs).items())


def _check_compared(
    key: str, names: tuple[str, ...], treatments: dict[str, Treatment], minimum: int
) -> None:
    for name in names:
        if name not in treatments:
            raise ValueError(f"{key} = {name!r}: no such treatment{nearest(name, treatments)}")
    compared = names or tuple(treatments)
    if len(set(compared)) < max(len(compared), minimum):
        raise ValueError(f"{key} = {list(compared)!r}: should be two or more, without duplicates")
