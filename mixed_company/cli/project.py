"""The folder of an oTree project, in which some commands work: that of settings.py."""

from __future__ import annotations

import sys
from pathlib import Path

__all__ = ["check_project", "prefer_project"]

SETTINGS = "settings.py"


def prefer_project() -> None:
    """In a clone of this project, or of a fork, let its modules be imported before all others.

    Otherwise a server would run those of the clone and the command those that were installed.
    """
    here = Path.cwd()
    if (
        (here / SETTINGS).is_file()
        and (here / "mixed_company").is_dir()
        and str(here) not in sys.path
    ):
        sys.path.insert(0, str(here))


def check_project() -> None:
    """Raises ConfigError where this folder is no project that a server can run."""
    if not Path(SETTINGS).is_file():
        from mixed_company.engine.contract.errors import ConfigError

        raise ConfigError(
            f"there is no {SETTINGS} in {Path.cwd()}: go to the folder of the project, "
            "a clone of its repository, and try again"
        )
