"""Tests of the adapters' infos: they contain a game's information, but nothing that is hidden from
a seat.
"""

from __future__ import annotations

import numpy as np
import pytest

from mixed_company import engine
from mixed_company.adapters.gymnasium import OneSeat
from mixed_company.adapters.pettingzoo import InTurn, Together
from mixed_company.engine.contract.errors import UnknownName

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
    return {name for name in NAMES if info[f"shown_{name}"]}


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
    flat = {}
    for name, value in step.info.items():
        pairs = value.items() if isinstance(value, dict) else [("", value)]
        flat |= {f"{name}.{key}" if key else name: number for key, number in pairs}
    for info in all_infos[:2]:
        assert {name: info[name] for name in flat} == flat
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


@pytest.mark.parametrize("kind", [Together, InTurn])
@pytest.mark.parametrize("reveal", [(), ("seed", "components")])
@pytest.mark.parametrize("game_id", engine.game_ids())
def test_infos_have_the_same_names_after_a_reset_and_a_step_and_only_numbers(game_id, kind, reveal):
    env = kind(engine.make(game_id, archetype="lab"), reveal=reveal)
    env.reset(seed=1)
    before = env.play.infos(range(env.game.seats))
    step = env.play.step({})
    for seat, info in env.play.infos(range(env.game.seats), step).items():
        assert list(info) == list(before[seat])
        for name, value in [*info.items(), *before[seat].items()]:
            assert np.asarray(value).dtype.kind in "iuf", name
            assert name == "action_mask" or np.ndim(value) == 0


def test_the_seed_and_the_components_are_in_no_infos_unless_they_are_asked_for():
    for archetype in ("lab", "reputation"):
        game = engine.make("sanctions", archetype=archetype)
        for make in (Together, InTurn):
            env = make(game)
            env.reset(seed=7)
            for info in env.play.infos(range(game.seats), env.play.step({})).values():
                assert "seed" not in info
                assert not [name for name in info if name.startswith("component")]
        alone = OneSeat(game, "random")
        assert "seed" not in alone.reset(seed=7)[1]
    revealing = OneSeat(game, "random", reveal=["seed", "components"])
    assert revealing.reset(seed=7)[1]["seed"] == 7
    _, reward, *_, info = revealing.step(np.zeros(1, np.float32))
    parts = [value for name, value in info.items() if name.startswith("component_")]
    assert sum(parts) == pytest.approx(reward)


def test_another_name_to_reveal_is_refused():
    with pytest.raises(UnknownName, match="reveal = 'seeds'; did you mean 'seed'"):
        Together(engine.make("sanctions", archetype="lab"), reveal=["seeds"])


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
