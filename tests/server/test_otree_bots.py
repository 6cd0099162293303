"""oTree's own bots go through every page and play to the end, in this process."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from mixed_company.server import otree_bots
from mixed_company.server.answered import answers
from mixed_company.server.blocks.way import players_of
from mixed_company.server.keeping import storage
from mixed_company.server.open.tables import tables
from mixed_company.server.played import played
from tests.server.blocks.planned import ABA, Blocks
from tests.server.inside import Session, inside, led_by_otree
from tests.table.chosen import RULES

__all__ = ["inside"]  # a fixture

EVERY_PAGE: dict[str, Any] = {
    "consent": "May we?",
    "practice_periods": 2,
    "comments": True,
    "ready": True,
    "seed": "3",
    "periods": 3,
}


@pytest.mark.parametrize("config", ["commons_two_people", "sanctions_two_people"])
def test_they_go_through_every_page_and_decide_every_period(inside: None, config: str) -> None:
    session = Session(config, 2, **EVERY_PAGE, bot_delay="fixed:seconds=2")
    led_by_otree(session)
    for person in session.people:
        player = person.player()
        assert (player.status, player.consented, player.practised_periods) == ("finished", "yes", 2)
        assert (player.comments, player.quiz_attempts) == ("", 1)
        assert [one["wrong"] for one in json.loads(player.quiz_log)] == [[]]
        seen = tables.settled(player)
        assert (seen.episode.period, seen.seats[player.seat].periods) == (3, 3)


def test_a_play_without_quiz_and_lobby_is_left_when_it_is_over(inside: None) -> None:
    [ann] = (session := Session("commons", 1, quiz=False, periods=2)).people
    led_by_otree(session)
    player = ann.player()
    assert (player.status, player.quiz_attempts, player.practised_periods) == ("finished", 0, 0)


@pytest.mark.parametrize("config", ["gems", "sanctions", "vote"])
def test_a_play_of_every_other_game_comes_to_its_end(inside: None, config: str) -> None:
    length = "turns" if config == "vote" else "periods"
    [ann] = (session := Session(config, 1, **{length: 2})).people
    led_by_otree(session)
    assert ann.player().status == "finished"


WITHIN = {"name": "w", "text": "How many?", "every": 1, "type": "number", "least": 3, "most": 9}
ASKED: list[dict[str, Any]] = [
    WITHIN,
    {"name": "b", "text": "Your age?", "when": "before", "type": "number", "least": 18},
    {"name": "a", "text": "Content?", "when": "after", "type": "choice", "options": ["no", "yes"]},
]


def test_they_vote_for_the_first_rule_talk_and_answer_what_they_are_asked(inside: None) -> None:
    about = {"talk": "free", "talk_when": "periods", "questions": json.dumps(ASKED)}
    rules = {"rules": json.dumps(RULES), "rules_seconds": 0.0}
    session = Session("commons_two_people", 2, quiz=False, periods=2, **about, **rules)
    led_by_otree(session)
    players = [person.player() for person in session.people]
    assert [player.status for player in players] == ["finished", "finished"]
    table = tables.settled(players[0])
    assert (table.episode.period, table.setup.rule) == (2, "open")  # the first
    assert table.vote is not None
    assert table.vote.votes == dict.fromkeys((player.seat for player in players), "open")
    for player in players:
        [group] = played([[player]], storage.log_class(player))
        rows = list(answers(player, group))
        asked = [(row["question"], row.get("period")) for row in rows]
        assert asked == [("b", None), ("w", 0), ("w", 1), ("a", None)]
        age, first, second, content = (row["value"] for row in rows)
        assert float(age) >= 18
        assert all(3 <= float(value) <= 9 for value in (first, second))
        assert content in ("no", "yes")


def test_they_go_from_block_to_block(inside: None, monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = Blocks(ABA, 2, monkeypatch, consent="May we?", comments=True)
    led_by_otree(blocks.session)
    for visitor in blocks.people:
        players = players_of(visitor.player().participant)
        assert [player.status for player in players] == ["finished"] * 3
        assert [player.quiz_attempts for player in players] == [1, 0, 0]
        assert [player.consented for player in players] == ["yes", "", ""]


class Table:
    """Of a table, what the clock is put on by."""

    def __init__(self, deadline_ms: int | None, ready_ms: int | None = 0, begun: bool = True):
        self.deadline_ms, self.ready_ms, self.talking = deadline_ms, ready_ms, False
        self.started_ms = ready_ms if begun else None


def test_the_clock_is_put_on_to_the_end_of_a_period_and_no_further() -> None:
    given = [(None, 5), (10, 5), (5, 5), (4, 5), (99_999, 5)]
    steps = [otree_bots._step_ms(Table(deadline), now) for deadline, now in given]  # type: ignore[arg-type]
    assert steps == [3000, 5, 1, 1, 3000]


def test_before_a_play_the_clock_is_put_on_to_its_beginning() -> None:
    """Whose deadline may be over by then: a step of 1 ms would never come there."""
    given = [(4, 20, 5), (4, None, 5), (4, 9000, 5)]
    steps = [
        otree_bots._step_ms(Table(deadline, ready, begun=False), now)  # type: ignore[arg-type]
        for deadline, ready, now in given
    ]
    assert steps == [15, 3000, 3000]


# -- step by step ---------------------------------------------------------------------------------


class Play:
    """A table on which a period is over when everybody has decided, and talk when all are done."""

    def __init__(self, people: int, talks: bool = False) -> None:
        self.people, self.talks, self.talking = people, talks, talks
        self.started_ms: int | None = None
        self.episode = SimpleNamespace(period=0, done=False)
        self.done: list[Any] = []

    def hear(self, person: int, message: dict[str, Any]) -> None:
        self.done.append((person, message["kind"], message.get("period")))
        kinds = [kind for _, kind, period in self.done if period == self.episode.period]
        if kinds.count("done") == self.people:
            self.talking = False
        if message["kind"] == "act" and kinds.count("act") == self.people:
            self.episode.period += 1
            self.episode.done = self.episode.period == 2
            self.talking = self.talks and not self.episode.done


@pytest.mark.parametrize("talks", [False, True])
def test_everybody_decides_once_in_each_period(
    talks: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    table: Any = Play(2, talks)
    table.options, waits = None, list[str]()

    def wait(there: Any, player: Any, method: Any, people: list[int]) -> None:
        waits.append(getattr(there, "__name__", "settled"))
        if waits[-1] == "_begun":
            assert there(table) is talks
            table.started_ms = 0
        assert there(table)

    monkeypatch.setattr(otree_bots, "run", lambda method, *told: table.hear(*told))
    monkeypatch.setattr(otree_bots.tables, "settled", lambda player: table)
    monkeypatch.setattr(otree_bots, "_wait", wait)
    monkeypatch.setattr(otree_bots, "_vote", lambda method, people, player: waits.append("vote"))
    monkeypatch.setattr(otree_bots, "seated", lambda table: {5: 1, 7: 2})
    monkeypatch.setattr(
        otree_bots,
        "items_in",
        lambda options, seat, period: ["q"] if (seat, period) == (7, 1) else [],
    )
    monkeypatch.setattr(
        otree_bots, "_answer", lambda item, period: {"kind": "answer", "period": period}
    )
    monkeypatch.setattr(
        otree_bots, "_default", lambda table, seat: {"kind": "act", "period": table.episode.period}
    )
    otree_bots._play(None, [1, 2], SimpleNamespace(get_players=lambda: ["player"]))  # type: ignore[arg-type]
    begins = [(person, kind, None) for person in (1, 2) for kind in ("sync", "ready")]

    def talk(period: int) -> list[Any]:
        return [(person, "done", period) for person in (1, 2)] if talks else []

    assert table.done == [
        *begins,
        *talk(0),
        *((1, "act", 0), (2, "act", 0)),
        *talk(1),
        *((1, "act", 1), (2, "answer", 1), (2, "act", 1)),
    ]
    assert waits == ["vote", "_begun", *["_talked", "settled"] * 2]


def test_a_period_that_does_not_end_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    table: Any = Play(9)
    table.options, table.deadline_ms, table.waiting = None, 50, lambda: [3]
    monkeypatch.setattr(otree_bots, "run", lambda method, *told: table.hear(*told))
    monkeypatch.setattr(otree_bots.tables, "settled", lambda player: table)
    monkeypatch.setattr(otree_bots.tables, "of", lambda player: SimpleNamespace(now_ms=lambda: 7))
    for name in ("_wait", "_vote"):
        monkeypatch.setattr(otree_bots, name, lambda *given: None)
    monkeypatch.setattr(otree_bots, "seated", lambda table: {0: 1})
    monkeypatch.setattr(otree_bots, "items_in", lambda options, seat, period: [])
    monkeypatch.setattr(otree_bots, "_default", lambda table, seat: {"kind": "act", "period": 0})
    with pytest.raises(AssertionError, match=r"period 0 was not settled: seats \[3\]"):
        otree_bots._play(None, [1], SimpleNamespace(get_players=lambda: ["player"]))  # type: ignore[arg-type]


def test_the_clock_is_put_on_until_something_has_come(monkeypatch: pytest.MonkeyPatch) -> None:
    table: Any = SimpleNamespace(here=0)
    put_on, told = list[int](), list[Any]()

    def move(ms: int) -> None:
        put_on.append(ms)
        table.here += 1

    opened = SimpleNamespace(now_ms=lambda: 4, put_on=move)
    monkeypatch.setattr(otree_bots.tables, "settled", lambda player: table)
    monkeypatch.setattr(otree_bots.tables, "of", lambda player: opened)
    monkeypatch.setattr(otree_bots, "_step_ms", lambda table, now: 10 * now)
    monkeypatch.setattr(otree_bots, "run", lambda method, *given: told.append(given))
    otree_bots._wait(lambda own: own.here == 2, None, None, [1, 2])  # type: ignore[attr-defined,arg-type]
    assert put_on == [40, 40]
    assert told == [(1, {"kind": "alive"}), (2, {"kind": "alive"})] * 2
    put_on.clear()
    otree_bots._wait(lambda own: False, None, None, [])  # type: ignore[arg-type]
    assert len(put_on) == otree_bots.SLOWEST_BOT_MS // otree_bots.STEP_MS


@pytest.mark.parametrize("page", ["Lobby", "Practice", "Play", "Other"])
def test_what_happens_on_a_live_page_follows_from_its_name(
    page: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[Any] = []
    monkeypatch.setattr(otree_bots, "run", lambda method, *given: done.append(given))
    monkeypatch.setattr(otree_bots, "_practise", lambda method, player: done.append(player))
    monkeypatch.setattr(otree_bots, "_play", lambda method, people, group: done.append(people))
    players = [SimpleNamespace(id_in_group=number) for number in (1, 2)]
    group = SimpleNamespace(get_players=lambda: players)
    otree_bots.call_live_method(None, type(page, (), {}), group, case=1)  # type: ignore[arg-type]
    sync = {"kind": "sync"}
    assert (
        done
        == {
            "Lobby": [(1, sync), (2, sync)],
            "Practice": players,
            "Play": [[1, 2]],
            "Other": [],
        }[page]
    )
