"""Before a play: a practice, the question of whether people are ready, and rejected pages."""

from __future__ import annotations

import re
from typing import Any

import pytest

from mixed_company.server import clock, live
from mixed_company.server.keeping import storage
from mixed_company.server.open.practices import practices
from mixed_company.server.open.tables import tables
from mixed_company.server.pages import shared, texts, wording
from settings import SESSION_CONFIGS
from tests.server.inside import Session, Visitor, asked, inside, led_by_otree, posted

__all__ = ["inside"]  # a fixture

SOFT: dict[str, Any] = {"practice_periods": 2, "ready": True, "seed": "3"}


def practise(person: Visitor) -> None:
    """Decide in all periods of the practice, and continue."""
    while not practices.of(player := person.player()).table.over:
        episode = practices.of(player).table.episode
        (seat,) = practices.of(player).table.people
        action = episode.allowed(seat).default_action()
        message = {"kind": "act", "id": f"{episode.period}", "period": episode.period}
        live.practice(player, {**message, "action": action})
    person.send()


def complaints(url: str) -> list[str]:
    """Return the reasons that a page shows above its form."""
    texts_shown = re.findall('class="otree-form-errors[^>]*>([^<]*)<', asked(url).text)
    return [text.strip() for text in texts_shown]


def test_every_shipped_session_has_two_practice_periods_and_asks_whether_people_are_ready():
    soft = {
        config["name"]: (config["practice_periods"], config["ready"]) for config in SESSION_CONFIGS
    }
    once = {"fehr_gaechter_2000_strangers": (2, False)}  # it would be asked in every period
    assert soft == {**dict.fromkeys(soft, (2, True)), **once}


@pytest.mark.long  # test_otree_bots.py covers it
@pytest.mark.few(1)
@pytest.mark.parametrize("config", ["commons", "gems", "sanctions", "vote"])
def test_otree_bots_pass_the_practice_of_a_shipped_session(inside, config):
    length: dict[str, Any] = {"turns" if config == "vote" else "periods": 2}
    [ann] = (session := Session(config, 1, **SOFT, **length)).people
    led_by_otree(session)
    player = ann.player()
    assert (player.status, player.practised_periods) == ("finished", 2)


def test_the_first_period_begins_with_the_answer_that_the_person_is_ready(inside):
    """The vote has turns of 2 s and a countdown of 3 s, which start only then."""
    [ann] = Session("vote", 1, **SOFT, quiz=False).people
    ann.come().send()
    practise(ann)
    assert ann.page == "Play"
    player = ann.player()
    table, seat = tables.of(player).table, player.seat
    live.play(player, {"kind": "sync", "drawn": False})
    clock.put_on(20_000)
    [asking] = live.play(player, {"kind": "sync"}).values()
    assert (asking["to_confirm"], asking["started"]) == (True, False)
    live.play(player, {"kind": "ready", "id": "r"})
    table.advance(tables.of(player).now_ms() + 3000)
    assert table.started_ms == table.ready_ms == table.period_ms
    assert table.deadline_ms == table.period_ms + 2000
    assert table.seats[seat].occupant == "person"


def test_a_practice_changes_no_number_of_the_play(inside):
    """The same session is played with and without a practice."""
    journals = []
    practice: dict[str, Any] = {"practice_periods": 3, "practice_bots": "greedy"}
    for changes in ({}, practice):
        [ann] = Session("commons", 1, quiz=False, seed="3", periods=3, **changes).people
        ann.come().send()
        if changes:
            practise(ann)
        ann.play(harvest=2.0)
        player = ann.player()
        journal = storage.log_of(storage.log_class(player), player.group)
        timeless = [
            {key: value for key, value in entry.items() if not key.endswith("_ms")}
            for entry in journal
            if entry["kind"] in ("start", "seat", "period")
        ]
        journals.append([{**entry, "seats": None} for entry in timeless])
        assert (ann.send().page, player.points) == ("Results", 6.0)
    assert journals[0] == journals[1]


# -- rejected pages -------------------------------------------------------------------------------


def test_a_rejected_page_is_answered_with_a_redirect_and_shows_the_reason_once(inside):
    """Otherwise, Back and reload would ask whether to resubmit the form."""
    [ann] = Session("commons", 1, consent="May we?", practice_periods=1).people
    ann.come()
    seen = []
    for form, reason, right in (
        ({"consented": "perhaps"}, texts.consent()["choose"], {"consented": "yes"}),
        ({}, None, {}),
        ({"quiz_answers": "{}"}, texts.quiz()["answer_all"], {}),
        ({}, "The practice is not over yet.", {}),
        ({"attention": ""}, wording.play()["not_over"], {}),
    ):
        seen.append(ann.page)
        if reason is not None:
            answer = posted(ann.url, data=form)
            assert answer.status_code == 302
            assert answer.headers["location"].endswith(ann.url)
            assert [complaints(ann.url) for _ in range(2)] == [[reason], []]
        if ann.page == "Quiz":
            right = {"quiz_answers": ann.rightly()}
        if ann.page == "Practice":
            practise(ann)
        elif ann.page != "Play":
            ann.send(**right)
    assert seen == ["Consent", "Instructions", "Quiz", "Practice", "Play"]


def test_a_form_with_an_invalid_field_is_redirected_too(inside):
    [ann] = Session("commons", 1, consent="May we?").people
    ann.come()
    assert posted(ann.url, data={}).status_code == 302
    assert complaints(ann.url) == ["Please fix the errors."]


def test_a_reason_is_for_one_page_of_one_person(monkeypatch):
    monkeypatch.setattr(shared, "MOST_KEPT", 2)

    for code in ("a", "b", "c"):
        shared.keep_reason(code, 4, f"why {code}")
    assert shared.take_reason("a", 4) == ""  # the oldest of three
    assert shared.take_reason("b", 5) == ""  # another page
    assert shared.take_reason("b", 4) == ""
    assert shared.take_reason("c", 4) == "why c"
    assert shared.take_reason("c", 4) == ""
