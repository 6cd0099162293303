"""Second-stage policies, on their own and combined with a first-stage policy."""

from __future__ import annotations

import numpy as np
import pytest

from bots.peer_points.antisocial import Antisocial
from bots.peer_points.punishes_below_average import PunishesBelowAverage
from mixed_company import engine, policies
from mixed_company.engine import ConfigError, Episode
from mixed_company.policies.bench import Bench
from mixed_company.policies.rollout import Fault, rollout
from tests.engine.bucket import Bucket

SECOND = (
    "antisocial",
    "never_punishes",
    "punishes_below_average",
    "retaliates",
    "rewards_above_average",
)


def good(**changes):
    return engine.make(
        "sanctions", archetype="unsanctioned", periods=6, **{"peer": "punishment", **changes}
    )


def commons(**changes):
    return engine.make(
        "commons_game", archetype="lab", periods=6, **{"peer": "punishment", **changes}
    )


def assigned(game, spec, contributions, seat=0):
    """Return the points that one seat assigns after these contributions (or harvests) in a first
    period.
    """
    play = Episode(game, 3)
    sent = {"contribution": contributions}
    if game.id == "commons_game":
        sent = {"harvest": contributions, "contribution": [0.0] * 4}
    play.step(sent)
    return policies.ask_at(play, policies.make(spec, game), seat, {}).action["assign"]


def test_the_policies_of_each_stage_are_listed_by_it():
    for name, every_stage in (("commons_game", {"commons_ppo_peer_deter"}), ("sanctions", set())):
        assert set(policies.ids(name, stage=1)) == {*SECOND, *every_stage}
        assert not set(SECOND) & set(policies.ids(name))
        assert every_stage <= set(policies.ids(name))
    assert policies.ids("gem_mining", stage=1) == []


def test_who_gave_less_than_the_average_is_punished_in_proportion():
    # mean 10; seat 3 gave 0: half an endowment below, 4 * 0.5 = 2; seat 2 gave 5: 4 * 0.25 = 1
    spec = "free_rider+punishes_below_average"
    assert assigned(good(), spec, [15, 20, 5, 0]) == [0, 0, 1, 2]
    assert assigned(good(), f"{spec}:points=8", [15, 20, 5, 0]) == [0, 0, 2, 4]


def test_who_gave_more_than_the_average_is_punished_by_antisocial_seats():
    assert assigned(good(), "free_rider+antisocial", [0, 20, 15, 5], seat=0) == [0, 2, 1, 0]


def test_in_the_commons_who_took_more_than_the_average_is_punished():
    # mean 6 of at most 12; seat 3 took 12: half of it more, 2 points; seat 0 holds its 2 fish
    assert assigned(commons(), "greedy+punishes_below_average", [2, 4, 6, 12]) == [0, 0, 0, 2]


@pytest.mark.parametrize(
    ("generous", "policy", "expected"),
    [
        # mean 5; 5 of at most 10 from it: 4 * 0.5 = 2
        (True, PunishesBelowAverage, [0, 0, 2, 0]),
        (True, Antisocial, [0, 0, 0, 2]),
        (False, PunishesBelowAverage, [0, 0, 0, 2]),
        (False, Antisocial, [0, 0, 2, 0]),
    ],
)
def test_any_game_tells_by_its_cooperation_who_was_generous(generous, policy, expected):
    game = engine.make(type("Other", (Bucket,), {"generous": generous}), peer="punishment")
    play = Episode(game, 3)
    play.step({"given": [5, 5, 0, 10]})
    assert policies.ask_at(play, policy.for_game(game), 0, {}).action["assign"] == expected


def test_where_points_can_reward_negative_points_punish_and_where_they_only_reward_none_do():
    spec = "free_rider+punishes_below_average"
    assert assigned(good(peer="both"), spec, [15, 20, 5, 0]) == [0, 0, -1, -2]
    assert assigned(good(peer="reward"), spec, [15, 20, 5, 0]) == [0, 0, 0, 0]


