"""Writes the data of a server into one file, also while it runs.

python -m server.archive --output export.zip
python -m server.archive --output export.zip --session abcd1234 --session efgh5678

The database is the server's: DATABASE_URL, or db.sqlite3 in this folder.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import BinaryIO

from engine.contract.errors import ConfigError
from files.command import guarded, whole

__all__ = ["main"]

DATABASE = Path("db.sqlite3")
SQLITE = b"SQLite format 3\0"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; its exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m server.archive", description=str(__doc__).split("\n")[0]
    )
    parser.add_argument(
        "--output", default="export.zip", help="the file to write; - for standard output"
    )
    parser.add_argument(
        "--session",
        action="append",
        default=[],
        metavar="CODE",
        help="a session, may be repeated; all sessions unless told",
    )
    chosen = parser.parse_args(arguments)
    return guarded(lambda: _run(chosen.output, chosen.session))


def _run(output: str, codes: Sequence[str]) -> int:
    _look_for_database()
    with _target(output) as file, redirect_stdout(sys.stderr):
        from server.archive import writing  # oTree makes a database where it finds none

        with writing.snapshot():
            writing.write(file, codes)
    if output != "-":
        print(output)
    return 0


def _look_for_database() -> None:
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


@contextmanager
def _target(output: str) -> Iterator[BinaryIO]:
    if output == "-":
        yield sys.stdout.buffer
        return
    with whole(Path(output)) as file:
        yield file


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(5)  # people who play come first
    sys.exit(main())
