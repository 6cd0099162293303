"""Addresses at which oTree 6.0.15 fails on what it is asked: here they answer.

* /SaveDB: tells anybody the number of the server's process; only `otree devserver` needs it.
* /AdminReport/CODE: of a session without a report, of an app or a round that is not there.
* /api/export_...: of an app, a table or a session that is not there.
* /demo/CONFIG: of a session config that is not there; oTree writes the name into a script, where it
  would run in the browser of whoever follows a link with it. A link of another page creates none.
* Rooms that are not there, and Mechanical Turk of a session that is not for it.
* /AdvanceSession/CODE: without saying who is advanced.
* /SessionEditProperties/CODE: a fee or a rate that cannot be paid.
* /room/NAME: what is sent there is no object.
* A page of a participant: `back_button` where there is none.
* Pages of the administrator: one without a form to which something is sent, one that only takes.
* Any: a cookie `session` of another application at the same host.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from otree import settings
from otree.constants import back_button
from otree.export import get_custom_export_functions
from otree.models import Session
from otree.room import ROOM_DICT
from otree.session import SESSION_CONFIGS_DICT
from otree.views import abstract, admin, cbv, demo, export, mturk, participant, room
from starlette.exceptions import HTTPException
from starlette.middleware import sessions
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from mixed_company.engine.contract.errors import nearest, short
from mixed_company.server.gate.origins import is_link_of_others
from mixed_company.server.gate.request import address_of
from mixed_company.table.pay import MOST_PAID, can_be_paid

__all__ = ["install"]

_ROUND = re.compile("[0-9]{1,6}")

_TAKE = (
    *(admin.AdvanceSession, admin.ToggleArchivedSessions, room.CloseRoom),
    *(mturk.PayMTurk, mturk.RejectMTurk, mturk.MTurkExpireHIT),
)
"""Pages of the administrator that are none: something is sent there."""

_save_database = admin.SaveDB.post
_report = admin.AdminReport.get_form
_process = export.ExportMixin.process_export
_advance = admin.AdvanceSession.post
_edit = admin.SessionEditProperties.form_valid
_hit = mturk.MTurkCreateHIT.inner_dispatch
_start_hit = participant.MTurkStart.get
_visit = participant.AssignVisitorToRoom.post
_post = abstract.Page.post
_form = cbv.AdminView.post


def install() -> None:
    """Change what these addresses answer."""
    admin.SaveDB.post = _save
    admin.AdminReport.get_form = _checked_report
    export.ExportMixin.process_export = _checked_export
    demo.CreateDemoSession.intercept_dispatch = _check_config
    for view in (room.RoomWithoutSession, room.RoomWithSession, room.CloseRoom):
        view.intercept_dispatch = _in_room(view.intercept_dispatch)
    cbv.AdminView.post = _hand_in
    room.RoomWithoutSession.post = _not_so
    for view in _TAKE:
        view.get = _not_so
    admin.AdvanceSession.post = _advance_whom
    admin.SessionEditProperties.form_valid = _edit_checked
    for view in (mturk.MTurkCreateHIT, mturk.MTurkExpireHIT):
        view.inner_dispatch = _of_a_hit
    participant.MTurkStart.get = _start_of_a_hit
    participant.AssignVisitorToRoom.post = _visited
    abstract.Page.post = _post_forward
    cookies: Any = sessions
    cookies.BadTimeSignature = cookies.itsdangerous.BadSignature  # what is no cookie of its own


def _checked_report(view: Any) -> Any:
    if not view.session.has_admin_report():
        raise HTTPException(404, f"session {view.session.code} has no report")
    apps = view.session._admin_report_apps()
    given = {key: value for key, value in view.request.query_params.items() if value}
    _among("app_name", given.get("app_name", apps[0]), apps)
    if not _ROUND.fullmatch(given.get("round_number", "1")):
        raise HTTPException(404, "round_number: should be a whole number")
    # a field that was left empty is as if it were not there
    view.request = Request({**view.request.scope, "query_string": urlencode(given).encode()})
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
    answer: Response = _process(view, request)
    return answer


def _among(key: str, value: str, names: Any) -> None:
    if value not in names:
        rule = f"should be one of {', '.join(names)}"
        raise HTTPException(404, f"{key} = {value!r}: {rule}")


def _check_config(view: Any, config_name: str) -> None:
    _known("config_name", config_name, SESSION_CONFIGS_DICT)
    if view._requires_login and is_link_of_others(view.request.headers):
        raise HTTPException(403, "a link of another page creates no session: type the address")


def _known(key: str, name: str, names: Any) -> None:
    if name not in names:
        raise HTTPException(404, f"{key} = {short(name)}: there is none{nearest(name, names)}")


def _in_room(go: Callable[..., Any]) -> Callable[..., Any]:
    def dispatch(view: Any, room_name: str) -> Any:
        _known("room_name", room_name, ROOM_DICT)
        return go(view, room_name=room_name)

    return dispatch


def _not_so(_view: Any, _request: Any, **_path: Any) -> Response:
    return PlainTextResponse("Method Not Allowed", 405)


def _hand_in(view: Any, request: Any, **path: Any) -> Response:
    answer: Response = (_form if view.form_class else _not_so)(view, request, **path)
    return answer


def _advance_whom(view: Any, request: Any, code: str) -> Response:
    sent = view.get_post_data()
    if not sent.get("selected_participant") and "advancemode" not in sent:
        raise HTTPException(400, "selected_participant, advancemode: one says who is advanced")
    answer: Response = _advance(view, request, code)
    return answer


def _edit_checked(view: Any, form: Any) -> Response:
    wrong = [
        field
        for field in (form.participation_fee, form.real_world_currency_per_point)
        if not can_be_paid(field.data)
    ]
    for field in wrong:
        field.errors = [*field.errors, f"should be a number from 0 to {MOST_PAID}"]
    answer: Response = view.form_invalid(form) if wrong else _edit(view, form)
    return answer


def _save(view: Any, request: Request) -> Response:
    if "devserver_inner" not in sys.argv or address_of(dict(request.scope)) != "127.0.0.1":
        raise HTTPException(404, "there is nothing at this address")
    response: Response = _save_database(view, request)
    return response


def _check_hit(session: Any) -> None:
    if "mturk_hit_settings" not in session.config:
        raise HTTPException(404, f"session {session.code} is not for Mechanical Turk")


def _of_a_hit(view: Any, request: Any) -> Response:
    """A login is asked for first, where it is wanted."""
    session = Session.objects_first(code=request.path_params["code"])
    if session is not None and not view._is_unauthorized():
        _check_hit(session)
    answer: Response = _hit(view, request)
    return answer


def _start_of_a_hit(view: Any, request: Any) -> Response:
    session = Session.objects_first(code=request.path_params["code"])
    if session is not None:
        _check_hit(session)
    answer: Response = _start_hit(view, request)
    return answer


async def _visited(view: Any, request: Any) -> Response:
    try:
        sent = json.loads(await request.body())
    except (ValueError, RecursionError):
        sent = None
    if not isinstance(sent, dict) or not all(isinstance(own, str) for own in sent.values()):
        return PlainTextResponse("the body should be JSON, an object of texts", 400)
    answer: Response = await _visit(view, request)
    return answer


def _post_forward(page: Any) -> Response:
    """Who presses a button that is not there is shown the page again."""
    if page._form_data.get(back_button) and not page.allow_back_button:
        back: Response = page._redirect_to_page_the_user_should_be_on()
        return back
    answer: Response = _post(page)
    return answer
