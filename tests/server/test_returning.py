"""Returning to a seat: a label without a link can only seat new people."""

from __future__ import annotations

from typing import Any

import otree.room
import pytest
from otree.common import make_hash

from tests.server.inside import Session, asked, inside, newcomer

__all__ = ["inside"]  # a fixture

LABEL = "5f3c-of-a-panel"


def opened(room: str | None = None, **options: Any) -> Session:
    """Return a session with four places."""
    return Session("commons_two_people", 4, room, quiz=False, **options)


def come(session: Session, query: str) -> str:
    """Use a new browser, and return the participant's code."""
    answer = newcomer(f"{session.link}?{query}")
    assert answer.status_code == 200, answer.text[-500:]
    return str(answer.url.split("/p/")[1].split("/")[0])


@pytest.mark.parametrize("query", ["participant_label={}", "PROLIFIC_PID={}"])
def test_a_label_alone_does_not_take_somebody_s_seat(inside, query):
    session = opened()
    code = come(session, query.format(LABEL))
    thief = newcomer(f"{session.link}?{query.format(LABEL)}")
    assert (thief.status_code, "You have already begun" in thief.text) == (403, True)
    assert code not in thief.text
    assert code not in thief.url
    assert newcomer(f"{session.link}?participant_label={LABEL}x").status_code == 200
    assert newcomer(f"{session.link}?participant_label={LABEL}&hash=0").status_code == 403


def test_the_earlier_browser_returns_even_if_admission_is_closed(inside):
    from otree import database
    from otree.models import Session as Stored

    from mixed_company.server.open import door

    session = opened()
    codes = [come(session, f"participant_label={LABEL}")]
    again = f"{session.link}?participant_label={LABEL}"
    assert f"/p/{codes[0]}/" in asked(again).url
    assert f"/p/{codes[0]}/" in asked(session.link).url
    database.db.new_session()
    assert door.move(Stored.objects_first(code=session.code), "shut", "m1") == ""
    database.db.commit()
    assert f"/p/{codes[0]}/" in asked(again).url
    assert newcomer(f"{session.link}?participant_label=new").status_code == 404


def test_one_browser_keeps_the_seats_of_several_labels(inside):
    session = opened()
    first = come(session, "participant_label=PC_1")
    second = asked(f"{session.link}?participant_label=PC_2").url
    assert f"/p/{first}/" not in second
    assert f"/p/{first}/" in asked(f"{session.link}?participant_label=PC_1").url
    assert asked(f"{session.link}?participant_label=PC_2").url == second


def test_a_signed_link_restores_the_seat_in_any_browser(inside):
    session = opened()
    code = come(session, f"participant_label={LABEL}")
    assert come(session, f"participant_label={LABEL}&hash={make_hash(LABEL)}") == code
    other = newcomer(f"{session.link}?participant_label={LABEL}&hash={make_hash('other')}")
    assert other.status_code == 403


def test_a_session_may_trust_labels(inside):
    session = opened(return_by_label="always")
    code = come(session, f"participant_label={LABEL}")
    assert come(session, f"participant_label={LABEL}") == code


@pytest.mark.parametrize(("option", "status"), [("room", 200), ("never", 403)])
def test_a_room_with_a_file_of_labels_trusts_them_unless_told_not_to(
    inside, monkeypatch, tmp_path, option, status
):
    file = tmp_path / "labels.txt"
    file.write_text("PC_1\nPC_2", encoding="utf-8")
    cabins = otree.room.LabelRoom("cabins", "Cabins", str(file))
    monkeypatch.setitem(otree.room.ROOM_DICT, "cabins", cabins)
    opened("cabins", return_by_label=option)
    link = "/room/cabins?welcome_page_ok=1&participant_label=PC_1"
    assert newcomer(link).status_code == 200
    assert newcomer(link).status_code == status
    stranger = newcomer(link.replace("PC_1", "PC_9"))
    assert (stranger.status_code, "participant_label" in stranger.text) == (404, False)
