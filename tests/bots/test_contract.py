"""Policies of every game fulfil the policy contract."""

from __future__ import annotations

import pytest

from mixed_company import engine, policies
from mixed_company.policies.trained import Trained
from tests.bots.contract import PolicyContract, TrainedAgainContract, TrainedContract


def _learned(game_id: str) -> list[str]:
    kinds = {name: policies.find(name, game_id) for name in policies.ids(game_id)}
    return [name for name, kind in kinds.items() if issubclass(kind, Trained)]


def _contract(game_id: str, policy_id: str) -> type[PolicyContract]:
    name = "Test" + "".join(part.title() for part in f"{game_id}_{policy_id}".split("_"))
    kind: type[PolicyContract] = PolicyContract
    if policy_id in _learned(game_id):
        kind = TrainedContract if policy_id == _learned(game_id)[0] else TrainedAgainContract
    return type(name, (kind,), {"game_id": game_id, "policy_id": policy_id})


EVERY = [(game_id, name) for game_id in engine.game_ids() for name in policies.ids(game_id)]

globals().update({kind.__name__: kind for kind in (_contract(*names) for names in EVERY)})


@pytest.mark.parametrize(
    ("game_id", "informed"), [("commons_game", {"best_plan"}), ("gem_mining", {"joint_optimum"})]
)
def test_only_the_policy_that_knows_the_solution_declares_it(game_id, informed):
    names = policies.ids(game_id)
    assert {name for name in names if policies.find(name, game_id).told_the_solution} == informed
