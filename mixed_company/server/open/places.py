"""The places of a session: a browser is given one once, and keeps it.

A link for all (a session's or a room's) gives places in turn. Nobody has one before the browser has
shown that it keeps what it is told, a name drawn for it; the place is written down under this name
in the same transaction. So whoever asks again, because the answer was lost when the server was
killed, has the place already; and the previews that messengers make of a link take none.

Who keeps no cookies, a person or a preview, is shown a page with a button, which has the name.
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

__all__ = ["VISITOR", "Place", "introduced", "place_of"]

VISITOR = "visitor"
"""The name of a browser, in its cookie."""

_NAME = re.compile(r"[\w-]{22}", re.ASCII)
_BYTES = 16  # 22 signs


class Place(AnyModel):
    """A participant that a browser is: one of several if it came with several labels."""

    visitor = Column(String(22), index=True)
    session_id = Column(Integer, ForeignKey("otree_session.id", ondelete="CASCADE"))
    participant_id = Column(Integer, ForeignKey("otree_participant.id", ondelete="CASCADE"))
    __table_args__ = (UniqueConstraint("visitor", "participant_id"),)


def place_of(session: Any, cookies: dict[str, Any]) -> Any:
    """The participant that a browser is in a session, the next free one if it is new there.

    None: all places are taken.
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
    """The language of a session, which may be of other apps than ours; None: there is none yet."""
    named = session.config.get("language") if session else SOURCE
    return named if named in codes() else SOURCE


def introduced(request: Request, session: Any) -> Response | None:
    """What is answered to who may be no browser, in the language of the session, if there is one;
    None: it has a name."""
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
    if "browser" in query:  # sent there with a cookie, and has come without
        link = f"{request.url.path}?{urlencode({**query, 'visit': name})}"
        with speaking(_language(session)):
            words = texts.arrive()
            return notice(words, link, words["begin"])
    request.session[VISITOR] = name
    return RedirectResponse(f"{request.url.path}?{urlencode({**query, 'browser': '1'})}", 302)
