"""Log of a play: the `instrumentation` section of a configuration."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Self, get_args

from pydantic import model_validator

from mixed_company.engine.contract.errors import nearest
from mixed_company.engine.contract.section import Section, parameter

Metric = Literal["rewards", "components", "info", "total", "actions", "entropy", "roles", "returns"]
Artifact = Literal["state", "observations", "chance"]

_KNOWN = {"metrics": get_args(Metric), "artifacts": get_args(Artifact)}
_OF_SEATS = ("actions", "roles")


class Instrumentation(Section):
    """The log's four levels. `every` logs a level only in every k-th period; 0 turns the level off.

    `metrics`: period lines can have `rewards`, `components` and `info` (values that the game
    reports for a period), seat lines `total` (points so far) and `actions` (their distribution so
    far). Both can have `entropy` for policies that report their choice probabilities; in seat lines
    it covers all periods so far. `roles` adds a line per role to the lines per seat; `returns` go
    into the last line.

    `artifacts` lists what else a period line contains: `state`, `observations`, `chance`.
    """

    episode: bool = parameter(True, "first and last line of a play")
    period: int = parameter(1, "every k-th period; must be 1 for replay", ge=0)
    seat: int = parameter(0, "running totals per seat, every k-th period", ge=0)
    event: bool = parameter(True, "clamped actions, events of the game, endings")
    verbose: bool = parameter(False, "period lines also contain state and observations")
    metrics: tuple[Metric, ...] = parameter(
        ("rewards", "components", "total", "returns"), "logged numbers"
    )
    artifacts: tuple[Artifact, ...] = parameter((), "additional contents of period lines, by name")
    events: Literal["all"] | tuple[str, ...] = parameter("all", "kinds of events that are logged")

    @model_validator(mode="before")
    @classmethod
    def _named(cls, section: Any) -> Any:
        """Refuse unknown and repeated names."""
        for key in (*_KNOWN, "events"):
            named: Any = section.get(key) if isinstance(section, Mapping) else None
            names = list(named) if isinstance(named, list | tuple) else []
            for name in names:
                rule = _refusal(name, names, _KNOWN.get(key))
                if rule:
                    raise ValueError(f"{key} = {names!r}: {rule}")
        return section

    @model_validator(mode="after")
    def _written(self) -> Self:
        """Refuse metrics and artifacts that would not be in any line."""
        for name in _OF_SEATS:
            if name in self.metrics and self.seat == 0:
                raise ValueError(
                    f"metrics = {list(self.metrics)!r}: {name!r} is written in seat lines, but "
                    f"seat = 0 turns these off"
                )
        if self.artifacts and self.period == 0:
            raise ValueError(
                f"artifacts = {list(self.artifacts)!r}: they are written in period lines, but "
                f"period = 0 turns these off"
            )
        return self

    def keeps(self, artifact: Artifact) -> bool:
        """Return whether period lines contain an artifact."""
        return artifact in self.artifacts or (self.verbose and artifact != "chance")


def _refusal(name: Any, names: list[Any], valid: tuple[str, ...] | None) -> str | None:
    if names.count(name) > 1:
        return f"names {name!r} twice"
    if valid and isinstance(name, str) and name not in valid:
        return f"{name!r} is unknown{nearest(name, valid)}"
    return None
