"""The schema of a plan: every key with its meaning and its rule. What is not here is refused."""

from __future__ import annotations

import re
from typing import Any, Literal, Self

from pydantic import field_validator, model_validator

from engine.contract.chance import MAX_SEED
from engine.contract.config import Section, parameter
from engine.contract.errors import nearest

__all__ = ["Hypothesis", "Plan", "Treatment"]

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,39}")


class Treatment(Section):
    """What groups of one kind play."""

    meaning: str = parameter(..., "what sets it apart, in words", min_length=1)
    changes: dict[str, Any] = parameter(
        {},
        "keys of the session config that are other than in the plan: of the game, `layers`, "
        "`agents`, options, `bots`",
    )
    people: str = parameter(
        "",
        "policies in people's places when it is rehearsed and for power, in turn; empty: those of "
        "the plan",
    )


class Hypothesis(Section):
    """What is expected, and the one test that decides."""

    meaning: str = parameter(..., "what is expected, in words", min_length=1)
    measure: str = parameter(..., "a measure of groups (docs/measures.md)", min_length=1)
    test: str = parameter(..., "a test between treatments (docs/statistics.md)", min_length=1)
    treatments: tuple[str, ...] = parameter(
        (), "which are compared, in this order; empty: all, in the order of the plan"
    )
    family: str = parameter(
        "main", "hypotheses of one family are corrected for each other, by Holm", min_length=1
    )


class Plan(Section):
    """An experiment."""

    title: str = parameter(..., "what it is called, also on oTree's list", min_length=1)
    authors: tuple[str, ...] = parameter((), "who plans it")
    sources: tuple[str, ...] = parameter((), "what it follows, cited")
    session: str = parameter(..., "the session config that it starts from", min_length=1)
    changes: dict[str, Any] = parameter(
        {}, "keys of the session config (docs/sessions.md) that are other in all treatments"
    )
    treatments: dict[str, Treatment] = parameter(..., "by name, in their order; two or more")
    groups: int = parameter(..., "groups of each treatment, over all sessions", ge=2)
    assignment: Literal["balanced", "arrival"] = parameter(
        "balanced",
        "balanced: each block has slots for one group of every treatment, in an order drawn from "
        "the seed; arrival: one group after the other, without chance",
    )
    slot_minutes: float = parameter(
        15.0,
        "who is not in the lobby so long after the instructions began gives the slot back",
        unit="min",
        gt=0,
        le=1440,
    )
    hypotheses: dict[str, Hypothesis] = parameter({}, "by name")
    alpha: float = parameter(0.05, "the level of the tests", gt=0, lt=1)
    exclusions: tuple[str, ...] = parameter((), "which data are not analysed, in words")
    stopping: str = parameter("", "when no more data are gathered, in words")
    people: str = parameter(
        "",
        "policies in people's places when it is rehearsed and for power, comma-separated, in turn",
    )
    seed: int | None = parameter(
        None,
        "number from which, with its code, the seed of each session follows; none: it is drawn",
        ge=0,
        le=MAX_SEED,
    )

    @field_validator("treatments")
    @classmethod
    def _compared(cls, treatments: dict[str, Treatment]) -> dict[str, Treatment]:
        if len(treatments) < 2:
            raise ValueError("should be two or more, else nothing is compared")
        return treatments

    @model_validator(mode="after")
    def _named(self) -> Self:
        for key in ("treatments", "hypotheses"):
            for name in getattr(self, key):
                if _NAME.fullmatch(name) is None:
                    raise ValueError(
                        f"{key} = {name!r}: a name begins with a letter and has letters, digits, "
                        "_ and -, 40 at most"
                    )
        for name, hypothesis in self.hypotheses.items():
            _check_compared(f"hypotheses.{name}.treatments", hypothesis.treatments, self.treatments)
        return self

    def compared(self, hypothesis: Hypothesis) -> tuple[str, ...]:
        """The treatments that a hypothesis is about, in its order."""
        return hypothesis.treatments or tuple(self.treatments)

    def people_of(self, treatment: str) -> str:
        """The policies that stand for people in a treatment; empty: the plan names none."""
        return self.treatments[treatment].people or self.people


def _check_compared(key: str, names: tuple[str, ...], known: dict[str, Treatment]) -> None:
    for name in names:
        if name not in known:
            raise ValueError(f"{key} = {name!r}: no such treatment{nearest(name, known)}")
    if names and len(set(names)) < max(len(names), 2):
        raise ValueError(f"{key} = {list(names)!r}: should be two or more, none of them twice")
