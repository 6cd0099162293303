"""A simulated person in a rehearsal talks, votes and answers as the policy does, view by view."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import nullcontext
from socket import socketpair
from types import SimpleNamespace
from typing import Any

import pytest
from websocket import WebSocket

from mixed_company import engine, policies
from mixed_company.cli.refusal import guarded
from mixed_company.experiment.simulated_people import SimulatedPeople
from mixed_company.policies.policy import Policy
from mixed_company.policies.talk import Heard, Saying, Talk
from mixed_company.server.rehearse import participant, whole
from mixed_company.server.rehearse import person as module
from mixed_company.server.rehearse.deciding import Speaker
from mixed_company.server.rehearse.participant import Live, Participant
from mixed_company.server.rehearse.person import Person
from mixed_company.server.rehearse.server import ServerError
from mixed_company.table import leanings
from mixed_company.table.options import Options
from mixed_company.table.setup import Setup, resolve
from mixed_company.table.table import Table
from mixed_company.table.view import view
from tests.table.chosen import BASE, LIMITED

GAME = engine.make("commons_game", archetype="lab")
Sent = list[dict[str, Any]]


class Talker(Policy):
    """Policy that says a fixed sentence and keeps what it knows about the talk."""

    id = "talker"
    games = ("commons_game",)
    source = "test"
    saying: Any = Saying("Two each?")
    last_talk: Talk | None = None

    def act(self, observation: Any, memory: Any, rng: Any) -> Any:
        return {"harvest": 1.0, "contribution": 0.0}, memory

    def say(self, talk: Talk, observation: Any, rng: Any) -> Any:
        self.last_talk = talk
        return self.saying


class Silent(Talker):
    """Policy that never says a word."""

    talks = False


def seen(phase: str, period: int, *written: tuple[int, int, str], open_: bool = True) -> Any:
    """Return a view of seat 2, with messages as (number, seat, text)."""
    setup = Setup(config=GAME.config.model_dump(mode="json"), options=Options())
    table = Table.open(setup, people=[2], seed=3, now=0)
    shown = json.loads(json.dumps(view(table, 2, now=1).to_json()))
    messages = [
        {"number": number, "seat": seat, "period": 0, "text": text}
        for number, seat, text in written
    ]
    about = {"phase": phase, "period": period, "talk": {"open": open_, "messages": messages}}
    return {**shown, **about}


def speaker(policy: type[Policy] = Talker, **options: Any) -> tuple[Any, Speaker]:
    talker = policy(GAME.core)
    settings = Options(talk="free", talk_length=80, **options)
    return talker, Speaker(GAME, talker, settings, seed=5, number=7)


READY = {"kind": "done", "id": "person 7 period 0 is ready", "period": 0}
SAYS = {"kind": "say", "id": "person 7 period 0 says", "text": "Two each?", "to": None}


def test_in_a_talk_a_person_says_one_thing_and_is_ready():
    policy, speaking = speaker()
    assert speaking.messages(seen("talk", 0, (1, 3, "Three!"))) == [SAYS, READY]
    assert speaking.messages(seen("talk", 0)) == []  # once in a period
    assert policy.last_talk == Talk(2, 0, (Heard(0, 3, None, "Three!"),), (), 80, (0, 1, 3), False)
    assert [
        message["period"] for message in speaking.messages(seen("talk", 1)) if "period" in message
    ] == [1]


def test_during_a_decision_a_person_says_something_and_need_not_be_ready():
    _, speaking = speaker()
    assert speaking.messages(seen("decide", 0)) == [SAYS]
    assert speaking.messages(seen("waiting", 1)) == []


def test_a_person_who_cannot_or_will_not_write_is_only_ready():
    assert speaker()[1].messages(seen("talk", 0, open_=False)) == [READY]
    for policy in (Silent,):
        assert speaker(policy)[1].messages(seen("talk", 0)) == [READY]
    talker, speaking = speaker()
    talker.saying = 5  # cannot be said
    assert speaking.messages(seen("talk", 0)) == [READY]


def test_a_sentence_of_the_list_is_sent_by_its_position():
    policy, speaking = speaker()
    policy.saying = Saying(sentence=1, to=3)
    [message, _] = speaking.messages(seen("talk", 0))
    assert message == {"kind": "say", "id": SAYS["id"], "sentence": 1, "to": 3}


def test_a_person_remembers_messages_in_the_order_of_their_numbers():
    _, speaking = speaker(talk_with="one")
    speaking.listen(seen("talk", 0, (5, 0, "later")))
    talk = speaking.listen(seen("decide", 0, (2, 1, "first"), (5, 0, "later")))
    assert talk is not None
    assert [heard.text for heard in talk.heard] == ["first", "later"]
    assert talk.to_one
    quiet = {key: value for key, value in seen("talk", 0).items() if key != "talk"}
    assert speaking.listen(quiet) is None
    assert speaking.messages(quiet) == []


# -- votes -----------------------------------------------------------------------------------

SETUP, _ = resolve("commons_game", {**BASE, "rules": json.dumps(LIMITED)}, BASE)


class Line:
    """Live channel that keeps what it sends."""

    def __init__(self) -> None:
        self.sent: Sent = []

    def send(self, message: dict[str, Any]) -> None:
        self.sent.append(message)


def rehearsing(
    monkeypatch: Any, setup: Setup = SETUP, policy: str = "talker", later: Sequence[Any] = ()
) -> Person:
    """Return a person without a participant. `talker` is the policy in this file."""
    make = policies.make
    monkeypatch.setattr(module, "Participant", lambda link: link)
    monkeypatch.setattr(
        module.policies,
        "make",
        lambda spec, game: Talker(game.core) if spec == "talker" else make(spec, game),
    )
    return Person("link", [(setup, policy), *later], 5, 1, "instant")


def test_a_person_votes_as_the_policy_wishes_and_plays_the_chosen_rule(monkeypatch):
    person, line = rehearsing(monkeypatch, policy="steward"), Line()
    open_: dict[str, Any] = {"phase": "choose", "vote": {"choice": None, "rule": None}}
    person._vote(line, open_)
    assert leanings.wish(SETUP, "steward", 5, 1) == "open"
    assert line.sent == [{"kind": "choose", "id": "person 1 votes", "rule": "open"}]
    for done in ({**open_, "vote": {"choice": "open", "rule": None}}, {"phase": "decide"}):
        person._vote(line, done)
    assert (len(line.sent), person.rule) == (1, "")
    chosen = {"phase": "decide", "vote": {"rule": "low"}}
    person._vote(line, chosen)
    policy = person.policy
    assert (person.rule, policy.id) == ("low", "steward")
    assert person.game == SETUP.chosen("low").game
    person._vote(line, chosen)
    assert person.policy is policy  # goes on


def test_a_person_gives_valid_answers_to_questions(monkeypatch):
    item = {"name": "w", "text": "How many?", "every": 1, "type": "number", "least": 3, "most": 900}
    setup, _ = resolve("commons_game", {**BASE, "questions": json.dumps([item])}, BASE)
    person, line = rehearsing(monkeypatch, setup), Line()
    for period in (0, 0, 1):
        person._reply(line, "w", period)
    first, again, other = line.sent
    assert first == again
    assert first["value"] != other["value"]
    assert all(3 <= message["value"] <= 900 for message in line.sent)
    assert {key: other[key] for key in ("kind", "id", "period", "question")} == {
        "kind": "answer",
        "id": "1 1 w",
        "period": 1,
        "question": "w",
    }


def test_a_person_thinks_in_steps_and_reports_presence_in_between(monkeypatch):
    """Wait for 3, 3 and 1 of 7 s."""
    person, line, waited = rehearsing(monkeypatch), Line(), list[float]()
    person.delay = "fixed:seconds=7"
    monkeypatch.setattr(line, "wait", waited.append, raising=False)
    person._think(line, 0)
    assert waited == [3.0, 3.0, 1.0]
    assert line.sent == [{"kind": "alive"}] * 3


def test_periods_of_later_blocks_are_numbered_consecutively(monkeypatch):
    """Play two blocks of three periods, so the second begins at 3."""
    walked = _walked(monkeypatch, "Results")
    assert walked == ["next", "arrive", "leave_lobby"]


def test_between_plays_of_a_block_there_are_no_results_to_leave(monkeypatch):
    assert _walked(monkeypatch, "Lobby") == ["arrive", "leave_lobby"]


def _walked(monkeypatch: Any, page: str) -> list[str]:
    """Return what a person does between two plays, starting on this page."""
    later = [(SETUP, "steward")]
    person, moved, walked = rehearsing(monkeypatch, later=later), list[int](), list[str]()

    class Pages:
        page_name = page

        def next(self, **_: Any) -> None:
            walked.append("next")

    person.participant = Pages()
    monkeypatch.setattr(person, "arrive", lambda: walked.append("arrive"))
    monkeypatch.setattr(person, "leave_lobby", lambda: walked.append("leave_lobby"))
    ends = list[tuple[str, ...]]()
    monkeypatch.setattr(person, "_play", lambda report, pages: (report(1), ends.append(pages)))
    person.play(moved.append)
    assert moved == [1, 4]
    assert ends == [("Results", "Lobby", "Play"), ("Results",)]
    assert person.policy.id == "steward"
    return walked


def test_a_person_does_not_repeat_the_random_draws_of_an_earlier_block(monkeypatch):
    item = {"name": "w", "text": "How many?", "every": 1, "type": "number", "least": 3, "most": 900}
    setup, _ = resolve("commons_game", {**BASE, "questions": json.dumps([item])}, BASE)
    person, drawn = rehearsing(monkeypatch, setup, later=[(setup, "talker")] * 2), list[Any]()
    person.participant = Pages("Play")
    for name in ("arrive", "leave_lobby"):
        monkeypatch.setattr(person, name, lambda: None)
    monkeypatch.setattr(person, "_play", lambda *_: drawn.append(person._drawn("w")))
    person.play(drawn.append)
    assert drawn[0] == rehearsing(monkeypatch, setup)._drawn("w")
    assert len(set(drawn)) == 3


def test_people_of_a_plan_have_the_policies_of_their_treatment_and_block(monkeypatch):
    plain, _ = resolve("commons_game", BASE, BASE)
    greedy, steward = SimulatedPeople(("greedy",), 1, []), SimulatedPeople(("steward",), 1, [])
    chosen = whole.Plan(
        config={},
        changes={},
        parts=[
            whole.Part({"a": plain, "b": SETUP}, {"a": steward, "b": greedy}),
            whole.Part({"a": SETUP, "b": plain}, {"a": greedy, "b": steward}),
        ],
        arrivals=[["a", "b"]],
        seed=5,
        speed="instant",
    )
    monkeypatch.setattr(module, "Participant", lambda link: link)
    first, second = (whole._person(chosen, "link", name, n) for n, name in enumerate("ab"))
    assert first.blocks == [(plain, "steward"), (SETUP, "greedy")]
    assert second.blocks == [(SETUP, "greedy"), (plain, "steward")]
    assert (first.policy.id, first.number) == ("steward", 0)
    assert (second.policy.id, second.number) == ("greedy", 1)
    assert chosen.periods == 2 * 3 * 2  # a group of one person each, three periods, two blocks


def test_in_the_practice_a_person_takes_no_time(monkeypatch):
    person, done = rehearsing(monkeypatch), list[Any]()
    line = SimpleNamespace(send=done.append, close=lambda: done.append("close"))
    monkeypatch.setattr(module, "Live", lambda url: line)
    person.participant = SimpleNamespace(live_url=lambda: "url", next=lambda: done.append("next"))
    monkeypatch.setattr(person, "_periods", lambda live, moved, thinks=True: done.append(thinks))
    person._practise()
    assert done == [{"kind": "sync"}, False, "close", "next"]


# -- pages, one after the other ----------------------------------------------------------------


class Pages:
    """Pages in a fixed order that keep the submitted fields."""

    def __init__(self, *pages: str, text: str = "") -> None:
        self.pages, self.handed = list(pages), list[Any]()
        self.page = SimpleNamespace(text=text)

    @property
    def page_name(self) -> str:
        return self.pages[0]

    def next(self, **fields: Any) -> None:
        self.handed.append((self.pages.pop(0), fields))

    def live_url(self) -> str:
        return f"url of {self.page_name}"


class Spoken(Line):
    """Live channel with fixed messages, which records its calls."""

    def __init__(self, *messages: Any) -> None:
        super().__init__()
        self.messages, self.closed, self.silences = list(messages), False, list[float]()
        self.socket = SimpleNamespace(settimeout=self.silences.append)
        self.kinds: list[str | None] = []

    def receive(self, kind: str | None = None) -> Any:
        self.kinds.append(kind)
        message = self.messages.pop(0)
        if isinstance(message, Exception):
            raise message
        return message

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> dict[str, Spoken]:
    """Return the live channels by address."""
    channels: dict[str, Spoken] = {}
    monkeypatch.setattr(module, "Live", channels.__getitem__)
    return channels


ASKS = [{"name": "w", "text": "?", "when": "before", "type": "number", "least": 3, "most": 900}]


@pytest.mark.parametrize("last", ["Lobby", "Play", "Results"])
def test_a_person_walks_to_the_lobby_or_to_the_page_in_its_place(monkeypatch, lines, last):
    setup, _ = resolve("commons_game", {**BASE, "questions": json.dumps(ASKS)}, BASE)
    person = rehearsing(monkeypatch, setup)
    pages = ["Consent", "Instructions", "Quiz", "Practice", "QuestionsBefore", last]
    visited = person.participant = Pages(*pages, text="")
    lines["url of Practice"], lines["url of Lobby"] = Spoken(), Spoken({"kind": "view"})
    monkeypatch.setattr(person, "_periods", lambda *_, **__: None)
    monkeypatch.setattr(person, "_drawn", lambda name: f"to {name}")
    person.arrive()
    assert visited.handed == [
        ("Consent", {"consented": "yes"}),
        ("Instructions", {}),
        ("Quiz", {"quiz_answers": "{}"}),
        ("Practice", {}),
        ("QuestionsBefore", {"handed_answers": '{"w": ["to w", 0]}'}),
    ]
    assert lines["url of Practice"].closed
    waits = last == "Lobby"
    assert person._live is (lines["url of Lobby"] if waits else None)
    assert lines["url of Lobby"].sent == ([{"kind": "sync"}] if waits else [])
    assert lines["url of Lobby"].kinds == (["view"] if waits else [])


def test_nobody_walks_for_ever(monkeypatch):
    person = rehearsing(monkeypatch)
    visited = person.participant = Pages(*["Instructions"] * 30)
    person.arrive()
    assert len(visited.handed) == 20


def quiz(*wrong: str) -> str:
    """Return the page of a quiz with two questions, with wrong answers to these."""
    shown = ""
    for name, options in (("stock", "abc"), ("pay", "12")):
        shown += f'<fieldset class="mc-question{" mc-wrong" * (name in wrong)}" '
        shown += f'data-question="{name}">'
        shown += "".join(
            f'<input type="radio" name="{name}" value="{option}">' for option in options
        )
        shown += "</fieldset>"
    return shown


def test_a_person_tries_the_options_of_each_question_in_turn(monkeypatch):
    person, tries = rehearsing(monkeypatch), list[Any]()
    texts = iter([quiz("stock", "pay"), quiz("stock", "pay"), quiz("stock"), quiz("pay")])
    visited = person.participant = Pages("Quiz", text=quiz())

    def hand_in(quiz_answers: str) -> None:
        tries.append(json.loads(quiz_answers))
        visited.page.text = next(texts, "")
        visited.pages = ["Quiz" if visited.page.text else "Lobby"]

    monkeypatch.setattr(visited, "next", hand_in)
    person._answer()
    assert [(attempt["stock"], attempt["pay"]) for attempt in tries] == [
        ("a", "1"),
        ("b", "2"),
        ("c", "2"),  # there are no more options
        ("c", "2"),
        ("c", "2"),
    ]


def test_a_quiz_that_accepts_no_answer_is_abandoned(monkeypatch):
    person = rehearsing(monkeypatch)
    visited = person.participant = Pages(*["Quiz"] * 30, text=quiz("pay"))
    with pytest.raises(ServerError, match=r"^person 1: the quiz accepted none of the answers$"):
        person._answer()
    assert len(visited.handed) == 20


def test_a_person_leaves_the_lobby_once_the_wait_is_over(monkeypatch, lines):
    person = rehearsing(monkeypatch)
    visited = person.participant = Pages("Lobby")
    person.leave_lobby()  # was in none
    assert visited.handed == []
    phases = [{}, {"phase": "waiting"}, {"phase": "seated"}, {"phase": "waiting"}]
    line = Spoken(*phases)
    person._live = line
    person.leave_lobby()
    assert (line.messages, line.closed, person._live) == ([{"phase": "waiting"}], True, None)
    assert visited.handed == [("Lobby", {})]


@pytest.mark.parametrize("pages", [["Play", "Results"], ["Results"], ["Comments", "Results"]])
def test_after_the_play_a_person_answers_questions_up_to_the_results(monkeypatch, lines, pages):
    person, heard = rehearsing(monkeypatch), list[Any]()
    visited = person.participant = Pages(*pages)
    line = lines["url of Play"] = Spoken()
    monkeypatch.setattr(person, "_periods", lambda *arguments: heard.append(arguments))
    person._play(print)
    played = pages[0] == "Play"
    assert heard == ([(line, print)] if played else [])
    assert (line.sent, line.closed) == (([{"kind": "sync"}], True) if played else ([], False))
    more = {} if played else {"handed_answers": "{}"}
    assert visited.handed == [(page, more) for page in pages[:-1]]


def test_three_pages_of_questions_may_follow_and_another_page_is_a_fault(monkeypatch):
    person = rehearsing(monkeypatch)
    visited = person.participant = Pages("QuestionsAfter", "Comments", "Questionnaire", "Results")
    person._play(print)
    assert [page for page, _ in visited.handed] == ["QuestionsAfter", "Comments", "Questionnaire"]
    person.participant = Pages("Lobby")
    with pytest.raises(ServerError, match=r"^person 1: stuck on Lobby$"):
        person._play(print)


def decide(period: int, phase: str = "decide", **more: Any) -> Any:
    """Return a view of seat 2 in this period."""
    quiet = {key: value for key, value in seen(phase, period).items() if key != "talk"}
    return {"kind": "view", **quiet, **more}


def test_a_person_decides_once_in_each_period_and_learns_about_every_one(monkeypatch):
    item = {"name": "w", "text": "?", "every": 1, "type": "number", "least": 3, "most": 900}
    setup, _ = resolve("commons_game", {**BASE, "questions": json.dumps([item])}, BASE)
    person, moved = rehearsing(monkeypatch, setup), list[int]()
    line = Spoken(
        decide(0, "waiting", to_confirm=True),
        decide(0, questions=["w"]),
        {"kind": "ack"},
        {"kind": "refused", "reason": "too late"},
        decide(0),
        decide(1),
        decide(2, "over"),
    )
    monkeypatch.setattr(person, "_drawn", lambda *arguments: arguments)
    monkeypatch.setattr(person, "_think", lambda _line, period: line.sent.append(period))
    person._periods(line, moved.append)
    action = {"harvest": 1.0, "contribution": 0.0}
    about = {"period": 0, "question": "w", "value": ("w", 0)}
    assert line.sent == [
        {"kind": "ready", "id": "person 1 is ready"},
        0,
        {"kind": "answer", "id": "1 0 w", **about},
        {"kind": "act", "id": "person 1 period 0", "period": 0, "action": action},
        1,
        {"kind": "act", "id": "person 1 period 1", "period": 1, "action": action},
    ]
    assert moved == [0, 0, 0, 1, 2, setup.game.horizon]
    assert person.faults == ["person 1: refused: too late"]


def test_a_failing_policy_is_recorded_and_in_a_practice_nobody_thinks(monkeypatch):
    class Lost(Talker):
        def act(self, observation: Any, memory: Any, rng: Any) -> Any:
            raise RuntimeError("lost")

    person, line = rehearsing(monkeypatch), Spoken(decide(0), decide(1, "over"))
    person.policy = Lost(GAME.core)
    monkeypatch.setattr(person, "_think", None)
    person._periods(line, lambda _period: None, thinks=False)
    [fault] = person.faults
    assert fault.startswith("person 1, period 0: ")
    assert "lost" in fault
    assert [message["kind"] for message in line.sent] == ["act"]


def test_a_silent_server_is_asked_every_second_for_a_minute(monkeypatch):
    person, silence = rehearsing(monkeypatch), module.WebSocketTimeoutException()
    line = Spoken(silence, silence, {"kind": "view"})
    times = iter([0.0, 0.0, 1.0, 59.9, 0.0, 0.0, 60.0])
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: next(times)))
    asking = {"kind": "tick", "period": 3}
    assert person._next(line, asking) == {"kind": "view"}
    assert (line.sent, line.silences) == ([asking, asking], [1.0])
    line = Spoken(silence)
    gone = r"^person 1: the server no longer responds$"
    with pytest.raises(ServerError, match=gone):
        person._next(line, asking)


# -- a participant without a browser -------------------------------------------------------------


def test_a_participant_requests_pages_and_submits_them(monkeypatch):
    calls: list[Any] = []
    page = SimpleNamespace(
        url="http://here:1/p/abc/commons_game/Play/3",
        text='<a id="otree-live" data-socket-url="/live?a=1&amp;b=2">',
    )

    def ask(*arguments: Any, **more: Any) -> Any:
        calls.append((*arguments, more))
        return page

    session = SimpleNamespace(get=ask, post=ask)
    monkeypatch.setattr(participant.requests, "Session", lambda: session)
    visitor = Participant("http://here:1/join/x")
    assert (visitor.code, visitor.page_name) == ("abc", "Play")
    assert visitor.live_url() == "ws://here:1/live?a=1&b=2"
    visitor.next(harvest=3)
    patience = {"timeout": 60}
    assert calls == [
        ("http://here:1/join/x", patience),
        (page.url, {"data": {"harvest": 3}, **patience}),
    ]
    page.text = "Results" + 3000 * "x"
    with pytest.raises(ServerError) as none:
        visitor.live_url()
    assert str(none.value) == f"{page.url} has no live channel:\nResults{1993 * 'x'}"


def test_a_live_channel_speaks_json_and_waits_for_the_right_message(monkeypatch):
    calls: list[Any] = []
    kinds = iter(["ack", "tick", "view"])

    def message() -> str:
        kind = next(kinds, None)
        return json.dumps({"otree_success": bool(kind), "live_method_payload": {"kind": kind}})

    socket = SimpleNamespace(send=calls.append, recv=message, close=lambda: calls.append("closed"))
    connect = lambda url, timeout: calls.append((url, timeout)) or socket  # noqa: E731
    monkeypatch.setattr(participant.websocket, "create_connection", connect)
    live = Live("ws://here/live")
    live.send({"kind": "sync"})
    assert live.receive() == {"kind": "ack"}
    assert live.receive("view") == {"kind": "view"}
    with pytest.raises(ServerError, match=r"^the live method raised an exception$"):
        live.receive()
    live.close()
    assert calls == [("ws://here/live", 60), '{"kind": "sync"}', "closed"]


def test_a_thinking_person_answers_pings_and_loses_no_message(monkeypatch):
    """The server closes the channel of a page that does not answer pings."""
    ours, server = socketpair()
    channel = WebSocket()
    channel.sock, channel.connected = ours, True
    monkeypatch.setattr(participant.websocket, "create_connection", lambda *_, **__: channel)
    live = Live("ws://here/live")
    message = json.dumps({"otree_success": True, "live_method_payload": {"kind": "view"}}).encode()
    with ours, server:
        server.sendall(bytes([0x89, 0]) + bytes([0x81, len(message)]) + message)  # ping, text
        live.wait(0.05)
        server.setblocking(False)
        assert server.recv(1) == bytes([0x8A])  # pong
        assert live.receive() == {"kind": "view"}


def test_a_lost_connection_is_an_error_of_the_rehearsal_and_no_closed_output(monkeypatch, capsys):
    def lost() -> int:
        raise BrokenPipeError(32, "Broken pipe")

    assert guarded(lost) == 2
    assert "a connection was closed" in capsys.readouterr().err
    server = SimpleNamespace(log=lambda: "its log")
    monkeypatch.setattr(whole, "Server", lambda *_, **__: nullcontext(server))
    monkeypatch.setattr(whole, "_variables", lambda _who: {})
    monkeypatch.setattr(whole, "_who", lambda _sessions: {})
    monkeypatch.setattr(whole, "_session", lambda *_: {"session_wide_url": "", "code": ""})
    monkeypatch.setattr(whole, "_played", lambda _sessions: lost())
    with pytest.raises(ServerError, match="Broken pipe\nThe server says:\nits log"):
        whole.rehearsed(SimpleNamespace())
