"""Action limits are shown to a seat, so they must reveal nothing that is hidden from the seat."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mixed_company import engine
from mixed_company.engine import ConfigError, Episode
from mixed_company.engine.contract.allowed import Allowed
from mixed_company.engine.game import Game
from mixed_company.engine.games.commons_game import CommonsGame
from mixed_company.engine.games.gem_mining import GAME as GEMS
from mixed_company.engine.kit.leaks import nothing_leaks
from tests.engine.leaks.test_leak_check import found_in


def informed(**options):
    return {"information": {"intensity": 1.0, **options}}


def with_a_role(**role):
    return {"roles": {"member": {}, "other": role}, "seats": ["member", "other"]}


def governed(**parameters):
    return engine.make("commons_game", archetype="governed", seats=2, **parameters)


class Undeclared:
    """Broken game: it does not declare what its action limits depend on."""

    def declare(self):
        declared = super().declare()
        return replace(declared, actions=tuple(replace(f, reads=()) for f in declared.actions))


class UndeclaredCommons(Undeclared, CommonsGame):
    pass


class UndeclaredGems(Undeclared, GEMS):
    pass


@pytest.mark.parametrize(
    "variant", ["the other half hidden", "blurred", "late", "leaving, turns and roles"]
)
def test_limits_that_reveal_hidden_noisy_or_delayed_values_are_found(variant):
    game = UndeclaredCommons(UndeclaredCommons.resolve("governed"))
    assert found_in(game, variant, "the limits of contribution depends on state wealth")


def test_open_choices_that_reveal_delayed_values_are_found():
    game = UndeclaredGems(UndeclaredGems.resolve("lab_0_7"))
    assert found_in(game, "late", "the open choices of mine depends on state reach")


def test_limits_still_shown_to_a_seat_that_has_ended_are_found(monkeypatch):
    def as_if_all_played(self, state):
        shape = (*np.shape(state["period"]), self.seats)
        return Allowed(self.declaration.actions, shape, self.limits(state), self.barred)

    monkeypatch.setattr(Game, "allowed", as_if_all_played)
    game = engine.make("commons_game", archetype="governed")
    assert found_in(game, "leaving and turns", "the limits of contribution")


@pytest.mark.few(1)
@pytest.mark.parametrize("archetype", ["governed", "governed_savings"])
def test_limits_that_follow_from_the_seats_wealth_are_no_leak(archetype):
    assert nothing_leaks(engine.make("commons_game", archetype=archetype)) == []


RULE = (
    "the limits of contribution reveal 'wealth' to each seat; to hide the others' values, use graph"
)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"hide": ["stock", "wealth"]}, "hide = ['stock', 'wealth']"),
        ({"noise": {"wealth": 2.0}}, "noise = {'wealth': 2.0}"),
        ({"delay": {"wealth": 1}}, "delay = {'wealth': 1}"),
    ],
)
def test_values_revealed_by_limits_cannot_be_hidden_noisy_or_delayed(options, sentence):
    with pytest.raises(ConfigError) as refused:
        governed(layers=informed(**options))
    assert str(refused.value) == f"layers.information.{sentence}: {RULE}"
    engine.make("commons_game", archetype="lab", layers=informed(**options))  # nothing can be paid


def test_the_reach_of_a_village_cannot_be_delayed():
    with pytest.raises(ConfigError) as refused:
        engine.make("gem_mining", layers=informed(delay={"reach": 1}))
    assert str(refused.value) == (
        "layers.information.delay = {'reach': 1}: the limits of mine reveal 'reach' to each seat"
    )


def test_a_role_that_decides_sees_what_its_limits_reveal():
    with pytest.raises(ConfigError) as refused:
        governed(agents=with_a_role(sees=["stock"]))
    assert str(refused.value) == (
        "agents.roles.other.sees = ['stock']: add 'wealth', because the limits of contribution "
        "reveal it, or leave contribution out of acts"
    )
    governed(agents=with_a_role(sees=["stock"], acts=["harvest"]))
    governed(agents=with_a_role(sees=["stock", "wealth"]))


def test_wealth_can_be_hidden_if_nobody_may_pay():
    agents = {"roles": {"member": {"acts": ["harvest"]}}}
    play = Episode(governed(agents=agents, layers=informed(hide=["wealth"])), seed=1)
    assert np.isnan(play.observation(0)["wealth"]).all()
    assert play.allowed(0).to_json()["contribution"] == [0, 0]


@pytest.mark.parametrize(
    "parameters",
    [
        {"layers": informed(graph=[[0, 1], [2, 3]])},
        {"observation": "local", "neighbours": [[0, 1]]},
    ],
)
def test_the_wealth_of_others_can_be_hidden_while_a_seats_own_is_shown(parameters):
    game = engine.make("commons_game", archetype="governed", initial_wealth=3, **parameters)
    play = Episode(game, seed=1)
    assert play.observation(2)["wealth"][2] == 3
    assert np.isnan(play.observation(2)["wealth"][:2]).all()


def test_limits_reveal_nothing_to_a_seat_that_has_left():
    layers = {"uncertainty": {"intensity": 1.0, "shocks": {"wealth": 2.0}}}
    agents = {"may_leave": True}
    game = governed(initial_wealth=9, layers=layers, agents=agents)
    play = Episode(game, seed=1)
    assert play.allowed(0).to_json()["contribution"] == [0, 9]
    for leaving in ([0], []):
        play.step({"harvest": [None, 3.0], "contribution": [None, 0.0]}, leaving)
        assert play.allowed(0).to_json() == {"harvest": [0, 0], "contribution": [0, 0]}
    assert play.allowed(1).to_json()["contribution"][1] > 0
