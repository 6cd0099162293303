"""Responses at oTree's URLs: this server sends some, and leaves the others to oTree."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.exceptions import HTTPException

from mixed_company.server.mends import answers, joining
from mixed_company.server.open import returning
from mixed_company.table.options import Options
from tests.server.inside import inside

__all__ = ["inside"]  # a fixture


@pytest.fixture(autouse=True)
def theirs(inside: None, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Return the calls to oTree's own functions, each of which returns its name."""
    calls: list[Any] = []

    def answer(name: str) -> Any:
        def recorded(*arguments: Any, **more: Any) -> str:
            calls.append((name, *arguments, *more.values()))
            return name

        return recorded

    for name in ("_save_database", "_hit", "_start_hit", "_edit", "_form", "_advance", "_post"):
        monkeypatch.setattr(answers, name, answer(name))
    return calls


def refused(call: Any, *arguments: Any) -> tuple[int, str]:
    with pytest.raises(HTTPException) as error:
        call(*arguments)
    return error.value.status_code, error.value.detail


@pytest.mark.parametrize(
    ("arguments", "client", "saved"),
    [
        (["otree", "devserver_inner"], "127.0.0.1", True),
        (["otree", "devserver_inner"], "192.0.2.1", False),
        (["otree", "prodserver"], "127.0.0.1", False),
    ],
)
def test_a_database_is_saved_only_for_a_devserver_on_this_machine(
    arguments, client, saved, monkeypatch
):
    monkeypatch.setattr(sys, "argv", arguments)
    request: Any = SimpleNamespace(scope={"client": (client, 1)})
    if saved:
        assert answers._save("view", request) == "_save_database"
    else:
        assert refused(answers._save, "view", request) == (404, "there is nothing at this address")


@pytest.mark.parametrize("has_settings", [True, False])
def test_a_hit_exists_for_sessions_with_its_settings(has_settings, theirs, monkeypatch):
    config = {"mturk_hit_settings": {}} if has_settings else {}
    sessions = {"abc": SimpleNamespace(code="abc", config=config)}
    stored = SimpleNamespace(objects_first=lambda code: sessions.get(code))
    monkeypatch.setattr(answers, "Session", stored)
    open_, closed = (SimpleNamespace(_is_unauthorized=lambda no=no: no) for no in (False, True))
    request, nobody = (SimpleNamespace(path_params={"code": code}) for code in ("abc", "nobody"))
    assert answers._start_of_a_hit("view", nobody) == "_start_hit"
    assert answers._of_a_hit(open_, nobody) == "_hit"
    assert answers._of_a_hit(closed, request) == "_hit"  # asks for a login
    if has_settings:
        assert answers._start_of_a_hit("view", request) == "_start_hit"
        assert answers._of_a_hit(open_, request) == "_hit"
        assert theirs[-2:] == [("_start_hit", "view", request), ("_hit", open_, request)]
    else:
        for call, view in ((answers._start_of_a_hit, "view"), (answers._of_a_hit, open_)):
            refusal = refused(call, view, request)
            assert refusal == (404, "session abc does not use Mechanical Turk")


@pytest.mark.parametrize(
    ("fee", "rate", "wrong"),
    [("2", "0.1", []), ("x", "0.1", ["fee"]), ("2", -1, ["rate"]), (None, "x", ["fee", "rate"])],
)
def test_a_fee_and_a_rate_are_checked_before_they_are_stored(fee, rate, wrong):
    fields = {
        "participation_fee": SimpleNamespace(data=fee, errors=["a"]),
        "real_world_currency_per_point": SimpleNamespace(data=rate, errors=[]),
    }
    view = SimpleNamespace(form_invalid=lambda form: "invalid")
    answer = answers._edit_checked(view, SimpleNamespace(**fields))
    assert answer == ("invalid" if wrong else "_edit")
    rule = "should be a number from 0 to 1000000000"
    [first, second] = (field.errors for field in fields.values())
    assert first == (["a", rule] if "fee" in wrong else ["a"])
    assert second == ([rule] if "rate" in wrong else [])


def test_a_form_is_accepted_if_the_page_has_one():
    assert answers._hand_in(SimpleNamespace(form_class=object), "request", code="a") == "_form"
    refusal: Any = answers._hand_in(SimpleNamespace(form_class=None), "request", code="a")
    assert (refusal.status_code, refusal.body) == (405, b"Method Not Allowed")


