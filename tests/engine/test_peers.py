"""Peer points: sums calculated by hand, rejections, and an independent program."""

from __future__ import annotations

import json

import numpy as np
import pytest

from mixed_company import engine
from mixed_company.engine import ActionError, ConfigError, Episode
from mixed_company.engine import kit as check
from mixed_company.engine.kit.leaks import leaks
from mixed_company.engine.play import record
from tests.engine.broken.stages import Punishing, ShowsWhoPunished
from tests.engine.bucket import Bucket

FEHR_GAECHTER = (0, 1, 2, 4, 6, 9, 12, 16, 20, 25, 30)
"""Costs of 0 to 10 points: Fehr and Gächter (2000), AER 90, table 2."""


def commons(**changes):
    return engine.make("commons_game", archetype="lab", **{"peer": "punishment", **changes})


def good(**changes):
    return engine.make("sanctions", archetype="unsanctioned", **{"peer": "punishment", **changes})


def points(*pairs, seats=4):
    """Return a matrix of points from triples (giver, receiver, points)."""
    assign = np.zeros((seats, seats), dtype=int)
    for giver, receiver, number in pairs:
        assign[giver, receiver] = number
    return assign.tolist()


def after(game, contributions, assign, seed=7):
    """Return the first period of a public good after it was settled."""
    play = Episode(game, seed)
    assert not play.step({"contribution": contributions}).settled
    return play.step({"assign": assign})


# -- sums by hand -----------------------------------------------------------------------------


def test_points_cost_who_assigns_them_and_take_three_from_their_target():
    # Everyone has 20, and gets 0.4 * 30 = 12. Seats 0 to 2 give 10 each, seat 3 nothing: incomes 10
    # + 12 = 22, 22, 22 and 20 + 12 = 32. Seats 0 and 1 give 2 points each to seat 3: 22 - 2 = 20,
    # 20, 22, 32 - 3 * 4 = 20.
    period = after(good(), [10, 10, 10, 0], points((0, 3, 2), (1, 3, 2)))
    assert period.settled
    assert period.rewards.tolist() == pytest.approx([20, 20, 22, 20])
    assert period.state["income"].tolist() == pytest.approx([22, 22, 22, 32])
    assert period.components["peer_cost"].tolist() == [-2, -2, 0, 0]
    assert period.components["peer_received"].tolist() == [0, 0, 0, -12]


def test_the_table_of_fehr_and_gaechter_takes_shares_of_the_income():
    # All give 5: 15 + 0.4 * 20 = 23. Seat 0 gives 3 points and seat 1 gives 2 to seat 3:
    # 23 (1 - 0.5) = 11.5; they pay 4 and 2.
    game = good(peer_costs=FEHR_GAECHTER, peer_effect_share=0.1)
    period = after(game, [5] * 4, points((0, 3, 3), (1, 3, 2)))
    assert period.rewards.tolist() == pytest.approx([19, 21, 23, 11.5])
    # twelve points take everything, and more points take nothing more
    period = after(game, [5] * 4, points((0, 3, 6), (1, 3, 6)))
    assert period.rewards.tolist() == pytest.approx([23 - 12, 23 - 12, 23, 0])


def test_punishment_can_take_more_than_the_income_unless_there_is_a_floor():
    assign = points((0, 3, 5), (1, 3, 5))  # 30 from 23
    assert after(good(), [5] * 4, assign).rewards[3] == pytest.approx(-7)
    assert after(good(peer_floor="stage"), [5] * 4, assign).rewards[3] == pytest.approx(0)


def test_rewards_give_and_with_both_negative_points_punish():
    assign = points((0, 1, 2))
    assert after(good(peer="reward"), [5] * 4, assign).rewards.tolist() == pytest.approx(
        [21, 29, 23, 23]
    )
    both = points((0, 1, 2), (0, 2, -3), (3, 2, 1))  # seat 2: -9 + 3
    period = after(good(peer="both"), [5] * 4, both)
    assert period.rewards.tolist() == pytest.approx([23 - 5, 29, 17, 22])
    assert period.observations["received"].tolist() == [0, 2, -2, 0]


