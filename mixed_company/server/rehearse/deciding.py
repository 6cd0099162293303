"""A policy's decisions and talk in place of a person, based on views that a server has sent."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from mixed_company.engine.contract import space
from mixed_company.engine.contract.allowed import Allowed
from mixed_company.engine.contract.chance import generator
from mixed_company.engine.contract.peer_layout import ASSIGN
from mixed_company.engine.contract.space import Arrays
from mixed_company.engine.game import Game
from mixed_company.language import speaking
from mixed_company.policies.asking import ask_to_say
from mixed_company.policies.policy import Answer, Policy, ask
from mixed_company.policies.talk import Heard, Saying, Talk
from mixed_company.table.options import Options
from mixed_company.table.talk import among

View = dict[str, Any]


def decision(
    game: Game[Any],
    policy: Policy,
    view: View,
    memory: dict[str, Any],
    seed: int,
    person: int,
    talk: Talk | None = None,
) -> Answer:
    """Return a policy's answer to a view: its observation, its limits, and the talk so far.

    Amounts are rounded to the steps of the page's controls.
    """
    seen = space.from_json(game.declaration.observations, view["observation"])
    allowed = _allowed(game, view, seen)
    rng = generator(seed, f"person {person}{stage_of(view)}", view["period"])
    answer = ask(policy, allowed, seen, memory, rng, budget=math.inf, talk=talk)
    return replace(answer, action=allowed.nearest(answer.action))


def _allowed(game: Game[Any], view: View, seen: Arrays) -> Allowed:
    """Return the actions that a view allows: its limits, plus the rules for peer points."""
    allowed = Allowed.from_json(game.declaration.actions, view["limits"])
    if game.peers is None:
        return allowed
    idle = frozenset(field.name for field in allowed.fields if field.stage != seen["stage"])
    limits = {field.name: allowed.ends(field) for field in allowed.fields}
    points = None
    if ASSIGN not in idle:
        places = view["limits"][ASSIGN][2]
        points = game.peers.assigning_of(int(seen["seat"]), places, seen)
    return Allowed(allowed.fields, (), limits, {}, allowed.closed, points, idle)


def stage_of(view: View) -> str:
    """Return a suffix that distinguishes names at a later stage; empty at the first stage."""
    stage = view["observation"].get("stage", 0)
    return f" stage {stage}" if stage else ""


class Speaker:
    """One person's talk in a rehearsal.

    number   number in the session; identifies the random stream of the messages
    """

    def __init__(
        self, game: Game[Any], policy: Policy, options: Options, seed: int, number: int
    ) -> None:
        self._game, self._policy, self._options = game, policy, options
        self._seed, self._number = seed, number
        self._heard: dict[int, Heard] = {}
        self._period = -1

    def listen(self, view: View) -> Talk | None:
        """Return the talk messages in a person's view; None if the group does not talk."""
        if "talk" not in view:
            return None
        for message in view["talk"]["messages"]:
            heard = Heard(message["period"], message["seat"], message.get("to"), message["text"])
            self._heard[message["number"]] = heard
        seat = next(member["seat"] for member in view["seats"] if member["you"])
        return Talk(
            seat,
            view["period"],
            tuple(self._heard[number] for number in sorted(self._heard)),
            self._options.talk_sentences,
            self._options.talk_length,
            among.partners(self._game, self._options, seat),
            self._options.talk_with == "one",
        )

    def messages(self, view: View) -> list[dict[str, Any]]:
        """Return the messages to send when a time for talk begins: the policy's, and "ready"."""
        talk = self.listen(view)
        due = talk is not None and view["phase"] in ("talk", "decide")
        if talk is None or not due or view["period"] == self._period:
            return []
        self._period = period = view["period"]
        name = f"person {self._number} period {period}"
        sent = []
        if view["talk"]["open"]:
            saying = self._says(talk, view)
            if isinstance(saying, Saying):
                content = (
                    {"sentence": saying.sentence} if saying.text is None else {"text": saying.text}
                )
                sent.append({"kind": "say", "id": f"{name} says", **content, "to": saying.to})
        if view["phase"] == "talk":
            sent.append({"kind": "done", "id": f"{name} is ready", "period": period})
        return sent

    def _says(self, talk: Talk, view: View) -> Saying | str | None:
        if not self._policy.talks:
            return None
        seen = space.from_json(self._game.declaration.observations, view["observation"])
        rng = generator(self._seed, f"talk of person {self._number}", talk.period)
        with speaking(self._options.language):
            return ask_to_say(self._policy, talk, seen, rng)
