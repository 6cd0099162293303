"""Every policy of every game keeps the contract of a policy."""

from __future__ import annotations

import pytest

import bots
import engine
from bots.trained import Trained
from tests.bots.contract import PolicyContract, TrainedContract


def _contract(game_id: str, policy_id: str) -> type[PolicyContract]:
    name = "Test" + "".join(part.title() for part in f"{game_id}_{policy_id}".split("_"))
    learned = issubclass(bots.find(policy_id, game_id), Trained)
    kind = TrainedContract if learned else PolicyContract
    return type(name, (kind,), {"game_id": game_id, "policy_id": policy_id})


EVERY = [(game_id, name) for game_id in engine.game_ids() for name in bots.ids(game_id)]

globals().update({each.__name__: each for each in (_contract(*names) for names in EVERY)})


def test_every_policy_of_the_commons_is_found_by_itself():
    assert set(bots.ids("commons_game")) >= {
        "best_plan",
        "conditional_cooperator",
        "fixed",
        "free_rider",
        "greedy",
        "grim_trigger",
        "half_capacity",
        "noisy_person",
        "random",
        "steward",
        "sustainable",
        "tit_for_tat",
    }


def test_every_policy_of_the_sanctions_is_found_by_itself():
    assert set(bots.ids("sanctions")) >= {
        "baseline_keeper",
        "best_responder",
        "conditional_cooperator",
        "fixed",
        "free_rider",
        "generous_tit_for_tat",
        "grim_trigger",
        "hump_shaped",
        "noisy_person",
        "one_time_defector",
        "random",
        "tit_for_tat",
        "trust_follower",
    }


def test_every_policy_of_the_punishment_vote_is_found_by_itself():
    assert set(bots.ids("punishment_vote")) >= {
        "conditional_voter",
        "forager",
        "harm_averse",
        "law_and_order",
        "libertarian",
        "noisy_person",
        "opportunist",
        "planner",
        "random",
    }


def test_every_policy_of_gem_mining_is_found_by_itself():
    assert set(bots.ids("gem_mining")) >= {
        "avoid_crowd",
        "best_response",
        "epsilon_greedy",
        "follow_crowd",
        "joint_optimum",
        "one_gem_only",
        "own_best_alone",
        "random",
        "thompson_sampling",
    }


@pytest.mark.parametrize(
    ("game_id", "told"), [("commons_game", {"best_plan"}), ("gem_mining", {"joint_optimum"})]
)
def test_only_the_policy_that_knows_the_solution_says_so(game_id, told):
    names = bots.ids(game_id)
    assert {name for name in names if bots.find(name, game_id).told_the_solution} == told
