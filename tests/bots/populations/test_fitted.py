"""Policies of fitted types that make choices, calculated by hand, on their own and among others."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bots.populations.gem_mining import ReinforcementLearning
from mixed_company import engine, policies
from mixed_company.engine.contract.chance import play_seeds
from mixed_company.policies.bench import Bench
from mixed_company.policies.draws import Draws
from mixed_company.policies.policy import Seats, ask_at, seat_chance
from mixed_company.policies.populations.fitted import chosen
from mixed_company.policies.rollout import rollout
from tests.analysis.behaviour.test_choosers import GEMS, VOTE


@pytest.fixture(params=["gem_mining", "punishment_vote"])
def fitted(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[engine.Game, str]:
    file = tmp_path / "own.toml"
    file.write_text({"gem_mining": GEMS, "punishment_vote": VOTE}[request.param])
    length = {"gem_mining": {"periods": 6}, "punishment_vote": {"turns": 8}}[request.param]
    return engine.make(request.param, archetype="lab", **length), f"population:{file}"


def test_choices_are_drawn_in_proportion_to_exp_of_worth() -> None:
    """exp(0) and exp(ln 3) are 1 and 3, so the counts are a quarter and three quarters of 4,000,
    with an sd of sqrt(750).
    """
    worth = np.tile([0.0, np.log(3), 99.0], (4000, 1))
    draws = Draws(np.arange(4000), np.zeros(4000, int), np.zeros(4000, int))
    among = np.tile([True, True, False], (4000, 1))
    counts = np.bincount(chosen(worth, among, draws), minlength=3)
    assert counts[2] == 0
    assert abs(counts[0] - 1000) < 4 * 27.4


def test_a_choice_does_not_depend_on_who_else_is_asked(fitted: tuple[engine.Game, str]) -> None:
    """Four plays in a batch end as they would individually."""
    game, spec = fitted
    seeds = play_seeds(7, np.arange(4))
    state, seen = game.reset(seeds)
    bench = Bench(game, [(policies.make(spec, game), np.ones(game.seats, bool))])
    *_, (after, _) = bench.play(seeds, state, seen)
    assert bench.faults == 0
    field = "mine" if game.id == "gem_mining" else "grid"
    for number, seed in enumerate(seeds.tolist()):
        episode = engine.Episode(game, int(seed))
        assert len(list(rollout(episode, [policies.make(spec, game)] * game.seats))) > 5
        assert np.array_equal(episode.state_record()[field], after[field][number])


def test_the_learned_values_are_kept_as_plain_numbers(fitted: tuple[engine.Game, str]) -> None:
    game, spec = fitted
    policy, episode = policies.make(spec, game), engine.Episode(game, 5)
    memories = [policy.start() for _ in range(game.seats)]
    field = game.declaration.actions[0].name
    for _ in range(3):
        answers = [ask_at(episode, policy, seat, memories[seat]) for seat in range(game.seats)]
        assert [answer.fault for answer in answers] == [None] * game.seats
        memories = [answer.memory for answer in answers]
        episode.step({field: [answer.action[field] for answer in answers]})


def test_points_are_learned_by_hand() -> None:
    """The first points, 2, are the reference. 3 points are 1 above it, which at a rate of 0.5 gives
    0.5, then 0.75. 1 point is 1 below it: 0.75 + 0.5 * (-1 - 0.75) = -0.125.
    """
    game = engine.make("gem_mining", archetype="lab_0_8")
    policy = ReinforcementLearning.for_game(game, learning_rate=0.5)
    memory = policy.start()
    episode = engine.Episode(game, 1)
    view = {name: np.array(value) for name, value in episode.observation(1).items()}
    for gems, expected in ((2, 0.0), (3, 0.5), (3, 0.75), (1, -0.125)):
        view = {**view, "own_mine": np.array(2.0), "gems": np.array([gems, 0.0])}
        seats = Seats.one(view, memory, seat_chance(1, 1, 0))
        _, memory = policy.act_together(seats)
        memory = {name: np.asarray(value)[0] for name, value in memory.items()}
        assert memory["learned"].tolist() == pytest.approx([0.0, expected, 0.0, 0.0])
        assert memory["usual"] == 2.0
