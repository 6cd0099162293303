"""Fields of a session config, for the page on which a session is created.

    /session_form/NAME     GET: the fields as HTML, for the admin

The fields cannot change while the server runs, so they are rendered once, when the config is first
chosen. The page that lists the configs does not contain them, because the fields of all configs
took 1.5 seconds and 1.7 MB each time.
"""

from __future__ import annotations

from functools import cache

from otree.session import SESSION_CONFIGS_DICT
from otree.templating import render
from otree.views import cbv
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from mixed_company.engine.contract.errors import nearest, short
from mixed_company.server.session_form import fields


class SessionForm(cbv.AdminView):
    """Fields of the config named in the address; 404 for an unknown name."""

    async def get(self, _request: Request, name: str) -> Response:
        if name not in SESSION_CONFIGS_DICT:
            hint = nearest(name, SESSION_CONFIGS_DICT)
            return PlainTextResponse(f"session config {short(name)}{hint}\n", status_code=404)
        return Response(_fields_of(name), media_type="text/html")


@cache
def _fields_of(name: str) -> bytes:
    context = {"name": name, "groups": fields(SESSION_CONFIGS_DICT[name])}
    html: bytes = render("mixed/SessionForm.html", context).body
    return html


ROUTES = [Route("/session_form/{name}", SessionForm, name="SessionForm")]
"""Route that `server.mends` adds to oTree."""
