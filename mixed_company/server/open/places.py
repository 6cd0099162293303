"""Places in a session: a browser gets one and keeps it.

A shared link (a session's or a room's) assigns places in order. A browser gets a place only after
it has shown that it keeps its cookie, which holds a random name. The place is stored under this
name in the same transaction. If the response is lost because the server is killed, the browser gets
the same place when it retries. Link previews in messengers do not take a place.

A visitor without cookies, whether a person or a preview, gets a page with a button that submits the
name.
"""

from __future__ import annotations

import re
import secrets
from typing import Any
from urllib.parse import urlencode

from otree.database import AnyModel, db
from otree.models import Participant
from sqlalchemy import Column, ForeignKey, Integer, String, UniqueConstraint
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from mixed_company.language import SOURCE, codes, speaking
from mixed_company.server.pages import texts
from mixed_company.server.pages.notice import notice

VISITOR = "visitor"
"""Cookie key for a browser's name."""

_NAME = re.compile(r"[\w-]{22}", re.ASCII)
_BYTES = 16  # 22 characters


class Place(AnyModel):
    """Participant who belongs to a browser; a browser with several labels has several
    participants.
    """

    visitor = Column(String(22), index=True)
    session_id = Column(Integer, ForeignKey("otree_session.id", ondelete="CASCADE"))
    participant_id = Column(Integer, ForeignKey("otree_participant.id", ondelete="CASCADE"))
    __table_args__ = (UniqueConstraint("visitor", "participant_id"),)


def place_of(session: Any, cookies: dict[str, Any]) -> Any:
    """Return a browser's participant in a session; a new browser gets the next free one.

    Returns None if all places are taken.
    """
    visitor = cookies[VISITOR]
    place = Place.objects_first(visitor=visitor, session_id=session.id)
    if place is not None:
        return Participant.objects_first(id=place.participant_id)
    participant = session.pp_set.filter_by(visited=False).order_by("id").first()
    if participant is not None:
        db.add(Place(visitor=visitor, session_id=session.id, participant_id=participant.id))
    return participant


def _language(session: Any) -> str:
    """Return a session's language, or the default if none is set."""
    named = session.config.get("language") if session else SOURCE
    return named if named in codes() else SOURCE


def introduced(request: Request, session: Any) -> Response | None:
    """Return the response to a visitor whose browser has no name yet; None if it has one."""
    query = dict(request.query_params)
    if request.method == "HEAD":
        return Response()
    if VISITOR in request.session:
        return None
    name = query.get("visit", "")
    if _NAME.fullmatch(name):
        request.session[VISITOR] = name
        return None
    name = secrets.token_urlsafe(_BYTES)
    if "browser" in query:  # the redirect set a cookie, but it did not come back
        link = f"{request.url.path}?{urlencode({**query, 'visit': name})}"
        with speaking(_language(session)):
            words = texts.arrive()
            return notice(words, link, words["begin"])
    request.session[VISITOR] = name
    return RedirectResponse(f"{request.url.path}?{urlencode({**query, 'browser': '1'})}", 302)
