"""Attribution of points to roles, computed by hand."""

from __future__ import annotations

import numpy as np
import pytest

from mixed_company import engine
from mixed_company.engine import ConfigError, Episode, kit, solutions
from tests.engine.plays import acts, commons

SEATS = ("boss", "worker", "worker", "worker")


def team(boss=None, worker=None, layers=None, **more):
    roles = {"boss": {"rewards": boss or {}}, "worker": {"rewards": worker or {}}}
    agents = {"roles": roles, "seats": SEATS, **more}
    return commons(archetype="lab_0_7", agents=agents, layers=layers or {})


def refusal(**roles):
    with pytest.raises(ConfigError) as refused:
        team(**roles)
    return str(refused.value)


def test_a_boss_lives_on_the_earnings_of_workers():
    # The workers take 3, 6 and 9, on average 6. The boss takes 2, for which it is not paid.
    step = Episode(team(boss={"own": 0, "worker": 1})).step(acts([2, 3, 6, 9]))
    assert step.components["harvest"].tolist() == [2, 3, 6, 9]
    assert step.components["attributed"].tolist() == [6 - 2, 0, 0, 0]
    assert step.rewards.tolist() == [6, 3, 6, 9]


def test_a_bonus_and_a_rivalry_are_added_to_the_seats_own_reward():
    # Boss: 2 + 0.5 * 6 = 5. Workers: 3 - 2, 6 - 2 and 9 - 2.
    step = Episode(team(boss={"worker": 0.5}, worker={"boss": -1})).step(acts([2, 3, 6, 9]))
    assert step.components["attributed"].tolist() == [3, -2, -2, -2]
    assert step.rewards.tolist() == [5, 1, 4, 7]


def test_the_components_add_up_in_a_batch_as_in_one_play():
    game = team(boss={"own": 0.25, "worker": 0.75}, worker={"boss": 0.1})
    states, _ = game.reset(np.arange(3))
    actions = {"harvest": [[1, 2, 3, 4], [5, 5, 5, 5], [0, 9, 0, 2]]}
    actions["contribution"] = np.zeros((3, 4))
    _, outcome = game.step(states, actions, game.draw_chance(np.arange(3), 0))
    assert np.array_equal(sum(outcome.components.values()), outcome.rewards)
    # 0.25 * 1 + 0.75 * 3; 2 + 0.1 * 1.
    assert outcome.rewards[0].tolist() == pytest.approx([2.5, 2.1, 3.1, 4.1])
    for play in range(3):
        alone = Episode(game, play).step(acts(list(actions["harvest"][play])))
        assert np.array_equal(alone.rewards, outcome.rewards[play])


@pytest.mark.parametrize("neutral", [{}, {"own": 1}, {"own": 1.0}])
def test_a_seat_paid_its_own_reward_plays_the_plain_game_bit_for_bit(neutral):
    plain, attributed = commons(archetype="lab_0_7"), team(boss=neutral, worker=neutral)
    assert attributed.declaration.components == plain.declaration.components
    first, other = Episode(plain, 3), Episode(attributed, 3)
    for _ in range(5):
        left, right = first.step(acts([1, 2, 3, 4])), other.step(acts([1, 2, 3, 4]))
        assert left.rewards.tobytes() == right.rewards.tobytes()
        assert list(left.components) == list(right.components)


def test_a_seat_that_has_left_is_paid_nothing_and_not_averaged():
    # Worker 3 has left: the others earn 3 and 6, 4.5 on average.
    game = team(boss={"own": 0, "worker": 1}, worker={"boss": 1}, may_leave=True)
    episode = Episode(game)
    step = episode.step(acts([2, 3, 6, 9]), leaving=[3])
    assert step.rewards.tolist() == [4.5, 3 + 2, 6 + 2, 0]
    # No seat with the role is left: its mean is 0.
    step = episode.step(acts([2, 3, 6, 9]), leaving=[1, 2])
    assert step.rewards.tolist() == [0, 0, 0, 0]


def test_a_fee_stays_with_its_payer_and_attributed_rewards_are_shared():
    # 9 is 6 above the quota: the fee of 3 is the worker's. The boss is paid (0 + 0 + 9) / 3 = 3.
    # Then half of everything is shared: mean (3 + 0 + 0 + 6) / 4 = 2.25.
    layers = {
        "incentives": {"intensity": 1, "quota": {"harvest": 3}, "fee": {"harvest": 0.5}},
        "interaction": {"intensity": 1, "share": 0.5},
    }
    game = team(boss={"own": 0, "worker": 1}, layers=layers)
    step = Episode(game).step(acts([0, 0, 0, 9]))
    assert list(step.components)[2:] == ["attributed", "fee", "shared"]
    assert step.components["attributed"].tolist() == [3, 0, 0, 0]
    assert step.components["fee"].tolist() == [0, 0, 0, -3]
    assert step.rewards.tolist() == [2.625, 1.125, 1.125, 4.125]


def test_attributed_rewards_have_bounds_that_are_reached():
    # A reward of the commons is from 0 to 10 here. Boss: -1 * own + 1 * worker: -10 .. 10.
    part = team(boss={"own": 0, "worker": 1}).declaration.components[-1]
    assert (part.name, part.low, part.high) == ("attributed", -10, 10)
    reached = [
        Episode(team(boss={"own": 0, "worker": 1})).step(acts(requests)).components["attributed"][0]
        for requests in ([10, 0, 0, 0], [0, 10, 10, 10])
    ]
    assert reached == [-10, 10]
    part = team(worker={"boss": -2}).declaration.components[-1]
    assert (part.low, part.high) == (-20, 0)


def test_every_game_can_be_attributed_and_keeps_the_contract():
    for game_id in engine.game_ids():
        roles = {"a": {"rewards": {"own": 0.5, "b": 0.5}}, "b": {"rewards": {"a": -0.25}}}
        seats = engine.make(game_id, archetype=engine.find(game_id).reference).seats
        agents = {"roles": roles, "seats": ["a", *["b"] * (seats - 1)]}
        game = engine.make(game_id, archetype=engine.find(game_id).reference, agents=agents)
        assert kit.components_add_up(game, periods=6) == []
        assert kit.batch_is_the_same_play(game, periods=4) == []
        assert not solutions.has_best(game)


def test_a_role_that_names_itself_is_referred_to_the_layer_that_shares():
    assert refusal(worker={"worker": 0.5}) == (
        "agents.roles.worker.rewards = {'worker': 0.5}: a role cannot name itself; to share "
        "among all seats, use layers.interaction.share"
    )


def test_a_role_that_no_seat_has_is_refused_with_the_nearest_name():
    assert refusal(boss={"wroker": 1}) == (
        "agents.roles.boss.rewards = {'wroker': 1.0}: no seat has the role 'wroker'; "
        "did you mean 'worker'?"
    )


def test_a_weight_out_of_range_is_refused_by_its_key():
    assert refusal(boss={"worker": 1e9}).startswith("agents.roles.boss.rewards.worker = 1000000000")
