"""Policies that block run outside the loop, so neither the table nor any other policy has to
wait."""

from __future__ import annotations

import math
import os
import re
import threading
import time
from collections.abc import Callable
from queue import SimpleQueue
from types import SimpleNamespace
from typing import Any

import pytest

from mixed_company import engine, policies
from mixed_company.policies.apart import Child
from mixed_company.policies.policy import Answer, Policy, seat_chance
from mixed_company.server.open import asking
from mixed_company.server.open.asking import Asking
from mixed_company.table.answers import Question, question
from mixed_company.table.seating import Seat
from tests.server.test_open_table import SECOND, Clock, Room

PATIENCE = 120  # seconds after which a test that waits in vain fails


class Blocking(Policy):
    """Policy that answers when the test allows it."""

    id = "blocking"
    games = ("commons_game",)
    source = "test"
    gate = threading.Event()

    def act(self, observation: Any, memory: Any, rng: Any) -> Any:
        self.gate.wait(PATIENCE)
        return {"harvest": 3.0, "contribution": 0.0}, memory


class Other(Blocking):
    """Policy that answers immediately."""

    id = "other"

    def act(self, observation: Any, memory: Any, rng: Any) -> Any:
        return {"harvest": 1.0, "contribution": 0.0}, memory


@pytest.fixture
def seconds(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return the time that decides when questions expire. The test moves it."""
    passed = [0.0]
    monkeypatch.setattr(asking, "time", SimpleNamespace(monotonic=lambda: passed[0]))
    return passed


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Any:
    event = threading.Event()
    monkeypatch.setattr(Blocking, "gate", event)
    yield event
    event.set()


def asked_of(policy: Policy) -> Question:
    episode = engine.Episode(engine.make("commons_game", archetype="lab"), 1)

    class Given:
        def policy(self, _: str) -> Policy:
            return policy

    return question(Given(), episode, Seat(0, "policy", policy.id))


def eventually(done: Callable[[], bool]) -> None:
    """Wait until the threads have made this true."""
    over = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < over
        time.sleep(0.01)


def make_policy(kind: type[Policy]) -> Policy:
    return kind(engine.make("commons_game", archetype="lab").core)


def test_an_external_or_slow_policy_is_asked_outside():
    game = engine.make("commons_game", archetype="lab")
    ours = policies.make("random", game)
    assert not ours.apart
    ours.slow = True
    assert ours.apart
    assert make_policy(Other).apart


@pytest.mark.usefixtures("seconds")
def test_a_policy_that_blocks_keeps_only_itself_waiting(gate):
    answers: SimpleQueue[Answer] = SimpleQueue()
    many, blocking = Asking(threads=2, processes=0), make_policy(Blocking)
    for _ in range(5):
        many.ask(asked_of(blocking), answers.put)
    many.ask(asked_of(make_policy(Other)), answers.put)
    assert answers.get(timeout=PATIENCE).action["harvest"] == 1.0
    assert answers.empty()
    gate.set()
    assert [answers.get(timeout=PATIENCE).action["harvest"] for _ in range(5)] == [3.0] * 5


def test_a_question_that_nobody_waits_for_any_more_is_not_asked(gate, seconds):
    answers: SimpleQueue[str] = SimpleQueue()
    line, blocking = Asking(threads=1, processes=0), make_policy(Blocking)
    line.ask(asked_of(blocking), lambda _: answers.put("first"))
    line.ask(asked_of(blocking), lambda _: answers.put("too late"))
    seconds[0] = 2.0
    line.ask(asked_of(blocking), lambda _: answers.put("last"))
    gate.set()
    assert [answers.get(timeout=PATIENCE) for _ in range(2)] == ["first", "last"]


def test_questions_to_a_policy_that_never_answers_are_forgotten(gate, seconds):
    """Guard against keeping questions forever once all threads are lost."""
    line, blocking = Asking(threads=1, processes=0), make_policy(Blocking)
    for second in range(100):
        seconds[0] = float(second)
        line.ask(asked_of(blocking), lambda _: None)
    [waiting] = [line_of_policy.waiting for line_of_policy in line._lines.values()]
    assert len(waiting) <= 2


class Endless(Policy):
    """Policy that answers in this process. In a child process, it searches with a regular
    expression that takes 2^60 steps and never releases Python's lock."""

    id = "endless"
    games = ("commons_game",)
    source = "test"

    def __init__(self, core: Any) -> None:
        super().__init__(core)
        self.home = os.getpid()

    def act(self, observation: Any, memory: Any, rng: Any) -> Any:
        if os.getpid() != self.home:
            re.match(r"(a+)+$", "a" * 60 + "b")
        return {"harvest": 3.0, "contribution": 0.0}, memory


class Counting(Policy):
    """Policy that counts its questions and draws a random number."""

    id = "counting"
    games = ("commons_game",)
    source = "test"

    def act(self, observation: Any, memory: Any, rng: Any) -> Any:
        print("this is no answer")
        number = float(rng.integers(5))
        return {"harvest": number, "contribution": 0.0}, {"times": memory.get("times", 0) + 1}


@pytest.mark.usefixtures("seconds")
def test_a_policy_that_holds_python_s_lock_does_so_in_a_process_that_is_ended():
    """Guard against a loop that stops for 7.7 s in a regular expression of 26 letters."""
    many, answers = Asking(), list[Answer]()
    many.ask(asked_of(make_policy(Endless)), answers.append)
    line = many._lines[Endless]
    eventually(lambda: not line.waiting and not line.threads)
    assert answers == []
    [child] = line.children
    assert child.alive  # another one, for the next question
    child.end()


def test_a_process_answers_as_the_policy_would_here():
    question, child = asked_of(make_policy(Counting)), Child()
    here = question.answered()
    arguments = question.policy, question.allowed, question.seen
    answer = child.answered(*arguments, {"times": 4}, question.draws.anew(), None, PATIENCE)
    assert answer is not None
    assert (answer.action, answer.memory) == (here.action, {"times": 5})
    child.end()
    assert child.answered(*arguments, {}, question.draws, None, 1.0) is None


@pytest.mark.few(1)
@pytest.mark.parametrize("game_id", engine.game_ids())
def test_the_questions_of_every_game_can_be_sent_to_a_process(game_id):
    game = engine.make(game_id, archetype="lab")
    episode, policy = engine.Episode(game, 1), policies.make("random", game)
    allowed, child = episode.allowed(0), Child()
    assert allowed.low is not None  # its computed values do not need to be sent
    seen, draws = episode.observation(0), seat_chance(1, 0, 0)
    local = policies.ask(policy, allowed, seen, {}, draws, math.inf, patience=math.inf)
    remote = child.answered(policy, allowed, seen, {}, draws.anew(), None, PATIENCE)
    assert remote is not None
    assert remote.action == local.action
    child.end()


class Beside(Room):
    """Open table whose policies are asked by the test."""

    def __init__(self, clock: Clock, **options: Any) -> None:
        self.questions: list[tuple[Question, Callable[[Answer], None]]] = []
        super().__init__(clock, ask=lambda *put: self.questions.append(put), **options)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def _slow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(policies.find("sustainable", "commons_game"), "slow", True)


@pytest.mark.usefixtures("_slow")
def test_a_table_answers_people_while_its_policies_think(clock):
    room = Beside(clock, bot_delay="instant")
    room.begin()
    assert len(room.questions) == 2
    room.act(0, "mine")
    room.paper.save()
    assert room.pages[0].take() == ["ack", "view"]
    room.pages[2].take()
    clock.now = 300
    for wanted, tell in room.questions:
        tell(wanted.answered())
    room.paper.save()
    assert len(room.questions) == 2  # each is asked once
    assert room.pages[0].take() == ["view", "view"]
    room.act(2, "theirs")
    room.paper.save()
    assert room.stored().episode.period == 1
    assert len(room.questions) == 4


@pytest.mark.usefixtures("_slow")
def test_a_policy_that_never_answers_is_late_and_the_play_goes_on(clock):
    room = Beside(clock, bot_delay="instant")
    room.begin()
    room.act(0, "mine")
    room.act(2, "theirs")
    clock.now = SECOND
    assert room.due()[-1] == SECOND
    room.alarms[-1].ring()
    room.paper.save()
    table = room.stored()
    assert table.episode.period == 1
    faults = [row for row in room.paper.rows if '"policy_fault"' in row.data]
    assert len(faults) == 2
    assert "no answer within 1000 ms" in faults[0].data


@pytest.mark.usefixtures("_slow")
def test_a_table_stays_awake_for_policies_that_must_be_asked_in_time(clock):
    room = Beside(clock, bot_delay="instant", decision_seconds=9.0)
    room.begin()
    for seat, page in room.pages.items():
        room.table.leave(seat, page)
    room.paper.save()
    assert room.due()
    assert not room.table.idle


@pytest.mark.usefixtures("_slow")
def test_an_answer_to_a_closed_table_changes_nothing(clock):
    room = Beside(clock, bot_delay="instant")
    room.begin()
    room.table.close()
    wanted, tell = room.questions[0]
    tell(wanted.answered())
    assert room.paper.waiting == []