def test_in_the_commons_points_move_between_wealths_and_the_stock_does_not_change():
    plain = Episode(engine.make("commons_game", archetype="lab"), 7)
    play, harvest = Episode(commons(), 7), {"harvest": [2, 2, 2, 8], "contribution": [0] * 4}
    plain.step(harvest)
    between = play.step(harvest)
    assert between.observations["harvest"].tolist() == [2, 2, 2, 8]
    assert between.observations["income"].tolist() == [2, 2, 2, 8]
    assert between.rewards.tolist() == [0, 0, 0, 0]
    period = play.step({"assign": points((0, 3, 2), (1, 3, 1))})
    assert period.state["wealth"].tolist() == [0, 1, 2, -1]
    assert period.state["stock"] == plain.state_record()["stock"]
    assert period.rewards.tolist() == [0, 1, 2, -1]


def test_others_wealth_is_not_shown_because_spending_would_follow():
    play = Episode(commons(), 7)
    for seat in range(4):
        shown = ~np.isnan(play.observation(seat)["wealth"])
        assert np.flatnonzero(shown).tolist() == [seat]


# -- without peer points ------------------------------------------------------------------------


def test_without_peer_points_nothing_of_them_is_written_or_declared():
    for name in ("commons_game", "sanctions"):
        game = engine.make(name, archetype="lab")
        assert not [key for key in game.config.model_dump()["core"] if key.startswith("peer")]
        assert game.declaration.stages == ("decide",)
        fields = [*game.declaration.observations, *game.declaration.state]
        assert not {field.name for field in fields} & {"stage", "income", "received"}
        assert Episode(game, 1).stage == "decide"


def test_a_configuration_with_peer_points_goes_through_json():
    game = commons(peer_costs=FEHR_GAECHTER, peer_effect_share=0.1, peer_budget=12)
    config = json.loads(game.config.model_dump_json())
    assert config["core"]["peer_costs"] == list(FEHR_GAECHTER)
    assert engine.make(config).config == game.config


# -- refusals -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "rule"),
    [
        ([1, 0, 0, 0], "players cannot assign points to themselves"),
        ([0, 11, 0, 0], "at most 10 points to one player"),
        ([0, -1, 0, 0], "must not be negative"),
        ([0, 0.5, 0, 0], "must be a whole number"),
        ([0, 4, 3, 0], "at most 6 points in all"),
        ([0, 1, 1, 1], "points to at most 2 players"),
    ],
)
def test_points_that_may_not_be_assigned_are_refused_by_name(row, rule):
    play = Episode(good(peer_budget=6, peer_targets=2), 7)
    play.step({"contribution": [5] * 4})
    before = play.state_json()
    with pytest.raises(ActionError, match=rule) as refused:
        play.step({"assign": [row, *[[0] * 4] * 3]})
    assert str(refused.value).startswith("seat 0, assign = ")
    assert play.state_json() == before


def test_costs_cannot_exceed_what_a_seat_holds_in_the_commons():
    play = Episode(commons(), 7)
    play.step({"harvest": [2, 2, 2, 8], "contribution": [0] * 4})
    with pytest.raises(ActionError, match="costs 3 points, more than the 2 held"):
        play.step({"assign": points((0, 3, 3))})
    play.step({"assign": points((0, 3, 2))})


def test_seats_that_have_ended_neither_assign_nor_receive():
    play = Episode(good(agents={"may_leave": True}), 7)
    play.step({"contribution": [5] * 4}, leaving=[2])
    with pytest.raises(ActionError, match="Player 3 cannot get points now"):
        play.step({"assign": points((0, 2, 1))})
    period = play.step({"assign": [[0, 1, 0, 0], [0] * 4, None, [0] * 4]})
    assert period.leaving == (2,)
    assert period.endings == {2: "left"}
    assert period.rewards[2] == 0
    assert period.components["peer_received"].tolist() == [0, -3, 0, 0]


