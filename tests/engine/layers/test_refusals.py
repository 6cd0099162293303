"""Settings that are meaningless in a game are rejected above intensity 0, with the key, value and
rule."""

from __future__ import annotations

import pytest

from mixed_company import engine
from mixed_company.engine import ConfigError
from tests.engine.layers.plays import refusal
from tests.engine.toys import Toy

VOTE, GEMS, COMMONS = "punishment_vote", "gem_mining", "commons_game"


@pytest.mark.parametrize(
    ("game", "name", "layers", "message"),
    [
        (
            COMMONS,
            "information",
            {"hide": ["stok"]},
            "layers.information.hide = ['stok']: 'stok' is not an observation that can be hidden; "
            "did you mean 'stock'?",
        ),
        (
            GEMS,
            "information",
            {"hide": ["reach"]},
            "layers.information.hide = ['reach']: 'reach' is not an observation that can be hidden",
        ),
        (
            COMMONS,
            "information",
            {"show": ["colapsed"]},
            "layers.information.show = ['colapsed']: 'colapsed' is not a quantity of the state; "
            "did you mean 'collapsed'?",
        ),
        (
            GEMS,
            "information",
            {"noise": {"reach": 1}},
            "layers.information.noise = {'reach': 1.0}: 'reach' is not an observation that can be",
        ),
        (
            COMMONS,
            "information",
            {"delay": {"seat": 1}},
            "layers.information.delay = {'seat': 1}: 'seat' is not an observation",
        ),
        (
            COMMONS,
            "information",
            {"graph": [(0, 4)]},
            "layers.information.graph = [0, 4]: seat 4 is not in 0 .. 3",
        ),
        (
            COMMONS,
            "information",
            {"graph": [(1, 1)]},
            "layers.information.graph = [1, 1]: a seat cannot be its own neighbour",
        ),
        (
            VOTE,
            "information",
            {"graph": "ring"},
            "layers.information.graph = 'ring': no observation of punishment_vote has a number",
        ),
        (
            GEMS,
            "temporal",
            {"reputation_window": 3},
            "layers.temporal.reputation_window = 3: gem_mining does not define cooperation; "
            "only 0 is accepted",
        ),
        (
            COMMONS,
            "hierarchy",
            {"groups": [0, 1]},
            "layers.hierarchy.groups = [0, 1]: names 2 seats, but core.seats is 4",
        ),
        (
            COMMONS,
            "hierarchy",
            {"groups": [0, 2, 2, 0]},
            "layers.hierarchy.groups = [0, 2, 2, 0]: should be consecutive numbers from 0",
        ),
        (
            Toy,
            "interaction",
            {"externality": 2},
            "layers.interaction.externality = 2.0: toy has no externality to scale; "
            "only 1 is accepted",
        ),
        (
            "sanctions",
            "interaction",
            {"externality": 5},
            "layers.interaction.externality = 5.0: core.dependence",
        ),
        (
            COMMONS,
            "power",
            {"limits": {"membr": {"harvest": 1}}},
            "layers.power.limits = {'membr': {'harvest': 1.0}}: 'membr' is not a role; "
            "did you mean 'member'?",
        ),
        (
            COMMONS,
            "power",
            {"limits": {"member": {"harvst": 1}}},
            "'harvst' is not an amount that seats decide on; did you mean 'harvest'?",
        ),
        (
            COMMONS,
            "power",
            {"limits": {"member": {"harvest": 11}}},
            "layers.power.limits.member.harvest = 11.0: should be within 0 .. 10",
        ),
        (
            COMMONS,
            "power",
            {"weights": {"member": 2}},
            "layers.power.weights = {'member': 2.0}: commons_game does not weight seats",
        ),
        (
            GEMS,
            "power",
            {"limits": {"member": {"mine": 1}}},
            "'mine' is not an amount that seats decide on; gem_mining has none",
        ),
        (
            VOTE,
            "incentives",
            {"fee": {"action": 1}},
            "layers.incentives.fee = {'action': 1.0}: 'action' is not an amount that seats "
            "decide on; "
            "punishment_vote has none",
        ),
        (
            COMMONS,
            "incentives",
            {"quota": {"harvest": 1}},
            "layers.incentives.quota.harvest = 1.0: a quota without a fee has no effect",
        ),
        (
            COMMONS,
            "uncertainty",
            {"shocks": {"empty_periods": 1}},
            "'empty_periods' is not a quantity that can have shocks",
        ),
        (
            VOTE,
            "uncertainty",
            {"shocks": {"grid": 1}},
            "'grid' is not a quantity that can have shocks",
        ),
        (
            GEMS,
            "uncertainty",
            {"drift": {"worker_bonus": 0.1}},
            "layers.uncertainty.drift = {'worker_bonus': 0.1}: 'worker_bonus' is not a parameter "
            "that may drift; gem_mining has none",
        ),
        (
            COMMONS,
            "uncertainty",
            {"drift": {"growth_rate": 0}},
            "layers.uncertainty.drift.growth_rate = 0.0: 0 has no effect; leave it out",
        ),
    ],
)
def test_meaningless_settings_are_refused(game, name, layers, message):
    assert message in refusal(game, name, **layers)


def test_a_limit_of_an_unbounded_action_needs_full_intensity():
    message = refusal(
        COMMONS, "power", 0.5, limits={"member": {"contribution": 2.0}}, core={"seats": 2}
    )
    assert message == (
        "layers.power.limits.member.contribution = 2.0: no upper limit is declared, "
        "so the intensity should be 1"
    )


@pytest.mark.parametrize(
    ("name", "layers", "message"),
    [
        ("temporal", {"reward_dely": 1}, "did you mean 'reward_delay'?"),
        ("temporal", {"reward_delay": -1}, "layers.temporal.reward_delay = -1: should be greater"),
        ("information", {"graph": "rng"}, "layers.information.graph = 'rng'"),
        ("interaction", {"share": 2}, "layers.interaction.share = 2: should be less than"),
    ],
)
def test_a_wrong_key_or_value_is_refused_at_any_intensity(name, layers, message):
    assert message in refusal(COMMONS, name, 0.0, **layers)


@pytest.mark.parametrize(
    ("game", "agents", "message"),
    [
        (
            VOTE,
            {"timing": "sequential"},
            "agents.timing = 'sequential': punishment_vote has its own order; set core.timing",
        ),
        (
            COMMONS,
            {"timing": "sequential", "order": [0, 1, 1, 2]},
            "agents.order = [0, 1, 1, 2]: should name each seat from 0 to 3 once",
        ),
        (
            COMMONS,
            {"order": [3, 2, 1, 0]},
            "agents.order = [3, 2, 1, 0]: can be set only with agents.timing = 'sequential'",
        ),
    ],
)
def test_an_invalid_order_is_refused(game, agents, message):
    with pytest.raises(ConfigError) as refused:
        engine.make(game, agents=agents)
    assert str(refused.value) == message


def test_given_keys_override_the_layers_of_an_archetype():
    layers = {"power": {"limits": {"weak": {"harvest": 1.0}}}}
    game = engine.make(COMMONS, archetype="unequal", seats=3, layers=layers)
    assert game.config.layers.power.limits == {"weak": {"harvest": 1.0}}
    assert game.config.layers.power.intensity == 1
    assert game.config.layers.information.delay == {"stock": 1}
    assert game.config.agents.seats == ("strong", "weak", "strong")
    assert game.config.layers.hierarchy.groups == (0, 1, 0)
