"""What is a game's own in the analysis: one file or folder per game, named like it.

It is found by the game's id. Its `ANALYSIS` says what pages and reports need to know of the game;
every entry may be left out, and a game without a file has none but the defaults: it gets a report,
its tables of policies and its tournament all the same. Modules of a folder (or the file itself)
may also hold measures that are of this game alone, see `analysis.measures.declaring`.

    games.find("sanctions").main            measures that a report compares first
    games.having(lambda own: own.sample)    the games that have a sample
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from types import ModuleType
from typing import Any, Literal

from mixed_company import engine
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
    "Stakes",
    "Trial",
    "find",
    "having",
    "modules",
]


@dataclass(frozen=True)
class Quantity:
    """A column that the page of a group draws: of `decisions` by seat, of `periods` for the group.

    so_far   its sum up to each period
    """

    table: str
    column: str
    title: str
    so_far: bool = False


POINTS = Quantity("decisions", "reward", "points so far", so_far=True)


@dataclass(frozen=True)
class Cooperation:
    """How cooperative a decision is.

    column   of `decisions`, what it is read from
    of       (game, (periods, n) of the column) -> (periods, n), 0 to 1
    answers  may a decision answer to what the others did the period before? Slopes on it are
             computed then
    """

    column: str
    of: Callable[[Game[Any], Array], Array]
    answers: bool = True


@dataclass(frozen=True)
class Contribution:
    """What is given to a pool or a public good.

    column  of `decisions`, in points
    among   is there something to give to, under the rules of this game?
    """

    column: str
    among: Callable[[Game[Any]], bool] = lambda game: True


@dataclass(frozen=True)
class Future:
    """What the group can still earn after a decision, for models of people who look ahead.

    field    the action it depends on
    refuses  why it is not known for a game under this configuration; empty: it is
    worth    (game, states after a period, batch B) -> (B,) points of one seat
    """

    field: str
    refuses: Callable[[Game[Any]], str]
    worth: Callable[[Game[Any], Arrays], Array]


@dataclass(frozen=True)
class Reach:
    """What is within reach of a step, for models of people on a map.

    field    the action it is about
    votes    (game) -> (A,) flags: the actions that are votes
    refuses  why it is not known for a game under this configuration; empty: it is
    worth    (game, states before a period of batch B, seats (B,)) -> (B, A) points per step
    """

    field: str
    votes: Callable[[Game[Any]], Array]
    refuses: Callable[[Game[Any]], str]
    worth: Callable[[Game[Any], Arrays, Array], Array]


@dataclass(frozen=True)
class Pattern:
    """A pattern of the literature, and how it is looked for.

    says        what should be seen
    people      policies in people's places, one per seat
    treatments  name -> what is changed in the archetype
    expected    measure -> the treatments in order, from the lowest to the highest mean
    course      the measure of periods that shows it best, drawn over the periods
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
    """A sample export: a session config, who sits in it, and what one treatment changes in it.

    people, bots   policies by commas
    both           what both treatments change
    speed          how long policies in people's places take to decide
    """

    config: str
    people: str
    bots: str
    changes: Mapping[str, Any]
    both: Mapping[str, Any] = field(default_factory=dict)
    speed: str = "lognormal:median=1.5;sigma=0.5"


@dataclass(frozen=True)
class Trial:
    """Parameters of a model of behaviour, and the play they are to be recovered from."""

    model: str
    truth: Mapping[str, float]
    settings: Mapping[str, Any]


@dataclass(frozen=True)
class PolicyTable:
    """What the table of a game's policies shows besides points: one more number of a whole play.

    heading, meaning   of its column, short and in full
    """

    archetypes: tuple[str, ...] = ("lab",)
    heading: str = "periods"
    meaning: str = "periods played"
    number: Callable[[Episode], float] = lambda play: float(play.period)


@dataclass(frozen=True)
class Stakes:
    """What a session should promise those who play it; docs/stakes.md says whether it does.

    common       the policy that is best for the group, or that all are expected to follow;
                 empty: none is known
    otherwise    what doing otherwise does: it `pays` who does it and costs all who do (a dilemma),
                 or it `costs` who does it; `crowds`: that, and it costs all who do
    tempting     the policy that does otherwise; empty: the best reply that a search finds
    most_random  the largest share of the best policy's points that one may earn by chance
    """

    common: str = ""
    otherwise: Literal["pays", "costs", "crowds"] = "pays"
    tempting: str = ""
    most_random: float = 0.6


@dataclass(frozen=True)
class GameAnalysis:
    """What the analysis knows of a game.

    main           measures of groups that a report compares first, as one family of tests
    series         measures of periods that are drawn over the periods
    lasting        measures of groups: how many periods something lasted, and whether it ended then
                   (1) or was last seen (0); None: nothing is to last
    quantities     what the page of a group draws; empty: what was done in every action, and points
    cooperation    None: no decision is more cooperative than another
    contribution   None: nothing is given
    future         None: models of people who look ahead are not of this game
    reach          None: nobody walks in it
    no_model       why no model of behaviour is fitted to it; empty: some are
    trials         of models of behaviour
    policies       the table of its policies
    plays          of each mix in the tournament: what two cores play in a minute or two
    pattern        None: there is none
    sample         None: there is none
    stakes         by session config; empty: the defaults for the first on oTree's list
    """

    main: tuple[str, ...] = ("mean_points", "gini")
    series: tuple[str, ...] = ("points_per_period",)
    lasting: tuple[str, str] | None = None
    quantities: tuple[Quantity, ...] = ()
    cooperation: Cooperation | None = None
    contribution: Contribution | None = None
    future: Future | None = None
    reach: Reach | None = None
    no_model: str = ""
    trials: tuple[Trial, ...] = ()
    policies: PolicyTable = PolicyTable()
    plays: int = 120
    pattern: Pattern | None = None
    sample: Sample | None = None
    stakes: Mapping[str, Stakes] = field(default_factory=dict)


def find(game_id: str) -> GameAnalysis:
    """What is known of a game, by its id; the defaults for a game without a file."""
    name = f"{__name__}.{game_id}"
    if find_spec(name) is None:
        return GameAnalysis()
    analysis: GameAnalysis = import_module(name).ANALYSIS
    return analysis


def having(part: Callable[[GameAnalysis], Any]) -> tuple[str, ...]:
    """The ids of the games of which this is known, in order."""
    return tuple(game_id for game_id in engine.game_ids() if part(find(game_id)))


def modules() -> Iterator[tuple[str, ModuleType]]:
    """The id of a game and a module of it, game by game: the file itself, then those beside it."""
    for game_id in engine.game_ids():
        name = f"{__name__}.{game_id}"
        if find_spec(name) is not None:
            package = import_module(name)
            yield game_id, package
            for module in iter_modules(getattr(package, "__path__", ())):
                yield game_id, import_module(f"{name}.{module.name}")
