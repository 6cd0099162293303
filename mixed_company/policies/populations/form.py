"""A population's file: its types of people, their shares, and how people differ.

    game = "sanctions"
    sentence = "..."                        one-sentence description
    source = "..."                          publication
    judged = "..."                          how well it predicts people whose data it does not use
    whole = true                            amounts are whole numbers

    [[types]]
    name = "conditional cooperator"
    policy = "conditional_cooperator"       a policy of the game, or `straight_line`, and after `+`
                                            one for peer points, left out without them
    share = 0.55
    source = "..."
    first = { low = 0.4, high = 0.6 }       first amount, as a share of the allowed range
    parameters.bias = { low = 0.0, high = 0.4, source = "..." }

    last = { share = 0.5, amount = 0.0 }    share of people who give this amount in the last period
    correlation.intercept = { slope = -0.8 }    correlation between the errors of two means

    [[types.moves]]
    to = "free rider"                       the type that a person changes to
    rate = 0.06                             probability, after each period of experience

Shares sum to 1, and apply to the first period. The rates of a type's moves sum to at most 1. A
number that differs between people is uniform from `low` to `high`, or normal with `mean` and `sd`,
clipped to its range. With `log = true`, its logarithm is normal, with this mean and sd.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
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

HERE = Path(__file__).parents[3] / "bots/populations"
_ENDING = ".toml"
_CLOSE = 1e-4
"""Tolerance for the sum of shares, because shares are written with few digits."""
_LARGEST = 700.0
"""Largest logarithm of a finite number."""
_JUDGED = re.compile(rb"^judged = .*\n", re.MULTILINE)
_DIGITS = 6
"""Significant digits of a number in a written file."""


class Spread(Section, strict=True):
    """A number that differs between people, with its uncertainty."""

    low: float | None = parameter(None, "lower end of a uniform distribution")
    high: float | None = parameter(None, "upper end")
    mean: float | None = parameter(None, "mean of a normal distribution")
    sd: float | None = parameter(None, "its standard deviation", ge=0)
    mean_error: float | None = parameter(None, "standard error of the mean", ge=0)
    sd_error: float | None = parameter(None, "standard error of the standard deviation", ge=0)
    log: bool = parameter(False, "mean and sd are those of the number's logarithm")
    source: str = parameter("", "its source")

    @model_validator(mode="after")
    def _one_form(self) -> Spread:
        even, normal = (self.low, self.high), (self.mean, self.sd)
        if (None in even) == (None in normal) or even.count(None) == 1 or normal.count(None) == 1:
            raise ValueError("should have low and high, or mean and sd")
        if self.low is not None and self.high is not None and self.low > self.high:
            raise ValueError(f"low = {self.low:g}: should be at most high = {self.high:g}")
        if self.log and self.mean is None:
            raise ValueError("log = true: requires mean and sd")
        return self

    def cut(self, low: float, high: float) -> Spread:
        """Return a copy with the mean clipped to low and high."""
        if self.mean is None:
            return self
        ends = [math.log(end) if end > 0 else -math.inf for end in (low, high)]
        lowest, highest = ends if self.log else (low, high)
        return self.model_copy(update={"mean": min(max(self.mean, lowest), highest)})

    @property
    def ends(self) -> tuple[float, float]:
        """Numbers that must be within the permitted range: low and high, or the mean."""
        if self.low is not None and self.high is not None:
            return self.low, self.high
        mean = float(self.mean or 0.0)
        middle = math.exp(min(mean, _LARGEST)) if self.log else mean
        return middle, middle


Number = float | Spread


class Last(Section, strict=True):
    """Behaviour of a type's people in the last period, if they know that it is the last."""

    share: float = parameter(..., "share of the type with this amount", ge=0, le=1)
    amount: float = parameter(0.0, "amount, as a share of the allowed range", ge=0, le=1)
    source: str = parameter("", "its source")


class Move(Section, strict=True):
    """Move from this type to another as people gain experience."""

    to: str = parameter(..., "name of the type to which they change", min_length=1)
    rate: float = parameter(..., "probability, after each period of experience", ge=0, le=1)
    rate_error: float | None = parameter(None, "standard error of the rate", ge=0)
    source: str = parameter("", "its source")