def test_a_seat_leaves_at_the_first_stage():
    play = Episode(good(agents={"may_leave": True}), 7)
    play.step({"contribution": [5] * 4})
    with pytest.raises(ActionError, match="leave at the first stage of a period"):
        play.step({"assign": points()}, leaving=[2])


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"peer": "none", "peer_max": 5}, "peer_max = 5: has an effect only with peer"),
        (
            {"peer_costs": (0, 2, 1), "peer_max": 2},
            "more points should not cost less than fewer points",
        ),
        ({"peer_costs": (0, 1), "peer_max": 2}, "should be 3 numbers"),
        ({"peer_costs": (1, 1, 1), "peer_max": 2}, "0 points should cost 0"),
        ({"peer_targets": 4}, "peer_targets = 4: should be at most 3, the other seats"),
        ({"peer_effect": 2, "peer_effect_share": 0.1}, "peer_effect = 2.0: has no effect"),
        (
            {"peer": "reward", "peer_floor": "stage"},
            "has no effect, because rewards take nothing away",
        ),
        ({"peer": "fines"}, "core.peer = 'fines'"),
        ({"peer_names": "shuffled", "observation": "local"}, "neighbours could be recognised"),
        (
            {"peer_names": "shuffled", "agents": {"timing": "sequential"}},
            "seats that decide in turn could be recognised",
        ),
        (
            {
                "peer_names": "shuffled",
                "layers": {"temporal": {"intensity": 1.0, "reward_delay": 2}},
            },
            "the layer temporal identifies seats by their numbers",
        ),
    ],
)
def test_impossible_peer_points_are_refused_by_name(changes, rule):
    with pytest.raises(ConfigError, match=rule):
        commons(**changes)


def test_only_a_public_good_has_peer_points_among_the_sanctions():
    with pytest.raises(ConfigError, match=r"peer = 'punishment': needs production = 'public_good'"):
        engine.make("sanctions", archetype="source", peer="punishment")


def test_a_game_without_incomes_does_not_know_peer_points():
    with pytest.raises(ConfigError, match=r"core\.peer = 'punishment': unknown key"):
        engine.make("gem_mining", archetype="lab", peer="punishment")


# -- plays --------------------------------------------------------------------------------------


def test_a_log_has_one_line_a_period_and_replays():
    game = commons(periods=4, peer="both", peer_tells="who")
    play = Episode(game, 3)
    log = record.Recorder(play)
    generator = np.random.default_rng(5)
    while not play.done:
        log.take(play.step(play.allowed().sample(generator)))
    periods = [line for line in log.lines if line["level"] == "period"]
    assert [line["period"] for line in periods] == list(range(play.period))
    assert set(periods[0]["sent"]) == {"harvest", "contribution", "assign"}
    assert record.replay(json.loads(json.dumps(log.lines)), game) == []


def test_a_play_stored_between_the_stages_goes_on():
    game = good(agents={"may_leave": True})
    play = Episode(game, 3)
    play.step({"contribution": [5, 10, 0, 20]}, leaving=[1])
    again = Episode.from_json(game, play.state_json())
    assert (again.period, again.stage) == (0, "peer")
    assign = {"assign": points((0, 2, 1))}
    first, second = play.step(assign), again.step(assign)
    assert first.to_json() == second.to_json()
    assert first.leaving == second.leaving == (1,)
    assert first.endings == second.endings == {1: "left"}


def test_seats_that_decide_in_turn_assign_points_together():
    play = Episode(good(agents={"timing": "sequential"}), 3)
    for seat in range(4):
        stage = play.decide(seat, {"contribution": 5.0 * seat})
    assert stage is not None
    assert not stage.settled
    assert "earlier_assign" not in play.observation(1)
    assert np.isnan(play.observation(3)["earlier_contribution"]).all()
    assert play.turn is None
    with pytest.raises(ActionError, match="all seats decide together"):
        play.decide(0, {"assign": [0, 0, 0, 1]})
    period = play.step({"assign": points((0, 3, 1), (1, 2, 1), (2, 1, 1), (3, 0, 1))})
    assert period.settled
    assert play.turn == 0
    assert period.components["peer_received"].tolist() == [-3, -3, -3, -3]


