"""Person played by a policy: reads, answers the quiz, waits in the lobby and plays.

The person behaves like a page in a browser (`_static/mixed/table.js`), and gets the same data.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from html.parser import HTMLParser
from typing import Any

from websocket import WebSocketTimeoutException

from mixed_company import policies
from mixed_company.engine.contract.chance import generator, play_seeds
from mixed_company.server.rehearse.deciding import Speaker, View, decision, stage_of
from mixed_company.server.rehearse.participant import Live, Participant
from mixed_company.server.rehearse.server import ServerError
from mixed_company.table import leanings, thinking
from mixed_company.table.questions import drawn
from mixed_company.table.setup import Setup

POLL_SECONDS = 1.0
ALIVE_SECONDS = 3.0
SILENCE_SECONDS = 60.0
"""Time without a response before the server counts as dead."""

_ENDS = ("Results",)
"""Pages after a play. Between plays of the same block, no results are shown."""

MOST_PAGES = 20


class Quiz(HTMLParser):
    """Questions on a quiz page: name -> options, and the questions answered incorrectly."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.options: dict[str, list[str]] = {}
        self.wrong: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if tag == "fieldset" and "mc-wrong" in str(attributes.get("class")).split():
            self.wrong.append(str(attributes["data-question"]))
        elif tag == "input" and attributes.get("type") == "radio":
            self.options.setdefault(str(attributes["name"]), []).append(str(attributes["value"]))


def _moved_on(moved: Callable[[int], None], before: int, period: int) -> None:
    moved(before + period)


