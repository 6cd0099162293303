"""Peer points in instructions, quiz, results, durations and rehearsals, with sums calculated by
hand."""

from __future__ import annotations

from typing import Any

import pytest

from mixed_company import engine, policies
from mixed_company.experiment.showing import longest_minutes, practice_minutes
from mixed_company.experiment.simulated_people import for_stages
from mixed_company.server.pages import instructions, peer_quiz, peer_rules, peers, plain, results
from mixed_company.server.pages.guide import guide_of
from mixed_company.server.pages.peer_example import Given, example
from mixed_company.server.pages.shared import words_of
from mixed_company.server.rehearse.deciding import decision
from mixed_company.table.options import Options
from mixed_company.table.setup import Setup
from mixed_company.table.view import view
from tests.engine.bucket import Bucket
from tests.language.reading import grade
from tests.server.claims.peers import COSTS, SHARE, VARIANTS
from tests.server.guides import text_of
from tests.server.played import opened

MINUS = "\N{MINUS SIGN}"


def public_good(**peer: Any) -> engine.Game[Any]:
    return engine.make("sanctions", archetype="unsanctioned", **peer)


def setup_of(game: engine.Game[Any], **options: Any) -> Setup:
    return Setup(config=game.config.model_dump(mode="json"), options=Options(**options))


def rows(game: engine.Game[Any], *periods: list[list[int]]) -> list[dict[str, Any]]:
    """Return the log of periods in which everyone contributes 10 and assigns these points."""
    play, log = engine.Episode(game, seed=1), []
    for number, assigned in enumerate(periods):
        step = play.play_period({"contribution": [10.0] * 4, "assign": assigned})
        components = {name: part.tolist() for name, part in step.components.items()}
        state = {name: value.tolist() for name, value in play._state.items()}
        seats = [{"occupant": "person"}] * 4
        log.append({"kind": "period", "period": number, "components": components, "seats": seats})
        log[-1] |= {"state": state, "rewards": step.rewards.tolist()}
    return log


NOTHING = [[0] * 4] * 4


# -- instructions and quiz -------------------------------------------------------------------


def test_the_example_of_a_public_good_is_right_by_hand():
    # If all give 10 of 20, each has 10 + 0.4 * 40 = 26. Two points cost 2 and take 20% of 26 =
    # 5.2.
    text = text_of(peer_rules.sections(public_good(**SHARE), Options()))
    assert (
        "suppose you earned 26 points and another player earned 26. If you give this player 2 "
        "punishment points, you are left with 24 points from this period, and the other player "
        "with 20.8."
    ) in text
    assert f"You pay: {' '.join(map(str, COSTS))}" in text


def test_the_example_of_a_game_in_whole_numbers_rounds_half_of_the_most_down():
    # Half of 5 is 2, so both keep 3.
    points = example(engine.make(Bucket, peer="punishment", endowment=5), 2)
    assert points == Given(points=2, mine=3.0, cost=2.0, theirs=3.0, change=-6.0)


def test_the_quiz_asks_for_cost_and_effect():
    # Three points cost 4 and take 30% of 26 = 7.8.
    cost, effect = peer_quiz.questions(public_good(**SHARE))
    assert (cost["right"], cost["options"]) == ("4", ["0", "4", "7.8"])
    assert (effect["right"], effect["options"]) == ("7.8", ["0", "3", "7.8"])
    assert "You earned 26 points" in effect["text"]


def test_a_long_table_of_costs_has_few_columns():
    costs = [float(points) ** 2 for points in range(101)]
    parts = peer_rules.sections(
        public_good(peer="punishment", peer_max=100, peer_costs=costs), Options()
    )
    points, paid = parts[0]["table"]
    assert points["cells"] == [str(points) for points in range(0, 101, 10)]
    assert paid["cells"][-1] == "10000"


def test_a_short_table_of_costs_has_a_column_for_every_number_of_points():
    game = public_good(peer="punishment", peer_max=3, peer_costs=[0.0, 1.0, 3.0, 6.0])
    points, paid = peer_rules.sections(game, Options())[0]["table"]
    assert points["cells"] == ["0", "1", "2", "3"]
    assert paid["cells"] == ["0", "1", "3", "6"]


TAKES = "Each punishment point takes 3 points from the player who gets it."
GIVES = "Each reward point gives 3 points to the player who gets it."
SIGNS = "Use minus to punish and plus to reward."


@pytest.mark.parametrize(
    ("kind", "lines"),
    [("punishment", [TAKES]), ("reward", [GIVES]), ("both", [SIGNS, TAKES, GIVES])],
)
def test_the_page_says_what_points_of_its_kind_do(kind, lines):
    setting = peers.setting(public_good(peer=kind, peer_effect=3.0, peer_cost=1.0))
    assert setting is not None
    assert setting["does"] == [*lines, "Each point that you assign costs you 1 point."]


def test_a_game_without_peer_points_says_nothing_about_them():
    game = public_good()
    assert peers.setting(game) is None
    assert peer_rules.sections(game, Options()) == []
    assert peer_quiz.questions(game) == []
    assert results.peer_summary(game, [], 0, 1) == []


def test_the_second_step_has_its_own_time():
    game = public_good(peer="reward")
    line = "You have 20 seconds for this step. If your time runs out, you give no points."
    assert line in text_of(peer_rules.sections(game, Options(peer_seconds=20)))
    assert line not in text_of(peer_rules.sections(game, Options()))


def test_points_that_nobody_can_pay_for_have_no_example():
    game = engine.make("commons_game", archetype="lab", peer="punishment", peer_cost=500.0)
    assert "For example" not in text_of(peer_rules.sections(game, Options()))
    assert peer_quiz.questions(game) == []


