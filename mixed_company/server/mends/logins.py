"""The administrator's login. oTree 6.0.15 accepts a cookie for 14 days, no matter what happens in
that time.

Here the server keeps the logins (`server.logins`), and pages and sockets check them.
"""

from __future__ import annotations

from typing import Any

from otree.channels import consumers
from otree.common import AUTH_COOKIE_NAME, AUTH_COOKIE_VALUE
from otree.views import admin, cbv
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from mixed_company.server import logins
from mixed_company.server.gate.origins import is_link_of_others

_Consumer = consumers._OTreeAsyncJsonWebsocketConsumer
_connect = _Consumer.on_connect


def install() -> None:
    """Change how oTree checks logins, and what it does when somebody logs out."""
    cbv.AdminView._is_logged_in = _is_logged_in
    admin.Login.form_valid = _log_in
    admin.Logout.get = _log_out
    _Consumer.on_connect = _connect_checked


def _is_logged_in(view: Any) -> bool:
    return logins.holds(view.request.session.get(AUTH_COOKIE_NAME))


def _log_in(view: Any, _form: Any) -> Response:
    view.request.session[AUTH_COOKIE_NAME] = logins.begin()
    answer: Response = view.redirect("DemoIndex")
    return answer


def _log_out(_view: Any, request: Any) -> Response:
    if is_link_of_others(request.headers):
        sentence = "a link on another site cannot log you out: enter the address yourself"
        raise HTTPException(403, sentence)
    logins.end(request.session.pop(AUTH_COOKIE_NAME, None))
    return RedirectResponse(request.url_for("Login"), status_code=302)


async def _connect_checked(consumer: Any, websocket: Any) -> None:
    """Set the login flag that oTree checks, but only in this socket's copy of the cookie."""
    held = logins.holds(websocket.session.get(AUTH_COOKIE_NAME))
    websocket.session[AUTH_COOKIE_NAME] = AUTH_COOKIE_VALUE if held else ""
    await _connect(consumer, websocket)
