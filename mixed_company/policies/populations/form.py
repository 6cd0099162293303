"""The file of a population: which types of people there are, how many of each, how they differ.

    game = "sanctions"
    sentence = "..."                        what it is, in one sentence
    source = "..."                          who published it
    whole = true                            amounts are whole numbers

    [[types]]
    name = "conditional cooperator"
    policy = "conditional_cooperator"       a policy of the game, or `straight_line`
    share = 0.55
    source = "..."
    first = { low = 0.4, high = 0.6 }       what it begins with, of the range it can choose from
    parameters.bias = { low = 0.0, high = 0.4, source = "..." }

    last = { share = 0.5, amount = 0.0 }    who does what in the last period, of the range then
    correlation.intercept = { slope = -0.8 }    of the errors of two means of the type

Shares sum to 1. A number that differs from person to person is drawn evenly from `low` to `high`,
or from a normal distribution with `mean` and `sd`, cut at the ends of what it may be; with `log =
true` it is its logarithm that is normal, and mean and sd are those of the logarithm.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import ValidationError, model_validator

from mixed_company.engine.contract.config import refusal
from mixed_company.engine.contract.errors import ConfigError, UnknownName, nearest, short
from mixed_company.engine.contract.section import Section, parameter
from mixed_company.engine.contract.space import Array
from mixed_company.files import toml

__all__ = ["HERE", "Described", "Last", "Number", "Spread", "Type", "names", "read", "text"]

HERE = Path(__file__).parents[3] / "bots/populations"
_ENDING = ".toml"
_CLOSE = 1e-4
"""Shares are written with a few digits: so much may their sum miss 1."""
_LARGEST = 700.0
"""Of a logarithm: what it is of is a number still."""
_DIGITS = 6
"""Significant digits of a number in a file that is written."""


class Spread(Section, strict=True):
    """A number that differs from person to person, and how well it is known."""

    low: float | None = parameter(None, "lower end, where it is drawn evenly")
    high: float | None = parameter(None, "upper end")
    mean: float | None = parameter(None, "mean of the normal distribution it is drawn from")
    sd: float | None = parameter(None, "its standard deviation", ge=0)
    mean_error: float | None = parameter(None, "standard error of the mean", ge=0)
    sd_error: float | None = parameter(None, "standard error of the standard deviation", ge=0)
    log: bool = parameter(False, "are mean and sd those of its logarithm?")
    source: str = parameter("", "where it is from")

    @model_validator(mode="after")
    def _one_form(self) -> Spread:
        even, normal = (self.low, self.high), (self.mean, self.sd)
        if (None in even) == (None in normal) or even.count(None) == 1 or normal.count(None) == 1:
            raise ValueError("should have low and high, or mean and sd")
        if self.low is not None and self.high is not None and self.low > self.high:
            raise ValueError(f"low = {self.low:g}: should be at most high = {self.high:g}")
        if self.log and self.mean is None:
            raise ValueError("log = true: should have mean and sd")
        return self

    def cut(self, low: float, high: float) -> Spread:
        """With its mean from low to high."""
        if self.mean is None:
            return self
        ends = [math.log(end) if end > 0 else -math.inf for end in (low, high)]
        least, most = ends if self.log else (low, high)
        return self.model_copy(update={"mean": min(max(self.mean, least), most)})

    @property
    def ends(self) -> tuple[float, float]:
        """What must lie within what the number may be: its ends, or its mean."""
        if self.low is not None and self.high is not None:
            return self.low, self.high
        mean = float(self.mean or 0.0)
        middle = math.exp(min(mean, _LARGEST)) if self.log else mean
        return middle, middle


Number = float | Spread


class Last(Section, strict=True):
    """What people of a type do in the last period, because they know that it is the last."""

    share: float = parameter(..., "of the type, who do so", ge=0, le=1)
    amount: float = parameter(0.0, "as a share of the range they can choose from", ge=0, le=1)
    source: str = parameter("", "where it is from")


class Type(Section, strict=True):
    """People of one kind."""

    name: str = parameter(..., "what it is called", min_length=1)
    policy: str = parameter(..., "the policy by which they decide", min_length=1)
    share: float = parameter(..., "of the population", gt=0, le=1)
    share_error: float | None = parameter(None, "standard error of the share", ge=0)
    source: str = parameter(..., "where the share is from", min_length=1)
    first: Number | None = parameter(
        None,
        "what they begin with, as a share of the range they can choose from; none: as the policy",
    )
    last: Last | None = parameter(None, "in the last period; none: as in any other")
    parameters: dict[str, Number] = parameter({}, "those of the policy")
    correlation: dict[str, dict[str, float]] = parameter(
        {}, "of the errors of the means of two parameters; 0 where it is not given"
    )

    @model_validator(mode="after")
    def _related(self) -> Type:
        for one, others in self.correlation.items():
            for other, value in others.items():
                if one == other or not {one, other} <= set(self.parameters):
                    raise ValueError(f"correlation.{one}.{other}: should name two parameters")
                if not -1 <= value <= 1:
                    raise ValueError(f"correlation.{one}.{other} = {value:g}: from -1 to 1")
        if self.correlation and np.linalg.eigvalsh(self.correlations)[0] < -_CLOSE:
            raise ValueError("correlation: no errors can be related so; see the pairs together")
        return self

    @property
    def correlations(self) -> Array:
        """(P, P) of the errors of the means of all parameters, in their order."""
        places = {name: place for place, name in enumerate(self.parameters)}
        matrix = np.eye(len(places))
        for one, others in self.correlation.items():
            for other, value in others.items():
                matrix[places[one], places[other]] = matrix[places[other], places[one]] = value
        return matrix


class Described(Section, strict=True):
    """What a file says."""

    game: str = parameter(..., "game id")
    sentence: str = parameter(..., "what it is, in one sentence", min_length=1)
    source: str = parameter(..., "who published it, or what it was fitted to", min_length=1)
    whole: bool = parameter(False, "are amounts whole numbers?")
    types: tuple[Type, ...] = parameter(..., "the types", min_length=1)
    calibration: dict[str, Any] = parameter({}, "how it was fitted, by `mixed calibrate`")

    @model_validator(mode="after")
    def _whole(self) -> Described:
        total = math.fsum(kind.share for kind in self.types)
        if abs(total - 1) > _CLOSE:
            raise ValueError(f"types.share = {total:g} in sum: should be 1")
        called = [kind.name for kind in self.types]
        for name in called:
            if called.count(name) > 1:
                raise ValueError(f"types.name = {name!r}: there is one already")
        return self


def names(game_id: str | None = None) -> list[str]:
    """The names of the populations that are here, of one game or of all."""
    known = sorted(file.stem for file in HERE.glob(f"*{_ENDING}"))
    return [name for name in known if game_id in (None, read(name)[0].game)]


def read(name: str) -> tuple[Described, str]:
    """A population by its name, or by its file, and the sha256 of the file.

    Raises UnknownName, or ConfigError that names the file, the key, its value and the rule.
    """
    if name.endswith(_ENDING):
        place = Path(name)
    elif name in _stems():
        place = HERE / f"{name}{_ENDING}"
    else:
        raise UnknownName(
            f"population {short(name)}: unknown{nearest(name, _stems())}; a file of your own ends "
            f"in {_ENDING}"
        )
    try:
        content = place.read_bytes()
    except OSError as error:
        raise ConfigError(f"{place}: cannot be read: {error.strerror}") from None
    try:
        return _parsed(content), hashlib.sha256(content).hexdigest()
    except ConfigError as error:
        lines = str(error).splitlines()
        raise ConfigError("\n".join(f"{place}: {line}" for line in lines)) from None


def _stems() -> list[str]:
    return sorted(file.stem for file in HERE.glob(f"*{_ENDING}"))


@lru_cache(maxsize=64)
def _parsed(content: bytes) -> Described:
    try:
        values = toml(content.decode("utf-8"))
    except ValueError as error:
        raise ConfigError(f"is no TOML: {error}") from None
    values["types"] = tuple(values["types"]) if isinstance(values.get("types"), list) else ()
    try:
        return Described.model_validate(values)
    except ValidationError as error:
        raise refusal(error, Described) from None


def text(described: Described) -> str:
    """Return the TOML that `read` reads as this population."""
    return "\n".join(_lines(described)) + "\n"


def _lines(described: Described) -> Iterator[str]:
    for key in ("game", "sentence", "source", "whole"):
        yield f"{key} = {_value(getattr(described, key))}"
    for kind in described.types:
        yield "\n[[types]]"
        for key in ("name", "policy", "share", "share_error", "source", "first", "last"):
            if getattr(kind, key) is not None:
                yield f"{key} = {_value(getattr(kind, key))}"
        for name, value in kind.parameters.items():
            yield f"parameters.{name} = {_value(value)}"
        for name, others in kind.correlation.items():
            yield f"correlation.{name} = {_value(others)}"
    if described.calibration:
        yield "\n[calibration]"
        yield from (f"{key} = {_value(value)}" for key, value in described.calibration.items())


def _value(value: Any) -> str:
    if isinstance(value, Spread | Last):
        return _value(value.model_dump(exclude_none=True, exclude_defaults=True))
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{key} = {_value(part)}' for key, part in value.items())} }}"
    if isinstance(value, float):
        return json.dumps(float(f"{value:.{_DIGITS}g}"))
    return json.dumps(value, ensure_ascii=False)
