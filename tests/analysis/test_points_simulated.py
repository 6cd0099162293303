"""Plays with peer points, wherever policies, models and batches play: whole periods and both
stages."""

from __future__ import annotations

import json
import logging

import numpy as np
import pytest

from mixed_company import analysis, engine, policies
from mixed_company.adapters.batch import Batch
from mixed_company.adapters.gymnasium import OneSeat
from mixed_company.adapters.pettingzoo import InTurn, Together
from mixed_company.agents.llm.offline import _threshold
from mixed_company.analysis.behaviour.calibrating import calibrated
from mixed_company.analysis.behaviour.decisions import decided
from mixed_company.analysis.behaviour.families.quantal_response import expected_points, unkept
from mixed_company.analysis.behaviour.simulating import simulated_people
from mixed_company.analysis.counterfactual import counterfactual
from mixed_company.analysis.games.commons_game import stock_worth
from mixed_company.analysis.report.replays import lines
from mixed_company.engine.contract.chance import play_seeds
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.play import record
from mixed_company.experiment.simulated_people import SimulatedPeople
from mixed_company.learning.exploit.replies import Effort, exploited
from mixed_company.learning.metagame import composition
from mixed_company.learning.tournament.batch import Mix, play
from mixed_company.policies.bench import Bench
from mixed_company.policies.play import play as logged
from mixed_company.policies.rollout import rollout
from mixed_company.table import leanings
from mixed_company.table.ledger import Terms
from tests.analysis.audit.tables import setup

PERIODS = 4
SHUFFLED = {
    "archetype": "unsanctioned",
    "peer": "punishment",
    "peer_names": "shuffled",
    "periods": 2,
}
SEATED = (
    *("random+antisocial", "conditional_cooperator+punishes_below_average"),
    *("free_rider+retaliates", "random"),
)


def good(**changes):
    return engine.make(
        "sanctions",
        archetype="unsanctioned",
        **{"peer": "punishment", "periods": PERIODS, **changes},
    )


def commons(**changes):
    return engine.make("commons_game", archetype="lab", **{"peer": "punishment", **changes})


def people(game="sanctions", groups=3, **changes):
    settings = {"archetype": "unsanctioned", "peer": "punishment", "periods": PERIODS, **changes}
    seated = SEATED if game == "sanctions" else ("random+antisocial",) * 4
    return analysis.simulated(game, seated[:2], seated[2:], groups=groups, seed=3, **settings)


# -- plays by policies --------------------------------------------------------------------------


def test_a_rollout_yields_whole_periods_and_asks_policies_in_both_stages():
    game = good()
    play = engine.Episode(game, 5)
    periods = list(rollout(play, [policies.make(spec, game) for spec in SEATED]))
    assert [period.number for period in periods] == list(range(PERIODS))
    assert all(period.settled for period in periods)
    assert sum(period.used["assign"].sum() for period in periods) > 0


def test_a_seat_that_leaves_does_so_once_in_a_period_with_two_stages():
    game = good(agents={"may_leave": True})
    play = engine.Episode(game, 5)
    seated = [policies.make(spec, game) for spec in SEATED]
    periods = list(rollout(play, seated, leaving={1: [2]}))
    assert [period.leaving for period in periods] == [(), (2,), (), ()]


class Broken(policies.Policy):
    """Policy that fails in the second stage."""

    id, games, source, stage = "broken", (), "test", None

    def act(self, observation, memory, rng):
        if observation["stage"]:
            raise RuntimeError("no points")
        return {"contribution": 1.0}, memory


def test_failures_in_the_second_stage_are_named_and_the_tables_show_the_default(monkeypatch):
    make = policies.make
    monkeypatch.setattr(
        "mixed_company.policies.make",
        lambda spec, game: Broken(game.core) if spec == "broken" else make(spec, game),
    )
    changes = {"groups": 1, "seed": 3, "archetype": "unsanctioned", "periods": 1}
    data = analysis.simulated("sanctions", ["broken"], ["free_rider"], peer="reward", **changes)
    assert data.decisions["decided_by"].tolist() == ["person", *["policy"] * 3]
    assert data.decisions["peer_by"].tolist() == ["default", *["policy"] * 3]
    faults = data.events[data.events["event"] == "policy_fault"]
    details = [json.loads(detail) for detail in faults["detail"]]
    assert details == [{"detail": "RuntimeError: no points", "stage": "peer"}]


def test_a_log_by_policies_has_every_period_and_its_entropy():
    game = good(instrumentation={"metrics": ["entropy"]})
    log, faults = logged(game, SEATED, 5)
    assert not faults
    periods = [line for line in log if line["level"] == "period"]
    assert len(periods) == PERIODS
    assert record.replay(log, game) == []


