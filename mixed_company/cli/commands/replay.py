"""Recompute the log of a play, report differences, and show the play on a page.

The exit code is 0 if the log matches, 1 if it differs, 2 if it cannot be replayed.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from mixed_company.cli.command import Group

if TYPE_CHECKING:
    from mixed_company.engine.play import record

GROUP = Group.PLAY
EXTRA = ""
EXAMPLES = (
    "mixed replay play.jsonl --html play.html",
    "mixed play sanctions | mixed replay -",
)
SHOWN = 50


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("log", help="log as JSON lines; - for standard input")
    parser.add_argument(
        "--html", type=Path, metavar="FILE", help="HTML file for a page that shows the play"
    )
    parser.add_argument("--all", action="store_true", help=f"print more than {SHOWN} differences")


def run(chosen: Namespace) -> int:
    """Replay the log, and print the differences and a summary."""
    from mixed_company import files
    from mixed_company.engine.contract.errors import LogError
    from mixed_company.engine.play import record, replay_page

    page: Path | None = chosen.html
    if page is not None and page.exists() and chosen.log != "-" and page.samefile(chosen.log):
        raise LogError(f"{page}: this file is the log; write the page to another file")
    lines = record.from_text(_text(chosen.log))
    differences = record.replay(lines)
    if page is not None:
        files.write_whole(page, replay_page.page(lines, differences))
    shown = differences if chosen.all else differences[:SHOWN]
    for difference in shown:
        print(difference)
    if len(shown) < len(differences):
        print(f"and {len(differences) - len(shown)} more (--all)")
    print(_summary(lines, len(differences)))
    return 1 if differences else 0


def _text(name: str) -> str:
    from mixed_company import files
    from mixed_company.engine.contract.errors import LogError

    try:
        return files.read(name)
    except ValueError as error:
        raise LogError(str(error)) from None


def _summary(lines: list[record.Line], differences: int) -> str:
    periods = sum(line["level"] == "period" for line in lines)
    identity, seed = lines[0]["config"]["identity"], lines[0]["seed"]
    result = f"differences: {differences}" if differences else "replays as it was logged"
    play = f"{identity['game']} ({identity['archetype']}), seed {seed}"
    return f"{play}, periods: {periods}; {result}"
