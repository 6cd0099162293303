"""oTree's lookups by column find the same objects as before, and compile their SQL once."""

from __future__ import annotations

import pytest
from sqlalchemy.orm.exc import MultipleResultsFound, NoResultFound
from sqlalchemy.sql.compiler import SQLCompiler
from starlette.exceptions import HTTPException

from tests.server.inside import Session, inside

__all__ = ["inside"]  # a fixture


@pytest.fixture
def people(inside: None) -> list[str]:
    """Create a session of two participants, and return their codes."""
    from otree.models import Participant

    session = Session("commons_two_people", 2)
    query = Participant.objects_filter(_session_code=session.code).order_by("id")
    return [participant.code for participant in query]


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that grows with each statement that SQLAlchemy compiles."""
    statements: list[str] = []
    compile_statement = SQLCompiler.__init__

    def counted(self: SQLCompiler, *arguments: object, **more: object) -> None:
        compile_statement(self, *arguments, **more)
        statements.append(str(self))

    monkeypatch.setattr(SQLCompiler, "__init__", counted)
    return statements


def test_a_lookup_by_columns_is_compiled_once(people, compiled):
    from otree.models import Participant

    assert [Participant.objects_first(code=code).code for code in people] == people
    before = len(compiled)
    for code in people * 5:
        assert Participant.objects_first(code=code).code == code
    assert compiled[before:] == []


def test_a_lookup_by_an_object_is_compiled_once(people, compiled):
    from otree.models import Participant

    from commons_game import Player

    persons = [Participant.objects_first(code=code) for code in people]
    first = [Player.objects_get(participant=person, round_number=1) for person in persons]
    before = len(compiled)
    again = [Player.objects_get(participant=person, round_number=1) for person in persons]
    assert compiled[before:] == []
    assert again == first
    assert [player.participant.code for player in again] == people


def test_each_way_to_look_up_finds_what_otree_finds(people):
    from otree.database import db
    from otree.models import Participant

    first = Participant.objects_filter(code=people[0]).one()
    assert Participant.objects_get(code=people[0]) is first
    assert Participant.objects_get(code=people[0], id=first.id) is first
    assert db.get_or_404(Participant, code=people[0]) is first
    assert Participant.objects_exists(code=people[1])
    assert not Participant.objects_exists(code="nobody")
    assert Participant.objects_first(code=people[1], id=first.id) is None


def test_an_object_and_a_missing_value_are_looked_up_as_in_otree(people):
    from otree.models import Participant

    first = Participant.objects_get(code=people[0])
    assert Participant.objects_first(session=first.session, code=people[1]).code == people[1]
    first.label = None
    assert Participant.objects_first(label=None, code=people[0]) is first


def test_missing_and_repeated_results_are_refused_as_in_otree(people):
    from otree.database import db
    from otree.models import Participant

    session = Participant.objects_get(code=people[0])._session_code
    with pytest.raises(NoResultFound):
        Participant.objects_get(code="nobody")
    with pytest.raises(MultipleResultsFound):
        Participant.objects_get(_session_code=session)
    with pytest.raises(HTTPException) as refused:
        db.get_or_404(Participant, msg="Gone", code="nobody")
    assert (refused.value.status_code, refused.value.detail[:5]) == (404, "Gone:")


def test_an_unwritten_change_is_found(people):
    from otree.models import Participant

    Participant.objects_get(code=people[0]).label = "PC-1"
    assert Participant.objects_first(label="PC-1").code == people[0]


def test_the_address_of_a_static_file_is_searched_once(inside):
    from otree.templating import nodes

    misses = nodes.url_of_static_file.cache_info().misses
    addresses = {nodes.url_of_static_file("mixed/play.css") for _ in range(5)}
    assert addresses == {"/static/mixed/play.css"}
    assert nodes.url_of_static_file.cache_info().misses <= misses + 1
    for _ in range(2):
        with pytest.raises(FileNotFoundError):
            nodes.url_of_static_file("mixed/missing.css")
