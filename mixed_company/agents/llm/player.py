"""Player that plays one seat with a language model: its questions, memory and decisions.

    player = Player(model, treatment, calls, budget)
    action = await player.decide(game, view)        as `agents.client` expects it
    text = await player.talk(game, view)

If an answer is not JSON or has the wrong form, the model is told why and asked again, as long as
there is time. Then the player gives up: the default is used, and the data record the reason.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol

from mixed_company.agents.client import GiveUp
from mixed_company.agents.llm.answers import action_in, object_in
from mixed_company.agents.llm.calls import Budget, Calls, Spent
from mixed_company.agents.llm.model import Messages, Model, ModelError, Reply, prompt_hash
from mixed_company.agents.llm.treatment import Treatment

Json = dict[str, Any]

MOST_TRIES = 3
LEAST_SECONDS = 0.5
"""Remaining time below which the model is not asked any more."""

UNLIMITED_SECONDS = 120.0
"""Time limit of an answer if decisions have no limit."""


class Clock(Protocol):
    """Clock in seconds, such as the clock of an event loop."""

    def time(self) -> float:
        """Return the current time."""


@dataclass
class Players:
    """Players of a connection, one per seat, and the objects that they share."""

    model: Model
    treatment: Treatment
    calls: Calls
    budget: Budget
    clock: Clock
    by_place: dict[str, Player] = field(default_factory=dict)

    def of(self, game: Json) -> Player:
        """Return the player for the seat in a message `game`."""
        return self.by_place.setdefault(game["place"], Player(self))

    async def decide(self, game: Json, view: Json) -> Json:
        """Return the decision of a seat's player. Raises GiveUp."""
        return await self.of(game).decide(game, view)

    async def talk(self, game: Json, view: Json) -> str | int | None:
        """Return the next message of a seat's player, or None if there is none."""
        return await self.of(game).talk(game, view)


