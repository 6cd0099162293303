"""Arguments that several commands share, and functions that parse their values."""

from __future__ import annotations

import csv
import json
import os
import secrets
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace, _ActionsContainer
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mixed_company.cli.refusal import config_error

if TYPE_CHECKING:
    from mixed_company.analysis.audit.wording import Original
    from mixed_company.analysis.data import Data
    from mixed_company.engine.game import Game

_SECTIONS = ("core", "layers", "agents", "instrumentation")
_OPTIONS = ("game", "archetype", "seed")


# -- games and policies -----------------------------------------------------------------------


def games(parser: ArgumentParser) -> None:
    """Declare the `games` argument, which takes any number of game ids."""
    parser.add_argument("games", nargs="*", metavar="game", help="all games if none are named")


def configuration(parser: ArgumentParser) -> None:
    """Declare `--archetype`, `--seed`, and the parameters of a game, which are parsed into
    `chosen.pairs`."""
    parser.add_argument("--archetype", help="named set of values to start from")
    parser.add_argument("--seed", type=int, default=0, help="seed for all random numbers")
    parser.add_argument("pairs", nargs="*", metavar="key=value", help="parameters of the game")


def game_of(chosen: Namespace, *more: str, seed: int | None = None) -> Game[Any]:
    """Make the game that the arguments of `configuration` describe. If no archetype is named,
    report which one is used. `more` are further `key=value` strings.

    Raises ConfigError or UnknownName.
    """
    from mixed_company import engine

    parameters = assigned([*chosen.pairs, *more])
    game_seed = chosen.seed if seed is None else seed
    game = engine.make(chosen.game, archetype=chosen.archetype, seed=game_seed, **parameters)
    say_archetype(chosen.game, chosen.archetype)
    return game


def say_archetype(game_id: str, archetype: str | None, where: str = "") -> None:
    """Report on standard error which archetype a game uses if none was named."""
    from mixed_company import engine

    if archetype is None:
        names = ", ".join(engine.find(game_id).archetypes)
        defaults = "the defaults of its parameters (archetype custom)"
        print(
            f"{where}{game_id} is played with {defaults}; its archetypes: {names}", file=sys.stderr
        )


def own_folder(parser: ArgumentParser) -> None:
    """Declare `--folder`, the folder of the user's own trained policies."""
    parser.add_argument(
        "--folder", type=Path, help="folder that contains your own trained policies"
    )


def look_in_folder(chosen: Namespace) -> None:
    """Make the policies in `--folder` available by name. Raises ConfigError for an invalid file."""
    if chosen.folder:
        from mixed_company import policies

        policies.look_in(chosen.folder)


def simulated(parser: _ActionsContainer, *names: str, where: str = "", without: str = "") -> None:
    """Declare `--simulated`, the policies that take people's places.

    `names` are deprecated names of the option. The help text begins with `where`, the action that
    takes the option, and ends with `without`, the default policies.
    """
    parser.add_argument(
        "--simulated",
        *names,
        default="",
        metavar="POLICY,POLICY",
        help=f"{where}policies in place of people, separated by commas: for each person in each "
        f"group, one of them is drawn with equal probability{without}",
    )


# -- exports and reports ----------------------------------------------------------------------


def export(parser: ArgumentParser, game: str = "one game, if the export has several") -> None:
    """Declare the `export` argument, and `--game` with the help text `game`."""
    parser.add_argument("export", help="the zip of an export, or its unpacked folder")
    parser.add_argument("--game", help=game)


def sealing_key(parser: ArgumentParser, where: str = "") -> None:
    """Declare `--key`, the file with the key that sealed an export. The help text begins with
    `where`, the action that takes the option."""
    parser.add_argument(
        "--key",
        type=Path,
        help=f"{where}file with the sealing key of the server that made it (mixed archive "
        "--sealing-key)",
    )


def key_of(chosen: Namespace) -> bytes:
    """Return the key from the `--key` file; empty if the option is not set. Raises ConfigError."""
    if chosen.key is None:
        return b""
    try:
        key = bytes.fromhex(chosen.key.read_text(encoding="utf-8").strip())
    except (OSError, ValueError) as error:
        raise config_error(f"--key: {chosen.key}: {error}") from None
    if not key:
        raise config_error(
            f"--key: {chosen.key}: the file is empty, but should contain a sealing key"
        )
    return key


