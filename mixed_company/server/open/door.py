"""Pages for people who cannot be admitted, and the switch that stops admissions to a session.

Participants who already have a place can always come back. The switch belongs to the session; a
room uses its current session's switch. The switch's history is stored with the session.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from mixed_company.language import SOURCE, speaking
from mixed_company.server import clock
from mixed_company.server.keeping import storage
from mixed_company.server.open.arrivals import filled
from mixed_company.server.pages import texts
from mixed_company.server.pages.notice import notice
from mixed_company.table.options import Options

NO_PLACE = 404  # oTree's status, which identifies the response for clients
FORBIDDEN = 403


class Full(Response):
    """oTree's response if there is no free place; browsers get a page instead."""

    def __init__(self) -> None:
        super().__init__(texts.full()["title"], status_code=NO_PLACE)


def full_page(options: Options | None, values: Mapping[str, str]) -> Response:
    """Return the page for a full session, with the session's link for this case, if it has one.
    `values` fill in the link's placeholders.
    """
    link = "" if options is None else options.completion_links.get("full", "")
    link = filled(link, values)
    with speaking(SOURCE if options is None else options.language):
        return _page(texts.full(), link)


def shut_page(options: Options | None) -> Response:
    """Return the page for people who arrive after admissions have been stopped."""
    with speaking(SOURCE if options is None else options.language):
        return _page(texts.shut(), "")


def elsewhere_page(options: Options | None) -> Response:
    """Return the page for a person whose label was first used in another browser."""
    with speaking(SOURCE if options is None else options.language):
        return _page(texts.elsewhere(), "", FORBIDDEN)


def gone_page() -> Response:
    """Return the page for an outdated link."""
    return _page(texts.gone(), "")


def _page(words: dict[str, str], link: str, status: int = NO_PLACE) -> Response:
    page = notice(words, link, words["finish"])
    page.status_code = status
    return page


def _subsessions(session: Any) -> list[Any]:
    listed = [app.Subsession.objects_first(session=session) for app in storage.apps_of(session)]
    return [subsession for subsession in listed if subsession is not None]


def history(session: Any) -> list[dict[str, Any]]:
    """Return when admissions stopped (`shut`) and resumed (`open`): {what, id, at_ms}, in order."""
    for subsession in _subsessions(session):
        moves: list[dict[str, Any]] = json.loads(subsession.door)
        return moves
    return []


def is_shut(session: Any) -> bool:
    """Return whether admissions are stopped."""
    moves = history(session)
    return bool(moves) and moves[-1]["what"] == "shut"


def move(session: Any, action: str, name: str) -> str:
    """Stop (`shut`) or resume (`open`) admissions; `name` is the id of the directive.

    Returns the reason if that is impossible, otherwise an empty string. A repeated id has no
    effect.
    """
    moves = history(session)
    if any(earlier["id"] == name for earlier in moves):
        return ""
    if is_shut(session) == (action == "shut"):
        return f"admissions are already {'stopped' if action == 'shut' else 'open'}"
    moves.append({"what": action, "id": name, "at_ms": clock.now_ms()})
    for subsession in _subsessions(session):
        subsession.door = json.dumps(moves)
    return ""
