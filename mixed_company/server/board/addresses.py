"""Addresses of the board.

    /SessionBoard/CODE        GET: the page; POST: carry out the JSON in the `directive` form field
    /session_board/CODE       GET: all data of the page, as JSON (`server.board.seen`)
    /BoardView/CODE/SIGN      GET: the view-only page for an assistant, without a login
    /board_view/CODE/SIGN     GET: the data of that page
    /session_preflight/CODE   GET: whether the session can start (`server.preflight`), as JSON
    /api/session_board/CODE   GET and POST, JSON: the same, with the otree-rest-key header

Requests hold oTree's lock only while they read the participants, which happens once every
PEOPLE_SECONDS for all viewers combined.

SIGN is derived from the session's code and the server's secret key, so it gives no access to other
sessions. An assistant does not see participants' codes and labels, because anybody who has a
participant's code or label could play as that participant.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
import os
import time
from collections.abc import Mapping
from dataclasses import replace
from html import escape
from typing import Any

from otree import settings
from otree.models import Session
from otree.templating import render
from otree.views import cbv
from starlette.endpoints import HTTPEndpoint
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from mixed_company.server.board.acting import direct
from mixed_company.server.board.people import Crowd, session_people
from mixed_company.server.board.seen import board
from mixed_company.server.board.words import WORDS
from mixed_company.server.open.going_on import with_database
from mixed_company.server.open.lobbies import lobbies
from mixed_company.server.open.tables import tables
from mixed_company.server.preflight import Finding, whole
from mixed_company.server.sockets import decoded

_BYTES = 16


def sign_of(code: str) -> str:
    """Return a session's signature, which has 22 characters."""
    digest = hmac.digest(
        str(settings.SECRET_KEY).encode(), f"board {code}".encode(), hashlib.sha256
    )
    return base64.urlsafe_b64encode(digest[:_BYTES]).decode().rstrip("=")


def is_sign(code: str, sign: str) -> bool:
    """Return whether `sign` is the signature of the session."""
    return hmac.compare_digest(sign_of(code).encode(), sign.encode())


def without_labels(crowd: Crowd) -> Crowd:
    """Return a session's people without their labels, so that the board shows their numbers."""
    return replace(crowd, people=[replace(person, label="") for person in crowd.people])


def without_codes(seen: Any) -> Any:
    """Return the board's data with participants' names in place of their codes."""
    if isinstance(seen, list):
        return [without_codes(part) for part in seen]
    if not isinstance(seen, dict):
        return seen
    shown = {key: without_codes(part) for key, part in seen.items()}
    return shown | ({"participant": seen["name"]} if "participant" in seen else {})


PEOPLE_SECONDS = 2.0
"""Maximum age of cached data about people who are not at a table yet."""

EVERYWHERE = "0.0.0.0"  # noqa: S104  the address of a server that serves other machines

_looking = asyncio.Lock()

_crowds: dict[str, tuple[float, Crowd]] = {}
_names: dict[str, str] = {}


async def _crowd(code: str, fresh: bool = False) -> Crowd | None:
    """Return a session's people, from memory if the database is not responding. Raises
    HTTPException."""
    cached = _crowds.get(code)
    if tables.trouble is not None:
        if cached is None or fresh:
            raise HTTPException(503, f"the database is not responding: {tables.trouble.reason}")
        return cached[1]
    now = time.monotonic()
    if cached is not None and not fresh and now - cached[0] < PEOPLE_SECONDS:
        return cached[1]
    people: Crowd | None = await with_database(lambda: session_people(code))
    if people is not None:
        _crowds[code] = now, people
    return people


def _no_session(code: str) -> Response:
    return PlainTextResponse(f"session {code}: there is no such session\n", status_code=404)


async def _seen(code: str, looking_on: bool = False) -> Response:
    crowd = await _crowd(code)
    if crowd is None:
        return _no_session(code)
    if looking_on:
        return JSONResponse(without_codes(board(code, without_labels(crowd), tables, lobbies)))
    return JSONResponse(board(code, crowd, tables, lobbies))


async def _directed(code: str, data: Any) -> Response:
    crowd = await _crowd(code, fresh=True)
    if crowd is None:
        return _no_session(code)
    answer = await direct(code, crowd.session_id, crowd.people, data)
    _crowds.pop(code, None)
    return JSONResponse(answer.to_json(), 409 if answer.refused else 200)


def _read(text: str | bytes | None) -> Any:
    """Parse JSON in the same way as a live message; return None for invalid text, which is rejected
    later.
    """
    try:
        return decoded(text or "")
    except ValueError:
        return None


