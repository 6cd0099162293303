"""The design of a public good on pages: words, controls, results, and an undisclosed number of
periods.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from bots.sanctions.promises_and_keeps import PromisesAndKeeps
from mixed_company import engine, policies
from mixed_company.experiment.showing import practice_periods
from mixed_company.policies.populations.policy import Population
from mixed_company.server.outside import words as outside
from mixed_company.server.pages import instructions, peer_quiz, peers
from mixed_company.server.pages.guide import guide_of
from mixed_company.server.pages.play import _words as practice_words
from mixed_company.server.pages.play import stage_vars
from mixed_company.server.pages.shared import words_of
from mixed_company.table import telling
from mixed_company.table.options import Options
from mixed_company.table.setup import Setup
from mixed_company.table.table import Table
from mixed_company.table.view import view
from tests.language.reading import grade
from tests.server.guides import text_of
from tests.server.played import opened

guide = guide_of("sanctions")
ALL_AND_TAKE = {"framing": "take", "contributions": "all_or_nothing"}


def good(**changes: Any) -> Any:
    return engine.make("sanctions", **{"archetype": "unsanctioned", "periods": 7, **changes})


def setup_of(game: Any, **options: Any) -> Setup:
    return Setup(config=game.config.model_dump(mode="json"), options=Options(**options))


def logged(game: Any, *periods: list[float]) -> list[dict[str, Any]]:
    """Return the log of periods with these contributions, in which a person has seat 0."""
    play, log = engine.Episode(game, seed=1), []
    for number, amounts in enumerate(periods):
        step = play.play_period({"contribution": amounts})
        log.append(
            {
                "kind": "period",
                "period": number,
                "components": {name: part.tolist() for name, part in step.components.items()},
                "state": {name: value.tolist() for name, value in play._state.items()},
                "rewards": step.rewards.tolist(),
                "seats": [{"occupant": "person"}] * 4,
            }
        )
    return log


# -- undisclosed number of periods ---------------------------------------------------------------


def received_in(periods: int, **changes: Any) -> dict[str, Any]:
    """Return everything that a person, a bot or an agent receives in a play of this length.

    Two periods are played, in which everyone makes the same decision.
    """
    changes = {"periods_told": False, "peer": "punishment", **changes}
    game = good(**changes, periods=periods)
    options = {"talk": "free", "talk_when": "periods", "practice_periods": 2, "ready": True}
    options |= {"bots": "free_rider", "people_per_group": 1}
    setup = setup_of(game, **options)
    table = Table.open(setup, (0,), 7, 0)
    sections = [*guide.sections(game, setup.options), *instructions.sections(setup, "1", "2")]
    content: dict[str, Any] = {
        "instructions": instructions.screens(sections),
        "scenes": [guide.scenes(game), instructions.scenes(game.told_horizon, "1")],
        "quiz": [guide.quiz(game, setup.options), peer_quiz.questions(game)],
        "practice": practice_periods(setup),
        "page": [stage_vars(setup, seat) for seat in range(4)],
        "peers": peers.setting(game),
        "rules for agents": telling.rules(game, 0),
        "instructions for agents": outside.instructions(setup),
        "parameters for bots": policies.make("free_rider", game).rules.model_dump(),
    }
    views: list[Any] = []
    for step in range(4):
        seen = view(table, 0, 0).to_json()
        views.append([seen, telling.seen(game, seen), telling.asked(game, seen)])
        assign = game.peers is not None and step % 2
        table.episode.step({"assign": [[0] * 4] * 4} if assign else {"contribution": [5.0] * 4})
    return {**content, "views": views}


@pytest.mark.parametrize(
    "changes", [{}, ALL_AND_TAKE, {"others_earnings": "seen", "peer": "none"}, {"archetype": "lab"}]
)
def test_an_untold_number_of_periods_changes_nothing_that_anybody_gets(changes):
    if changes.get("archetype") == "lab":
        changes = {**changes, "peer": "none"}
    both = [json.dumps(received_in(periods, **changes), default=str) for periods in (7, 23)]
    assert both[0] == both[1]
    assert json.loads(both[0])["page"][0]["periods"] is None


def test_a_told_number_of_periods_is_on_every_one_of_these():
    """The test above would be pointless if these texts did not depend on the number of periods."""
    first, second = (received_in(periods, periods_told=True) for periods in (7, 23))
    same = {name for name in first if first[name] == second[name]}
    assert same == {"practice", "peers"}


def test_periods_are_numbered_without_a_total_if_it_is_untold():
    assert words_of(setup_of(good(periods_told=False)))["period"] == "Period {period}"
    assert words_of(setup_of(good()))["period"] == "Period {period} of {periods}"
    sent = telling.seen(
        good(periods_told=False), view(opened(good(periods_told=False)), 0, 0).to_json()
    )
    assert sent.startswith("Period 1. You have")


def test_no_period_is_the_last_one_for_a_population_that_does_not_know_the_number():
    spec = "population:fischbacher_gaechter_2010"
    finals = [policies.make(spec, good(periods_told=flag)) for flag in (True, False)]
    assert all(isinstance(policy, Population) for policy in finals)
    assert [policy.final for policy in finals] == [6, -1]


# -- words and numbers -----------------------------------------------------------------------


DESIGNS = {
    "take": {"framing": "take"},
    "all or nothing": {"contributions": "all_or_nothing"},
    "take all or nothing": ALL_AND_TAKE,
    "untold": {"periods_told": False},
    "seen": {"others_earnings": "seen", "peer": "both"},
    "hidden": {"others_earnings": "hidden", "peer": "both", "peer_reward_cost": 2.0},
}


@pytest.mark.parametrize("name", DESIGNS)
def test_texts_of_designs_are_easy_to_read(name):
    game = good(**DESIGNS[name])
    shown = guide.sections(game, Options())
    shown += instructions.sections(setup_of(game), "10 points = €1.20", "€2.00")
    for screen in instructions.screens(shown):
        assert grade([line for part in screen["sections"] for line in part["lines"]]) <= 8
    quiz = guide.quiz(game, Options())
    assert grade([text for item in quiz for text in (item["text"], item["why"])]) <= 8


def test_nothing_on_the_page_speaks_of_giving_if_players_take():
    for changes in ({}, {"contributions": "all_or_nothing"}):
        give, take = (good(framing=framing, **changes) for framing in ("give", "take"))
        shown = [text_of(guide.sections(game, Options())) for game in (give, take)]
        questions = [
            "".join(q["text"] for q in guide.quiz(game, Options())) for game in (give, take)
        ]
        for text in (shown[1], questions[1]):
            assert "contribut" not in text
            assert "give" not in text
        assert "contribut" in shown[0] + questions[0]


def test_the_question_on_all_points_is_right_by_hand():
    # 20 points cost 20 and bring back 0.4 * 20 = 8: 8 - 20 = -12.
    for framing in ("give", "take"):
        questions = guide.quiz(good(contributions="all_or_nothing", framing=framing), Options())[0]
        assert questions["right"] == "\N{MINUS SIGN}12"
        assert questions["options"] == ["\N{MINUS SIGN}12", "0", "8", "12"]


def test_examples_of_all_or_nothing_use_the_whole_endowment():
    # All of 20 from four players: 0.4 * 80 = 32 each.
    game = good(contributions="all_or_nothing")
    assert "If each of the 4 players contributes 20, each ends up with 32 points." in text_of(
        guide.sections(game, Options())
    )
    picture = guide.picture(opened(game), logged(game, [20.0] * 4), 0)
    assert picture["expected"] == pytest.approx(7 * 32)
    assert picture["nothing"] == pytest.approx(7 * 20)


def test_the_control_of_a_page_has_two_choices():
    game = good(**ALL_AND_TAKE)
    sent = stage_vars(setup_of(game), 0)
    assert sent["accepts"]["contribution"]["ends"] is True
    assert (sent["setting"]["ends"], sent["setting"]["takes"]) == (True, True)
    assert sent["setting"]["endowments"] == [20.0] * 4
    assert "ends" not in stage_vars(setup_of(good()), 0)["accepts"]["contribution"]


def test_results_of_taking_show_what_was_taken():
    # Contributions 5 and 15, and 10 and 20 of 20, are 15, 5, and 10, 0 taken out: 12.5 on average.
    game = good(framing="take")
    log = logged(game, [5.0, 15.0, 15.0, 15.0], [10.0, 20.0, 20.0, 20.0])
    table = opened(game)
    lines = guide.summary(table, log, 0)
    assert lines[0] == "You took out 12.5 points on average, the others 2.5."
    players, periods = guide.details(table, log, 0)
    assert players["rows"] == [[f"Player {n}", "2.5"] for n in (2, 3, 4)]
    assert periods["heads"][1] == "you took out"
    assert [row[1] for row in periods["rows"]] == ["15", "10"]
    assert guide.picture(table, log, 0)["given"] == [12.5, 2.5, 2.5, 2.5]


@pytest.mark.parametrize(
    ("others_earnings", "peer", "shown"),
    [
        ("hidden", "none", False),
        ("step", "none", True),
        ("seen", "none", True),
        ("step", "punishment", False),
        ("seen", "punishment", True),
    ],
)
def test_the_end_shows_the_others_points_only_if_the_play_did(others_earnings, peer, shown):
    game = good(others_earnings=others_earnings, peer=peer)
    nobody = {"assign": [[0] * 4] * 4} if peer != "none" else {}
    play = engine.Episode(game, seed=1)
    step = play.play_period({"contribution": [20.0, 10.0, 0.0, 0.0], **nobody})
    log = [
        {
            "kind": "period",
            "period": 0,
            "components": {name: part.tolist() for name, part in step.components.items()},
            "state": {name: np.asarray(value).tolist() for name, value in play._state.items()},
            "rewards": step.rewards.tolist(),
            "seats": [{"occupant": "person"}] * 4,
        }
    ]
    points = guide.picture(opened(game), log, 0)["points"]
    assert points == ([12, 22, 32, 32] if shown else [12, None, None, None])
    together = "All players together earned" in " ".join(guide.summary(opened(game), log, 0))
    assert together == (others_earnings != "hidden")


# -- bots --------------------------------------------------------------------------------------


def test_every_bot_of_a_table_sends_all_or_nothing():
    game = good(contributions="all_or_nothing")
    options = Options(
        bots="conditional_cooperator:bias=0.6,noisy_person,population:fischbacher_gaechter_2010",
        bot_delay="instant",
    )
    table = Table.open(
        Setup(config=game.config.model_dump(mode="json"), options=options), (0,), 7, 0
    )
    table.hear(0, 0)
    table.advance(1)
    sent = [table.decided[seat].action["contribution"] for seat in (1, 2, 3)]
    assert set(sent) <= {0.0, 20.0}


def test_a_promise_is_possible_and_fits_the_framing():
    # The baseline is 5 of 20, nearer to nothing.
    cases = {
        "I will give 5.": {},
        "I will give 0.": {"contributions": "all_or_nothing"},
        "I will leave 5 in the pool.": {"framing": "take"},
    }
    for promise, changes in cases.items():
        policy = policies.make("promises_and_keeps", good(**changes))
        assert isinstance(policy, PromisesAndKeeps)
        assert policy.sentence().format(n=f"{policy.amount(0):g}") == promise


def test_a_practice_counts_its_periods_in_the_words_of_the_game():
    vote = setup_of(engine.make("punishment_vote", archetype="lab"))
    assert practice_words(vote)["period"] == "Turn {period} of {periods}"
    untold = setup_of(good(periods_told=False))
    assert practice_words(untold)["period"] == "Period {period} of {periods}"