def loaded(chosen: Namespace) -> tuple[Data, int]:
    """Load the data that the arguments of `export` name. Print any faults in the export's files and
    seals, and a note if the data come from a rehearsal. Also return the exit code (`exit_code`).
    Raises ExportError or UnknownName."""
    from mixed_company.analysis.notes import REHEARSED
    from mixed_company.analysis.reading import load

    data = load(chosen.export, chosen.game)
    code = exit_code(say_faults(chosen.export, [data]))
    if data.rehearsed:
        print(REHEARSED)
    return data, code


def exit_code(*originals: Original, unplanned: int = 0) -> int:
    """Return the exit code of a command that printed the faults of these exports, and `unplanned`
    differences from their plans: 1 if there are any, otherwise 0, as for `mixed check`."""
    return 1 if unplanned or any(original.count for original in originals) else 0


def say_faults(
    path: str | Path, games: Iterable[Data], key: bytes = b"", present: Collection[str] = ()
) -> Original:
    """Print the faults in an export's files and seals before any results from its data, and return
    them. The seals are checked with `key`.

    `present` lists sessions from other files in the same analysis, which are therefore not missing.
    """
    from mixed_company.analysis.audit.wording import of_files

    original = of_files(path, games, key)
    absent = tuple(session for session in original.absent if session not in present)
    for line in replace(original, absent=absent).words:
        print(line)
    return original


def say_unplanned(
    path: str | Path,
    folder: Path,
    name: str = "",
    say: Callable[[str], object] = print,
    required: bool = False,
) -> int:
    """Report how an export's sessions differ from their plans, line by line. Return the number
    of differences that are faults. The other arguments and the errors are those of
    `not_as_planned`."""
    from mixed_company.analysis.audit.promised import not_as_planned
    from mixed_company.analysis.audit.wording import is_fault, noted

    problems = not_as_planned(path, folder, name, required)
    for line in noted(problems):
        say(line)
    return sum(map(is_fault, problems))


def table_text(table: Any, digits: int = 3) -> str:
    """Return a table as text without its index; missing values are left blank."""
    formatted: str = table.to_string(
        index=False, float_format=lambda value: f"{value:.{digits}f}", na_rep=""
    )
    return formatted


def width(parser: ArgumentParser, of: str, where: str = "") -> None:
    """Declare `--width-mm`, the width of figures. The help text begins with the action that takes
    the option (`where`), and names the figures (`of`)."""
    parser.add_argument(
        "--width-mm",
        type=_millimetres,
        default=88.0,
        metavar="MM",
        help=f"{where}width of {of}, 60 to 400; 88 is a journal column",
    )


