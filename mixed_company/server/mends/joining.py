"""Links and labels: how visitors get places in a session.

oTree 6.0.15 gives a place to every request. This causes the following problems, which are solved
here:

* When a messenger previews a shared link, it takes a place. So does a request if the response never
  arrives because the server is killed; eventually the session is full of absent people. Here a
  place goes to a browser (`server.open.places`).
* The parameters that a panel adds to a link are lost. Here they are stored
  (`server.open.arrivals`).
* Anybody who knows a participant's label gets that participant's place. Here, with just a label,
  only new people are admitted (`server.open.returning`).
* If two participants have the same label, a visitor with that label gets an error. Here the visitor
  gets the first participant's place.
* A visitor who follows the link of a deleted session sees a message about oTree's database query.
  Here the visitor sees a page.
* If a visitor's label is not on a room's list, the visitor sees a message meant for programs.
  Here the visitor sees the page for an outdated link.
* A link leads to the first page through up to three redirects, each a separate request.
  Here it leads straight to the first page that is shown.
* If there is no free place, oTree shows the visitor only three words. Here a page says what to do;
  if the manager has stopped admissions, it is a different page (`server.open.door`).
* `?participant_label=` can contain markup, which then runs in the administrator's browser on the
  Monitor and Payments pages, or a character that PostgreSQL rejects. Here such a label is rejected.
* Cells of oTree's tables can contain formulas, which a spreadsheet evaluates when it opens the
  table. Here formulas are written as text.
* The file with a room's labels is read for every visitor. In oTree, a missing file or an invalid
  label in it causes an error for everybody. Here only visitors to this room see an error, and the
  reason is logged.
"""

from __future__ import annotations

import logging
from typing import Any

import otree.export
from otree import database
from otree.lookup import get_page_lookup
from otree.models import Participant, Session
from otree.room import ROOM_DICT, LabelRoom
from otree.views import participant
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse

from mixed_company.server.fleet.owners import ours
from mixed_company.server.fleet.parted import PARTS
from mixed_company.server.gate import Refused
from mixed_company.server.gate.reading import checked_label
from mixed_company.server.open import arrivals, door, places, returning
from mixed_company.server.pages.shared import Shared
from mixed_company.table.export.column import as_text

_join = participant.SessionWideLink.get
_room = participant.AssignVisitorToRoom.get
_set_label = Participant.set_label
_cell = otree.export.sanitize_for_csv
_labels = LabelRoom.get_participant_labels
_log = logging.getLogger(__name__)


def install() -> None:
    """Change who gets a place, which labels are valid, and how text is written into tables."""
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
        return _room(view, request)  # this request only leads to the welcome page
    answer = _answered(view, request, _room, room.get_session(), room)
    wrong = isinstance(answer, HTMLResponse) and answer.status_code == door.NO_PLACE
    return door.gone_page() if wrong and answer.body.startswith(b"<pre>") else answer


def _answered(view: Any, request: Request, go: Any, session: Any, room: Any = None) -> Any:
    """Respond as oTree does to a visitor who can be admitted, and store the link's parameters."""
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
            person = Participant.objects_first(code=answer.headers["location"].rpartition("/")[2])
            returning.remember(request, person)
            return _started(request, person)
    except Refused as refusal:
        database.db.rollback()
        return PlainTextResponse(refusal.sentence, refusal.status)
    return answer


def _is_shut(session: Any) -> bool:
    """Return whether no part of the session admits new people."""
    if PARTS not in session.config:
        return door.is_shut(session)
    return all(map(door.is_shut, Session.objects_filter(Session.code.in_(session.config[PARTS]))))


def _begun(_view: Any, request: Request) -> Any:
    """Respond to a participant's own link."""
    code = request.path_params["code"]
    person = Participant.objects_first(code=code)
    if person is None:
        return door.gone_page()
    options = arrivals.options_of(person.session)
    if not person.visited and door.is_shut(person.session):
        # visitors admitted by a shared link are already marked as visited
        return door.shut_page(options)
    try:
        return _started(arrivals.with_label(request, options), person)
    except Refused as refusal:
        database.db.rollback()
        return PlainTextResponse(refusal.sentence, refusal.status)


def _started(request: Request, person: Any) -> RedirectResponse:
    """Start a participant's session unless it has started, and redirect to the current page."""
    starts = person._index_in_pages == 0
    with database.db._db.no_autoflush:  # each flush costs as much as five lookups
        person.initialize(request.query_params.get(arrivals.LABEL))
        arrivals.keep(person, request.query_params)
        if starts and ours(person._session_code, person.code):
            lookup = get_page_lookup(person._session_code, person._index_in_pages)
            page = lookup.page_class.instantiate_without_request()
            page.set_attributes(person)
            if isinstance(page, Shared) and not page._is_displayed():
                page._increment_index_in_pages()
    return RedirectResponse(person._url_i_should_be_on(), 302)


def _first_of_label(session: Any, label: str | None) -> Any:
    """Return the participant with the label, or else the next one who has not arrived."""
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
    except (OSError, ValueError) as error:  # including a file that is not UTF-8
        _log.error("room %s: %s: %s", room.name, room.participant_label_file, error)
        sentence = f"room {room.name}: the list of labels cannot be read; see the server's log"
        raise HTTPException(503, sentence) from None
    return labels
