"""Parameters of the sanctions game: defaults, lists, and error messages."""

from __future__ import annotations

import json

import numpy as np
import pytest

from mixed_company import engine
from mixed_company.engine import ConfigError
from mixed_company.engine.games.sanctions.core import SanctionsCore
from mixed_company.engine.games.sanctions.equations import private_payoff
from tests.engine.games.sanctions_plays import sanctions


def refusal(**core):
    with pytest.raises(ConfigError) as refused:
        sanctions(**core)
    return str(refused.value)


def test_the_defaults_match_the_source():
    core = sanctions().core.model_dump()
    written = {
        "seats": 6,
        "periods": 200,
        "endowment": 100,
        "baseline": 40,
        "dependence": 0.35,
        "production": "logarithmic",
        "theta": 20,
        "beta": 0.75,
        "mpcr": 0.4,
        "synergy": 0.65,
        "rho_0": 0.6,
        "eta": 1.5,
        "kappa": 0.8,
        "memory": 10,
        "lambda_R": 1.8,
        "omega": 1,
        "lambda_plus": 0.1,
        "lambda_minus": 0.3,
        "mu_R": 0.6,
        "delta_R": 0.03,
        "xi": 0.5,
        "kappa_T": 1,
        "initial_trust": 0.5,
        "initial_reputation": 0,
        "reward": "integrated",
        "signal": "baseline",
        "window": "inclusive",
        "falls_on": "deviator",
        "form": "additive",
    }
    assert core == {**written, "share": 1 / 6, "allow_any_mpcr": False}


def test_an_empty_share_is_written_out_as_an_equal_one():
    assert sanctions(seats=4).core.share == 0.25
    assert sanctions(seats=4, share=None).core.share == 0.25


def test_every_parameter_has_a_meaning():
    for name, field in SanctionsCore.model_fields.items():
        assert field.description, name


@pytest.mark.parametrize("archetype", ["source", "tr4", "coopetition_gym", "lab"])
def test_every_archetype_survives_json(archetype):
    game = engine.make(
        "sanctions", archetype=archetype, seats=3, endowment=[50, 60, 70], baseline=9
    )
    again = engine.make(json.loads(game.config.model_dump_json()))
    assert again.config == game.config


def test_the_archetypes_differ_from_the_source_as_they_should():
    differences = {}
    for name in ("source", "tr4", "coopetition_gym"):
        core = engine.make("sanctions", archetype=name).core
        differences[name] = (core.signal, core.window, core.falls_on, core.form)
    assert differences == {
        "source": ("baseline", "inclusive", "deviator", "additive"),
        "tr4": ("deviation", "prior", "observer", "additive"),
        "coopetition_gym": ("deviation", "peer", "observer", "multiplier"),
    }


