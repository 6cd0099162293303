"""Logs of plays, and plays recomputed from logs.

A log is a list of JSON lines (dicts) at four levels, controlled by `config.instrumentation`:

    episode   first: the resolved config and the seed; last: reason, result, returns
    period    actions as sent and as used, rewards, components, and the seats that left, if any
              did (verbose: state, observations)
    seat      running totals per seat, and per role
    event     clamped actions, events of game and layers (a collapse, a shock), the ending of a
              seat (with `seat`) and of the play; `engine.play.events`

`engine.contract.instrumentation` defines which metrics, artifacts and events it contains.

A log contains the true state, so seats must never read it. Equal configurations, seeds and actions
give equal bytes. `replay` recomputes a log from its configuration, seed and the actions sent, and
lists every difference.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from mixed_company import engine
from mixed_company.engine.contract.chance import check_seed
from mixed_company.engine.contract.errors import EngineError, LogError
from mixed_company.engine.game import Game
from mixed_company.engine.play.differences import differences
from mixed_company.engine.play.episode import Episode
from mixed_company.engine.play.period import Period
from mixed_company.engine.play.recorder import Line, Recorder

__all__ = [
    "Line",
    "Recorder",
    "from_text",
    "is_whole",
    "play",
    "recomputed",
    "replay",
    "replayed",
    "to_text",
]

LEVELS = ("episode", "period", "seat", "event")
_NAMED = ", ".join(LEVELS)


def play(
    game: Game[Any],
    actions: Iterable[Mapping[str, Any]],
    seed: int,
    leaving: Mapping[int, Sequence[int]] | None = None,
    entropy: Mapping[int, Any] | None = None,
) -> list[Line]:
    """Play `actions`, one mapping per period, and return the log.

    `leaving` maps periods to the seats that leave in them, and `entropy` maps periods to the
    entropies of decisions (`Recorder.take`). All arguments are read period by period.
    """
    episode = Episode(game, seed)
    log = Recorder(episode)
    for period in episode.again(actions, leaving):
        log.take(period, (entropy or {}).get(period.number))
    return log.lines


def to_text(lines: Iterable[Line]) -> str:
    """Return a log in the form of JSON lines."""
    return "".join(
        json.dumps(line, separators=(",", ":"), allow_nan=False) + "\n" for line in lines
    )


def from_text(text: str) -> list[Line]:
    """Read a log from its JSON lines. Raises LogError with the number of an invalid line."""
    lines: list[Line] = []
    rows = text.removeprefix("\ufeff").split("\n")
    while len(rows) > 1 and not rows[-1].strip():
        rows.pop()
    for number, row in enumerate(rows, start=1):
        try:
            line = json.loads(row, parse_constant=_refuse)
        except (ValueError, RecursionError) as error:
            if number == len(rows) and row.startswith("{") and not text.endswith("\n"):
                whole = sum(line["level"] == "period" for line in lines)
                raise LogError(
                    f"line {number}: is incomplete; number of complete periods before it: {whole}"
                ) from None
            raise LogError(f"line {number}: not JSON: {error}") from None
        if not isinstance(line, dict) or line.get("level") not in LEVELS:
            raise LogError(f"line {number}: not a log line: its `level` should be one of {_NAMED}")
        lines.append(line)
    return lines


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not allowed in a log")


def replayed(
    config: Mapping[str, Any],
    seed: int,
    actions: Iterable[Mapping[str, Any]],
    leaving: Mapping[int, Sequence[int]] | None = None,
) -> Iterator[Period]:
    """Yield the periods of a play, recomputed from the configuration, seed, actions and leaving
    seats.

    A configuration from an earlier release is completed.
    """
    return Episode(engine.restored(config), seed).again(actions, leaving)


def replay(lines: Sequence[Line], game: Game[Any] | None = None) -> list[str]:
    """Recompute a log, and return a sentence for every difference.

    `game` is needed only for a game that `engine.make` does not know. If a log is older than some
    part of the configuration, that part's default is used. Raises LogError for a log that cannot be
    replayed. Also raises it for a log from release 0.7.0 or earlier that differs from its replay,
    because these releases drew some numbers differently under the same rules.
    """
    logged_game, again = recomputed(lines, game)
    read = [{**lines[0], "config": logged_game.config.model_dump(mode="json")}, *lines[1:]]
    wrong = list(differences(read, json.loads(json.dumps(again)), logged_game))
    if wrong and "events" not in lines[0]["config"]["instrumentation"]:
        raise LogError(
            f"line 1: identity.version = {logged_game.version!r}: this log is from release 0.7.0 "
            f"or earlier, which drew and showed some numbers of {logged_game.id} differently; "
            f"replay it with that release. Found {len(wrong)} differences; the first is {wrong[0]}"
        )
    if not wrong and not is_whole(lines):
        periods = sum(line["level"] == "period" for line in lines)
        return [f"the log stops before the play is over; number of periods: {periods}"]
    return wrong


def is_whole(lines: Sequence[Line]) -> bool:
    """Return whether a log includes the end of its play."""
    return lines[-1].get("level") == "episode" and "config" not in lines[-1]


def recomputed(
    lines: Sequence[Line],
    game: Game[Any] | None = None,
    instrumentation: Mapping[str, Any] | None = None,
) -> tuple[Game[Any], list[Line]]:
    """Return the game of a log, and the log recomputed from its configuration, seed and actions
    sent.

    `instrumentation` replaces the log's own setting. Raises LogError if the log cannot be replayed.
    """
    head = lines[0] if lines else {}
    config = head.get("config")
    if head.get("level") != "episode" or not isinstance(config, Mapping) or "seed" not in head:
        raise LogError("line 1: should be the episode line, with config and seed")
    logged = config.get("instrumentation")
    if not isinstance(logged, Mapping) or logged.get("period") != 1:
        raise LogError("instrumentation.period is not 1, so this log lacks some actions")
    line_number = 1
    leaving: dict[int, Sequence[int]] = {}
    entropy: dict[int, Any] = {}

    def sent() -> Iterator[Mapping[str, Any]]:
        nonlocal line_number
        for number, line in enumerate(lines, start=1):
            line_number = number
            if line.get("level") == "period":
                if "sent" not in line:
                    raise LogError("a period line should contain `sent`")
                if (
                    line.get("entropy") is not None
                ):  # policies reported this; it cannot be recomputed
                    kinds = (int, float, type(None))
                    numbers = _numbers("entropy", line["entropy"], kinds, "numbers")
                    entropy[len(leaving)] = numbers
                left = line.get("leaving", [])
                leaving[len(leaving)] = _numbers("leaving", left, (int,), "seats")
                yield line["sent"]

    try:
        if instrumentation is not None:
            config = {**config, "instrumentation": instrumentation}
        if game:
            logged_game = type(game)(type(game).config_kept(config))
        else:
            logged_game = engine.restored(config)
        seed = check_seed(head["seed"])
        return logged_game, play(logged_game, sent(), seed, leaving, entropy)
    except EngineError as error:
        raise LogError(f"line {line_number}: cannot be replayed: {error}") from None


def _numbers(name: str, sent: Any, kinds: tuple[type, ...], items: str) -> Any:
    """Return a line's list of numbers under this name. Raises LogError if it is anything else."""
    if not isinstance(sent, list) or any(type(number) not in kinds for number in sent):
        raise LogError(f"{name} = {sent!r:.60}: should be a list of {items}")
    return sent
