"""What seats of the punishment vote earn and lose, with numbers worked out by hand.

Where nothing else is said, three seats play at level 0.5 with the numbers of the source: A is
worth 3 and harms by 0.5, B 7 and 1, C 2 and 0.3, D -2 and 1.5, E 1 and 0.1; a punishment is 10
times the level, a vote costs 0.1. Votes move the level by 0.25 here, which has no rounding.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Episode
from tests.engine.games.votes import (
    LEFT,
    LESS,
    MORE,
    NOOP,
    RIGHT,
    UP,
    board,
    boards,
    lane,
    parts,
    turn,
    turn_of_many,
    votes,
)

TIMINGS = ["simultaneous", "sequential"]
# Each seat has one kind to its right.
ROWS = ("####", "#0{}#", "#1{}#", "#2{}#", "####")


def three(kinds, **core):
    """Three seats, each with a kind (or an empty cell) to its right."""
    rows = [row.format(kind) for row, kind in zip(ROWS[1:4], kinds, strict=True)]
    return board(ROWS[0], *rows, ROWS[4], **{"vote_step": 0.25, **core})


# -- value and punishment -----------------------------------------------------------------


@pytest.mark.parametrize(("kind", "value"), [("A", 3), ("B", 7), ("C", 2), ("D", -2), ("E", 1)])
def test_a_resource_is_worth_what_the_source_says(kind, value):
    game, state = three(f".{kind}.")
    _, outcome = turn(game, state, RIGHT, RIGHT, RIGHT)
    assert parts(outcome, "value") == [0, value, 0]


@pytest.mark.parametrize("timing", TIMINGS)
@pytest.mark.parametrize("kind", "ABCDE")
def test_at_level_a_half_a_punishment_is_five(timing, kind):
    # "At 50% probability, punishment = -10.0 * 0.5 = -5.0", for each of the five.
    game, state = three(f".{kind}.", timing=timing)
    after, outcome = turn(game, state, NOOP, RIGHT, NOOP)
    assert parts(outcome, "punishment") == [0, -5, 0]
    assert after["punished"].tolist() == [0, 5, 0]


@pytest.mark.parametrize(
    ("level", "lost"), [(0.0, 0.0), (0.1, -1.0), (0.25, -2.5), (0.7, -7.0), (1.0, -10.0)]
)
def test_a_sure_punishment_is_the_level_times_the_magnitude(level, lost):
    game, state = lane("0A", level=level)
    _, outcome = turn(game, state, RIGHT)
    assert parts(outcome, "punishment") == [lost]


def test_the_magnitude_can_be_another_one():
    game, state = lane("0A", magnitude=6, level=0.25)
    assert parts(turn(game, state, RIGHT)[1], "punishment") == [-1.5]
    game, state = lane("0A", magnitude=0, level=1.0)
    assert parts(turn(game, state, RIGHT)[1], "punishment") == [0]


@pytest.mark.parametrize("punishment", ["expected", "lottery"])
def test_who_collects_nothing_is_not_punished_even_at_level_one(punishment):
    game, state = three("...", punishment=punishment, level=1.0)
    for actions in ((RIGHT, LEFT, NOOP), (MORE, LESS, UP)):
        assert parts(turn(game, state, *actions)[1], "punishment") == [0, 0, 0]


@pytest.mark.parametrize("punishment", ["expected", "lottery"])
def test_only_what_is_taboo_is_punished(punishment):
    game, state = three("ABC", taboo=["B"], punishment=punishment, level=1.0)
    _, outcome = turn(game, state, RIGHT, RIGHT, RIGHT)
    assert parts(outcome, "value") == [3, 7, 2]
    assert parts(outcome, "punishment") == [0, -10, 0]


@pytest.mark.parametrize("punishment", ["expected", "lottery"])
def test_where_nothing_is_taboo_nobody_is_punished(punishment):
    game, state = three("ABC", taboo=[], punishment=punishment, level=1.0)
    _, outcome = turn(game, state, RIGHT, RIGHT, RIGHT)
    assert parts(outcome, "punishment") == [0, 0, 0]


def test_what_is_not_taboo_does_harm_as_ever():
    game, state = three("A..", taboo=["B"])
    _, outcome = turn(game, state, RIGHT, NOOP, NOOP)
    assert parts(outcome, "harm") == [0, -0.5, -0.5]


# -- the lottery --------------------------------------------------------------------------

PLAYS = 20_000


def drawn_punishments(level, **core):
    """(plays, 3) punishments of seats that all take something, over many seeds."""
    game, state = three("ABE", punishment="lottery", level=level, **core)
    _, outcome = turn_of_many(game, state, [RIGHT] * 3, PLAYS)
    return outcome.components["punishment"]


def test_a_lottery_punishes_in_full_or_not_at_all():
    assert np.unique(drawn_punishments(0.3)).tolist() == [-10, 0]
    assert np.unique(drawn_punishments(0.3, magnitude=4)).tolist() == [-4, 0]


def test_a_lottery_at_level_zero_punishes_nobody():
    assert np.unique(drawn_punishments(0.0)).tolist() == [0]


def test_a_lottery_at_level_one_punishes_everyone():
    assert np.unique(drawn_punishments(1.0)).tolist() == [-10]


@pytest.mark.parametrize("level", [0.02, 0.3, 0.9])
def test_a_lottery_punishes_as_often_as_the_level_says(level):
    # The share of N independent draws has standard error sqrt(p (1 - p) / N).
    share = (drawn_punishments(level) < 0).mean(axis=0)
    assert np.abs(share - level).max() < 4 * np.sqrt(level * (1 - level) / PLAYS)


def test_seats_are_drawn_independently():
    # The correlation of N independent pairs has standard error 1 / sqrt(N).
    drawn = np.corrcoef(drawn_punishments(0.5).T)
    assert np.abs(drawn[np.triu_indices(3, 1)]).max() < 4 / np.sqrt(PLAYS)


def test_a_lottery_is_drawn_afresh_each_turn():
    game, state = lane("0A", punishment="lottery")
    turns = [turn_of_many(game, state, [RIGHT], PLAYS, period)[1] for period in (0, 1)]
    drawn = [outcome.components["punishment"][:, 0] for outcome in turns]
    assert abs(np.corrcoef(*drawn)[0, 1]) < 4 / np.sqrt(PLAYS)


# -- votes and the level ------------------------------------------------------------------


@pytest.mark.parametrize("timing", TIMINGS)
@pytest.mark.parametrize(
    ("level", "actions", "after"),
    [
        (0.5, (MORE, NOOP, NOOP), 0.75),
        (0.5, (NOOP, NOOP, LESS), 0.25),
        (0.5, (MORE, MORE, LESS), 0.75),
        (0.5, (MORE, LESS, NOOP), 0.5),
        (0.25, (MORE, MORE, MORE), 1.0),
        (0.5, (NOOP, RIGHT, LEFT), 0.5),
        # 0.875 + 0.25 = 1.125, cut to 1; 0.125 - 0.75 = -0.625, cut to 0.
        (0.875, (NOOP, MORE, NOOP), 1.0),
        (0.125, (LESS, LESS, LESS), 0.0),
        (1.0, (MORE, NOOP, NOOP), 1.0),
        (0.0, (LESS, NOOP, NOOP), 0.0),
    ],
)
def test_votes_move_the_level_within_zero_and_one(timing, level, actions, after):
    game, state = three("...", timing=timing, level=level)
    found, _ = turn(game, state, *actions)
    assert found["level"] == after


def test_together_votes_are_added_up_before_the_level_is_cut():
    # 0.9375 + 0.25 * (2 - 1) = 1.1875, cut to 1. One after the other, each cut at once:
    # 1, 1, 0.75 - or, with the decrease first, 0.6875, 0.9375, 1.
    game, state = three("...", level=0.9375)
    assert turn(game, state, MORE, MORE, LESS)[0]["level"] == 1.0
    assert turn(game, state, LESS, MORE, MORE)[0]["level"] == 1.0
    game, state = three("...", level=0.9375, timing="sequential")
    assert turn(game, state, MORE, MORE, LESS)[0]["level"] == 0.75
    assert turn(game, state, LESS, MORE, MORE)[0]["level"] == 1.0


def test_the_source_starts_at_a_tenth_and_votes_move_it_by_a_fifth():
    episode = Episode(votes())
    assert float(episode.observations["level"]) == 0.1
    episode.step({"action": [MORE, MORE, NOOP]})
    assert float(episode.observations["level"]) == pytest.approx(0.5)
    episode.step({"action": [LESS, LESS, LESS]})
    assert float(episode.observations["level"]) == 0.0


@pytest.mark.parametrize("punishment", ["expected", "lottery"])
def test_together_all_are_punished_at_the_level_the_turn_began_with(punishment):
    # Step 1: the votes make it 0 or 1, but the punishment is that of the level before.
    game, state = three(".A.", vote_step=1.0, level=0.0, punishment=punishment)
    after, outcome = turn(game, state, MORE, RIGHT, MORE, order=[0, 2, 1])
    assert parts(outcome, "punishment") == [0, 0, 0]
    assert after["level"] == 1.0
    game, state = three(".A.", vote_step=1.0, level=1.0, punishment=punishment)
    after, outcome = turn(game, state, LESS, RIGHT, LESS, order=[0, 2, 1])
    assert parts(outcome, "punishment") == [0, -10, 0]
    assert after["level"] == 0.0


def test_together_the_new_level_counts_from_the_next_turn_on():
    game, state = lane("0AB.1", vote_step=0.25)
    state, first = turn(game, state, RIGHT, MORE)
    _, second = turn(game, state, RIGHT, MORE)
    # 10 * 0.5, then 10 * 0.75.
    assert parts(first, "punishment") == [-5, 0]
    assert parts(second, "punishment") == [-7.5, 0]


def test_one_by_one_a_vote_counts_for_those_who_come_after_it():
    # 1 votes: 0 is punished at 0.5, 2 at 0.75.
    game, state = three("A.A", timing="sequential")
    after, outcome = turn(game, state, RIGHT, MORE, RIGHT)
    assert parts(outcome, "punishment") == [-5, 0, -7.5]
    assert after["level"] == 0.75
    after, outcome = turn(game, state, RIGHT, LESS, RIGHT)
    assert parts(outcome, "punishment") == [-5, 0, -2.5]
    assert after["level"] == 0.25


def test_one_by_one_a_lottery_is_held_at_the_level_of_the_moment():
    # Seat 0 votes the level from 0 to 1, or from 1 to 0, before the others take something.
    rising = {"vote_step": 1.0, "timing": "sequential", "punishment": "lottery"}
    game, state = three(".AA", level=0.0, **rising)
    _, outcome = turn_of_many(game, state, (MORE, RIGHT, RIGHT), 50)
    assert (outcome.components["punishment"] == [0, -10, -10]).all()
    game, state = three(".AA", level=1.0, **rising)
    _, outcome = turn_of_many(game, state, (LESS, RIGHT, RIGHT), 50)
    assert (outcome.components["punishment"] == 0).all()


def test_an_own_vote_counts_after_the_own_move():
    # Composite 7: right and increase; 11: right and decrease; 3: right.
    game, state = three("AAA", actions="composite", timing="sequential")
    after, outcome = turn(game, state, 7, 11, 3)
    assert parts(outcome, "punishment") == [-5, -7.5, -5]
    assert after["level"] == 0.5
    game, state = three("AAA", actions="composite")
    after, outcome = turn(game, state, 7, 7, 3, order=[2, 1, 0])
    assert parts(outcome, "punishment") == [-5, -5, -5]
    assert after["level"] == 1.0


@pytest.mark.parametrize("timing", TIMINGS)
def test_the_number_of_votes_is_that_of_the_last_turn(timing):
    game, state = three("...", timing=timing)
    state, _ = turn(game, state, MORE, LESS, MORE)
    assert (state["increases"], state["decreases"]) == (2, 1)
    assert state["vote"].tolist() == [1, -1, 1]
    state, _ = turn(game, state, NOOP, NOOP, LESS)
    assert (state["increases"], state["decreases"]) == (0, 1)
    assert state["vote"].tolist() == [0, 0, -1]


@pytest.mark.parametrize("timing", TIMINGS)
def test_a_vote_costs_a_tenth_in_either_direction_and_a_noop_nothing(timing):
    game, state = three("...", timing=timing)
    _, outcome = turn(game, state, MORE, LESS, NOOP)
    assert outcome.components["vote_cost"].tolist() == [-0.1, -0.1, 0]
    assert outcome.rewards.tolist() == [-0.1, -0.1, 0]


def test_a_vote_that_cannot_move_the_level_costs_the_same():
    game, state = three("...", level=1.0, vote_cost=0.75)
    _, outcome = turn(game, state, MORE, MORE, RIGHT)
    assert parts(outcome, "vote_cost") == [-0.75, -0.75, 0]


@pytest.mark.parametrize("start", [0.1, 0.4])
def test_every_play_starts_at_the_initial_level(start):
    game = votes(initial_level=start)
    first = Episode(game, 1)
    first.step({"action": [MORE, MORE, MORE]})
    assert float(first.observations["level"]) > start + 0.5
    for seed in (1, 2):
        assert float(Episode(game, seed).observations["level"]) == start
    assert game.reset(np.arange(3))[0]["level"].tolist() == [start] * 3


# -- harm ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "harm"), [("A", 0.5), ("B", 1.0), ("C", 0.3), ("D", 1.5), ("E", 0.1)]
)
def test_a_resource_harms_all_but_its_collector(kind, harm):
    game, state = three(f".{kind}.")
    _, outcome = turn(game, state, NOOP, RIGHT, NOOP)
    assert parts(outcome, "harm") == [-harm, 0, -harm]


def test_together_everyone_pays_the_harm_of_the_others_in_the_same_turn_and_once():
    # A by 0 (0.5), B by 1 (1.0), D by 2 (1.5): 0 pays 2.5, 1 pays 2.0, 2 pays 1.5.
    game, state = three("ABD")
    state, first = turn(game, state, RIGHT, RIGHT, RIGHT)
    assert parts(first, "harm") == [-2.5, -2.0, -1.5]
    assert state["harm_paid"].tolist() == [2.5, 2.0, 1.5]
    assert state["harm"].tolist() == [0, 0, 0]
    state, second = turn(game, state, NOOP, NOOP, NOOP)
    assert parts(second, "harm") == [0, 0, 0]


@pytest.mark.parametrize("timing", TIMINGS)
def test_who_is_alone_harms_nobody(timing):
    game, state = lane("0D", timing=timing, level=0.0)
    after, outcome = turn(game, state, RIGHT)
    assert parts(outcome, "harm") == [0]
    assert outcome.rewards.tolist() == [-2]
    assert after["harm"].tolist() == [0]


@pytest.mark.parametrize("timing", TIMINGS)
def test_a_blocked_move_harms_nobody(timing):
    # The D lies between them, and both walk into walls.
    game, state = lane("0D1", timing=timing)
    _, outcome = turn(game, state, LEFT, RIGHT)
    assert parts(outcome, "harm") == [0, 0]


@pytest.mark.parametrize("level", [0.0, 1.0])
def test_harm_does_not_depend_on_the_level(level):
    game, state = three("B..", level=level)
    _, outcome = turn(game, state, RIGHT, NOOP, NOOP)
    assert parts(outcome, "harm") == [0, -1, -1]


def test_harm_crosses_separate_worlds():
    edge = "####"
    game, state = boards((edge, "#0A#", edge), (edge, "#1B#", edge), (edge, "#2.#", edge))
    _, outcome = turn(game, state, RIGHT, RIGHT, RIGHT)
    assert parts(outcome, "harm") == [-1.0, -0.5, -1.5]


def test_one_by_one_harm_waits_for_the_next_move_of_those_who_have_moved():
    # 1 takes B: 0 has moved already, so its 1 waits; 2 moves later and pays it at once.
    game, state = three(".B.", timing="sequential")
    state, first = turn(game, state, NOOP, RIGHT, NOOP)
    assert parts(first, "harm") == [0, 0, -1]
    assert state["harm"].tolist() == [1, 0, 0]
    state, second = turn(game, state, NOOP, NOOP, NOOP)
    assert parts(second, "harm") == [-1, 0, 0]
    assert state["harm"].tolist() == [0, 0, 0]
    state, third = turn(game, state, NOOP, NOOP, NOOP)
    assert parts(third, "harm") == [0, 0, 0]


def test_one_by_one_harm_gathers_on_accounts():
    # Turn 1: 1 takes B (1.0), then 2 takes A (0.5). 0 has moved: 1.5 waits. 1 has moved when 2
    # takes: 0.5 waits. 2 pays 1.0 at the end of its move.
    # Turn 2: 0 takes D (1.5) and pays its 1.5. 1 pays 0.5 + 1.5 = 2, 2 pays 1.5.
    game, state = board(
        "#####", "#.0D#", "#1B.#", "#2A.#", "#####", timing="sequential", vote_step=0.25
    )
    state, first = turn(game, state, NOOP, RIGHT, RIGHT)
    assert parts(first, "harm") == [0, 0, -1]
    assert state["harm"].tolist() == [1.5, 0.5, 0]
    state, second = turn(game, state, RIGHT, NOOP, NOOP)
    assert parts(second, "harm") == [-1.5, -2, -1.5]
    assert state["harm"].tolist() == [0, 0, 0]


def test_one_by_one_what_is_left_on_the_accounts_is_paid_after_the_last_turn():
    # As above, in a play of one turn: 0 and 1 pay now what would have waited.
    game, state = three(".BA", timing="sequential", turns=1)
    after, outcome = turn(game, state, NOOP, RIGHT, RIGHT)
    assert outcome.done
    assert parts(outcome, "harm") == [-1.5, -0.5, -1]
    assert after["harm"].tolist() == [0, 0, 0]


def test_one_by_one_the_last_turn_pays_an_account_from_before_and_one_from_now():
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


def test_a_turn_with_everything_in_it_adds_up():
    # Together, at 0.5: 0 takes B and votes: 7 - 5 - 0.1 - 0.5 = 1.4.
    # 1 takes A: 3 - 5 - 0 - 1 = -3. 2 takes nothing, votes: -0.1 - 1.5 = -1.6.
    game, state = three("BA.", actions="composite")
    after, outcome = turn(game, state, 7, 3, 11)
    assert [round(each, 9) for each in outcome.rewards.tolist()] == [1.4, -3, -1.6]
    assert parts(outcome, "value") == [7, 3, 0]
    assert parts(outcome, "punishment") == [-5, -5, 0]
    assert parts(outcome, "vote_cost") == [-0.1, 0, -0.1]
    assert parts(outcome, "harm") == [-0.5, -1, -1.5]
    assert after["level"] == 0.5


def test_a_turn_one_by_one_with_everything_in_it_adds_up():
    # 0 takes B at 0.5, then votes: 7 - 5 - 0.1 = 1.9. 1 takes A at 0.75 and pays for B:
    # 3 - 7.5 - 1 = -5.5. 2 votes and pays for both: -0.1 - 1.5 = -1.6. 0 owes 0.5 for A.
    game, state = three("BA.", actions="composite", timing="sequential")
    after, outcome = turn(game, state, 7, 3, 11)
    assert [round(each, 9) for each in outcome.rewards.tolist()] == [1.9, -5.5, -1.6]
    assert after["harm"].tolist() == [0.5, 0, 0]


HARM = [0, 0.5, 1.0, 0.3, 1.5, 0.1]  # of nothing, A, B, C, D, E, as in the source
VALUE = [0, 3, 7, 2, -2, 1]
TURNS = 6


@st.composite
def plays(draw):
    """(game, seed, actions of every turn) of a whole play."""
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
    each = st.lists(action, min_size=seats, max_size=seats)
    script = draw(st.lists(each, min_size=TURNS, max_size=TURNS))
    return game, draw(st.integers(0, 10_000)), script


def walk(game, seed, script):
    """(state after, outcome) of each turn."""
    state, _ = game.reset(seed)
    for actions in script:
        state, outcome = turn(game, state, *actions, seed=seed)
        yield state, outcome


@given(plays())
@settings(max_examples=100)
def test_over_a_whole_play_the_harm_paid_is_the_harm_done_to_others(play):
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
@settings(max_examples=60)
def test_the_components_add_up_and_follow_from_what_was_collected_and_voted(play):
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