@pytest.mark.parametrize(
    ("sent", "taken"),
    [
        ({"selected_participant": "a"}, True),
        ({"advancemode": ""}, True),
        ({"selected_participant": ""}, False),
        ({}, False),
    ],
)
def test_the_advanced_person_must_be_named(sent, taken):
    view = SimpleNamespace(get_post_data=lambda: sent)
    if taken:
        assert answers._advance_whom(view, "request", "abc") == "_advance"
    else:
        refusal = refused(answers._advance_whom, view, "request", "abc")
        assert refusal == (400, "either selected_participant or advancemode is required")


@pytest.mark.parametrize(
    ("pressed", "allowed", "answer"),
    [("1", False, "again"), ("1", True, "_post"), ("", False, "_post")],
)
def test_a_back_button_can_be_pressed_if_there_is_one(pressed, allowed, answer):
    page = SimpleNamespace(
        _form_data={answers.back_button: pressed},
        allow_back_button=allowed,
        _redirect_to_page_the_user_should_be_on=lambda: "again",
    )
    assert answers._post_forward(page) == answer


# -- admission to seats ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("allowed", "labelled", "sign", "browser", "may"),
    [
        ("always", None, "", False, True),
        ("never", True, "", False, False),
        ("never", True, "signed K1", False, True),
        ("never", True, "signed K2", False, False),
        ("never", None, "", True, True),
        ("room", True, "", False, True),
        ("room", False, "", False, False),
        ("room", None, "", False, False),
        (None, True, "", False, True),  # other apps
        (None, None, "", False, False),
    ],
)
def test_a_person_may_return_by_label_link_or_browser_if_the_session_allows_it(
    allowed, labelled, sign, browser, may, monkeypatch
):
    def place(**arguments: Any) -> Any:
        assert arguments == {"visitor": "own", "participant_id": 4}
        return "place" if browser else None

    monkeypatch.setattr(returning, "make_hash", lambda label: f"signed {label}")
    monkeypatch.setattr(returning, "Place", SimpleNamespace(objects_first=place))
    options: Any = None if allowed is None else Options(return_by_label=allowed)
    room = None if labelled is None else SimpleNamespace(has_participant_labels=labelled)
    request: Any = SimpleNamespace(query_params={"hash": sign}, session={"visitor": "own"})
    person = SimpleNamespace(label="K1", id=4)
    assert returning.may_return(person, request, options, room) is may


@pytest.mark.parametrize(
    ("shut", "is_shut"),
    [([True], True), ([False], False), ([True, False], False), ([True] * 2, True)],
)
def test_a_session_in_parts_is_closed_if_all_its_parts_are(shut, is_shut, monkeypatch):
    stored: Any = SimpleNamespace(
        objects_filter=lambda wanted: shut, code=SimpleNamespace(in_=lambda codes: codes)
    )
    monkeypatch.setattr(joining, "Session", stored)
    monkeypatch.setattr(joining.door, "is_shut", lambda session: session)
    assert joining._is_shut(SimpleNamespace(config={joining.PARTS: ["abc", "abd"]})) is is_shut


@pytest.mark.parametrize("shut", [True, False])
def test_a_session_without_parts_is_closed_by_itself(
    shut: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = SimpleNamespace(config={}, shut=shut)
    monkeypatch.setattr(joining.door, "is_shut", lambda stored: stored is session and stored.shut)
    assert joining._is_shut(session) is shut


# -- values that REST accepts ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "value", "refusal"),
    [
        ("vars", {}, ""),
        ("vars", [1], "vars = [1]: should be an object, name -> value"),
        *((key, None, "") for key in answers._NAMES),
        *((key, ["a"], "") for key in answers._NAMES),
        *((key, "a", f"{key} = 'a': should be a list of strings") for key in answers._NAMES),
        *(
            (key, ["a", 1], f"{key} = ['a', 1]: should be a list of strings")
            for key in answers._NAMES
        ),
        ("room_name", "lab", ""),
        ("room_name", 5, "room_name = 5: should be a string"),
        ("participant_label", "K1", ""),
        ("participant_label", None, "participant_label = None: should be a string"),
        ("code", 5, ""),
    ],
)
def test_rest_accepts_values_of_their_kind(key, value, refusal):
    checked = answers._checked(lambda view, **options: ("answer", view, options))
    answer: Any = checked("view", **{key: value})
    if not refusal:
        assert answer == ("answer", "view", {key: value})
    else:
        assert (answer.status_code, answer.body.decode()) == (400, refusal)


@pytest.mark.parametrize(
    ("level", "refused"), [("DEMO", "refusal"), ("STUDY", "refusal"), ("", None), (None, None)]
)
def test_a_key_is_required_if_people_have_to_log_in(level, refused, monkeypatch):
    monkeypatch.setattr(answers.settings, "AUTH_LEVEL", level)
    monkeypatch.setattr(answers.rest_key, "refusal", lambda request: "refusal")
    assert answers._validated("request") == refused
