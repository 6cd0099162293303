"""Harm on accounts in the punishment vote, with shocks and with seats that leave."""

from __future__ import annotations

import pytest

from mixed_company import engine
from mixed_company.engine import Episode
from mixed_company.engine.kit.plays import against
from tests.engine.layers.plays import refusal, with_layer
from tests.engine.plays import state

SHAKEN = {"harm": 5.0}
TOGETHER, IN_TURN = {"timing": "simultaneous"}, {"timing": "sequential"}


def walked(game, seed=0, leaving=None):
    """Yield (play, period) while all seats walk in circles."""
    play = Episode(game, seed)
    while not play.done:
        going = (leaving or {}).get(play.period, ())
        actions = {"action": [play.period % 4] * game.seats}
        yield play, play.step(actions, going)


def test_if_all_move_together_there_are_no_accounts_for_shocks():
    message = refusal("punishment_vote", "uncertainty", core=TOGETHER, shocks=SHAKEN)
    assert message.startswith(
        "layers.uncertainty.shocks = {'harm': 5.0}: 'harm' is not a quantity that can have shocks"
    )


@pytest.mark.parametrize("seed", range(5))
def test_shocked_accounts_and_their_payments_stay_within_their_ranges(seed):
    # A seat can owe 2 * 1.5 for the others in a turn; in the last turn it pays an account twice.
    game = with_layer(
        "punishment_vote", "uncertainty", core={**IN_TURN, "turns": 20}, shocks=SHAKEN
    )
    ends = {field.name: (field.low, field.high) for field in game.declaration.state}
    assert ends["harm"] == (0, 3)
    assert ends["harm_paid"] == (0, 6)
    moved = 0.0
    for play, step in walked(game, seed):
        assert against(game, game.declaration.components, step.components, "", True) == []
        assert against(game, game.declaration.state, step.state, "") == []
        moved = max(moved, *state(play)["harm"])
    assert moved > 1.5  # because of a shock


def test_a_shocked_account_is_paid_next_turn_and_none_is_left_at_the_end():
    core = {**IN_TURN, "turns": 12, "spawn_probability": 0.0, "initial_resources": 0}
    game = with_layer("punishment_vote", "uncertainty", core=core, shocks=SHAKEN)
    owed, paid = [0.0] * 3, 0.0
    for play, step in walked(game):
        assert step.components["harm"].tolist() == [-points for points in owed]
        owed = state(play)["harm"]
        paid += sum(owed)
    assert paid > 0
    assert owed == [0, 0, 0]


@pytest.mark.parametrize("timing", ["simultaneous", "sequential"])
def test_a_seat_that_has_left_owes_and_pays_nothing(timing):
    game = engine.make("punishment_vote", timing=timing, turns=30, agents={"may_leave": True})
    others = 0.0
    for play, step in walked(game, leaving={2: [0]}):
        if step.number < 2:
            continue
        after = state(play)
        assert (after["harm"][0], after["harm_paid"][0]) == (0, 0)
        assert [-paid for paid in after["harm_paid"]] == step.components["harm"].tolist()
        others += sum(after["harm_paid"])
    assert others > 0


def test_a_leaving_seats_debt_is_dropped_and_shocks_add_none():
    agents = {"may_leave": True}
    core = {**IN_TURN, "turns": 12}
    game = with_layer("punishment_vote", "uncertainty", 1.0, core, agents, shocks=SHAKEN)
    for play, _ in walked(game, leaving={3: [1]}):
        if play.period > 3:
            assert state(play)["harm"][1] == 0
