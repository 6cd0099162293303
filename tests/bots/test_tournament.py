"""Tournaments checked by hand, and play by play against the engine."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mixed_company import engine
from mixed_company import policies as bots
from mixed_company.engine import solutions
from mixed_company.engine.contract.chance import play_seeds
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.learning.tournament import batch as work
from mixed_company.learning.tournament.batch import (
    Mix,
    Played,
    joined,
    mixes,
    named,
    play,
    seating,
    unfit,
)
from mixed_company.learning.tournament.means import both_ways, mean, measured, standings
from mixed_company.learning.tournament.results import tournament
from mixed_company.policies.rollout import rollout
from tests.bots.written import written
from tests.engine.plays import every_archetype

LOW, HIGH = "fixed:harvest=2", "fixed:harvest=6"
EVERY = every_archetype()


def one_period(seats: int) -> engine.Game[Any]:
    """Return a game with a single harvest from a lake of 100."""
    return engine.make("commons_game", archetype="lab_0_7", seats=seats, periods=1)


def test_every_policy_plays_alone_and_against_every_other_one():
    alone = [Mix("a", "a"), Mix("b", "b"), Mix("c", "c")]
    pairs = [Mix(*pair) for pair in ("ab", "ac", "ba", "bc", "ca", "cb")]
    assert mixes("abc", 4) == alone + pairs
    assert mixes("abc", 2) == [*alone, Mix("a", "b"), Mix("a", "c"), Mix("b", "c")]
    assert mixes("abc", 1) == alone


def test_the_focal_seat_rotates():
    seats = [seating(Mix("f", "-"), number, 3) for number in range(4)]
    assert list(map("".join, seats)) == ["f--", "-f-", "--f", "f--"]


@pytest.mark.few(3)
@pytest.mark.parametrize(("game_id", "archetype"), EVERY)
def test_a_play_in_a_batch_equals_that_play_alone(game_id, archetype):
    shorter = {} if game_id == "gem_mining" else {"periods": 5}
    if game_id == "punishment_vote":
        shorter = {"turns": 5}
    game = engine.make(game_id, archetype=archetype, **shorter)
    mix = Mix("random", bots.ids(game_id)[0])
    played = play(game, mix, seed=3, first=2, count=3)
    for row, number in enumerate([2, 3, 4]):
        episode = engine.Episode(game, int(play_seeds(3, number)))
        policies = [bots.make(spec, game) for spec in seating(mix, number, game.seats)]
        states, components, total = [episode._state], [], np.zeros(game.seats)
        for step in rollout(episode, policies):
            states.append(episode._state)
            components.append(step.components)
            total = total + step.rewards
        assert (played.returns[row] == total).all()
        assert policies[played.focal[row]].id == "random"
        assert played.periods[row] == episode.period
        if solutions.has_best(game):
            batch = [{name: value[None] for name, value in record.items()} for record in states]
            paid = [{name: value[None] for name, value in record.items()} for record in components]
            share = solutions.share_of_best(game, batch, paid)
            assert played.efficiency[row].tolist() == share[0].tolist()
        else:
            assert np.isnan(played.efficiency[row]).all()
    assert played.faults == 0


def test_plays_in_portions_are_the_same_plays():
    game = engine.make("commons_game", archetype="lab_0_7", periods=3)
    mix = Mix("random", "noisy_person")
    whole = play(game, mix, 1, 0, 5)
    parts = joined([play(game, mix, 1, 0, 2), play(game, mix, 1, 2, 3)])
    for name in ("returns", "focal", "periods", "efficiency"):
        assert (getattr(whole, name) == getattr(parts, name)).all()


def test_huge_plays_are_split_into_smaller_portions(monkeypatch):
    # by hand: each of 5 seats sees 7 x 7 cells, one-hot over 12 codes, two maps of 144 cells and a
    # dozen numbers: 5 x (588 + 288 + 12) = 4,440, so 11,760 hold two plays
    game = engine.make("punishment_vote", archetype="lab_0_7", seats=5)
    monkeypatch.setattr(work, "MOST_SEEN", 4 * 2940)

    def counts(plays):
        return [part.count for part in work.portions(game, [Mix("forager", "random")], 0, plays)]

    assert counts(4) == [2, 2]
    assert counts(5) == [2, 2, 1]
    monkeypatch.setattr(work, "MOST_SEEN", 10**9)
    assert counts(5) == [5]


def test_a_mix_of_two_fixed_harvests_by_hand():
    # One seat takes 6, two take 2: 10 / 3 per seat. Differences: 4 x |6 - 2| = 16, over 2 x 3 x 10.
    # The best plan takes a seat's maximum, 10, three times.
    game = one_period(3)
    assert game.core.max_harvest == 10
    result = measured(play(game, Mix(HIGH, LOW), 0, 0, 6))
    assert result.focal.tolist() == [6.0] * 6
    assert result.others.tolist() == [2.0] * 6
    assert result.gain.tolist() == [4.0] * 6
    assert result.points == pytest.approx((10 / 3,) * 3)
    assert result.gini == pytest.approx((16 / 60,) * 3)
    assert result.efficiency == pytest.approx((10 / 30,) * 3)
    assert result.periods == (1.0, 1.0, 1.0)


def test_survival_is_the_number_of_periods_played():
    game = engine.make("commons_game", archetype="lab_0_7")
    assert measured(play(game, Mix("greedy", "greedy"), 0, 0, 2)).periods.value == 3.0
    assert measured(play(game, Mix("steward", "steward"), 0, 0, 2)).periods.value == 15.0


@pytest.mark.parametrize(
    ("game_id", "policy", "share"),
    [
        ("commons_game", "best_plan", 1.0),
        ("gem_mining", "joint_optimum", 1.0),
        # each keeps its 20 points, or gives them and all four get 0.4 of 80
        ("sanctions", "free_rider", 20 / 32),
        ("sanctions", "fixed:contribution=20", 1.0),
    ],
)
def test_efficiency_is_the_share_of_the_best(game_id, policy, share):
    options = {"known_probabilities": True} if game_id == "gem_mining" else {}
    game = engine.make(game_id, archetype=engine.find(game_id).reference, **options)
    result = measured(play(game, Mix(policy, policy), 5, 0, 3))
    assert result.efficiency.value == pytest.approx(share, abs=1e-3)


def test_a_best_with_an_error_is_shown_as_an_interval():
    # 12 fish, 2 more in every period. 2 in each of 12 periods are 24 points, of 29 to 29.1125.
    files = tournament(
        *("commons_game", "open_access", "fixed:harvest=2", 2, 1),
        growth="linear",
        growth_rate=2.0,
        initial_stock=12.0,
        max_harvest=5.0,
        seats=1,
        periods=12,
        collapse_stock=10.0,
    )
    assert "| 82.4 to 82.8 |" in files["summary.md"]


def test_under_a_layer_that_changes_earnings_no_best_is_known():
    assert solutions.has_best(engine.make("commons_game", archetype="lab_0_7"))
    assert solutions.has_best(engine.make("commons_game", archetype="unequal"))
    assert not solutions.has_best(engine.make("punishment_vote", archetype="lab_0_7"))


def test_in_a_game_for_two_a_pair_is_scored_from_both_seats():
    played = {Mix(HIGH, LOW): play(one_period(2), Mix(HIGH, LOW), 0, 0, 4)}
    result = both_ways(played)
    assert result[Mix(HIGH, LOW)].gain.tolist() == [4.0] * 4
    assert result[Mix(LOW, HIGH)].gain.tolist() == [-4.0] * 4
    assert result[Mix(LOW, HIGH)].focal.tolist() == [2.0] * 4


def test_an_interval_uses_students_t():
    # the standard error of 1 and 3 is 1; t with one degree of freedom is within 12.706 in 95%
    assert mean(np.array([1.0, 3.0])) == pytest.approx((2.0, -10.706205, 14.706205))
    assert mean(np.array([5.0]))[0] == 5.0
    assert np.isnan(mean(np.array([5.0]))[1:]).all()


def plays(earned: float, others: float) -> Played:
    """Return two plays for three seats in which one seat earned `earned` and the others earned
    `others`.
    """
    points = np.array([[earned, others, others], [others, earned, others]], float)
    return Played(points, np.array([0, 1]), np.array([1, 1]), np.full((2, 2), np.nan), 0)


def test_a_standing_names_exploiters_and_best_replies():
    result = both_ways(
        {
            Mix("dove", "dove"): plays(5, 5),
            Mix("hawk", "hawk"): plays(1, 1),
            Mix("owl", "owl"): plays(4, 4),
            Mix("dove", "hawk"): plays(0, 3),
            Mix("dove", "owl"): plays(4, 4),
            Mix("hawk", "dove"): plays(9, 2),
            Mix("hawk", "owl"): plays(3, 1),
            Mix("owl", "dove"): plays(5, 5),
            Mix("owl", "hawk"): plays(2, 2),
        }
    )
    hawk, owl, dove = standings(result, ["dove", "hawk", "owl"])
    assert [standing.policy for standing in (hawk, owl, dove)] == ["hawk", "owl", "dove"]
    assert (hawk.among_others.value, owl.among_others.value, dove.among_others.value) == (6, 3.5, 2)
    assert (hawk.gain.value, dove.gain.value) == (4.5, -1.5)
    assert (hawk.exploits, hawk.exploited_by, hawk.best_reply) == ("dove", "", "owl")
    assert (dove.exploits, dove.exploited_by, dove.best_reply) == ("", "hawk", "hawk")
    assert (owl.exploits, owl.exploited_by, owl.best_reply) == ("", "hawk", "owl")


def test_policies_are_given_as_all_or_separated_by_commas():
    game = one_period(3)
    assert named("all", game) == written(
        "commons_game"
    )  # policies trained for four seats are left out
    assert named(f" {LOW}, greedy", game) == [LOW, "greedy"]


def test_all_means_every_policy_that_fits_the_game(monkeypatch):
    make = bots.make

    def refusing(spec, game):
        if spec == "greedy":
            raise ConfigError("greedy: seats = 3: the policy was trained for 4")
        return make(spec, game)

    monkeypatch.setattr(bots, "make", refusing)
    game = one_period(3)
    assert unfit(game)["greedy"] == "greedy: seats = 3: the policy was trained for 4"
    assert set(unfit(game)) - {"greedy"} == set(bots.ids("commons_game")) - set(
        written("commons_game")
    )
    assert set(written("commons_game")) - set(named("all", game)) == {"greedy"}
    with pytest.raises(ConfigError, match="trained for 4"):
        named("fixed,greedy", game)


def test_a_tournament_in_a_folder_resumes_and_grows(tmp_path, monkeypatch):
    settings = {"plays": 4, "seed": 3, "periods": 2}
    alone = tournament("commons_game", "lab_0_7", "greedy,noisy_person", **settings)
    calls, run = [], work.run
    monkeypatch.setattr(work, "run", lambda portion: calls.append(portion.group) or run(portion))
    lost = tournament("commons_game", "lab_0_7", "greedy", folder=tmp_path, **settings)
    assert calls == [("greedy", "greedy")]
    calls.clear()
    grown = tournament(
        "commons_game", "lab_0_7", "greedy,noisy_person", folder=tmp_path, **settings
    )
    assert sorted(calls) == [
        ("greedy", "noisy_person"),
        ("noisy_person", "greedy"),
        ("noisy_person", "noisy_person"),
    ]
    assert grown == alone
    calls.clear()
    assert tournament("commons_game", "lab_0_7", "greedy", folder=tmp_path, **settings) == lost
    assert calls == []
