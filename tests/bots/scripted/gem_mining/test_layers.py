"""Policies of gem mining use fields shown by layers, and tolerate noisy and delayed ones."""

from __future__ import annotations

import pytest

from mixed_company import engine, policies
from mixed_company.engine.solutions.gem_mining import judge
from mixed_company.policies.rollout import Fault, rollout
from tests.bots.written import written

TOLD = {"information": {"intensity": 1.0, "show": ["base_probabilities", "workers_at"]}}


def efficiency(policy: str, **changes) -> float:
    """Return the mean over ten plays of the last joint choice's value, as a share of the best."""
    game = engine.make("gem_mining", archetype="lab_0_7", **changes)
    shares = []
    for seed in range(10):
        play = engine.Episode(game, seed)
        for _ in rollout(play, [policies.make(policy, game)] * game.seats):
            pass
        shares.append(judge(game, play.state_record(), play.state_record())["efficiency"])
    return sum(shares) / len(shares)


@pytest.mark.parametrize("policy", ["own_best_alone", "avoid_crowd"])
def test_fields_shown_by_a_layer_are_used_like_fields_shown_by_the_game(policy):
    informed = efficiency(policy, known_probabilities=True)
    opened = efficiency(policy, information="own", layers=TOLD)
    assert opened == pytest.approx(informed)
    assert opened != pytest.approx(efficiency(policy, information="own"))


@pytest.mark.parametrize("policy", written("gem_mining"))
@pytest.mark.parametrize(
    "information",
    [
        {"delay": {"own_mine": 2, "own_found": 2}},
        {"noise": {"own_found": 2.0, "workers": 2.0, "reaches": 2.0, "workforces": 2.0}},
        {"hide": ["own_found", "workers_at", "base_probabilities"]},
    ],
)
def test_no_policy_fails_on_delayed_noisy_or_hidden_fields(policy, information):
    game = engine.make(
        "gem_mining",
        archetype="lab_0_7",
        seats=8,
        periods=6,
        known_probabilities=True,
        layers={"information": {"intensity": 1.0, **information}},
    )
    faults: list[Fault] = []
    steps = rollout(
        engine.Episode(game, 3), [policies.make(policy, game)] * game.seats, faults=faults
    )
    assert len(list(steps)) == 6
    assert faults == []


@pytest.mark.parametrize("policy", sorted(set(policies.ids("gem_mining")) - {"gems_ppo_group"}))
@pytest.mark.parametrize("sees", [[], ["own_found", "workers_at", "gems", "found"]])
def test_policies_keep_playing_if_a_role_hides_their_last_mine(policy, sees):
    roles = {"roles": {"member": {"sees": sees}}}
    archetype = "lab" if policy == "gems_ppo_lab_group" else "lab_0_7"
    game = engine.make("gem_mining", archetype=archetype, periods=4, agents=roles)
    seats, faults = [policies.make(policy, game) for _ in range(game.seats)], []
    list(rollout(engine.Episode(game, 1), seats, faults=faults))
    assert faults == []