def test_simulated_pay_counts_periods_and_all_points():
    settings = setup(
        "sanctions",
        archetype="unsanctioned",
        peer="punishment",
        periods=PERIODS,
        bots=",".join(SEATED[2:]),
        people_per_group=2,
    )
    seated = SimulatedPeople.seated(",".join(SEATED[:2]), settings)
    paid = seated.paid(settings, Terms.of(0.0, 1.0, settings.options.model_dump()))
    assert set(paid.periods[""]) == {PERIODS}


def test_a_policy_of_two_stages_prefers_the_rule_by_which_it_earns_more_in_both():
    rules = {
        name: good(peer_effect=effect).config.model_dump(mode="json")
        for name, effect in (("harmful", 3.0), ("harmless", 0.0))
    }
    assert leanings.leaning(rules, "noisy_person+antisocial") == "harmless"
    assert leanings.leaning(rules, "noisy_person") == ""


# -- data played again --------------------------------------------------------------------------


def test_a_counterfactual_takes_one_seat_in_both_stages():
    """Using the policy that played there changes nothing. A free rider who never punishes changes
    what the others earn."""
    data = people(groups=2)
    same = counterfactual(data, SEATED[1]).seats
    held = same[same["seat"] == 1]
    assert held["difference"].tolist() == [0.0, 0.0]
    assert not held["moved"].any()
    others = counterfactual(data, "free_rider").seats
    assert (others["periods"] == PERIODS).all()
    assert others["difference"].abs().min() > 1


def test_points_that_a_seat_cannot_pay_any_more_are_cut_in_a_counterfactual():
    """In the commons the others have less to spend once a greedy policy takes a seat."""
    data = people("commons_game", archetype="lab", peer_cost=4.0, initial_stock=30.0)
    changed = counterfactual(data, "greedy")
    assert changed.seats["moved"].sum() > 0
    assert changed.faults == []


def test_a_group_with_peer_points_has_a_replay_of_every_period():
    data = people(groups=1)
    first, *rest = lines(data)
    assert len(rest) == PERIODS
    assert set(rest[0]["sent"]) == {"contribution", "assign"}
    again = engine.Episode(engine.make(first["config"]), first["seed"])
    points = [period.rewards.sum() for period in again.again(line["sent"] for line in rest)]
    assert points == pytest.approx(data.periods["reward_sum"].tolist())


@pytest.mark.long
def test_models_of_the_first_stage_are_simulated_and_recovered():
    data = simulated_people(
        "conditional_cooperation",
        {"intercept": 2.0, "slope": 0.7, "noise": 2.0},
        good(periods=10),
        groups=6,
        seed=1,
        rest="random+antisocial",
    )
    assert data.decisions["peer_by"].eq("person").all()
    assert data.pairs["assigned"].sum() > 0
    population = calibrated(data)
    assert sum(kind.share for kind in population.types) == pytest.approx(1.0)


def test_people_who_weigh_points_expect_those_of_a_whole_period():
    """Without assigned points, 20 kept points earn 20, and a contributed point earns its owner
    0.4."""
    game = good()
    assert unkept(game) == ""
    data = simulated_people("quantal_response", {"precision": 50.0}, game, groups=2, seed=1)
    later = data.decisions[data.decisions["period"] > 0]
    assert later["used_contribution"].max() < 1.5
    assert stock_worth(commons())[1][0].max() == pytest.approx(
        stock_worth(commons(peer="none"))[1][0].max()
    )


def test_the_harvest_that_keeps_the_stock_is_found_in_the_first_stage_only():
    play, plain = engine.Episode(commons(), 1), engine.Episode(commons(peer="none"), 1)
    taken = {"harvest": [10.0] * 4, "contribution": [0.0] * 4}
    plain.step(taken)
    stage = play.step(taken)
    assert not stage.settled
    assert _threshold(play) == []
    play.step({"assign": np.zeros((4, 4))})
    assert _threshold(play) == _threshold(plain) != []


# -- batches ------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [good, commons])
def test_a_batch_of_plays_is_that_of_single_plays(make, caplog):
    """In the commons plays end at different times, so some are already over while others
    continue."""
    game = make(**({"periods": 12, "collapse_stock": 55.0} if make is commons else {}))
    first = "conditional_cooperator" if make is good else "sustainable"
    specs = ["random+antisocial", f"{first}+never_punishes", "random", f"{first}+retaliates"]
    seeds = play_seeds(3, np.arange(6))
    flags = np.eye(4, dtype=bool)
    seated = [(policies.make(spec, game), flags[seat]) for seat, spec in enumerate(specs)]
    bench, returns, steps = Bench(game, seated), np.zeros((6, 4)), 0
    with caplog.at_level(logging.WARNING):
        for _, outcome in bench.play(seeds, *game.reset(seeds)):
            returns, steps = returns + outcome.rewards, steps + 1
    assert bench.faults == 0
    assert not caplog.records
    singles, lengths = [], []
    for seed in seeds.tolist():
        play = engine.Episode(game, int(seed))
        seats = [policies.make(spec, game) for spec in specs]
        singles.append(sum(step.rewards for step in rollout(play, seats)))
        lengths.append(play.period)
    assert returns == pytest.approx(np.array(singles))
    assert steps == max(lengths)
    assert make is good or len(set(lengths)) > 1


