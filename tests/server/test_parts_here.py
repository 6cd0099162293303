"""Sessions in parts, entered through one link, requested in this process."""

from __future__ import annotations

from typing import Any

import pytest

from mixed_company.server.fleet import parted
from mixed_company.server.fleet.parted import PARTS
from tests.server.inside import Session, _client, asked, inside

__all__ = ["inside"]  # a fixture


def sessions(first: Session) -> list[Any]:
    from otree import database
    from otree.models import Session as Stored

    database.db.new_session()
    codes = Stored.objects_first(code=first.code).config[PARTS]
    return [Stored.objects_first(code=code) for code in codes]


def come(first: Session, label: str) -> str:
    """Return the code of the part that a visitor enters through a link with this label."""
    from otree.models import Participant

    answer = asked(f"{first.link}?participant_label={label}")
    assert answer.status_code == 200, answer.text[-500:]
    code = answer.url.split("/p/")[1].split("/")[0]
    return str(Participant.objects_first(code=code)._session_code)


def test_the_parts_of_a_session_are_separate_sessions(inside):
    """Split six people in groups of two into 4 and 2, because no group is split."""
    first = Session("commons_two_people", 6, parts=2, seed="11", quiz=False)
    parts = sessions(first)
    assert parts[0].code == first.code
    assert sorted(part.num_participants for part in parts) == [2, 4]
    assert [part.config["seed"] for part in parts] == ["11", "12"]
    alone = Session("commons_two_people", 2, quiz=False)
    with pytest.raises(KeyError):
        sessions(alone)


def test_a_person_who_comes_by_one_link_fills_a_group_and_keeps_the_place(inside):
    first = Session("commons_two_people", 4, parts=2, quiz=False)
    code_a, code_b = (part.code for part in sessions(first))
    came = [come(first, label) for label in ("ann", "ben", "eve", "joe")]
    assert came in ([code_a, code_a, code_b, code_b], [code_b, code_b, code_a, code_a])
    assert [come(first, label) for label in ("ann", "eve")] == [came[0], came[2]]
    full = asked(f"{first.link}?participant_label=late")
    assert full.status_code == 404


def test_browsers_without_a_name_keep_their_part(inside):
    first = Session("commons_two_people", 4, parts=2, quiz=False)
    _client().cookies.clear()
    link = asked(first.link)
    assert asked(first.link).url == link.url
    _client().cookies.clear()
    assert asked(first.link).url != link.url
    _client().cookies.clear()


def test_people_who_have_not_finished_are_counted_by_server(inside):
    from otree import database
    from otree.models import Session as Stored

    from mixed_company.server.fleet.owners import owner

    def counted(come_only: bool) -> dict[int, int]:
        database.db.new_session()
        return dict(parted.count_people(database.db._db, 2, come=come_only))

    expected, present = counted(False), counted(True)
    session = Session("commons", 3, quiz=False, periods=1)
    session_server = owner(session.code, 2)
    ann = session.people[0].come()
    assert counted(False).get(session_server, 0) - expected.get(session_server, 0) == 3
    assert counted(True).get(session_server, 0) - present.get(session_server, 0) == 1
    other = 1 - session_server
    assert counted(False).get(other, 0) == expected.get(other, 0)
    fewer = min((0, 1), key=lambda server: counted(False).get(server, 0))
    assert parted.lightest(database.db._db, 2) == fewer
    ann.send().play()
    stored = Stored.objects_first(code=session.code)
    stored.archived = True
    database.db.commit()
    assert counted(False).get(session_server, 0) == expected.get(session_server, 0)
