"""Tests of the sanctions game's quiz: the answer marked as correct is correct, by hand and by the
rules.
"""

from __future__ import annotations

from typing import Any

import pytest

from mixed_company import engine
from mixed_company.engine.games.sanctions import SanctionsCore, SanctionsGame
from mixed_company.server.pages.guide import guide_of
from mixed_company.table.options import Options
from tests.sanctions.plays import LISTS, MINUS, ODD, core
from tests.server.guides import asked_of, game_of

guide = guide_of("sanctions")


def questions(game_core: SanctionsCore) -> dict[str, Any]:
    return asked_of(guide, game_core)


PUBLIC_GOODS = ("lab", "unsanctioned", "lab_0_7", "reputation", "graduated")
CONFIGS: dict[str, tuple[str | None, dict[str, Any]]] = {
    **{name: (name, {}) for name in SanctionsGame.archetypes if name != "unsanctioned"},
    "odd": (None, ODD),
    "lists": (None, LISTS),
    "power": ("source", {"production": "power"}),
    "cooperative": ("source", {"reward": "cooperative"}),
    "two": ("lab_0_7", {"seats": 2, "mpcr": 0.6}),
    "remembers one": ("lab_0_7", {"memory": 1}),
    "remembers six": ("lab_0_7", {"memory": 6}),
    "pays nothing": ("lab_0_7", {"mpcr": 0, "allow_any_mpcr": True}),
    "pays a quarter": ("lab_0_7", {"mpcr": 0.25, "allow_any_mpcr": True}),
    "pays a half": ("lab_0_7", {"mpcr": 0.5}),
    "pays all": ("lab_0_7", {"mpcr": 1, "allow_any_mpcr": True}),
    "pays more": ("lab_0_7", {"mpcr": 7.5, "allow_any_mpcr": True}),
}


@pytest.mark.parametrize("name", CONFIGS)
def test_every_quiz_question_has_exactly_one_right_answer(name):
    archetype, changes = CONFIGS[name]
    game_core = core(archetype, **changes)
    items = guide.quiz(game_of(game_core), Options())
    expected = ["whose", "to_whom", "memory", "end"]
    if game_core.production == "public_good" and not isinstance(game_core.endowment, tuple):
        expected = ["good", *expected]
    assert [question["name"] for question in items] == expected
    for question in items:
        assert question["options"].count(question["right"]) == 1
        assert len(set(question["options"])) == len(question["options"]) >= 2, question
        assert question["text"]
        assert question["why"]
        assert "{" not in question["text"] + question["why"] + "".join(question["options"])


@pytest.mark.parametrize("archetype", SanctionsGame.archetypes)
def test_a_session_without_sanctions_is_not_asked_about_them(archetype):
    items = guide.quiz(game_of(core(archetype, lambda_R=0)), Options())
    names = ["good", "end"] if archetype in PUBLIC_GOODS else ["end"]
    assert [question["name"] for question in items] == names
    part = guide.sections(game_of(core(archetype, lambda_R=0)), Options())[2]
    assert (part["title"], part["table"]) == ("Sanctions and rewards", [])
    assert part["lines"] == ["There are none."]


@pytest.mark.parametrize(
    ("mpcr", "right"),
    [
        (0.4, f"{MINUS}0.6"),
        (0.5, f"{MINUS}0.5"),
        (0, f"{MINUS}1"),
        (1, "0"),
        (1.5, "0.5"),
        (0.35, f"{MINUS}0.65"),
        (0.96, f"{MINUS}0.04"),
    ],
)
def test_the_cost_of_a_point_is_right_by_hand(mpcr, right):
    question = questions(core("lab_0_7", mpcr=mpcr, allow_any_mpcr=True))["good"]
    assert question["right"] == right
    assert f"get {mpcr:g} back. Everyone else gets {mpcr:g}, too." in question["why"]


def one_point_more(**changes: Any) -> float:
    """Return how much more seat 0 earns by giving 11 than 10 if the others give 10, without
    sanctions.
    """
    points = []
    for amount in (10, 11):
        play = engine.Episode(engine.make("sanctions", archetype="lab_0_7", **changes), seed=1)
        step = play.step({"contribution": [amount, 10, 10, 10]})
        points.append(float(step.rewards[0] - step.components["sanctions"][0]))
    return points[1] - points[0]


def answer(text: str) -> float:
    return float(text.replace(MINUS, "-"))


def test_the_cost_of_a_point_matches_the_rules():
    assert answer(questions(core("lab_0_7"))["good"]["right"]) == pytest.approx(one_point_more())


@pytest.mark.parametrize("reward", ["integrated", "cooperative"])
def test_the_cost_of_a_point_includes_what_comes_back_through_others(reward):
    """With integrated rewards and the initial trust, the difference is -0.6 + 3 * 0.5 * 0.35 * 0.4
    = -0.39.
    """
    cost = one_point_more(reward=reward)
    if reward == "integrated":
        assert cost == pytest.approx(-0.39)
    question = questions(core("lab_0_7", reward=reward)).get("good")
    assert question is None or answer(question["right"]) == pytest.approx(cost, abs=0.05)


@pytest.mark.parametrize(
    ("archetype", "right"),
    [
        ("source", "This player"),
        ("lab_0_7", "This player"),
        ("tr4", "All other players"),
        ("coopetition_gym", "All other players"),
    ],
)
def test_the_player_who_loses_points_is_right_by_hand_and_by_the_rules(archetype, right):
    assert questions(core(archetype))["whose"]["right"] == right
    play = engine.Episode(engine.make("sanctions", archetype=archetype), seed=1)
    n, expected = play.game.seats, play.game.core.baseline
    for amount in (
        expected,
        expected,
        0,
    ):  # memories need past periods; only the last one is checked
        lost = play.step({"contribution": [amount] + [expected] * (n - 1)}).components["sanctions"]
    losers = [seat for seat in range(n) if lost[seat] < -1e-9]
    assert losers == ([0] if "This player" in right else list(range(1, n)))


@pytest.mark.parametrize(
    ("memory", "options"),
    [(10, ["1", "10", "15"]), (1, ["1", "6"]), (6, ["1", "6", "11"]), (3, ["1", "3", "8"])],
)
def test_the_length_of_the_memory_is_right_by_hand(memory, options):
    question = questions(core("lab_0_7", memory=memory))["memory"]
    assert question["options"] == options
    assert question["right"] == str(memory)
    assert question["why"] == "Older contributions are forgotten."


def test_points_taken_go_to_nobody():
    """Only seat 0 loses points, and no other seat has more than it would without sanctions."""
    question = questions(core("lab_0_7"))["to_whom"]
    assert question["right"] == "Nobody. They are gone"
    assert question["text"] == "Sanctions cost a player 3 points. Who gets these points?"
    assert len(question["options"]) == 3
    play = engine.Episode(engine.make("sanctions", archetype="lab_0_7"), seed=1)
    taken = play.step({"contribution": [0, 10, 10, 10]}).components["sanctions"].tolist()
    assert taken[0] < -1
    assert taken[1:] == [0, 0, 0]


def test_the_question_about_the_end_uses_the_periods_of_the_session():
    question = questions(core("lab_0_7", periods=7))["end"]
    assert question["right"] == "After period 7, whatever the players contribute"
    play = engine.Episode(engine.make("sanctions", archetype="lab_0_7", periods=7), seed=1)
    ends = [play.step({"contribution": [0, 0, 0, 0]}).done for _ in range(7)]
    assert ends == [False] * 6 + [True]