@pytest.mark.few(4)
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(
    ("game_id", "archetype"), [("commons_game", "lab"), ("sanctions", "unsanctioned")]
)
def test_texts_on_peer_points_are_easy_to_read(game_id, archetype, variant):
    game = engine.make(game_id, archetype=archetype, **VARIANTS[variant])
    shown = [*guide_of(game_id).sections(game, Options())]
    shown += instructions.sections(setup_of(game), "10 points = €1.20", "€2.00")
    for screen in instructions.screens(shown):
        assert grade([line for part in screen["sections"] for line in part["lines"]]) <= 8
    quiz = peer_quiz.questions(game)
    if quiz:
        assert (
            grade([text for question in quiz for text in (question["text"], question["why"])]) <= 8
        )


# -- results ---------------------------------------------------------------------------------


def test_results_say_what_was_given_and_what_came_of_it():
    # Seat 0 gives 2 and 1 and pays 2 + 1; it gets 3 points, each of which takes 3.
    game = public_good(peer="punishment")
    log = rows(game, [[0, 2, 0, 0], *NOTHING[1:]], [[0, 0, 0, 1], *NOTHING[1:3], [3, 0, 0, 0]])
    assert results.peer_summary(game, log, 0, 1) == [
        "You gave 3 punishment points. This cost you 3 points.",
        "You got 3 punishment points. The points from the others cost you 9 points.",
    ]
    assert results.peer_summary(game, log, 2, 1) == [
        "You gave 0 punishment points.",
        "You got 0 punishment points.",
    ]
    words = words_of(setup_of(game))
    parts = {part["name"]: part["sum"] for part in results.parts(log, 0, words, 1)}
    assert parts["Cost of the points you gave"] == f"{MINUS}3"
    assert parts["Effect of the points you got"] == f"{MINUS}9"


def test_both_kinds_are_counted_apart_but_not_in_what_was_got():
    # Seat 0 punishes by 2 and rewards by 1, and gets 2 - 1 = 1 on balance: + 3.
    game = public_good(peer="both")
    log = rows(game, [[0, -2, 1, 0], [2, 0, 0, 0], [-1, 0, 0, 0], NOTHING[0]])
    assert results.peer_summary(game, log, 0, 1) == [
        "You gave 2 punishment points. You gave 1 reward point. This cost you 3 points.",
        "The points from the others earned you 3 points.",
    ]


@pytest.mark.parametrize("peer", [{"peer": "both"}, SHARE | {"peer_names": "shuffled"}])
def test_the_comparison_of_results_is_that_without_points(peer):
    guide = guide_of("sanctions")
    game, without = public_good(**peer), public_good()
    guide.prepare(game)
    pictures = [
        guide.picture(opened(kind), rows(game, NOTHING, NOTHING), 0) for kind in (game, without)
    ]
    for name in ("expected", "nothing"):
        assert pictures[0][name] == pictures[1][name]
    assert pictures[0]["course"]["best"] == pictures[1]["course"]["best"]


def test_results_do_not_tell_what_the_others_spent():
    guide, game = guide_of("sanctions"), public_good(peer="punishment")
    log = rows(game, [[0, 2, 0, 0], *NOTHING[1:]])
    picture = guide.picture(opened(game), log, 1)
    assert picture["points"] == [None, 20.0, None, None]  # 26 - 6
    assert picture["course"]["others"] is False
    shuffled = public_good(peer="punishment", peer_names="shuffled")
    assert plain.is_seen(game, "memory_averages")
    assert not plain.is_seen(shuffled, "memory_averages")
    assert guide.picture(opened(shuffled), log, 1)["given"] == [None, 10.0, None, None]


# -- minutes, plans and rehearsals -----------------------------------------------------------


def test_the_second_stage_counts_in_minutes():
    # 20 periods of 30 s, and of 30 + 15 s or, if the second stage has no time of its own, of 30 +
    # 30 s
    game = public_good(peer="punishment")
    times = [{}, {"peer_seconds": 15.0}]
    setups = [setup_of(game, decision_seconds=30, practice_periods=2, **more) for more in times]
    assert [longest_minutes(setup) for setup in setups] == [20.0, 15.0]
    assert [practice_minutes(setup) for setup in setups] == [2.0, 1.5]
    assert longest_minutes(setup_of(public_good(), decision_seconds=30)) == 10.0


def test_simulated_people_have_a_second_policy_only_where_it_decides():
    named = "fixed:contribution=1e+1+antisocial, free_rider"
    assert for_stages(named, setup_of(public_good(peer="punishment"))) == [
        "fixed:contribution=1e+1+antisocial",
        "free_rider",
    ]
    assert for_stages(named, setup_of(public_good())) == ["fixed:contribution=1e+1", "free_rider"]


def test_a_rehearsed_person_assigns_points_that_the_rules_allow():
    game = public_good(peer="punishment", peer_budget=3)
    policy = policies.make("free_rider+antisocial:points=100", game)
    table = opened(game)
    first = decision(game, policy, view(table, 0, 0).to_json(), policy.start(), 1, 0)
    assert first.action == {"contribution": 0.0}
    table.episode.step({"contribution": [0.0, 5.0, 20.0, 20.0]})
    second = decision(game, policy, view(table, 0, 0).to_json(), first.memory, 1, 0)
    assert second.fault is None
    table.episode.step({"assign": [second.action["assign"], *NOTHING[1:]]})
    assert sum(second.action["assign"]) == 3
