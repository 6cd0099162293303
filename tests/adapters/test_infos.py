"""Tests of the infos of adapters: they contain a game's information, but nothing hidden from a
seat.
"""

from __future__ import annotations

import numpy as np
import pytest

from mixed_company import engine
from mixed_company.adapters.gymnasium import OneSeat
from mixed_company.adapters.pettingzoo import InTurn, Together

NAMES = {
    "step",
    "mean_trust",
    "cooperation_signals",
    "memory_averages",
    "reciprocity_effects",
    "tr4_memory_window",
}
RULES = {"step", "tr4_memory_window"}


def infos(**parameters):
    """Return the infos of all seats after a period of the sanctions game."""
    env = Together(engine.make("sanctions", archetype="lab_0_7", **parameters))
    env.reset(seed=1)
    return env.step({agent: np.zeros(1, np.float32) for agent in env.agents})[-1]


def known(info):
    return {name for name in NAMES if info[name] is not None}


def test_every_published_name_is_in_the_infos_of_all_adapters():
    game = engine.make("sanctions", archetype="lab_0_7")
    middle = np.zeros(1, np.float32)
    together, in_turn, one_seat = Together(game), InTurn(game), OneSeat(game, "random")
    for env in (together, in_turn, one_seat):
        env.reset(seed=1)
    all_infos = [together.step(dict.fromkeys(together.agents, middle))[-1]["seat_0"]]
    for _ in range(game.seats):
        in_turn.step(middle)
    all_infos += [in_turn.infos["seat_0"], one_seat.step(middle)[-1]]
    step = engine.Episode(game, 1).step({"contribution": [10] * 4})
    for info in all_infos[:2]:
        assert {name: info[name] for name in NAMES} == step.info
    assert known(all_infos[2]) == NAMES


@pytest.mark.parametrize(
    ("information", "hidden"),
    [
        ({"hide": ["trust"]}, {"mean_trust"}),
        ({"noise": {"trust": 0.1}}, {"mean_trust"}),
        ({"delay": {"reciprocity_effects": 2}}, {"reciprocity_effects"}),
        ({"graph": "ring"}, NAMES - RULES),
    ],
)
def test_hidden_noisy_and_delayed_values_are_in_no_infos(information, hidden):
    layers = {"information": {"intensity": 1, **information}}
    for info in infos(layers=layers).values():
        assert known(info) == NAMES - hidden


def test_values_hidden_from_a_role_are_not_in_its_infos():
    roles = {"member": {}, "blind": {"sees": ["contribution"]}}
    seat_infos = infos(agents={"roles": roles, "seats": ["member", "blind", "member", "member"]})
    assert known(seat_infos["seat_0"]) == NAMES
    assert known(seat_infos["seat_1"]) == RULES


def test_an_archetype_that_hides_nearly_everything_has_nearly_empty_infos():
    env = Together(engine.make("sanctions", archetype="reputation"))
    env.reset(seed=1)
    seat_infos = env.step({agent: np.zeros(1, np.float32) for agent in env.agents})[-1]
    assert {frozenset(known(info)) for info in seat_infos.values()} == {frozenset(RULES)}
