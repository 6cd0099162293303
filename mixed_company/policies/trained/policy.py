"""A trained policy in a seat: its card, its model, and what stands between them and the game."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from mixed_company import engine
from mixed_company.engine.contract.allowed import Allowed
from mixed_company.engine.contract.chance import inside
from mixed_company.engine.contract.errors import ConfigError, EngineError
from mixed_company.engine.contract.space import Array, Field
from mixed_company.engine.game import Game
from mixed_company.policies.draws import Draws, seat_chance
from mixed_company.policies.flat.actions import FlatActions
from mixed_company.policies.flat.observations import FlatObservations
from mixed_company.policies.odds import Normal, Odds
from mixed_company.policies.policy import Action, Decided, Memory, Observation, Policy, Seats
from mixed_company.policies.trained.card import Card, model_bytes
from mixed_company.policies.trained.model import Answer, Model, Shapes

__all__ = ["HERE", "Trained", "opened", "policy_class"]

QUICK_SECONDS = 0.002
"""A model that takes longer for a decision is asked beside the server's loop."""

HERE = Path(__file__).parents[3] / "bots/trained"
"""The folder of the policies that come with this project."""

_PLACE = re.compile(r"\[[\d,]*\]$")


class Trained(Policy):
    """What all trained policies share; each is a subclass with a card, see `policy_class`."""

    card: ClassVar[Card]
    path: ClassVar[Path]

    def __init__(self, game: Game[Any], **parameters: float) -> None:
        super().__init__(game.core, **parameters)
        _check_fit(self.card, game)
        self._seen = FlatObservations(game.declaration.observations, game.seats)
        self._acts = FlatActions(game.declaration.actions)
        names = {name: place for place, name in enumerate(self._seen.names)}
        self._places = np.array([names[name] for name in self.card.observation])
        self._model = opened(self.card, self.path)
        self.slow = self._model.seconds > QUICK_SECONDS

    @property
    def ours(self) -> bool:
        """Does it come with this project?"""
        return self.path.parent == HERE

    @property
    def lets_others_run(self) -> bool:
        """Its model is run by a library that needs no lock of Python."""
        return True

    @classmethod
    def for_game(cls, game: Game[Any], **parameters: float) -> Self:
        """The policy for a game. Raises ConfigError if it was not trained for such a one."""
        return cls(game, **parameters)

    def start(self) -> Memory:
        return {"numbers": [0.0] * self.card.memory} if self.card.memory else {}

    def act_together(self, seats: Seats) -> Decided:
        """With everything open that is declared."""
        everything = Allowed(self._acts.layout, (seats.count,), {}, {})
        return self.act_together_within(everything, seats)

    def act_together_within(self, allowed: Allowed, seats: Seats) -> Decided:
        """NaN where the model gave a number that is not finite."""
        answer, actions = self._answered(allowed, seats)
        finite = {name: np.where(answer.finite, value, np.nan) for name, value in actions.items()}
        return finite, {} if answer.memory is None else {"numbers": answer.memory}

    def act_within(
        self,
        allowed: Allowed,
        observation: Observation,
        memory: Memory,
        rng: np.random.Generator | Draws,
    ) -> tuple[Action, Memory]:
        """The same for one seat. Raises ValueError for a number that is not finite."""
        seats = Seats.one(observation, memory, Draws.of(rng))
        answer, actions = self._answered(allowed.rows(None), seats)
        self._model.check(answer)
        after = {} if answer.memory is None else {"numbers": answer.memory[0].tolist()}
        return {name: value.item() for name, value in actions.items()}, after

    def odds(self, allowed: Allowed, observation: Observation, memory: Memory) -> Odds | None:
        """By its card: 1 for the likeliest choice, or what is drawn from; of amounts only this."""
        now = allowed.rows(None)
        open_now, answer = self._asked(now, Seats.one(observation, memory, seat_chance(0, 0, 0)))
        if self._acts.choices:
            likely = np.where(open_now, answer.action, -np.inf)[0]
            return self._acts.by_field([self._shares(part) for part in self._split(likely)])
        if self.card.sampling == "mode" or answer.spread is None:
            return None
        mean, sd = self._acts.read(answer.action, now)[0], self._acts.scaled(answer.spread, now)
        return {name: Normal(mean[name][0], sd[name][0]) for name in mean}

    def _shares(self, likely: Array) -> Array:
        """The probabilities of the choices of a field, from their logits."""
        if self.card.sampling == "mode":
            return np.asarray(np.arange(likely.size) == likely.argmax(), dtype=np.float64)
        weights = np.exp(likely - likely.max())
        return np.asarray(weights / weights.sum())

    def _answered(self, allowed: Allowed, seats: Seats) -> tuple[Answer, dict[str, Array]]:
        """What the model says to K seats, and field -> (K,) what it means."""
        open_now, answer = self._asked(allowed, seats)
        if self._acts.choices:
            sent = self._chosen(answer.action, open_now, seats.draws)
        else:
            sent = self._drawn(answer, seats.draws)
            if not answer.finite.all():
                sent = np.where(answer.finite[:, None], sent, 0.0)
        return answer, self._acts.read(sent, allowed)[0]

    def _asked(self, allowed: Allowed, seats: Seats) -> tuple[Array, Answer]:
        """What is open to K seats, and what the model gives for them."""
        seen = self._seen.of_seats(seats.seen)[:, self._places]
        count, fields = len(seen), len(self._acts.layout)
        open_now = self._acts.masks(allowed) if self._acts.choices else np.ones((count, fields))
        numbers = seats.memory.get("numbers", np.zeros((count, 0)))
        return open_now, self._model.ask(seen, np.asarray(numbers, np.float32), open_now)

    def _split(self, likely: Array) -> list[Array]:
        """(..., choices) of all fields, number by number."""
        return np.split(likely, np.cumsum(self._acts.sizes)[:-1], axis=-1)

    def _chosen(self, logits: Array, open_now: Array, draws: Draws) -> Array:
        """(K, fields) indices: the likeliest of the open choices, or one drawn."""
        likely = np.where(open_now, logits, -np.inf)
        if self.card.sampling == "sample":  # the largest after Gumbel noise is drawn by softmax
            likely = likely - np.log(-np.log(inside(draws.random(shape=likely.shape[1:]))))
        chosen = np.stack([part.argmax(axis=1) for part in self._split(likely)], axis=1)
        return chosen.reshape(len(logits), *self._acts.shape)

    def _drawn(self, answer: Answer, draws: Draws) -> Array:
        """(K, fields) numbers from -1 to 1 per amount: the middle, or one drawn around it."""
        if self.card.sampling == "mode" or answer.spread is None:
            return answer.action
        noise = draws.normal(shape=answer.action.shape[1:])
        return np.asarray(answer.action + answer.spread * noise)


