"""Write a report on an export, to read and print, with tables and figures.

report.html is one file for any browser; tables/*.csv have full precision; figures/*.svg and *.pdf
are for a paper.

The exit code is 1 if the files of an export have faults, which are printed first.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING

from mixed_company.cli.arguments import (
    assigned,
    exit_code,
    key_of,
    parts,
    report_folder,
    report_form,
    say_faults,
    sealing_key,
    seed_of_labels,
)
from mixed_company.cli.command import Group
from mixed_company.cli.refusal import config_error

if TYPE_CHECKING:
    from mixed_company.analysis.audit.wording import Original
    from mixed_company.analysis.data import Data

GROUP = Group.DATA
EXTRA = "analysis"
EXAMPLES = (
    "mixed report export.zip --output report",
    "mixed report export.zip --measures efficiency,gini --threshold default_share=0.2",
    "mixed report monday.zip tuesday.zip --width-mm 180 --exclude excluded.csv",
    "mixed report export.zip --treatment open governance=none --treatment pool governance=per_step",
    "mixed report export.zip --blind",
    "mixed report export.zip --key key.txt",
)


def configure(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "exports",
        nargs="+",
        metavar="export",
        help="the zip of an export, or its unpacked folder; several exports share one report",
    )
    add(
        "--output",
        type=Path,
        help="folder to write; default: report or blind_report, so no folder contains both",
    )
    add("--game", help="one game; default: all games in the export, each in a separate folder")
    add(
        "--measures",
        default="",
        metavar="NAME,NAME",
        help="group measures to compare first, as one family of tests",
    )
    add(
        "--treatment",
        dest="treatments",
        action="append",
        nargs="+",
        default=[],
        metavar=("name", "key=value"),
        help="name for the groups that have this session config or these parameters; "
        "repeat for each treatment, in the order in which to show them",
    )
    add(
        "--threshold",
        action="append",
        default=[],
        metavar="NAME=NUMBER",
        help=f"threshold for flagging data; may be repeated{_thresholds()}",
    )
    report_form(parser, ": all tests both ways")
    sealing_key(parser)
    add("--seed", type=int, help="--blind: seed of the labels, random by default")


def run(chosen: Namespace) -> int:
    """Write the folder, and print the file names of its pages. Return 1 if a file has faults."""
    from mixed_company import files
    from mixed_company.analysis import report
    from mixed_company.analysis.report import blind, excluded

    seed = _seed(chosen)
    limits = report.thresholds(assigned(chosen.threshold))
    rows = excluded.read(chosen.exclude) if chosen.exclude else ()
    names = _treatments(chosen.treatments)
    file = ", ".join(Path(export).name for export in chosen.exports)
    output = report_folder(chosen.output, seed)
    loaded, originals = _loaded(chosen.exports, chosen.game, key_of(chosen))
    with files.prepared(output) as place:
        assert place is not None  # noqa: S101  there is a folder by default
        contents: dict[str, str | bytes] = {}
        for game, data in loaded.items():
            folder = f"{game}/" if len(loaded) > 1 else ""
            written = report.files(
                data.named(names),
                limits,
                parts(chosen.measures),
                file,
                width=chosen.width_mm,
                excluded=rows,
                seed_of_labels=seed,
                contest=chosen.contest,
                group_figures=chosen.group_figures,
                progress=True,
                sources=[source for original in originals for source in original.sources],
            )
            contents |= {f"{folder}{name}": content for name, content in written.items()}
        if seed is not None:
            contents["blind.json"] = blind.manifest(file, seed)
        files.written(output, place, contents)
    for name in contents:
        if name.endswith("report.html"):
            print(output / name)
    return exit_code(*originals)


def _seed(chosen: Namespace) -> int | None:
    """Return the seed of the labels, or None if the report is not blind. Raises ConfigError."""
    if chosen.seed is not None and not chosen.blind:
        raise config_error(
            f"seed = {chosen.seed}: a seed sets the labels of a blind report; add --blind"
        )
    return seed_of_labels(chosen.seed) if chosen.blind else None


def _loaded(
    exports: Sequence[str], game: str | None, key: bytes
) -> tuple[dict[str, Data], list[Original]]:
    """Load the data of all exports, by game; `game` selects one game. Print the faults of
    each export, and return them too. Raises ConfigError."""
    from mixed_company.analysis import joined
    from mixed_company.analysis.files import opened
    from mixed_company.analysis.reading import load

    parts: dict[str, list[Data]] = {}
    originals: list[Original] = []
    present = {code for export in exports for code in opened(export).manifest.get("sessions") or ()}
    for export in exports:
        data = {name: load(export, name) for name in ([game] if game else opened(export).games)}
        originals.append(say_faults(export, data.values(), key, present))
        for name, of_game in data.items():
            parts.setdefault(name, []).append(of_game)
    games = {name: data[0] if len(data) == 1 else joined(*data) for name, data in parts.items()}
    return games, originals


def _treatments(arguments: Sequence[Sequence[str]]) -> dict[str, list[str]]:
    """Return the properties of each treatment's groups, by treatment. Raises
    ConfigError."""
    names: dict[str, list[str]] = {}
    for name, *described in arguments:
        if name in names:
            raise config_error(f"treatment {name!r}: named twice; use different names")
        if not described:
            raise config_error(
                f"treatment {name!r}: say which groups belong to it, for example key=value"
            )
        names[name] = described
    return names


def _thresholds() -> str:
    """Return the thresholds and their defaults, if the analysis libraries are installed."""
    with suppress(ModuleNotFoundError):
        from mixed_company.analysis.report import Thresholds

        return "; " + ", ".join(f"{field.name}={field.default}" for field in fields(Thresholds))
    return ""
