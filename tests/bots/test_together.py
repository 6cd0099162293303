"""Seats of a play that are handled in one call get the same answers as in separate calls."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from mixed_company import engine, policies
from mixed_company.policies.asking import ask_together
from mixed_company.policies.policy import Policy, ask_at
from mixed_company.table.options import Options
from mixed_company.table.protocol import Message
from mixed_company.table.setup import Setup
from mixed_company.table.table import Table

SEATS = (0, 1, 2)


def asked(policy: Policy, episode: engine.Episode, memories: Any, budget: float = math.inf) -> Any:
    return ask_together(policy, episode, SEATS, memories, budget, math.inf)


def sent(game: engine.Game[Any], actions: list[dict[str, Any]]) -> dict[str, list[Any]]:
    return {
        field.name: [action[field.name] for action in actions] for field in game.declaration.actions
    }


@pytest.mark.few(4)
@pytest.mark.parametrize(
    ("game_id", "name"),
    [
        (game_id, name)
        for game_id in engine.game_ids()
        for name in policies.ids(game_id)
        if policies.find(name, game_id).act_within is Policy.act_within
    ]
    + [("sanctions", "population:kurzban_houser_2005")],
)
def test_every_seat_gets_the_answer_it_would_get_alone(game_id, name):
    game = engine.make(game_id, archetype="lab")
    policy, episode = policies.make(name, game), engine.Episode(game, 3)
    memories = [policy.start() for _ in SEATS]
    rest = range(len(SEATS), game.seats)
    while not episode.done and episode.period < 5:
        answers = asked(policy, episode, memories)
        alone = [ask_at(episode, policy, seat, memories[seat]) for seat in SEATS]
        assert answers == alone if policy.together else answers is None
        memories = [answer.memory for answer in alone]
        others = [episode.allowed(seat).default_action() for seat in rest]
        episode.step(sent(game, [*(answer.action for answer in alone), *others]))


class Counting(Policy):
    """Policy that counts its calls, and returns its function's answer for K seats."""

    id, games, source = "counting", ("commons_game",), "a test"

    def __init__(self, rules: Any, harvest: Any) -> None:
        super().__init__(rules)
        self.harvest, self.calls = harvest, []

    def act_together(self, seats: Any) -> Any:
        self.calls.append(seats.count)
        count = np.full(seats.count, len(self.calls))
        return {"harvest": self.harvest(seats), "contribution": 0.0}, {"calls": count}


def commons() -> engine.Game[Any]:
    return engine.make("commons_game", archetype="lab")


def fails_in_seat_1(seats: Any) -> Any:
    if 1 in seats.seat:
        raise RuntimeError("seat 1")
    return np.full(seats.count, 2.0)


@pytest.mark.parametrize(
    ("harvest", "memories"),
    [
        (fails_in_seat_1, [{}, {}, {}]),
        (lambda seats: np.where(seats.seat == 1, np.nan, 2.0), [{}, {}, {}]),
        (lambda seats: np.full(seats.count, 2.0), [{}, {"calls": 1}, {}]),
        (lambda seats: np.full(seats.count, 2.0), [{"calls": 1}, {"calls": 1.5}, {"calls": 1}]),
        (lambda seats: np.full(seats.count, 2.0), [{"calls": {}}, {"calls": {}}, {"calls": {}}]),
    ],
    ids=["an error", "no number", "a note is missing", "notes of two kinds", "notes of objects"],
)
def test_seats_must_be_asked_alone_if_one_of_them_may_be_at_fault(harvest, memories):
    game = commons()
    assert asked(Counting(game.core, harvest), engine.Episode(game, 3), memories) is None


def test_seats_must_be_asked_alone_if_the_call_took_too_long():
    game = commons()
    policy = Counting(game.core, lambda seats: np.full(seats.count, 2.0))
    assert asked(policy, engine.Episode(game, 3), [{}, {}, {}], budget=0.0) is None


@pytest.mark.parametrize("name", ["fixed:harvest=1000", "fixed:harvest=3"])
def test_an_amount_is_sent_as_the_policy_gave_it(name):
    game = commons()
    answers = asked(policies.make(name, game), engine.Episode(game, 3), [{}, {}, {}])
    assert [answer.action["harvest"] for answer in answers] == [float(name.split("=")[1])] * 3


# -- at a table -----------------------------------------------------------------------------------


def table_with(monkeypatch: pytest.MonkeyPatch, harvest: Any) -> tuple[Table, Counting]:
    """Return a table with a person and three seats of one policy."""
    game = commons()
    options = Options(
        bots="sustainable", bot_delay="instant", people_per_group=1, decision_seconds=0.0
    )
    setup = Setup(config=game.config.model_dump(mode="json"), options=options)
    policy = Counting(game.core, harvest)
    monkeypatch.setattr(Setup, "policy", lambda self, spec: policy)
    monkeypatch.setattr(Counting, "ours", True)
    table = Table.open(setup, [3], seed=7, now=0)
    table.hear(3, 0)
    table.advance(10_000)
    return table, policy


def test_a_policy_with_several_seats_is_called_once_a_period(monkeypatch):
    table, policy = table_with(monkeypatch, lambda seats: np.full(seats.count, 2.0))
    assert policy.calls == [3]
    action = {"harvest": 1.0, "contribution": 0.0}
    table.act(3, Message("act", "a", table.episode.period, action), 11_000)
    assert (table.episode.period, policy.calls) == (1, [3, 3])
    assert [chair.memory["calls"] for chair in table.seats[:3]] == [2, 2, 2]


def test_a_fault_for_one_seat_leaves_the_decisions_of_the_others(monkeypatch):
    table, policy = table_with(monkeypatch, fails_in_seat_1)
    assert policy.calls == [3, 1, 1, 1]
    faults = [row for row in table.rows if row.get("event") == "policy_fault"]
    assert [(row["seat"], row["detail"]) for row in faults] == [(1, "RuntimeError: seat 1")]
    harvests = [table.decided[seat].action["harvest"] for seat in range(3)]
    assert harvests[0] == harvests[2] == 2.0
