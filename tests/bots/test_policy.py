"""Calling a policy: failures, invalid answers, timeouts, and names."""

from __future__ import annotations

import gc
import math
import time

import numpy as np
import pytest

from mixed_company import policies
from mixed_company.engine import ConfigError, UnknownName
from mixed_company.engine.contract.allowed import Allowed
from mixed_company.engine.contract.space import Field
from mixed_company.policies.policy import Policy, ask
from tests.engine.plays import commons

GAME = commons()
FIELDS = (
    Field("harvest", "", low=0, high=10, default=1.5),
    Field("door", "", kind="choice", low=0, high=2, default=2.0),
    Field("count", "", kind="whole", low=0, high=9),
)
ALLOWED = Allowed(FIELDS, (), {}, {})
DEFAULT = {"harvest": 1.5, "door": 2.0, "count": 0.0}
GOOD = {"harvest": 3, "door": 1, "count": 4}
NOTES = {"seen": [1, 2]}


class Scripted(Policy):
    """Policy that calls a function for its actions."""

    id, games, source = "scripted", ("commons_game",), "a test"

    def __init__(self, answer):
        super().__init__(GAME.core)
        self.answer = answer

    def act(self, observation, memory, rng):
        return self.answer(memory)


def asked(answer, budget=math.inf, memory=None):
    """Return the answer of a policy that calls this function."""
    rng = np.random.default_rng(0)
    return ask(Scripted(answer), ALLOWED, {}, NOTES if memory is None else memory, rng, budget)


def raises(error):
    def act(memory):
        raise error

    return act


def test_a_valid_answer_is_used_and_its_memory_is_kept():
    answered = asked(lambda memory: (GOOD, {"seen": [*memory["seen"], 3]}))
    assert answered.action == {"harvest": 3.0, "door": 1.0, "count": 4.0}
    assert answered.memory == {"seen": [1, 2, 3]}
    assert answered.fault is None


def test_numbers_from_any_library_become_plain_numbers():
    answer = {"harvest": np.float32(0.5), "door": np.int64(1), "count": np.float64(4)}
    answered = asked(lambda memory: (answer, memory))
    assert answered.action == {"harvest": 0.5, "door": 1.0, "count": 4.0}
    assert {type(value) for value in answered.action.values()} == {float}


@pytest.mark.parametrize(
    ("error", "fault"),
    [
        (ValueError("no idea"), "ValueError: no idea"),
        (KeyError("seen"), "KeyError: 'seen'"),
        (ZeroDivisionError("division by zero"), "ZeroDivisionError: division by zero"),
        (RecursionError("too deep"), "RecursionError: too deep"),
    ],
)
def test_a_policy_that_raises_plays_the_default(error, fault):
    answered = asked(raises(error))
    assert (answered.action, answered.memory, answered.fault) == (DEFAULT, NOTES, fault)


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_exceptions_that_stop_the_server_are_passed_on(error):
    with pytest.raises(error):
        asked(raises(error()))


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        ({}, "action field 'harvest': is missing"),
        ({**GOOD, "more": 1}, "action field 'more': unknown; one of: count, door, harvest"),
        (3, "action = 3: must map harvest, door, count to numbers"),
        (None, "action = None: must map harvest, door, count to numbers"),
        ({**GOOD, "harvest": math.nan}, "harvest = nan: must be a finite number"),
        ({**GOOD, "harvest": None}, "harvest = None: must be a number"),
        ({**GOOD, "harvest": np.array([3.0])}, "harvest = array([3.]): must be a number"),
        ({**GOOD, "harvest": 10**400}, "harvest = a huge number: must be a finite number"),
        ({**GOOD, "door": 3}, "door = 3: unknown choice; choose one of 0, 1, 2"),
        ({**GOOD, "count": 0.5}, "count = 0.5: must be a whole number"),
    ],
)
def test_a_policy_with_an_invalid_answer_plays_the_default(answer, fault):
    answered = asked(lambda memory: (answer, {"lost": True}))
    assert (answered.action, answered.memory) == (DEFAULT, NOTES)
    assert answered.fault == fault


@pytest.mark.parametrize("notes", [None, [1], "text", 3])
def test_a_memory_that_is_not_a_dictionary_is_invalid(notes):
    answered = asked(lambda memory: (GOOD, notes))
    assert (answered.action, answered.memory) == (DEFAULT, NOTES)
    assert answered.fault == f"memory {notes!r} should be a dict"


@pytest.mark.parametrize("value", [np.array([1]), {1, 2}, object(), math.nan, "\ud800"])
def test_a_memory_without_a_json_form_is_invalid(value):
    answered = asked(lambda memory: (GOOD, {"seen": value}))
    assert (answered.action, answered.memory) == (DEFAULT, NOTES)
    assert "memory" in answered.fault


@pytest.mark.parametrize("answer", [None, GOOD, (GOOD,), (GOOD, {}, {})])
def test_an_answer_that_is_not_a_pair_is_invalid(answer):
    answered = asked(lambda memory: answer)
    assert (answered.action, answered.memory) == (DEFAULT, NOTES)
    assert answered.fault