def test_who_gave_more_than_the_average_is_rewarded_in_proportion_where_points_can_reward():
    # mean 10; seat 1 gave 20: half an endowment above, 4 * 0.5 = 2; seat 2 gave 15: 4 * 0.25 = 1
    spec = "free_rider+rewards_above_average"
    assert assigned(good(peer="reward"), spec, [0, 20, 15, 5]) == [0, 2, 1, 0]
    assert assigned(good(peer="both"), spec, [0, 20, 15, 5]) == [0, 2, 1, 0]
    assert assigned(good(), spec, [0, 20, 15, 5]) == [0, 0, 0, 0]


def test_what_may_be_assigned_limits_every_policy():
    limited = good(peer_budget=2, peer_targets=1)
    assert assigned(limited, "free_rider+punishes_below_average", [15, 20, 5, 0]) == [0, 0, 1, 0]


@pytest.mark.parametrize(("tells", "expected"), [("who", [0, 0, 2, 0]), ("total", [0, 2, 0, 0])])
def test_a_retaliating_seat_returns_what_it_got(tells, expected):
    """Seat 2 punished this seat by 2. If that is hidden, the policy blames seat 1, which gives the
    most."""
    game = good(peer_tells=tells)
    play = Episode(game, 3)
    play.step({"contribution": [0, 20, 5, 5]})
    play.step({"assign": [[0] * 4, [0] * 4, [2, 0, 0, 0], [0] * 4]})
    play.step({"contribution": [0, 20, 5, 5]})
    policy = policies.make("free_rider+retaliates", game)
    assert policies.ask_at(play, policy, 0, {}).action["assign"] == expected


@pytest.mark.parametrize("second", SECOND)
@pytest.mark.parametrize("game", [good(peer_tells="who"), commons(), good(peer_names="shuffled")])
def test_a_play_alone_and_one_in_a_batch_are_the_same_without_faults(game, second):
    spec = f"random+{second}"
    policy, faults = policies.make(spec, game), list[Fault]()
    alone = sum(p.rewards for p in rollout(Episode(game, 5), [policy] * 4, faults=faults))
    assert faults == []
    bench = Bench(game, [(policy, np.ones(4, dtype=bool))])
    seeds = np.array([4, 5])
    state, seen = game.reset(seeds)
    together = sum(outcome.rewards for _, outcome in bench.play(seeds, state, seen))
    assert bench.faults == 0
    assert together[1].tolist() == pytest.approx(alone.tolist())


def test_each_policy_of_a_pair_keeps_its_own_memory():
    game = commons()
    policy = policies.make("tit_for_tat+retaliates", game)
    play = Episode(game, 5)
    memory = policy.start()
    assert memory == policies.make("tit_for_tat", game).start()
    first = policies.ask_at(play, policy, 0, memory)
    assert set(first.action) == {"harvest", "contribution"}
    alone = policies.ask_at(play, policies.make("tit_for_tat", game), 0, memory)
    assert first == alone


@pytest.mark.parametrize(
    ("spec", "rule"),
    [
        ("antisocial", "decides only in a later stage; combine it with a policy for"),
        ("antisocial+greedy", "antisocial does not decide in the first stage of a period"),
        ("greedy+sustainable", "sustainable decides in the first stage, not in a later one"),
        ("greedy+antisocial+antisocial", "names 3 policies, but the stages of a period of"),
    ],
)
def test_other_pairs_are_refused_by_name(spec, rule):
    with pytest.raises(ConfigError, match=rule):
        policies.make(spec, commons())


def test_a_pair_is_refused_in_a_game_with_one_stage():
    game = engine.make("commons_game", archetype="lab")
    with pytest.raises(ConfigError, match="names 2 policies, but the stages of a period of "):
        policies.make("greedy+antisocial", game)
    with pytest.raises(engine.UnknownName, match="policy 'antisocal': unknown in commons_game"):
        policies.make("greedy+antisocal", commons())


@pytest.mark.parametrize("policy_id", SECOND)
def test_the_first_line_of_a_docstring_describes_the_policy(policy_id):
    policy = policies.find(policy_id, "sanctions", stage=1)
    assert (policy.__doc__ or "").strip().split("\n")[0].endswith(".")
