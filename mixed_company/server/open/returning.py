"""Rules for coming back: which visitors get the seat of an earlier participant.

A label or panel ID is not a secret: it appears on lists, and assistants and friends may know it. So
a label alone admits only a new person. A returning person needs the cookie of the first browser or
a link signed for the label (`hash`, as oTree signs the links of rooms). Otherwise the session or
room must accept bare labels (`return_by_label`). A participant's own link contains the code and
needs none of these.
"""

from __future__ import annotations

import hmac
from typing import Any

from otree.common import make_hash
from otree.database import db
from otree.models import Participant
from starlette.requests import Request

from mixed_company.server.fleet.parted import PARTS
from mixed_company.server.open.arrivals import LABEL
from mixed_company.server.open.places import VISITOR, Place
from mixed_company.table.options import Options


def named_by(request: Request, session: Any) -> Any:
    """Return the participant who has already visited using the label in the link, or None."""
    label = request.query_params.get(LABEL)
    come = _people(session).filter_by(label=label, visited=True) if label else None
    return come.order_by("id").first() if come else None


def placed(request: Request, session: Any) -> Any:
    """Return this browser's earlier participant in the session or its parts, or None."""
    taken = Place.objects_filter(visitor=request.session.get(VISITOR))
    return (
        _people(session)
        .filter(Participant.id.in_([place.participant_id for place in taken]))
        .first()
    )


def may_return(person: Any, request: Request, options: Options | None, room: Any = None) -> bool:
    """Return whether a link with a person's label leads to that person's seat.

    room    oTree's room if the link is a room's; None if it is the session's
    """
    allowed = "room" if options is None else options.return_by_label
    if allowed == "always" or (
        allowed == "room" and room is not None and room.has_participant_labels
    ):
        return True
    sign = request.query_params.get("hash", "")
    if hmac.compare_digest(sign.encode(), make_hash(person.label).encode()):
        return True
    visitor = request.session.get(VISITOR)
    return Place.objects_first(visitor=visitor, participant_id=person.id) is not None


def remember(request: Request, code: str) -> None:
    """Record that the browser of a request belongs to the participant with this code."""
    person, visitor = Participant.objects_first(code=code), request.session[VISITOR]
    if Place.objects_first(visitor=visitor, participant_id=person.id) is None:
        db.add(Place(visitor=visitor, session_id=person.session_id, participant_id=person.id))


def _people(session: Any) -> Any:
    """Return a query of the participants of a session and its parts."""
    codes = session.config.get(PARTS, [session.code])
    return Participant.objects_filter(Participant._session_code.in_(codes))