class SessionBoard(cbv.AdminView):
    """Board for a logged-in administrator: the page, and the directives that it posts."""

    async def get(self, request: Request, code: str) -> Response:
        name = await _name(code)
        if name is None:
            return _no_session(code)
        shown = {**_shown(code, name), "sign": sign_of(code), "looks_on": False}
        page: Response = self.render_to_response(self.get_context_data(**shown))
        return page

    async def post(self, request: Request, code: str) -> Response:
        return await _directed(code, _read(self.get_post_data().get("directive")))

    def get_template_name(self) -> str:
        return "mixed/SessionBoard.html"


def _shown(code: str, name: str) -> dict[str, Any]:
    """Return the template context of both pages, escaped because the templates do not escape it."""
    described = {"words": WORDS, "words_json": escape(json.dumps(WORDS))}
    return {"code": code, "name": escape(name), **described}


async def _name(code: str) -> str | None:
    """Return a session's name or None, from memory if the database is not responding."""
    if tables.trouble is not None:
        return _names.get(code, code)

    def read() -> str | None:
        session = Session.objects_first(code=code)
        return None if session is None else str(session.config["display_name"])

    name: str | None = await with_database(read)
    if name is not None:
        _names[code] = name
    return name


class SessionBoardSeen(cbv.AdminView):
    """Data that the page requests every second."""

    async def get(self, request: Request, code: str) -> Response:
        return await _seen(code)


class SessionPreflight(cbv.AdminView):
    """Findings of the preflight check, for the card that shows them on the board."""

    async def get(self, request: Request, code: str) -> Response:
        listed = await findings(code)
        if isinstance(listed, str):
            return JSONResponse({"reason": listed}, 409)
        return JSONResponse({"findings": listed})


class BoardView(HTTPEndpoint):
    """View-only page for an assistant."""

    async def get(self, request: Request) -> Response:
        code, sign = request.path_params["code"], request.path_params["sign"]
        name = await _name(code) if is_sign(code, sign) else None
        if name is None:
            return _no_session(code)
        shown = {**_shown(code, name), "sign": sign, "looks_on": True}
        page: Response = render("mixed/SessionBoard.html", shown)
        return page


class BoardViewSeen(HTTPEndpoint):
    """Data of the view-only page."""

    async def get(self, request: Request) -> Response:
        code = request.path_params["code"]
        right = is_sign(code, request.path_params["sign"])
        return await _seen(code, looking_on=True) if right else _no_session(code)


class RESTSessionBoard(HTTPEndpoint):
    """Data of the board and directives, over REST."""

    async def get(self, request: Request) -> Response:
        forbidden: Response | None = cbv.validate_rest_key(request)
        return forbidden or await _seen(request.path_params["code"])

    async def post(self, request: Request) -> Response:
        forbidden: Response | None = cbv.validate_rest_key(request)
        if forbidden is not None:
            return forbidden
        return await _directed(request.path_params["code"], _read(await request.body()))


# -- before the session ------------------------------------------------------------------------


async def findings(code: str) -> list[dict[str, str]] | str:
    """Return {verdict, sentence} for every finding, or the reason why the session cannot be
    checked. The check lets policies play the session outside the event loop, but never while people
    are playing.
    """
    if any(not opened.table.over for opened in tables):
        return "people are playing: check before they start, or run `mixed preflight` elsewhere"
    session = await with_database(lambda: _config(code))
    if session is None:
        return f"session {code}: there is no such session"
    config, people = session
    async with _looking:
        connected = tables.agents.connected
        listed = await asyncio.to_thread(_looked_at, config, people, connected)
    return [{"verdict": finding.verdict.value, "sentence": finding.sentence} for finding in listed]


def _config(code: str) -> tuple[dict[str, Any], int] | None:
    session = Session.objects_first(code=code)
    return None if session is None else (dict(session.config), session.num_participants)


def _looked_at(config: dict[str, Any], people: int, connected: Mapping[str, int]) -> list[Finding]:
    people *= int(config.get("parts", 1))
    return whole.findings(
        settings, config, people, None, EVERYWHERE, os.environ, connected=connected
    )


ROUTES = [
    Route("/SessionBoard/{code}", SessionBoard, name="SessionBoard"),
    Route("/session_board/{code}", SessionBoardSeen, name="SessionBoardSeen"),
    Route("/session_preflight/{code}", SessionPreflight, name="SessionPreflight"),
    Route("/BoardView/{code}/{sign}", BoardView, name="BoardView"),
    Route("/board_view/{code}/{sign}", BoardViewSeen, name="BoardViewSeen"),
    Route("/api/session_board/{code}", RESTSessionBoard, name="RESTSessionBoard"),
]
"""Routes that `server.mends` adds to oTree."""
