"""Upper bounds for groups in the vote, compared with hand calculations, exact plans, and
policies."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mixed_company import engine, policies
from mixed_company.engine import solutions
from mixed_company.engine.games.punishment_vote.tables import Grid
from mixed_company.engine.solutions.punishment_vote import flow_bound, release_bound
from mixed_company.engine.solutions.punishment_vote.bounds import (
    Appearances,
    appearances,
    most_by_flow,
    most_by_release,
    tolled,
    worth,
)
from mixed_company.policies.rollout import rollout
from mixed_company.policies.trained import Trained
from tests.engine.solutions.planning import best_plan

CLOSE = 1e-6
"""Tolerance within which HiGHS treats values as equal."""


def vote(**parameters: Any) -> Any:
    return engine.make("punishment_vote", **parameters)


def offer(*rows: tuple[int, int, float], starts: tuple[int, ...] = (1,), turns: int) -> Appearances:
    """Return appearances given as (turn, cell, worth); the cells of a lane are 1, 2, ..."""
    turn, cell, points = zip(*rows, strict=True)
    return Appearances(
        np.array(turn), np.array(cell), np.array(points, float), np.array(starts), turns
    )


def lane(cells: int, offers: Appearances) -> float:
    """Return the flow bound of a lane with this many cells, counted from 1."""
    grid = Grid(3, cells + 2)
    return most_by_flow(
        Appearances(
            offers.turn,
            offers.cell + grid.width,
            offers.worth,
            offers.starts + grid.width,
            offers.turns,
        ),
        grid,
    )


# -- value of resources -----------------------------------------------------------------------


def test_a_resource_is_worth_its_value_minus_the_harm_to_others():
    # 4 seats: A 3 - 3 * 0.5, B 7 - 3 * 3, C 2 - 3 * 0.3, D -2 - 3 * 1.5, E 1 - 3 * 0.1
    codes = worth(vote(archetype="lab_0_7"))
    assert codes[:7] == pytest.approx([0, 0, 1.5, -2, 1.1, -6.5, 0.7])
    assert codes[7:].tolist() == [0] * 4


@pytest.mark.parametrize(
    ("rules", "points"),
    [
        # 3 - 2 * 0.5 = 2 for A. A level of 0.5 stays where votes do not move it: 2 - 10 * 0.5.
        ({"vote_step": 0.0}, -3.0),
        # 2 turns with 3 votes of 0.05 before the last turn: 0.5 - 0.3 = 0.2, so 2 - 10 * 0.2.
        ({"vote_step": 0.05, "turns": 3}, 0.0),
        # in sequence the first two seats vote before the last one collects, at most 3 more votes
        ({"vote_step": 0.05, "turns": 3, "timing": "sequential"}, 1.5),
        ({"vote_step": 0.2}, 2.0),
        ({"vote_step": 0.0, "taboo": ()}, 2.0),
        # with luck no seat is ever punished
        ({"vote_step": 0.0, "punishment": "lottery"}, 2.0),
        ({"vote_step": 0.0, "punishment": "lottery", "initial_level": 1.0}, -8.0),
    ],
)
def test_punishment_is_deducted_at_the_lowest_level_that_votes_can_reach(rules, points):
    game = vote(**{"initial_level": 0.5, **rules})
    assert worth(game)[2] == pytest.approx(points)


def test_a_weighted_vote_lowers_the_level_by_its_weight_and_current_harm_is_used():
    layers = {
        "power": {"intensity": 1.0, "weights": {"elder": 4.0}},
        "interaction": {"intensity": 1.0, "externality": 2.0},
    }
    agents = {"roles": {"elder": {}, "member": {}}, "seats": ["elder", "member", "member"]}
    game = vote(initial_level=0.5, vote_step=0.05, turns=2, agents=agents, layers=layers)
    # one turn of 6 votes of 0.05: 0.5 - 0.3 = 0.2; A: 3 - 2 * 2 * 0.5 - 10 * 0.2
    assert worth(game)[2] == pytest.approx(-1.0)


# -- from release times -----------------------------------------------------------------------


def test_one_seat_collects_one_resource_a_turn_the_best_first():
    # turn 0: 3 of 3 and 2; turn 1: 2; turn 2: 5 of 5 and 4; the 4 is left
    rows = ((0, 1, 3.0), (0, 2, 2.0), (2, 3, 5.0), (2, 4, 4.0))
    assert most_by_release(offer(*rows, turns=3)) == 10
    assert most_by_release(offer(*rows, starts=(1, 2), turns=3)) == 14
    assert most_by_release(offer(*rows, turns=4)) == 14


def test_resources_with_negative_value_are_left():
    assert most_by_release(offer((0, 1, -2.0), (1, 2, 1.5), turns=3)) == 1.5


def test_a_resource_behind_a_harmful_one_pays_its_toll():
    # cell 1 has a toll of 2: 1.5 pays 1.5 of it, and 1.1 the other 0.5; cell 2 has none
    offers = offer((0, 1, -2.0), (1, 1, 1.5), (2, 2, 1.5), (3, 1, 1.1), turns=9)
    assert tolled(offers) == pytest.approx([0, 0, 1.5, 0.6])
    # a seat on the cell may have prevented a later appearance
    assert tolled(offer((1, 1, -2.0), (2, 1, 1.5), turns=9)).tolist() == [0, 1.5]


# -- the flow ---------------------------------------------------------------------------------


def test_the_flow_of_seats_takes_as_many_turns_as_there_are_cells_between():
    # from cell 1 to cell 4 it takes 3 turns
    assert lane(4, offer((0, 4, 5.0), turns=2)) == pytest.approx(0, abs=CLOSE)
    assert lane(4, offer((0, 4, 5.0), turns=3)) == pytest.approx(5)


def test_one_seat_goes_one_way():
    # 2 cells to either side in 2 turns: half a seat each way earns (3 + 5) / 2, a whole seat one
    # way 5
    assert lane(5, offer((0, 1, 3.0), (0, 5, 5.0), starts=(3,), turns=2)) == pytest.approx(5)
    # both in 6 turns; by release times both in 2
    assert lane(5, offer((0, 1, 3.0), (0, 5, 5.0), starts=(3,), turns=6)) == pytest.approx(8)


def test_resources_in_the_way_are_collected_too():
    # 5 at cell 3, behind a loss of 2 at cell 2: in 2 turns the whole seat must pass through it
    offers = offer((0, 2, -2.0), (0, 3, 5.0), turns=2)
    assert lane(3, offers) == pytest.approx(3)
    assert most_by_release(offers) == 5
    # with time to spare a third of it goes ahead for the rest: 5 - 2 / 3, still a bound
    assert lane(3, offer((0, 2, -2.0), (0, 3, 5.0), turns=4)) == pytest.approx(5 - 2 / 3)


def test_nothing_appears_on_an_occupied_cell():
    # cell 2 holds 1 from the start; the 5 of turn 1 appears only if the seat was there and has
    # left. The seat arrives in turn 0 and is still there at its end, so only one of the two can be
    # taken
    offers = offer((0, 2, 1.0), (1, 2, 5.0), turns=9)
    assert lane(2, offers) == pytest.approx(1)
    # of turn 2 it appears: there in turn 0, back in turn 1, there again in turn 2
    assert lane(2, offer((0, 2, 1.0), (2, 2, 5.0), turns=3)) == pytest.approx(6)


def test_without_resources_nothing_can_be_earned():
    game = vote(initial_resources=0, spawn_probability=0.0, turns=5)
    assert flow_bound(game, 1) == release_bound(game, 1) == 0


# -- against exact plans ----------------------------------------------------------------------

SMALL = {"height": 4, "width": 5, "turns": 5, "initial_resources": 2, "spawn_probability": 0.15}
KINDS = st.fixed_dictionaries({"value": st.integers(-3, 7), "harm": st.sampled_from([0.0, 0.5, 2])})


@st.composite
def small_games(draw: Any) -> Any:
    """Draw games of one or two seats, small enough to be solved exactly."""
    two = draw(st.booleans())
    rules = {
        "seats": 2 if two else 1,
        "turns": 3 if two else 5,
        "worlds": draw(st.sampled_from(["shared", "separate"])),
        "timing": draw(st.sampled_from(["simultaneous", "sequential"])),
        "punishment": draw(st.sampled_from(["expected", "lottery"])),
        "actions": "simple" if two else draw(st.sampled_from(["simple", "composite"])),
        "resources": {"A": draw(KINDS), "B": draw(KINDS), "C": {"value": 2, "harm": 0.5}},
        "taboo": draw(st.sampled_from([["A"], ["B", "C"], []])),
        "initial_level": draw(st.sampled_from([0.0, 0.1, 0.6, 1.0])),
        "vote_step": draw(st.sampled_from([0.0, 0.2, 0.5])),
        "magnitude": 4,
    }
    return vote(**{**SMALL, **rules})


@pytest.mark.long
@settings(max_examples=10)
@given(small_games(), st.integers(0, 2**32))
def test_no_plan_beats_the_flow_and_no_flow_beats_the_release_times(game, seed):
    plan = best_plan(game, seed, most_states=400_000)
    assert plan is not None
    assert plan.points <= flow_bound(game, seed) + CLOSE
    assert flow_bound(game, seed) <= release_bound(game, seed) + CLOSE


def played(game: Any, seed: int, plan: Any) -> float:
    """Return the total points of all seats if the engine plays the plan unchanged."""
    play = engine.Episode(game, seed)
    periods = [play.step({"action": actions}) for actions in plan.actions]
    assert play.done
    assert [period.used["action"].tolist() for period in periods] == plan.actions.tolist()
    return sum(float(period.rewards.sum()) for period in periods)


@settings(max_examples=10)
@given(small_games(), st.integers(0, 2**32))
def test_the_best_plan_can_be_played_and_earns_its_stated_points(game, seed):
    plan = best_plan(game, seed, most_states=400_000)
    assert played(game, seed, plan) == pytest.approx(plan.points)


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "acts", [{"action": ["noop"]}, {"action": ["up", "left", "noop"]}, ["action"], []]
)
@pytest.mark.parametrize("timing", ["simultaneous", "sequential"])
def test_the_best_plan_respects_the_permissions_of_roles(acts, timing):
    """The plan leaves out seats whose actions have no effect, and includes every seat that can
    act."""
    agents = {"roles": {"a": {}, "b": {"acts": acts}}, "seats": ["a", "b"]}
    rules = {"height": 5, "width": 5, "turns": 3, "initial_resources": 6, "timing": timing}
    game = vote(seats=2, agents=agents, **rules)
    open_to_b = game.allowed(game.reset(0)[0]).of(1).open(game.declaration.actions[0])
    plan = best_plan(game, 0)
    assert open_to_b[plan.actions[:, 1]].all()
    assert played(game, 0, plan) == pytest.approx(plan.points)
    assert plan.points <= flow_bound(game, 0) + CLOSE
    if open_to_b.sum() == 1:  # b stays in place, so there are only the 7 ** 3 plans of a
        assert plan.points == pytest.approx(best_of_one(game, 0))


def best_of_one(game: Any, seed: int) -> float:
    """Play all action sequences of seat 0, while seat 1 does nothing, and return the maximum."""

    def earned(moves: tuple[int, ...]) -> float:
        play = engine.Episode(game, seed)
        return sum(float(play.step({"action": [move, 6]}).rewards.sum()) for move in moves)

    return max(map(earned, itertools.product(range(7), repeat=game.horizon)))


def test_the_bounds_are_tight_if_nothing_is_far_or_in_the_way():
    """There are two cells: the seat walks back and forth, and A, worth 3, always grows back."""
    rules = {"height": 3, "width": 4, "turns": 6, "spawn_probability": 1.0}
    kinds = {"resources": {"A": {"value": 3}}, "taboo": (), "initial_resources": 1}
    game = vote(seats=1, **rules, **kinds)
    assert best_plan(game, 1).points == 18
    assert flow_bound(game, 1) == pytest.approx(18)
    assert release_bound(game, 1) == 18


def test_a_plan_that_needs_too_many_states_is_not_searched_for():
    assert best_plan(vote(archetype="lab_0_7"), 1) is None


# -- in the archetypes ------------------------------------------------------------------------


def test_numbers_of_the_lab():
    """Resources worth collecting add up to 69.1 and 50.8 points, computed without the engine.

    Harmful resources at the start subtract 5.8 and 3.2.
    """
    game = vote(archetype="lab_0_7")
    for seed, everything, bound in ((0, 69.1, 63.3), (1, 50.8, 47.6)):
        [offers] = appearances(game, seed)
        assert offers.worth[offers.worth > 0].sum() == pytest.approx(everything)
        best = solutions.best(game, seed)
        assert best.value == pytest.approx(bound) == pytest.approx(release_bound(game, seed))
        assert best.kind == "bound"
        assert math.isnan(best.error)


ARCHETYPES = engine.find("punishment_vote").archetypes
POLICIES = [
    policy.id
    for policy in (
        policies.find(name, "punishment_vote") for name in policies.ids("punishment_vote")
    )
    if not issubclass(policy, Trained)  # trained policies fit one archetype only
]
LAYERS: dict[str, dict[str, Any]] = {
    "none": {},
    "shared": {"interaction": {"intensity": 1.0, "share": 0.7, "externality": 0.2}},
    "later": {"temporal": {"intensity": 1.0, "reward_delay": 7}},
    "drifting": {"uncertainty": {"intensity": 1.0, "drift": {"vote_step": 0.1}}},
}


def earned_by(game: Any, seed: int, mix: list[str]) -> float:
    """Return the total points of all seats if each follows its policy."""
    play = rollout(engine.Episode(game, seed), [policies.make(policy, game) for policy in mix])
    return sum(float(step.rewards.sum()) for step in play)


def test_the_flow_of_the_source_lies_between_foragers_and_release_times():
    game = vote(archetype="source", turns=12)
    flow = flow_bound(game, 2)
    assert 0 < earned_by(game, 2, ["forager"] * 3) <= flow + CLOSE
    assert flow < release_bound(game, 2) - 1


@settings(max_examples=10)
@given(st.sampled_from(sorted(ARCHETYPES)), st.sampled_from(sorted(LAYERS)), st.data())
def test_no_group_of_policies_earns_more_than_the_bound(archetype, layer, data):
    layers = LAYERS[layer]
    game = vote(archetype=archetype, turns=20, **({"layers": layers} if layers else {}))
    seed = data.draw(st.integers(0, 2**40))
    mix = data.draw(st.lists(st.sampled_from(POLICIES), min_size=game.seats, max_size=game.seats))
    assert earned_by(game, seed, mix) <= solutions.best(game, seed).value + CLOSE


def test_no_bound_is_known_under_shocks():
    game = vote(layers={"uncertainty": {"intensity": 1.0, "shocks": {"level": 0.5}}})
    assert solutions.best(game, 1) is None


def test_there_is_no_bound_if_it_would_take_too_long():
    assert solutions.best(vote(height=60, width=60, turns=3000), 1) is None
