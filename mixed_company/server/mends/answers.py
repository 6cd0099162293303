"""Addresses where oTree 6.0.15 fails on unexpected input; here the server responds properly.

* /SaveDB: it gives anybody the server's process id, which only `otree devserver` needs.
* /AdminReport/CODE: for a session without a report, and unknown apps and rounds.
* /api/export_...: for unknown apps, tables and sessions.
* /demo/CONFIG: for an unknown session config. oTree writes the name into a script, so markup in it
  would run in the browser of anybody who follows such a link. In addition, a link on another site
  cannot create a session here.
* Unknown rooms, and Mechanical Turk for a session that does not use it.
* /AdvanceSession/CODE: without a choice of participants.
* /SessionEditProperties/CODE: a fee or a rate that cannot be paid.
* /room/NAME: a body that is not an object.
* A participant's page: `back_button` on a page that has no back button.
* The administrator's pages: a POST to one without a form, a GET to one that accepts only a POST.
* Any address: a cookie named `session` that was set by another application on the same host.
* REST: oTree stores variables for a label even if they are not an object, and the person with that
  label then gets an error. Here the response to these and other invalid values is 400 and an error
  message. oTree compares REST keys character by character, and does not limit the attempts; here
  `server.rest_key` checks them.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlencode

from otree import settings
from otree.constants import back_button
from otree.export import get_custom_export_functions
from otree.models import Session
from otree.room import ROOM_DICT
from otree.session import SESSION_CONFIGS_DICT
from otree.views import abstract, admin, cbv, demo, export, mturk, participant, rest, room
from starlette.exceptions import HTTPException
from starlette.middleware import sessions
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from mixed_company.engine.contract.errors import nearest, short
from mixed_company.server import rest_key
from mixed_company.server.gate import Refused
from mixed_company.server.gate.origins import is_link_of_others
from mixed_company.server.gate.reading import checked_label
from mixed_company.server.gate.request import address_of
from mixed_company.table.pay import MOST_PAID, can_be_paid

_Answer = Callable[..., Response]
_ROUND = re.compile("[0-9]{1,6}")

_TAKE = (
    *(admin.AdvanceSession, admin.ToggleArchivedSessions, room.CloseRoom),
    *(mturk.PayMTurk, mturk.RejectMTurk, mturk.MTurkExpireHIT),
)
"""The administrator's addresses that accept only a POST."""
_NAMES = ("participant_labels", "participant_vars", "session_vars")

_save_database: _Answer = admin.SaveDB.post
_report = admin.AdminReport.get_form
_process: _Answer = export.ExportMixin.process_export
_advance: _Answer = admin.AdvanceSession.post
_edit: _Answer = admin.SessionEditProperties.form_valid
_hit: _Answer = mturk.MTurkCreateHIT.inner_dispatch
_start_hit: _Answer = participant.MTurkStart.get
_visit: Callable[..., Awaitable[Response]] = participant.AssignVisitorToRoom.post
_post: _Answer = abstract.Page.post
_form: _Answer = cbv.AdminView.post


def install() -> None:
    """Change the responses at these addresses, and which keys and values REST accepts."""
    admin.SaveDB.post = _save
    admin.AdminReport.get_form = _checked_report
    export.ExportMixin.process_export = _checked_export
    demo.CreateDemoSession.intercept_dispatch = _check_config
    for view in (room.RoomWithoutSession, room.RoomWithSession, room.CloseRoom):
        view.intercept_dispatch = _in_room(view.intercept_dispatch)
    cbv.AdminView.post = _hand_in
    room.RoomWithoutSession.post = _not_allowed
    for view in _TAKE:
        view.get = _not_allowed
    admin.AdvanceSession.post = _advance_whom
    admin.SessionEditProperties.form_valid = _edit_checked
    for view in (mturk.MTurkCreateHIT, mturk.MTurkExpireHIT):
        view.inner_dispatch = _of_a_hit
    participant.MTurkStart.get = _start_of_a_hit
    participant.AssignVisitorToRoom.post = _visited
    abstract.Page.post = _post_forward
    cookies: Any = sessions
    # tolerate other applications' cookies
    cookies.BadTimeSignature = cookies.itsdangerous.BadSignature
    cbv.validate_rest_key = _validated
    for view in (rest.RESTSessionVars, rest.RESTParticipantVars, rest.RESTParticipantVarsByRoom):
        view.post = _checked(view.post)
    rest.RESTGetSessionInfo.post = _checked(rest.RESTGetSessionInfo.post)
    rest.RESTGetSessionInfoLegacy.get = rest.RESTGetSessionInfo.post


def _checked_report(view: Any) -> Any:
    if not view.session.has_admin_report():
        raise HTTPException(404, f"session {view.session.code} has no report")
    apps = view.session._admin_report_apps()
    sent = {key: value for key, value in view.request.query_params.items() if value}
    _among("app_name", sent.get("app_name", apps[0]), apps)
    if not _ROUND.fullmatch(sent.get("round_number", "1")):
        raise HTTPException(404, "round_number: should be a whole number")
    # an empty field counts as missing
    view.request = Request({**view.request.scope, "query_string": urlencode(sent).encode()})
    return _report(view)