class Player:
    """Player for one seat. See the module's docstring."""

    def __init__(self, shared: Players) -> None:
        self._shared = shared
        periods = shared.treatment.remember
        self._transcript: deque[tuple[str, str]] = deque(maxlen=periods)
        self._summary = ""
        self._spoken = -1

    # -- deciding -----------------------------------------------------------------------------

    async def decide(self, game: Json, view: Json) -> Json:
        """Return the action. Raises GiveUp."""
        end = self._end(view)
        schema = self._schema(view["schema"])
        read = partial(action_in, schema=view["schema"])
        seen = view["text"]
        extra: list[dict[str, str]] = []
        if view.get("refused"):
            extra = [_user(f"Your last answer was refused: {view['refused']}. Answer again.")]
        reason = ""
        for attempt in range(MOST_TRIES):
            messages = [*self._messages(game, f"{seen}\n{view['asked']}"), *extra]
            about = {**_about(game, view), "purpose": "decide", "attempt": attempt}
            text, answer, reason = await self._ask(messages, schema, end, about, read)
            if answer is not None:
                await self._remember(game, view, seen, answer, end)
                action: Json = answer["action"]
                return action
            if text:
                extra = [
                    {"role": "assistant", "content": text},
                    _user(f"That cannot be used: {reason}. Answer again."),
                ]
        raise GiveUp(reason)

    def _schema(self, action: Json) -> Json:
        """Return the schema of an answer: thoughts, if the treatment asks for them, and the
        action."""
        plain = {
            name: _without_default(field_schema)
            for name, field_schema in action["properties"].items()
        }
        parts: Json = {"action": {**action, "properties": plain}}
        if self._shared.treatment.chain_of_thought:
            parts = {"rationale": {"type": "string"}, **parts}
        return {
            "type": "object",
            "properties": parts,
            "required": list(parts),
            "additionalProperties": False,
        }

    def _messages(self, game: Json, question: str) -> list[dict[str, str]]:
        """Return the messages to the model: the game, the memory, and the question."""
        return [
            {"role": "system", "content": self._system(game)},
            *self._memory(),
            _user(f"{question}\n{self._instructions()}"),
        ]

    def _system(self, game: Json) -> str:
        parts = [self._shared.treatment.persona, game["instructions"], game["rules"]]
        return "\n\n".join(part for part in parts if part)

    def _instructions(self) -> str:
        """Return the instructions on the form of the answer."""
        treatment = self._shared.treatment
        lines = [treatment.universalisation] if treatment.universalisation else []
        if treatment.chain_of_thought:
            lines.append('Answer in JSON: {"rationale": "your thoughts, step by step", "action": ')
        else:
            lines.append('Answer in JSON and nothing else: {"action": ')
        lines[-1] += "{...}}, with a number for each field of the decision."
        return "\n".join(lines)

    # -- memory -------------------------------------------------------------------------------

    def _memory(self) -> list[dict[str, str]]:
        if self._shared.treatment.memory == "summary":
            return [_user(f"Your notes so far: {self._summary}")] if self._summary else []
        return [
            message
            for question, answer in self._transcript
            for message in (_user(question), {"role": "assistant", "content": answer})
        ]

    async def _remember(
        self, game: Json, view: Json, seen: str, answer: Json, end: float | None
    ) -> None:
        done = json.dumps(answer["action"])
        self._transcript.append((seen, json.dumps({"action": answer["action"]})))
        if self._shared.treatment.memory != "summary":
            return
        messages = [
            *self._messages(game, f"{seen}\nYou have decided: {done}")[:-1],
            _user(
                f"{seen}\nYou have decided: {done}\nWrite your notes anew for later periods, in at "
                "most 100 words: what happened, what others do, what you intend."
            ),
        ]
        about = {**_about(game, view), "purpose": "summary", "attempt": 0}
        text, _, _ = await self._ask(messages, None, end, about, lambda _: (None, ""))
        if text:
            self._summary = text.strip()

    # -- talk ---------------------------------------------------------------------------------

    async def talk(self, game: Json, view: Json) -> str | int | None:
        """Return a message when first called in a time for talk, and then None."""
        if self._spoken == view["period"]:
            return None
        self._spoken = view["period"]
        sentences = game["talk"]["sentences"]
        schema = _saying(sentences)
        question = (
            f"{view['text']}\nThe group talks before it decides. What do you write to the others?"
        )
        if sentences:
            listed = "; ".join(f"{place}: {text}" for place, text in enumerate(sentences))
            question += f" Choose one of these by its number: {listed}."
        messages = [
            *self._messages(game, "")[:-1],
            _user(f'{question}\nAnswer in JSON: {{"message": ...}}; null says nothing.'),
        ]
        about = {**_about(game, view), "purpose": "talk", "attempt": 0}
        try:
            _, data, _ = await self._ask(messages, schema, self._end(view), about, object_in)
        except GiveUp:
            return None
        content = None if data is None else data.get("message")
        right = isinstance(content, int if sentences else str) and not isinstance(content, bool)
        if not right or content == "":
            return None
        return content if isinstance(content, int) else str(content)[: game["talk"]["length"]]

    # -- asking -------------------------------------------------------------------------------

    def _end(self, view: Json) -> float | None:
        """Return the deadline of an answer, by the clock; None if there is no limit."""
        left = view["remaining_ms"]
        return None if left is None else self._shared.clock.time() + left / 1000

    async def _ask(
        self,
        messages: Messages,
        schema: Json | None,
        end: float | None,
        about: Json,
        read: Callable[[str], tuple[Json | None, str]],
    ) -> tuple[str, Json | None, str]:
        """Ask the model, and add the call to the table.

        Returns the text (empty if there is no answer), the content that `read` extracts from it,
        and the reason if there is none. Raises GiveUp if there is no time or money left.
        """
        shared, model = self._shared, self._shared.model
        left = UNLIMITED_SECONDS if end is None else end - shared.clock.time()
        if left < LEAST_SECONDS:
            raise GiveUp("no time is left")
        try:
            shared.budget.check()
        except Spent as spent:
            raise GiveUp(str(spent)) from None
        try:
            reply = await model.reply(messages, schema, left)
            answer, reason = read(reply.text)
        except ModelError as error:
            reply, answer, reason = Reply("", model.name), None, str(error)
        decided = answer if about["purpose"] == "decide" else None
        shared.calls.add(
            messages,
            **about,
            treatment=shared.treatment.name,
            prompt_hash=prompt_hash(model.name, messages, schema),
            answer=reply.text,
            rationale="" if decided is None else str(decided.get("rationale", "")),
            action="" if decided is None else json.dumps(decided["action"]),
            error=reason,
            model=reply.model,
            prompt_tokens=reply.prompt_tokens,
            completion_tokens=reply.completion_tokens,
            cost=shared.budget.charge(reply),
            seconds=round(reply.seconds, 3),
        )
        return reply.text, answer, reason


def _about(game: Json, view: Json) -> Json:
    named = {"place": game["place"], "game": game["game"], "seat": game["seat"]}
    return {**named, "period": view["period"]}


def _user(text: str) -> dict[str, str]:
    return {"role": "user", "content": text}


def _without_default(field_schema: Json) -> Json:
    return {key: value for key, value in field_schema.items() if key != "default"}


def _saying(sentences: list[str]) -> Json:
    kind: Json = {"type": ["integer" if sentences else "string", "null"]}
    return {
        "type": "object",
        "properties": {"message": kind},
        "required": ["message"],
        "additionalProperties": False,
    }
