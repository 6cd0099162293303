"""Arguments that several commands take."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace, _ActionsContainer
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mixed_company.engine.game import Game

__all__ = [
    "configuration",
    "game_of",
    "look_in_folder",
    "own_folder",
    "say_archetype",
    "simulated",
    "width",
]


def configuration(parser: ArgumentParser) -> None:
    """Declare `--archetype`, `--seed` and the parameters of a game, `chosen.pairs`."""
    parser.add_argument("--archetype", help="the named set of values to start from")
    parser.add_argument("--seed", type=int, default=0, help="seed of every random number")
    parser.add_argument("pairs", nargs="*", metavar="key=value", help="parameters of the game")


def game_of(chosen: Namespace, *more: str, seed: int | None = None) -> Game[Any]:
    """The game that is to be played, as the arguments of `configuration` describe it; says of which
    archetype it is where none is named. `more` are texts like `chosen.pairs`.

    Raises ConfigError or UnknownName.
    """
    from mixed_company import engine
    from mixed_company.cli.values import assigned

    parameters = assigned([*chosen.pairs, *more])
    own = chosen.seed if seed is None else seed
    game = engine.make(chosen.game, archetype=chosen.archetype, seed=own, **parameters)
    say_archetype(chosen.game, chosen.archetype)
    return game


def say_archetype(game_id: str, archetype: str | None, where: str = "") -> None:
    """Where no archetype is named, say what is played; beside what is printed as data."""
    from mixed_company import engine

    if archetype is None:
        names = ", ".join(engine.find(game_id).archetypes)
        what = "the defaults of its parameters (archetype custom)"
        print(f"{where}{game_id} is played with {what}; it has {names}", file=sys.stderr)


def own_folder(parser: ArgumentParser) -> None:
    """Declare `--folder`, with trained policies of one's own."""
    parser.add_argument("--folder", type=Path, help="with trained policies of your own as well")


def look_in_folder(chosen: Namespace) -> None:
    """Find them. Raises ConfigError for a file that is wrong."""
    if chosen.folder:
        from mixed_company import policies

        policies.look_in(chosen.folder)


def simulated(parser: _ActionsContainer, *names: str, where: str = "", without: str = "") -> None:
    """Declare `--simulated`, the policies in people's places; `names` are deprecated ones.

    `where` says of which action it is, `without` who sits there if no policy is named.
    """
    parser.add_argument(
        "--simulated",
        *names,
        default="",
        metavar="POLICY,POLICY",
        help=f"{where}policies in people's places, one per person of a group, by commas; they take "
        f"turns where the size of groups is set{without}",
    )


def width(parser: ArgumentParser, of: str, where: str = "") -> None:
    """Declare `--width-mm` of figures; `where` it is taken, `of` which it is."""
    parser.add_argument(
        "--width-mm",
        type=_millimetres,
        default=88.0,
        metavar="MM",
        help=f"{where}width of {of}, 60 to 400; 88, a column of journals",
    )


def _millimetres(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 60 <= number <= 400:
        raise ArgumentTypeError(f"{text!r}: should be a number from 60 to 400")
    return number
