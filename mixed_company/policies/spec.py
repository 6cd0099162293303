"""Grammar of specs, which name a policy or a delay: `name:key=number;key=number`.

Two policies for the stages of a period are joined by `+`: `name:key=number+name`.

A population takes no parameters: `population:NAME`. Its file contains its parameters.
"""

from __future__ import annotations

import math
import re
from functools import lru_cache

from mixed_company.engine.contract.errors import ConfigError

POPULATION = "population:"


def policy_specs(text: str) -> list[str]:
    """Parse a comma-separated list of policies."""
    return [spec.strip() for spec in text.split(",") if spec.strip()]


def parse(text: str) -> tuple[str, dict[str, float]]:
    """Return the name and the parameters of a spec.

    >>> parse("fixed:harvest=3")
    ('fixed', {'harvest': 3.0})
    >>> parse("population:mine.toml")
    ('population:mine.toml', {})

    Raises ConfigError if a parameter is not a finite number.
    """
    if text.strip().startswith(POPULATION):
        return text.strip(), {}
    name, _, rest = text.strip().partition(":")
    return name.strip(), dict(_parameter(text, part) for part in rest.split(";") if part.strip())


def parts(text: str) -> list[str]:
    """Split a spec into its policies, one for each stage.

    >>> parts("fixed:harvest=1e+1+antisocial")
    ['fixed:harvest=1e+1', 'antisocial']
    """
    return re.split(r"\+(?=\s*[A-Za-z_])", text)


@lru_cache(maxsize=256)
def part_at(text: str, stage: int) -> str:
    """Return the part of a spec for a stage, or the whole spec if there is no such part.

    >>> part_at("greedy+antisocial", 1)
    'antisocial'
    """
    policies = parts(text)
    return policies[stage] if stage < len(policies) else text


def _parameter(text: str, part: str) -> tuple[str, float]:
    name, _, number = part.partition("=")
    try:
        value = float(number)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ConfigError(f"{text!r}: {part!r} should be name=number")
    return name.strip(), value