def _millimetres(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 60 <= number <= 400:
        raise ArgumentTypeError(f"{text!r}: should be a number from 60 to 400")
    return number


def report_form(parser: ArgumentParser, excluded: str, where: str = "") -> None:
    """Declare `--exclude`, `--blind`, `--contest`, `--group-figures` and `--width-mm` of a report.

    `excluded` is added to the help of `--exclude`. All help texts begin with `where`, the action
    that takes the options.
    """
    add = parser.add_argument
    add(
        "--exclude",
        type=Path,
        metavar="FILE",
        help=f"{where}CSV or TOML file of groups to leave out: who, why and when{excluded}",
    )
    add(
        "--blind",
        action="store_true",
        help=f"{where}permute treatment labels among groups, so you can write the analysis "
        "before you know the result",
    )
    add(
        "--contest",
        action="store_true",
        help=f"{where}compare models of behaviour even if people made more than 5,000 decisions; "
        "this takes seconds to minutes",
    )
    add(
        "--group-figures",
        action="store_true",
        help=f"{where}also draw a figure for each group, which takes longer than everything else",
    )
    width(parser, "figures, except for individual groups", where)


def report_folder(output: Path | None, seed: int | None) -> Path:
    """Return the folder for a report. Blind reports have a different default folder, so no folder
    contains both kinds."""
    return output or Path("report" if seed is None else "blind_report")


def seed_of_labels(seed: int | None) -> int:
    """Return the seed that permutes the labels of a blind report; if it is None, draw one.
    Raises ConfigError."""
    if seed is None:
        return secrets.randbelow(2**53)
    if seed < 0:
        raise config_error(f"seed = {seed}: should be 0 or more")
    return seed


# -- shared work ------------------------------------------------------------------------------


def sharing(parser: ArgumentParser, of: str = "") -> None:
    """Declare `--workers` and `--scheduler`. Their help texts begin with `of`, the work to be
    shared."""
    add = parser.add_argument
    add("--workers", type=int, help=f"{of}number of processes; default: one per core")
    add("--scheduler", help=f"{of}address of a Dask cluster to do the work; it may be adaptive")


def workers_of(chosen: Namespace) -> int:
    """Return the number of processes. Raises ConfigError if a scheduler is set together with
    workers, or with a folder, which the cluster could not read.
    """
    if chosen.scheduler is not None and chosen.workers is not None:
        raise config_error(
            "--workers: cannot be set with --scheduler, because the cluster has its own workers"
        )
    if chosen.scheduler is not None and getattr(chosen, "folder", None):
        raise config_error(
            "--folder: the folder is on this machine, but a cluster can read only bots/trained"
        )
    return chosen.workers if chosen.workers is not None else os.cpu_count() or 1


def work_of(chosen: Namespace) -> dict[str, Any]:
    """Return `workers` and `scheduler` as keyword arguments for functions that share work.

    Raises ConfigError as `workers_of` does.
    """
    return {"workers": workers_of(chosen), "scheduler": chosen.scheduler}


# -- values -----------------------------------------------------------------------------------


def assigned(pairs: Iterable[str]) -> dict[str, Any]:
    """Return keyword arguments for `engine.make` from `key=value` strings. A value that is not JSON
    is a string.

        >>> assigned(["capacity=50", "layers.power.intensity=0.5"])
        {'capacity': 50, 'layers': {'power': {'intensity': 0.5}}}

    Raises ConfigError or UnknownName.
    """
    keywords: dict[str, Any] = {}
    for pair in pairs:
        key, equals, text = pair.partition("=")
        path = key.split(".")
        if not equals or not all(path):
            raise config_error(f"{pair!r}: should be key=value")
        if len(path) > 1 and path[0] not in _SECTIONS:
            from mixed_company.engine.contract.errors import UnknownName, nearest

            raise UnknownName(f"{key}: unknown section {path[0]!r}{nearest(path[0], _SECTIONS)}")
        if path[0] == "core":
            path = path[1:]
            if len(path) != 1:
                raise config_error(f"{key}: set a whole parameter: core.{path[0]}=JSON")
        if path[0] in _OPTIONS:
            raise config_error(f"{key}: not a parameter; use --archetype or --seed")
        _place(keywords, path, json_or_text(text), key)
    return keywords


def _place(keywords: dict[str, Any], path: list[str], value: Any, key: str) -> None:
    for part in path[:-1]:
        keywords = keywords.setdefault(part, {})
        if not isinstance(keywords, dict):
            raise config_error(f"{key}: {part} is already set as a whole")
    keywords[path[-1]] = value


def json_or_text(text: str) -> Any:
    """Parse a string as JSON; return it unchanged if it is not JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def parts(text: str) -> tuple[str, ...]:
    """Split a string at commas, strip whitespace from the parts, and drop empty parts. A part that
    contains commas must be in double quotes, as in CSV.

        >>> parts('"lab, quota=2", lab')
        ('lab, quota=2', 'lab')
    """
    row = next(csv.reader([text], skipinitialspace=True), [])
    return tuple(part.strip() for part in row if part.strip())


def whole_numbers(key: str, text: str) -> tuple[int, ...]:
    """Parse comma-separated whole numbers. Raises a ConfigError that names the key."""
    if not all(part.isdigit() for part in parts(text)):
        raise config_error(
            f"{key} = {text!r}: should be whole numbers separated by commas, such as 4,8,12"
        )
    return tuple(map(int, parts(text)))
