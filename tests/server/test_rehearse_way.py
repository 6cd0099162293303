"""The way of a rehearsing person from page to page, and period by period, without a server."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest
from websocket import WebSocketTimeoutException

import server.rehearse.person as module
from bots.policy import Answer
from server.rehearse.person import MOST_PAGES, POLL_SECONDS, SILENCE_SECONDS, Person, decision
from server.rehearse.server import ServerError
from tests.server.test_rehearse_person import GAME, SETUP, Talker

PAGE = """
<fieldset class="mc-question {a}" data-question="a">
  <input type="radio" name="a" value="1"><input type="radio" name="a" value="2">
</fieldset>
<fieldset class="mc-question {b}" data-question="b">
  <input type="radio" name="b" value="x"><input type="radio" name="b" value="y">
</fieldset>
"""


class Line:
    """A live channel that is sent things, and says what it has been told to."""

    def __init__(self, done: list[Any], *says: Any) -> None:
        self.done, self.says = done, list(says)
        self.socket = SimpleNamespace(settimeout=lambda seconds: done.append(("waits", seconds)))

    def send(self, message: dict[str, Any]) -> None:
        self.done.append(message)

    def receive(self, *kinds: str) -> Any:
        self.done.append(("receives", *kinds))
        said = self.says.pop(0)
        if isinstance(said, Exception):
            raise said
        return said

    def close(self) -> None:
        self.done.append("closes")


class At:
    """The pages on the way, and what was handed in on each."""

    def __init__(self, *pages: str) -> None:
        self.pages, self.handed = list(pages), list[Any]()
        self.page = SimpleNamespace(text="")

    @property
    def page_name(self) -> str:
        return self.pages[0]

    def live_url(self) -> str:
        return f"live {self.page_name}"

    def next(self, **fields: Any) -> None:
        self.handed.append((self.page_name, fields))
        del self.pages[0]


@pytest.fixture
def person(monkeypatch: pytest.MonkeyPatch) -> Person:
    monkeypatch.setattr(module, "Participant", lambda link: link)
    return Person("link", SETUP, Talker(GAME.core), 5, 1, "instant")


def on(person: Person, *pages: str) -> At:
    at = At(*pages)
    person.at = at  # type: ignore[assignment]
    return at


SYNC = {"kind": "sync"}


def test_it_goes_through_all_pages_into_the_lobby(
    person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = ("Consent", "Instructions", "Quiz", "Practice", "QuestionsBefore", "Lobby")
    at, done = on(person, *pages), list[Any]()
    for name in ("_answer", "_practise", "_hand_in_answers"):
        monkeypatch.setattr(person, name, lambda name=name: at.next(by=name))
    opened: list[str] = []

    def live(url: str) -> Line:
        opened.append(url)
        return Line(done, {"kind": "view"})

    monkeypatch.setattr(module, "Live", live)
    person.arrive()
    assert at.handed == [
        ("Consent", {"consented": "yes"}),
        ("Instructions", {}),
        ("Quiz", {"by": "_answer"}),
        ("Practice", {"by": "_practise"}),
        ("QuestionsBefore", {"by": "_hand_in_answers"}),
    ]
    assert opened == ["live Lobby"]
    assert done == [SYNC, ("receives", "view")]
    for last in ("Play", "Results"):
        at = on(person, "Instructions", last)
        person.arrive()
        assert at.pages == [last]
    assert len(opened) == 1  # neither has a lobby


def test_a_lobby_is_left_when_its_group_is_complete(person: Person) -> None:
    done: list[Any] = []
    at = on(person, "Lobby", "Play")
    person.leave_lobby()  # there is none
    assert at.pages == ["Lobby", "Play"]
    says = ({"kind": "ack"}, {"kind": "view", "phase": "waiting"}, {"phase": "seated"})
    person._live = Line(done, *says)  # type: ignore[assignment]
    person.leave_lobby()
    assert done == [("waits", POLL_SECONDS), ("receives",)] * 3 + ["closes"]
    assert (at.pages, person._live) == (["Play"], None)


def test_after_the_play_it_answers_what_it_is_asked_and_looks_at_the_results(
    person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    done, told = list[Any](), list[Any]()
    monkeypatch.setattr(module, "Live", lambda url: Line(done))
    monkeypatch.setattr(person, "_periods", lambda live, moved: moved(7))
    at = on(person, "Play", "QuestionsAfter", "Comments", "Questionnaire", "Results")
    person._play(told.append)
    assert (done, told, at.pages) == ([SYNC, "closes"], [7], ["Results"])
    assert [page for page, _ in at.handed] == [
        "Play",
        "QuestionsAfter",
        "Comments",
        "Questionnaire",
    ]
    assert at.handed[0][1] == {}
    assert at.handed[1][1] == {"handed_answers": "{}"}
    on(person, "Results")
    person._play(told.append)  # a part that is over already
    assert told == [7]
    on(person, "Instructions")
    with pytest.raises(ServerError, match=r"^person 1: stuck on Instructions$"):
        person._play(told.append)


def test_it_hands_in_an_answer_to_each_question_of_a_page(person: Person) -> None:
    def asked(name: str, when: str) -> Any:
        return SimpleNamespace(name=name, when=when)

    person.items = (asked("b", "before"), asked("p", ""), asked("e", "end"))
    person._drawn = lambda name, period=-1: f"drawn {name}"  # type: ignore[method-assign]
    at = on(person, "QuestionsBefore", "Lobby")
    person._hand_in_answers()
    answers = {"b": ["drawn b", 0], "e": ["drawn e", 0]}
    assert at.handed == [("QuestionsBefore", {"handed_answers": json.dumps(answers)})]


class Asked(At):
    """A quiz whose right answers are 2 and x."""

    def __init__(self, right: dict[str, str]) -> None:
        super().__init__("Quiz", "Lobby")
        self.right = right
        self.page.text = PAGE.format(a="", b="")

    def next(self, **fields: Any) -> None:
        given = json.loads(fields["quiz_answers"])
        self.handed.append(given)
        wrong = {name: "mc-wrong" if given[name] != self.right[name] else "" for name in given}
        self.page.text = PAGE.format(**wrong)
        if not any(wrong.values()):
            del self.pages[0]


def test_it_tries_the_options_of_questions_that_are_wrong(person: Person) -> None:
    at = Asked({"a": "2", "b": "x"})
    person.at = at  # type: ignore[assignment]
    person._answer()
    assert at.handed == [{"a": "1", "b": "x"}, {"a": "2", "b": "x"}]
    at = Asked({"a": "3", "b": "x"})
    person.at = at  # type: ignore[assignment]
    with pytest.raises(ServerError, match=r"^person 1: no answers are right$"):
        person._answer()
    assert at.handed == [{"a": "1", "b": "x"}, *[{"a": "2", "b": "x"}] * (MOST_PAGES - 1)]


def test_a_silent_server_is_asked_now_and_then_and_given_up(
    person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[Any] = []
    silence = WebSocketTimeoutException()
    line: Any = Line(done, silence, silence, {"kind": "view"})
    assert person._next(line, SYNC) == {"kind": "view"}
    asked = [("receives",), SYNC]
    assert done == [("waits", POLL_SECONDS), *asked, *asked, ("receives",)]
    done.clear()
    line.says = [silence] * 9
    times = iter([0.0, 1.0, SILENCE_SECONDS - 1, SILENCE_SECONDS])
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: next(times)))
    with pytest.raises(ServerError, match=r"^person 1: the server answers nothing any more$"):
        person._next(line, SYNC)
    assert done == [("waits", POLL_SECONDS), *asked, *asked]


def test_it_decides_once_in_each_period_and_says_what_was_refused(
    person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two periods, of which the first is shown twice, and the policy fails in the second."""
    done, asked, moved, made = list[Any](), list[Any](), list[int](), list[Any]()

    def decide(*given: Any) -> Answer:
        made.append(given)
        fault = "no lake" if given[2]["period"] else None
        return Answer({"harvest": 1.0}, {"asked": len(made)}, fault)

    first = {"kind": "view", "phase": "decide", "period": 0, "to_confirm": True}
    says = [
        {"kind": "ack"},
        first,
        {**first, "to_confirm": False},
        {"kind": "refused", "reason": "too much"},
        {"kind": "view", "phase": "decide", "period": 1, "questions": ["q", "r"]},
        {"kind": "view", "phase": "over", "period": 2},
    ]

    def following(live: Any, asking: dict[str, Any]) -> Any:
        asked.append(asking)
        return says.pop(0)

    monkeypatch.setattr(module, "decision", decide)
    monkeypatch.setattr(person, "_next", following)
    monkeypatch.setattr(person, "_think", lambda live, period: done.append(("thinks", period)))
    monkeypatch.setattr(
        person, "_reply", lambda live, question, period: done.append((question, period))
    )
    speaks = SimpleNamespace(
        listen=lambda view: f"talk {view['period']}",
        messages=lambda view: [f"says {view['period']}"] if view["phase"] == "over" else [],
    )
    person.speaker, person.policy = speaks, SimpleNamespace(start=dict)  # type: ignore[assignment]
    person._periods(Line(done), moved.append)  # type: ignore[arg-type]

    def act(period: int) -> dict[str, Any]:
        name = f"person 1 period {period}"
        return {"kind": "act", "id": name, "period": period, "action": {"harvest": 1.0}}

    assert done == [
        {"kind": "ready", "id": "person 1 is ready"},
        *(("thinks", 0), act(0), ("thinks", 1), ("q", 1), ("r", 1), act(1)),
        "says 2",
    ]
    assert [one["period"] for one in asked] == [0, 0, 0, 0, 0, 1]
    assert {one["kind"] for one in asked} == {"tick"}
    assert moved == [0, 0, 1, 2, SETUP.game.horizon]
    assert person.faults == ["person 1: refused: too much", "person 1, period 1: no lake"]
    [(*_, memory, seed, number, talk), (*_, later, _, _, other)] = made
    assert (memory, seed, number, talk) == ({}, 5, 1, "talk 0")
    assert (later, other) == ({"asked": 1}, "talk 1")


