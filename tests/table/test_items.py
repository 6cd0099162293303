"""Valid answers, and questions that are rejected when a session is created."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from mixed_company import engine
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.table.items import Item, problem
from mixed_company.table.options import Options
from mixed_company.table.questions import drawn, items_at, items_in, recorded
from mixed_company.table.setup import Setup, resolve, session_config

TEXT = {"name": "t", "text": "?", "when": "end", "type": "text", "length": 5}
NUMBER = {"name": "n", "text": "?", "when": "end", "type": "number"}
CHOICE = {"name": "c", "text": "?", "when": "end", "type": "choice", "options": ["a", "b"]}


def item(whole: dict[str, Any], **keys: Any) -> Item:
    return Item.model_validate({**whole, **keys})


@pytest.mark.parametrize(
    ("asked_for", "value"),
    [
        (item(NUMBER), 4),
        (item(NUMBER), -4.0),
        (item(NUMBER, least=1, most=2, step=0.1), 1.3),
        (item(NUMBER, least=0.5), 3.5),
        (item(NUMBER, step=0), 0.123),
        (item(NUMBER, step=0.3), 0.6),
        (item(NUMBER, step=0.3), -0.3),
        (item(CHOICE), 1),
        (item(CHOICE), 2),
        (item(TEXT), ""),
        (item(TEXT), "<b>&\n"),
        (item(TEXT), "åß∂😀"),
    ],
)
def test_valid_answers(asked_for, value):
    assert problem(asked_for, value) is None


@pytest.mark.parametrize(
    ("asked_for", "value", "why"),
    [
        (item(NUMBER), "4", "please enter a number"),
        (item(NUMBER), True, "please enter a number"),
        (item(NUMBER), float("nan"), "please enter a number"),
        (item(NUMBER), float("inf"), "please enter a number"),
        (item(NUMBER), 10**400, "please enter a number"),
        (item(NUMBER), 10**30, "please enter a number"),
        (item(NUMBER), -1e300, "please enter a number"),
        (item(NUMBER), [1], "please enter a number"),
        (item(NUMBER), {}, "please enter a number"),
        (item(NUMBER, least=1), 0, "please enter a number that is at least 1"),
        (item(NUMBER, most=1), 2, "please enter a number that is at most 1"),
        (item(NUMBER, least=1, most=2.5), 3, "please enter a number from 1 to 2.5"),
        (item(NUMBER), 0.5, "please enter a number in steps of 1"),
        (item(NUMBER, least=0.5, step=0.5), 0.75, "please enter a number in steps of 0.5"),
        (item(CHOICE), 0, "please choose one of the answers"),
        (item(CHOICE), 3, "please choose one of the answers"),
        (item(CHOICE), 1.0, "please choose one of the answers"),
        (item(CHOICE), True, "please choose one of the answers"),
        (item(CHOICE), "a", "please choose one of the answers"),
        (item(TEXT), 4, "please write an answer"),
        (item(TEXT), None, "please write an answer"),
        (item(TEXT), "123456", "please write at most 5 characters"),
        (item(TEXT), "a\0", "this text contains a character that cannot be saved"),
        (item(TEXT), "a\x1b", "this text contains a character that cannot be saved"),
        (item(TEXT), "\ud800", "this text contains a character that cannot be saved"),
    ],
)
def test_invalid_answers_with_the_reason(asked_for, value, why):
    assert problem(asked_for, value) == why


def test_a_large_number_in_small_steps_can_be_checked():
    assert problem(item(NUMBER, step=1e-300), 1e15) is None


# -- sessions ------------------------------------------------------------------------------------

BELIEF = {
    "name": "b",
    "text": "?",
    "every": 5,
    "type": "slider",
    "least": 0,
    "most": 12,
    "step": 0.5,
    "about": "others_mean",
    "action": "harvest",
    "pay": "binarised",
    "prize": 5,
}


def make_setup(*items: Any, game: str = "commons_game", **changes: Any) -> Setup:
    bots = {} if game == "commons_game" else {"bots": "random"}
    config = session_config("x", game, "lab", **bots, **changes, questions=json.dumps(items))
    return resolve(game, config, config)[0]


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"name": "1"}, "name = '1': should begin with a letter and contain at most 40 letters"),
        ({"name": ""}, "name = '': should begin with a letter"),
        ({"text": " "}, "text = ' ': should not be empty"),
        ({"text": {"xx": "?"}}, "text = 'xx': unknown language; one of: de, en, es, fr"),
        ({"text": {"de": "?"}}, "questions.b.text = ['de']: is missing in 'en'"),
        ({"type": "slidr"}, "type = 'slidr': should be 'number', 'slider', 'choice' or 'text'"),
        ({"typ": "slider"}, "typ = 'slider': unknown key; did you mean 'type'?"),
        (
            {"when": "end"},
            "when = 'end': set exactly one of when (before, after, end), periods and every",
        ),
        (
            {"every": 0},
            "when = '': set exactly one of when (before, after, end), periods and every",
        ),
        ({"every": 0, "periods": [-1]}, "periods = [-1]: should not be negative"),
        ({"every": 0, "periods": [3, 20]}, "periods = 20: periods are numbered 0 to 19"),
        ({"every": -1}, "every = -1: should be greater than or equal to 0"),
        ({"most": None}, "type = 'slider': set least and most"),
        ({"least": 12}, "least = 12.0: should be below most, 12.0"),
        ({"options": ["a", "b"]}, "options = ('a', 'b'): applies to choice, not slider"),
        (
            {"action": "harvst"},
            "action = 'harvst': not an action of commons_game that has a mean",
        ),
        ({"action": ""}, "action = '': should be set if and only if about = 'others_mean'"),
        ({"about": ""}, "action = 'harvest': applies only with about"),
        ({"about": "", "action": ""}, "pay = 'binarised': the right answer is undefined"),
        ({"seat": 1}, "seat = 1: should be set if and only if about = 'seat_action' or 'bot'"),
        ({"about": "bot", "action": "", "seat": 4}, "seat = 4: seats are numbered 0 to 3"),
        ({"prize": 0}, "prize = 0: should be above 0 points if an answer is paid"),
        ({"margin": 1}, "margin = 1.0: should be set if and only if pay = 'within'"),
        ({"pay": "within"}, "margin = None: should be set if and only if pay = 'within'"),
        ({"pay": "none"}, "prize = 5.0: applies only with pay"),
        ({"type": "number", "most": None}, "pay = 'binarised': depends on the largest"),
        (
            {"type": "choice", "options": ["a"]},
            "least = 0.0: applies to number and slider, not choice",
        ),
    ],
)
def test_a_question_is_refused_by_name(changes, why):
    with pytest.raises(ConfigError) as refused:
        make_setup({**BELIEF, **changes})
    assert str(refused.value).startswith("questions.")
    assert why in str(refused.value)


@pytest.mark.parametrize(
    ("asked_for", "why"),
    [
        (
            {**CHOICE, "options": ["a"]},
            "options: should be two or more, the same number in every language",
        ),
        (
            {**CHOICE, "options": {"en": ["a", "b"], "de": ["a", "b", "c"]}},
            "options: should be two or more, the same number in every language",
        ),
        (
            {**CHOICE, "about": "bots"},
            "about = 'bots': possible only in an item of type number or slider",
        ),
        ({**NUMBER, "about": "stock"}, "about = 'stock': can be asked only within periods"),
        (
            {**NUMBER, "when": "before", "about": "bots"},
            "cannot be asked before the group is formed",
        ),
        (
            {**NUMBER, "about": "bots", "pay": "within", "margin": 1, "prize": 1},
            "only answers within periods are paid",
        ),
        ({**TEXT, "length": 5001}, "length = 5001: should be less than or equal to 5000"),
        (7, "questions.0 = 7: should be a valid dictionary"),
        ("nowhere.toml", "questions = 'nowhere.toml': should be a list of questions, or a file"),
        ("/etc/passwd", "questions = '/etc/passwd': should be a list of questions, or a file"),
        ("../x.toml", "questions = '../x.toml': should be a list of questions, or a file"),
    ],
)
def test_a_question_of_another_kind_is_refused_by_name(asked_for, why):
    with pytest.raises(ConfigError) as refused:
        make_setup(asked_for)
    assert why in str(refused.value)


def test_two_questions_with_the_same_name_are_refused():
    with pytest.raises(ConfigError, match="questions = 'b': two questions have this name"):
        make_setup(BELIEF, BELIEF)


def test_by_the_clock_there_is_no_time_for_questions():
    with pytest.raises(ConfigError, match=r"questions\.b\.every = .*with pace 'clock'"):
        make_setup(BELIEF, pace="clock")


@pytest.mark.parametrize(("game", "field"), [("gem_mining", "mine"), ("sanctions", "harvest")])
def test_only_an_amount_has_a_mean(game, field):
    with pytest.raises(ConfigError, match=f"not an action of {game} that has a mean"):
        make_setup({**BELIEF, "action": field}, game=game)


NEXT = {
    "commons_game": {"about": "seat_action", "action": "harvest", "seat": 1},
    "sanctions": {"about": "seat_action", "action": "contribution", "seat": 1},
    "gem_mining": {"about": "others_choosing", "action": "mine", "choice": 4},
    "punishment_vote": {"about": "others_choosing", "action": "action", "choice": 4},
}


@pytest.mark.parametrize("game", engine.game_ids())
def test_in_every_game_a_belief_about_the_next_decision_of_others_can_be_paid(game):
    whole = {**BELIEF, **NEXT[game], "most": 30}
    assert make_setup(whole, game=game, pace="answers").options.questions[0].pay == "binarised"
    if "choice" in whole:
        with pytest.raises(ConfigError, match=r"choice = 77: options are 0 to \d+"):
            make_setup({**whole, "choice": 77}, game=game, pace="answers")
        others = engine.make(game, archetype="lab").seats - 1
        assert make_setup({**whole, "most": others}, game=game, pace="answers").options.questions
        with pytest.raises(ConfigError, match="because all the others can choose this option"):
            make_setup({**whole, "most": others - 1}, game=game, pace="answers")
        with pytest.raises(ConfigError, match=f"not an action of {game} with options"):
            make_setup({**whole, "action": "harvest"}, game=game, pace="answers")


def test_a_game_without_a_stock_cannot_be_asked_about_it():
    with pytest.raises(ConfigError, match="gem_mining has no stock"):
        make_setup({**BELIEF, "about": "stock", "action": ""}, game="gem_mining")


BOTS = {**NUMBER, "when": "", "every": 1, "least": 0, "about": "bots"}


@pytest.mark.parametrize(
    ("disclosure", "changes", "why"),
    [
        ("labels", {}, "disclosure 'labels' already gives the answer"),
        ("labels", {"about": "bot", "seat": 1}, "disclosure 'labels' already gives the answer"),
        ("count", {}, "disclosure 'count' already gives the answer"),
        ("count", {"about": "bot", "seat": 1}, ""),
        ("possible", {}, ""),
        ("possible", {"pay": "within", "margin": 0, "prize": 1}, ""),
        ("none", {}, "with disclosure 'none' bots are not mentioned during the play"),
        ("none", {"when": "after", "every": 0}, ""),
        (
            "possible",
            {"most": 2},
            "most = 2.0: should be at least 3, because all the others can be bots",
        ),
    ],
)
def test_nobody_is_asked_about_bots_if_that_is_disclosed_or_must_not_be(disclosure, changes, why):
    if not why:
        assert make_setup({**BOTS, **changes}, disclosure=disclosure).options.questions
        return
    with pytest.raises(ConfigError, match=why):
        make_setup({**BOTS, **changes}, disclosure=disclosure)


def test_paid_questions_about_bots_are_never_asked_if_nothing_is_disclosed():
    """A prize reveals the correct answer, so disclosure `none` does not allow it."""
    paid = {**BOTS, "pay": "within", "margin": 0, "prize": 1}
    for when in ({}, {"when": "after", "every": 0}, {"when": "end", "every": 0}):
        with pytest.raises(ConfigError):
            make_setup({**paid, **when}, disclosure="none")


# -- files and times -----------------------------------------------------------------------------


def test_a_questionnaire_is_available_in_all_languages():
    for language in ("en", "de", "es", "fr"):
        options = make_setup("questions/questionnaire.toml", language=language).options
        names = [item.name for item in items_at(options, "end")]
        assert names == ["age", "gender", "field_of_study", "remarks"]
        assert len({item.worded(language) for item in options.questions}) == 4


def test_questions_that_were_read_are_kept_and_stay_the_same_when_read_again():
    ready = ("questions/mini_ipip_agreeableness.toml", "questions/questionnaire.toml")
    setup = make_setup(BELIEF, *ready)
    assert len(setup.options.questions) == 1 + 4 + 4
    assert Setup.model_validate_json(setup.model_dump_json()) == setup


def test_the_name_of_a_file_is_enough(tmp_path, monkeypatch):
    (tmp_path / "mine.toml").write_text('[[questions]]\nname = "m"\ntext = "?"\nwhen = "after"\n')
    monkeypatch.chdir(tmp_path)
    config = session_config("x", "commons_game", "lab", questions="mine.toml")
    with pytest.raises(ConfigError, match="type: is missing"):
        resolve("commons_game", config, config)
    (tmp_path / "mine.toml").write_text("[[questions")
    with pytest.raises(ConfigError, match=r"mine\.toml': not valid TOML"):
        resolve("commons_game", config, config)
    (tmp_path / "mine.toml").write_text("title = 'x'")
    with pytest.raises(ConfigError, match=r"mine\.toml': no \[\[questions\]\]"):
        resolve("commons_game", config, config)


def test_each_question_is_asked_of_the_right_people_at_the_right_time():
    about_seat = {**BOTS, "name": "s", "about": "bot", "seat": 1, "every": 0, "periods": [0, 3]}
    options = Options(questions=[BELIEF, about_seat])
    asked_for = {
        period: [[item.name for item in items_in(options, seat, period)] for seat in (0, 1)]
        for period in (0, 1, 3, 5)
    }
    assert asked_for == {0: [["b", "s"], ["b"]], 1: [[], []], 3: [["s"], []], 5: [["b"], ["b"]]}


def test_an_option_is_written_in_the_first_of_its_languages():
    asked_for = item(CHOICE, options={"de": ["ja", "nein"], "en": ["yes", "no"]})
    assert asked_for.written(2) == "nein"
    assert asked_for.listed("en") == ("yes", "no")
    assert item(NUMBER).written(2.5) == "2.5"


def test_a_session_without_questions_has_no_trace_of_them():
    assert Options().questions == ()
    assert make_setup().options.model_dump(mode="json")["questions"] == []


@pytest.mark.parametrize(
    "asked_for",
    [
        item(NUMBER),
        item(NUMBER, least=3),
        item(NUMBER, most=-3),
        item(NUMBER, least=0.5, most=2, step=0.5),
        item(NUMBER, least=0, most=1, step=0),
        item(CHOICE),
        item(TEXT),
    ],
)
def test_a_scripted_person_gives_only_valid_answers(asked_for):
    rng = np.random.default_rng(7)
    answers = [drawn(asked_for, rng) for _ in range(50)]
    assert [problem(asked_for, value) for value in answers] == [None] * 50
    assert asked_for.type == "text" or len(set(answers)) > 1


def test_every_valid_answer_can_be_drawn_and_no_other():
    rng = np.random.default_rng(5)
    steps, choice = item(NUMBER, least=0, most=1, step=0.5), item(CHOICE)
    assert {drawn(steps, rng) for _ in range(100)} == {0, 0.5, 1}
    assert {drawn(choice, rng) for _ in range(100)} == {1, 2}
    for ends in ({"least": 5}, {"most": 15}, {"least": 5, "most": 15}):
        assert {drawn(item(NUMBER, step=1, **ends), rng) for _ in range(300)} == set(range(5, 16))
        among = [drawn(item(NUMBER, **ends), rng) for _ in range(300)]
        assert all(5 <= value <= 15 for value in among)
        assert max(among) - min(among) > 9


def test_a_question_is_recorded_as_asked_without_unset_keys():
    options = Options.model_validate({"questions": [TEXT, CHOICE]})
    written = json.loads(options.model_dump_json())["questions"]
    assert written == [TEXT, CHOICE]
    assert recorded(written).questions == options.questions
    with pytest.raises(ConfigError, match="questions"):
        recorded([{"name": "t"}])


def test_a_page_asks_its_own_questions_and_nobody_about_their_own_seat():
    after = {"name": "a", "text": "?", "when": "after", "type": "number"}
    of_seat = {**NUMBER, "about": "bot", "seat": 1}
    options = Options.model_validate({"questions": [after, of_seat]})
    expected = {
        (when, seat): [item.name for item in items_at(options, when, seat)]
        for when in ("before", "after", "end")
        for seat in (-1, 0, 1)
    }
    assert {place: names for place, names in expected.items() if names} == {
        **{("after", seat): ["a"] for seat in (-1, 0, 1)},
        **{("end", seat): ["n"] for seat in (-1, 0)},
    }
