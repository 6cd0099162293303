"""Who rehearses talks, votes and answers as a policy does: by hand, view by view."""

from __future__ import annotations

import json
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

import engine
from bots.policy import Policy
from bots.talk import Heard, Saying, Talk
from server.rehearse import person as module
from server.rehearse import whole
from server.rehearse.person import Person
from server.rehearse.speaking import Speaker
from server.rehearse.voter import Voter
from table import leanings
from table.options import Options
from table.setup import Setup, resolve
from table.table import Table
from table.view import view
from tests.table.chosen import BASE, LIMITED

GAME = engine.make("commons_game", archetype="lab")
Sent = list[dict[str, Any]]


class Talker(Policy):
    """Says what it is told to, and keeps what it knows of the talk."""

    id = "talker"
    games = ("commons_game",)
    source = "test"
    saying: Any = Saying("Two each?")
    asked: Talk | None = None

    def act(self, observation: Any, memory: Any, rng: Any) -> Any:
        return {"harvest": 1.0, "contribution": 0.0}, memory

    def say(self, talk: Talk, observation: Any, rng: Any) -> Any:
        self.asked = talk
        return self.saying


class Silent(Talker):
    """Never says a word."""

    talks = False


def seen(phase: str, period: int, *written: tuple[int, int, str], open_: bool = True) -> Any:
    """A view of seat 2, with messages as (number, seat, text)."""
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
    own = policy(GAME.core)
    given = Options(talk="free", talk_length=80, **options)
    return own, Speaker(GAME, own, given, seed=5, number=7)


READY = {"kind": "done", "id": "person 7 period 0 is ready", "period": 0}
SAYS = {"kind": "say", "id": "person 7 period 0 says", "text": "Two each?", "to": None}


def test_in_a_time_for_talk_it_says_one_thing_and_is_ready() -> None:
    policy, own = speaker()
    assert own.messages(seen("talk", 0, (1, 3, "Three!"))) == [SAYS, READY]
    assert own.messages(seen("talk", 0)) == []  # once in a period
    assert policy.asked == Talk(2, 0, (Heard(0, 3, None, "Three!"),), (), 80, (0, 1, 3), False)
    assert [one["period"] for one in own.messages(seen("talk", 1)) if "period" in one] == [1]


def test_while_it_decides_it_says_something_and_need_not_be_ready() -> None:
    _, own = speaker()
    assert own.messages(seen("decide", 0)) == [SAYS]
    assert own.messages(seen("waiting", 1)) == []


def test_where_nobody_can_write_or_the_policy_does_not_it_is_only_ready() -> None:
    assert speaker()[1].messages(seen("talk", 0, open_=False)) == [READY]
    for policy in (Silent,):
        assert speaker(policy)[1].messages(seen("talk", 0)) == [READY]
    talker, own = speaker()
    talker.saying = 5  # is nothing that can be said
    assert own.messages(seen("talk", 0)) == [READY]


def test_a_sentence_of_the_list_is_said_by_its_place() -> None:
    policy, own = speaker()
    policy.saying = Saying(sentence=1, to=3)
    [said, _] = own.messages(seen("talk", 0))
    assert said == {"kind": "say", "id": SAYS["id"], "sentence": 1, "to": 3}


def test_it_remembers_what_was_written_in_the_order_of_numbers() -> None:
    _, own = speaker(talk_with="one")
    own.listen(seen("talk", 0, (5, 0, "later")))
    talk = own.listen(seen("decide", 0, (2, 1, "first"), (5, 0, "later")))
    assert talk is not None
    assert [heard.text for heard in talk.heard] == ["first", "later"]
    assert talk.one
    quiet = {key: value for key, value in seen("talk", 0).items() if key != "talk"}
    assert own.listen(quiet) is None
    assert own.messages(quiet) == []


# -- votes -----------------------------------------------------------------------------------

SETUP, _ = resolve("commons_game", {**BASE, "rules": json.dumps(LIMITED)}, BASE)


def test_a_voter_wants_what_its_policy_would_vote_for_and_plays_what_is_chosen() -> None:
    voter = Voter(SETUP, "steward")
    assert voter.chosen == ""
    assert voter.rule(5, 1) == leanings.wish(SETUP, "steward", 5, 1) == "open"
    setup, policy = voter.follow("low")
    assert (voter.chosen, setup.rule, policy.id) == ("low", "low", "steward")
    by_chance = {Voter(SETUP, "random").rule(seed, 1) for seed in range(20)}
    assert by_chance == set(LIMITED)


