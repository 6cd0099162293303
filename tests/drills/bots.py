"""Train a classifier to tell bots from people by what a page is sent, where bots are not marked."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Any

import engine
from tests.drills.company import glimpses
from tests.drills.drill import Report
from tests.drills.telling import auc, band, gathered

__all__ = ["configure", "on", "run"]

DRAWS = 200
MEDIAN = 8.0


def configure(parser: ArgumentParser) -> None:
    """Declare how long it is."""
    parser.add_argument("--plays", type=int, default=200, help="of each game")
    parser.add_argument("--delay", default="people", help="`bot_delay` of the sessions")
    parser.add_argument("--median", type=float, default=MEDIAN, help="seconds that people take")


def run(chosen: Namespace) -> Report:
    """Do it; there is no server."""
    return on(chosen.plays, chosen.seed, median=chosen.median, bot_delay=chosen.delay)


def on(plays: int, seed: int, draws: int = DRAWS, median: float = MEDIAN, **changes: Any) -> Report:
    """Play, train and judge, game by game; `changes` are keys of the sessions.

    A fault is a figure that chance reaches in less than one of a hundred times.
    """
    figures: dict[str, object] = {"plays": plays}
    faults = []
    for game_id in engine.game_ids():
        cases = gathered(list(glimpses(game_id, plays, seed, median, **changes)))
        told, (low, high) = auc(cases), band(cases, draws, seed)
        figures[game_id] = f"{told:.3f}"
        figures[f"chance of {game_id}"] = f"{low:.3f} to {high:.3f}"
        if told > high:
            faults.append(f"{game_id}: told apart with {told:.3f}, chance at most {high:.3f}")
    return Report(figures, faults)
