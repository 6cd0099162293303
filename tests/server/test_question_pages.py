"""Pages with questions, and questions next to decisions, requested in this process."""

from __future__ import annotations

import html
import json
import re
from typing import Any

from mixed_company.server.pages import asking, wording
from mixed_company.table.items import Item
from mixed_company.table.options import Options
from tests.server.inside import Session, Visitor, inside

__all__ = ["inside"]  # a fixture

BEFORE = {"name": "b", "text": "Before <1>?", "when": "before", "type": "number", "least": 0}
AFTER: list[dict[str, Any]] = [
    {"name": "t", "text": "Why?", "when": "after", "type": "text", "length": 9, "required": False},
    {"name": "c", "text": "Content?", "when": "after", "type": "choice", "options": ["no", "yes"]},
]
OTHERS: dict[str, Any] = {
    "name": "others",
    "text": "Others?",
    "every": 2,
    "type": "slider",
    "least": 0,
    "most": 12,
    "about": "others_mean",
    "action": "harvest",
    "pay": "within",
    "margin": 12,
    "prize": 4,
}
WHOLE: dict[str, Any] = {
    "seed": "3",
    "periods": 3,
    "quiz": False,
    "comments": True,
    "participation_fee": 2.0,
    "real_world_currency_per_point": 0.1,
}


def visitor(*items: Any, **changes: Any) -> Visitor:
    """Return a visitor of a session that asks these questions."""
    session = Session("commons", 1, **{**WHOLE, **changes}, questions=json.dumps(items))
    return session.people[0].come()


def hand_in(person: Visitor, **answers: Any) -> Visitor:
    """Submit answers, each given one second ago."""
    pairs = {name: [value, 1000] for name, value in answers.items()}
    return person.send(handed_answers=json.dumps(pairs))


def sent(person: Visitor) -> dict[str, Any]:
    """Return the data of a question page's script, or the play page's data for questions."""
    marked = re.search(r'data-(asking|items)="([^"]*)"', person.text)
    assert marked is not None
    data = json.loads(html.unescape(marked[2]))
    return data if marked[1] == "asking" else {"items": data}


def kept(person: Visitor) -> dict[str, Any]:
    answers: dict[str, Any] = json.loads(person.player().answers)
    return answers


def answer(person: Visitor, name: str, value: Any, period: int) -> dict[str, Any]:
    """Return the reply to a play page that sends an answer."""
    from mixed_company.server import live

    message = {"kind": "answer", "id": f"{name} {period} {value}", "period": period}
    player = person.player()
    replies = live.play(player, {**message, "question": name, "value": value})
    reply: dict[str, Any] = replies[player.id_in_group]
    return reply


def test_a_person_is_asked_before_during_and_after_the_play_and_paid_for_answers(inside):
    ann = visitor(BEFORE, OTHERS, *AFTER, "questions/questionnaire.toml")
    assert "&ldquo;" not in ann.text
    assert "\N{LEFT DOUBLE QUOTATION MARK}Others?\N{RIGHT DOUBLE QUOTATION MARK}" in ann.text
    assert "You win 4 points if your answer is off by at most 12." in ann.text
    assert ann.send().page == "QuestionsBefore"
    assert [item["text"] for item in sent(ann)["items"]] == ["Before <1>?"]
    assert hand_in(ann, b=7).page == "Play"
    assert [item["name"] for item in sent(ann)["items"]] == ["others"]
    assert 'id="questions"' in ann.text
    ann.play(0)  # only to connect
    assert answer(ann, "others", 13, 0)["reason"] == "please enter a number from 0 to 12"
    assert answer(ann, "others", 2, 0)["kind"] == "ack"
    ann.play(2, harvest=3.0)
    answer(ann, "others", 2, 2)
    ann.play(harvest=3.0)
    assert ann.come().page == "QuestionsAfter"
    assert hand_in(ann, c=2).page == "Comments"
    assert ann.send(comments="").page == "Questionnaire"
    assert hand_in(ann, age=33).page == "Results"
    assert "Your answers to the questions earned 8 points." in ann.text
    player = ann.player()
    # 3 fish in each of 3 periods, and 4 points for each of 2 answers, at 0.1, and 2.00
    assert (player.points, player.question_points, float(player.payoff)) == (9.0, 8.0, 17.0)
    assert wording.results()["pay_questions"] in ann.text
    assert "€3.70" in ann.text
    answers = kept(ann)["given"]
    assert {name: pair[0] for name, pair in answers.items()} == {"b": 7, "c": 2, "age": 33}
    shown = kept(ann)["shown"]
    assert list(shown) == ["before", "after", "end"]
    assert all(pair[1] >= shown["before"] for pair in answers.values())


