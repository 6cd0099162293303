"""The information about a period has the published names and values."""

from __future__ import annotations

import pytest

from mixed_company import engine
from tests.engine.games.test_sanctions_reference import MATRICES, SCRIPTS, STEPS, numbers

PUBLISHED = {
    "cooperation_signals": "cooperation_signal",
    "memory_averages": "memory_average",
    "reciprocity_effects": "reciprocity_effect",
}
NAMES = ["step", "mean_trust", *PUBLISHED, "tr4_memory_window"]


def periods(script):
    """Yield (period, line of the script) while playing the script."""
    play = engine.Episode(engine.make("sanctions", archetype="coopetition_gym"), 0)
    for line in (line for line in STEPS if line["script"] == script):
        yield play.step({"contribution": numbers(line, "action").tolist()}), line


@pytest.mark.parametrize("script", SCRIPTS)
def test_every_pair_has_the_published_values(script):
    played = list(periods(script))
    for step, line in played:
        assert sorted(step.info) == sorted(NAMES)
        assert (step.info["step"], step.info["tr4_memory_window"]) == (step.number + 1, 10)
        assert step.info["mean_trust"] == pytest.approx(float(line["mean_trust"]), abs=1e-9)
    compared = 0
    for wanted in (line for line in MATRICES if line["script"] == script):
        for name, quantity in PUBLISHED.items():
            if wanted["quantity"] != quantity:
                continue
            table, i = played[int(wanted["t"])][0].info[name], int(wanted["i"])
            assert len(table) == 30
            for j in (j for j in range(6) if j != i):
                expected = float(wanted[f"j_{j}"])
                assert table[f"{i}->{j}"] == pytest.approx(expected, abs=1e-9)
                compared += 1
    assert compared == 3 * 4 * 30


def test_a_period_by_hand():
    # Contributions of 50, 40 and 10 with a baseline of 40: these are the averages, and the signals
    # are 10, 0 and -30.
    game = engine.make("sanctions", seats=3)
    info = engine.Episode(game, 1).step({"contribution": [50, 40, 10]}).info
    assert info["memory_averages"] == {
        "0->1": 40,
        "0->2": 10,
        "1->0": 50,
        "1->2": 10,
        "2->0": 50,
        "2->1": 40,
    }
    assert (info["cooperation_signals"]["1->0"], info["cooperation_signals"]["1->2"]) == (10, -30)
    assert info["reciprocity_effects"]["0->1"] == 0
    assert info["reciprocity_effects"]["0->2"] < 0
    assert (info["step"], info["tr4_memory_window"]) == (1, 10)


def test_games_that_declare_no_information_give_none():
    step = engine.Episode(engine.make("commons_game"), 1).step(
        {"harvest": [1] * 4, "contribution": [0] * 4}
    )
    assert step.info == {}
