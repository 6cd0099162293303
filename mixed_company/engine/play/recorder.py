"""Writer of a play's log; `engine.play.record` describes the contents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mixed_company.engine.contract import space
from mixed_company.engine.contract.config import roles_of_seats
from mixed_company.engine.contract.errors import LogError
from mixed_company.engine.contract.space import Field
from mixed_company.engine.play.episode import Episode
from mixed_company.engine.play.events import clamped, is_wanted
from mixed_company.engine.play.period import Period

Line = dict[str, Any]
Entropy = Sequence[float | None]
_QUANTILES = (0.0, 0.25, 0.5, 0.75, 1.0)


class Recorder:
    """Writer of one play's log. Call `take` after every step; `lines` is the log.

    >>> from mixed_company import engine
    >>> from mixed_company.engine.play.episode import Episode
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
        self.game = episode.game
        self.wanted = self.game.config.instrumentation
        self.lines: list[Line] = []
        self._returns = np.zeros(self.game.seats)
        self._seats = [Tally() for _ in range(self.game.seats)]
        self._roles = self._members()
        if self.wanted.episode:
            config = self.game.config.model_dump(mode="json")
            head: Line = {"config": config, "seed": episode.seed}
            if self.wanted.keeps("observations"):
                head["observations"] = space.to_json(episode.observations)
            self._write("episode", **head)

    def _members(self) -> dict[str, tuple[list[int], Tally]]:
        """Return each role's seats and totals; empty if roles are not logged."""
        members: dict[str, tuple[list[int], Tally]] = {}
        if "roles" in self.wanted.metrics:
            roles = roles_of_seats(self.game.config.agents, self.game.seats)
            for seat, role in enumerate(roles):
                members.setdefault(role, ([], Tally()))[0].append(seat)
        return members

    def take(self, step: Period, entropy: Entropy | None = None) -> None:
        """Log the period that was just played; its last stage represents the entire period.

        `entropy` (n): entropy of each decision in bits; None if a policy reports no probabilities.
        Raises LogError if the list has a different length.
        """
        if not step.settled:
            return
        entropies = [None] * self.game.seats if entropy is None else list(entropy)
        if len(entropies) != self.game.seats:
            raise LogError(f"entropy = {entropies!r:.60}: should be {self.game.seats} numbers")
        self._add(step, entropies)
        if _due(self.wanted.period, step.number):
            self._write("period", **self._period(step, entropies))
        if _due(self.wanted.seat, step.number):
            for line in self._of_seats():
                self._write("seat", period=step.number, **line)
        if self.wanted.event:
            for event in self._events(step):
                self._write("event", period=step.number, **event)
        if step.done and self.wanted.episode:
            self._write("episode", **self._end(step))

    def _add(self, step: Period, entropies: Entropy) -> None:
        self._returns = self._returns + step.rewards
        rewards = step.rewards.tolist()
        for seat, entropy in enumerate(entropies):
            used = {name: value[seat] for name, value in step.used.items()}
            out = seat in step.absent
            tallies = [tally for seats, tally in self._roles.values() if seat in seats]
            for tally in (self._seats[seat], *tallies):
                tally.add(rewards[seat], None if out else used, entropy)

    def _period(self, step: Period, entropies: Entropy) -> Line:
        line = step.to_json(world=False)
        del line["ended"]  # the ending has separate lines
        for name in ("rewards", "components"):
            if name not in self.wanted.metrics:
                del line[name]
        if "info" in self.wanted.metrics:
            line["info"] = step.info
        if "entropy" in self.wanted.metrics:
            line["entropy"] = list(entropies)
        if self.wanted.keeps("state"):
            line["state"] = space.to_json(step.state)
        if self.wanted.keeps("observations"):
            line["observations"] = space.to_json(step.observations)
        if self.wanted.keeps("chance"):
            line["chance"] = space.to_json(self.game.draw_chance(self.episode.seed, step.number))
        return line

    def _of_seats(self) -> Iterator[Line]:
        for seat, tally in enumerate(self._seats):
            yield {"seat": seat, **self._measured(tally)}
        for role, (seats, tally) in self._roles.items():
            yield {"role": role, "seats": seats, **self._measured(tally)}

    def _measured(self, tally: Tally) -> Line:
        line: Line = {}
        if "total" in self.wanted.metrics:
            line["total"] = tally.total
        if "actions" in self.wanted.metrics:
            line["actions"] = tally.actions(self.game.declaration.actions)
        if "entropy" in self.wanted.metrics:
            line["entropy"] = tally.mean_entropy
        return line

    def _events(self, step: Period) -> Iterator[Line]:
        for event in clamped(step.sent, step.used):
            if event["seat"] not in step.absent and is_wanted(self.game, "clamped"):
                yield event
        yield from map(dict, step.events)
        if not is_wanted(self.game, "ending"):
            return
        for seat, reason in step.endings.items():
            yield {"event": "ending", "seat": seat, "reason": reason}
        if step.done:
            yield {"event": "ending", "reason": step.reason}

    def _end(self, step: Period) -> Line:
        line: Line = {"periods": self.episode.period, "reason": step.reason, "result": step.result}
        if "returns" in self.wanted.metrics:
            line["returns"] = self._returns.tolist()
        return line

    def _write(self, level: str, **content: Any) -> None:
        self.lines.append({"level": level, **content})


def _due(every: int, period: int) -> bool:
    return every > 0 and period % every == 0


@dataclass
class Tally:
    """Running totals of a seat, or of all seats with a role.

    total      points
    used       action field -> used values, period by period; for an array field, all entries
    entropy    in bits, one number per decision of a policy that states its odds
    """

    total: float = 0.0
    used: dict[str, list[float]] = field(default_factory=dict)
    entropy: list[float] = field(default_factory=list)

    def add(self, reward: float, used: Mapping[str, Any] | None, entropy: float | None) -> None:
        """Add a seat's period; `used` is None if the seat took no part, and `entropy` is None if
        unknown.
        """
        self.total += reward
        if used is None:
            return
        for name, value in used.items():
            self.used.setdefault(name, []).extend(np.ravel(value).tolist())
        if entropy is not None:
            self.entropy.append(entropy)

    def actions(self, layout: Sequence[Field]) -> dict[str, Any]:
        """Return the distribution of the values used so far, per action field."""
        return {item.name: distribution(item, self.used.get(item.name, [])) for item in layout}

    @property
    def mean_entropy(self) -> float | None:
        """Mean entropy in bits per decision; None if no policy reports its probabilities."""
        return float(np.mean(self.entropy)) if self.entropy else None


def distribution(action: Field, values: Sequence[float]) -> dict[str, Any]:
    """Return the distribution of an action field's values, in a form suited to its kind.

    For a choice or a flag: `counts`, one per choice, lowest first. For an amount: `mean`, `sd` (of
    these values, not an estimate) and `quantiles` (minimum, quartiles and maximum); None if there
    are no values.
    """
    if action.kind in ("choice", "flag"):
        choices = range(int(action.low), int(action.high) + 1)
        return {"counts": [sum(value == choice for value in values) for choice in choices]}
    if not values:
        return {"mean": None, "sd": None, "quantiles": None}
    return {
        "mean": float(np.mean(values)),
        "sd": float(np.std(values)),
        "quantiles": np.quantile(values, _QUANTILES).tolist(),
    }
