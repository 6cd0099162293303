"""The parameters of the links through which people arrive are kept, and people are sent back at the
end."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.requests import Request

from mixed_company.server.gate.request import Refused
from mixed_company.server.open import arrivals

PANEL: Any = SimpleNamespace(scriptless=False, panel=["PROLIFIC_PID", "STUDY_ID"])
PLAIN: Any = SimpleNamespace(scriptless=False, panel=[])
NAMED = {"PROLIFIC_PID": "a b", "participant_label": "a b"}


def asking(query: str) -> Request:
    """Return a request for a link with this query."""
    return Request({"type": "http", "path": "/join", "headers": [], "query_string": query.encode()})


@pytest.mark.parametrize(
    ("query", "options", "parameters"),
    [
        ("PROLIFIC_PID=a+b", PANEL, NAMED),
        ("PROLIFIC_PID=a+b&other=1", PANEL, {**NAMED, "other": "1"}),
        ("PROLIFIC_PID=a+b&participant_label=", PANEL, NAMED),
        ("PROLIFIC_PID=a+b&participant_label=c", PANEL, None),
        ("PROLIFIC_PID=&participant_label=", PANEL, None),
        ("STUDY_ID=5", PANEL, None),
        ("PROLIFIC_PID=a", PLAIN, None),
        ("PROLIFIC_PID=a", None, None),
    ],
)
def test_the_panel_s_name_is_the_label_of_a_person_without_one(query, options, parameters):
    request = asking(query)
    labelled = arrivals.with_label(request, options)
    if parameters is None:
        assert labelled is request
    else:
        assert dict(labelled.query_params) == parameters
        assert labelled.scope["path"] == "/join"
        assert labelled.receive is request.receive


def test_a_name_that_cannot_be_a_label_is_refused_by_its_parameter():
    with pytest.raises(Refused, match="PROLIFIC_PID = '<a>': must not contain < >"):
        arrivals.with_label(asking("PROLIFIC_PID=<a>"), PANEL)


@pytest.mark.parametrize(
    ("query", "options", "kept", "label"),
    [
        ("PROLIFIC_PID=a+b&STUDY_ID=&x=1", PANEL, {"PROLIFIC_PID": "a b"}, ""),
        ("STUDY_ID=5&participant_label=me", PANEL, {"STUDY_ID": "5"}, "me"),
        ("PROLIFIC_PID=a", PLAIN, {}, ""),
        ("PROLIFIC_PID=a", None, {}, ""),
    ],
)
def test_the_parameters_that_a_session_names_are_known(query, options, kept, label):
    request = asking(query)
    assert arrivals.known_of(request, options) == {**kept, "label": label, "code": ""}


def test_a_link_is_filled_in_with_the_data_of_the_person():
    person = SimpleNamespace(label=None, code="abc")
    player = SimpleNamespace(status="finished", parameters='{"P": "a/b c"}', participant=person)
    links = {"finished": "https://p.example/{P}?l={label}&c={code}&d={code}&x={other}"}
    assert arrivals.parameters_of(player) == {"P": "a/b c"}
    filled = "https://p.example/a%2Fb%20c?l=&c=abc&d=abc&x={other}"
    assert arrivals.link_for(player, links) == filled
    person.label = "me"
    assert arrivals.link_for(player, links) == filled.replace("l=&", "l=me&")
    player.status = "left"
    assert arrivals.link_for(player, links) == ""


@pytest.mark.parametrize(("panel", "name"), [(["P", "Q"], "a"), (["Q", "P"], ""), ([], "")])
def test_a_panel_identifies_a_person_by_its_first_parameter(monkeypatch, panel, name):
    options = SimpleNamespace(scriptless=False, panel=panel)
    monkeypatch.setattr(arrivals, "setup_of", lambda _player: SimpleNamespace(options=options))
    assert arrivals.panel_id(SimpleNamespace(parameters='{"P": "a"}')) == name


def app(model: str, row: Any) -> Any:
    """Return an app whose model finds `row`, and the queries that it received."""
    queries: list[Any] = []
    find = lambda **about: queries.append(about) or row  # noqa: E731
    return SimpleNamespace(**{model: SimpleNamespace(objects_first=find)}, queries=queries)


def test_the_parameters_of_the_first_link_are_kept_in_every_block(monkeypatch):
    fresh, kept = SimpleNamespace(parameters="{}"), SimpleNamespace(parameters='{"P": "x"}')
    rows = [None, kept, fresh]
    apps = [app(model="Player", row=row) for row in rows]
    monkeypatch.setattr(arrivals.storage, "apps_of", lambda _session: apps)
    monkeypatch.setattr(arrivals, "setup_of", lambda _player: SimpleNamespace(options=PANEL))
    person = SimpleNamespace(id=7, session="s")
    arrivals.keep(person, {"PROLIFIC_PID": "a", "other": "b"})
    assert [app.queries for app in apps] == [[{"participant_id": 7}]] * 3
    assert json.loads(fresh.parameters) == {"PROLIFIC_PID": "a"}
    assert kept.parameters == '{"P": "x"}'


def test_the_options_of_a_session_are_those_of_its_first_game(monkeypatch):
    monkeypatch.setattr(arrivals, "setup_from", lambda text: SimpleNamespace(options=f"of {text}"))
    setups = [
        None,
        SimpleNamespace(setup=""),
        SimpleNamespace(setup="x"),
        SimpleNamespace(setup="y"),
    ]
    apps = [app(model="Subsession", row=row) for row in setups]
    monkeypatch.setattr(arrivals.storage, "apps_of", lambda _session: apps)
    assert arrivals.options_of("session") == "of x"
    assert [app.queries for app in apps] == [[{"session": "session"}]] * 3 + [[]]
    apps[2:] = []
    assert arrivals.options_of("session") is None
