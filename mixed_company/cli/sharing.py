"""The arguments of commands that share their work: processes of this machine, or a Dask cluster."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace

__all__ = ["sharing", "workers_of"]


def sharing(parser: ArgumentParser, of: str = "") -> None:
    """Declare them; `of` says in their help which of the command's actions they are of."""
    add = parser.add_argument
    add("--workers", type=int, help=f"{of}processes; as many as cores if no number is given")
    add("--scheduler", help=f"{of}address of a Dask cluster that is to do the work")


def workers_of(chosen: Namespace) -> int:
    """How many processes. Raises ConfigError where there is a scheduler too."""
    from mixed_company.engine.contract.errors import ConfigError

    if chosen.scheduler is not None and chosen.workers is not None:
        raise ConfigError("--workers: are those of the cluster where there is a --scheduler")
    return chosen.workers if chosen.workers is not None else os.cpu_count() or 1
