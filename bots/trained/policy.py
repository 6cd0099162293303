"""A trained policy in a seat: its card, its model, and what stands between them and the game."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

import engine
from bots.flat.actions import Allowed, FlatActions
from bots.flat.observations import FlatObservations
from bots.policy import Action, Memory, Observation, Policy
from bots.trained.card import Card
from bots.trained.model import Answer, Model, Shapes
from engine.errors import ConfigError, EngineError
from engine.game import Game
from engine.space import Array, Field

__all__ = ["Trained", "opened", "policy_class"]

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
        return self.act_within(self._acts.layout, observation, memory, rng)

    def act_within(
        self,
        layout: tuple[Field, ...],
        observation: Observation,
        memory: Memory,
        rng: np.random.Generator,
    ) -> tuple[Action, Memory]:
        now, flat = _allowed(layout), self._seen.of_seat(observation)
        open_now = self._acts.masks(now) if self._acts.choices else np.ones(len(layout))
        numbers = np.array(memory.get("numbers", ()), dtype=np.float32)
        answer = self._model.ask(flat[self._places], numbers, open_now)
        if self._acts.choices:
            sent = self._chosen(answer.action, open_now, rng)
        else:
            sent = self._drawn(answer, rng)
        actions, _ = self._acts.read(sent, now)
        after = {} if answer.memory is None else {"numbers": answer.memory.tolist()}
        return {name: value.item() for name, value in actions.items()}, after

    def _chosen(self, logits: Array, open_now: Array, rng: np.random.Generator) -> Array:
        """An index per field: the likeliest of the open ones, or one drawn."""
        chosen, at = [], 0
        for size in self._acts.sizes:
            own = np.where(open_now[at : at + size], logits[at : at + size], -np.inf)
            if self.card.sampling == "sample":  # the largest after Gumbel noise is drawn by softmax
                own = own + rng.gumbel(size=size)
            chosen.append(int(np.argmax(own)))
            at += size
        return np.array(chosen).reshape(self._acts.shape)

    def _drawn(self, answer: Answer, rng: np.random.Generator) -> Array:
        """A number from -1 to 1 per amount: the middle, or one drawn around it."""
        if self.card.sampling == "mode" or answer.spread is None:
            return answer.action
        noise = rng.standard_normal(len(answer.action))
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
        found = {field.name: field for field in here}
        for field in there:
            if what == "does" or field.name in fields:
                _check_field(card, what, field, found.get(field.name))


def _check_field(card: Card, what: str, trained_on: Field, found: Field | None) -> None:
    if found is None:
        raise ConfigError(f"{card.id}: it {what} {trained_on.name!r}, which is not there")
    for key in ("kind", "shape", "names", "maskable"):
        here, there = getattr(found, key), getattr(trained_on, key)
        if here != there:
            raise ConfigError(
                f"{card.id}: it {what} {trained_on.name!r}, whose {key} is {here} here and "
                f"{there} where it was trained"
            )
    if found.kind == "choice" and (found.low, found.high) != (trained_on.low, trained_on.high):
        raise ConfigError(
            f"{card.id}: it {what} {trained_on.name!r}, which is from {found.low:g} to "
            f"{found.high:g} here and from {trained_on.low:g} to {trained_on.high:g} where it was "
            f"trained"
        )


def _allowed(layout: tuple[Field, ...]) -> Allowed:
    low, high, default = (
        {field.name: np.asarray(getattr(field, key)) for field in layout}
        for key in ("low", "high", "default")
    )
    return Allowed(low, high, default)
