"""Group sums reveal no more than a seat sees of the group's members.

The groups are 0, 0, 1, 1. After one period, harvests and wealth are both 1, 2, 3 and 4.
"""

from __future__ import annotations

import numpy as np
import pytest

from mixed_company import engine
from mixed_company.engine import ConfigError, Episode
from tests.engine.plays import acts


def play(groups=(0, 0, 1, 1), periods=1, **options):
    layers = {"hierarchy": {"intensity": 1.0, "groups": list(groups)}}
    if options:
        layers["information"] = {"intensity": 1.0, **options}
    episode = Episode(engine.make("commons_game", layers=layers), 0)
    for _ in range(periods):
        episode.step(acts([1, 2, 3, 4]))
    return episode


def sums(episode, name="group_wealth"):
    return [float(episode.observation(seat)[name]) for seat in range(4)]


def test_sums_are_shown_if_nothing_is_hidden():
    assert sums(play()) == [3, 3, 7, 7]


def test_the_sum_of_a_hidden_field_is_hidden():
    assert np.isnan(sums(play(hide=["wealth"]))).all()


def test_the_sum_of_another_field_is_kept():
    assert sums(play(hide=["wealth"]), "group_harvest") == [3, 3, 7, 7]
    assert sums(play(hide=["wealth"]), "group_reward") == [3, 3, 7, 7]


def test_if_a_graph_hides_a_member_the_sum_is_hidden():
    # On a ring seats see their neighbours: 0 sees 1, 2 sees 3. In groups 0, 1, 0, 1 none sees all.
    assert sums(play(graph="ring")) == [3, 3, 7, 7]
    assert np.isnan(sums(play((0, 1, 0, 1), graph="ring"))).all()
    assert sums(play((0, 1, 0, 0), graph=[[0, 2], [2, 3], [1, 3]]))[1] == 2


def test_the_sum_of_noisy_readings_uses_the_readings():
    episode = play(noise={"wealth": 1.0})
    read = episode.observation(0)["wealth"]
    assert sums(episode)[0] == read[0] + read[1]
    assert sums(episode)[2] == read[2] + read[3]
    assert sums(episode)[0] != 3


def test_the_sum_of_a_delayed_field_is_delayed():
    assert sums(play(periods=3, delay={"wealth": 1})) == [6, 6, 14, 14]


def test_noise_on_a_sum_is_added_to_the_noise_of_its_members():
    assert 3 != sums(play(noise={"group_wealth": 1.0}))[0] != sums(play())[0]


@pytest.mark.parametrize("other", [{"delay": {"wealth": 2}}, {"noise": {"wealth": 2.0}}])
def test_a_delayed_sum_of_delayed_or_noisy_values_is_refused(other):
    delay = {"group_wealth": 1, **other.pop("delay", {})}
    with pytest.raises(ConfigError) as refused:
        play(delay=delay, **other)
    assert str(refused.value) == (
        "layers.information.delay.group_wealth = 1: it is the sum of wealth, and delayed or "
        "blurred with it; name only one"
    )


def test_a_delayed_sum_of_hidden_values_is_hidden():
    assert np.isnan(sums(play(delay={"group_wealth": 1}, hide=["wealth"]))).all()


def test_a_role_is_shown_the_sums_it_lists():
    layers = {"hierarchy": {"intensity": 1.0, "groups": [0, 0, 1, 1]}}
    roles = {"member": {"sees": ["group_wealth"]}}
    game = engine.make("commons_game", layers=layers, agents={"roles": roles})
    episode = Episode(game, 0)
    episode.step(acts([1, 2, 3, 4]))
    assert sums(episode) == [3, 3, 7, 7]
    assert np.isnan(episode.observation(0)["wealth"]).all()
