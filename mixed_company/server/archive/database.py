"""Is there a database to read? oTree makes one where it finds none: look before importing it."""

from __future__ import annotations

import os
from pathlib import Path

from mixed_company.engine.contract.errors import ConfigError

__all__ = ["check_database"]

DATABASE = Path("db.sqlite3")
SQLITE = b"SQLite format 3\0"


def check_database() -> None:
    """Raises ConfigError where DATABASE_URL names none and this folder has none."""
    if not os.environ.get("DATABASE_URL", "sqlite").startswith("sqlite"):
        return
    start = b""
    if DATABASE.is_file():
        with DATABASE.open("rb") as file:
            start = file.read(len(SQLITE))
    if not start:
        raise ConfigError(
            f"there is no database here: DATABASE_URL names none, and there is no {DATABASE} in "
            f"{Path.cwd()}"
        )
    if start != SQLITE:
        raise ConfigError(f"{DATABASE}: is no SQLite database")
