"""Writes the golden records: `python -m tests.engine.golden.write`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import engine
from engine.contract import space
from engine.play import record
from tests.engine.golden import openings

FOLDER = Path(__file__).parent
SEED = 20_260_201

GAMES: dict[str, dict[str, Any]] = {
    "commons_game": {
        "archetype": "governed",
        "seats": 4,
        "periods": 8,
        "initial_wealth": 5.0,
        "stock_noise": 10.0,
        "instrumentation": {"verbose": True, "seat": 1},
    },
    # Responses of exactly -1, 0 and 1 and a good without logarithms: the last place of numpy's
    # tanh and log depends on the processor, and a golden record is to hold on all of them.
    "sanctions": {
        "archetype": "source",
        "seats": 3,
        "periods": 6,
        "endowment": [100.0, 100.0, 80.0],
        "dependence": [[0.0, 0.5, 0.25], [0.5, 0.0, 0.25], [0.5, 0.5, 0.0]],
        "production": "public_good",
        "eta": 2.0,
        "kappa": 4.0,
        "memory": 2,
        "instrumentation": {"verbose": True, "seat": 1},
    },
    # A bonus and a truncation without rounding, for the same reason.
    "gem_mining": {
        "seats": 4,
        "gem_types": 3,
        "periods": 5,
        "worker_bonus": 1.5,
        "truncation": 0.75,
        "weights": [1.0, 2.0, 0.5],
        "information": "all",
        "known_probabilities": True,
        "instrumentation": {"verbose": True, "seat": 1},
    },
    "punishment_vote": {
        "seats": 3,
        "turns": 8,
        "height": 6,
        "width": 7,
        "vision": 1,
        "map_memory": True,
        "punishment": "lottery",
        "initial_resources": 7,
        "spawn_probability": 0.1,
        "initial_level": 0.5,
        "instrumentation": {"verbose": True, "seat": 1},
    },
}

# commons_game: harvests and contributions: plain ones, ones to be clamped, more than there is.
# gem_mining: everybody at home, neighbours together, three at one mine, the ends of the row.
# punishment_vote: moves onto resources, into walls and seats, two onto one resource, votes.
# sanctions: at the baseline, clamped, defection of one and of all, a return to the baseline.
SCRIPTS: dict[str, list[dict[str, list[float]]]] = {
    "commons_game": [
        {"harvest": [2, 3, 4, 5], "contribution": [0, 1, 2, 3]},
        {"harvest": [2.5, 2.5, 2.5, 2.5], "contribution": [0.5, 0.5, 0.5, 0.5]},
        {"harvest": [10, 10, 12, -1], "contribution": [0, 0, 99, -5]},
        {"harvest": [10, 10, 10, 10], "contribution": [0, 0, 0, 0]},
        {"harvest": [10, 10, 10, 10], "contribution": [0, 0, 0, 0]},
        {"harvest": [10, 10, 10, 10], "contribution": [10, 10, 0, 0]},
        {"harvest": [1, 0, 1, 0], "contribution": [1, 1, 1, 1]},
        {"harvest": [7, 7, 7, 7], "contribution": [0.1, 0.2, 0.3, 0.4]},
    ],
    "sanctions": [
        {"contribution": [40, 40, 40]},
        {"contribution": [120, 70, 90]},
        {"contribution": [0, 40, 40]},
        {"contribution": [0, 40, 80]},
        {"contribution": [-1, 0, 0]},
        {"contribution": [40, 40, 40]},
    ],
    "gem_mining": [
        {"mine": [0, 1, 2, 3]},
        {"mine": [1, 1, 3, 3]},
        {"mine": [1, 2, 2, 4]},
        {"mine": [0, 2, 2, 3]},
        {"mine": [1, 2, 3, 4]},
    ],
    "punishment_vote": [
        {"action": [3, 1, 0]},
        {"action": [2, 4, 4]},
        {"action": [3, 2, 1]},
        {"action": [3, 5, 2]},
        {"action": [5, 5, 5]},
        {"action": [0, 0, 1]},
        {"action": [2, 5, 5]},
        {"action": [4, 2, 6]},
    ],
}


def game(game_id: str) -> engine.Game[Any]:
    return engine.make(game_id, **GAMES[game_id])


def log(game_id: str) -> str:
    """The log of the play, as JSON lines."""
    return record.to_text(record.play(game(game_id), SCRIPTS[game_id], SEED))


def _seen(game_id: str) -> Iterator[dict[str, Any]]:
    episode = engine.Episode(game(game_id), SEED)
    for actions in [None, *SCRIPTS[game_id]]:
        if actions:
            episode.step(actions)
        for seat in range(episode.game.seats):
            yield space.to_json(episode.observation(seat))


def seen(game_id: str) -> str:
    """What every seat saw before the first and after every period, as JSON lines."""
    return record.to_text(_seen(game_id))


def files(game_id: str) -> dict[str, str]:
    """Name and content of every file of a game."""
    return {f"{game_id}.jsonl": log(game_id), f"{game_id}_seen.jsonl": seen(game_id)}


def write() -> None:
    openings.write(engine.game_ids())
    for game_id in GAMES:
        for name, content in files(game_id).items():
            (FOLDER / name).write_bytes(content.encode())


if __name__ == "__main__":
    write()
