"""Texts and stored values of pages, from consent to the results, requested in this process."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mixed_company.server import live
from mixed_company.server.pages import texts, wording
from tests.server.inside import Session, Visitor, asked, inside

__all__ = ["inside"]  # a fixture

WHOLE: dict[str, Any] = {
    "seed": "3",
    "periods": 3,
    "participation_fee": 2.5,
    "quiz_tries": 3,
    "real_world_currency_per_point": 0.1,
    "panel_parameters": "PROLIFIC_PID",
    "consent": "May we <ask>?\n\nWe keep it.",
    "comments": True,
    "attention": True,
    "completion_links": {"finished": "https://panel.org/?cc=X&who={PROLIFIC_PID}"},
}


def to_the_play(visitor: Visitor, query: str = "") -> Visitor:
    """Give consent, read the instructions and answer the quiz correctly."""
    visitor.come(query).send(consented="yes").send()
    assert visitor.page == "Quiz"
    return visitor.send(quiz_answers=visitor.rightly())


def test_a_person_goes_from_consent_to_the_results_and_reads_the_payment(inside):
    session = Session("commons", 1, **WHOLE)
    [ann] = session.people
    ann.come("?PROLIFIC_PID=p-17")
    assert ann.page == "Consent"
    assert "May we &lt;ask&gt;?</p>" in ann.text
    assert "We keep it.</p>" in ann.text
    assert ann.send(consented="perhaps").page == "Consent"
    assert ann.player().consented_ms < 1
    ann.come().send(consented="yes")
    assert ann.page == "Instructions"
    assert set(ann.sent) == {"game", "pictures", "texts"}
    assert set(ann.sent["pictures"]) == {"own", "shared"}
    assert ann.sent["pictures"]["shared"]["pays"] == {"rate": "1 point = €0.10"}
    ann.send()
    wrong = json.loads(ann.rightly()) | {"loss": "nonsense"}
    assert texts.quiz()["answer_all"] in ann.send(quiz_answers=json.dumps(wrong)).text
    assert ann.send(quiz_answers=ann.rightly()).page == "Play"
    assert "attention.js" in asked(ann.url).text
    assert wording.play()["not_over"] in ann.send().text
    ann.come().play(harvest=3.0)
    assert ann.send(attention='{"hidden": 2}').page == "Comments"
    ann.send(comments="c" * 6000)
    assert ann.page == "Results"
    # 3 fish in each of 3 periods are 9 points, at 0.1 with a fee of 2.50
    assert f"<strong>{texts.number(9.0, 1)}</strong>" in ann.text
    assert "€3.40" in ann.text
    assert "€2.50" in ann.text
    assert "€0.90" in ann.text
    assert "https://panel.org/?cc=X&amp;who=p-17" in ann.text
    player = ann.player()
    assert (player.status, player.points, player.comments) == ("finished", 9.0, "c" * 5000)
    assert json.loads(player.parameters) == {"PROLIFIC_PID": "p-17"}
    assert (player.participant.label, player.quiz_attempts) == ("p-17", 2)
    assert [len(entry["wrong"]) for entry in json.loads(player.quiz_log)] == [1, 0]
    assert player.consented == "yes"
    assert player.consented_ms > 1e12


def test_the_script_of_the_play_page_gets_the_game_and_the_seat(inside):
    [ann] = Session("commons", 1, **WHOLE).people
    sent = to_the_play(ann).sent
    player = ann.player()
    values = {name: value for name, value in sent.items() if name not in ("texts", "setting")}
    assert values == {
        "game": "commons_game",
        "rate": "1 point = €0.10",
        "besides": [],
        "peers": None,
        "accepts": sent["accepts"],
        "role": "",
        "periods": 3,
        "history_periods": 200,
        "turn_ms": None,
        "seat": player.seat,
        "digits": 1,
        "rule": "",
        "rules": [],
    }
    assert set(sent["accepts"]) == {"harvest", "contribution"}
    assert sent["setting"]["capacity"] == 160.0
    assert {"not_over", "out_ended", "out_excluded", "out_released"} <= set(sent["texts"])


def test_the_script_of_the_results_page_gets_the_play_once_it_is_over(inside):
    [ann] = Session("commons", 1, **WHOLE, disclosure="none").people
    to_the_play(ann).play(harvest=3.0)
    sent = ann.send().send().sent
    assert (sent["periods"], len(sent["history"])) == (3, 4)  # before the first, and after each
    harvests = [line["used"]["harvest"] for line in sent["history"][1:]]
    assert harvests == [3.0, 3.0, 3.0]
    assert sent["picture"]["best"]["stock"]
    assert sent["setting"]["capacity"] == 160.0


def test_a_person_whose_part_ends_before_the_play_reads_so_and_is_paid_nothing(inside):
    session = Session("commons", 2, **{**WHOLE, "quiz_tries": 1})
    ann, ben = session.people
    ann.come().send(consented="no")
    assert (ann.page, ann.player().status) == ("Results", "no_consent")
    ben.come().send(consented="yes").send()
    wrong = dict.fromkeys(json.loads(ben.rightly()), "?")
    ben.send(quiz_answers=json.dumps(wrong))
    assert ben.page == "Quiz"  # an incomplete form is not an attempt
    from mixed_company.server.pages.quiz import questions

    wrong = {
        question["name"]: next(text for text in question["options"] if text != question["right"])
        for question in questions(ben.player())
    }
    ben.send(quiz_answers=json.dumps(wrong))
    assert (ben.page, ben.player().status) == ("Results", "quiz_failed")
    for person in (ann, ben):
        assert wording.results()["over"] in person.text
        assert "€0.00" in person.text
        assert "€2.50" not in person.text
        assert person.sent["history"] == []
        assert (person.sent["picture"], person.sent["course"]) == ({}, {})


def test_two_people_meet_in_the_lobby_and_play_together(inside):
    session = Session("commons_two_people", 3, periods=2, quiz=False, lobby_seconds=40.0)
    ann, ben, eve = session.people
    for person in session.people:
        assert person.come().send().page == "Lobby"
    sent = ann.sent
    assert {name: sent[name] for name in ("promise_ms", "bots")} == {
        "promise_ms": 40_000,
        "bots": 0,
    }
    assert wording.lobby()["not_yet"] in ann.send().text
    for person in (ann, ben):
        live.lobby(person.player(), {"kind": "sync"})
    assert [person.come().page for person in (ann, ben)] == ["Play", "Play"]
    assert ann.player().group_id == ben.player().group_id
    assert {ann.player().seat, ben.player().seat} < set(range(4))
    live.lobby(eve.player(), {"kind": "sync"})
    assert eve.come().send(leaving="1").page == "Results"
    assert eve.player().status == "left"
    live.play(ann.player(), {"kind": "sync"})
    [group] = session.board()["groups"]
    assert {seat["name"] for seat in group["seats"] if "participant" in seat} == {"P1", "P2"}


def test_a_person_without_a_place_reads_a_page_with_the_link_for_it(inside):
    links = {"full": "https://panel.org/?cc=FULL&who={PROLIFIC_PID}"}
    session = Session("commons", 1, panel_parameters="PROLIFIC_PID", completion_links=links)
    assert asked(f"{session.link}?PROLIFIC_PID=p-1").url.endswith("/Instructions/2")
    full = asked(f"{session.link}?PROLIFIC_PID=p-2")
    assert full.status_code == 404
    assert texts.full()["title"] in full.text
    assert "https://panel.org/?cc=FULL&amp;who=p-2" in full.text
    again = asked(f"{session.link}?PROLIFIC_PID=p-1")  # from anywhere
    assert again.status_code == 200
    assert again.url.endswith("/Instructions/2")
    gone = asked("/join/nobody1")
    assert gone.status_code == 404
    assert texts.gone()["title"] in gone.text


@pytest.mark.parametrize("page", ["Consent", "Instructions", "Quiz", "Practice", "Lobby"])
def test_a_person_whose_part_the_manager_ended_sees_only_the_results(inside, page):
    changes = {"consent": "May we?", "practice_periods": 2, "comments": True}
    session = Session("commons_two_people", 1, participation_fee=2.0, **changes)
    ann = session.people[0].come()
    while ann.page != page:
        if ann.page == "Practice":
            practise(ann)
        fields = {"quiz_answers": ann.rightly()} if ann.page == "Quiz" else {"consented": "yes"}
        ann.send(**fields)
    assert session.direct("release", "a", participant=ann.code)[0] == 200
    if page == "Practice":
        practise(ann)
    fields = {"quiz_answers": ann.rightly()} if page == "Quiz" else {"consented": "yes"}
    assert ann.send(**fields).page == "Results"
    assert ann.player().status == "released"
    assert "€2.00" in ann.text


def practise(visitor: Visitor) -> None:
    """Play the practice to its end with the game's default actions."""
    from mixed_company.server.open.practices import practices

    player = visitor.player()
    table = practices.of(player).table
    (seat,) = table.people
    live.practice(player, {"kind": "sync"})
    while not table.parted(seat):
        period, action = table.episode.period, table.episode.allowed(seat).default_action()
        answer = live.practice(
            player, {"kind": "act", "id": f"{period}", "period": period, "action": action}
        )
        assert set(answer) == {player.id_in_group}


