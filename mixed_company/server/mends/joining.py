"""Links and labels: oTree 6.0.15 gives a place of the session to whoever asks.

* A preview that a messenger makes of a link for all takes a place, and so does a person whose
  browser never got the answer because the server was killed; then the session is full, and nobody
  is there. Here a place is given to a browser (`server.open.places`).
* What a panel adds to a link is lost. Here it is kept (`server.open.arrivals`).
* Whoever knows a participant's label has that participant's place. Here a label alone seats only
  somebody new (`server.open.returning`).
* Where two participants have one label, whoever comes with it gets an error. Here it is the first.
* Who comes by a link of a session that was deleted reads what oTree looked for. Here it is a page.
* Who comes to a room with a label that is not on its list reads what a program is told. Here it is
  the page for a link that leads nowhere.
* Who finds no place reads three words. Here it is a page that says what to do, and the same where
  the manager has closed the door (`server.open.door`).
* `?participant_label=` may be markup, which then runs in the administrator's browser, in the pages
  Monitor and Payments; or a character that PostgreSQL refuses.
* Cells of its tables may be formulas, which a spreadsheet computes when it opens them.
* The file of a room's labels is read whenever somebody comes: one that is not there, or a label in
  it that is none, was an error to everybody. Here it is a sentence, and the log has the reason.
"""

from __future__ import annotations

import logging
from typing import Any

import otree.export
from otree import database
from otree.models import Participant, Session
from otree.room import ROOM_DICT, LabelRoom
from otree.views import participant
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse

from mixed_company.server.fleet.parted import PARTS
from mixed_company.server.gate import Refused
from mixed_company.server.gate.labels import checked_label
from mixed_company.server.open import arrivals, door, places, returning
from mixed_company.table.export.column import as_text

__all__ = ["install"]

_join = participant.SessionWideLink.get
_room = participant.AssignVisitorToRoom.get
_begin = participant.InitializeParticipant.get
_set_label = Participant.set_label
_cell = otree.export.sanitize_for_csv
_labels = LabelRoom.get_participant_labels
_log = logging.getLogger(__name__)


def install() -> None:
    """Change who is given a place, which labels are taken, and how a text stands in a table."""
    participant.get_participant_by_cookies = places.place_of
    participant.get_participant_by_label = _first_of_label
    participant.no_participants_left_http_response = door.Full
    participant.SessionWideLink.get = _joined
    participant.AssignVisitorToRoom.get = _assigned
    participant.InitializeParticipant.get = _begun
    Participant.set_label = _set_checked_label
    otree.export.sanitize_for_csv = _cell_as_text
    LabelRoom.get_participant_labels = _labels_or_refusal


def _joined(view: Any, request: Request) -> Any:
    code = request.path_params["anonymous_code"]
    session = Session.objects_first(_anonymous_code=code)
    return door.gone_page() if session is None else _answered(view, request, _join, session)


def _assigned(view: Any, request: Request) -> Any:
    room = ROOM_DICT.get(request.path_params["room_name"])
    if not request.query_params.get("welcome_page_ok") or room is None:
        return _room(view, request)  # only bids welcome
    answer = _answered(view, request, _room, room.get_session(), room)
    wrong = isinstance(answer, HTMLResponse) and answer.status_code == door.NO_PLACE
    return door.gone_page() if wrong and answer.body.startswith(b"<pre>") else answer


def _answered(view: Any, request: Request, go: Any, session: Any, room: Any = None) -> Any:
    """Return oTree's answer to whoever may come in, and keep what is to be kept of the link."""
    met = places.introduced(request, session)
    if met is not None or session is None:
        return met or go(view, request)
    options = arrivals.options_of(session)
    try:
        request = arrivals.with_label(request, options)
        person = returning.named_by(request, session)
        if person is not None and not returning.may_return(person, request, options, room):
            return door.elsewhere_page(options)
        if _is_shut(session) and person is None and returning.placed(request, session) is None:
            return door.shut_page(options)
        answer = go(view, request)
        if isinstance(answer, door.Full):
            return door.full_page(options, arrivals.known_of(request, options))
        if isinstance(answer, RedirectResponse):
            start = answer.headers["location"]
            returning.remember(request, start.rpartition("/")[2])
            return RedirectResponse(arrivals.carried(start, request, options), 302)
    except Refused as refusal:
        return PlainTextResponse(refusal.sentence, refusal.status)
    return answer


def _is_shut(session: Any) -> bool:
    """Return whether all parts of the session admit nobody new."""
    codes = session.config.get(PARTS, [session.code])
    return all(map(door.is_shut, Session.objects_filter(Session.code.in_(codes))))


def _begun(view: Any, request: Request) -> Any:
    """Answer a participant's own link, to which the others lead."""
    code = request.path_params["code"]
    person = Participant.objects_first(code=code)
    if person is None:
        return door.gone_page()
    options = arrivals.options_of(person.session)
    if not person.visited and door.is_shut(person.session):
        return door.shut_page(options)  # whom a link for all has let in is marked as come
    try:
        answer = _begin(view, arrivals.with_label(request, options))
        arrivals.keep(code, request.query_params)
    except Refused as refusal:
        database.db.rollback()
        return PlainTextResponse(refusal.sentence, refusal.status)
    return answer


def _first_of_label(session: Any, label: str | None) -> Any:
    """Return the participant with the label, else the next who has not come."""
    by_number = Participant.objects_filter(session=session).order_by("id_in_session")
    if label:
        labelled = by_number.filter_by(label=label).first()
        if labelled is not None:
            return labelled
    return by_number.filter_by(visited=False).first()


def _set_checked_label(participant: Any, label: str | None) -> None:
    if label:
        try:
            checked_label(label)
        except Refused as refusal:
            raise HTTPException(refusal.status, refusal.sentence) from None
    _set_label(participant, label)


def _cell_as_text(value: Any) -> Any:
    return as_text(_cell(value))


def _labels_or_refusal(room: Any) -> list[str]:
    try:
        labels: list[str] = _labels(room)
    except (OSError, ValueError) as error:  # a text in other letters than those of UTF-8, too
        _log.error("room %s: %s: %s", room.name, room.participant_label_file, error)
        sentence = f"room {room.name}: its list of labels cannot be read; the log says why"
        raise HTTPException(503, sentence) from None
    return labels
