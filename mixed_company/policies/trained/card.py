"""The card of a trained policy describes its behaviour, its training and its scores.

A trained policy is two files in one folder: the model `<id>.onnx` and the card `<id>.json`.
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

SELF = "self"
"""Value of `against` if all seats learned together."""


class Interval(Section, strict=True):
    """A mean with its 95% confidence interval."""

    mean: float = parameter(..., "mean over plays", unit="points")
    low: float = parameter(..., "lower end", unit="points")
    high: float = parameter(..., "upper end", unit="points")


class Scores(Section, strict=True):
    """The policy's points under its training aim, compared with the game's scripted policies."""

    plays: int = parameter(..., "number of plays per policy", ge=1)
    seed: int | None = parameter(
        None, "seed that determines the seeds of the plays; None: as before 0.8.0", ge=0
    )
    measure: str = parameter(..., "what was measured", min_length=1)
    own: Interval = parameter(..., "the policy itself")
    others: dict[str, Interval] = parameter(..., "each scripted policy in place of the policy")
    verdict: str = parameter(..., "sentence about the policies that it does not beat", min_length=1)
    seats: tuple[Interval, ...] = parameter((), "the policy itself, seat by seat")
    actions: dict[str, dict[str, float]] = parameter(
        {}, "share of each choice, or of each quarter of an amount's range"
    )


class Gap(Section, strict=True):
    """Gain of one deviating seat when all others play the policy, from `mixed exploit --write`; a
    lower bound."""

    plays: int = parameter(..., "number of fresh plays in the measurement", ge=1)
    seed: int = parameter(..., "seed of searches and plays", ge=0)
    reply: str = parameter(
        ..., "the best reply: a policy, `open loop`, `ppo` or `itself`", min_length=1
    )
    own: Interval = parameter(..., "the policy itself")
    gain: Interval = parameter(..., "additional points that the reply earns")
    share_of_range: float = parameter(
        ..., "gain as a share of the range from the worst to the best of all replies", ge=-1, le=1
    )
    seats: tuple[Interval, ...] = parameter((), "gain of the best reply, seat by seat")
    replies: tuple[str, ...] = parameter(
        (), "the best reply, seat by seat; none: one reply was searched for all seats together"
    )
    errors: tuple[float, ...] = parameter(
        (),
        "how much less the best reply from another search gains, seat by seat; too small if all "
        "searches end at the same path",
        unit="points",
    )
    ranges: tuple[float, ...] = parameter(
        (), "range from the worst to the best of all replies, seat by seat", unit="points"
    )
    searched: dict[str, Interval] = parameter(
        {},
        "best gain found by each search, averaged over seats: tuned scripted policies, `open loop` "
        "(drawn), `periods` (changed period by period), `states` (through the states), `ppo`",
    )
    rounds: int = parameter(0, "rounds of a search; 0: unknown", ge=0)
    candidates: int = parameter(0, "candidates per round; 0: unknown", ge=0)
    plays_each: int = parameter(0, "plays per candidate; 0: unknown", ge=0)
    searched_plays: int = parameter(0, "number of plays in all searches; 0: unknown", ge=0)
    seconds: float = parameter(0.0, "CPU time; 0: unknown", unit="s", ge=0)
    verdict: str = parameter("", "whether the policy is hard to exploit, as `verdict` decides")


HARD = 0.1
"""A policy is hard to exploit if no seat can gain this share of the range of replies."""


def verdict(gap: Gap) -> str:
    """Return a sentence that says whether a policy is hard to exploit, based only on its gap.

    It is hard to exploit if, in every seat, the upper end of the gain's interval plus the search
    error is below a tenth of the range. Returns "" if the seats were not searched separately.
    """
    if not gap.replies or not len(gap.seats) == len(gap.errors) == len(gap.ranges):
        return ""
    shares = shares_of_range(gap)
    seat = max(range(len(shares)), key=shares.__getitem__)
    kind = "Hard" if shares[seat] < HARD else "Not hard"
    return (
        f"{kind} to exploit: seat {seat} can gain up to {100 * shares[seat]:.1f}% of the range, "
        f"and the limit is {100 * HARD:.0f}%."
    )


def shares_of_range(gap: Gap) -> list[float]:
    """Return, for every seat, the upper end of the gain's interval plus the error, as a share of
    the range."""
    seats = zip(gap.seats, gap.errors, gap.ranges, strict=True)
    return [(gain.high + error) / width if width else 0.0 for gain, error, width in seats]


class Round(Section, strict=True):
    """A search for replies after a round of training with `mixed train --against-replies`."""

    points: float = parameter(..., "points of a seat among copies of the policy", unit="points")
    shares: tuple[float, ...] = parameter(
        ..., "upper end of the gain plus the error, as a share of the range, seat by seat"
    )
    replies: tuple[str, ...] = parameter(
        ...,
        "the best reply, seat by seat, which then joins the deviators; `itself`: no reply gains",
    )

    @property
    def share(self) -> float:
        """Largest share of the range that any seat can gain."""
        return max(self.shares)


class Seeds(Section, strict=True):
    """Results of the same training with other seeds, from `mixed judge --seeds`."""

    plays: int = parameter(..., "number of plays per pair", ge=2)
    seed: int = parameter(..., "seed that determines the plays' seeds", ge=0)
    by_aim: dict[str, Interval] = parameter(
        ..., "training seed -> points of its policy by the aim, as in `scores`"
    )
    alone: dict[str, Interval] = parameter(
        ..., "training seed -> points of a seat if all follow its policy"
    )
    among: dict[str, Interval] = parameter(
        ..., "training seed -> points of one seat among seats with each other seed in turn"
    )


class Likeness(Section, strict=True):
    """Scores of an imitation on people it was not fitted to, from `python -m docs.judged`."""

    data: str = parameter(..., "the people", min_length=1)
    replies: int = parameter(..., "predicted replies", ge=1)
    per_reply: float = parameter(
        ..., "log likelihood per reply of the policy, fitted to other people", le=0
    )
    others: dict[str, float] = parameter(..., "the same for other models")
    verdict: str = parameter(..., "sentence about the models that predict better", min_length=1)
    fitted: float = parameter(
        ...,
        "log likelihood per reply, after the first period, of the policy itself, which was fitted "
        "to all people",
        le=0,
    )


class Card(Section, strict=True):
    """Everything about a trained policy except its weights."""

    id: str = parameter(..., "name of the policy in a session", pattern="^[a-z][a-z0-9_]*$")
    sentence: str = parameter(..., "behaviour of the policy, in one sentence", min_length=1)
    source: str = parameter(..., "author and method", min_length=1)
    game: str = parameter(..., "game id")
    version: str = parameter(..., "version of the game's rules")
    observation: tuple[str, ...] = parameter(
        ...,
        "numbers that the policy sees, in order, as "
        "mixed_company.policies.flat.observations names them",
        min_length=1,
    )
    action: tuple[str, ...] = parameter(
        ..., "action fields on which the policy decides", min_length=1
    )
    sampling: Literal["mode", "sample"] = parameter(
        ...,
        "whether the policy plays the most likely action or samples from action probabilities",
    )
    memory: int = parameter(0, "number of values that the policy remembers", ge=0, le=10_000)
    config: dict[str, Any] = parameter(..., "game configuration in which the policy was trained")
    algorithm: str = parameter(..., "training algorithm", min_length=1)
    command: str = parameter("", "command that trained the policy")
    seed: int = parameter(..., "seed of the training run", ge=0, le=MAX_SEED)
    steps: int = parameter(..., "number of decisions in the training run", ge=0)
    seconds: float = parameter(..., "duration of the training run", unit="s", ge=0)
    aim: Literal["own", "group", "people"] = parameter(
        ...,
        "reward in training: the points of the policy's seat, the mean of all seats, or "
        "similarity to people",
    )
    against: str = parameter(..., "policies of the other seats, or self", min_length=1)
    deviators: str = parameter(
        "", "policies that it learned to deter, which took one seat in half of the plays"
    )
    scores: Scores | None = parameter(None, "its results, from `mixed judge --write`")
    gap: Gap | None = parameter(None, "how far it is from being a best reply to itself")
    seeds: Seeds | None = parameter(
        None, "results of other training seeds, under the aim and in cross-play"
    )
    likeness: Likeness | None = parameter(None, "how well it predicts people, if it imitates them")
    rounds: tuple[Round, ...] = parameter(
        (),
        "rounds of training against replies; the policy is from the round with the smallest share",
    )
    sha256: str = parameter(..., "SHA-256 of the model file", pattern="^[0-9a-f]{64}$")


def read(path: Path) -> Card:
    """Return the card in a file, checked against the game and the model file.

    Raises a ConfigError that names the file, the key, its value and the rule.
    """
    try:
        card = _parsed(path.read_bytes())
        _check_game(card)
        _check_verdict(card)
        _check_files(card, path)
    except EngineError as error:
        lines = str(error).splitlines()
        raise ConfigError("\n".join(f"{path}: {line}" for line in lines)) from None
    return card


def _parsed(text: bytes) -> Card:
    try:
        json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"not JSON: {error}") from None
    try:
        return Card.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        if first["type"] == "json_invalid":  # pydantic allows less nesting than json
            raise ConfigError(f"not JSON: {first['msg']}") from None
        raise refusal(error, Card) from None


def _check_game(card: Card) -> None:
    game = engine.find(card.game)
    if card.version != game.version:
        raise ConfigError(
            f"version = {card.version!r}: the rules of {card.game} are version {game.version!r}"
        )
    identity = card.config.get("identity")
    trained_for = identity.get("game") if isinstance(identity, dict) else None
    if trained_for != card.game:
        raise ConfigError(
            f"config.identity.game = {trained_for!r}: should be {card.game!r}, the card's game"
        )


def _check_verdict(card: Card) -> None:
    # cards written before 0.9 have a space before the per cent sign
    if card.gap is not None and card.gap.verdict.replace(" %", "%") != verdict(card.gap):
        rule = f"should be {verdict(card.gap)!r}, which follows from its numbers"
        raise ConfigError(f"gap.verdict = {card.gap.verdict!r}: {rule}")


def _check_files(card: Card, path: Path) -> None:
    if card.id != path.stem:
        raise ConfigError(f"id = {card.id!r}: should be the name of the file, {path.stem!r}")
    model_bytes(card, path)


def model_bytes(card: Card, path: Path) -> bytes:
    """Return the bytes of the model next to a card's file, checked against its sha256.

    Raises a ConfigError that names the key, its value and the rule.
    """
    model = path.with_suffix(".onnx")
    if not model.is_file():
        raise ConfigError(f"id = {card.id!r}: its model {model.name} is missing")
    content = model.read_bytes()
    digest = hashlib.sha256(content).hexdigest()
    if digest != card.sha256:
        raise ConfigError(f"sha256 = {card.sha256!r}: {model.name} has the hash {digest}")
    return content
