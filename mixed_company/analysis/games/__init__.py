"""Game-specific parts of the analysis: one file or folder per game, named after the game's id.

`ANALYSIS` in this file declares what pages and reports need to know about the game. Every entry is
optional. A game without such a file uses the defaults. It still has a report, policy tables and a
tournament. The file, or the modules of the folder, can also define measures that apply only to this
game (see `analysis.measures.declaring`).

    games.find("sanctions").main                      measures that a report compares first
    games.having(lambda analysis: analysis.sample)    games that have a sample
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

from mixed_company import engine
from mixed_company.engine.contract.peer_core import PeerCore
from mixed_company.engine.contract.space import Array, Arrays
from mixed_company.engine.game import Game
from mixed_company.engine.play.episode import Episode

__all__ = [
    "POINTS",
    "Contribution",
    "Cooperation",
    "Future",
    "GameAnalysis",
    "Pattern",
    "PolicyTable",
    "Quantity",
    "Reach",
    "Sample",
    "Trial",
    "find",
    "having",
    "modules",
]


@dataclass(frozen=True)
class Quantity:
    """A column that is drawn on a group's page: a column of `decisions`, by seat, or of `periods`,
    for the whole group.

    so_far   whether to draw the cumulative sum
    """

    table: str
    column: str
    title: str
    so_far: bool = False


POINTS = Quantity("decisions", "reward", "points so far", so_far=True)


@dataclass(frozen=True)
class Cooperation:
    """The cooperation of a decision, computed by `Game.cooperation` from one column.

    column   column of `decisions`: `used_<action>` or `after_<state>`
    answers  whether a decision can respond to what the others did in the last period; if so, slopes
             are computed
    """

    column: str
    answers: bool = True

    def of(self, game: Game[Any], values: Array) -> Array:
        """Return how cooperative decisions with these values are, from 0 to 1, shape (periods,
        n)."""
        part, _, name = self.column.partition("_")
        parts = {"used": {}, "after": {}, part: {name: values}}
        return game.cooperation({}, parts["used"], parts["after"])


@dataclass(frozen=True)
class Contribution:
    """The contribution to a pool or a public good.

    column  column of `decisions`, in points
    among   function that returns whether a game's rules have a pool
    nobody  function that returns a game's efficiency if nobody contributes; None: it depends on the
            play
    """

    column: str
    among: Callable[[Game[Any]], bool] = lambda game: True
    nobody: Callable[[Game[Any]], float] | None = None


@dataclass(frozen=True)
class Future:
    """The points a group can still earn after a decision, for models of people who look ahead.

    field    action field that these points depend on
    refuses  function that returns why they are unknown for a configuration; empty: they are known
    worth    function: (game, states after a period, batch B) -> (B,) points of one seat
    """

    field: str
    refuses: Callable[[Game[Any]], str]
    worth: Callable[[Game[Any], Arrays], Array]


@dataclass(frozen=True)
class Reach:
    """The points within reach after a step, for models of people on a map.

    field    action field of steps
    votes    function: (game) -> (A,) flags of the actions that are votes
    refuses  function that returns why they are unknown for a configuration; empty: they are known
    worth    function: (game, states before a period of batch B, seats (B,)) -> (B, A) points per
             step
    """

    field: str
    votes: Callable[[Game[Any]], Array]
    refuses: Callable[[Game[Any]], str]
    worth: Callable[[Game[Any], Arrays, Array], Array]


@dataclass(frozen=True)
class Pattern:
    """A pattern from the literature, and an experiment that reproduces it.

    says        the pattern in words
    people      policies that play in place of people, one per seat
    treatments  changes to the archetype, by name of the treatment
    expected    order of treatments for each measure, from the lowest to the highest mean
    course      measure, drawn by period, that shows the pattern best
    """

    title: str
    says: str
    source: str
    people: tuple[str, ...]
    treatments: Mapping[str, Mapping[str, Any]]
    expected: Mapping[str, tuple[str, ...]]
    course: str
    archetype: str = "lab"


@dataclass(frozen=True)
class Sample:
    """A sample export: several rehearsed sessions of the project's plan with this name.

    groups  number of groups per treatment and session
    speed   thinking time of bots and of policies that play in place of people
    """

    plan: str
    groups: int = 4
    speed: str = "lognormal:median=1.5;sigma=0.5"


@dataclass(frozen=True)
class Trial:
    """Parameters of a behaviour model, and the game in which to recover them."""

    model: str
    truth: Mapping[str, float]
    settings: Mapping[str, Any]


@dataclass(frozen=True)
class PolicyTable:
    """An additional column in a game's policy table, with one number per episode.

    heading, meaning   a short and a full description of the column
    """

    archetypes: tuple[str, ...] = ("lab",)
    heading: str = "periods"
    meaning: str = "the number of periods played"
    number: Callable[[Episode], float] = lambda play: float(play.period)


@dataclass(frozen=True)
class GameAnalysis:
    """Everything that a game declares for the analysis.

    main           group measures that a report compares first, as one family of tests
    series         period measures to be drawn by period
    lasting        two group measures: how many periods something lasted, and whether it ended
                   (1) or is censored (0); None: nothing in the game has a duration
    quantities     quantities on a group's page; empty: all actions, and points
    cooperation    how to measure it; None: no decision is more cooperative than any other
    contribution   contributions to a pool or a public good; None: the game has none
    peer_points    whether players can assign points to each other in some configuration (`find`)
    future         points that can still be earned; None: no models of people who look ahead
    reach          points within reach after a step; None: the game has no map
    no_model       reason why no model of behaviour is fitted; empty: models are fitted
    trials         settings for recovering the models' parameters
    policies       extra column in the game's policy table
    plays          episodes per mix in the tournament, chosen so that two cores take a minute or two
    pattern        well-known finding that policies reproduce; None: the game has none
    sample         sample export; None: the game has none
    """

    main: tuple[str, ...] = ("mean_points", "gini")
    series: tuple[str, ...] = ("points_per_period",)
    lasting: tuple[str, str] | None = None
    quantities: tuple[Quantity, ...] = ()
    cooperation: Cooperation | None = None
    contribution: Contribution | None = None
    peer_points: bool = False
    future: Future | None = None
    reach: Reach | None = None
    no_model: str = ""
    trials: tuple[Trial, ...] = ()
    policies: PolicyTable = PolicyTable()
    plays: int = 120
    pattern: Pattern | None = None
    sample: Sample | None = None


def find(game_id: str) -> GameAnalysis:
    """Return the analysis of a game by its id, or the defaults for a game without a file."""
    name = f"{__name__}.{game_id}"
    declared = import_module(name).ANALYSIS if find_spec(name) else GameAnalysis()
    if game_id not in engine.game_ids():
        return declared
    return replace(declared, peer_points=issubclass(engine.find(game_id).Core, PeerCore))


def having(part: Callable[[GameAnalysis], Any]) -> tuple[str, ...]:
    """Return the ids of all games that declare this `part` of the analysis, in order."""
    return tuple(game_id for game_id in engine.game_ids() if part(find(game_id)))


def modules() -> Iterator[tuple[str, ModuleType]]:
    """Yield pairs of game id and module: for each game its file, then the modules of its folder."""
    for game_id in engine.game_ids():
        name = f"{__name__}.{game_id}"
        if find_spec(name) is not None:
            package = import_module(name)
            yield game_id, package
            for module in iter_modules(getattr(package, "__path__", ())):
                yield game_id, import_module(f"{name}.{module.name}")
