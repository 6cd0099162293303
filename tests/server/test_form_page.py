"""The page that creates a session sends the fields of one session config, and makes them only
once."""

from __future__ import annotations

from mixed_company.server import session_form
from tests.server.inside import asked, inside

__all__ = ["inside"]  # a fixture


def test_the_page_itself_has_no_fields(inside):
    page = asked("/create_session").text
    assert '<option value="commons">' in page
    assert "commons.capacity" not in page
    assert len(page) < 100_000


def test_an_address_has_the_fields_of_one_session_config(inside):
    fields = asked("/session_form/commons")
    assert fields.headers["content-type"].startswith("text/html")
    assert "<legend>Changed most often</legend>" in fields.text
    assert "<summary>People and bots (" in fields.text
    assert '<select name="commons.growth"' in fields.text
    assert "largest stock the resource can reach" in fields.text
    assert "vote." not in fields.text
    assert len(fields.text) < 100_000


def test_fields_are_made_once(inside, monkeypatch):
    first = asked("/session_form/vote").text
    monkeypatch.delattr(session_form, "fields")  # making them again would raise an error
    assert asked("/session_form/vote").text == first


def test_an_unknown_session_config_is_refused_by_name(inside):
    answer = asked("/session_form/common")
    assert answer.status_code == 404
    assert answer.text == "session config 'common'; did you mean 'commons'?\n"


def test_the_page_of_a_room_uses_the_same_form(inside):
    page = asked("/room_without_session/lab").text
    assert 'id="session-fields"' in page
    assert "commons.capacity" not in page