class Type(Section, strict=True):
    """One type of people."""

    name: str = parameter(..., "its name", min_length=1)
    policy: str = parameter(..., "the policy that they follow", min_length=1)
    share: float = parameter(..., "share of the population at the start", gt=0, le=1)
    share_error: float | None = parameter(None, "standard error of the share", ge=0)
    source: str = parameter(..., "source of the share", min_length=1)
    first: Number | None = parameter(
        None,
        "first amount, as a share of the allowed range; none: as the policy decides",
    )
    last: Last | None = parameter(
        None, "behaviour in the last period; none: the same as in any other period"
    )
    parameters: dict[str, Number] = parameter({}, "parameters of the policy")
    correlation: dict[str, dict[str, float]] = parameter(
        {}, "correlation between the errors of two parameters' means; 0 by default"
    )
    moves: tuple[Move, ...] = parameter(
        (), "changes to other types with experience; none: no changes"
    )

    @model_validator(mode="after")
    def _related(self) -> Type:
        for first, others in self.correlation.items():
            for second, value in others.items():
                if first == second or not {first, second} <= set(self.parameters):
                    raise ValueError(f"correlation.{first}.{second}: should name two parameters")
                if not -1 <= value <= 1:
                    raise ValueError(
                        f"correlation.{first}.{second} = {value:g}: should be from -1 to 1"
                    )
        if self.correlation and np.linalg.eigvalsh(self.correlations)[0] < -_CLOSE:
            raise ValueError("correlation: the pairs do not form a valid correlation matrix")
        return self

    @model_validator(mode="after")
    def _moving(self) -> Type:
        targets = [move.to for move in self.moves]
        for target in targets:
            if target == self.name:
                raise ValueError(f"moves.to = {target!r}: should be another type")
            if targets.count(target) > 1:
                raise ValueError(f"moves.to = {target!r}: used twice")
        total = math.fsum(move.rate for move in self.moves)
        if total > 1 + _CLOSE:
            raise ValueError(f"moves.rate = {total:g} in total: should be at most 1")
        return self

    @property
    def correlations(self) -> Array:
        """Correlation matrix (P, P) of the errors of all parameter means, in the parameters'
        order."""
        places = {name: place for place, name in enumerate(self.parameters)}
        matrix = np.eye(len(places))
        for first, others in self.correlation.items():
            for second, value in others.items():
                row, column = places[first], places[second]
                matrix[row, column] = matrix[column, row] = value
        return matrix


class Described(Section, strict=True):
    """The content of a population file."""

    game: str = parameter(..., "game id")
    sentence: str = parameter(..., "description in one sentence", min_length=1)
    source: str = parameter(..., "publication, or the data to which it was fitted", min_length=1)
    judged: str = parameter("", "how well it predicts people whose data it does not use")
    whole: bool = parameter(False, "amounts are whole numbers")
    types: tuple[Type, ...] = parameter(..., "the types", min_length=1)
    calibration: dict[str, Any] = parameter({}, "record of the fit, from `mixed calibrate`")

    @model_validator(mode="after")
    def _whole(self) -> Described:
        total = math.fsum(kind.share for kind in self.types)
        if abs(total - 1) > _CLOSE:
            raise ValueError(f"types.share = {total:g} in total: should be 1")
        called = [kind.name for kind in self.types]
        for name in called:
            if called.count(name) > 1:
                raise ValueError(f"types.name = {name!r}: used twice")
        for target in (move.to for kind in self.types for move in kind.moves):
            if target not in called:
                raise ValueError(
                    f"types.moves.to = {short(target)}: unknown{nearest(target, called)}"
                )
        return self

    @property
    def rates(self) -> Array:
        """(K, K) probabilities that a person of one type (row) will have another type (column) next
        period."""
        places = {kind.name: place for place, kind in enumerate(self.types)}
        rates = np.zeros((len(places), len(places)))
        for row, kind in enumerate(self.types):
            for move in kind.moves:
                rates[row, places[move.to]] = move.rate
            rates[row, row] = max(1 - math.fsum(move.rate for move in kind.moves), 0.0)
        return rates


def names(game_id: str | None = None) -> list[str]:
    """Return the names of this project's populations, for one game or for all games."""
    stems = sorted(file.stem for file in HERE.glob(f"*{_ENDING}"))
    return [name for name in stems if game_id in (None, read(name)[0].game)]


def read(name: str) -> tuple[Described, str]:
    """Return a population by its name or its file, and the sha256 of the file without `judged`,
    which does not affect play.

    Raises UnknownName, or a ConfigError that names the file, the key, its value and the rule.
    """
    if name.endswith(_ENDING):
        path = Path(name)
    elif name in _stems():
        path = HERE / f"{name}{_ENDING}"
    else:
        raise UnknownName(
            f"population {short(name)}: unknown{nearest(name, _stems())}; a file name must end "
            f"in {_ENDING}"
        )
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None
    try:
        return _parsed(content), hashlib.sha256(_JUDGED.sub(b"", content)).hexdigest()
    except ConfigError as error:
        lines = str(error).splitlines()
        raise ConfigError("\n".join(f"{path}: {line}" for line in lines)) from None


def _stems() -> list[str]:
    return sorted(file.stem for file in HERE.glob(f"*{_ENDING}"))


@lru_cache(maxsize=64)
def _parsed(content: bytes) -> Described:
    try:
        values = toml(content.decode("utf-8"))
    except ValueError as error:
        raise ConfigError(f"not TOML: {error}") from None
    values["types"] = tuple(values["types"]) if isinstance(values.get("types"), list) else ()
    for kind in values["types"]:
        if isinstance(kind, dict) and isinstance(kind.get("moves"), list):
            kind["moves"] = tuple(kind["moves"])
    try:
        return Described.model_validate(values)
    except ValidationError as error:
        raise refusal(error, Described) from None


def text(described: Described) -> str:
    """Return a population as TOML, the inverse of `read`."""
    return "\n".join(_lines(described)) + "\n"


def _lines(described: Described) -> Iterator[str]:
    for key in ("game", "sentence", "source", "judged", "whole"):
        if key != "judged" or described.judged:
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
        for move in kind.moves:
            yield "\n[[types.moves]]"
            values = move.model_dump(exclude_none=True, exclude_defaults=True)
            yield from (f"{key} = {_value(value)}" for key, value in values.items())
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