def test_a_tournament_counts_periods_and_both_stages():
    played = play(good(), Mix("random+antisocial", "free_rider+never_punishes"), 1, 0, 8)
    assert played.periods.tolist() == [PERIODS] * 8
    assert played.faults == 0
    assert played.returns.sum(axis=1).max() < 4 * PERIODS * 23


def test_a_meta_game_and_a_best_reply_take_policies_of_two_stages():
    game = good()
    pair = ("free_rider+antisocial", "free_rider+never_punishes")
    portion = composition.Composed(game.config.model_dump_json(), (*pair, *pair), 1, 0, 4)
    points = composition.played(portion)["points"]
    assert points[:, 1].mean() > points[:, 0].mean() - 20
    assert all("+" in version for version in portion.identity["versions"].values())
    effort = Effort(rounds=1, candidates=2, plays=2)
    reply = exploited(game, pair[0], plays=8, effort=effort)
    alone = play(game, Mix(pair[0], pair[0]), 0, 0, 4)
    assert reply.baseline.value == pytest.approx(alone.returns.mean(), abs=1)


def test_a_trained_policy_plays_the_first_stage_it_was_trained_for(caplog):
    """The first stage may be followed by a different second stage. If there is none, nothing is
    assigned."""
    card = policies.find("sanctions_ppo_lab_own", "sanctions").card
    config = {**card.config, "core": {**card.config["core"], "production": "public_good"}}
    game = engine.make(config)
    with_points = engine.make({**config, "core": {**config["core"], "peer": "punishment", **_PEER}})
    contributions = []
    for rules in (game, with_points):
        play = engine.Episode(rules, 3)
        seats = [policies.make(card.id, rules)] * rules.seats
        faults = []
        contributions.append(next(rollout(play, seats, faults=faults)).used["contribution"])
        assert faults == []
    assert contributions[0].tolist() == contributions[1].tolist()


_PEER = {
    name: value for name, value in good().config.model_dump()["core"].items() if "peer" in name
}


# -- adapters -----------------------------------------------------------------------------------


def test_a_learner_acts_at_every_stage_and_its_episode_is_counted_in_periods():
    batch = Batch(good(), 3, seed=1, seats=[0], others="random+antisocial")
    batch.reset()
    ended = []
    for step in range(2 * PERIODS):
        moved = batch.step(np.full((batch.size, 5), -1.0))
        assert bool(np.any(moved.rewards)) == bool(step % 2)
        ended += moved.episodes.lengths.tolist()
    assert ended == [PERIODS] * 3


def test_the_effect_of_one_action_is_refused_where_it_comes_a_stage_later():
    with pytest.raises(ConfigError, match="reward = 'difference': a period of this game has sev"):
        Batch(good(), 3, reward="difference")


def test_learners_meet_policies_at_every_stage_although_plays_end_apart():
    game = commons(periods=12, collapse_stock=40.0)
    batch = Batch(game, 8, seed=2, seats=[0], others="random,sustainable+retaliates")
    batch.reset()
    generator, lengths = np.random.default_rng(1), set()
    for _ in range(60):
        moved = batch.step(generator.uniform(-1, 1, (batch.size, 6)))
        lengths |= set(moved.episodes.lengths.tolist())
    assert len(lengths) > 3
    assert batch.bench.faults == 0


def test_one_seat_and_agents_step_through_both_stages():
    env = OneSeat(good(), others="random+antisocial")
    env.reset(seed=1)
    env.action_space.seed(0)
    steps, over = 0, False
    while not over:
        _, _, over, _, _ = env.step(env.action_space.sample())
        steps += 1
    assert (steps, env.faults) == (2 * PERIODS, {})
    together = Together(good())
    together.reset(seed=1)
    steps = 0
    while together.agents:
        sent = {agent: together.action_space(agent).sample() for agent in together.agents}
        together.step(sent)
        steps += 1
    assert steps == 2 * PERIODS
    turns = InTurn(good(agents={"timing": "sequential"}))
    turns.reset(seed=1)
    steps = 0
    while turns.agents:
        agent = turns.agent_selection
        turns.step(None if turns.terminations[agent] else turns.action_space(agent).sample())
        steps += 1
    assert steps == 2 * 4 * PERIODS + 4


def test_what_a_contribution_is_worth_is_the_same_if_the_others_are_shuffled() -> None:
    # nobody contributed before: of 20 points, putting 10 into the pool leaves 10 + 0.4 * 10
    by_names = [
        decided(
            analysis.simulated("sanctions", ["free_rider"] * 4, groups=2, seed=1, **changes), grid=3
        ).panel
        for changes in (SHUFFLED, {**SHUFFLED, "peer_names": "fixed"})
    ]
    for panel in by_names:
        second = expected_points(panel)[panel.why == ""]
        assert second.tolist() == [pytest.approx([20, 14, 8])] * 8
