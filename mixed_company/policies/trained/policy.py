"""A trained policy: its card, its model, and the conversion between model and game."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from mixed_company import engine
from mixed_company.engine.contract.allowed import Allowed
from mixed_company.engine.contract.chance import inside
from mixed_company.engine.contract.errors import ConfigError, EngineError
from mixed_company.engine.contract.peer_layout import ASSIGN
from mixed_company.engine.contract.space import Array, Field
from mixed_company.engine.game import Game
from mixed_company.policies.draws import Draws, seat_chance
from mixed_company.policies.flat.actions import FlatActions
from mixed_company.policies.flat.observations import FlatObservations
from mixed_company.policies.odds import Normal, Odds
from mixed_company.policies.policy import Action, Decided, Memory, Observation, Policy, Seats
from mixed_company.policies.trained.card import Card, model_bytes
from mixed_company.policies.trained.model import Answer, Model, Shapes

QUICK_SECONDS = 0.002
"""Decision time above which a model runs outside the server's event loop."""

HERE = Path(__file__).parents[3] / "bots/trained"
"""Folder for this project's trained policies."""

_PLACE = re.compile(r"\[[\d,]*\]$")


class Trained(Policy):
    """Base class of trained policies. Each policy is a subclass with its card; see
    `policy_class`."""

    card: ClassVar[Card]
    path: ClassVar[Path]

    def __init__(self, game: Game[Any], **parameters: float) -> None:
        super().__init__(game.told, **parameters)
        _check_fit(self.card, game)
        self._seen = FlatObservations(game.declaration.observations, game.seats)
        fields = (field for field in game.declaration.actions if field.name in self.card.action)
        self._acts = FlatActions(tuple(fields))
        names = {name: place for place, name in enumerate(self._seen.names)}
        self._places = np.array([names[name] for name in self.card.observation])
        self._model = opened(self.card, self.path)
        self.slow = self._model.seconds > QUICK_SECONDS

    def __reduce__(self) -> tuple[Any, ...]:
        """Return the card to pickle instead of the class, which exists only in this process."""
        return _empty, (self.card, self.path), self.__dict__

    @property
    def ours(self) -> bool:
        """True if the policy is part of this project."""
        return self.path.parent == HERE

    @property
    def lets_others_run(self) -> bool:
        """Always True, because onnxruntime releases Python's lock."""
        return True

    @classmethod
    def for_game(cls, game: Game[Any], **parameters: float) -> Self:
        """Return the policy for a game. Raises ConfigError if it was trained for other games."""
        return cls(game, **parameters)

    def start(self) -> Memory:
        return {"numbers": [0.0] * self.card.memory} if self.card.memory else {}

    def act_together(self, seats: Seats) -> Decided:
        """Return the actions that it would choose if all declared choices and amounts were open."""
        everything = Allowed(self._acts.layout, (seats.count,), {}, {})
        return self.act_together_within(everything, seats)

    def act_together_within(self, allowed: Allowed, seats: Seats) -> Decided:
        """Return the actions, with NaN where the model returned a number that is not finite."""
        answer, actions = self._answered(allowed, seats)
        finite = {
            name: np.where(
                np.expand_dims(answer.finite, tuple(range(1, value.ndim))), value, np.nan
            )
            for name, value in actions.items()
        }
        return finite, {} if answer.memory is None else {"numbers": answer.memory}

    def act_within(
        self,
        allowed: Allowed,
        observation: Observation,
        memory: Memory,
        rng: np.random.Generator | Draws,
    ) -> tuple[Action, Memory]:
        """Return one seat's action. Raises ValueError if the model returned a number that is not
        finite."""
        seats = Seats.one(observation, memory, Draws.of(rng))
        answer, actions = self._answered(allowed.rows(None), seats)
        self._model.check(answer)
        after = {} if answer.memory is None else {"numbers": answer.memory[0].tolist()}
        return {name: value[0].tolist() for name, value in actions.items()}, after

    def odds(self, allowed: Allowed, observation: Observation, memory: Memory) -> Odds | None:
        """Return the odds: the distribution from which actions are drawn, or 1 for the most likely
        choice.

        Amounts have odds only if they are drawn.
        """
        now = allowed.rows(None)
        open_now, answer = self._asked(now, Seats.one(observation, memory, seat_chance(0, 0, 0)))
        if self._acts.choices:
            likely = np.where(open_now, answer.action, -np.inf)[0]
            return self._acts.by_field([self._shares(part) for part in self._split(likely)])
        if self.card.sampling == "mode" or answer.spread is None:
            return None
        mean, sd = self._acts.unclipped(answer.action, now), self._acts.scaled(answer.spread, now)
        return {name: Normal(mean[name][0], sd[name][0]) for name in mean}

    def _shares(self, likely: Array) -> Array:
        """Convert the logits of a field's choices to probabilities."""
        if self.card.sampling == "mode":
            return np.asarray(np.arange(likely.size) == likely.argmax(), dtype=np.float64)
        weights = np.exp(likely - likely.max())
        return np.asarray(weights / weights.sum())

    def _answered(self, allowed: Allowed, seats: Seats) -> tuple[Answer, dict[str, Array]]:
        """Return the model's answer for K seats, and the actions as field -> (K,)."""
        open_now, answer = self._asked(allowed, seats)
        if self._acts.choices:
            sent = self._chosen(answer.action, open_now, seats.draws)
        else:
            sent = self._drawn(answer, seats.draws)
            if not answer.finite.all():
                sent = np.where(answer.finite[:, None], sent, 0.0)
        return answer, self._acts.read(sent, allowed)[0]

    def _asked(self, allowed: Allowed, seats: Seats) -> tuple[Array, Answer]:
        """Return the choices that are open to K seats, and the model's answer."""
        seen = self._seen.of_seats(seats.seen)[:, self._places]
        count, amounts = len(seen), self._acts.count
        open_now = self._acts.masks(allowed) if self._acts.choices else np.ones((count, amounts))
        numbers = seats.memory.get("numbers", np.zeros((count, 0)))
        return open_now, self._model.ask(seen, np.asarray(numbers, np.float32), open_now)

    def _split(self, likely: Array) -> list[Array]:
        """Split an array (..., choices of all fields) into one array per number."""
        return np.split(likely, np.cumsum(self._acts.sizes)[:-1], axis=-1)

    def _chosen(self, logits: Array, open_now: Array, draws: Draws) -> Array:
        """Return the index of the most likely open choice, or of a choice that is drawn, shape (K,
        fields)."""
        likely = np.where(open_now, logits, -np.inf)
        if self.card.sampling == "sample":  # argmax with Gumbel noise draws from softmax
            likely = likely - np.log(-np.log(inside(draws.random(shape=likely.shape[1:]))))
        chosen = np.stack([part.argmax(axis=1) for part in self._split(likely)], axis=1)
        return chosen.reshape(len(logits), *self._acts.shape)

    def _drawn(self, answer: Answer, draws: Draws) -> Array:
        """Return a number from -1 to 1 per amount, (K, fields): the mean, or a draw around it."""
        if self.card.sampling == "mode" or answer.spread is None:
            return answer.action
        noise = draws.normal(shape=answer.action.shape[1:])
        return np.asarray(answer.action + answer.spread * noise)


