"""The card of a trained policy: what it is, what it was trained for, and how it does.

A policy is two files of one folder, `<id>.onnx` and `<id>.json`. The second is the card.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any, Literal

from pydantic import ValidationError

from mixed_company import engine
from mixed_company.engine.contract.chance import MAX_SEED
from mixed_company.engine.contract.config import refusal
from mixed_company.engine.contract.errors import ConfigError, EngineError
from mixed_company.engine.contract.section import Section, parameter

__all__ = ["SELF", "Card", "Gap", "Interval", "Scores", "Seeds", "model_bytes", "read"]

SELF = "self"
"""What `against` says where all seats learned together."""


class Interval(Section, strict=True):
    """A mean with its 95 % confidence interval."""

    mean: float = parameter(..., "mean over plays", unit="points")
    low: float = parameter(..., "lower end", unit="points")
    high: float = parameter(..., "upper end", unit="points")


class Scores(Section, strict=True):
    """What the policy earned by its aim, beside the scripted policies of the game."""

    plays: int = parameter(..., "plays of each policy", ge=1)
    seed: int | None = parameter(
        None, "what the seeds of the plays follow from; None: that of before 0.8.0", ge=0
    )
    measure: str = parameter(..., "what was measured", min_length=1)
    own: Interval = parameter(..., "the policy itself")
    others: dict[str, Interval] = parameter(..., "each scripted policy in its place")
    verdict: str = parameter(..., "which of them it does not beat, in words", min_length=1)
    seats: tuple[Interval, ...] = parameter((), "the policy itself, seat by seat")
    actions: dict[str, dict[str, float]] = parameter(
        {}, "how often what is done: the share of each choice; of an amount its quarters"
    )


class Gap(Section, strict=True):
    """What a deviator gains in a field of the policy, by `mixed exploit --write`; a lower end."""

    plays: int = parameter(..., "fresh plays by which it was measured", ge=1)
    seed: int = parameter(..., "what searches and plays follow from", ge=0)
    reply: str = parameter(
        ..., "what gains it: a policy, `open loop`, `ppo`, or `itself`", min_length=1
    )
    own: Interval = parameter(..., "the policy itself")
    gain: Interval = parameter(..., "what the reply earns more")
    share_of_range: float = parameter(
        ..., "of what lies between the worst and the best of all replies", ge=-1, le=1
    )
    seats: tuple[Interval, ...] = parameter((), "what the reply gains, seat by seat")
    searched: dict[str, Interval] = parameter(
        {}, "what the best of every search gains: scripted policies as tuned, `open loop`, `ppo`"
    )


class Seeds(Section, strict=True):
    """What the same training with other seeds comes to, by `mixed judge --seeds`."""

    plays: int = parameter(..., "plays of each pair", ge=2)
    seed: int = parameter(..., "what the seeds of the plays follow from", ge=0)
    by_aim: dict[str, Interval] = parameter(
        ..., "training seed -> what its policy earns by the aim, as `scores` has it"
    )
    alone: dict[str, Interval] = parameter(
        ..., "training seed -> points of a seat where all follow its policy"
    )
    among: dict[str, Interval] = parameter(
        ..., "training seed -> points of one seat among others of another seed, each in turn"
    )


class Card(Section, strict=True):
    """Everything there is to know of a trained policy besides its weights."""

    id: str = parameter(..., "how a session names it", pattern="^[a-z][a-z0-9_]*$")
    sentence: str = parameter(..., "what it does, in one sentence", min_length=1)
    source: str = parameter(..., "who made it, and how", min_length=1)
    game: str = parameter(..., "game id")
    version: str = parameter(..., "version of the game's rules")
    observation: tuple[str, ...] = parameter(
        ...,
        "the numbers it sees, in order, as mixed_company.policies.flat.observations names them",
        min_length=1,
    )
    action: tuple[str, ...] = parameter(..., "the action fields it decides", min_length=1)
    sampling: Literal["mode", "sample"] = parameter(
        ..., "the likeliest action, or one drawn from what it thinks likely"
    )
    memory: int = parameter(0, "how many numbers it remembers", ge=0, le=10_000)
    config: dict[str, Any] = parameter(..., "the configuration it was trained for")
    algorithm: str = parameter(..., "how it was trained", min_length=1)
    command: str = parameter("", "the command that trained it")
    seed: int = parameter(..., "seed of the training", ge=0, le=MAX_SEED)
    steps: int = parameter(..., "decisions it was trained on", ge=0)
    seconds: float = parameter(..., "what the training took", unit="s", ge=0)
    aim: Literal["own", "group"] = parameter(
        ..., "rewarded with what its seat earns, or with the mean of all seats"
    )
    against: str = parameter(..., "policies of the other seats, or self", min_length=1)
    deviators: str = parameter(
        "", "whom it learned to deter: policies of one seat, in half its plays"
    )
    scores: Scores | None = parameter(None, "how it does; by `mixed judge --write`")
    gap: Gap | None = parameter(None, "how far it is from being its own best reply")
    seeds: Seeds | None = parameter(None, "how training seeds do by the aim, and among each other")
    sha256: str = parameter(..., "of the model file", pattern="^[0-9a-f]{64}$")


def read(path: Path) -> Card:
    """The card in a file, checked against the games that there are and against its model file.

    Raises ConfigError that names the file, the key, its value and the rule.
    """
    try:
        card = _parsed(path.read_bytes())
        _check_game(card)
        _check_files(card, path)
    except EngineError as error:
        lines = str(error).splitlines()
        raise ConfigError("\n".join(f"{path}: {line}" for line in lines)) from None
    return card


def _parsed(text: bytes) -> Card:
    try:
        json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"is no JSON: {error}") from None
    try:
        return Card.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        if first["type"] == "json_invalid":  # nested deeper than pydantic reads
            raise ConfigError(f"is no JSON: {first['msg']}") from None
        raise refusal(error, Card) from None


def _check_game(card: Card) -> None:
    game = engine.find(card.game)
    if card.version != game.version:
        raise ConfigError(
            f"version = {card.version!r}: the rules of {card.game} are of version {game.version!r}"
        )
    identity = card.config.get("identity")
    trained_for = identity.get("game") if isinstance(identity, dict) else None
    if trained_for != card.game:
        raise ConfigError(f"config.identity.game = {trained_for!r}: the card is of {card.game}")


def _check_files(card: Card, path: Path) -> None:
    if card.id != path.stem:
        raise ConfigError(f"id = {card.id!r}: should be the name of the file, {path.stem!r}")
    model_bytes(card, path)


def model_bytes(card: Card, path: Path) -> bytes:
    """The bytes of the model beside a card's file, which are those that the card was written for.

    Raises ConfigError that names the key, its value and the rule.
    """
    model = path.with_suffix(".onnx")
    if not model.is_file():
        raise ConfigError(f"id = {card.id!r}: its model {model.name} is missing")
    content = model.read_bytes()
    digest = hashlib.sha256(content).hexdigest()
    if digest != card.sha256:
        raise ConfigError(f"sha256 = {card.sha256!r}: {model.name} has other bytes, {digest}")
    return content
