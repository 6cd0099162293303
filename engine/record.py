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
from engine import space
from engine.episode import Episode, Step
from engine.errors import EngineError, LogError
from engine.game import Game

__all__ = ["Recorder", "differences", "play", "replay", "replayed", "to_text"]

Line = dict[str, Any]


class Recorder:
    """Writes the log of one play. Call `take` after every step; `lines` is the log.

    >>> game = engine.make("commons_game", archetype="lab", periods=1)
    >>> play = Episode(game, seed=7)
    >>> log = Recorder(play)
    >>> actions = {"harvest": [1, 2, 3, 4], "contribution": [0, 0, 0, 0]}
    >>> log.take(actions, play.step(actions))
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

    def take(self, sent: Mapping[str, Any], step: Step) -> None:
        """Log the step that the actions `sent` just gave."""
        self._returns = self._returns + step.rewards
        period = self.episode.period - 1
        if _due(self.wanted.period, period):
            self._write("period", period=period, **self._period(sent, step))
        if _due(self.wanted.seat, period):
            for seat, total in enumerate(self._returns.tolist()):
                self._write("seat", period=period, seat=seat, total=total)
        if self.wanted.event:
            for event in [*clamped(sent, step.info["used"]), *step.info["events"]]:
                if event["event"] != "clamped" or event["seat"] not in step.info["absent"]:
                    self._write("event", period=period, **event)
            for seat, reason in step.info["ended"].items():
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

    def _period(self, sent: Mapping[str, Any], step: Step) -> Line:
        line: Line = {
            "sent": space.to_json({name: np.asarray(value) for name, value in sent.items()}),
            "used": space.to_json(step.info["used"]),
            "rewards": step.rewards.tolist(),
            "components": space.to_json(step.components),
        }
        if step.info["leaving"]:
            line["leaving"] = list(step.info["leaving"])
        if self.wanted.verbose:
            line["state"] = self.episode.state_record()
            line["observations"] = space.to_json(step.observations)
        return line

    def _write(self, level: str, **content: Any) -> None:
        self.lines.append({"level": level, **content})


def _due(every: int, period: int) -> bool:
    return every > 0 and period % every == 0


def clamped(sent: Mapping[str, Any], used: Mapping[str, Any]) -> list[Line]:
    """An event for every seat and field whose action was not used as sent."""
    return [
        {"event": "clamped", "seat": seat, "field": name, "sent": asked, "used": got}
        for name, value in used.items()
        for seat, (asked, got) in enumerate(
            zip(np.asarray(sent[name]).tolist(), np.asarray(value).tolist(), strict=True)
        )
        if asked != got
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
    for sent in actions:
        log.take(sent, episode.step(sent, (leaving or {}).get(episode.period, ())))
        if episode.done:
            break
    return log.lines


def to_text(lines: Iterable[Line]) -> str:
    """A log as JSON lines."""
    return "".join(
        json.dumps(line, separators=(",", ":"), allow_nan=False) + "\n" for line in lines
    )


def replayed(
    config: Mapping[str, Any],
    seed: int,
    actions: Iterable[Mapping[str, Any]],
    leaving: Mapping[int, Sequence[int]] | None = None,
) -> Iterator[Step]:
    """The steps of a play recomputed from config, seed, the actions sent and who left when."""
    episode = Episode(engine.make(config), seed)
    for sent in actions:
        yield episode.step(sent, (leaving or {}).get(episode.period, ()))


def replay(lines: Sequence[Line], game: Game[Any] | None = None) -> list[str]:
    """Recompute a log; one sentence for each place where it differs, none if it is right.

    `game` is needed only for a game that `engine.make` does not know. A log written before a part
    of the configuration existed is read with the default of that part.
    Raises LogError if the log cannot be replayed at all.
    """
    head = lines[0] if lines else {}
    if head.get("level") != "episode" or "config" not in head or "seed" not in head:
        raise LogError("line 1: a log starts with its episode line (config and seed)")
    if head["config"].get("instrumentation", {}).get("period") != 1:
        raise LogError("instrumentation.period is not 1: not every action is in this log")
    try:
        found = game or engine.make(head["config"])
        config = type(found).config_from(head["config"]).model_dump(mode="json")
        periods = [line for line in lines if line["level"] == "period"]
        sent = [line["sent"] for line in periods]
        leaving = {line["period"]: line.get("leaving", ()) for line in periods}
        again = play(found, sent, head["seed"], leaving)
    except (EngineError, KeyError, TypeError) as error:
        raise LogError(f"cannot be replayed: {error}") from None
    read = [{**head, "config": json.loads(json.dumps(config))}, *lines[1:]]
    wrong = list(differences(read, json.loads(json.dumps(again))))
    if not wrong and "returns" not in again[-1]:
        return [f"the log stops after {len(sent)} periods, before the play is over"]
    return wrong


def differences(found: Sequence[Line], expected: Sequence[Line]) -> Iterator[str]:
    """Where two logs differ, line by line and key by key."""
    for number, (line, again) in enumerate(zip(found, expected, strict=False), start=1):
        for key in sorted({*line, *again}):
            if line.get(key) != again.get(key):
                yield (
                    f"line {number} (period {line.get('period', '-')}), {key}: "
                    f"log has {line.get(key)!r}, replay gives {again.get(key)!r}"
                )
    if len(found) != len(expected):
        yield f"log has {len(found)} lines, replay gives {len(expected)}"
