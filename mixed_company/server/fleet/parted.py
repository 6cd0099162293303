"""Sessions in parts: several sessions of the same kind share one link, and each has its own server.

    >>> sizes(people=300, people_per_group=4, parts=4)  # whole groups
    [76, 76, 76, 72]

The next person joins a part with an incomplete group. If there is none, the person joins the part
on the server with the fewest people. The config of the first part lists the codes of all parts, in
order, under PARTS. `creating`, `by_label` and `by_cookies` wrap functions of oTree.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from otree.database import db
from otree.models import Participant, Session
from otree.room import ROOM_DICT
from otree.session import SESSION_CONFIGS_DICT
from sqlalchemy import and_, func, or_, select

from mixed_company.engine.contract.errors import ConfigError
from mixed_company.experiment.treatments import plan_of, treated
from mixed_company.server.fleet.owners import here, owner
from mixed_company.server.open import door
from mixed_company.server.open.places import VISITOR, Place
from mixed_company.table.given import from_text, is_number

PARTS = "part_codes"
DAY_SECONDS = 86_400
"""Age of a session after which people who have not finished are no longer expected."""

Function = Callable[..., Any]


@dataclass(frozen=True)
class Part:
    """One of the sessions: its code, number of places, number of arrivals, and server."""

    code: str
    places: int
    come: int
    server: int


def sizes(people: int, people_per_group: int, parts: int) -> list[int]:
    """Return the number of people in each part. Parts consist of whole groups and are as equal in
    size as possible.

    The last part gets the people who remain. Raises ConfigError if there are fewer groups than
    parts.
    """
    groups, left = divmod(people, people_per_group)
    if parts > groups:
        raise ConfigError(
            f"parts = {parts}: should be at most {groups}, the number of groups of "
            f"{people_per_group} that {people} people can form"
        )
    share, more = divmod(groups, parts)
    whole = [people_per_group * (share + (part < more)) for part in range(parts)]
    return [*whole[:-1], whole[-1] + left]


def part_to_fill(
    parts: Sequence[Part], people_per_group: int, load: Mapping[int, int]
) -> Part | None:
    """Return the part for the next person, or None if all are full.

    `load` maps servers to the number of people on them.
    """
    free = [part for part in parts if part.come < part.places]
    begun = [part for part in free if part.come % people_per_group]
    if begun:
        return begun[0]
    return min(free, key=lambda part: (load.get(part.server, 0), part.come), default=None)


def count_people(connection: Any, servers: int, come: bool) -> Counter[int]:
    """Count the people on each server who have not finished; with `come`, only people who have
    arrived.
    """
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
    """Return the server with the fewest expected people."""
    expected = count_people(connection, servers, come=False)
    return min(range(servers), key=lambda server: expected[server])


def creating(create: Function) -> Function:
    """Return a version of oTree's `create_session` that can create parts, and that returns the
    first part.

    Either all parts are created or none are, because `server.mends.sessions` uses one transaction.
    """

    def create_parts(
        session_config_name: str,
        *,
        num_participants: int | None,
        room_name: str | None = None,
        modified_session_config_fields: dict[str, Any] | None = None,
        **others: Any,
    ) -> Any:
        changes = modified_session_config_fields or {}
        config = {**SESSION_CONFIGS_DICT.get(session_config_name, {}), **changes}
        parts, per_group = _numbers(config)
        create_one = partial(create, session_config_name, **others)
        if parts < 2 or num_participants is None:
            return create_one(
                num_participants=num_participants,
                room_name=room_name,
                modified_session_config_fields=changes,
            )
        people = sizes(num_participants, per_group, parts)
        seeds = _seeds(config.get("seed", ""), parts)
        sessions = [
            create_one(num_participants=size, modified_session_config_fields={**changes, **seed})
            for size, seed in zip(people, seeds, strict=True)
        ]
        return _join(sessions, room_name)

    return create_parts


def _numbers(config: dict[str, Any]) -> tuple[int, int]:
    """Return the number of parts and the number of people who start together; invalid numbers count
    as 1.

    These people form one group. With a plan, they form one group per treatment, times the number of
    groups that are mixed.
    """
    if "people_per_group" not in config:
        return 1, 1  # another project's app, where `parts` means something else
    sizes = [_whole(treatment, "people_per_group") for treatment in treated(config)]
    plan = plan_of(config)
    return _whole(config, "parts"), sum(sizes) * (plan.matching_groups if plan else 1)


def _whole(config: dict[str, Any], key: str) -> int:
    number = from_text(key, config.get(key, 1), 1)
    whole = isinstance(number, int) or (isinstance(number, float) and number.is_integer())
    return max(int(number), 1) if whole else 1


def _join(sessions: Sequence[Any], room_name: str | None) -> Any:
    first = sessions[0]
    codes = [session.code for session in sessions]
    first.config = type(first.config)({**first.config, PARTS: codes})
    if room_name is not None:
        ROOM_DICT[room_name].set_session(first)
    db.commit()
    return first


def _seeds(seed: Any, parts: int) -> list[dict[str, Any]]:
    """Return the changes for each part: if the session has a seed, the parts' seeds count up from
    it.
    """
    text = str(seed)
    return [{"seed": str(int(text) + part)} if is_number(text) else {} for part in range(parts)]


def by_label(choose: Function) -> Function:
    """Return a lookup by label: the participant with that label, or else a free one in the part to
    fill.
    """

    def participant_by_label(session: Any, label: str | None) -> Any:
        if PARTS not in session.config:
            return choose(session, label)
        parts = _parts(session)
        for part in parts if label else ():
            person = Participant.objects_filter(session=part, label=label).first()
            if person is not None:
                return person
        return choose(_to_fill(parts), None)

    return participant_by_label


def by_cookies(choose: Function) -> Function:
    """Return a lookup by browser: that browser's participant, or else a free one in the part to
    fill.
    """

    def participant_by_cookies(session: Any, cookies: Any) -> Any:
        if PARTS not in session.config:
            return choose(session, cookies)
        parts = {part.id: part for part in _parts(session)}
        taken = Place.objects_first(
            Place.session_id.in_(parts), Place.visitor == cookies.get(VISITOR)
        )
        part = parts[taken.session_id] if taken else _to_fill(list(parts.values()))
        return choose(part, cookies)

    return participant_by_cookies


def _parts(session: Any) -> list[Any]:
    codes = session.config[PARTS]
    return sorted(
        Session.objects_filter(Session.code.in_(codes)), key=lambda part: codes.index(part.code)
    )


def _to_fill(sessions: Sequence[Any]) -> Any:
    """Return the part for the next person. If no part has a free place, return a full or closed
    part.
    """
    sessions = [session for session in sessions if not door.is_shut(session)] or sessions
    servers = here().servers
    come = dict(
        db.query(Participant.session_id, func.count())
        .filter(
            Participant.session_id.in_([session.id for session in sessions]),
            Participant.visited.is_(True),
        )
        .group_by(Participant.session_id)
    )
    parts = [
        Part(
            session.code,
            session.num_participants,
            come.get(session.id, 0),
            owner(session.code, servers),
        )
        for session in sessions
    ]
    _, per_group = _numbers(sessions[0].config)
    chosen = part_to_fill(parts, per_group, count_people(db._db, servers, come=True))
    return sessions[0 if chosen is None else parts.index(chosen)]
