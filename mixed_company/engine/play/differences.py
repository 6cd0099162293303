"""Differences between two logs: the line, period, seat, field and element, and both values.

Lines are matched by subject before they are compared. So a missing or extra line counts as one
difference and does not shift all later lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Any

from mixed_company.engine.game import Game

Line = Mapping[str, Any]
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
    """Yield a sentence for each place where a log differs from its replay.

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
                    f"log has {_short(ours)}, replay gives {_short(theirs)}"
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
    """Return the subject of a line; lines with the same subject in two logs are compared."""
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
    """Return whether the first axis of a state or observation field stands for the seats."""
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
