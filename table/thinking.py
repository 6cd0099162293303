"""How long a bot seems to think before it answers: instant, fixed or lognormal.

    instant
    fixed:seconds=2
    lognormal:median=2;sigma=0.5

Drawn once per seat and period from the play's seed, and logged with the decision.
"""

from __future__ import annotations

import math

from bots.spec import parse
from engine.contract import chance
from engine.contract.errors import ConfigError, nearest

__all__ = ["check", "delay_ms"]

_DEFAULTS: dict[str, dict[str, float]] = {
    "instant": {},
    "fixed": {"seconds": 2.0},
    "lognormal": {"median": 2.0, "sigma": 0.5},
}


def check(text: str) -> str:
    """The delay as written, if it is one. Raises ConfigError."""
    _resolved(text)
    return text


def delay_ms(text: str, seed: int, seat: int, period: int) -> int:
    """Milliseconds that the bot on this seat takes in this period."""
    name, own = _resolved(text)
    if name == "instant":
        return 0
    if name == "fixed":
        return round(1000 * own["seconds"])
    drawn = float(chance.stream(seed, f"thinking of seat {seat}", period).normal())
    return round(1000 * min(own["median"] * math.exp(min(own["sigma"] * drawn, 50.0)), 3600.0))


def _resolved(text: str) -> tuple[str, dict[str, float]]:
    name, own = parse(text)
    if name not in _DEFAULTS:
        raise ConfigError(f"{text!r}: unknown delay{nearest(name, _DEFAULTS)}")
    for key, value in own.items():
        if key not in _DEFAULTS[name]:
            raise ConfigError(f"{text!r}: {key!r} is unknown{nearest(key, _DEFAULTS[name])}")
        if not 0 <= value <= 3600:
            raise ConfigError(f"{text!r}: {key} should be from 0 to 3600")
    return name, {**_DEFAULTS[name], **own}
