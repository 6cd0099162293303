"""Participants of a session, read from the database for the board.

The caller must hold oTree's connection.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from otree.common import get_models_module
from otree.models import Participant, Session

from mixed_company.server.blocks.apps import number_of
from mixed_company.server.blocks.way import present, reached_by
from mixed_company.server.open import door
from mixed_company.server.open.arrivals import options_of
from mixed_company.server.paying import payment
from mixed_company.server.preflight.site import agents_in


@dataclass(frozen=True)
class Crowd:
    """Session and its people.

    people   participants in order, one entry per app
    shut     True if no new people are admitted
    budget   maximum total of all payments; 0 means no maximum
    agents   names of the outside agents that have seats in the session
    """

    session_id: int
    people: Sequence[Person]
    shut: bool
    budget: float
    agents: Sequence[str] = ()

    @property
    def paid(self) -> Collection[float]:
        """Each participant's payment for all games, as an amount of money."""
        whole: dict[str, float] = {}
        for person in self.people:
            whole[person.code] = max(whole.get(person.code, 0.0), person.paid)
        return whole.values()


@dataclass(frozen=True)
class Person:
    """Participant as stored in the database.

    number       number of the participant in the session, counted from 1
    group_id     id of oTree's group, which is also the table's id; `group`: its number in the
                 session
    page         current page; empty if the participant has not arrived
    treatment    assigned treatment; empty if there is none (yet)
    since_s      time at which that page was first shown, seconds since 1970
    payment      payment for all games, as text; zero if the person is not paid in this app
    paid         the same payment as a number
    """

    app: str
    player_id: int
    number: int
    code: str
    label: str
    status: str
    seat: int
    group_id: int
    group: int
    page: str
    since_s: int
    quiz_tries: int
    points: float
    payment: str
    paid: float
    arrived_ms: float
    subsession_id: int
    treatment: str = ""

    @property
    def name(self) -> str:
        """Name that the manager sees for this person: the label or, without one, the number."""
        return self.label or f"P{self.number}"


def session_people(code: str) -> Crowd | None:
    """Return a session and its people, each in the current block; None if there is no such
    session."""
    session = Session.objects_first(code=code)
    if session is None:
        return None
    persons = {person.id: person for person in session.pp_set}  # all in one query
    people = []
    groups: dict[Any, dict[int, Any]] = {}
    for player in present(session):
        app = type(player)
        if app not in groups:
            model = get_models_module(player.get_folder_name()).Group
            groups[app] = {group.id: group for group in model.objects_filter(session=session)}
        person, group = persons[player.participant_id], groups[app][player.group_id]
        people.append(_person(player, person, group))
    options = options_of(session)
    budget = 0.0 if options is None else options.budget
    agents = () if options is None else agents_in(options)
    return Crowd(session.id, people, door.is_shut(session), budget, agents)


def _person(player: Any, person: Any, group: Any) -> Person:
    seated, paid = player.seat >= 0, payment(player)
    return Person(
        player.get_folder_name(),
        player.id,
        person.id_in_session,
        person.code,
        person.label or "",
        player.status,
        player.seat,
        player.group_id if seated else 0,
        number_of(group) if seated else 0,
        (person._current_page_name or "") if person.visited else "",
        int(person._last_page_timestamp or 0),
        player.quiz_attempts,
        player.points,
        str(paid),
        float(paid),
        player.arrived_ms,
        player.subsession_id,
        player.treatment,
    )


def player_of(session_code: str, participant_code: str) -> Any:
    """Return a participant's player that is waiting for a seat, or else any player, or None."""
    person = Participant.objects_first(code=participant_code, _session_code=session_code)
    if person is None:
        return None
    players = reached_by(person)
    return next((player for player in players if _waits(player)), next(iter(players), None))


def _waits(player: Any) -> bool:
    return player.seat < 0 and player.status in ("arriving", "waiting")


def directives_to(player: Any) -> list[dict[str, Any]]:
    """Return the directives that the manager has sent to a person without a seat."""
    done: list[dict[str, Any]] = json.loads(player.managed)
    return done
