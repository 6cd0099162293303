"""How people come: the parameters of their links, and where they are sent at the end."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.requests import Request

from server.gate import Refused
from server.open import arrivals
from table.options import Options

PANEL = Options(panel_parameters="PROLIFIC_PID,STUDY_ID")
NONE = Options(panel_parameters="")


def request(query: str) -> Request:
    scope = {"type": "http", "method": "GET", "path": "/join/abc", "headers": []}
    return Request({**scope, "query_string": query.encode()})


@pytest.mark.parametrize(
    ("query", "options", "read"),
    [
        ("", PANEL, {}),
        ("PROLIFIC_PID=5f", PANEL, {"PROLIFIC_PID": "5f", "participant_label": "5f"}),
        ("STUDY_ID=7", PANEL, {"STUDY_ID": "7"}),
        (
            "PROLIFIC_PID=5f&participant_label=K1",
            PANEL,
            {"PROLIFIC_PID": "5f", "participant_label": "K1"},
        ),
        ("participant_label=K1", PANEL, {"participant_label": "K1"}),
        ("PROLIFIC_PID=5f", NONE, {"PROLIFIC_PID": "5f"}),
        ("PROLIFIC_PID=5f", None, {"PROLIFIC_PID": "5f"}),
    ],
)
def test_the_name_of_a_panel_is_a_label_where_there_is_none(
    query: str, options: Options | None, read: dict[str, str]
) -> None:
    asked = request(query)
    told = arrivals.with_label(asked, options)
    assert dict(told.query_params) == read
    assert (told is asked) == ("participant_label" not in read or "label" in query)
    assert told.url.path == "/join/abc"


def test_a_name_that_can_be_no_label_is_refused() -> None:
    with pytest.raises(Refused, match="PROLIFIC_PID"):
        arrivals.with_label(request(f"PROLIFIC_PID={'x' * 300}"), PANEL)


def test_people_are_sent_on_with_what_the_session_keeps() -> None:
    asked = request("a=1&PROLIFIC_PID=5f%20x&STUDY_ID=")
    assert arrivals.carried("/p/x", asked, PANEL) == "/p/x?PROLIFIC_PID=5f+x"
    for options in (None, NONE):
        assert arrivals.carried("/p/x", asked, options) == "/p/x"


def test_a_link_for_all_tells_of_label_and_parameters() -> None:
    asked = request("a=1&STUDY_ID=7&participant_label=K1")
    assert arrivals.known_of(asked, PANEL) == {"STUDY_ID": "7", "label": "K1", "code": ""}
    assert arrivals.known_of(request(""), None) == {"label": "", "code": ""}


def player(status: str = "finished", label: str | None = "K 1", **kept: str) -> Any:
    person = SimpleNamespace(label=label, code="abc")
    return SimpleNamespace(status=status, participant=person, parameters=json.dumps(kept))


LINKS = {"finished": "https://x.org/{PID}?l={label}&c={code}&n={none}", "left": "https://y.org"}


def test_the_link_at_the_end_is_that_of_the_status_and_filled_in() -> None:
    told = arrivals.link_for(player(PID="5/f"), LINKS)
    assert told == "https://x.org/5%2Ff?l=K%201&c=abc&n={none}"
    assert arrivals.link_for(player(label=None), LINKS) == "https://x.org/{PID}?l=&c=abc&n={none}"
    assert arrivals.link_for(player("left"), LINKS) == "https://y.org"
    assert arrivals.link_for(player("ended"), LINKS) == ""


@pytest.mark.parametrize(
    ("parameters", "kept"), [("{}", {"STUDY_ID": "7"}), ('{"STUDY_ID": "1"}', {"STUDY_ID": "1"})]
)
def test_the_parameters_of_the_first_link_are_kept(
    parameters: str, kept: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first app is one in which the person has no player."""
    own = SimpleNamespace(parameters=parameters)
    people = {"abc": SimpleNamespace(id=4)}

    def first(code: str) -> Any:
        return people.get(code)

    apps = [
        SimpleNamespace(
            Player=SimpleNamespace(
                objects_first=lambda participant_id, one=one: one if participant_id == 4 else None
            )
        )
        for one in (None, own)
    ]
    monkeypatch.setattr(arrivals, "Participant", SimpleNamespace(objects_first=first))
    monkeypatch.setattr(arrivals.storage, "apps", lambda: apps)
    monkeypatch.setattr(arrivals, "setup_of", lambda player: SimpleNamespace(options=PANEL))
    arrivals.keep("nobody", {"STUDY_ID": "9"})
    arrivals.keep("abc", {"STUDY_ID": "7", "a": "1"})
    assert json.loads(own.parameters) == kept
