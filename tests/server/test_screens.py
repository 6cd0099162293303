"""Instructions on five screens: they contain all sentences, their pictures show the session's
numbers, and the question about pay is correct."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from mixed_company import engine
from mixed_company.server.pages import money, texts
from mixed_company.server.pages.guide import STATIC, guide_of
from mixed_company.server.pages.instructions import screens, sections, titles
from mixed_company.table.options import Options
from mixed_company.table.setup import Setup
from tests.scripts import code

GAMES = [name for name in engine.game_ids() if (STATIC / name / "stage.js").exists()]
ARCHETYPES = [(game_id, name) for game_id in GAMES for name in engine.find(game_id).archetypes]


def told(game: engine.Game[Any], **options: Any) -> list[Any]:
    """Return all parts of the instructions of a session."""
    setup = Setup(config=game.config.model_dump(mode="json"), options=Options(**options))
    game_parts = guide_of(game.id).sections(game, setup.options)
    return [*game_parts, *sections(setup, "100 points = €0.30", "€2.00")]


@pytest.mark.parametrize(("game_id", "archetype"), ARCHETYPES)
def test_the_instructions_are_five_screens_that_lose_nothing(game_id, archetype):
    parts = told(engine.make(game_id, archetype=archetype))
    shown = screens(parts)
    assert [screen["title"] for screen in shown] == list(titles().values())
    assert [screen["progress"] for screen in shown] == [f"{n} of 5" for n in range(1, 6)]
    placed = [part for screen in shown for part in screen["sections"]]
    assert sorted(map(json.dumps, placed)) == sorted(map(json.dumps, parts))
    assert all(part["lines"] for part in placed)
    for screen in shown:
        untitled = [part["title"] == "" for part in screen["sections"]]
        assert untitled == sorted(untitled, reverse=True)  # parts without a title come first


def test_an_empty_screen_is_left_out_and_not_counted():
    [first, second] = screens([texts.section("", ["One."], screen="ends"), {"lines": ["Two."]}])
    assert (first["name"], first["progress"]) == ("happens", "1 of 2")
    assert (second["name"], second["progress"]) == ("ends", "2 of 2")


def test_the_other_players_are_on_the_first_screen_and_leaving_on_the_last():
    shown = screens(told(engine.make("gem_mining", archetype="lab"), disclosure="labels"))
    lines = [[line for part in screen["sections"] for line in part["lines"]] for screen in shown]
    assert any("people or computer programs" in line for line in lines[0])
    assert any("away for more than" in line for line in lines[-1])


# -- pictures --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game_id", "archetype"), ARCHETYPES)
def test_a_picture_gets_plain_numbers_and_has_a_script_that_draws_it(game_id, archetype):
    scenes = guide_of(game_id).scenes(engine.make(game_id, archetype=archetype))
    json.dumps(scenes, allow_nan=False)
    assert {"about"} <= set(scenes) <= set(titles())
    drawn = code((STATIC / game_id / "scenes.js").read_text()).rpartition("scenes = {")[2]
    assert all(f"{name}:" in drawn for name in scenes)


@pytest.mark.parametrize("game_id", GAMES)
def test_each_screen_of_the_lab_has_a_picture(game_id):
    scenes = guide_of(game_id).scenes(engine.make(game_id, archetype="lab"))
    shared = {"pays", "ends"}
    assert shared | set(scenes) == set(titles())


def test_the_lake_of_the_example_follows_the_rules():
    """Check `lab`: of 128 fish, 19.2 are taken, and 0.7 * 128 * 0.2 = 17.92 are born: 128 - 19.2 +
    17.92 = 126.72."""
    game = engine.make("commons_game", archetype="lab")
    scene = guide_of("commons_game").scenes(game)["happens"]
    before, taken = scene["change"]["before"], sum(scene["harvest"])
    state: Any = {**engine.Episode(game, seed=1)._state, "stock": np.asarray(before)}
    none = np.zeros(4)
    used = {"harvest": none + taken / 4, "contribution": none}
    after = float(game.transition(state, used, game.draw_chance(1, 0))["stock"])
    assert (before, taken) == (128.0, pytest.approx(19.2))
    assert scene["stock"] == pytest.approx(after) == pytest.approx(126.72)
    assert scene["change"]["born"] == pytest.approx(17.92)


def test_no_boat_holds_more_than_everybody_can_get():
    """Let each of four people request 500 fish when there are 100, so each gets 25."""
    game = engine.make("commons_game", archetype="lab_0_7", max_harvest=500)
    assert guide_of("commons_game").scenes(game)["decides"]["harvest"] == [25.0] * 4


def test_the_bars_of_the_sanctions_match_the_payoffs_of_a_period():
    game = engine.make("sanctions", archetype="lab_0_7")
    bars = guide_of("sanctions").scenes(game)["pays"]["bars"]
    for bar, amount in zip(bars, (game.core.baseline, 0.0), strict=True):
        step = engine.Episode(game, seed=1).step({"contribution": [amount] * 4})
        assert bar["value"] == pytest.approx(step.rewards[0] - step.components["sanctions"][0])


def test_a_picture_that_layers_would_make_wrong_is_left_out():
    shared = {"interaction": {"intensity": 1.0, "share": 0.5}}
    for game_id, scene in (("sanctions", "pays"), ("punishment_vote", "pays")):
        plain = engine.make(game_id, archetype="lab_0_7")
        layered = engine.make(game_id, archetype="lab_0_7", layers=shared)
        assert scene in guide_of(game_id).scenes(plain)
        assert scene not in guide_of(game_id).scenes(layered)


def test_the_script_of_the_screens_has_every_word_it_uses():
    script = code((STATIC / "mixed/screens.js").read_text())
    needed = {"next", "previous"}
    assert all(f"texts.{word}" in script for word in needed)
    assert needed <= set(texts.shared())


def test_each_common_part_is_on_its_screen():
    game = engine.make("commons_game", archetype="lab")
    question = {"name": "age", "text": "How old are you?", "every": 1, "type": "number"}
    about: dict[str, Any] = {"talk": "free", "practice_periods": 2, "questions": [question]}
    options = Options(people_per_group=2, **about)
    setup = Setup(config=game.config.model_dump(mode="json"), options=options)
    parts = {part["title"]: part["screen"] for part in sections(setup, "0.10", "2.00")}
    words = texts.shared()
    assert parts == {
        words["company"]: "about",
        words["time"]: "decides",
        "Talk": "decides",
        words["payment"]: "pays",
        words["questions"]: "decides",
        words["practice"]: "decides",
        words["absence"]: "ends",
    }


# -- pay -------------------------------------------------------------------------------------------


def asked(rate: float, fee: float, **options: Any) -> Any:
    config = {"real_world_currency_per_point": rate, "participation_fee": fee}
    return money.question(SimpleNamespace(config=config), Options(**options))


@pytest.mark.parametrize(
    ("rate", "fee", "options", "points", "right", "all_options"),
    [
        # 2 points at 0.12 are 0.24, and 2: 2.24; wrong answers are 0.24, 2 and 0.12 + 2
        (0.12, 2.0, {}, "2 points", "2.24", {"0.24", "2.00", "2.12", "2.24"}),
        # 100 points = 0.30, so 200 points are 0.60
        (0.003, 2.0, {}, "200 points", "2.60", {"0.60", "2.00", "2.30", "2.60"}),
        # no fee: only the value of the points
        (0.003, 0.0, {}, "200 points", "0.60", {"0.60", "0.00", "0.30"}),
        # at most 150 points are paid, 150 * 0.003 = 0.45; at least 500 are: 1.50
        (0.003, 2.0, {"pay_cap": 150.0}, "150 points", "2.45", {"0.45", "2.00", "2.23", "2.45"}),
        (0.003, 2.0, {"pay_floor": 500.0}, "500 points", "3.50", {"1.50", "2.00", "2.75", "3.50"}),
    ],
)
def test_the_payment_for_a_number_of_points_is_right_by_hand(
    rate, fee, options, points, right, all_options
):
    [question] = asked(rate, fee, **options)
    assert question["text"].startswith(
        f"Suppose you have earned {points} by the end. How much are you paid"
    )
    assert question["right"] == f"€{right}"
    assert {option.removeprefix("€") for option in question["options"]} == all_options
    assert question["options"].count(question["right"]) == 1


def test_without_a_value_of_points_nothing_is_asked_about_pay():
    assert asked(0.0, 2.0) == []
