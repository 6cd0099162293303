"""A policy's talk in place of a person, sent as a page would send it."""

from __future__ import annotations

from typing import Any

from mixed_company.engine.contract import space
from mixed_company.engine.contract.chance import generator
from mixed_company.engine.game import Game
from mixed_company.language import speaking
from mixed_company.policies.asking import ask_to_say
from mixed_company.policies.policy import Policy
from mixed_company.policies.talk import Heard, Saying, Talk
from mixed_company.table.options import Options
from mixed_company.table.talk import among

View = dict[str, Any]


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