def test_in_a_practice_nobody_thinks(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    says = [
        {"kind": "view", "phase": "decide", "period": 0},
        {"kind": "view", "phase": "over", "period": 1},
    ]
    done: list[Any] = []
    monkeypatch.setattr(person, "_next", lambda live, asking: says.pop(0))
    monkeypatch.setattr(person, "_think", lambda live, period: done.append("thinks"))
    monkeypatch.setattr(module, "decision", lambda *given: Answer({}, {}, None))
    speaks = SimpleNamespace(listen=lambda view: None, messages=lambda view: [])
    person.speaker = speaks  # type: ignore[assignment]
    person._periods(Line(done), lambda period: None, thinks=False)  # type: ignore[arg-type]
    assert [one["kind"] for one in done] == ["act"]


def test_a_decision_has_chance_of_its_own_and_amounts_that_a_control_has(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[Any] = []

    def ask(policy: Any, allowed: Any, seen: Any, memory: Any, rng: Any, **more: Any) -> Answer:
        asked.append((rng.random(), memory, more))
        return Answer({"harvest": 1.26, "contribution": 0.0}, {"m": 1}, "fault")

    from engine import Episode
    from engine.contract import space
    from engine.contract.chance import generator

    play = Episode(GAME, seed=3)
    limits = play.allowed(0).to_json()
    seen = json.loads(json.dumps(space.to_json(play.observation(0))))
    view = {"limits": limits, "observation": seen, "period": 2}
    monkeypatch.setattr(module, "ask", ask)
    made = decision(GAME, Talker(GAME.core), view, {"m": 0}, 5, 7, "talk")  # type: ignore[arg-type]
    rng = generator(5, "person 7", 2)
    assert asked == [(rng.random(), {"m": 0}, {"budget": float("inf"), "talk": "talk"})]
    nearest = play.allowed(0).nearest({"harvest": 1.26, "contribution": 0.0})
    assert made == Answer(nearest, {"m": 1}, "fault")
