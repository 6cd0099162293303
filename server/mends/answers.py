"""Addresses at which oTree 6.0.15 fails on what it is asked: here they answer.

* /logout: without a login.
* /AdminReport/CODE: of a session without a report, of an app or a round that is not there.
* /api/export_...: of an app, a table or a session that is not there.
"""

from __future__ import annotations

from typing import Any

from otree import settings
from otree.common import AUTH_COOKIE_NAME
from otree.export import get_custom_export_functions
from otree.models import Session
from otree.views import admin, export
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

__all__ = ["install"]

_report = admin.AdminReport.get_form
_process = export.ExportMixin.process_export


def install() -> None:
    """Change what these addresses answer."""
    admin.Logout.get = _log_out
    admin.AdminReport.get_form = _checked_report
    export.ExportMixin.process_export = _checked_export


def _log_out(_view: Any, request: Any) -> Response:
    request.session.pop(AUTH_COOKIE_NAME, None)
    return RedirectResponse(request.url_for("Login"), status_code=302)


def _checked_report(view: Any) -> Any:
    if not view.session.has_admin_report():
        raise HTTPException(404, f"session {view.session.code} has no report")
    apps = view.session._admin_report_apps()
    query = view.request.query_params
    _among("app_name", query.get("app_name") or apps[0], apps)
    if not (query.get("round_number") or "1").isdecimal():
        raise HTTPException(404, "round_number: should be a whole number")
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
