"""Values of steps on the map, calculated by hand, and the probabilities that follow from them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from mixed_company import analysis, engine
from mixed_company.analysis import behaviour
from mixed_company.analysis.behaviour.decisions import decided
from mixed_company.analysis.behaviour.panel import Panel, faced, state_of
from mixed_company.analysis.games.punishment_vote import REACH
from mixed_company.engine.games.punishment_vote.tables import EMPTY, FIRST_RESOURCE

LAB = {"archetype": "lab", "initial_resources": 0, "seats": 1}
UP, DOWN, LEFT, RIGHT = range(4)


def on_the_map(kinds: dict[tuple[int, int], int], level: float = 0.0) -> tuple[engine.Game, dict]:
    """Return the game, and states with a seat at (5, 5) and these resources at relative
    positions.
    """
    game = engine.make("punishment_vote", **LAB, initial_level=level)
    state = {name: np.array(value) for name, value in state_of(engine.Episode(game, 1)).items()}
    grid = state["grid"]
    flat = grid.reshape(game.core.height, game.core.width)
    seat = flat[int(state["row"][0]), int(state["column"][0])]
    flat[int(state["row"][0]), int(state["column"][0])] = EMPTY
    flat[5, 5] = seat
    state["row"][0] = state["column"][0] = 5
    for (down, right), kind in kinds.items():
        flat[5 + down, 5 + right] = FIRST_RESOURCE + kind
    return game, {name: value[None] for name, value in state.items()}


def worth(kinds: dict[tuple[int, int], int], level: float = 0.0) -> list[float]:
    game, states = on_the_map(kinds, level)
    return REACH.worth(game, states, np.array([0]))[0].tolist()


def test_points_per_step_by_hand() -> None:
    """A is worth 3 and is two steps to the right, so the first step to the right is worth 3 / 2.
    After one step up or down, A is three steps away, so four steps in total: 3 / 4. The same is
    true after a step to the left. Votes and standing still are worth nothing.
    """
    assert worth({(0, 2): 0}) == pytest.approx([0.75, 0.75, 0.75, 1.5, 0, 0, 0])


def test_an_adjacent_resource_has_its_full_value_and_the_best_resource_is_used() -> None:
    """A is one step above and worth 3. After a step aside it is two steps away: 3 / 3. B, worth 5,
    is three steps below: 5 / 3 for a step down, and 5 / 5 for a step aside, no more than A.
    """
    value = worth({(-1, 0): 0, (3, 0): 1})
    assert value == pytest.approx([3.0, 5 / 3, 5 / 5, 5 / 5, 0, 0, 0])


def test_punishment_is_deducted_at_the_level() -> None:
    """B is worth 5 and taboo. At a level of 0.7 and a magnitude of 10, the punishment is 7, so a
    step onto it costs 2. Other steps are worth nothing."""
    assert worth({(1, 0): 1}, level=0.7) == pytest.approx([0, -2.0, 0, 0, 0, 0, 0])


def test_a_step_into_a_wall_leads_nowhere() -> None:
    game, states = on_the_map({})
    flat = states["grid"].reshape(game.core.height, game.core.width)
    seat = flat[5, 5]
    flat[5, 5], flat[1, 5] = EMPTY, seat
    states["row"][0, 0] = 1
    flat[1, 6] = FIRST_RESOURCE
    assert REACH.worth(game, states, np.array([0]))[0].tolist() == pytest.approx(
        [0, 1.0, 1.0, 3.0, 0, 0, 0]
    )


def test_chances_by_hand() -> None:
    """A precision of 2 and a voting value of -1 give weights of exp(2 * 1.5) to the right, exp(2 *
    0.75) in the three other directions, exp(-1) for each vote and 1 for standing still.
    """
    game, states = on_the_map({(0, 2): 0})
    episode = engine.Episode(game, 1)
    before = {name: value[0] for name, value in states.items()}
    situation = faced(episode, "action", 0, before)
    panel = Panel.of("action", 11, [situation], [3.0], [0.0], [0], [""])
    model = behaviour.find("quantal_response_reach", "punishment_vote")
    chances = np.exp(model.log_probabilities(np.array([2.0, -1.0]), model.prepared(panel)))[0]
    weights = np.exp([1.5, 1.5, 1.5, 3.0, -1.0, -1.0, 0.0])
    assert chances == pytest.approx(weights / weights.sum())
    assert math.isclose(chances.sum(), 1)


def test_without_a_window_there_are_no_values() -> None:
    data = analysis.simulated(
        "punishment_vote", ["random"] * 4, groups=1, seed=1, archetype="lab", turns=4, vision=0
    )
    panel = decided(data).panel
    model = behaviour.find("quantal_response_reach", "punishment_vote")
    assert set(model.silent(model.prepared(panel)).tolist()) - {"the first one"} == {
        "vision = 0: seats do not see any resources"
    }


@pytest.mark.long
def test_planted_values_are_recovered() -> None:
    """Estimates are within three standard errors, and the true model predicts best."""
    data = behaviour.simulated_people(
        "quantal_response_reach",
        {"precision": 1.5, "voting": -1.0},
        "punishment_vote",
        groups=4,
        seed=1,
        archetype="lab",
        turns=30,
    )
    row = behaviour.fitted(data, "quantal_response_reach", per="treatment", errors="hessian").iloc[
        0
    ]
    assert abs(row["precision"] - 1.5) < 3 * row["precision_se"] < 0.5
    assert abs(row["voting"] + 1.0) < 3 * row["voting_se"] < 1.0
    table = behaviour.predicted(data, folds=4).set_index("model")
    assert table["best"]["quantal_response_reach"]
