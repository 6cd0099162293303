"""Train a classifier to tell unmarked bots from people by the messages that a page receives."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from typing import Any

from mixed_company import engine
from tests.drills.company import Glimpse, glimpses
from tests.drills.drill import Report
from tests.drills.kinds import PACES
from tests.drills.telling import auc, band, by_kind, gathered

__all__ = ["configure", "on", "run"]

DRAWS = 200
MEDIAN = 10.0


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments of the drill."""
    parser.add_argument("--plays", type=int, default=70, help="plays per game and kind of people")
    parser.add_argument("--delay", default="people", help="`bot_delay` of the sessions")
    parser.add_argument(
        "--median", type=float, default=MEDIAN, help="seconds that people take in the first period"
    )


def run(chosen: Namespace) -> Report:
    """Run the drill, without a server."""
    return on(chosen.plays, chosen.seed, median=chosen.median, bot_delay=chosen.delay)


def on(plays: int, seed: int, draws: int = DRAWS, median: float = MEDIAN, **changes: Any) -> Report:
    """Play, train on two kinds of people, and evaluate on the third, once for each game.

    `changes` are keys of the sessions. A figure above the 97.5th percentile of chance is a fault.
    """
    figures: dict[str, object] = {"plays": plays * len(PACES)}
    faults = []
    for game_id in engine.game_ids():
        cases = gathered(_seen(game_id, plays, seed, median, **changes))
        figure, (low, high) = auc(cases), band(cases, draws, seed)
        figures[game_id] = f"{figure:.3f}"
        figures[f"chance of {game_id}"] = f"{low:.3f} to {high:.3f}"
        figures[f"{game_id} by kind"] = " ".join(f"{area:.3f}" for area in by_kind(cases))
        if figure > high:
            faults.append(f"{game_id}: distinguished with {figure:.3f}, chance at most {high:.3f}")
    return Report(figures, faults)


def _seen(
    game_id: str, plays: int, seed: int, median: float, **changes: Any
) -> Iterator[tuple[int, Glimpse]]:
    """Yield one person's glimpse per play, with the number of the person's kind.

    The other person sees the same bots, so a second glimpse would not be independent.
    """
    for number, kind in enumerate(PACES):
        for seen in glimpses(game_id, kind, plays, seed, median, **changes):
            yield number, seen[0]
