"""The seed of the labels of a blind report, for all commands that write one."""

from __future__ import annotations

import secrets

__all__ = ["seed_of_labels"]


def seed_of_labels(seed: int | None) -> int:
    """The one that is given; None: a drawn one. Raises ConfigError."""
    from mixed_company.engine.contract.errors import ConfigError

    if seed is None:
        return secrets.randbelow(2**53)
    if seed < 0:
        raise ConfigError(f"seed = {seed}: from 0")
    return seed