def test_plays_of_a_batch_may_be_at_different_stages():
    game, seeds = commons(), np.array([4, 5])
    state, _ = game.reset(seeds)
    first = {"harvest": np.full((2, 4), 3.0), "contribution": np.zeros((2, 4))}
    later, _ = game.step(state, first, game.draw_chance(seeds, 0))
    mixed = {name: np.stack([later[name][0], state[name][1]]) for name in state}
    actions = {**first, "assign": np.array([points((0, 3, 2)), points()])}
    after, outcome = game.step(mixed, actions, game.draw_chance(seeds, 0))
    assert after["stage"].tolist() == [0, 1]
    assert after["period"].tolist() == [1, 0]
    assert outcome.rewards.tolist() == [[1, 3, 3, -3], [0, 0, 0, 0]]


# -- hidden information -------------------------------------------------------------------------


def test_the_leak_check_finds_a_game_that_shows_who_punished():
    assert leaks(Punishing(Punishing.resolve(periods=3))) == []
    faults = leaks(ShowsWhoPunished(ShowsWhoPunished.resolve(periods=3)))
    assert any("depends on state assigned" in fault for fault in faults)


def test_a_seat_learns_the_total_or_from_whom_as_set():
    assign = points((0, 3, 2), (1, 3, 1))
    total = after(good(), [5] * 4, assign).observations
    assert "received_from" not in total
    assert total["received"].tolist() == [0, 0, 0, 3]
    who = after(good(peer_tells="who"), [5] * 4, assign).observations
    assert who["received_from"][3, :3].tolist() == [2, 1, 0]
    assert not np.nansum(who["received_from"][:3])


def test_shuffled_names_reach_the_seat_they_were_shown_as():
    game = good(peer_names="shuffled", peer_tells="who")
    play = Episode(game, 11)
    contributions = [0.0, 5.0, 10.0, 20.0]
    stage = play.step({"contribution": contributions})
    order = stage.state["shown_as"]
    seen = stage.observations["contribution"]
    for seat in range(4):
        assert order[seat, seat] == seat
        assert sorted(order[seat].tolist()) == [0, 1, 2, 3]
        assert seen[seat].tolist() == [contributions[other] for other in order[seat]]
    # every seat punishes each player shown with 0, by one point
    rows = [
        [int(value == 0.0 and place != seat) for place, value in enumerate(seen[seat])]
        for seat in range(4)
    ]
    period = play.step({"assign": rows})
    assert period.components["peer_received"].tolist() == [-9, 0, 0, 0]
    assert period.observations["received_from"][0][1:].tolist() == [1, 1, 1]


def test_shuffled_orders_differ_between_periods_and_seats_and_nothing_lasting_is_shown():
    game = good(peer_names="shuffled", periods=40)
    play, orders = Episode(game, 11), []
    while not play.done:
        stage = play.step({"contribution": [0.0, 5.0, 10.0, 20.0]})
        orders.append(stage.state["shown_as"])
        play.step({"assign": points()})
        for name in ("memory_averages", "baseline"):
            seen = play.observation(0)[name]
            assert np.isnan(seen[1:]).all()
        assert np.isnan(play.observation(0)["trust"][1:, 1:]).all()
    places = np.array(orders)[:, 0, 1:]  # the players shown to seat 0, by place
    counts = np.array(
        [[(places[:, place] == seat).sum() for seat in (1, 2, 3)] for place in range(3)]
    )
    assert counts.sum(axis=1).tolist() == [40, 40, 40]
    assert counts.min() >= 5  # 13.3 expected, standard deviation 3
    assert (np.array(orders)[:, 1] != np.array(orders)[:, 2]).any()


# -- an independent program ---------------------------------------------------------------------


def paid(incomes, assign, rule):
    """Return payoffs and costs after points, in plain arithmetic from the text of the rules."""
    payoffs, spent = [], []
    for i in range(len(incomes)):
        cost = 0.0
        for number in assign[i]:
            cost += rule["costs"][abs(number)]
        bad = good_points = 0
        for row in assign:
            number = row[i]
            if rule["peer"] == "punishment":
                bad += number
            elif number > 0:
                good_points += number
            else:
                bad -= number
        income = incomes[i]
        if rule["share"] is not None:
            left = income * max(0.0, 1.0 - rule["share"] * bad)
            left += income * rule["share"] * good_points
        else:
            taken = rule["effect"] * bad
            if rule["floor"] == "stage" and taken > max(income, 0.0):
                taken = max(income, 0.0)
            left = income - taken + rule["effect"] * good_points
        payoffs.append(left - cost)
        spent.append(cost)
    return payoffs, spent


