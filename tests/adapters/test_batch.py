"""Tests of learners in a batch of plays: observations, rewards, allowed actions, statistics."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from mixed_company import engine
from mixed_company.adapters.batch import Batch
from mixed_company.adapters.plays import play_seeds
from mixed_company.engine.contract.errors import ActionError, ConfigError
from mixed_company.policies import Policy, ask_at, make
from mixed_company.policies.bench import Bench, by_seat
from tests.adapters.plays import ARCHETYPES, lab, one_ends_early, rows, short

GREED = [1.0, -1.0]
NOTHING = [-1.0, -1.0]
CHOICES = [
    archetype for archetype in ARCHETYPES if Batch(short(*archetype.values), plays=1).acts.choices
]


@pytest.mark.parametrize(("game_id", "archetype"), ARCHETYPES)
def test_learners_see_and_earn_the_same_as_their_seats(game_id, archetype):
    game, plays = short(game_id, archetype), 3
    batch, random = Batch(game, plays, seed=5), np.random.default_rng(1)
    seen = batch.reset(seed=5)
    single = [engine.Episode(game, int(seed)) for seed in play_seeds(5, np.arange(plays))]
    sums, begun, over = np.zeros((plays, game.seats)), plays, 0
    for _ in range(game.horizon):
        masks = batch.masks() if batch.acts.choices else None
        sent = rows(random, batch.acts, masks, batch.size)
        actions, _ = batch.acts.read(sent, batch._allowed.rows(slice(None)))
        for play, episode in enumerate(single):
            assert np.array_equal(_of_play(seen, game, play), _seen_by_all(batch, episode))
        moved = batch.step(sent)
        returns = dict(zip(moved.episodes.learners.tolist(), moved.episodes.returns, strict=True))
        last = iter(moved.final_observations)
        for play, episode in enumerate(single):
            step = episode.step({k: _of_play(v, game, play) for k, v in actions.items()})
            sums[play] += step.rewards
            rewards = _of_play(moved.rewards, game, play)
            assert np.array_equal(rewards, step.rewards.astype(np.float32))
            assert _of_play(moved.dones, game, play).tolist() == list(step.seat_done)
            for seat in np.flatnonzero(step.seat_done):
                assert np.array_equal(next(last), _seen_by_all(batch, episode)[seat])
                if seat not in step.absent:
                    assert returns.pop(play * game.seats + seat) == pytest.approx(sums[play, seat])
            if step.done:
                single[play] = engine.Episode(game, int(play_seeds(5, np.array([begun]))[0]))
                sums[play], begun, over = 0, begun + 1, over + 1
        assert not returns
        assert not list(last)
        seen = moved.observations
    assert over >= plays
    assert moved.rewards.dtype == seen.dtype == np.float32


def _of_play(values, game, play):
    """Return the values of one play from an array of shape (all learners, ...)."""
    return values[play * game.seats : (play + 1) * game.seats]


def _seen_by_all(batch, episode):
    return [batch.seen.of_seat(episode.observation(seat)) for seat in range(batch.game.seats)]


def test_greed_is_counted_as_27_points_in_three_periods():
    batch = Batch(lab(), plays=2, seed=1)
    for period in range(3):
        moved = batch.step([GREED] * 8)
        assert moved.dones.tolist() == [period == 2] * 8
    episodes = moved.episodes
    assert episodes.learners.tolist() == list(range(8))
    assert episodes.returns == pytest.approx([27.4] * 8)
    assert episodes.components["harvest"] == pytest.approx([27.4] * 8)
    assert episodes.components["contribution"].tolist() == [0] * 8
    assert episodes.lengths.tolist() == [3] * 8
    assert episodes.reasons == ["collapse"] * 8
    # growth of 0.4 * 29.6 * 0.704; the new play starts with a full lake
    assert moved.final_observations[0][batch.seen.values["stock"]] == pytest.approx(8.33536)
    assert moved.observations[0][batch.seen.values["stock"]] == 100


def test_the_group_earns_the_mean():
    own_batch, group_batch = (
        Batch(lab(), plays=1, seed=1, reward=mode) for mode in ("own", "group")
    )
    sent = [GREED, NOTHING, NOTHING, NOTHING]
    assert own_batch.step(sent).rewards.tolist() == [10, 0, 0, 0]
    assert group_batch.step(sent).rewards.tolist() == [2.5] * 4


def test_policies_play_the_other_seats():
    game, names = lab(), ("sustainable", "noisy_person")
    batch = Batch(game, plays=2, seed=1, seats=[2, 0], others=",".join(names))
    single = [engine.Episode(game, int(seed)) for seed in play_seeds(1, np.arange(2))]
    policies = {1: make(names[0], game), 3: make(names[1], game)}
    memories = {(play, seat): policies[seat].start() for play in range(2) for seat in policies}
    assert batch.size == 4
    for _ in range(4):
        assert batch.observations[:, 1].tolist() == [2, 0, 2, 0]  # the seat is the second number
        moved = batch.step([[0.0, -1.0], [-0.5, -1.0]] * 2)
        for play, episode in enumerate(single):
            harvest = {2: 5.0, 0: 2.5}
            for seat, policy in policies.items():
                answer = ask_at(episode, policy, seat, memories[play, seat])
                harvest[seat], memories[play, seat] = answer.action["harvest"], answer.memory
            step = episode.step(
                {"harvest": [harvest[seat] for seat in range(4)], "contribution": [0] * 4}
            )
            mine = moved.rewards[2 * play : 2 * play + 2]
            assert mine.tolist() == step.rewards[[2, 0]].astype(np.float32).tolist()


def test_policies_forget_a_play_that_is_over():
    # the trigger is reset in the play that follows a greedy one
    batch = Batch(lab(), plays=1, seed=1, seats=[0], others="grim_trigger")
    first = batch.step([GREED]).observations[0]
    while not batch.step([GREED]).dones[0]:
        pass
    again = batch.step([GREED]).observations[0]
    harvest = batch.seen.values["harvest"]
    assert again[harvest].tolist() == first[harvest].tolist()
    assert not batch.bench.faults


def test_the_difference_reward_is_a_seats_immediate_effect_on_the_mean():
    # one of two seats gains 7 points and harms the other by 3, like resource B in the source
    game = engine.make(
        "punishment_vote",
        seats=2,
        height=3,
        width=5,
        initial_resources=1,
        spawn_probability=0.0,
        initial_level=0.0,
        resources={"B": {"value": 7.0, "harm": 3.0}},
    )
    differences = set()
    for seed in range(20):
        batch = Batch(game, plays=1, seed=seed, reward="difference")
        for action in (2, 3):  # both go left, both go right
            collected = batch.seen.values["collected"].start
            moved = batch.step([action, action])
            takes = moved.observations[:, collected] > 0
            assert moved.rewards.tolist() == np.where(takes, (7.0 - 3.0) / 2, 0.0).tolist()
            differences.add(tuple(takes.tolist()))
    assert {(True, False), (False, True), (False, False)} <= differences


def test_the_deterring_reward_subtracts_the_earnings_of_seats_that_do_not_learn():
    # the seat that does not learn harvests 10, whatever the learners take
    game = engine.make("commons_game", archetype="lab_0_7", seats=3)
    batch = Batch(game, plays=2, seed=1, reward="deter", seats=[0, 2], others="greedy")
    batch.reset()
    assert batch.step([GREED] * 4).rewards.tolist() == [-10.0] * 4
    settings = {"reward": "deter", "seats": [0, 2], "others": "greedy"}
    rivals = Batch(game, plays=2, seed=1, rivalry=0.2, **settings)
    rivals.reset()  # the learners take 10 as well: 0.2 * 10 - 10
    assert rivals.step([GREED] * 4).rewards.tolist() == [-8.0] * 4
    with pytest.raises(ConfigError, match=r"reward = 'deter': needs a seat that does not learn"):
        Batch(game, plays=1, reward="deter")


def test_a_batch_continues_from_a_snapshot_unchanged():
    makes = [Batch(lab(), plays=2, seed=1, seats=[0], others="noisy_person") for _ in range(2)]
    first, second = makes
    first.step([GREED] * 2)
    taken = first.snapshot()
    wanted = [first.step([GREED] * 2).rewards.tolist() for _ in range(30)]
    second.restore(taken)
    assert [second.step([GREED] * 2).rewards.tolist() for _ in range(30)] == wanted


class Broken(Policy):
    """Policy that raises an error."""

    id, games, source = "broken", ("commons_game",), "test"

    def act(self, observation, memory, rng):
        raise ValueError("no idea")


def seat(batch, policies):
    """Use these policies in these seats from now on."""
    batch.bench = Bench(batch.game, by_seat(policies, batch.game.seats))
    batch.bench.begin(np.arange(2), 2)


def test_a_failing_policy_plays_the_default_and_is_counted():
    batch = Batch(lab(), plays=2, seed=1, seats=[0], others="greedy")
    greedy, _ = batch.bench.seated[0]
    seat(batch, {1: Broken(batch.game.core), 2: greedy, 3: greedy})
    seen = batch.step([GREED] * 2).observations
    assert seen[0][batch.seen.values["harvest"]].tolist() == [10, 0, 10, 10]
    assert batch.bench.faults == 2


class OutOfReach(Policy):
    """Policy that sends its workers to the last mine."""

    id, games, source = "out_of_reach", ("gem_mining",), "test"

    def act(self, observation, memory, rng):
        return {"mine": 22}, memory


def test_a_policy_with_a_closed_choice_plays_the_default_and_is_counted():
    game = engine.make("gem_mining", archetype="momaland_42", information="all", periods=2)
    batch = Batch(game, plays=2, seed=1, seats=[0], others="random")
    others, _ = batch.bench.seated[0]
    policies = dict.fromkeys(range(1, 20), others) | {3: OutOfReach(game.core)}
    seat(batch, policies)
    seen = batch.step([0, 0]).observations
    assert seen[1][batch.seen.values["mines"]][3] == 3  # the first mine within reach of village 3
    assert batch.bench.faults == 2


def test_masks_are_those_of_each_seat_and_illegal_choices_are_counted():
    batch = Batch(engine.make("gem_mining", archetype="momaland_42"), plays=2, seed=1)
    masks = batch.masks()
    assert masks.shape == (40, 23)
    assert np.flatnonzero(masks[21]).tolist() == [1, 2, 3]  # village 1 of play 1
    sent = np.arange(40) % 20
    sent[21] = 9
    moved = batch.step(sent)
    assert np.flatnonzero(moved.episodes.illegal).tolist() == [21]
    assert moved.episodes.reasons == ["horizon"] * 40


def test_masks_of_some_seats_belong_to_these_seats():
    game = engine.make("gem_mining", archetype="momaland_42")
    batch = Batch(game, plays=2, seed=1, seats=[1], others="random")
    assert [np.flatnonzero(mask).tolist() for mask in batch.masks()] == [[1, 2, 3]] * 2


@pytest.mark.parametrize(("game_id", "archetype"), CHOICES)
def test_a_barred_seat_can_only_play_the_default_in_training_too(game_id, archetype):
    game = engine.make(game_id, archetype=archetype)
    still = {"roles": {"all": {}, "still": {"acts": []}}, "seats": ["all", "still"]}
    still["seats"] += ["all"] * (game.seats - 2)
    game = engine.make(game_id, archetype=archetype, agents=still)
    batch, play = Batch(game, plays=2, seed=3), engine.Episode(game, int(play_seeds(3, 0)))
    masks = batch.masks().reshape(2, game.seats, -1)
    (field,) = game.declaration.actions
    for seat in range(game.seats):
        assert masks[0, seat].tolist() == play.allowed(seat).open(field).tolist()
    default = int(play.allowed(1).default[field.name])
    assert np.flatnonzero(masks[0, 1]).tolist() == [default - int(field.low)]
    assert play.allowed(1).to_json() == {field.name: [default, default]}


def test_amounts_have_no_masks():
    with pytest.raises(ConfigError, match="commons_game: actions are amounts"):
        Batch(lab(), plays=1).masks()


def test_a_seat_that_ends_early_waits_and_learns_nothing():
    batch = Batch(one_ends_early(), plays=2, seed=1)
    results = []
    for _ in range(5):
        moved = batch.step([GREED] + [[-0.8, -1.0]] * 3 + [[-0.8, -1.0]] * 4)
        results.append((moved.dones.tolist(), moved.rewards[1], moved.episodes.learners.tolist()))
    playing, early, everyone = [False] * 8, [False, True, False, False] * 2, [True] * 8
    assert [dones for dones, _, _ in results] == [playing, early, early, everyone, playing]
    assert [reward for _, reward, _ in results] == [1, 1, 0, 0, 1]
    assert [ended for _, _, ended in results] == [[], [1, 5], [], [0, 2, 3, 4, 6, 7], []]


def test_a_seat_that_ends_early_is_judged_by_its_own_periods_only():
    batch = Batch(one_ends_early(), plays=1, seed=1)
    early, late = (
        [batch.step([[-0.8, -1.0]] * 4) for _ in range(2)][-1],
        [batch.step([[-0.8, -1.0]] * 4) for _ in range(2)][-1],
    )
    assert early.episodes.returns == pytest.approx([2])  # 1 in each of two periods
    assert early.episodes.lengths.tolist() == [2]
    assert early.episodes.reasons == [None]
    assert late.episodes.lengths.tolist() == [4] * 3
    assert late.episodes.reasons == ["horizon"] * 3
    assert late.final_observations.shape == (4, batch.seen.size)


def test_a_seed_gives_the_same_plays_and_a_reset_without_one_gives_others():
    batch = Batch(engine.make("commons_game", archetype="noisy_stock"), plays=2, seed=4)
    first, other = batch.observations, batch.reset()
    assert not np.array_equal(first, other)
    assert np.array_equal(first, batch.reset(seed=4))
    assert batch.plays.numbers.tolist() == [0, 1]


def test_a_refused_call_changes_nothing():
    batch = Batch(lab(), plays=2, seed=1, seats=[0], others="noisy_person")
    before = batch.observations
    for wrong, message in (
        ([[0.0, 0.0]], r"shape \(1, 2\) should be \(2, 2\)"),
        ([[0.0, 0.0], [np.nan, 0.0]], "row 1: harvest = nan: must be a finite number"),
        ("greedy", "action = 'greedy': must be a number"),
        ([[True, 0.0], [0.0, 0.0]], "action = True: must be a number"),
    ):
        with pytest.raises(ActionError, match=message):
            batch.step(wrong)
        assert np.array_equal(batch.observations, before)
        assert batch.plays.state["period"].tolist() == [0, 0]


def test_an_unknown_reward_is_refused():
    with pytest.raises(ConfigError, match="reward = 'mean': should be one of own, group"):
        Batch(lab(), plays=1, reward="mean")


WITHOUT_LIBRARIES = """
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name in {"gymnasium", "pettingzoo", "stable_baselines3", "torch"}:
            raise ImportError("not to be imported: " + name)

sys.meta_path.insert(0, Blocked())
from mixed_company import engine
from mixed_company.adapters.batch import Batch

batch = Batch(engine.make("commons_game", archetype="lab_0_7"), plays=2)
print(batch.step([[1.0, -1.0]] * 8).rewards.tolist())
"""


def test_the_batch_needs_no_reinforcement_learning_library():
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_LIBRARIES],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout == f"{[10.0] * 8}\n"
