"""Tests of the deciding rule that the sanctions game's page shows to a seat."""

from __future__ import annotations

from typing import Any

import pytest

from mixed_company import engine
from sanctions.stage import setting


def lead(seat: int = 0, **changes: Any) -> str:
    return str(setting(engine.make("sanctions", **{"archetype": "lab", **changes}), seat)["lead"])


def test_nobody_is_asked_to_give_more_than_they_have() -> None:
    """Every seat is expected to give 20. The first seat has only 20, and the others have 40."""
    unequal: dict[str, Any] = {"baseline": 20.0, "endowment": [20.0, 40.0, 40.0, 40.0]}
    compared = "Your average contribution is compared with the expected contribution of 20."
    lost = f"{compared} Below 20 you lose points"
    assert lead(0, **unequal) == f"{lost}."
    assert lead(1, **unequal) == f"{lost}; above 20 you gain points."


def test_trust_that_can_grow_is_no_dilemma() -> None:
    """No seat is sanctioned at first. Once everyone has given enough, a seat that gives nothing
    is."""
    nobody_trusts: dict[str, Any] = {"archetype": "lab_0_7", "initial_trust": 0.0, "memory": 1}
    play = engine.Episode(engine.make("sanctions", **nobody_trusts))
    plays = [[20.0] * 4, [20.0] * 4, [0.0, 20.0, 20.0, 20.0]]
    sanctions = [
        play.step({"contribution": amounts}).components["sanctions"][0] for amounts in plays
    ]
    assert sanctions[-1] < 0
    assert lead(**nobody_trusts) == ""


@pytest.mark.parametrize(
    "changes", [{"lambda_R": 0.0}, {"kappa": 0.0}, {"initial_trust": 0.0, "kappa_T": 0.0}]
)
def test_it_is_a_dilemma_if_nobody_can_take_or_give_points(changes: dict[str, Any]) -> None:
    assert lead(**changes) == (
        "If you keep a point, you get 1. If you contribute it, each of the 4 players gets 0.4."
    )


# -- the points that a contributed point earns -----------------------------------------------------


EACH = "Each point you give earns you and every other player "


def brings(**changes: Any) -> str:
    return str(setting(engine.make("sanctions", **{"archetype": "lab", **changes}), 0)["brings"])


def test_the_page_says_what_a_point_brings_to_everybody() -> None:
    assert brings() == EACH + "0.4 points. You keep the rest."
    single = brings(mpcr=1.0, allow_any_mpcr=True)
    assert single == EACH + "1 point. You keep the rest."


def test_the_page_says_what_the_first_and_the_last_point_produce() -> None:
    # 20 ln 2 = 13.86; 20 ln(101 / 100) = 0.199
    assert brings(archetype="source") == (
        "The first point you give produces 13.9 points for you. Point 100 produces 0.2."
    )


@pytest.mark.parametrize(
    "layers",
    [
        {"interaction": {"intensity": 1.0, "share": 0.5}},
        {"uncertainty": {"intensity": 1.0, "drift": {"mpcr": 0.01}}},
        {"power": {"intensity": 1.0, "limits": {"member": {"contribution": 0.5}}}},
    ],
)
def test_the_page_says_nothing_that_layers_change(layers: dict[str, Any]) -> None:
    assert brings(layers=layers) == ""