class Line:
    """A live channel that keeps what it is sent."""

    def __init__(self) -> None:
        self.sent: Sent = []

    def send(self, message: dict[str, Any]) -> None:
        self.sent.append(message)


def rehearsing(monkeypatch: Any, setup: Setup = SETUP, later: Sequence[Any] = ()) -> Person:
    monkeypatch.setattr(module, "Participant", lambda link: link)
    return Person("link", setup, Talker(GAME.core), 5, 1, "instant", later)


def test_it_votes_while_it_can_choose_and_follows_once(monkeypatch: Any) -> None:
    person, line, voter = rehearsing(monkeypatch), Line(), Voter(SETUP, "steward")
    open_: dict[str, Any] = {"phase": "choose", "vote": {"choice": None, "rule": None}}
    person._vote(voter, line, open_)  # type: ignore[arg-type]
    assert line.sent == [{"kind": "choose", "id": "person 1 votes", "rule": "open"}]
    for done in ({**open_, "vote": {"choice": "open", "rule": None}}, {"phase": "decide"}):
        person._vote(voter, line, done)  # type: ignore[arg-type]
    assert (len(line.sent), voter.chosen) == (1, "")
    chosen = {"phase": "decide", "vote": {"rule": "low"}}
    for _ in range(2):
        person._vote(voter, line, chosen)  # type: ignore[arg-type]
        policy = person.policy
    assert (voter.chosen, policy.id) == ("low", "steward")
    person._vote(voter, line, chosen)  # type: ignore[arg-type]
    assert person.policy is policy  # goes on


def test_it_answers_what_it_is_asked_with_what_can_be_kept(monkeypatch: Any) -> None:
    item = {"name": "w", "text": "How many?", "every": 1, "type": "number", "least": 3, "most": 900}
    setup, _ = resolve("commons_game", {**BASE, "questions": json.dumps([item])}, BASE)
    person, line = rehearsing(monkeypatch, setup), Line()
    for period in (0, 0, 1):
        person._reply(line, "w", period)  # type: ignore[arg-type]
    first, again, other = line.sent
    assert first == again
    assert first["value"] != other["value"]
    assert all(3 <= one["value"] <= 900 for one in line.sent)
    assert {key: other[key] for key in ("kind", "id", "period", "question")} == {
        "kind": "answer",
        "id": "1 1 w",
        "period": 1,
        "question": "w",
    }


def test_it_thinks_in_steps_in_which_it_says_that_it_is_there(monkeypatch: Any) -> None:
    """Of 7 s it sleeps 3, 3 and 1."""
    person, line, slept = rehearsing(monkeypatch), Line(), list[float]()
    person.delay = "fixed:seconds=7"
    monkeypatch.setattr(module.time, "sleep", slept.append)
    person._think(line, 0)  # type: ignore[arg-type]
    assert slept == [3.0, 3.0, 1.0]
    assert line.sent == [{"kind": "alive"}] * 3


def test_periods_of_later_blocks_are_counted_on(monkeypatch: Any) -> None:
    """Two blocks of three periods: the second begins at 3."""
    voter = Voter(SETUP, "steward")
    later = [(SETUP, Talker(GAME.core), voter)]
    person, moved, walked = rehearsing(monkeypatch, later=later), list[int](), list[str]()

    class At:
        def next(self, **_: Any) -> None:
            walked.append("next")

    person.at = At()  # type: ignore[assignment]
    monkeypatch.setattr(person, "arrive", lambda: walked.append("arrive"))
    monkeypatch.setattr(person, "leave_lobby", lambda: walked.append("leave_lobby"))
    monkeypatch.setattr(person, "_play", lambda told: told(1))
    person.play(moved.append)
    assert moved == [1, 4]
    assert walked == ["next", "arrive", "leave_lobby"]
    assert person.voter is voter


def test_people_of_a_plan_have_policies_and_votes_of_their_treatment_and_block(
    monkeypatch: Any,
) -> None:
    plain, _ = resolve("commons_game", BASE, BASE)
    chosen = whole.Plan(
        config={},
        changes={},
        setups={"a": plain, "b": SETUP},
        blocks=[["a", "b"]],
        people={"a": ["steward"], "b": ["greedy"]},
        seed=5,
        speed="instant",
        later=[({"a": SETUP, "b": plain}, {"a": ["greedy"], "b": ["steward"]})],
    )
    monkeypatch.setattr(module, "Participant", lambda link: link)
    first, second = (whole._person(chosen, "link", name, 0, n) for n, name in enumerate("ab"))
    assert (first.policy.id, first.voter, first.number) == ("steward", None, 0)
    assert (second.policy.id, second.voter is not None, second.number) == ("greedy", True, 1)
    [(setup, policy, voter)] = first._later
    assert (setup, policy.id, voter is not None) == (SETUP, "greedy", True)
    [(setup, policy, voter)] = second._later
    assert (setup, policy.id, voter) == (plain, "steward", None)
    assert chosen.periods == 2 * 3 * 2  # a group of one person each, three periods, two blocks