@pytest.mark.parametrize(
    ("core", "message"),
    [
        ({"seats": 1}, "core.seats = 1: should be greater than or equal to 2"),
        ({"memory": 0}, "core.memory = 0: should be greater than or equal to 1"),
        ({"periods": 0}, "core.periods = 0: should be greater than or equal to 1"),
        ({"endowment": 0}, "core.endowment = 0: should be greater than 0"),
        ({"endowment": -5}, "core.endowment = -5: should be greater than 0"),
        ({"beta": 1.5}, "core.beta = 1.5: should be less than or equal to 1"),
        ({"initial_trust": 1.1}, "core.initial_trust = 1.1: should be less than or equal to 1"),
        ({"kappa": float("nan")}, "core.kappa = nan: should be a finite number"),
        ({"share": 0.3}, "core.share = 0.3: the shares of 6 seats should sum to 1, not 1.8"),
        (
            {"seats": 2, "share": [0.5, 0.6]},
            "core.share = [0.5, 0.6]: the shares of 2 seats should sum to 1, not 1.1",
        ),
        (
            {"seats": 3, "share": [0.5, 0.5]},
            "core.share = [0.5, 0.5]: should be 3 numbers, one per seat",
        ),
        (
            {"seats": 2, "endowment": [50, 60, 70]},
            "core.endowment = [50.0, 60.0, 70.0]: should be 2 numbers, one per seat",
        ),
        ({"seats": 2, "baseline": [5]}, "core.baseline = [5.0]: should be 2 numbers, one per seat"),
        ({"seats": 2, "endowment": [50, -1]}, "core.endowment.1 = -1: should be greater than 0"),
        ({"baseline": 101}, "core.baseline = 101.0: 101 is above the endowment of seat 0, 100"),
        (
            {"seats": 2, "endowment": [50, 30], "baseline": [40, 31]},
            "core.baseline = [40.0, 31.0]: 31 is above the endowment of seat 1, 30",
        ),
        ({"dependence": 1.5}, "core.dependence = 1.5: should be less than or equal to 1"),
        (
            {"seats": 2, "dependence": [[0, 2], [0, 0]]},
            "core.dependence.0.1 = 2: should be less than or equal to 1",
        ),
        (
            {"seats": 2, "dependence": [[0, 0.5]]},
            "core.dependence = [[0.0, 0.5]]: should be 2 rows of 2 numbers",
        ),
        (
            {"seats": 2, "dependence": [[0, 0.5], [0.5]]},
            "core.dependence = [[0.0, 0.5], [0.5]]: should be 2 rows of 2 numbers",
        ),
        (
            {"seats": 2, "dependence": [[0, 0.5], [0.5, 0.1]]},
            "core.dependence = [[0.0, 0.5], [0.5, 0.1]]: "
            "seat 1 has a dependence of 0.1 on itself; the diagonal should be 0",
        ),
        (
            {"production": "public_good", "mpcr": 1},
            "core.mpcr = 1: should be between 1/n = 0.166667 and 1, exclusive; "
            "allow_any_mpcr = true lifts this limit",
        ),
        (
            {"production": "public_good", "seats": 2, "mpcr": 0.5},
            "core.mpcr = 0.5: should be between 1/n = 0.5 and 1, exclusive; "
            "allow_any_mpcr = true lifts this limit",
        ),
        ({"lambda_r": 2}, "core.lambda_r = 2: unknown key; did you mean 'lambda_R'?"),
    ],
)
def test_impossible_values_are_refused_by_key_value_and_rule(core, message):
    assert refusal(**core) == message


def test_a_public_good_without_a_dilemma_is_allowed():
    core = {"production": "public_good", "allow_any_mpcr": True}
    assert sanctions(**core, mpcr=2).core.mpcr == 2
    assert sanctions(**core, mpcr=0).core.mpcr == 0


def test_the_mpcr_is_unrestricted_without_a_public_good():
    assert sanctions(mpcr=1).core.mpcr == 1


def test_a_long_list_is_shortened_in_messages():
    message = refusal(seats=2, endowment=list(range(1, 500)))
    assert message.endswith("...: should be 2 numbers, one per seat")
    assert len(message) < 150


def test_the_texts_name_the_numbers_that_a_public_good_does_not_use():
    """Papers and prompts use these texts to list all numbers."""
    gifts = np.array([20.0, 0.0, 10.0, 5.0])
    usual = {"production": "public_good", "seats": 4, "endowment": 20.0, "baseline": 5.0}
    unused = {"synergy": 9.0, "share": (0.7, 0.1, 0.1, 0.1), "theta": 3.0, "beta": 0.1}

    def payoff(**changes):
        parts = private_payoff(sanctions(**usual, **changes).core, gifts)
        return {name: values.tolist() for name, values in parts.items()}

    assert payoff(mpcr=0.5) != payoff()
    for name, value in unused.items():
        assert payoff(**{name: value}) == payoff()
        text = str(SanctionsCore.model_fields[name].description)
        assert text.endswith(("not if public_good", "if logarithmic", "if power")), name
