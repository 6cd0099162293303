"""Sessions in parts, in oTree: created together, and entered by the link of the first.

The first part's config has the codes of all, in their order, below PARTS. Each function takes the
one of oTree that it goes on from.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from otree.database import db
from otree.models import Participant, Session
from otree.room import ROOM_DICT
from otree.session import SESSION_CONFIGS_DICT
from sqlalchemy import func

from mixed_company.experiment.treatments import plan_of, treated
from mixed_company.server.fleet.load import count_people
from mixed_company.server.fleet.owners import here, owner
from mixed_company.server.fleet.parts import Part, part_to_fill, sizes
from mixed_company.server.open import door
from mixed_company.server.open.places import VISITOR, Place
from mixed_company.table.given import from_text, is_number

__all__ = ["PARTS", "by_cookies", "by_label", "creating"]

PARTS = "part_codes"

Function = Callable[..., Any]


def creating(create: Function) -> Function:
    """oTree's `create_session`; of a session in parts it creates all, and the first is its.

    All or none, since `server.mends.sessions` makes one transaction of it.
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
        one = partial(create, session_config_name, **others)
        if parts < 2 or num_participants is None:
            return one(
                num_participants=num_participants,
                room_name=room_name,
                modified_session_config_fields=changes,
            )
        people = sizes(num_participants, per_group, parts)
        seeds = _seeds(config.get("seed", ""), parts)
        sessions = [
            one(num_participants=size, modified_session_config_fields={**changes, **seed})
            for size, seed in zip(people, seeds, strict=True)
        ]
        return _join(sessions, room_name)

    return create_parts


def _numbers(config: dict[str, Any]) -> tuple[int, int]:
    """The parts of a session and the people who come together: of a group, or of a plan one group
    of every treatment (as many as mix with each other); 1 where the schema will refuse them."""
    if "people_per_group" not in config:
        return 1, 1  # of another app, whose parts are its own
    sizes = [_whole(own, "people_per_group") for own in treated(config)]
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
    """A part has worlds of its own: the seed of the session, where it has one, counted on."""
    text = str(seed)
    return [{"seed": str(int(text) + part)} if is_number(text) else {} for part in range(parts)]


def by_label(choose: Function) -> Function:
    """Who comes with a label: the participant that has it, else a free one of the part to fill."""

    def participant_by_label(session: Any, label: str | None) -> Any:
        if PARTS not in session.config:
            return choose(session, label)
        parts = _parts(session)
        for part in parts if label else ():
            known = Participant.objects_filter(session=part, label=label).first()
            if known is not None:
                return known
        return choose(_to_fill(parts), None)

    return participant_by_label


def by_cookies(choose: Function) -> Function:
    """Who comes with cookies: the participant of before, else a free one of the part to fill."""

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
    """The part for the next person, none with a closed door; a full one where all are."""
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
        Part(one.code, one.num_participants, come.get(one.id, 0), owner(one.code, servers))
        for one in sessions
    ]
    _, per_group = _numbers(sessions[0].config)
    chosen = part_to_fill(parts, per_group, count_people(db._db, servers, come=True))
    return sessions[0 if chosen is None else parts.index(chosen)]
