"""Player that lets a language model play in one seat: its questions, memory and decisions.

    player = Player(Players(model, treatment, calls, budget))
    action = await player.decide(game, view)        as `agents.client` expects it
    text = await player.talk(game, view)

If an answer is not JSON or has the wrong form, the model is told why and asked again. If a call
fails, it is repeated, unless it would certainly fail again. If all attempts fail, the player gives
up: the default is used, and the reason is recorded in the data. All attempts, the waits between
them, and the notes end before the deadline on the event loop's clock.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Any, NamedTuple

from mixed_company.agents.client import GiveUp
from mixed_company.agents.llm.answers import action_in, object_in
from mixed_company.agents.llm.calls import Budget, Calls, Spent
from mixed_company.agents.llm.model import TOOL, Messages, Model, ModelError, Question, Reply
from mixed_company.agents.llm.treatment import Treatment

Json = dict[str, Any]

MOST_TRIES = 3
MARGIN_SECONDS = 0.5
"""Share of the decision time that is reserved for sending and saving the decision."""

UNLIMITED_SECONDS = 120.0
"""Default time limit for a call if decisions have no limit."""


class _Call(NamedTuple):
    """The result of a call.

    text         the model's answer; empty if there is none
    content      what the answer says; None if it is unusable
    reason       reason why it is unusable
    retry_after  seconds before the question may be repeated; None: never
    """

    text: str
    content: Json | None
    reason: str
    retry_after: float | None


@dataclass
class Players:
    """Players of a connection, one per seat, and everything that they share.

    seconds     time limit for a call if decisions have no limit
    decisions   number of requested decisions
    defaults    number of decisions that became defaults, because there was no usable answer
    """

    model: Model
    treatment: Treatment
    calls: Calls
    budget: Budget
    seconds: float = UNLIMITED_SECONDS
    by_place: dict[str, Player] = field(default_factory=dict)
    decisions: int = 0
    defaults: int = 0

    @property
    def share(self) -> float:
        """Share of the decisions that became defaults."""
        return self.defaults / max(1, self.decisions)

    def of(self, game: Json) -> Player:
        """Return the player for the seat in a `game` message."""
        return self.by_place.setdefault(game["place"], Player(self))

    async def decide(self, game: Json, view: Json) -> Json:
        """Return the decision of a seat's player. Raises GiveUp."""
        self.decisions += not view.get("refused")
        try:
            return await self.of(game).decide(game, view)
        except GiveUp:
            self.defaults += 1
            raise

    def refused(self, game: Json, view: Json, reason: str) -> None:
        """Record that a message, or the last attempt at a decision, was refused."""
        self.calls.refused(game["place"], reason)
        self.defaults += view["phase"] == "decide"

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
        end, extra, reason = _end(view), [], ""
        read = partial(action_in, schema=view["schema"])
        seen, refused = view["text"], view.get("refused")
        if refused:
            self._shared.calls.refused(game["place"], refused)
            extra = [_user(f"Your last answer was refused: {refused}. Answer again.")]
            if self._transcript:
                extra.insert(0, {"role": "assistant", "content": self._transcript.pop()[1]})
        question = f"{seen}\n{view['asked']}\n{self._instructions(view['schema'])}"
        for attempt in range(MOST_TRIES):
            messages = [*self._messages(game), _user(question), *extra]
            about = {**_about(game, view), "purpose": "decide", "attempt": attempt}
            call = await self._ask(messages, self._schema(view["schema"]), end, about, read)
            if call.content is not None:
                await self._remember(game, view, call.content["action"], end)
                action: Json = call.content["action"]
                return action
            reason = call.reason
            if call.retry_after is None or attempt == MOST_TRIES - 1:
                break
            if call.text:
                again = _user(f"That cannot be used: {reason}. Answer again.")
                extra = [{"role": "assistant", "content": call.text}, again]
            if call.retry_after >= self._left(end):
                raise GiveUp(f"{reason}; there is no time to ask again")
            if call.retry_after:
                await asyncio.sleep(call.retry_after)
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

    def _messages(self, game: Json) -> list[dict[str, str]]:
        """Return the messages before a question: the game and the memory."""
        return [{"role": "system", "content": self._system(game)}, *self._memory()]

    def _system(self, game: Json) -> str:
        parts = [self._shared.treatment.persona, game["instructions"], game["rules"]]
        return "\n\n".join(part for part in parts if part)

    def _instructions(self, schema: Json) -> str:
        """Return instructions that describe the required form of the answer."""
        treatment = self._shared.treatment
        lines = [treatment.universalisation] if treatment.universalisation else []
        kinds = {"array": "numbers in a list", "integer": "a whole number"}
        parts = ", ".join(
            f'"{name}": {kinds.get(field_schema["type"], "a number")}'
            for name, field_schema in schema["properties"].items()
        )
        thoughts = '"rationale": "your thoughts, step by step", '
        form = f'{{{thoughts if treatment.chain_of_thought else ""}"action": {{{parts}}}}}'
        if treatment.response_format == "tools":
            lines.append(f"Call the function {TOOL} with {form}.")
        else:
            only = "" if treatment.chain_of_thought else " and nothing else"
            lines.append(f"Answer in JSON{only}: {form}.")
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

    async def _remember(self, game: Json, view: Json, action: Json, end: float | None) -> None:
        """Remember a decision. If there is no time or money for new notes, keep the earlier
        notes."""
        seen, done = view["text"], json.dumps(action)
        self._transcript.append((seen, json.dumps({"action": action})))
        if self._shared.treatment.memory != "summary":
            return
        messages = [
            *self._messages(game),
            _user(
                f"{seen}\nYou have decided: {done}\nWrite your notes anew for later periods, in at "
                "most 100 words: what happened, what others do, what you intend."
            ),
        ]
        about = {**_about(game, view), "purpose": "summary", "attempt": 0}
        try:
            call = await self._ask(messages, None, end, about, lambda _: (None, ""))
        except GiveUp:
            return
        self._summary = call.text.strip() or self._summary

    # -- talk ---------------------------------------------------------------------------------

    async def talk(self, game: Json, view: Json) -> str | int | None:
        """Return a message on the first call in a talk phase, then None."""
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
            *self._messages(game),
            _user(f'{question}\nAnswer in JSON: {{"message": ...}}; null says nothing.'),
        ]
        about = {**_about(game, view), "purpose": "talk", "attempt": 0}
        try:
            call = await self._ask(messages, schema, _end(view), about, object_in)
        except GiveUp:
            return None
        content = None if call.content is None else call.content.get("message")
        right = isinstance(content, int if sentences else str) and not isinstance(content, bool)
        if not right or content == "":
            return None
        return content if isinstance(content, int) else str(content)[: game["talk"]["length"]]

    # -- asking -------------------------------------------------------------------------------

    def _left(self, end: float | None) -> float:
        """Return the number of seconds left for a call."""
        return self._shared.seconds if end is None else end - _now()

    async def _ask(
        self,
        messages: Messages,
        schema: Json | None,
        end: float | None,
        about: Json,
        read: Callable[[str], tuple[Json | None, str]],
    ) -> _Call:
        """Ask the model, and add the call to the table. `read` extracts the content of the answer.

        Raises GiveUp if there is no time or money left.
        """
        shared, began, left = self._shared, _now(), self._left(end)
        if left <= 0:
            raise GiveUp("no time is left")
        try:
            shared.budget.check(began)
        except Spent as spent:
            raise GiveUp(str(spent)) from None
        treatment = shared.treatment
        names = (about["place"], about["period"], about["purpose"], about["attempt"])
        sampling = treatment.sampling("/".join(map(str, names)))
        question = Question(messages, schema, treatment.response_format, sampling)
        row = {**about, "at": datetime.now(UTC).isoformat(timespec="milliseconds")}
        row |= {"treatment": treatment.name, "prompt_hash": question.digest(shared.model.name)}
        call = _Call("", None, "the call was cancelled", None)
        try:
            async with asyncio.timeout(left):
                reply = await shared.model.reply(question)
            call = _Call(reply.text, *read(reply.text), 0.0)
            row |= _answered(reply, about["purpose"], call.content)
            row["cost"] = shared.budget.charge(question, reply)
        except TimeoutError:
            call = call._replace(reason=f"no answer within {left:.1f} s")
        except ModelError as error:
            call = call._replace(reason=str(error), retry_after=error.retry_after)
            row["retry_after"] = "" if error.retry_after is None else error.retry_after
        finally:
            seconds = round(_now() - began, 3)
            shared.calls.add(question, **row, error=call.reason, seconds=seconds)
        return call


def _now() -> float:
    return asyncio.get_running_loop().time()


def _end(view: Json) -> float | None:
    """Return the deadline for sending a decision; None if there is no limit."""
    left = view["remaining_ms"]
    return None if left is None else _now() + left / 1000 - MARGIN_SECONDS


def _answered(reply: Reply, purpose: str, content: Json | None) -> Json:
    """Return the values that an answer adds to the table of calls."""
    decided = content if purpose == "decide" and content is not None else {}
    return {
        "answer": reply.text,
        "rationale": str(decided.get("rationale", "")),
        "action": json.dumps(decided["action"]) if decided else "",
        "model": reply.model,
        "prompt_tokens": reply.prompt_tokens,
        "completion_tokens": reply.completion_tokens,
    }


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
