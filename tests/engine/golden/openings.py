"""First periods of every archetype of every game, kept as files.

`archetypes/<game>/<archetype>.jsonl` is the log of three periods. It contains the whole
configuration and the sent actions, which were drawn at random when the file was written. Numbers
are compared to nine digits, because the last digit of numpy's tanh and log depends on the
processor.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from mixed_company import engine
from mixed_company.engine.kit import actions_for
from mixed_company.engine.play import record

FOLDER = Path(__file__).parent
PERIODS = 3
SEED = 20_261_122

Line = dict[str, Any]


def archetypes(game_ids: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield (game, archetype) for all archetypes of these games, including earlier ones."""
    for game_id in game_ids:
        for archetype in sorted(engine.find(game_id).known_archetypes()):
            yield game_id, archetype


def path(game_id: str, archetype: str, folder: Path = FOLDER) -> Path:
    return folder / "archetypes" / game_id / f"{archetype}.jsonl"


def without_record(game_ids: Iterable[str], folder: Path = FOLDER) -> list[str]:
    """Return the files that these games should have but do not."""
    endings = ("", "_seen", "_declared")
    names = [f"{game_id}{ending}" for game_id in game_ids for ending in endings]
    wanted = [folder / f"{name}.jsonl" for name in names]
    wanted += [path(*names, folder) for names in archetypes(game_ids)]
    return [place.relative_to(folder).as_posix() for place in wanted if not place.is_file()]


def drawn(game: engine.Game[Any]) -> Iterator[dict[str, list[float]]]:
    """Draw legal actions for each period until a play ends."""
    state, _ = game.reset(SEED)
    for period in range(min(PERIODS, game.horizon)):
        sent: dict[str, list[float]] = {}
        chance = game.draw_chance(SEED, period)
        for stage in range(len(game.stages.names)):
            arrays = actions_for(game, state, SEED, period)
            fields = (field for field in game.declaration.actions if field.stage == stage)
            sent |= {field.name: arrays[field.name].tolist() for field in fields}
            state, outcome = game.step(state, arrays, chance)
        yield sent
        if outcome.done:
            return


def opening(game: engine.Game[Any], actions: Iterable[dict[str, Any]]) -> list[Line]:
    """Play these actions, and return the log as if read from a file."""
    text = record.to_text(record.play(game, actions, SEED))
    return [json.loads(line) for line in text.splitlines()]


def shipped(game_id: str, archetype: str) -> engine.Game[Any]:
    return engine.make(game_id, archetype=archetype, instrumentation={"verbose": True})


def again(game_id: str, archetype: str, lines: Iterable[Line]) -> list[Line]:
    """Return the log recomputed from the actions in a file."""
    sent = [line["sent"] for line in lines if line["level"] == "period"]
    return opening(shipped(game_id, archetype), sent)


def near(first: Any, other: Any) -> bool:
    """Return whether two logs agree, comparing numbers to nine digits."""
    if isinstance(first, dict) and isinstance(other, dict):
        return list(first) == list(other) and all(near(first[key], other[key]) for key in first)
    if isinstance(first, list) and isinstance(other, list):
        return len(first) == len(other) and all(map(near, first, other))
    if isinstance(first, float) and isinstance(other, float):
        return math.isclose(first, other, rel_tol=1e-9, abs_tol=1e-12)
    return type(first) is type(other) and bool(first == other)


def write(game_ids: Iterable[str], folder: Path = FOLDER) -> None:
    for game_id, archetype in archetypes(game_ids):
        game = shipped(game_id, archetype)
        place = path(game_id, archetype, folder)
        place.parent.mkdir(parents=True, exist_ok=True)
        text = record.to_text(opening(game, drawn(game)))
        place.write_bytes(text.encode())