def policy_class(card: Card, path: Path) -> type[Trained]:
    """Return the policy class for a card; `path` is the card's file."""
    name = card.id.title().replace("_", "")
    content = {
        "__doc__": card.sentence,
        "__module__": __name__,
        "id": card.id,
        "games": (card.game,),
        "stage": None if ASSIGN in card.action else 0,
        "version": "2" if card.sampling == "sample" else "1",
        "source": card.source,
        "card": card,
        "path": path,
    }
    return type(name, (Trained,), content)


def _empty(card: Card, path: Path) -> Trained:
    """Return a card's policy without its attributes, which pickle adds."""
    kind = policy_class(card, path)
    return kind.__new__(kind)


def opened(card: Card, path: Path) -> Model:
    """Return a card's model. Raises a ConfigError that names the invalid file."""
    game = _trained_for(card, path)
    names = FlatObservations(game.declaration.observations, game.seats).names
    for name in card.observation:
        if name not in names:
            raise ConfigError(
                f"{path}: observation: {name!r} does not exist under the card's config"
            )
    fields = tuple(field.name for field in game.declaration.actions)
    if card.action != fields:
        raise ConfigError(f"{path}: action = {list(card.action)}: should be {list(fields)}")
    acts = FlatActions(game.declaration.actions)
    shapes = Shapes(
        observation=len(card.observation),
        memory=card.memory,
        action=sum(acts.sizes) if acts.choices else acts.count,
        choices=acts.choices,
        drawn=card.sampling == "sample" and not acts.choices,
    )
    try:
        content = model_bytes(card, path)
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from None
    return Model(path.with_suffix(".onnx"), shapes, content)


def _trained_for(card: Card, path: Path) -> Game[Any]:
    try:
        return engine.restored(card.config)
    except EngineError as error:
        raise ConfigError(f"{path}: config: {error}") from None


def _check_fit(card: Card, game: Game[Any]) -> None:
    """Reject a game whose observations or actions differ in form from the policy's."""
    trained_for = engine.restored(card.config)
    if game.seats != trained_for.seats:
        raise ConfigError(
            f"{card.id}: seats = {game.seats}: the policy was trained for {trained_for.seats}"
        )
    fields = {_PLACE.sub("", name.removeprefix("shown: ")) for name in card.observation}
    for verb, here, wanted in (
        ("sees", game.declaration.observations, trained_for.declaration.observations),
        ("decides", game.declaration.actions, trained_for.declaration.actions),
    ):
        by_name = {field.name: field for field in here}
        for field in wanted:
            if verb == "decides" or field.name in fields:
                _check_field(card, verb, field, by_name.get(field.name))


def _check_field(card: Card, verb: str, trained_on: Field, field: Field | None) -> None:
    if field is None:
        raise ConfigError(
            f"{card.id}: the policy {verb} {trained_on.name!r}, which this game lacks"
        )
    for key in ("kind", "shape", "names", "maskable"):
        here, wanted = getattr(field, key), getattr(trained_on, key)
        if here != wanted:
            raise ConfigError(
                f"{card.id}: the policy {verb} {trained_on.name!r}, whose {key} is {here} here and "
                f"{wanted} where it was trained"
            )
    if field.kind == "choice" and (field.low, field.high) != (trained_on.low, trained_on.high):
        raise ConfigError(
            f"{card.id}: the policy {verb} {trained_on.name!r}, which is from {field.low:g} to "
            f"{field.high:g} here and from {trained_on.low:g} to {trained_on.high:g} where it was "
            f"trained"
        )
