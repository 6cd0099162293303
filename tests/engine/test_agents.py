"""Roles: the observations and actions of a seat."""

from __future__ import annotations

import numpy as np
import pytest

from mixed_company import engine
from mixed_company.engine import ConfigError, Episode
from tests.engine.plays import acts, commons


def refusal(**agents):
    with pytest.raises(ConfigError) as refused:
        commons(agents=agents)
    return str(refused.value)


def roles(*seats, **named):
    """Return the agents section with these roles, the role of each named seat, and `member` for the
    rest.
    """
    return {"roles": {"member": {}, **named}, "seats": list(seats)}


BLIND = roles("member", "blind", "member", "member", blind={"sees": ["stock", "wealth"]})
IDLE = roles("member", "member", "member", "idle", idle={"acts": ["harvest"]})


def test_an_unknown_role_is_refused_with_the_nearest_name():
    message = refusal(seats=["membr", "member", "member", "member"])
    assert message == "agents.seats: unknown role 'membr'; did you mean 'member'?"


def test_a_role_for_another_number_of_seats_is_refused():
    message = refusal(seats=["member"] * 3)
    assert message == (
        "agents.seats = ['member', 'member', 'member']: names 3 seats, but core.seats is 4"
    )


def test_an_unknown_observation_field_is_refused_with_the_nearest_name():
    message = refusal(roles={"member": {"sees": ["stok"]}})
    assert message == "agents.roles.member.sees: unknown field 'stok'; did you mean 'stock'?"


def test_a_field_that_cannot_be_hidden_is_refused():
    assert "unknown field 'period'" in refusal(roles={"member": {"sees": ["period"]}})


def test_an_unknown_action_field_is_refused_with_the_nearest_name():
    message = refusal(roles={"member": {"acts": ["harvst"]}})
    assert message == "agents.roles.member.acts: unknown field 'harvst'; did you mean 'harvest'?"


def test_a_role_that_no_seat_has_is_checked_too():
    assert "agents.roles.spare.acts" in refusal(roles={"member": {}, "spare": {"acts": ["fly"]}})


def test_roles_without_seats_need_a_member():
    message = refusal(roles={"boss": {}})
    assert message.startswith("agents.seats: unknown role 'member'")


def test_a_role_hides_a_field_from_its_own_seat_only():
    episode = Episode(commons(agents=BLIND))
    step = episode.step(acts(2))
    assert np.isnan(episode.observation(1)["harvest"]).all()
    assert np.isnan(episode.observation(1)["pool"])
    for seat in (0, 2, 3):
        assert episode.observation(seat)["harvest"].tolist() == [2, 2, 2, 2]
        assert episode.observation(seat)["pool"] == 0
    assert not step.done


def test_a_role_keeps_the_fields_it_may_see():
    seen = Episode(commons(agents=BLIND)).observation(1)
    assert seen["stock"] == 100
    assert seen["wealth"].tolist() == [0, 0, 0, 0]


def test_a_role_is_applied_on_top_of_local_observation():
    # Seat 1 of the ring sees the wealth of 0, 1 and 2, and its role hides all harvests.
    episode = Episode(commons(agents=BLIND, observation="local"))
    seen = episode.observation(1)
    assert np.isnan(seen["wealth"]).tolist() == [False, False, False, True]
    assert np.isnan(seen["harvest"]).all()


def test_hiding_fields_by_a_role_does_not_change_the_play():
    script = [acts(4), acts([1, 2, 3, 4])]
    plain, hidden = Episode(commons()), Episode(commons(agents=BLIND))
    for actions in script:
        assert plain.step(actions).rewards.tolist() == hidden.step(actions).rewards.tolist()


def test_a_seat_that_may_not_act_plays_the_default():
    game = commons(agents=IDLE, governance="per_step", initial_wealth=5)
    used = Episode(game).step(acts(2, 1)).used
    assert used["contribution"].tolist() == [1, 1, 1, 0]
    assert used["harvest"].tolist() == [2, 2, 2, 2]


def test_roles_work_the_same_in_a_batch_and_alone():
    game = commons(agents=BLIND, observation="local", stock_noise=3)
    _, batch = game.reset(np.array([4, 9]))
    for play, seed in enumerate((4, 9)):
        _, alone = game.reset(seed)
        for name, value in alone.items():
            assert np.array_equal(batch[name][play], value, equal_nan=value.dtype.kind == "f")


def test_roles_survive_json():
    game = commons(agents=BLIND)
    again = engine.make(game.config.model_dump(mode="json"))
    assert again.config == game.config
    assert np.isnan(Episode(again).observation(1)["pool"])