def _checked_export(view: Any, request: Any) -> Response:
    query = request.query_params
    if isinstance(view, (export.ExportApp, export.ExportAppCustom)):
        app = query.get("app", "")
        _among("app", app, settings.OTREE_APPS)
        if isinstance(view, export.ExportAppCustom):
            name = query.get("function_name", "custom_export")
            _among("function_name", name, get_custom_export_functions(app))
    code = query.get("session_code")
    if code and not Session.objects_exists(code=code):
        raise HTTPException(404, f"session_code = {code!r}: there is no such session")
    return _process(view, request)


def _among(key: str, value: str, names: Any) -> None:
    if value not in names:
        rule = f"should be one of {', '.join(names)}"
        raise HTTPException(404, f"{key} = {value!r}: {rule}")


def _check_config(view: Any, config_name: str) -> None:
    _check_name("config_name", config_name, SESSION_CONFIGS_DICT)
    if view._requires_login and is_link_of_others(view.request.headers):
        sentence = "a link on another site cannot create a session: enter the address yourself"
        raise HTTPException(403, sentence)


def _check_name(key: str, name: str, names: Any) -> None:
    if name not in names:
        raise HTTPException(404, f"{key} = {short(name)}: unknown{nearest(name, names)}")


def _in_room(go: Callable[..., Any]) -> Callable[..., Any]:
    def dispatch(view: Any, room_name: str) -> Any:
        _check_name("room_name", room_name, ROOM_DICT)
        return go(view, room_name=room_name)

    return dispatch


def _not_allowed(_view: Any, _request: Any, **_path: Any) -> Response:
    return PlainTextResponse("Method Not Allowed", 405)


def _hand_in(view: Any, request: Any, **path: Any) -> Response:
    return (_form if view.form_class else _not_allowed)(view, request, **path)


def _advance_whom(view: Any, request: Any, code: str) -> Response:
    sent = view.get_post_data()
    if not sent.get("selected_participant") and "advancemode" not in sent:
        raise HTTPException(400, "either selected_participant or advancemode is required")
    return _advance(view, request, code)


def _edit_checked(view: Any, form: Any) -> Response:
    wrong = [
        field
        for field in (form.participation_fee, form.real_world_currency_per_point)
        if not can_be_paid(field.data)
    ]
    for field in wrong:
        field.errors = [*field.errors, f"should be a number from 0 to {MOST_PAID}"]
    return view.form_invalid(form) if wrong else _edit(view, form)


def _save(view: Any, request: Request) -> Response:
    if "devserver_inner" not in sys.argv or address_of(dict(request.scope)) != "127.0.0.1":
        raise HTTPException(404, "there is nothing at this address")
    return _save_database(view, request)


def _check_hit(session: Any) -> None:
    if "mturk_hit_settings" not in session.config:
        raise HTTPException(404, f"session {session.code} does not use Mechanical Turk")


def _of_a_hit(view: Any, request: Any) -> Response:
    """Check the session, after checking the login if one is required."""
    session = Session.objects_first(code=request.path_params["code"])
    if session is not None and not view._is_unauthorized():
        _check_hit(session)
    return _hit(view, request)


def _start_of_a_hit(view: Any, request: Any) -> Response:
    session = Session.objects_first(code=request.path_params["code"])
    if session is not None:
        _check_hit(session)
    return _start_hit(view, request)


async def _visited(view: Any, request: Any) -> Response:
    try:
        sent = json.loads(await request.body())
    except (ValueError, RecursionError):
        sent = None
    if not isinstance(sent, dict) or not all(isinstance(text, str) for text in sent.values()):
        return PlainTextResponse("the body should be a JSON object of strings", 400)
    return await _visit(view, request)


def _post_forward(page: Any) -> Response:
    """Process a posted page, unless the form has a back button but the page has none. In that case,
    show the participant's current page.
    """
    if page._form_data.get(back_button) and not page.allow_back_button:
        back: Response = page._redirect_to_page_the_user_should_be_on()
        return back
    return _post(page)


def _validated(request: Any) -> Response | None:
    return rest_key.refusal(request) if settings.AUTH_LEVEL in ("DEMO", "STUDY") else None


def _checked(answer: Callable[..., Response]) -> Callable[..., Response]:
    def checked(view: Any, **sent: Any) -> Response:
        try:
            for key, value in sent.items():
                _check(key, value)
        except Refused as refusal:
            return PlainTextResponse(refusal.sentence, refusal.status)
        return answer(view, **sent)

    return checked


def _check(key: str, value: Any) -> None:
    """Raise Refused for a value that is not valid for its key."""
    rule = None
    if key == "vars" and not isinstance(value, dict):
        rule = "should be an object, name -> value"
    if key in _NAMES and value is not None and not _are_texts(value):
        rule = "should be a list of strings"
    if key in ("room_name", "participant_label") and not isinstance(value, str):
        rule = "should be a string"
    if rule is not None:
        raise Refused(400, f"{key} = {short(value)}: {rule}")
    if key == "participant_label":
        checked_label(value, key)


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)
