"""Episodes from the first observation to the end, and after being stored."""

from __future__ import annotations

import json

import numpy as np
import pytest

from mixed_company.engine import ActionError, ConfigError, Episode, LogError
from mixed_company.engine.contract import space
from tests.engine.plays import acts, commons, state


def test_a_play_counts_its_periods():
    episode = Episode(commons(periods=3))
    counted = []
    while not episode.done:
        assert (episode.reason, episode.result) == (None, None)
        counted.append(episode.period)
        episode.step(acts(1))
    assert counted == [0, 1, 2]
    assert (episode.period, episode.reason, episode.result) == (3, "horizon", "neither")


def test_the_seed_comes_from_the_configuration_unless_another_is_given():
    game = commons(stock_noise=10, seed=5)
    first, same, other = Episode(game), Episode(game, 5), Episode(game, 6)
    assert first.seed == 5
    assert first.observation(0)["stock"] == same.observation(0)["stock"]
    assert first.observation(0)["stock"] != other.observation(0)["stock"]


def test_zero_is_a_valid_seed():
    game = commons(stock_noise=10, seed=5)
    assert Episode(game, 0).seed == 0


@pytest.mark.parametrize("seed", [-1, 2**63, 0.5, "x"])
def test_a_bad_seed_is_refused(seed):
    with pytest.raises(ConfigError, match="should be a whole number"):
        Episode(commons(), seed)


def test_two_plays_of_one_game_do_not_affect_each_other():
    game = commons()
    busy, idle = Episode(game), Episode(game)
    busy.step(acts(10))
    assert idle.observation(0)["stock"] == 100
    assert idle.period == 0


def test_a_step_returns_the_next_observations():
    episode = Episode(commons())
    step = episode.step(acts(2))
    assert step.observations is episode.observations
    assert episode.observation(3)["period"] == 1
    assert episode.observation(3)["seat"] == 3
    # 100 - 8 + no growth at the capacity.
    assert episode.observation(3)["stock"] == 92


def test_every_seat_sees_when_it_has_ended():
    episode = Episode(commons(periods=1))
    assert not episode.observation(0)["ended"]
    episode.step(acts(1))
    assert all(episode.observation(seat)["ended"] for seat in range(4))


def test_limits_follow_from_the_state():
    game = commons(governance="per_step", initial_wealth=3)
    episode = Episode(game)
    assert episode.allowed(2).to_json() == {"harvest": [0, 10], "contribution": [0, 3]}
    episode.step(acts([0, 0, 4, 0], [0, 0, 1, 0]))
    # 3 + 4 - 1 = 6 for seat 2, still 3 for seat 0.
    assert episode.allowed(2).to_json()["contribution"] == [0, 6]
    assert episode.allowed(0).to_json()["contribution"] == [0, 3]


def test_an_observation_cannot_be_used_to_change_the_state():
    episode = Episode(commons())
    episode.step(acts(2))
    kept = state(episode)
    with pytest.raises(ValueError, match="read-only"):
        episode.observation(0)["wealth"][0] = 99
    assert state(episode) == kept


def test_an_observation_of_a_restored_play_cannot_change_what_others_see():
    game = commons()
    episode = Episode.from_json(game, Episode(game).state_json())
    with pytest.raises(ValueError, match="read-only"):
        episode.observation(0)["wealth"][0] = 99
    assert episode.observation(1)["wealth"].tolist() == [0, 0, 0, 0]


# -- storage ------------------------------------------------------------------------------


@pytest.mark.parametrize("archetype", ["noisy_stock", "local_view", "governed_savings"])
def test_a_stored_play_continues_as_if_it_had_not_been_stored(archetype):
    game = commons(archetype=archetype)
    straight, stored = Episode(game, 3), Episode(game, 3)
    for period in range(4):
        stored = Episode.from_json(game, stored.state_json())
        script = acts([period, 1, 2, 3], 1)
        assert straight.step(script).rewards.tolist() == stored.step(script).rewards.tolist()
    assert straight.state_json() == stored.state_json()


def test_a_restored_seat_sees_the_same():
    game = commons(archetype="local_view", stock_noise=3)
    episode = Episode(game, 3)
    episode.step(acts(1))
    again = Episode.from_json(game, episode.state_json())
    for name, value in episode.observation(1).items():
        real = np.asarray(value).dtype.kind == "f"
        assert np.array_equal(again.observation(1)[name], value, equal_nan=real)


def test_a_finished_play_is_still_finished_when_restored():
    game = commons(periods=1)
    episode = Episode(game)
    episode.step(acts(1))
    again = Episode.from_json(game, episode.state_json())
    assert (again.done, again.reason, again.result) == (True, "horizon", "neither")


def changed(**parts):
    return json.dumps({**json.loads(Episode(commons()).state_json()), **parts})


@pytest.mark.parametrize(
    ("other", "named"), [({"game": "chess"}, "chess version 1"), ({"version": "0"}, "version 0")]
)
def test_the_state_of_another_game_or_version_is_refused(other, named):
    with pytest.raises(LogError, match=f"{named}, not from commons_game version 1"):
        Episode.from_json(commons(), changed(**other))


FIRST = json.loads(Episode(commons()).state_json())["state"]


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[]", "{}", "null", changed(state={}), changed(state=None)),
        changed(state={**FIRST, "stock": "much"}),
    ],
)
def test_an_invalid_stored_play_is_refused(text):
    with pytest.raises(LogError, match="not the state of a play"):
        Episode.from_json(commons(), text)


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("reason", 99, "reason = 99: should be from 0 to 2"),
        ("reason", -1, "reason = -1: should be from 0 to 2"),
        ("period", -5, "period = -5: should be from 0 to 15"),
    ],
)
def test_an_impossible_period_or_reason_is_refused(key, value, message):
    with pytest.raises(LogError, match=message):
        Episode.from_json(commons(), changed(state={**FIRST, key: value}))


@pytest.mark.parametrize("seat", [4, -1, None, True, "0", 1.0, 10**400])
def test_an_unknown_seat_is_refused(seat):
    episode = Episode(commons())
    for ask in (episode.observation, episode.observation_json, episode.ending, episode.allowed):
        if ask == episode.allowed and seat is None:
            continue  # all seats
        with pytest.raises(ActionError, match=r"seat = .*: should be from 0 to 3"):
            ask(seat)


def test_periods_can_be_compared():
    first, other = (Episode(commons(), 1).step(acts(1)) for _ in range(2))
    assert first == first
    assert first != other


def test_observations_are_serialised_once_per_step() -> None:
    episode = Episode(commons())
    seen = episode.observation_json(1)
    assert seen == space.to_json(episode.observation(1))
    assert episode.observation_json(1) is seen
    episode.step({"harvest": [1, 2, 3, 4], "contribution": [0, 0, 0, 0]})
    assert episode.observation_json(1) == space.to_json(episode.observation(1)) != seen


def test_observations_are_serialised_again_after_each_decision_in_turn() -> None:
    game = commons(agents={"timing": "sequential"})
    episode = Episode(game)
    for seat in range(3):
        before = episode.observation_json(3)
        episode.decide(seat, {"harvest": 2, "contribution": 0})
        assert episode.observation_json(3) == space.to_json(episode.observation(3)) != before
