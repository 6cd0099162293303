"""Invalid names of any type are rejected with a message."""

from __future__ import annotations

import pytest

from mixed_company import engine, policies
from mixed_company.engine import ActionError, EngineError, UnknownName
from mixed_company.engine.contract.errors import nearest
from tests.engine.plays import acts, commons

HUGE = 10**5000
"""Number with too many digits for Python to print."""


def test_a_value_that_is_not_a_string_has_no_similar_name():
    for name in (HUGE, -HUGE, None, ["one"], b"one", 2.5):
        assert nearest(name, ["two", "one"]) == "; one of: one, two"


def test_a_game_that_is_a_huge_number_is_unknown():
    with pytest.raises(UnknownName) as refused:
        engine.find(HUGE)
    assert str(refused.value).startswith("game = a huge number: unknown; one of: commons_game, ")


@pytest.mark.parametrize(
    "ask",
    [
        lambda: engine.make("commons_game", archetype=HUGE),
        lambda: engine.make({"identity": {"game": HUGE}}),
        lambda: policies.find(HUGE, "commons_game"),
    ],
)
def test_anything_else_named_by_a_huge_number_is_refused(ask):
    with pytest.raises(EngineError):
        ask()


def test_an_action_field_that_is_a_huge_number_is_unknown():
    game = commons()
    state, _ = game.reset(1)
    with pytest.raises(ActionError, match="action field a huge number: unknown; one of: contr"):
        game.step(state, {**acts(1), HUGE: [1] * 4}, game.draw_chance(1, 0))
