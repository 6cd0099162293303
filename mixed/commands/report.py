"""Writes an export as one page to read and print, with its tables and figures.

report.html is one file for any browser; tables/*.csv have all digits; figures/*.svg and *.pdf are
for a paper.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import fields
from pathlib import Path

from mixed.command import Group

GROUP = Group.DATA
EXTRA = "analysis"
EXAMPLES = (
    "mixed report export.zip --output report",
    "mixed report export.zip --measures efficiency,gini --threshold default_share=0.2",
    "mixed report export.zip --treatment open governance=none --treatment pool governance=per_step",
)


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    add = parser.add_argument
    add("export", help="the zip of an export, or the folder it was unpacked into")
    add("--output", type=Path, default=Path("report"), help="the folder to write; report")
    add("--game", help="one game; else all of the export, each in a folder of its own")
    add(
        "--measures",
        default="",
        metavar="NAME,NAME",
        help="measures of groups to compare first, as one family of tests",
    )
    add(
        "--treatment",
        dest="treatments",
        action="append",
        nargs="+",
        default=[],
        metavar=("name", "key=value"),
        help="a name for the groups of a session config, or with these parameters; as often as "
        "there are treatments, in the order in which they are to stand",
    )
    add(
        "--threshold",
        action="append",
        default=[],
        metavar="NAME=NUMBER",
        help=f"from where on data are flagged, as often as needed{_thresholds()}",
    )


def run(chosen: Namespace) -> int:
    """Write the folder; print where the pages are."""
    import files
    from analysis import report
    from analysis.files import opened
    from analysis.reading import load
    from mixed.values import assigned, parts

    limits = report.thresholds(assigned(chosen.threshold))
    names = _treatments(chosen.treatments)
    games = [chosen.game] if chosen.game else list(opened(chosen.export).games)
    output: Path = chosen.output
    with files.prepared(output) as place:
        assert place is not None  # noqa: S101  there is a folder by default
        contents: dict[str, str | bytes] = {}
        for game in games:
            folder = f"{game}/" if len(games) > 1 else ""
            data, name = load(chosen.export, game).named(names), Path(chosen.export).name
            written = report.files(data, limits, parts(chosen.measures), name)
            contents |= {f"{folder}{name}": content for name, content in written.items()}
        files.written(output, place, contents)
    for name in contents:
        if name.endswith(".html"):
            print(output / name)
    return 0


def _treatments(arguments: Sequence[Sequence[str]]) -> dict[str, list[str]]:
    """Name -> what its groups have. Raises ConfigError."""
    from engine.contract.errors import ConfigError

    names: dict[str, list[str]] = {}
    for name, *parts in arguments:
        if name in names:
            raise ConfigError(f"treatment {name!r}: given twice; a name each")
        if not parts:
            raise ConfigError(f"treatment {name!r}: its groups are not told, such as key=value")
        names[name] = parts
    return names


def _thresholds() -> str:
    """The thresholds and their defaults, where the analysis is installed."""
    with suppress(ModuleNotFoundError):
        from analysis.report import Thresholds

        return "; " + ", ".join(f"{field.name}={field.default}" for field in fields(Thresholds))
    return ""
