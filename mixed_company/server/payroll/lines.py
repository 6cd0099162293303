"""Who of a session is paid what: the rows that every list of payments is made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from otree.models import Session

from mixed_company.server.blocks.way import reached_by
from mixed_company.server.open.arrivals import panel_id
from mixed_company.server.paying import beyond_fee, paid_to

__all__ = ["Line", "Payroll", "payroll"]


@dataclass(frozen=True)
class Line:
    """A participant who is paid.

    number   of the participant in the session, from 1
    panel    what a panel calls the person; empty: did not come with such a name
    status   how his or her part ended, in the last game
    fee      what the panel pays by itself; bonus: what is to be paid beside
    """

    number: int
    code: str
    label: str
    panel: str
    status: str
    fee: Decimal
    bonus: Decimal

    @property
    def payment(self) -> Decimal:
        """All of it."""
        return self.fee + self.bonus

    @property
    def name(self) -> str:
        """What the laboratory calls the person: the label, else the number."""
        return self.label or f"P{self.number}"


@dataclass(frozen=True)
class Payroll:
    """The lines of a session; `unpaid` participants are in none."""

    code: str
    name: str
    lines: Sequence[Line]
    unpaid: int

    @property
    def total(self) -> Decimal:
        """What is to be paid: the sum of the lines, and of the parts of every payment."""
        return sum((line.payment for line in self.lines), Decimal(0))


def payroll(code: str) -> Payroll | None:
    """Everybody in a session who is paid; None: there is no such session.

    Read with oTree's connection, while nobody else uses it.
    """
    session = Session.objects_first(code=code)
    if session is None:
        return None
    people = sorted(session.pp_set, key=lambda person: person.id_in_session)
    lines = [line for person in people if (line := _line(person)) is not None]
    return Payroll(code, str(session.config["display_name"]), lines, len(people) - len(lines))


def _line(person: Any) -> Line | None:
    whole = paid_to(person)
    if not whole:
        return None
    last = reached_by(person)[-1]
    bonus = Decimal(beyond_fee(person))
    return Line(
        person.id_in_session,
        person.code,
        person.label or "",
        panel_id(last),
        last.status,
        Decimal(whole) - bonus,
        bonus,
    )