def random_rule(generator):
    """Draw the peer parameters of a game, and the rule for the independent program."""
    peer = str(generator.choice(["punishment", "reward", "both"]))
    highest = int(generator.integers(1, 11))
    changes = {"peer": peer, "peer_max": highest}
    if generator.random() < 0.5:
        costs = np.concatenate([[0.0], np.cumsum(generator.integers(0, 4, highest))]).tolist()
        changes["peer_costs"] = costs
    else:
        changes["peer_cost"] = (
            1.0 if generator.random() < 0.3 else float(generator.integers(0, 5)) / 2
        )
        costs = [changes["peer_cost"] * number for number in range(highest + 1)]
    share, effect, floor = None, 3.0, "none"
    if generator.random() < 0.4:
        share = changes["peer_effect_share"] = float(generator.choice([0.05, 0.1, 0.25]))
    else:
        effect = changes["peer_effect"] = float(generator.choice([0.5, 1.0, 3.0, 4.0]))
        if peer != "reward" and generator.random() < 0.5:
            floor = changes["peer_floor"] = "stage"
    for name, high in (("peer_budget", 15), ("peer_targets", 3)):
        if generator.random() < 0.5:
            changes[name] = int(generator.integers(1, high + 1))
    rule = {"peer": peer, "costs": costs, "share": share, "effect": effect, "floor": floor}
    return changes, rule


@pytest.mark.parametrize("name", ["sanctions", "commons_game"])
def test_random_periods_agree_with_an_independent_program(name):
    generator, compared = np.random.default_rng(20_261), 0
    archetype = {"sanctions": "unsanctioned", "commons_game": "lab"}[name]
    while compared < 450:
        changes, rule = random_rule(generator)
        game = engine.make(name, archetype=archetype, periods=6, **changes)
        play = Episode(game, int(generator.integers(1000)))
        held = [0.0] * 4
        while not play.done:
            stage = play.step(play.allowed().sample(generator))
            if name == "sanctions":
                gave = stage.used["contribution"].tolist()
                incomes = [20 - mine + 0.4 * sum(gave) for mine in gave]
            else:
                incomes = stage.observations["harvest"].tolist()
            sent = play.allowed().sample(generator)["assign"]
            period = play.step({"assign": sent})
            payoffs, spent = paid(incomes, sent.tolist(), rule)
            assert period.rewards.tolist() == pytest.approx(payoffs, abs=1e-9)
            for seat, row in enumerate(sent.tolist()):
                assert row[seat] == 0
                assert sum(map(abs, row)) <= changes.get("peer_budget", 99)
                assert sum(map(bool, row)) <= changes.get("peer_targets", 99)
                if name == "commons_game" and spent[seat]:
                    assert spent[seat] <= held[seat] + incomes[seat] + 1e-9
            held = [before + gain for before, gain in zip(held, payoffs, strict=True)]
            compared += 1


# -- any game with incomes ----------------------------------------------------------------------


@pytest.mark.parametrize("names", [pytest.param("fixed", marks=pytest.mark.long), "shuffled"])
def test_a_game_gets_peer_points_by_stating_its_incomes(names):
    game = engine.make(Bucket, peer="both", peer_names=names, peer_tells="who")
    assert list(check.faults(game)) == []
    if names == "shuffled":
        with pytest.raises(ConfigError, match="seats that decide in turn could be recognised"):
            engine.make(Bucket, peer="both", peer_names=names, agents={"timing": "sequential"})
    play = Episode(game, 3)
    play.step({"given": [0, 1, 2, 10]})
    period = play.step({"assign": points()})
    assert period.rewards.tolist() == [10, 9, 8, 0]
