"""Harm from other seats in the punishment vote, and the sum of all components, worked out by hand
(with `three` from `votes.py`).
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engine.games.votes import (
    NOOP,
    RIGHT,
    TIMINGS,
    board,
    boards,
    parts,
    three,
    turn,
    votes,
)

# -- harm ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "harm"), [("A", 0.5), ("B", 1.0), ("C", 0.3), ("D", 1.5), ("E", 0.1)]
)
def test_a_resource_harms_all_but_its_collector(kind, harm):
    game, state = three(f".{kind}.")
    _, outcome = turn(game, state, NOOP, RIGHT, NOOP)
    assert parts(outcome, "harm") == [-harm, 0, -harm]


def test_together_everyone_pays_the_harm_of_the_others_once_in_the_same_turn():
    # A by 0 (0.5), B by 1 (1.0), D by 2 (1.5): 0 pays 2.5, 1 pays 2.0, 2 pays 1.5.
    game, state = three("ABD")
    state, first = turn(game, state, RIGHT, RIGHT, RIGHT)
    assert parts(first, "harm") == [-2.5, -2.0, -1.5]
    assert state["harm_paid"].tolist() == [2.5, 2.0, 1.5]
    assert state["harm"].tolist() == [0, 0, 0]
    state, second = turn(game, state, NOOP, NOOP, NOOP)
    assert parts(second, "harm") == [0, 0, 0]


@pytest.mark.parametrize("level", [0.0, 1.0])
def test_harm_does_not_depend_on_the_level(level):
    game, state = three("B..", level=level)
    _, outcome = turn(game, state, RIGHT, NOOP, NOOP)
    assert parts(outcome, "harm") == [0, -1, -1]


def test_harm_applies_across_separate_worlds():
    edge = "####"
    game, state = boards((edge, "#0A#", edge), (edge, "#1B#", edge), (edge, "#2.#", edge))
    _, outcome = turn(game, state, RIGHT, RIGHT, RIGHT)
    assert parts(outcome, "harm") == [-1.0, -0.5, -1.5]


def test_one_by_one_harm_accumulates_on_accounts():
    # Turn 1: 1 takes B (1.0), then 2 takes A (0.5). 0 has moved, so 1.5 is pending. 1 has moved
    # when 2 takes A, so 0.5 is pending. 2 pays 1.0 at the end of its move. Turn 2: 0 takes D (1.5)
    # and pays its 1.5. 1 pays 0.5 + 1.5 = 2, 2 pays 1.5.
    game, state = board(
        "#####", "#.0D#", "#1B.#", "#2A.#", "#####", timing="sequential", vote_step=0.25
    )
    state, first = turn(game, state, NOOP, RIGHT, RIGHT)
    assert parts(first, "harm") == [0, 0, -1]
    assert state["harm"].tolist() == [1.5, 0.5, 0]
    state, second = turn(game, state, RIGHT, NOOP, NOOP)
    assert parts(second, "harm") == [-1.5, -2, -1.5]
    assert state["harm"].tolist() == [0, 0, 0]


def test_one_by_one_the_last_turn_settles_old_and_new_accounts():
    # Before the last turn 0 owes 1 for the B of 1. In the last turn 0 pays it, then 2 takes A:
    # 0.5 more for 0 and 0.5 for 1, who have both moved.
    game, state = three(".BA", timing="sequential", turns=2)
    state, _ = turn(game, state, NOOP, RIGHT, NOOP)
    assert state["harm"].tolist() == [1, 0, 0]
    state, last = turn(game, state, NOOP, NOOP, RIGHT)
    assert last.done
    assert parts(last, "harm") == [-1.5, -0.5, 0]
    assert state["harm"].tolist() == [0, 0, 0]


# -- all together -------------------------------------------------------------------------


def test_a_turn_with_every_component_adds_up():
    # Together, at 0.5: 0 takes B and votes: 7 - 5 - 0.1 - 0.5 = 1.4.
    # 1 takes A: 3 - 5 - 0 - 1 = -3. 2 takes nothing, votes: -0.1 - 1.5 = -1.6.
    game, state = three("BA.", actions="composite")
    after, outcome = turn(game, state, 7, 3, 11)
    assert [round(points, 9) for points in outcome.rewards.tolist()] == [1.4, -3, -1.6]
    assert parts(outcome, "value") == [7, 3, 0]
    assert parts(outcome, "punishment") == [-5, -5, 0]
    assert parts(outcome, "vote_cost") == [-0.1, 0, -0.1]
    assert parts(outcome, "harm") == [-0.5, -1, -1.5]
    assert after["level"] == 0.5


def test_a_turn_one_by_one_with_every_component_adds_up():
    # 0 takes B at 0.5, then votes: 7 - 5 - 0.1 = 1.9. 1 takes A at 0.75 and pays for B:
    # 3 - 7.5 - 1 = -5.5. 2 votes and pays for both: -0.1 - 1.5 = -1.6. 0 owes 0.5 for A.
    game, state = three("BA.", actions="composite", timing="sequential")
    after, outcome = turn(game, state, 7, 3, 11)
    assert [round(points, 9) for points in outcome.rewards.tolist()] == [1.9, -5.5, -1.6]
    assert after["harm"].tolist() == [0.5, 0, 0]


HARM = [0, 0.5, 1.0, 0.3, 1.5, 0.1]  # of nothing, A, B, C, D, E, as in the source
VALUE = [0, 3, 7, 2, -2, 1]
TURNS = 6


@st.composite
def plays(draw):
    """Draw (game, seed, actions of every turn) for a whole play."""
    seats = draw(st.integers(1, 4))
    actions = draw(st.sampled_from(["simple", "composite"]))
    game = votes(
        seats=seats,
        turns=TURNS,
        height=5,
        width=5,
        initial_resources=3,
        spawn_probability=0.4,
        actions=actions,
        timing=draw(st.sampled_from(TIMINGS)),
        worlds=draw(st.sampled_from(["shared", "separate"])),
        punishment=draw(st.sampled_from(["expected", "lottery"])),
    )
    action = st.integers(0, 6 if actions == "simple" else 12)
    per_turn = st.lists(action, min_size=seats, max_size=seats)
    script = draw(st.lists(per_turn, min_size=TURNS, max_size=TURNS))
    return game, draw(st.integers(0, 10_000)), script


def walk(game, seed, script):
    """Yield (state after, outcome) of each turn."""
    state, _ = game.reset(seed)
    for actions in script:
        state, outcome = turn(game, state, *actions, seed=seed)
        yield state, outcome


@given(plays())
@settings(max_examples=40)
def test_over_a_whole_play_harm_paid_equals_harm_done(play):
    game, seed, script = play
    others = game.seats - 1
    done = paid = 0.0
    for state, outcome in walk(game, seed, script):
        done += others * sum(HARM[kind] for kind in state["collected"].tolist())
        paid -= float(outcome.components["harm"].sum())
        assert (outcome.components["harm"] <= 0).all()
    assert outcome.done
    assert paid == pytest.approx(done)


@given(plays())
@settings(max_examples=25)
def test_the_components_add_up_and_follow_from_collections_and_votes(play):
    game, seed, script = play
    for state, outcome in walk(game, seed, script):
        assert set(outcome.components) == {"value", "punishment", "vote_cost", "harm"}
        total = sum(outcome.components[name] for name in outcome.components)
        assert np.allclose(total, outcome.rewards, rtol=0, atol=1e-12)
        collected = state["collected"].tolist()
        assert outcome.components["value"].tolist() == [VALUE[kind] for kind in collected]
        voted = [bool(vote) for vote in state["vote"].tolist()]
        assert parts(outcome, "vote_cost") == [-0.1 if vote else 0 for vote in voted]
        for kind, lost in zip(collected, parts(outcome, "punishment"), strict=True):
            assert -10 <= lost <= 0
            assert kind or lost == 0
        assert 0 <= float(state["level"]) <= 1
