"""Logs of plays, and replays from logs.

A log is a list of JSON lines (dicts) at four levels, controlled by `config.instrumentation`:

    episode   first: the resolved config and the seed; last: reason, result, returns
    period    actions as sent and as used, rewards, components, and the seats that left, if any
              did (verbose: state, observations)
    seat      running totals per seat, and per role
    event     clamped actions, events of game and layers (a collapse, a shock), the ending of a
              seat (with `seat`) and of the play; `engine.play.events`

`engine.contract.instrumentation` defines which metrics, artifacts and events it contains.

A log contains the true state, so seats must never read it. The same configuration, seed and actions
always produce the same bytes. `replay` recomputes a log from its configuration, seed and the
actions sent, and lists every difference: the line, period, seat, field and element, and both
values. Lines are matched by subject, so a missing or extra line counts as one difference.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Any

from mixed_company import engine
from mixed_company.engine.contract.chance import check_seed
from mixed_company.engine.contract.errors import EngineError, LogError
from mixed_company.engine.game import Game
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

    `leaving` maps each period to the seats that leave in it, and `entropy` maps each period to the
    entropies of its decisions (`Recorder.take`). All arguments are read period by period.
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
                    f"line {number}: incomplete; number of complete periods before it: {whole}"
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

    `game` is needed only if `engine.make` does not know the game. If a part of the configuration
    did not exist when the log was written, the part's default is used. Raises LogError for a log
    that cannot be replayed. It is also raised for a log from release 0.7.0 or earlier that differs
    from its replay, because those releases drew some numbers differently under the same rules.
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
                if line.get("entropy") is not None:  # policies reported it
                    kinds = (int, float, type(None))
                    numbers = _numbers("entropy", line["entropy"], kinds, "numbers")
                    entropy[len(leaving)] = numbers
                left = line.get("leaving", [])
                leaving[len(leaving)] = _numbers("leaving", left, (int,), "seats")
                yield line["sent"]

    try:
        if instrumentation is not None:
            config = {**config, "instrumentation": instrumentation}
        kept = type(game)(type(game).config_kept(config)) if game else engine.restored(config)
        seed = check_seed(head["seed"])
        return kept, play(kept, sent(), seed, leaving, entropy)
    except EngineError as error:
        raise LogError(f"line {line_number}: cannot be replayed: {error}") from None


def _numbers(name: str, sent: Any, kinds: tuple[type, ...], items: str) -> Any:
    """Return a line's list of numbers with this name. Raises LogError if it is anything else."""
    if not isinstance(sent, list) or any(type(number) not in kinds for number in sent):
        raise LogError(f"{name} = {sent!r:.60}: should be a list of {items}")
    return sent


Path = tuple[str | int, ...]

_OF_SEATS = ("sent", "used", "rewards", "components", "returns", "entropy")
_LONGEST = 160


class _Nothing:
    def __repr__(self) -> str:
        return "nothing"


_NOTHING = _Nothing()


def differences(
    logged: Sequence[Line], expected: Sequence[Line], game: Game[Any] | None = None
) -> Iterator[str]:
    """Yield a sentence for each difference between a log and its replay.

    `game` determines which elements of state and observations belong to seats.
    """
    for number, line, again in _matched(logged, expected):
        if line is None:
            yield f"after line {number}: {_about(again)} is missing: {_short(dict(again or {}))}"
        elif again is None:
            yield f"line {number}: {_about(line)} is not in the replay"
        else:
            for path, ours, theirs in _unequal(line, again, ()):
                when = _when(line, path, game)
                yield (
                    f"line {number}{f' ({when})' if when else ''}, {_written(path)}: "
                    f"log has {_short(ours)}, replay has {_short(theirs)}"
                )


def _matched(
    logged: Sequence[Line], expected: Sequence[Line]
) -> Iterator[tuple[int, Line | None, Line | None]]:
    """Yield (line number in the log, line of the log, line of the replay)."""
    ours, theirs = list(map(_about, logged)), list(map(_about, expected))
    pairs = SequenceMatcher(None, ours, theirs, autojunk=False)
    for _, start, end, first, last in pairs.get_opcodes():
        lines = zip_longest(logged[start:end], expected[first:last])
        for number, (line, again) in enumerate(lines, start + 1):
            yield min(number, end), line, again


def _about(line: Line | None) -> str:
    """Return a line's subject; lines of two logs are compared if they have the same subject."""
    line = line or {}
    if line.get("level") == "episode":
        return f"the {'first' if 'config' in line else 'last'} line"
    words = ("event", "period", "seat", "role", "field")
    named = ", ".join(f"{word} {line[word]}" for word in words if word in line)
    return f"the {line.get('level')} line of {named}"


def _unequal(ours: Any, theirs: Any, path: Path) -> Iterator[tuple[Path, Any, Any]]:
    if isinstance(ours, Mapping) and isinstance(theirs, Mapping):
        for key in sorted({*ours, *theirs}):
            yield from _unequal(ours.get(key, _NOTHING), theirs.get(key, _NOTHING), (*path, key))
    elif isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        for index, (left, right) in enumerate(zip(ours, theirs, strict=True)):
            yield from _unequal(left, right, (*path, index))
    elif ours != theirs or isinstance(ours, bool) != isinstance(theirs, bool):
        yield path, ours, theirs


def _written(path: Path) -> str:
    """Return a path in Python notation: components.harvest[2]."""
    parts = [f"[{part}]" if isinstance(part, int) else f".{part}" for part in path]
    return "".join(parts).lstrip(".")


def _when(line: Line, path: Path, game: Game[Any] | None) -> str:
    seat = line.get("seat")
    places = [part for part in path if isinstance(part, int)]
    if places and (path[0] in _OF_SEATS or (game and _is_of_seats(path, game))):
        seat = places[0]
    named = {"period": line.get("period"), "seat": seat}
    return ", ".join(f"{name} {value}" for name, value in named.items() if value is not None)


def _is_of_seats(path: Path, game: Game[Any]) -> bool:
    """Return whether the first axis of a state or observation field represents seats."""
    if path[0] == "observations":
        return any(
            field.name == path[1] and field.visibility == "private"
            for field in game.declaration.observations
        )
    return path[0] == "state" and any(
        field.name == path[1] and field.shape[:1] == (game.seats,) and not field.common
        for field in game.declaration.state
    )


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _LONGEST else text[:_LONGEST] + " ..."
