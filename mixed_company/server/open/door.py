"""The door of a session: who finds no place, and who comes when the manager has closed it.

Who has a place already comes in all the same. The door is the session's: of a room it is that of
the session which is played there. When it was closed and opened is kept with the session.
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

__all__ = [
    "Full",
    "elsewhere_page",
    "full_page",
    "gone_page",
    "history",
    "is_shut",
    "move",
    "shut_page",
]

NO_PLACE = 404  # as oTree answers, by which clients know it
FORBIDDEN = 403


class Full(Response):
    """oTree's answer to who finds no place; people get a page instead of it."""

    def __init__(self) -> None:
        super().__init__(texts.full()["title"], status_code=NO_PLACE)


def full_page(options: Options | None, known: Mapping[str, str]) -> Response:
    """What to do for who finds no place; with the session's link for it, if it has one, in which
    what is `known` of the person is filled in."""
    link = "" if options is None else options.completion_links.get("full", "")
    link = filled(link, known)
    with speaking(SOURCE if options is None else options.language):
        return _page(texts.full(), link)


def shut_page(options: Options | None) -> Response:
    """What to do for who comes when the door is closed."""
    with speaking(SOURCE if options is None else options.language):
        return _page(texts.shut(), "")


def elsewhere_page(options: Options | None) -> Response:
    """Return a page for whoever has the label of somebody who began in another browser."""
    with speaking(SOURCE if options is None else options.language):
        return _page(texts.elsewhere(), "", FORBIDDEN)


def gone_page() -> Response:
    """What to do for who comes by a link of yesterday."""
    return _page(texts.gone(), "")


def _page(words: dict[str, str], link: str, status: int = NO_PLACE) -> Response:
    page = notice(words, link, words["finish"])
    page.status_code = status
    return page


def _subsessions(session: Any) -> list[Any]:
    listed = [app.Subsession.objects_first(session=session) for app in storage.apps()]
    return [one for one in listed if one is not None]


def history(session: Any) -> list[dict[str, Any]]:
    """When the door was closed (`shut`) and opened (`open`): {what, id, at_ms}, in order."""
    for subsession in _subsessions(session):
        moves: list[dict[str, Any]] = json.loads(subsession.door)
        return moves
    return []


def is_shut(session: Any) -> bool:
    """Is the door closed?"""
    moves = history(session)
    return bool(moves) and moves[-1]["what"] == "shut"


def move(session: Any, what: str, name: str) -> str:
    """Close or open the door, once for a `name`; why it cannot be done, or empty."""
    moves = history(session)
    if any(one["id"] == name for one in moves):
        return ""
    if is_shut(session) == (what == "shut"):
        return f"the door is {'closed' if what == 'shut' else 'open'} already"
    moves.append({"what": what, "id": name, "at_ms": clock.now_ms()})
    for subsession in _subsessions(session):
        subsession.door = json.dumps(moves)
    return ""