def test_a_practice_is_left_when_it_is_over_and_is_counted(inside):
    [ann] = Session("commons", 1, quiz=False, practice_periods=2, periods=5).people
    ann.come().send()
    assert ann.page == "Practice"
    assert (ann.sent["periods"], ann.sent["game"]) == (2, "commons_game")
    assert {"saved", "over", "out", "over_said", "out_said", "to_results"} <= set(ann.sent["texts"])
    assert ann.sent["texts"]["out_ended"] == ""
    assert "Nothing here counts" in ann.text
    assert "not over yet" in ann.send().text
    answer = live.practice(ann.player(), "nonsense")
    assert [refused["kind"] for refused in answer.values()] == ["refused"]
    practise(ann)
    assert ann.send().page == "Play"
    player = ann.player()
    assert player.practised_periods == 2
    assert [entry["period"] for entry in json.loads(player.practice_log)] == [0, 1]


def test_a_person_who_fails_a_question_twice_gets_help_with_that_question_only(inside):
    [ann] = Session("commons", 1).people
    ann.come().send()
    right = json.loads(ann.rightly())
    wrong = right | {"loss": "nonsense"}
    shown = []
    for _ in range(2):
        ann.send(quiz_answers=json.dumps(wrong))
        marks = ("mc-wrong", "mc-missing", "mc-help")
        shown.append(tuple(ann.text.count(mark) for mark in marks))
        assert "Please answer this question." in ann.text
    assert shown == [(0, 1, 0), (0, 1, 0)]  # a form without answers does not count as a failure
    from mixed_company.server.pages.quiz import questions

    [loss] = [question for question in questions(ann.player()) if question["name"] == "loss"]
    other = next(text for text in loss["options"] if text != loss["right"])
    for helped in (0, 1):
        ann.send(quiz_answers=json.dumps(right | {"loss": other}))
        assert ann.text.count("mc-help") == helped
        assert (ann.text.count("mc-wrong"), ann.text.count(" checked>")) == (1, len(right))
        assert ann.text.count("mc-note-right") == len(right) - 1


def test_a_name_with_special_characters_gives_a_link_that_preserves_them(inside):
    links = {"finished": "https://panel.org/?who={PROLIFIC_PID}&label={label}&code={code}"}
    session = Session(
        "commons", 1, quiz=False, periods=1, panel_parameters="PROLIFIC_PID", completion_links=links
    )
    [ann] = session.people
    ann.come("?PROLIFIC_PID=p%2F%209").send().play()
    ann.send()
    assert f"who=p%2F%209&amp;label=p%2F%209&amp;code={ann.code}" in ann.text
