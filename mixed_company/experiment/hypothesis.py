"""The schema of a hypothesis in a plan."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import field_validator, model_validator

from mixed_company.engine.contract.config import parameter
from mixed_company.engine.contract.errors import nearest
from mixed_company.engine.contract.section import Sparse
from mixed_company.experiment.space import Space

_TESTS = (
    "for two treatments mann_whitney, welch, or stratified (of means within sessions); for two or "
    "more kruskal_wallis, jonckheere, permutation; within people or sessions wilcoxon, permutation"
)
REGRESSION = "regression"
"""The test of a variable in a space."""


class Hypothesis(Sparse):
    """An expectation, and the test that decides whether it holds."""

    meaning: str = parameter(..., "expectation, in words", min_length=1)
    measure: str = parameter(..., "a measure (docs/measures.md)", min_length=1)
    of: Literal["group", "people"] = parameter(
        "group",
        "level of the measure: the group, bots included, or the mean over its people",
    )
    test: str = parameter(
        ...,
        f"the test that decides the hypothesis (docs/statistics.md): {_TESTS}",
        min_length=1,
    )
    unit: Literal["group", "session"] = parameter(
        "group",
        "independent unit: a group; or a session, in which case a test within units, such as "
        "wilcoxon, compares its means under two treatments",
    )
    variable: str = parameter(
        "",
        "required if the plan has a `space`: the variable whose effect on the measure is tested, "
        "in a regression on all variables",
    )
    treatments: tuple[str, ...] = parameter(
        (), "treatments to compare, in this order; empty: all, in the plan's order"
    )
    block: str = parameter("", "block in which to compare; required if the plan has blocks")
    blocks: tuple[str, ...] = parameter(
        (),
        "instead of `block`: two blocks to compare within the same people, pooled over "
        "`treatments`, by a test within units, such as wilcoxon",
    )
    family: str = parameter(
        "main", "family of hypotheses that Holm's method corrects together", min_length=1
    )
    direction: Literal["", "higher", "lower", "either"] = parameter(
        "",
        "expected direction: the measure is higher or lower in the last of the treatments (or "
        "blocks) than in the first, or rises or falls in their order in a trend test, or with the "
        "variable; either: no expectation; empty: not stated",
    )

    @classmethod
    def unwritten(cls) -> tuple[str, ...]:
        return ("variable",)

    @model_validator(mode="before")
    @classmethod
    def _without_test(cls, content: Any) -> Any:
        """Replace a missing test with an empty string, so that the error lists all tests."""
        return {"test": "", **content} if isinstance(content, dict) else content

    @field_validator("test", mode="before")
    @classmethod
    def _has_test(cls, name: Any) -> Any:
        if name == "":
            raise ValueError(f"is missing; choose one: {_TESTS}")
        return name

    def check_variable(self, key: str, space: Space | None) -> None:
        """Raise ValueError unless the hypothesis names a variable if, and only if, the plan has a
        space.

        `key` is its key in the plan.
        """
        if space is None:
            if self.variable or self.test == REGRESSION:
                part = f"variable = {self.variable!r}" if self.variable else f"test = {self.test!r}"
                raise ValueError(f"{key}.{part}: the plan has no `space`")
            return
        if self.variable not in space.variables:
            rule = "no such variable of the space" if self.variable else "is missing"
            raise ValueError(
                f"{key}.variable = {self.variable!r}: {rule}"
                f"{nearest(self.variable, space.variables)}"
            )
        if self.test != REGRESSION:
            raise ValueError(f"{key}.test = {self.test!r}: variables are tested by {REGRESSION!r}")
        for part, value in (("treatments", self.treatments), ("blocks", self.blocks)):
            if value:
                raise ValueError(
                    f"{key}.{part} = {list(value)!r}: does not apply to plans with a `space`"
                )
        if self.unit != "group":
            raise ValueError(f"{key}.unit = {self.unit!r}: should be 'group' in a `space`")
        variable = space.variables[self.variable]
        if self.has_direction and not variable.is_range and variable.count > 2:
            raise ValueError(
                f"{key}.direction = {self.direction!r}: {variable.count} choices have no "
                "order; use 'either' or, for numbers, a range"
            )

    @property
    def has_direction(self) -> bool:
        """True if the hypothesis expects higher or lower values."""
        return self.direction in ("higher", "lower")

    def with_variable(self, space: Space) -> str:
        """Return the direction in which the measure is expected to change with the variable, in
        words."""
        variable = space.variables[self.variable]
        if variable.is_range:
            return f"{'rises' if self.direction == 'higher' else 'falls'} with {self.variable}"
        first, last = (f"{self.variable} {variable.level(number)}" for number in (0, 1))
        return f"{self.direction} with {last} than with {first}"
