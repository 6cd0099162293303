"""Plan of a training run, which is validated because training can take hours, and the card of the
result."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal

from pydantic import ValidationError

from mixed_company.adapters.batch import RewardMode
from mixed_company.engine.contract.config import refusal
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.game import Game
from mixed_company.files import write_whole
from mixed_company.learning.exploit.replies import check
from mixed_company.learning.exploit.searches import Effort
from mixed_company.policies.flat.actions import FlatActions
from mixed_company.policies.trained.card import SELF, Card

SPREAD = math.exp(-0.7)
"""Default spread of the first amounts that are tried: about a quarter of the range."""

EFFORT = (10, 64, 8, 40)
"""Default effort of a search for replies after a round of training."""

_NOT_WITH_RAY = (
    *("credit", "against", "deviators", "seats", "remember", "spread"),
    *("imitate", "cells", "paths", "rivalry", "against_replies"),
)

_ELSEWHERE = ("game", "output", "sentence", "command", "against_replies")
"""Fields that are already recorded in the configuration, or that do not affect learning."""


@dataclass(frozen=True)
class Plan:
    """Plan of a training run.

    observe, remember   observation fields; if none is named, all are observed
    against             policies in the other seats; if empty, all seats learn
    credit              reward under the group's aim: the mean of all seats, or the immediate
                        difference that the seat's own action makes to this mean
    deviators           policies that take one seat in half of the plays; the others learn to
                        deter them
    against_replies     maximum number of rounds of training and search, in which the best replies
                        join the deviators; 0: no search
    effort              effort of these searches: rounds, candidates, plays per candidate, and new
                        plays in which the gain is measured
    rivalry             weight of the seat's own points in plays with a deviator
    seats               seats that learn, each in its own plays; if empty, all
    spread              standard deviation of the first amounts that are tried, in half ranges
    imitate             policy to imitate first, for `imitate_steps` decisions; empty for none
    cells               a field, and the number of values that summarise each cell; or None
    paths               a field of cells, and the codes of walkable things; or None
    """

    game: Game[Any]
    name: str
    output: Path
    sentence: str
    aim: Any
    steps: int
    seed: int
    credit: Literal["mean", "difference"] = "mean"
    against: str = ""
    deviators: tuple[str, ...] = ()
    against_replies: int = 0
    effort: tuple[int, ...] = EFFORT
    rivalry: float = 0.0
    seats: tuple[int, ...] = ()
    observe: tuple[str, ...] = ()
    remember: tuple[str, ...] = ()
    sampling: Any = "mode"
    entropy: float = 0.0
    spread: float = SPREAD
    rate: float = 1e-3
    discount: float = 1.0
    hidden: int = 64
    imitate: str = ""
    imitate_steps: int = 1
    cells: tuple[str, int] | None = None
    paths: tuple[str, tuple[int, ...]] | None = None
    command: str = ""

    @property
    def checkpoint(self) -> Path:
        """Checkpoint file; after an interruption, training continues from it."""
        return self.output / f"{self.name}.checkpoint.zip"

    @property
    def reward(self) -> RewardMode:
        """Name of a learner's reward in `adapters.batch`."""
        if self.aim == "own":
            return "own"
        return "group" if self.credit == "mean" else "difference"

    @property
    def record(self) -> dict[str, Any]:
        """Everything that the weights depend on, by key, as plain JSON, for comparison with a
        checkpoint."""
        kept = {
            field.name: getattr(self, field.name)
            for field in fields(self)
            if field.name not in _ELSEWHERE
        }
        text = json.dumps({**kept, **self.game.config.model_dump(mode="json")})
        return dict(json.loads(text))

    def check_same(self, begun: Mapping[str, Any] | None) -> None:
        """Raise ConfigError if the training run was started with a different record."""
        if begun is None:
            rule = "this checkpoint does not record its settings; train again, without --resume"
            raise ConfigError(f"{self.checkpoint}: {rule}")
        now, before = _flat(self.record), _flat(begun)
        differing = [key for key in {**now, **before} if now.get(key) != before.get(key)]
        if differing:
            raise ConfigError(
                "\n".join(
                    f"{self.checkpoint}: {key} = {now.get(key)!r}: "
                    f"training was started with {before.get(key)!r}"
                    for key in differing
                )
            )

    def check(self, names: tuple[str, ...], algorithm: str, remembered: int) -> None:
        """Raise ConfigError for a plan that cannot be trained, or whose card would be invalid."""
        if self.seats and not self.against:
            raise ConfigError(f"seats = {list(self.seats)}: without --against, all seats learn")
        if self.deviators and self.against:
            raise ConfigError(
                f"deviators = {','.join(self.deviators)}: cannot be used with --against"
            )
        if self.against_replies and self.against:
            raise ConfigError(
                f"against_replies = {self.against_replies}: cannot be used with --against"
            )
        if self.against_replies:
            if len(self.effort) != len(EFFORT):
                rule = "should be rounds, candidates, plays per candidate, and new plays"
                raise ConfigError(f"effort = {','.join(map(str, self.effort))}: {rule}")
            check(self.effort[-1], Effort(*self.effort[:-1]), self.game.seats)
        if self.credit != "mean" and self.aim != "group":
            raise ConfigError(f"credit = {self.credit!r}: requires aim = 'group'")
        minima = {"steps": 1, "hidden": 1, "imitate_steps": 1, "against_replies": 0}
        for key, least in minima.items():
            if getattr(self, key) < least:
                raise ConfigError(f"{key} = {getattr(self, key)}: should be at least {least}")
        if not (math.isfinite(self.rate) and self.rate > 0):
            raise ConfigError(f"rate = {self.rate}: should be above 0")
        if not 0 < self.spread <= 1:
            raise ConfigError(f"spread = {self.spread}: should be above 0 and at most 1")
        if not 0 <= self.rivalry < math.inf:
            raise ConfigError(f"rivalry = {self.rivalry}: should be at least 0")
        if not 0 < self.discount <= 1:
            raise ConfigError(f"discount = {self.discount}: should be above 0 and at most 1")
        try:
            self.card(b"", names, algorithm, remembered, steps=0, seconds=0.0)
        except ValidationError as error:
            raise refusal(error, Card) from None

    def check_for_ray(self) -> None:
        """Raise ConfigError for a plan that RLlib cannot train."""
        for field in fields(self):
            if field.name in _NOT_WITH_RAY and getattr(self, field.name) != field.default:
                option = field.name.replace("_", "-")
                raise ConfigError(f"--{option}: cannot be used with --ray")
        if FlatActions(self.game.declaration.actions).choices:
            rule = "RLlib cannot mask this game's choices; use --ray only for games with amounts"
            raise ConfigError(f"game = {self.game.id}: {rule}")

    def write(self, card: Card, model: bytes) -> None:
        """Write `<name>.onnx` and `<name>.json` to the output folder."""
        self.output.mkdir(parents=True, exist_ok=True)
        (self.output / f"{self.name}.onnx").write_bytes(model)
        write_whole(self.output / f"{self.name}.json", card.model_dump_json(indent=2) + "\n")

    def card(
        self,
        model: bytes,
        names: tuple[str, ...],
        algorithm: str,
        remembered: int,
        steps: int,
        seconds: float,
    ) -> Card:
        """Return the card of a model that observes the numbers `names` and the means of some of
        them."""
        game = self.game
        return Card(
            id=self.name,
            sentence=self.sentence,
            source="ours: mixed_company.learning.training.ppo, after Schulman et al. (2017), "
            "arXiv:1707.06347",
            game=game.id,
            version=game.version,
            observation=names,
            action=tuple(field.name for field in game.declaration.actions),
            sampling=self.sampling,
            memory=1 + remembered if remembered else 0,
            config=game.config.model_dump(mode="json"),
            algorithm=self._description(algorithm),
            command=self.command,
            seed=self.seed,
            steps=steps,
            seconds=round(seconds, 1),
            aim=self.aim,
            against=self.against or SELF,
            deviators=",".join(self.deviators),
            sha256=hashlib.sha256(model).hexdigest(),
        )

    def _description(self, algorithm: str) -> str:
        before = f"imitation of {self.imitate}, then " if self.imitate else ""
        reward = " with difference rewards" if self.reward == "difference" else ""
        return f"{before}{algorithm}{reward}"


def _flat(record: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    """Return values by their full keys, with sections joined by dots."""
    values: dict[str, Any] = {}
    for key, value in record.items():
        if isinstance(value, Mapping) and value:
            values |= _flat(value, f"{before}{key}.")
        else:
            values[f"{before}{key}"] = value
    return values
