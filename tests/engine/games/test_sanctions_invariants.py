"""Invariants of the sanctions game for any parameters and actions."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mixed_company import engine
from mixed_company.engine import Episode
from mixed_company.engine import kit as check
from tests.engine.games.sanctions_plays import sanctions

UNIT = st.floats(0, 1)
SOME = settings(max_examples=20)


@st.composite
def rules(draw: Any, least: int = 2, largest: int = 5) -> dict[str, Any]:
    """Draw parameters. Parameters that can differ between seats are lists."""
    n = draw(st.integers(least, largest))
    unit = st.floats(0.01, 1)
    weights = draw(st.lists(unit, min_size=n, max_size=n))
    endowment = draw(st.lists(st.floats(0.5, 200), min_size=n, max_size=n))
    baseline = [draw(UNIT) * share for share in endowment]
    dependence = [[draw(UNIT) if i != j else 0.0 for j in range(n)] for i in range(n)]
    shares = [weight / sum(weights) for weight in weights]
    return {
        "seats": n,
        "periods": 8,
        "endowment": endowment,
        "baseline": baseline,
        "dependence": dependence,
        "share": shares,
        "production": draw(st.sampled_from(["logarithmic", "power", "public_good"])),
        "allow_any_mpcr": True,
        "reward": draw(st.sampled_from(["integrated", "private", "cooperative"])),
        "signal": draw(st.sampled_from(["baseline", "deviation"])),
        "window": draw(st.sampled_from(["inclusive", "prior", "peer"])),
        "falls_on": draw(st.sampled_from(["deviator", "observer"])),
        "form": draw(st.sampled_from(["additive", "multiplier"])),
        "memory": draw(st.integers(1, 5)),
        "lambda_R": draw(st.floats(0, 50)),
        "lambda_plus": draw(UNIT),
        "lambda_minus": draw(UNIT),
        "mu_R": draw(UNIT),
        "delta_R": draw(UNIT),
        "xi": draw(st.floats(0, 5)),
        "initial_trust": draw(UNIT),
        "initial_reputation": draw(UNIT),
    }


@st.composite
def plays(draw: Any) -> tuple[dict[str, Any], list[list[float]]]:
    core = draw(rules())
    row = st.lists(st.floats(-5, 250), min_size=core["seats"], max_size=core["seats"])
    return core, draw(st.lists(row, min_size=1, max_size=8))


def walk(core, contributions):
    """Yield (outcome, state after) of each period."""
    game = sanctions(**core)
    state, _ = game.reset(0)
    for amounts in contributions:
        state, outcome = game.step(state, {"contribution": amounts}, {})
        yield outcome, state


@given(plays())
@settings(max_examples=25)
def test_components_trust_and_reputation_stay_within_their_limits(play):
    declared = sanctions(**play[0]).declaration.components
    ceiling = 1.0
    for outcome, after in walk(*play):
        total = sum(outcome.components.values())
        assert np.allclose(total, outcome.rewards, rtol=1e-12, atol=1e-9)
        for field in declared:
            value = outcome.components[field.name]
            slack = 1e-9 * (1 + abs(field.low) + abs(field.high))
            assert field.low - slack <= value.min()
            assert value.max() <= field.high + slack
        for name in ("trust", "reputation"):
            assert (after[name] >= 0).all()
            assert (after[name] <= 1).all()
            assert np.diag(after[name]).tolist() == [name == "trust"] * play[0]["seats"]
        assert -1e-12 <= after["mean_trust"] <= 1 + 1e-12
        assert (after["trust"] <= ceiling).all()
        ceiling = 1 - after["reputation"]


@pytest.mark.long
@given(rules(largest=9))
@settings(max_examples=2)
def test_every_game_keeps_the_contract(core):
    check.conformance(sanctions(**core))


@given(plays())
@SOME
def test_an_average_lies_between_the_smallest_and_the_largest_contribution(play):
    core = {**play[0], "window": "inclusive"}
    contributions = np.clip(play[1], 0, core["endowment"])
    for period, (_, after) in enumerate(walk(core, play[1])):
        remembered = contributions[max(0, period + 1 - core["memory"]) : period + 1]
        assert (after["memory_averages"] <= remembered.max(axis=0) + 1e-9).all()
        assert (after["memory_averages"] >= remembered.min(axis=0) - 1e-9).all()


@given(plays(), st.randoms(use_true_random=False))
@SOME
def test_no_seat_has_an_advantage_from_its_number(play, random):
    core, contributions = play
    order = list(range(core["seats"]))
    random.shuffle(order)
    turned = {
        **core,
        "dependence": [[core["dependence"][i][j] for j in order] for i in order],
        **{name: [core[name][i] for i in order] for name in ("endowment", "baseline", "share")},
    }
    moved = [[amounts[i] for i in order] for amounts in contributions]
    for (outcome, after), (other, swapped) in zip(
        walk(core, contributions), walk(turned, moved), strict=True
    ):
        assert np.allclose(outcome.rewards[order], other.rewards, rtol=1e-9, atol=1e-9)
        for name in ("trust", "reciprocity_effects"):
            pairs = after[name][np.ix_(order, order)]
            assert np.allclose(pairs, swapped[name], rtol=1e-9, atol=1e-9)


@given(plays())
@SOME
def test_without_weight_there_are_no_sanctions(play):
    for outcome, _ in walk({**play[0], "lambda_R": 0.0}, play[1]):
        assert not outcome.components["sanctions"].any()


@given(plays())
@SOME
def test_effects_on_deviators_and_on_observers_have_the_same_sum(play):
    core = {**play[0], "form": "additive"}
    for (direct, _), (other, _) in zip(
        walk({**core, "falls_on": "deviator"}, play[1]),
        walk({**core, "falls_on": "observer"}, play[1]),
        strict=True,
    ):
        sums = [step.components["sanctions"].sum() for step in (direct, other)]
        assert sums[0] == pytest.approx(sums[1], rel=1e-9, abs=1e-9)


@given(plays())
@settings(max_examples=10)
def test_a_play_survives_json_in_every_period(play):
    core, contributions = play
    game = engine.make(json.loads(sanctions(**core).config.model_dump_json()))
    straight, saved = Episode(sanctions(**core)), Episode(game)
    for amounts in contributions:
        saved = Episode.from_json(game, saved.state_json())
        straight.step({"contribution": amounts})
        saved.step({"contribution": amounts})
        assert straight.state_json() == saved.state_json()


@given(rules(least=2, largest=13), st.integers(0, 99))
@settings(max_examples=15)
def test_a_batch_equals_its_plays_bit_for_bit(core, seed):
    game, size = sanctions(**core), 7
    contributions = np.random.default_rng(seed).uniform(-5, 150, (8, size, core["seats"]))
    together, _ = game.reset(np.arange(size))
    alone = [game.reset(play)[0] for play in range(size)]
    for amounts in contributions:
        together, outcome = game.step(together, {"contribution": amounts}, {})
        for play in range(size):
            alone[play], single = game.step(alone[play], {"contribution": amounts[play]}, {})
            assert np.array_equal(outcome.rewards[play], single.rewards)
            for name, value in alone[play].items():
                assert np.array_equal(together[name][play], value), name
            for name, seen in single.observations.items():
                assert np.array_equal(outcome.observations[name][play], seen), name