def test_without_questions_there_is_no_page_and_no_word_about_them(inside):
    [ann] = Session("commons", 1, **{**WHOLE, "comments": False}).people
    assert wording_of_questions() not in ann.come().text
    assert ann.send().page == "Play"
    assert 'id="questions"' not in ann.text
    ann.play(harvest=1.0)
    assert ann.come().page == "Results"
    assert wording.results()["pay_questions"] not in ann.text
    assert "answers to the questions" not in ann.text


def wording_of_questions() -> str:

    return asking.sentences(Options(questions=[OTHERS]))[0]


REFUSED = [
    "",
    "{",
    "[" * 10_000,
    "[]",
    "7",
    '{"c": 2}',
    '{"c": [2]}',
    '{"c": [2, 1, 1]}',
    '{"c": [null, 1]}',
    '{"c": ["", 1]}',
    '{"c": [0, 1]}',
    '{"c": [3, 1]}',
    '{"c": [true, 1]}',
    '{"c": ["yes", 1]}',
    '{"c": [[], 1]}',
    '{"c": [NaN, 1]}',
    '{"c": [2, 1], "t": ["1234567890", 1]}',
    '{"c": [2, 1], "t": ["a\\u0000", 1]}',
    '{"c": [2, 1], "t": ["\\ud800", 1]}',
    '{"c": [2, 1], "t": [4, 1]}',
]


def test_a_page_is_shown_again_if_an_answer_is_missing_or_invalid(inside):
    ann = visitor(*AFTER)
    ann.send().play(harvest=1.0)
    assert ann.come().page == "QuestionsAfter"
    for handed in REFUSED:
        ann.send(handed_answers=handed)
        assert ann.page == "QuestionsAfter"
        assert "Please check the marked questions." in ann.text, handed
        (name,) = sent(ann)["refused"]
        assert name == ("t" if '"t"' in handed else "c"), handed
        assert name not in sent(ann)["given"]
    assert hand_in(ann, c=1).page == "Comments"


def test_an_impossible_time_is_replaced_by_that_of_the_page(inside):
    ann = visitor(BEFORE)
    ann.send()
    shown = kept(ann)["shown"]["before"]
    for ago in (10**18, -(10**18), "x", None, True):
        ann.send(handed_answers=json.dumps({"b": [7, ago]}))
    value, at_ms = kept(ann)["given"]["b"]
    assert value == 7
    assert shown <= at_ms


def test_questions_for_nobody_are_left_out_and_html_is_text(inside):
    script = {"name": "s", "text": "</script><script>1", "when": "after", "type": "number"}
    ann = visitor(AFTER[0], script)
    ann.send().play(harvest=1.0)
    ann.come()
    hand_in(ann, t="</script>", nothing=7)
    assert ann.page == "QuestionsAfter"
    assert sent(ann)["given"] == {"t": "</script>"}
    assert "<script>1" not in ann.text
    assert ann.text.count("</script>") == ann.text.count("<script")
    hand_in(ann, t="<b>", s=1, nothing=7)
    assert {name: pair[0] for name, pair in kept(ann)["given"].items()} == {"t": "<b>", "s": 1}


def test_floor_and_cap_apply_to_points_and_prizes_together(inside):
    ann = visitor(OTHERS, pay_cap=10.0)
    ann.send()
    answer(ann, "others", 2, 0)
    ann.play(2, harvest=3.0)
    answer(ann, "others", 2, 2)
    ann.play(harvest=3.0)
    ann.come()
    ann.send(comments="")
    # 9 points and 8 for answers, of which 10 are paid: 1.00 and 2.00
    assert "€3.00" in ann.text
    assert float(ann.player().payoff) == 10.0


def test_a_script_draws_a_question_from_all_its_properties():
    [choice] = asking.described([Item.model_validate(AFTER[1])])
    [slider] = asking.described([Item.model_validate({**OTHERS, "step": 0.5})])
    assert {key: choice[key] for key in ("name", "type", "text", "options", "note")} == {
        "name": "c",
        "type": "choice",
        "text": "Content?",
        "options": ("no", "yes"),
        "note": "",
    }
    assert slider == {
        "name": "others",
        "type": "slider",
        "least": 0,
        "most": 12,
        "required": True,
        "step": 0.5,
        "length": Item.model_fields["length"].default,
        "text": "Others?",
        "options": (),
        "note": "You win 4 points if your answer is off by at most 12.",
    }
