"""Where the data go: can it be reached, is there room, and does its clock agree with this one?"""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import create_engine, text
from sqlalchemy.engine.url import make_url
from sqlalchemy.exc import SQLAlchemyError

from mixed_company.server.preflight.finding import Finding, go, look, stop

__all__ = ["of_database", "of_room"]

FEW_GIGABYTES = 1.0
"""500 people over 100 periods take a twentieth of it (docs/developers/figures.md, the export)."""

APART_SECONDS = 2.0
EARLIEST = 1_700_000_000.0
"""No clock that is right shows a time before this: November 2023."""


def of_database(url: str | None) -> Iterator[Finding]:
    """`url` is DATABASE_URL; without one the data go into a file of this folder."""
    if not url or url.startswith("sqlite"):
        yield look(
            "The data go into db.sqlite3 of this folder (SQLite): fit for one server and a "
            "laboratory. Copy it with `mixed backup`, never by hand while people play."
        )
        yield of_room(Path.cwd(), time.time())
        return
    try:
        address = make_url(url.replace("postgres://", "postgresql://", 1))
    except (SQLAlchemyError, ValueError):  # their words would show the password
        yield stop("DATABASE_URL is no address of a database.")
        return
    try:
        with create_engine(address).connect() as connection:
            version = connection.execute(text("SHOW server_version")).scalar()
            theirs = connection.execute(text("SELECT extract(epoch from now())")).scalar()
    except (ImportError, SQLAlchemyError) as error:
        yield stop(f"The database cannot be reached: {str(error).splitlines()[0]}")
        return
    yield go(f"The data go to PostgreSQL {version}.")
    yield _clocks(float(theirs or 0.0), time.time())


def of_room(folder: Path, now: float) -> Finding:
    """Is there room on the disk of a folder, and is `now` (seconds since 1970) possible?"""
    free = shutil.disk_usage(folder).free / 1e9
    if now < EARLIEST:
        return stop(f"This machine's clock shows {time.strftime('%Y-%m-%d', time.gmtime(now))}.")
    if free < FEW_GIGABYTES:
        return stop(f"The disk has {free:.1f} GB left: {FEW_GIGABYTES:g} or more are safe.")
    return go(f"The disk has {free:.0f} GB left.")


def _clocks(theirs: float, ours: float) -> Finding:
    apart = abs(theirs - ours)
    if apart > APART_SECONDS:
        return look(
            f"The clocks of this machine and of the database are {apart:.0f} s apart: one of them "
            "is wrong. Plays do not go by them; times of day in the data do."
        )
    return go("The clocks of this machine and of the database agree.")