def policy_class(card: Card, path: Path) -> type[Trained]:
    """The policy of a card; `path` is the file the card was in."""
    name = card.id.title().replace("_", "")
    content = {
        "__doc__": card.sentence,
        "__module__": __name__,
        "id": card.id,
        "games": (card.game,),
        "version": "2" if card.sampling == "sample" else "1",
        "source": card.source,
        "card": card,
        "path": path,
    }
    return type(name, (Trained,), content)


def opened(card: Card, path: Path) -> Model:
    """The model of a card. Raises ConfigError that names the file that is wrong."""
    game = _trained_for(card, path)
    known = FlatObservations(game.declaration.observations, game.seats).names
    for name in card.observation:
        if name not in known:
            raise ConfigError(f"{path}: observation: {name!r} is not seen under its config")
    fields = tuple(field.name for field in game.declaration.actions)
    if card.action != fields:
        raise ConfigError(f"{path}: action = {list(card.action)}: should be {list(fields)}")
    acts = FlatActions(game.declaration.actions)
    shapes = Shapes(
        observation=len(card.observation),
        memory=card.memory,
        action=sum(acts.sizes) if acts.choices else len(fields),
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
    """Refuse a game in which what the policy sees or does has another form."""
    trained_for = engine.restored(card.config)
    if game.seats != trained_for.seats:
        raise ConfigError(
            f"{card.id}: seats = {game.seats}: it was trained for {trained_for.seats}"
        )
    fields = {_PLACE.sub("", name.removeprefix("shown: ")) for name in card.observation}
    for what, here, there in (
        ("sees", game.declaration.observations, trained_for.declaration.observations),
        ("does", game.declaration.actions, trained_for.declaration.actions),
    ):
        by_name = {field.name: field for field in here}
        for field in there:
            if what == "does" or field.name in fields:
                _check_field(card, what, field, by_name.get(field.name))


def _check_field(card: Card, what: str, trained_on: Field, field: Field | None) -> None:
    if field is None:
        raise ConfigError(f"{card.id}: it {what} {trained_on.name!r}, which is not there")
    for key in ("kind", "shape", "names", "maskable"):
        here, there = getattr(field, key), getattr(trained_on, key)
        if here != there:
            raise ConfigError(
                f"{card.id}: it {what} {trained_on.name!r}, whose {key} is {here} here and "
                f"{there} where it was trained"
            )
    if field.kind == "choice" and (field.low, field.high) != (trained_on.low, trained_on.high):
        raise ConfigError(
            f"{card.id}: it {what} {trained_on.name!r}, which is from {field.low:g} to "
            f"{field.high:g} here and from {trained_on.low:g} to {trained_on.high:g} where it was "
            f"trained"
        )