class Person:
    """Participant in a rehearsal.

    blocks setup and policy for each block of the session seed seed of random decisions in the first
    block; later blocks have seeds derived from it, so that a person does not repeat the draws of an
    earlier block number number in the whole session, counted from 0; identifies the random stream
    of the person's policy delay thinking time, as in a session (`table.thinking`) faults policy
    errors, after which the default was sent, and refusals by the server
    """

    def __init__(
        self,
        link: str,
        blocks: Sequence[tuple[Setup, str]],
        seed: int,
        number: int,
        delay: str,
    ) -> None:
        self.participant = Participant(link)
        self.blocks, self.seed, self.number, self.delay = blocks, seed, number, delay
        self.faults: list[str] = []
        self._live: Live | None = None
        self._begin(*blocks[0])

    def _begin(self, setup: Setup, spec: str) -> None:
        """Begin a block for which the group has not chosen the rule yet."""
        self._setup, self._spec, self.rule = setup, spec, ""
        self._follow(setup)

    def _follow(self, setup: Setup) -> None:
        """Play this setup from now on."""
        self.game, self.items = setup.game, setup.options.questions
        self.policy = policies.make(self._spec, setup.game)
        self.speaker = Speaker(setup.game, self.policy, setup.options, self.seed, self.number)

    def arrive(self) -> None:
        """Go through the instructions and the quiz, and enter the lobby if there is one."""
        for _ in range(MOST_PAGES):
            if self.participant.page_name == "Quiz":
                self._answer()
            elif self.participant.page_name == "Consent":
                self.participant.next(consented="yes")
            elif self.participant.page_name == "Practice":
                self._practise()
            elif self.participant.page_name == "QuestionsBefore":
                self._hand_in_answers()
            elif self.participant.page_name in ("Lobby", "Play", "Results"):
                break
            else:
                self.participant.next()
        if self.participant.page_name == "Lobby":
            self._live = Live(self.participant.live_url())
            self._live.send({"kind": "sync"})
            self._live.receive("view")

    def _practise(self) -> None:
        """Play the practice without thinking time."""
        with closing(Live(self.participant.live_url())) as live:
            live.send({"kind": "sync"})
            self._periods(live, lambda _period: None, thinks=False)
        self.participant.next()

    def _answer(self) -> None:
        """Try the options of each question one after another; the page says which answers are
        wrong."""
        tried = dict.fromkeys(Quiz(self.participant.page.text).options, 0)
        for _ in range(MOST_PAGES):
            quiz = Quiz(self.participant.page.text)
            for name in quiz.wrong:
                tried[name] += 1
            chosen = {
                name: options[min(tried[name], len(options) - 1)]
                for name, options in quiz.options.items()
            }
            self.participant.next(quiz_answers=json.dumps(chosen))
            if self.participant.page_name != "Quiz":
                return
        raise ServerError(f"person {self.number}: the quiz accepted none of the answers")

    def _drawn(self, name: str, period: int = -1) -> Any:
        """Draw a valid answer to the question with this name."""
        (item,) = (question for question in self.items if question.name == name)
        return drawn(item, generator(self.seed, f"{name}, person {self.number}", period))

    def _hand_in_answers(self) -> None:
        """Submit answers to all questions; the server ignores answers to questions that are not on
        the page.
        """
        answers = {item.name: [self._drawn(item.name), 0] for item in self.items if item.when}
        self.participant.next(handed_answers=json.dumps(answers))

    def leave_lobby(self) -> None:
        """Wait until the group is complete, then go on to the play."""
        if self._live is None:
            return
        while self._next(self._live, {"kind": "sync"}).get("phase") in (None, "waiting"):
            pass
        self._close()
        self.participant.next()

    def play(self, moved: Callable[[int], None]) -> None:
        """Play all blocks and open the results; `moved` gets the number of finished periods."""
        before, first = 0, self.seed
        for number, block in enumerate(self.blocks):
            if number:
                self.seed = int(play_seeds(first, number))
                self._begin(*block)
                if self.participant.page_name == "Results":
                    self.participant.next()
                self.arrive()
                self.leave_lobby()
            is_last = number == len(self.blocks) - 1
            pages = _ENDS if is_last else (*_ENDS, "Lobby", "Play")
            self._play(partial(_moved_on, moved, before), pages)
            before += self.game.horizon

    def _play(self, moved: Callable[[int], None], ends: Sequence[str] = _ENDS) -> None:
        """Play a block and go on to one of the pages in `ends`."""
        if self.participant.page_name == "Play":
            self._live = Live(self.participant.live_url())
            self._live.send({"kind": "sync"})
            self._periods(self._live, moved)
            self._close()
            self.participant.next()
        for page in ("QuestionsAfter", "Comments", "Questionnaire"):
            if self.participant.page_name == page:
                self._hand_in_answers()
        if self.participant.page_name not in ends:
            raise ServerError(f"person {self.number}: stuck on {self.participant.page_name}")

    def _periods(self, live: Live, moved: Callable[[int], None], thinks: bool = True) -> None:
        memory, decided, now = self.policy.start(), (-1, ""), 0
        while True:
            view = self._next(live, {"kind": "tick", "period": now})
            if view["kind"] == "refused":
                self.faults.append(f"person {self.number}: refused: {view['reason']}")
            if view["kind"] != "view":
                continue
            if view.get("to_confirm"):
                live.send({"kind": "ready", "id": f"person {self.number} is ready"})
            self._vote(live, view)
            now = view["period"]
            moved(now)
            talk = self.speaker.listen(view)
            for message in self.speaker.messages(view):
                live.send(message)
            if view["phase"] == "over":
                moved(self.game.horizon)
                return
            if view["phase"] == "decide" and (now, stage_of(view)) != decided:
                decided = now, stage_of(view)
                seeds = self.seed, self.number
                choice = decision(self.game, self.policy, view, memory, *seeds, talk)
                memory = choice.memory
                if choice.fault:
                    self.faults.append(f"person {self.number}, period {now}: {choice.fault}")
                if thinks:
                    self._think(live, now)
                for question in view.get("questions", ()):
                    self._reply(live, question, now)
                name = f"person {self.number} period {now}{stage_of(view)}"
                live.send({"kind": "act", "id": name, "period": now, "action": choice.action})

    def _reply(self, live: Live, question: str, period: int) -> None:
        """Answer a question asked in the period."""
        about = {"question": question, "value": self._drawn(question, period)}
        name = f"{self.number} {period} {question}"
        live.send({"kind": "answer", "id": name, "period": period, **about})

    def _vote(self, live: Live, view: View) -> None:
        """Vote as the policy would, and then play by the rule that the group chose."""
        if view["phase"] == "choose" and view["vote"]["choice"] is None:
            rule = leanings.wish(self._setup, self._spec, self.seed, self.number)
            name = f"person {self.number} votes"
            live.send({"kind": "choose", "id": name, "rule": rule})
        chosen = view.get("vote", {}).get("rule")
        if chosen is not None and chosen != self.rule:
            self.rule = chosen
            self._follow(self._setup.chosen(chosen))

    def _think(self, live: Live, period: int) -> None:
        """Wait for the thinking time, and send heartbeats while waiting."""
        left = thinking.delay_ms(self.delay, self.seed, self.number, period) / 1000
        while left > 0:
            live.wait(min(left, ALIVE_SECONDS))
            left -= ALIVE_SECONDS
            live.send({"kind": "alive"})

    def _next(self, live: Live, asking: dict[str, Any]) -> dict[str, Any]:
        """Return the next message; until one arrives, send `asking` to the server from time to
        time."""
        live.socket.settimeout(POLL_SECONDS)
        deadline = time.monotonic() + SILENCE_SECONDS
        while time.monotonic() < deadline:
            try:
                return live.receive()
            except WebSocketTimeoutException:
                live.send(asking)
        raise ServerError(f"person {self.number}: the server no longer responds")

    def _close(self) -> None:
        if self._live is not None:
            self._live.close()
            self._live = None
