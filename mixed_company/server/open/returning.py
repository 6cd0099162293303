"""Rules about returning: which visitors get an earlier participant's seat.

A label or panel ID is not a secret: it appears on lists, and assistants and friends may know it.
With just a label, therefore, only a new person is admitted. A returning person needs the first
browser's cookie or a link signed for the label (`hash`, as oTree signs the links of rooms).
Otherwise, the person can return only if the session or room accepts a label alone
(`return_by_label`). A participant's own link contains the code and is sufficient by itself.
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
    """Return the participant who has already visited with the label in the link, or None."""
    label = request.query_params.get(LABEL)
    come = _people(session).filter_by(label=label, visited=True) if label else None
    return come.order_by("id").first() if come else None


def placed(request: Request, session: Any) -> Any:
    """Return the participant that this browser already has in the session or its parts, or None."""
    taken = Place.objects_filter(visitor=request.session.get(VISITOR))
    return (
        _people(session)
        .filter(Participant.id.in_([place.participant_id for place in taken]))
        .first()
    )


def may_return(person: Any, request: Request, options: Options | None, room: Any = None) -> bool:
    """Return whether a link with a person's label leads to that person's seat.

    room    oTree's room if the link belongs to a room; None if it belongs to the session
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


def remember(request: Request, person: Any) -> None:
    """Record that the browser that sent a request belongs to this participant."""
    visitor = request.session[VISITOR]
    if Place.objects_first(visitor=visitor, participant_id=person.id) is None:
        db.add(Place(visitor=visitor, session_id=person.session_id, participant_id=person.id))


def _people(session: Any) -> Any:
    """Return a query for the participants of a session and its parts."""
    codes = session.config.get(PARTS, [session.code])
    return Participant.objects_filter(Participant._session_code.in_(codes))