def test_in_the_practice_it_takes_no_time(monkeypatch: Any) -> None:
    person, done = rehearsing(monkeypatch), list[Any]()
    line = SimpleNamespace(send=done.append, close=lambda: done.append("close"))
    monkeypatch.setattr(module, "Live", lambda url: line)
    person.at = SimpleNamespace(live_url=lambda: "url", next=lambda: done.append("next"))  # type: ignore[assignment]
    monkeypatch.setattr(person, "_periods", lambda live, moved, thinks=True: done.append(thinks))
    person._practise()
    assert done == [{"kind": "sync"}, False, "close", "next"]


class Rehearsed:
    """A server that is entered, and says what its variables are."""

    made: list[Any] = []

    def __init__(self, folder: Any, variables: Any) -> None:
        Rehearsed.made.append((folder.name, variables))

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: object) -> None:
        Rehearsed.made.append("ends")

    def archive(self, code: str) -> bytes:
        return code.encode()

    def log(self) -> str:
        return "a" * 4000 + "b"

    def create(self, config: str, people: int, **changes: Any) -> Any:
        Rehearsed.made.append((config, people, changes))
        status = 200 if config == "commons" else 400
        return SimpleNamespace(status_code=status, json=lambda: {"code": "abc"}, text="x" * 3000)


def chosen(*people: tuple[str, list[str]], config: str = "commons") -> Any:
    names = dict(people)
    blocks = [list(names)] * 2
    return whole.Plan({"name": config}, {"a": 1}, {}, blocks, names, 5, "instant")


@pytest.mark.parametrize(
    ("people", "told"),
    [
        ([(whole.NONE, ["steward", "steward", "greedy"])], ["steward", "steward", "greedy"]),
        (
            [("a", ["steward", "greedy"]), ("b", ["greedy", "random"])],
            ["steward", "greedy", "random"],
        ),
    ],
)
def test_a_rehearsal_says_who_played_and_gives_back_its_export(
    people: Any, told: list[str], monkeypatch: Any
) -> None:
    Rehearsed.made.clear()
    played = [SimpleNamespace(faults=["one"]), SimpleNamespace(faults=["two", "three"])]
    monkeypatch.setattr(whole, "Server", Rehearsed)
    monkeypatch.setattr(whole, "_played", lambda chosen, link: played)
    monkeypatch.setattr(
        whole, "_session", lambda server, chosen: {"code": "abc", "session_wide_url": "link"}
    )
    assert whole.rehearsed(chosen(*people)) == (b"abc", ["one", "two", "three"])
    [(folder, variables), end] = Rehearsed.made
    assert (folder, end) == ("project", "ends")
    assert json.loads(variables[whole.REHEARSED]) == {"people": told, "seed": 5}
    assert set(variables) == {whole.REHEARSED, whole.VARIABLE}


def test_a_rehearsal_that_fails_says_what_the_server_said_last(monkeypatch: Any) -> None:
    def fail(*_: Any) -> Any:
        raise whole.ServerError("stuck")

    monkeypatch.setattr(whole, "Server", Rehearsed)
    monkeypatch.setattr(whole, "_session", fail)
    with pytest.raises(whole.ServerError) as refused:
        whole.rehearsed(chosen(("a", ["steward"])))
    assert str(refused.value) == f"stuck\nThe server says:\n{'a' * 3999}b"


def test_the_session_of_a_rehearsal_has_its_people_and_a_quiz_without_end() -> None:
    Rehearsed.made.clear()
    server: Any = object.__new__(Rehearsed)
    own = chosen(("a", ["steward"]), ("b", ["greedy"]))
    assert whole._session(server, own) == {"code": "abc"}
    assert Rehearsed.made == [("commons", 4, {"a": 1, "quiz_tries": 0})]
    with pytest.raises(whole.ServerError) as refused:
        whole._session(server, chosen(("a", ["steward"]), config="wrong"))
    assert str(refused.value) == "x" * 2000


def test_the_bar_is_moved_by_the_periods_of_one_person_of_a_group() -> None:
    steps: list[int] = []
    moved = whole._counting(SimpleNamespace(update=steps.append))
    for period in (0, 1, 1, 3):
        moved(period)
    assert steps == [0, 1, 0, 2]
