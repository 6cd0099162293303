"""oTree's own bots go through every page and play to the end, in this process."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from mixed_company.server import otree_bots
from mixed_company.server.blocks.way import players_of
from mixed_company.server.export import answers
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


@pytest.mark.few(1)
@pytest.mark.parametrize("config", ["commons_two_people", "sanctions_two_people"])
def test_they_go_through_every_page_and_decide_in_every_period(inside, config):
    session = Session(config, 2, **EVERY_PAGE, bot_delay="fixed:seconds=2")
    led_by_otree(session)
    for person in session.people:
        player = person.player()
        assert (player.status, player.consented, player.practised_periods) == ("finished", "yes", 2)
        assert (player.comments, player.quiz_attempts) == ("", 1)
        assert [entry["wrong"] for entry in json.loads(player.quiz_log)] == [[]]
        seen = tables.settled(player)
        assert (seen.episode.period, seen.seats[player.seat].periods) == (3, 3)


def test_a_play_without_quiz_and_lobby_is_left_when_it_is_over(inside):
    [ann] = (session := Session("commons", 1, quiz=False, periods=2)).people
    led_by_otree(session)
    player = ann.player()
    assert (player.status, player.quiz_attempts, player.practised_periods) == ("finished", 0, 0)


@pytest.mark.few(1)
@pytest.mark.parametrize("config", ["gems", "sanctions", "vote"])
def test_a_play_of_every_other_game_reaches_its_end(inside, config):
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


def test_they_vote_for_the_first_rule_talk_and_answer_every_question(inside):
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
        questions = [(row["question"], row.get("period")) for row in rows]
        assert questions == [("b", None), ("w", 0), ("w", 1), ("a", None)]
        age, first, second, content = (row["value"] for row in rows)
        assert float(age) >= 18
        assert all(3 <= float(value) <= 9 for value in (first, second))
        assert content in ("no", "yes")


@pytest.mark.long
def test_they_go_from_block_to_block(inside, monkeypatch):
    blocks = Blocks(ABA, 2, monkeypatch, consent="May we?", comments=True)
    led_by_otree(blocks.session)
    for visitor in blocks.people:
        players = players_of(visitor.player().participant)
        assert [player.status for player in players] == ["finished"] * 3
        assert [player.quiz_attempts for player in players] == [1, 0, 0]
        assert [player.consented for player in players] == ["yes", "", ""]


class Table:
    """Values of a table that determine how far the clock moves."""

    def __init__(self, deadline_ms: int | None, ready_ms: int | None = 0, begun: bool = True):
        self.deadline_ms, self.ready_ms, self.talking = deadline_ms, ready_ms, False
        self.started_ms, self.vote = ready_ms if begun else None, None


def test_the_clock_moves_to_the_end_of_a_period_and_no_further():
    cases = [(None, 5), (10, 5), (5, 5), (4, 5), (99_999, 5)]
    steps = [otree_bots._step_ms(Table(deadline), now) for deadline, now in cases]
    assert steps == [3000, 5, 1, 1, 3000]


def test_before_a_play_the_clock_moves_to_its_beginning():
    """Stop at the start, because the deadline may have passed by then and a step of 1 ms is too
    small."""
    cases = [(4, 20, 5), (4, None, 5), (4, 9000, 5)]
    steps = [
        otree_bots._step_ms(Table(deadline, ready, begun=False), now)
        for deadline, ready, now in cases
    ]
    assert steps == [15, 3000, 3000]


def test_an_endless_period_is_an_error(inside, monkeypatch):
    monkeypatch.setattr(otree_bots, "MOST_PASSES", 3)
    monkeypatch.setattr(otree_bots, "_due", lambda table, seat: ())
    session = Session("commons", 1, quiz=False, decision_seconds=0)
    with pytest.raises(AssertionError, match=r"period 0 was not settled: seats \[\d"):
        led_by_otree(session)


@pytest.mark.parametrize("page", ["Lobby", "Practice", "Play", "Other"])
def test_the_action_on_a_live_page_follows_from_the_name_of_the_page(page, monkeypatch):
    done: list[Any] = []
    monkeypatch.setattr(otree_bots, "run", lambda method, *arguments: done.append(arguments))
    monkeypatch.setattr(otree_bots, "_practise", lambda method, player: done.append(player))
    monkeypatch.setattr(otree_bots, "_play", lambda method, people, group: done.append(people))
    players = [SimpleNamespace(id_in_group=number) for number in (1, 2)]
    group = SimpleNamespace(get_players=lambda: players)
    otree_bots.call_live_method(None, type(page, (), {}), group, case=1)
    sync = {"kind": "sync"}
    assert (
        done
        == {"Lobby": [(1, sync), (2, sync)], "Practice": players, "Play": [[1, 2]], "Other": []}[
            page
        ]
    )
