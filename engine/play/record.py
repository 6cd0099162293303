"""Logs of plays, and plays from logs.

A log is a list of JSON lines (dicts) at four levels, switched by `config.instrumentation`:

    episode   first: the resolved config and the seed; last: reason, result, returns
    period    actions as sent and as used, rewards, components, and the seats that left, if some
              did (verbose: state, observations)
    seat      running totals per seat
    event     clamped actions, what game and layers name (a collapse, a shock), the ending of a
              seat (with `seat`) and of the play

A log sees the true state and is never read by a seat. Same config, seed and actions: same bytes.
`replay` recomputes a log from config, seed and the actions sent, and names every difference.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

import engine
from engine.contract import space
from engine.contract.errors import EngineError, LogError
from engine.game import Game
from engine.play.differences import differences
from engine.play.episode import Episode
from engine.play.period import Period

__all__ = ["Recorder", "from_text", "play", "recomputed", "replay", "replayed", "to_text"]

Line = dict[str, Any]
LEVELS = ("episode", "period", "seat", "event")
_NAMED = ", ".join(LEVELS)


class Recorder:
    """Writes the log of one play. Call `take` after every step; `lines` is the log.

    >>> game = engine.make("commons_game", archetype="lab", periods=1)
    >>> play = Episode(game, seed=7)
    >>> log = Recorder(play)
    >>> actions = {"harvest": [1, 2, 3, 4], "contribution": [0, 0, 0, 0]}
    >>> log.take(play.step(actions))
    >>> [line["level"] for line in log.lines]
    ['episode', 'period', 'event', 'episode']
    """

    def __init__(self, episode: Episode) -> None:
        self.episode = episode
        self.wanted = episode.game.config.instrumentation
        self.lines: list[Line] = []
        self._returns = np.zeros(episode.game.seats)
        if self.wanted.episode:
            config = episode.game.config.model_dump(mode="json")
            head: Line = {"config": config, "seed": episode.seed}
            if self.wanted.verbose:
                head["observations"] = space.to_json(episode.observations)
            self._write("episode", **head)

    def take(self, step: Period) -> None:
        """Log the period that was just played."""
        self._returns = self._returns + step.rewards
        period = step.number
        if _due(self.wanted.period, period):
            line = step.to_json(world=self.wanted.verbose)
            del line["ended"]  # the ending has lines of its own
            self._write("period", **line)
        if _due(self.wanted.seat, period):
            for seat, total in enumerate(self._returns.tolist()):
                self._write("seat", period=period, seat=seat, total=total)
        if self.wanted.event:
            for event in [*clamped(step.sent, step.used), *step.events]:
                if event["event"] != "clamped" or event["seat"] not in step.absent:
                    self._write("event", period=period, **event)
            for seat, reason in step.endings.items():
                self._write("event", period=period, event="ending", seat=seat, reason=reason)
            if step.done:
                self._write("event", period=period, event="ending", reason=step.reason)
        if step.done and self.wanted.episode:
            self._write(
                "episode",
                periods=self.episode.period,
                reason=step.reason,
                result=step.result,
                returns=self._returns.tolist(),
            )

    def _write(self, level: str, **content: Any) -> None:
        self.lines.append({"level": level, **content})


def _due(every: int, period: int) -> bool:
    return every > 0 and period % every == 0


def clamped(sent: Mapping[str, Any], used: Mapping[str, Any]) -> list[Line]:
    """An event for every seat and field whose action was not used as sent."""
    return [
        {"event": "clamped", "seat": seat, "field": name, "sent": sent_number, "used": used_number}
        for name, value in used.items()
        for seat, (sent_number, used_number) in enumerate(
            zip(np.asarray(sent[name]).tolist(), np.asarray(value).tolist(), strict=True)
        )
        if sent_number != used_number
    ]


def play(
    game: Game[Any],
    actions: Iterable[Mapping[str, Any]],
    seed: int,
    leaving: Mapping[int, Sequence[int]] | None = None,
) -> list[Line]:
    """The log of a play in which `actions` are sent, one mapping per period, until it ends.

    `leaving` maps periods to the seats that leave in them.
    """
    episode = Episode(game, seed)
    log = Recorder(episode)
    for period in episode.again(actions, leaving):
        log.take(period)
    return log.lines


def to_text(lines: Iterable[Line]) -> str:
    """A log as JSON lines."""
    return "".join(
        json.dumps(line, separators=(",", ":"), allow_nan=False) + "\n" for line in lines
    )


def from_text(text: str) -> list[Line]:
    """A log from its JSON lines. Raises LogError, which names the line that is none."""
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
                    f"line {number}: cut off in the middle; whole periods before it: {whole}"
                ) from None
            raise LogError(f"line {number}: not JSON: {error}") from None
        if not isinstance(line, dict) or line.get("level") not in LEVELS:
            raise LogError(f"line {number}: no line of a log: its `level` is one of {_NAMED}")
        lines.append(line)
    return lines


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no number of a log")


def replayed(
    config: Mapping[str, Any],
    seed: int,
    actions: Iterable[Mapping[str, Any]],
    leaving: Mapping[int, Sequence[int]] | None = None,
) -> Iterator[Period]:
    """The periods of a play recomputed from config, seed, the actions sent and who left when."""
    return Episode(engine.make(config), seed).again(actions, leaving)


def replay(lines: Sequence[Line], game: Game[Any] | None = None) -> list[str]:
    """Recompute a log; one sentence for each place where it differs, none if it is right.

    `game` is needed only for a game that `engine.make` does not know. A log written before a part
    of the configuration existed is read with the default of that part.
    Raises LogError if the log cannot be replayed at all.
    """
    logged_game, again = recomputed(lines, game)
    read = [{**lines[0], "config": logged_game.config.model_dump(mode="json")}, *lines[1:]]
    wrong = list(differences(read, json.loads(json.dumps(again)), logged_game))
    if not wrong and "returns" not in lines[-1]:
        periods = sum(line["level"] == "period" for line in lines)
        return [f"the log stops before the play is over; periods: {periods}"]
    return wrong


def recomputed(
    lines: Sequence[Line],
    game: Game[Any] | None = None,
    instrumentation: Mapping[str, Any] | None = None,
) -> tuple[Game[Any], list[Line]]:
    """The game of a log, and its log recomputed from config, seed and the actions sent.

    `instrumentation` replaces the log's own. Raises LogError if that cannot be done.
    """
    head = lines[0] if lines else {}
    config = head.get("config")
    if head.get("level") != "episode" or not isinstance(config, Mapping) or "seed" not in head:
        raise LogError("line 1: a log starts with its episode line (config and seed)")
    logged = config.get("instrumentation")
    if not isinstance(logged, Mapping) or logged.get("period") != 1:
        raise LogError("instrumentation.period is not 1: not every action is in this log")
    at = 1
    leaving: dict[int, Sequence[int]] = {}

    def sent() -> Iterator[Mapping[str, Any]]:
        nonlocal at
        for number, line in enumerate(lines, start=1):
            at = number
            if line.get("level") == "period":
                if "sent" not in line:
                    raise LogError("a period line says what was `sent`")
                leaving[len(leaving)] = _seats(line.get("leaving", []))
                yield line["sent"]

    try:
        if instrumentation is not None:
            config = {**config, "instrumentation": instrumentation}
        logged_game = type(game)(type(game).config_from(config)) if game else engine.make(config)
        return logged_game, play(logged_game, sent(), head["seed"], leaving)
    except EngineError as error:
        raise LogError(f"line {at}: cannot be replayed: {error}") from None


def _seats(numbers: Any) -> Sequence[int]:
    if not isinstance(numbers, list) or any(type(number) is not int for number in numbers):
        raise LogError(f"leaving = {numbers!r:.60}: should be a list of seats")
    return numbers