def test_a_memory_changed_in_place_is_restored_after_a_failure():
    def act(memory):
        memory["seen"].append(99)
        raise ValueError("too late")

    assert asked(act, memory={"seen": [1, 2]}).memory == {"seen": [1, 2]}


def test_a_policy_that_exceeds_its_budget_plays_the_default():
    def act(memory):
        start = time.thread_time()
        while time.thread_time() == start:
            pass
        return GOOD, {"seen": []}

    answered = asked(act, budget=0)
    assert (answered.action, answered.memory) == (DEFAULT, NOTES)
    assert answered.fault.startswith("took ")
    assert answered.fault.endswith(" ms of 0 ms")


def test_garbage_collection_does_not_count_against_a_policy(monkeypatch):
    """Garbage collection of a large process on a busy machine once took 1.2 seconds of wall-clock
    time.
    """
    now = [10.0]
    monkeypatch.setattr("mixed_company.policies.policy.time.monotonic", lambda: now[0])

    def act(memory):
        gc.collect()
        now[0] += 1.2
        return GOOD, {"seen": []}

    answered = asked(act, budget=0)
    assert (answered.fault, answered.memory) == (None, {"seen": []})


def test_a_policy_that_waits_too_long_plays_the_default(monkeypatch):
    """Waiting takes no processor time, so 1.5 seconds of sleep used to go unnoticed."""
    now = [10.0]
    monkeypatch.setattr("mixed_company.policies.policy.time.monotonic", lambda: now[0])

    def act(memory):
        now[0] += 1.5
        return GOOD, {"seen": []}

    rng = np.random.default_rng(0)
    answered = ask(Scripted(act), ALLOWED, {}, NOTES, rng)
    assert (answered.action, answered.memory) == (DEFAULT, NOTES)
    assert answered.fault == "took 1.5 s of wall time, of 1 s"


def test_an_error_takes_precedence_over_an_overrun():
    assert asked(raises(ValueError("no idea")), budget=-1).fault == "ValueError: no idea"


def test_a_number_out_of_range_is_left_to_the_game():
    answered = asked(lambda memory: ({**GOOD, "harvest": 50}, memory))
    assert (answered.action["harvest"], answered.fault) == (50.0, None)


# -- names and parameters -----------------------------------------------------------------


def test_a_policy_can_be_named_by_its_id_alone():
    policy = policies.make("greedy", GAME)
    assert policy.id == "greedy"
    assert policy.rules == GAME.core
    assert policy.start() == {}


@pytest.mark.parametrize(
    ("text", "parameters"),
    [
        ("fixed", {"harvest": 2, "contribution": 0}),
        ("fixed:harvest=3", {"harvest": 3, "contribution": 0}),
        ("fixed:harvest=3;contribution=1.5", {"harvest": 3, "contribution": 1.5}),
        (" fixed: harvest = 3 ; ", {"harvest": 3, "contribution": 0}),
        ("fixed:", {"harvest": 2, "contribution": 0}),
    ],
)
def test_a_policy_can_be_named_with_its_own_parameters(text, parameters):
    assert policies.make(text, GAME).settings == parameters


def test_settings_of_a_policy_can_be_read_under_their_former_name():
    policy = policies.make("fixed:harvest=3", GAME)
    with pytest.warns(DeprecationWarning, match=r"Policy\.own has been renamed to"):
        assert policy.own == policy.settings


def test_a_parameter_applies_to_one_seat_only():
    policies.make("fixed:harvest=3", GAME)
    assert policies.make("fixed", GAME).settings["harvest"] == 2


@pytest.mark.parametrize("text", ["", "=", "=much", "=nan", "=inf", "=-inf"])
def test_a_parameter_that_is_not_a_finite_number_is_refused(text):
    with pytest.raises(ConfigError, match="should be name=number") as refused:
        policies.make(f"fixed:harvest{text}", GAME)
    assert f"harvest{text}" in str(refused.value)


def test_an_unknown_policy_is_refused_with_the_nearest_name():
    with pytest.raises(UnknownName) as refused:
        policies.make("greddy", GAME)
    message = "policy 'greddy': unknown in commons_game; did you mean 'greedy'?"
    assert str(refused.value) == message


def test_a_policy_of_an_unknown_game_is_refused():
    assert policies.ids("chess") == []
    with pytest.raises(UnknownName, match="policy 'greedy': unknown in chess"):
        policies.find("greedy", "chess")


def test_the_ids_of_a_game_are_sorted_and_each_finds_its_policy():
    names = policies.ids("commons_game")
    assert names == sorted(names)
    assert [policies.find(name, "commons_game").id for name in names] == names


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("fixed:harvst=3", "fixed: parameter 'harvst': unknown; did you mean 'harvest'?"),
        ("fixed:harvest=-5", "fixed: harvest = -5: should be from 0 to 1e+09"),
        ("noisy_person:whim=7", "noisy_person: whim = 7: should be from 0 to 1"),
        ("steward:share=1.1", "steward: share = 1.1: should be from 0 to 1"),
    ],
)
def test_a_parameter_is_refused_by_name_value_and_rule(text, message):
    with pytest.raises(ConfigError) as refused:
        policies.make(text, GAME)
    assert str(refused.value) == message
