"""python -m analysis report EXPORT: one page to read and print, with its tables and figures.

Exit code 0: written; 2: the export cannot be read, or the folder not be written.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path

from analysis.files import opened
from analysis.reading import load
from analysis.report import files
from analysis.report.flags import Thresholds, thresholds
from files.command import assigned
from files.folder import prepared, written

__all__ = ["main"]


def main(arguments: Sequence[str]) -> int:
    """Run the command; its exit code. Raises EngineError or OSError."""
    chosen = _parser().parse_args(arguments)
    limits = thresholds(assigned(chosen.threshold))
    main_measures = [name for name in chosen.measures.split(",") if name]
    games = [chosen.game] if chosen.game else list(opened(chosen.export).games)
    with prepared(chosen.output) as place:
        assert place is not None  # noqa: S101  there is a folder by default
        made: dict[str, str | bytes] = {}
        for game in games:
            found = files(
                load(chosen.export, game), limits, main_measures, Path(chosen.export).name
            )
            made |= _below(f"{game}/" if len(games) > 1 else "", found)
        written(chosen.output, place, made)
    for name in made:
        if name.endswith(".html"):
            print(chosen.output / name)
    return 0


def _below(folder: str, found: Mapping[str, str | bytes]) -> dict[str, str | bytes]:
    return {f"{folder}{name}": content for name, content in found.items()}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m analysis report",
        description="Write report.html, tables/*.csv and figures/*.svg and *.pdf.",
    )
    parser.add_argument("export", help="the zip of an export, or the folder it was unpacked into")
    parser.add_argument(
        "--output", type=Path, default=Path("report"), help="the folder to write; report"
    )
    parser.add_argument(
        "--game", help="one game; unless told all of the export, each in a folder of its own"
    )
    parser.add_argument(
        "--measures",
        default="",
        metavar="NAME,NAME",
        help="measures of groups to compare first, as one family of tests",
    )
    known = ", ".join(f"{each.name}={each.default}" for each in fields(Thresholds))
    parser.add_argument(
        "--threshold",
        action="append",
        default=[],
        metavar="NAME=NUMBER",
        help=f"from where on data are flagged, as often as needed; {known}",
    )
    return parser
