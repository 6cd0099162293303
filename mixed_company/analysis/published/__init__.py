"""Published numbers of studies, and a comparison of an export's means with them.

Each study is a file NAME.toml in this folder. It contains only numbers that could be verified, each
with the table, figure or page that it comes from.

    title, source  for readers
    game           the game with which the study can be repeated
    needs          keys and values of the game that a treatment must have, because the numbers
                   depend on them
    design         other keys of the study; if a treatment has other values, a note says so
    matching       how groups were formed from period to period: partners, or strangers
    conditions     by name: `meaning`, and more `needs` and `design`
    figures        each: `measure` (of periods), `condition`, `sample` (the people), `where`, and
                   `values`, one for each period from the first, or `mean` over periods 1 to `last`
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files as shipped
from typing import Any

from mixed_company import files
from mixed_company.engine.contract.errors import UnknownName, nearest

__all__ = ["Condition", "Figure", "Study", "find", "names"]


@dataclass(frozen=True)
class Condition:
    """A condition of a study, expressed in keys of its game."""

    meaning: str
    needs: Mapping[str, Any]
    design: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Figure:
    """The published numbers for a measure in one condition and sample."""

    measure: str
    condition: str
    sample: str
    where: str
    values: tuple[float, ...] = ()
    mean: float | None = None
    last: int = 0

    @property
    def over(self) -> int:
        """The number of periods, counted from the first, that the numbers cover."""
        return self.last or len(self.values)

    @property
    def whole(self) -> float:
        """The mean of the published numbers over the periods that they cover."""
        return sum(self.values) / len(self.values) if self.mean is None else self.mean


@dataclass(frozen=True)
class Study:
    """A study and its published numbers."""

    name: str
    title: str
    source: str
    game: str
    needs: Mapping[str, Any]
    design: Mapping[str, Any]
    conditions: Mapping[str, Condition]
    figures: tuple[Figure, ...]
    matching: str = "partners"

    @property
    def samples(self) -> list[str]:
        """The samples, in the order of the file."""
        return list(dict.fromkeys(figure.sample for figure in self.figures))

    def of_sample(self, sample: str) -> list[Figure]:
        """Return a sample's figures. Raises UnknownName."""
        if sample not in self.samples:
            raise UnknownName(
                f"sample = {sample!r}: {self.name} has published numbers for "
                f"{', '.join(self.samples)}"
                f"{nearest(sample, self.samples)}"
            )
        return [figure for figure in self.figures if figure.sample == sample]


def names() -> list[str]:
    """Return the names of all studies."""
    entries = shipped(__name__).iterdir()
    return sorted(entry.name[:-5] for entry in entries if entry.name.endswith(".toml"))


def find(name: str) -> Study:
    """Return the study of this name. Raises UnknownName."""
    if name not in names():
        listed = ", ".join(names())
        raise UnknownName(
            f"study {name!r}: unknown; the studies with published numbers are: {listed}"
            f"{nearest(name, names())}"
        )
    content = files.toml((shipped(__name__) / f"{name}.toml").read_text("utf-8"))
    conditions = {key: Condition(**table) for key, table in content.pop("conditions").items()}
    figures = tuple(
        Figure(**{**table, "values": tuple(table.get("values", ()))})
        for table in content.pop("figures")
    )
    return Study(name=name, conditions=conditions, figures=figures, **content)
