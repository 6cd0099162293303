"""A trained policy in a seat: its card, its model, and what stands between them and the game."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

import engine
from bots.flat.actions import FlatActions
from bots.flat.observations import FlatObservations
from bots.policy import Action, Batched, Memory, Observation
from bots.trained.card import Card
from bots.trained.model import Answer, Model, Shapes
from engine.contract.allowed import Allowed
from engine.contract.errors import ConfigError, EngineError
from engine.contract.space import Array, Field
from engine.game import Game

__all__ = ["Trained", "opened", "policy_class"]

_PLACE = re.compile(r"\[[\d,]*\]$")


class Trained(Batched):
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

    @classmethod
    def for_game(cls, game: Game[Any], **parameters: float) -> Self:
        """The policy for a game. Raises ConfigError if it was not trained for such a one."""
        return cls(game, **parameters)

    def start(self) -> Memory:
        return {"numbers": [0.0] * self.card.memory} if self.card.memory else {}

    def act(
        self, observation: Observation, memory: Memory, rng: np.random.Generator
    ) -> tuple[Action, Memory]:
        """With everything open that is declared."""
        everything = Allowed(self._acts.layout, (), {}, {})
        return self.act_within(everything, observation, memory, rng)

    def act_within(
        self,
        allowed: Allowed,
        observation: Observation,
        memory: Memory,
        rng: np.random.Generator,
    ) -> tuple[Action, Memory]:
        seen = self._seen.of_seat(observation)[None]
        answer, actions = self._answered(allowed.rows(None), seen, [memory], iter([rng]))
        self._model.check(answer)
        return {name: value.item() for name, value in actions.items()}, _memories(answer)[0]

    def act_together(
        self,
        allowed: Allowed,
        observations: Observation,
        memories: Sequence[Memory],
        rngs: Iterator[np.random.Generator],
    ) -> tuple[Mapping[str, Array], Sequence[Memory]]:
        """NaN where the model gave a number that is not finite."""
        seen = self._seen.of_seats(observations)
        answer, actions = self._answered(allowed, seen, memories, rngs)
        finite = {name: np.where(answer.finite, value, np.nan) for name, value in actions.items()}
        return finite, _memories(answer)

    def _answered(
        self,
        allowed: Allowed,
        seen: Array,
        memories: Sequence[Memory],
        rngs: Iterator[np.random.Generator],
    ) -> tuple[Answer, dict[str, Array]]:
        """What the model says to K seats that see (K, size), and field -> (K,) what it means."""
        count = len(memories)
        fields = len(self._acts.layout)
        open_now = self._acts.masks(allowed) if self._acts.choices else np.ones((count, fields))
        numbers = np.array([notes.get("numbers", ()) for notes in memories], dtype=np.float32)
        answer = self._model.ask(seen[:, self._places], numbers, open_now)
        if self._acts.choices:
            sent = self._chosen(answer.action, open_now, rngs)
        else:
            sent = self._drawn(answer, rngs)
            if not answer.finite.all():
                sent = np.where(answer.finite[:, None], sent, 0.0)
        return answer, self._acts.read(sent, allowed)[0]

    def _chosen(self, logits: Array, open_now: Array, rngs: Iterator[np.random.Generator]) -> Array:
        """(K, fields) indices: the likeliest of the open choices, or one drawn."""
        likely = np.where(open_now, logits, -np.inf)
        if self.card.sampling == "sample":  # the largest after Gumbel noise is drawn by softmax
            likely = likely + np.stack([rng.gumbel(size=likely.shape[1]) for rng in rngs])
        parts = np.split(likely, np.cumsum(self._acts.sizes)[:-1], axis=1)
        chosen = np.stack([part.argmax(axis=1) for part in parts], axis=1)
        return chosen.reshape(len(logits), *self._acts.shape)

    def _drawn(self, answer: Answer, rngs: Iterator[np.random.Generator]) -> Array:
        """(K, fields) numbers from -1 to 1 per amount: the middle, or one drawn around it."""
        if self.card.sampling == "mode" or answer.spread is None:
            return answer.action
        noise = np.stack([rng.standard_normal(answer.action.shape[1]) for rng in rngs])
        return np.asarray(answer.action + answer.spread * noise)


def policy_class(card: Card, path: Path) -> type[Trained]:
    """The policy of a card; `path` is the file the card was in."""
    name = card.id.title().replace("_", "")
    content = {
        "__doc__": card.sentence,
        "__module__": __name__,
        "id": card.id,
        "games": (card.game,),
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
    return Model(path.with_suffix(".onnx"), shapes)


def _trained_for(card: Card, path: Path) -> Game[Any]:
    try:
        return engine.make(card.config)
    except EngineError as error:
        raise ConfigError(f"{path}: config: {error}") from None


def _check_fit(card: Card, game: Game[Any]) -> None:
    """Refuse a game in which what the policy sees or does has another form."""
    trained_for = engine.make(card.config)
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


def _memories(answer: Answer) -> list[Memory]:
    if answer.memory is None:
        return [{} for _ in answer.action]
    return [{"numbers": row} for row in answer.memory.tolist()]
