"""How many people each server has, counted in the database, which all servers share."""

from __future__ import annotations

import time
from collections import Counter
from typing import Any

from otree.models import Participant, Session
from sqlalchemy import and_, func, or_, select

from mixed_company.server.fleet.owners import owner

__all__ = ["count_people", "lightest"]

DAY_SECONDS = 86_400
"""Whoever has not finished a session that is older than this does not come back."""


def count_people(connection: Any, servers: int, come: bool) -> Counter[int]:
    """Server -> people who are not at the end: those who have come, or all that are expected."""
    person, session = Participant.__table__.c, Session.__table__.c
    present = and_(
        or_(person._max_page_index.is_(None), person._index_in_pages <= person._max_page_index),
        session._created > time.time() - DAY_SECONDS,
        session.archived.is_(False),
        *([person.visited.is_(True)] if come else []),
    )
    both = Participant.__table__.join(Session.__table__, person.session_id == session.id)
    wanted = select([session.code, func.count()]).select_from(both).where(present)
    people: Counter[int] = Counter()
    for code, number in connection.execute(wanted.group_by(session.code)):
        people[owner(code, servers)] += number
    return people


def lightest(connection: Any, servers: int) -> int:
    """The server that fewest people are expected on."""
    expected = count_people(connection, servers, come=False)
    return min(range(servers), key=lambda server: expected[server])
