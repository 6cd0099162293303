"""The "Advance slowest participants" button on the Monitor page.

oTree 6.0.15 submits the slowest participant's page as if its time were up. As a result, a player is
removed from the play, or a person skips the quiz. A person on the results page never sees the link,
and a person who never came counts as arrived. Here each page defines what happens to a person on it
(`hurry`). Nobody is moved past the quiz or the results, and people who have not arrived are not
started. Pages of other apps behave as in oTree.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import otree.models  # before otree.lookup, which needs it
from otree.constants import ADVANCE_SLOWEST_BATCH_SIZE
from otree.lookup import get_page_lookup

from mixed_company.server.pages.shared import Shared

Session = otree.models.Session
_advance = Session.advance_selected_participants
_advance_last = Session.advance_last_place_participants


def install() -> None:
    """Change which people the button advances, and how."""
    Session.advance_selected_participants = _advance_selected
    Session.advance_last_place_participants = _advance_last_place


def _page_of(session: Any, person: Any) -> Any:
    """Return a person's current or first page, or None if it is not a page of this project."""
    index = max(person._index_in_pages, 1)
    if index > person._max_page_index:
        return None
    page = get_page_lookup(session.code, index).page_class
    return page if issubclass(page, Shared) else None


def _advance_selected(session: Any, participants: Sequence[Any]) -> None:
    for person in participants:
        page = _page_of(session, person)
        if page is None or (person.visited and page.hurry(person._get_current_player())):
            _advance(session, [person])


def _advance_last_place(session: Any, visited_only: bool = False) -> None:
    people = list(session.pp_set.order_by("id_in_session"))
    on_pages = {person: _page_of(session, person) for person in people}
    if not any(on_pages.values()):
        _advance_last(session, visited_only)
        return
    still = Shared.hurry
    moved = [
        person
        for person, page in on_pages.items()
        if person.visited
        and getattr(page, "hurry", None) is not still
        and person._index_in_pages <= person._max_page_index
    ]
    last = min((person._index_in_pages for person in moved), default=None)
    slowest = [person for person in moved if person._index_in_pages == last]
    _advance_selected(session, slowest[:ADVANCE_SLOWEST_BATCH_SIZE])
