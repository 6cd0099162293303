"""Export a server's data to one file, even while people are playing.

It reads the server's database: DATABASE_URL, or db.sqlite3 in this folder.
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from mixed_company.cli.command import Group
from mixed_company.cli.refusal import config_error

if TYPE_CHECKING:
    from mixed_company.table.export import Anonymous

GROUP = Group.DATA
EXTRA = "server"
EXAMPLES = (
    "mixed archive --output export.zip",
    "mixed archive --session abcd1234 --session efgh5678 --output two.zip",
    "mixed archive --anonymous --output open.zip",
)
NICE = 5


def configure(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--output", default="export.zip", help="file to write; - for standard output"
    )
    parser.add_argument(
        "--session",
        action="append",
        default=[],
        metavar="CODE",
        help="session to include; may be repeated; default: all sessions",
    )
    parser.add_argument(
        "--anonymous",
        action="store_true",
        help="without personal data: codes replace participants, labels and link parameters, and "
        "texts that people wrote are left out",
    )
    parser.add_argument(
        "--license",
        default="",
        help="license of the data, such as CC-BY-4.0; default: as in settings.py",
    )
    parser.add_argument(
        "--citation", default="", help="how to cite the data; default: as in settings.py"
    )
    parser.add_argument(
        "--sealing-key",
        action="store_true",
        help="print the key that seals this server's exports, and write nothing; give it to anyone "
        "who will check them (mixed check --key)",
    )
    parser.add_argument(
        "--texts", action="store_true", help="with --anonymous: keep what people wrote"
    )


def run(chosen: Namespace) -> int:
    """Write the file and print its name."""
    from mixed_company.cli.project import check_project
    from mixed_company.server.archive import check_database

    if chosen.texts and not chosen.anonymous:
        raise config_error(
            "--texts: useful only with --anonymous; other exports include texts anyway"
        )
    check_database()
    check_project()
    if chosen.sealing_key:
        return _print_key()
    if hasattr(os, "nice"):
        os.nice(NICE)  # running sessions have priority
    with _target(chosen.output) as file, redirect_stdout(sys.stderr):
        from mixed_company.server.archive import (
            writing,  # importing oTree creates a missing database
        )

        with writing.snapshot():
            terms = {"license": chosen.license, "citation": chosen.citation}
            writing.write(file, chosen.session, _anonymous(chosen), terms)
    if chosen.output != "-":
        print(chosen.output)
    return 0


def _print_key() -> int:
    """Print the sealing key. Raises ConfigError if the server uses the published secret key."""
    from mixed_company.server.archive.codes import sealing_key

    key = sealing_key()
    if not key:
        raise config_error("OTREE_SECRET_KEY: not set, so exports are sealed without a key")
    print(key.hex())
    return 0


def _anonymous(chosen: Namespace) -> Anonymous | None:
    """Return the codes that replace participants in an anonymous export; None to keep all data."""
    if not chosen.anonymous:
        return None
    from mixed_company.server.archive import codes

    way = codes.of_server(chosen.texts)
    if not way.lasting:
        print(codes.OF_ONE_FILE, file=sys.stderr)
    return way


@contextmanager
def _target(output: str) -> Iterator[BinaryIO]:
    from mixed_company import files

    if output == "-":
        yield sys.stdout.buffer
        return
    with files.whole(Path(output)) as file:
        yield file
