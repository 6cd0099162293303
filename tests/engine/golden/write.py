"""Command that writes the golden records: `python -m tests.engine.golden.write`.

The play of each game is defined in `plays/<game>.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from mixed_company import engine
from mixed_company.engine.contract import space
from mixed_company.engine.play import record
from tests.engine.golden import openings, plays
from tests.engine.golden.declared import declared

FOLDER = Path(__file__).parent
SEED = 20_260_201

_PLAYS = {
    name: import_module(f"{plays.__name__}.{name}")
    for name in engine.game_ids()
    if find_spec(f"{plays.__name__}.{name}") is not None
}
GAMES: dict[str, dict[str, Any]] = {name: play.CONFIG for name, play in _PLAYS.items()}
SCRIPTS: dict[str, list[dict[str, list[float]]]] = {
    name: play.SCRIPT for name, play in _PLAYS.items()
}


def game(game_id: str) -> engine.Game[Any]:
    return engine.make(game_id, **GAMES[game_id])


def log(game_id: str) -> str:
    """Return the log of the play, as JSON lines."""
    return record.to_text(record.play(game(game_id), SCRIPTS[game_id], SEED))


def _seen(game_id: str) -> Iterator[dict[str, Any]]:
    episode = engine.Episode(game(game_id), SEED)
    for actions in [None, *SCRIPTS[game_id]]:
        if actions:
            episode.play_period(actions)
        for seat in range(episode.game.seats):
            yield space.to_json(episode.observation(seat))


def seen(game_id: str) -> str:
    """Return all observations, before the first period and after every period, as JSON lines."""
    return record.to_text(_seen(game_id))


def files(game_id: str) -> dict[str, str]:
    """Return the name and content of every file for a game's play."""
    return {f"{game_id}.jsonl": log(game_id), f"{game_id}_seen.jsonl": seen(game_id)}


def write() -> None:
    openings.write(engine.game_ids())
    for game_id in GAMES:
        content = {**files(game_id), f"{game_id}_declared.jsonl": declared(game_id)}
        for name, text in content.items():
            (FOLDER / name).write_bytes(text.encode())


if __name__ == "__main__":
    write()
