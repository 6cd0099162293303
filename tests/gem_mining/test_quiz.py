"""Tests of the gem mining quiz: the answer marked as correct is correct, by hand and by the
rules."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mixed_company import engine
from mixed_company.engine.games.gem_mining import GemGame
from mixed_company.server.pages.guide import guide_of
from mixed_company.table.options import Options
from tests.engine.games.gems import with_luck
from tests.gem_mining.plays import CERTAIN, ODD, A, B, core
from tests.server.guides import asked_of, game_of

guide = guide_of("gem_mining")


CONFIGS: dict[str, tuple[str | None, dict[str, Any]]] = {
    **{name: (name, {}) for name in GemGame.archetypes},
    "odd": (None, ODD),
    "certain": (None, CERTAIN),
    "one kind": ("lab_0_7", {"gem_types": 1}),
    "ten kinds": ("lab_0_7", {"gem_types": 10}),
    "the bonus is a half": ("lab_0_7", {"worker_bonus": 0.5}),
    "the bonus is nothing": ("lab_0_7", {"worker_bonus": 0}),
    "the bonus doubles": ("lab_0_7", {"worker_bonus": 2}),
    "the bonus is huge": ("lab_0_7", {"worker_bonus": 100}),
    "no bonus": ("lab_0_7", {"worker_bonus": 1}),
    "cut at once": ("lab_0_7", {"truncation": 0.2}),
    "cut before": ("lab_0_7", {"truncation": 0.05}),
    "never anything": ("lab_0_7", {"truncation": 0}),
    "not cut": ("lab_0_7", {"truncation": 1}),
}


@pytest.mark.parametrize("name", CONFIGS)
def test_every_question_has_exactly_one_right_answer(name):
    archetype, changes = CONFIGS[name]
    game_core = core(archetype, **changes)
    questions = guide.quiz(game_of(game_core), Options())
    expected = ["whose", "together", "chances", "loss", "end"]
    if name not in ("no bonus", "never anything"):
        expected.insert(2, "bonus")
    assert [question["name"] for question in questions] == expected
    for question in questions:
        assert question["options"].count(question["right"]) == 1
        assert len(set(question["options"])) == len(question["options"]) >= 2, question
        assert question["text"]
        assert question["why"]
        assert "{" not in question["text"] + question["why"] + "".join(question["options"])


@pytest.mark.parametrize(
    ("changes", "right", "options"),
    [
        # 20% of one worker, times the bonus; twice and half as much are wrong
        ({}, "20.6%", ["10%", "20%", "20.6%", "40%"]),
        ({"worker_bonus": 1.25}, "25%", ["10%", "20%", "25%", "40%"]),
        ({"worker_bonus": 2}, "40%", ["10%", "20%", "40%"]),
        ({"worker_bonus": 0.5}, "10%", ["10%", "20%", "40%"]),
        ({"worker_bonus": 0}, "0%", ["0%", "10%", "20%", "40%"]),
        # truncated: 20% * 100 is 90%; with a limit of 20% it stays; 5% for one and for two
        ({"worker_bonus": 100}, "90%", ["10%", "20%", "40%", "90%"]),
        ({"truncation": 0.2}, "20%", ["10%", "20%", "40%"]),
        ({"truncation": 0.05}, "5%", ["2.5%", "5%", "10%"]),
    ],
)
def test_the_chance_of_two_workers_is_right_by_hand(changes, right, options):
    question = asked_of(guide, core("lab_0_7", **changes))["bonus"]
    assert question["right"] == right
    assert question["options"] == options


@pytest.mark.parametrize("bonus", [1.03, 1.25, 0.5, 100])
def test_the_chance_of_two_workers_matches_the_rules(bonus):
    """Send two villages with one worker each to mine B, where a single worker has a chance of 20%.
    A draw just below the chance is a find.
    """
    instance = {"reach": [2, 2], "workers": [1, 1], "base_probabilities": [[0.2], [0.2], [0.2]]}
    changes = {"seats": 2, "max_connectivity": 2, "gem_types": 1, "instance": instance}
    game = engine.make("gem_mining", **changes, worker_bonus=bonus)
    question = asked_of(guide, game.core)["bonus"]
    assert "in a mine is 20%." in question["text"]
    right = float(question["right"].split("%")[0]) / 100
    for luck, finds in ((right - 1e-6, True), (right + 1e-6, False)):
        state, _ = with_luck(game, [B, B], luck)
        assert state["found"][B, 0] == finds


def test_the_answer_that_a_gem_pays_every_village_the_same_matches_the_rules():
    question = asked_of(guide, core("lab_0_7"))["whose"]
    assert question["right"] == "All villages get the same"
    assert question["text"] == "A village finds a ruby. Who gets points for it?"
    # village 1 is alone at A, where a ruby is certain; village 2 at B: an emerald, worth 3
    play = engine.Episode(engine.make("gem_mining", **CERTAIN), seed=1)
    step = play.step({"mine": [A, B]})
    assert step.components["gem_0"].tolist() == [1, 1]
    assert step.rewards.tolist() == [4, 4]


def test_the_answer_that_two_villages_find_one_gem_of_a_kind_matches_the_rules():
    question = asked_of(guide, core("lab_0_7"))["together"]
    assert question["right"] == "At most 1"
    assert question["text"].endswith("How many rubies can be found there in one period?")
    play = engine.Episode(engine.make("gem_mining", **CERTAIN), seed=1)
    play.step({"mine": [B, B]})  # five workers at the mine where an emerald is certain
    assert play.state_record()["gems"] == [0, 1]


def test_the_answer_that_chances_stay_the_same_matches_the_rules():
    question = asked_of(guide, core("lab_0_7"))["chances"]
    assert question["right"] == "They stay the same"
    game = engine.make("gem_mining", archetype="lab_0_7")
    play = engine.Episode(game, seed=1)
    before = play.state_record()["base_probabilities"]
    for _ in range(5):
        play.step({"mine": np.arange(4)})
    assert play.state_record()["base_probabilities"] == before


def test_the_explanation_names_the_bonus_of_the_session():
    assert asked_of(guide, core(**ODD))["bonus"]["why"] == (
        "Each worker after the first multiplies the chance by 1.25."
    )


def test_the_explanation_names_the_limit_if_it_decides():
    plain = asked_of(guide, core(worker_bonus=1.5))["bonus"]
    assert (plain["right"], plain["why"]) == (
        "30%",
        "Each worker after the first multiplies the chance by 1.5.",
    )
    cut = asked_of(guide, core(worker_bonus=1.5, truncation=0.25))["bonus"]
    assert (cut["right"], cut["why"]) == (
        "25%",
        "Each worker after the first multiplies the chance by 1.5, up to 25%.",
    )


def test_the_answer_that_a_period_without_gems_costs_nothing_matches_the_rules():
    questions = asked_of(guide, core("lab_0_7"))
    assert questions["loss"]["right"] == "You keep all of them"
    assert questions["end"]["right"] == "Always after period 20"
    play = engine.Episode(engine.make("gem_mining", archetype="lab_0_7", truncation=0), seed=1)
    steps = [play.step({"mine": np.arange(4)}) for _ in range(20)]
    assert not any(step.rewards.any() for step in steps)
    assert [step.done for step in steps] == [False] * 19 + [True]


def test_no_question_about_a_period_without_gems_if_earlier_gems_are_paid_then():
    late = {"temporal": {"intensity": 1.0, "reward_delay": 1}}
    game = engine.make("gem_mining", archetype="lab_0_7", layers=late)
    assert "loss" not in {question["name"] for question in guide.quiz(game, Options())}
