"""Quiz, questions, blocks and results: what pages show, reject and keep, with people in memory."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from mixed_company.server.pages import (
    asking,
    blocks,
    instructions,
    money,
    play,
    questions,
    quiz,
    results,
    texts,
)
from mixed_company.server.pages import notice as notices
from mixed_company.server.pages.handed_in import handed_in
from mixed_company.server.pages.notice import notice
from mixed_company.table.items import Item
from mixed_company.table.options import Options


def person(**attributes: Any) -> Any:
    return SimpleNamespace(**{"status": "arriving", "seat": 0, "subsession": "s", **attributes})


def options(monkeypatch: pytest.MonkeyPatch, module: Any, **chosen: Any) -> None:
    setup = SimpleNamespace(options=Options(**chosen))
    monkeypatch.setattr(module, "setup_of", lambda player: setup)


def clock_at(monkeypatch: pytest.MonkeyPatch, module: Any, now: int) -> None:
    monkeypatch.setattr(module, "clock", SimpleNamespace(now_ms=lambda: now))


# -- the quiz --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "has_quiz", "again", "shown"),
    [
        ("arriving", True, False, True),
        ("arriving", False, False, False),
        ("arriving", True, True, False),
        ("seated", True, False, False),
    ],
)
def test_the_quiz_is_for_newcomers_who_have_not_read_the_rules_before(
    monkeypatch, status, has_quiz, again, shown
):
    options(monkeypatch, quiz, quiz=has_quiz)
    monkeypatch.setattr(quiz, "again", lambda player: again)
    assert quiz.Quiz.is_displayed(person(status=status)) is shown


# -- pages of questions ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pair", "answer"),
    [
        ([5, 20], (5, 20)),
        ([5, -20], (5, 0)),
        ([5, True], (5, 0)),
        ([5, "20"], (5, 0)),
        ([0, 1], (0, 1)),
        ([None, 20], (None, 0)),
        (["", 20], (None, 0)),
        ([5], (None, 0)),
        ([5, 20, 1], (None, 0)),
        ("ab", (None, 0)),
        (None, (None, 0)),
    ],
)
def test_an_answer_is_submitted_with_its_age(pair, answer):
    assert questions._answer(pair) == answer


NUMBER = Item(name="n", text="How many?", when="after", type="number", least=0, most=9)
FREE = Item(name="t", text="Why?", when="after", type="text", length=4, required=False)


BEFORE = {"n": [3, 700], "t": ["yes", 800]}
LONG = "please write at most 4 characters"
NONE = "Please answer this question."


@pytest.mark.parametrize(
    ("before", "sent", "answered", "refused"),
    [
        ({}, {"n": [5, 20]}, {"n": [5, 980]}, {}),
        ({}, {"n": [5, 600]}, {"n": [5, 500]}, {}),  # not before it was shown
        (BEFORE, {"n": [3, 20], "t": ["yes", 5]}, BEFORE, {}),  # as answered before
        (BEFORE, {"n": [5, 20], "t": ["", 1]}, {"n": [5, 980]}, {}),
        ({}, {"n": [5, 20], "t": ["long one", 1]}, {"n": [5, 980]}, {"t": LONG}),
        ({}, {"n": [None, 0], "t": ["no", 1]}, {"t": ["no", 999]}, {"n": NONE}),
    ],
)
def test_valid_answers_are_kept_and_refused_ones_reported(
    monkeypatch, before, sent, answered, refused
):
    clock_at(monkeypatch, questions, 1000)
    options(monkeypatch, questions, questions=[NUMBER, FREE])
    shown = {"after": 500, "before": 900}
    kept = {"given": before, "shown": shown, "refused": {"x": "why"}}
    player = person(answers=json.dumps(kept))
    message = questions.QuestionsAfter.error_message(player, {"handed_answers": json.dumps(sent)})
    assert message == ("Please check the marked questions." if refused else None)
    assert json.loads(player.answers) == {"given": answered, "shown": shown, "refused": refused}
    player.handed_answers = "something"
    questions.QuestionsAfter.before_next_page(player, False)
    assert player.handed_answers == ""


def test_a_page_of_questions_gets_the_kept_and_the_refused_answers(monkeypatch):
    clock_at(monkeypatch, questions, 1000)
    options(monkeypatch, questions, questions=[NUMBER, FREE])
    monkeypatch.setattr(questions.Questionnaire, "frame", classmethod(lambda cls, player: {"f": 1}))
    monkeypatch.setattr(
        questions.QuestionsAfter, "frame", classmethod(lambda cls, player: {"f": 1})
    )
    answered = {"n": [4, 800], "other": [1, 2]}
    player = person(answers=json.dumps({"given": answered, "refused": {"t": "why"}}))
    shown = questions.QuestionsAfter.vars_for_template(player)
    data = {
        "items": asking.described([NUMBER, FREE]),
        "given": {"n": 4},
        "refused": {"t": "why"},
        "texts": questions._words("after"),
    }
    assert shown == {"f": 1, "title": "Some questions", "asking": asking.attribute(data)}
    assert json.loads(player.answers)["shown"] == {"after": 1000}
    clock_at(monkeypatch, questions, 2000)
    questions.QuestionsAfter.vars_for_template(player)
    assert json.loads(player.answers)["shown"] == {"after": 1000}
    last = questions.Questionnaire.vars_for_template(person(answers="{}"))
    assert last["title"] == "Some questions about you"


@pytest.mark.parametrize(
    ("status", "seat", "came", "goes_on", "shown"),
    [
        ("finished", 0, True, False, (False, True, True)),
        ("finished", 0, True, True, (False, True, False)),
        ("finished", 0, False, False, (False, True, False)),
        ("left", 0, True, False, (False, True, True)),
        ("excluded", 0, True, False, (False, False, False)),
        ("finished", -1, True, False, (False, False, False)),
        ("arriving", -1, True, False, (True, False, False)),
    ],
)
def test_questions_are_for_people_who_begin_and_for_paid_players(
    monkeypatch, status, seat, came, goes_on, shown
):
    items = [
        NUMBER.model_copy(update={"when": when, "name": when})
        for when in ("before", "after", "end")
    ]
    options(monkeypatch, questions, questions=items)
    monkeypatch.setattr(questions, "planned_of", lambda subsession: f"plan of {subsession}")
    monkeypatch.setattr(questions, "has_come", lambda player: came)
    monkeypatch.setattr(questions, "goes_on", lambda player, plan: goes_on and plan == "plan of s")
    pages = (questions.QuestionsBefore, questions.QuestionsAfter, questions.Questionnaire)
    player = person(status=status, seat=seat)
    assert tuple(page.is_displayed(player) for page in pages) == shown
    options(monkeypatch, questions)
    assert not any(page.is_displayed(player) for page in pages)


GUESS = {"name": "g", "text": "How <much>?", "type": "slider", "least": 2, "most": 12, "every": 1}
BELIEF = {**GUESS, "about": "others_mean", "action": "harvest"}


@pytest.mark.parametrize(
    ("pay", "note"),
    [
        ({}, ""),
        (
            {"pay": "within", "margin": 0, "prize": 1},
            "You win 1 point if your answer is exactly right.",
        ),
        (
            {"pay": "within", "margin": 0.5, "prize": 2},
            "You win 2 points if your answer is off by at most 0.5.",
        ),
        (
            {"pay": "binarised", "prize": 3},
            "You can win 3 points. The closer your answer is, the more likely you are to win. If "
            "it is exactly right, you win for sure. If it is off by 5, your chance of winning "
            "is 75%. If it is off by 10, you never win.",
        ),
    ],
)
def test_the_payment_of_an_answer_is_described_with_its_question(pay, note):
    item = Item(**BELIEF, **pay)
    assert asking.pay_note(item) == note
    assert asking.described([item]) == [
        {
            "name": "g",
            "type": "slider",
            "least": 2.0,
            "most": 12.0,
            "required": True,
            "step": 1.0,
            "length": 500,
            "text": "How <much>?",
            "options": (),
            "note": note,
        }
    ]
    within = [
        "You are also asked questions before you decide. No other player sees your answers, and "
        "your answers do not affect the game."
    ]
    if note:
        within.append(
            f"\N{LEFT DOUBLE QUOTATION MARK}How &lt;much&gt;?\N{RIGHT DOUBLE QUOTATION MARK} {note}"
        )
    if pay.get("pay") == "binarised":
        within.append(
            "So it is best to give the number that you really expect on average. Chance then "
            "decides whether you win."
        )
    if note:
        within.append("At the end you see what your answers earned, together with your points.")
    assert asking.sentences(Options(questions=[item, NUMBER])) == within
    assert asking.sentences(Options(questions=[NUMBER])) == []


def test_a_seat_is_not_asked_about_itself():
    about = {**GUESS, "about": "seat_action", "action": "harvest", "seat": 1}
    chosen = Options(questions=[Item(**about), NUMBER])
    assert asking.in_play(chosen, 0) == asking.attribute(asking.described([chosen.questions[0]]))
    assert asking.in_play(chosen, 1) == asking.in_play(Options(questions=[NUMBER]), 0) == ""
    choice = Item(name="c", text="?", when="end", type="choice", options=["no", "yes"])
    assert asking.described([choice])[0]["options"] == ("no", "yes")
    assert asking.attribute(['<"']) == "[&quot;&lt;\\&quot;&quot;]"


# -- parts of a session ----------------------------------------------------------------------


def test_the_points_of_each_part_are_listed_with_winnings_from_answers(monkeypatch):
    def played(number: int, points: float, won: float = 0.0, seat: int = 0) -> Any:
        subsession = SimpleNamespace(part_number=number) if number else None
        name = {"points": points, "question_points": won, "get_folder_name": lambda: "game_2"}
        return SimpleNamespace(subsession=subsession, seat=seat, **name)

    players = [played(1, 1.25, 2.0), played(2, 9.0, seat=-1), played(0, 8.0), played(3, 4.0)]
    monkeypatch.setattr(blocks, "reached_by", {"person": players}.__getitem__)
    monkeypatch.setattr(blocks, "planned_of", lambda subsession: subsession)
    monkeypatch.setattr(blocks, "game_of", lambda app: app.removesuffix("_2"))
    monkeypatch.setattr(blocks, "guide_of", {"game": SimpleNamespace(digits=2)}.__getitem__)
    plan: Any = SimpleNamespace(blocks=["a", "b"])
    assert blocks.earned(SimpleNamespace(participant="person"), plan) == [
        {"name": "Part 1", "sum": "1.25"},
        {"name": "Part 1, answers to questions", "sum": "2"},
        {"name": "Part 3", "sum": "4"},
    ]


def part(lines: list[str], table: Any = (), title: str = "") -> dict[str, Any]:
    return {"title": title, "lines": lines, "table": list(table)}


READ = [part(["a", "b"], ["t"], "One"), part(["c"], (), "Two")]


@pytest.mark.parametrize(
    ("now", "new"),
    [
        (READ, []),
        ([part(["b", "d"], ["t"], "One")], [part(["d"], (), "One")]),
        ([part(["a"], ["u"], "One")], [part([], ["u"], "One")]),
        ([part(["e"], ["u"], "New"), READ[1]], [part(["e"], ["u"], "New")]),
    ],
)
def test_a_sentence_that_people_have_read_is_not_new(now, new):
    assert blocks._only(now, READ) == new


@pytest.mark.parametrize(
    ("is_known", "text", "now", "lines"),
    [
        (True, "", READ, ["The rules are the same as before."]),
        (
            True,
            "",
            READ[:1],
            ["Some rules have changed. The instructions explain the rules that apply now."],
        ),
        (True, "Look.\n\nNow.", READ, ["Look.", "Now."]),
        (False, "", READ, []),
        (False, "Look.", READ, ["Look."]),
    ],
)
def test_before_a_part_people_read_what_is_different_in_it(monkeypatch, is_known, text, now, lines):
    course = SimpleNamespace(matching="partners")
    about = {"known": is_known, "instructions": {"T": text}}
    about |= {"part_number": 2, "part_names": ["a", "b"]}
    planned = SimpleNamespace(course=course, **about)

    def of(name: str, **more: Any) -> Any:
        return person(name=name, treatment="T", get_folder_name=lambda: name, **more)

    before = [of("commons_game"), of("commons_game_2"), of("gem_mining_3")]
    screens = {
        "commons_game_4": [{"sections": now[:1]}, {"sections": now[1:]}],
        "commons_game_2": [{"sections": READ}],
    }
    monkeypatch.setattr(blocks, "planned_of", lambda subsession: planned)
    monkeypatch.setattr(blocks, "earlier", lambda player: before)
    page = blocks.NextBlock
    monkeypatch.setattr(page, "frame", classmethod(lambda cls, player: {"frame": player.name}))
    monkeypatch.setattr(page, "rules", classmethod(lambda cls, player: screens[player.name]))
    assert page.vars_for_template(of("commons_game_4")) == {
        "frame": "commons_game_4",
        "title": "Part 2 of 2",
        "lines": [*lines, "You are in the same group as before."],
        "new_title": "New in the instructions",
        "new": [],
        "gone_title": "No longer in the instructions",
        "gone": READ[1:] if now == READ[:1] else [],
        "again": "Show the instructions again",
        "screens": screens["commons_game_4"] if is_known else [],
    }


NEW, SAME = SimpleNamespace(continues=False), SimpleNamespace(continues=True)


@pytest.mark.parametrize(
    ("plan", "status", "shown"),
    [
        (NEW, "arriving", True),
        (SAME, "arriving", False),
        (None, "arriving", False),
        (NEW, "seated", False),
    ],
)
def test_a_person_who_reaches_a_part_of_a_plan_reads_about_it_and_brings_earlier_values(
    monkeypatch, plan, status, shown
):
    monkeypatch.setattr(blocks, "carry", lambda player: setattr(player, "status", status))
    monkeypatch.setattr(blocks, "planned_of", lambda subsession: subsession)
    player = person(status="other", subsession=plan)
    assert blocks.NextBlock.is_displayed(player) is shown
    assert blocks.NextBlock.hurry(player) is True


# -- results ---------------------------------------------------------------------------------


def row(seat: str, **components: list[float]) -> dict[str, Any]:
    other = {"occupant": "policy"}
    return {"kind": "period", "seats": [other, {"occupant": seat}], "components": components}


def test_points_consist_of_the_parts_of_the_person_s_own_periods():
    log = [
        row("person", a=[9, 1.5], b=[9, 0.0]),
        {"kind": "event"},
        row("policy", a=[9, 9.0], b=[9, 9.0]),
        row("out", a=[9, 2.0], b=[9, 0.0]),
    ]
    assert results.parts(log, 1, {"a": "Of fish"}, 1) == [{"name": "Of fish", "sum": "3.5"}]
    nothing = [row("person", a=[9, 0.0], b=[9, 0.0], c=[0.0, 0.0])]
    assert results.parts(nothing, 1, {"a": "Of fish"}, 1) == [
        {"name": "Of fish", "sum": "0"},
        {"name": "b", "sum": "0"},
    ]
    nobody = [row("person", a=[0.0, 0.0], b=[0.0, 0.0])]
    assert results.parts(nobody, 1, {"a": "Of fish"}, 1) == [{"name": "Of fish", "sum": "0"}]
    assert results.parts([], 1, {}, 1) == []
    details = [{"title": "T", "heads": ["h"], "rows": [["x", 1, 2]]}]
    row_heads = [{"head": "x", "cells": [1, 2]}]
    assert results.tables(details) == [
        {"title": "T", "heads": ["h"], "rows": row_heads, "is_long": False}
    ]


WON = "Your answers to the questions earned 2 points."
STOOD_IN = "A stand-in decided for you in 1 of 2 periods. What the stand-in earned does not count."


@pytest.mark.parametrize(
    ("points", "won", "status", "chosen", "sentences"),
    [
        (5.0, 0.0, "finished", {}, []),
        (
            5.0,
            2.0,
            "finished",
            {"paid": "within"},
            ["Your answers to the questions earned 2 points."],
        ),
        (5.0, 2.0, "finished", {"paid": "none"}, []),
        (5.0, 2.0, "finished", {"pay_cap": 7.0}, []),
        (
            5.0,
            2.5,
            "finished",
            {"pay_cap": 7.0},
            ["You are paid for only 7 points. That is the maximum."],
        ),
        (5.0, 2.0, "finished", {"pay_floor": 7.0}, []),
        (
            5.0,
            1.5,
            "finished",
            {"pay_floor": 7.0},
            ["You are paid for 7 points. That is the minimum."],
        ),
        (5.0, 1.5, "excluded", {"pay_floor": 7.0, "paid": "within"}, []),
    ],
)
@pytest.mark.parametrize("policy", [False, True])
def test_the_other_parts_of_the_payment_are_described_for_people_who_are_paid(
    points, won, status, chosen, sentences, policy
):
    merged = {"pay_cap": 0.0, "pay_floor": 0.0, "paid": "none", **chosen}
    merged["questions"] = [SimpleNamespace(pay="none"), SimpleNamespace(pay=merged.pop("paid"))]
    table: Any = SimpleNamespace(
        seats=[SimpleNamespace(points=0.0), SimpleNamespace(points=points)],
        options=SimpleNamespace(**merged),
        status=["no", status].__getitem__,
        replies=SimpleNamespace(won=[0.0, won].__getitem__),
    )
    log = [row("person"), {"kind": "event"}, row("policy" if policy else "person")]
    assert results.notes(table, log, 1) == [*([STOOD_IN] if policy else []), *sentences]


@pytest.mark.parametrize(
    ("points", "sentence"),
    [
        (-3.0, "This part counts as 0 points. That is the minimum."),
        (9.0, "This part counts as only 7 points. That is the maximum."),
    ],
)
def test_a_limit_is_one_of_the_part_if_there_are_several(points, sentence):
    """The payment for all parts can exceed the minimum even if this part is below it."""
    limits = {"pay_cap": 7.0, "pay_floor": 0.0, "questions": []}
    table: Any = SimpleNamespace(
        seats=[SimpleNamespace(points=points)],
        options=SimpleNamespace(**limits),
        status=["finished"].__getitem__,
        replies=SimpleNamespace(won=[0.0].__getitem__),
    )
    assert results.notes(table, [], 0, in_blocks=True) == [sentence]


@pytest.mark.parametrize(
    ("seat", "ledger", "shown"),
    [
        (0, {"fee": 0.0, "points": 0.0}, []),
        (0, {"fee": 2.0, "points": 0.0, "waiting": 0.0}, ["fee", "points"]),
        (-1, {"fee": 2.0, "points": 0.0, "waiting": 0.5}, ["fee", "waiting"]),
    ],
)
def test_the_origin_of_each_cent_is_described(monkeypatch, seat, ledger, shown):
    monkeypatch.setattr(results, "whole_ledger", lambda player: ledger)
    monkeypatch.setattr(results, "total", lambda parts: sum(parts.values()))
    words = {f"pay_{name}": name for name in ledger}
    listed = [{"name": name, "sum": money.written(ledger[name])} for name in shown]
    assert results.cents(person(seat=seat), words) == listed


# -- sentences -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (1.25, 2, "1.25"),
        (2.0, 2, "2"),
        (2.04, 1, "2"),
        (-0.001, 1, "0"),
        (-1.5, 1, "\N{MINUS SIGN}1.5"),
        (20.0, 0, "20"),
        (100.0, 1, "100"),
    ],
)
def test_a_result_has_a_fixed_number_of_digits_or_none(value, digits, text):
    assert texts.number(value, digits) == text


@pytest.mark.parametrize(
    ("chosen", "rate", "lines"),
    [
        ({}, "1 point = 5", ["1 point = 5. You are paid 2 for taking part."]),
        ({}, "", ["Points are not worth any money. You are paid 2 for taking part."]),
        (
            {"pay_cap": 9.0, "pay_floor": 1.0},
            "r",
            [
                "r. You are paid 2 for taking part.",
                "You are paid for at most 9 points.",
                "You are paid for at least 1 point.",
            ],
        ),
    ],
)
def test_the_value_of_points_is_described_with_its_limits(chosen, rate, lines):
    assert instructions.payment(Options(**chosen), rate, "2") == lines


@pytest.mark.parametrize("text", [None, "", "{", "[1]", "1", 7, "[" * 100_000])
def test_a_value_that_is_not_an_object_is_read_as_nothing(text):
    assert handed_in(text) == {}
    assert handed_in('{"a": 1}') == {"a": 1}


# -- pages with one message ------------------------------------------------------------------


def test_a_page_with_one_message_escapes_what_others_wrote(monkeypatch):
    monkeypatch.setattr(notices, "render", lambda template, shown: (template, shown))
    plain = {"language": "en", "sends": False, "fields": [], "seconds": 0, "sentence": ""}
    page: Any = notice({"title": "T", "lead": "L"})
    empty = {"what_to_do": "", "link": "", "button": ""}
    assert page == ("mixed/Notice.html", {**plain, **empty, "title": "T", "lead": "L"})
    words = {"title": "T", "lead": "L", "what_to_do": "W"}
    page = notice(words, "/<", "B", sentence="<", form=[("<a", "b&")], seconds=3)
    assert page[1] == {
        **words,
        "language": "en",
        "sentence": "&lt;",
        "link": "/&lt;",
        "button": "B",
        "seconds": 3,
        "sends": True,
        "fields": [{"name": "&lt;a", "value": "b&amp;"}],
    }
    page = notice(words, form=[])
    assert (page[1]["sends"], page[1]["fields"]) == (True, [])


AGAIN = "Please load the page again. If that does not help, tell the person who invited you."
WRONG = {"title": "Something went wrong", "what_to_do": AGAIN}
SOON = {"title": "One moment, please", "what_to_do": ""}


# -- the practice ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "parted", "left"),
    [("arriving", False, False), ("arriving", True, True), ("released", False, True)],
)
def test_a_practice_is_left_when_it_is_over_or_the_person_is_released(
    monkeypatch, status, parted, left
):
    table = SimpleNamespace(people=[2], parted={2: parted}.__getitem__)
    ended = SimpleNamespace(periods=3, decisions=[{"a": 1}])
    practices = SimpleNamespace(
        of=lambda player: SimpleNamespace(table=table), end=lambda player: ended
    )
    monkeypatch.setattr(play, "practices", practices)
    player = person(status=status)
    message = play.Practice.error_message(player, {})
    assert message == (None if left else "The practice is not over yet.")
    play.Practice.before_next_page(player, False)
    assert (player.practised_periods, player.practice_log) == (3, '[{"a": 1}]')
    assert play.Practice.hurry(player) is True


@pytest.mark.parametrize(
    ("periods", "again", "status", "shown"),
    [(1, False, "arriving", True), (0, False, "arriving", False), (1, True, "arriving", False)]
    + [(1, False, "seated", False)],
)
def test_a_practice_is_for_newcomers_who_play_a_game_first(
    monkeypatch, periods, again, status, shown
):
    options(monkeypatch, play, practice_periods=periods)
    monkeypatch.setattr(play, "again", lambda player: again)
    assert play.Practice.is_displayed(person(status=status)) is shown
