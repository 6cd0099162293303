"""Lists for paying the people in a session: one to print and sign, and files for panels.

    /SessionReceipt/CODE             the list, with a column to sign
    /session_payments/CODE/NAME      a file, `prolific` or `payments`

Both require an admin login. Prolific accepts bulk bonuses as lines `participant_id,amount`, without
a header; it pays the fee as part of the study. Other panels accept a table with a header.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from html import escape
from typing import Any

from otree.currency import RealWorldCurrency
from otree.models import Session
from otree.views import cbv
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from mixed_company.server.blocks.way import reached_by
from mixed_company.server.open.arrivals import panel_id
from mixed_company.server.open.going_on import with_database
from mixed_company.server.paying import beyond_fee, paid_to
from mixed_company.table.export.column import as_text

_COLUMNS = ("number", "participant", "label", "panel_id", "status", "fee", "bonus", "payment")


@dataclass(frozen=True)
class Line:
    """Paid participant.

    number   number of the participant in the session, counted from 1
    panel    the panel's ID for the person, or empty
    status   how the participant's part ended in the last game
    fee      part of the payment that the panel pays automatically; bonus: the rest
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
        """Fee and bonus together."""
        return self.fee + self.bonus

    @property
    def name(self) -> str:
        """Name that the laboratory uses for the person: the label or, without one, the number."""
        return self.label or f"P{self.number}"


@dataclass(frozen=True)
class Payroll:
    """Payments of a session; `unpaid` is the number of participants who are not paid."""

    code: str
    name: str
    lines: Sequence[Line]
    unpaid: int

    @property
    def total(self) -> Decimal:
        """Sum of the lines."""
        return sum((line.payment for line in self.lines), Decimal(0))


def payroll(code: str) -> Payroll | None:
    """Return all paid participants of a session, or None if the session does not exist.

    The caller must hold oTree's connection.
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


# -- files ------------------------------------------------------------------------------------


def prolific(paid: Payroll) -> str:
    """Write `participant_id,amount` for everyone with a panel ID and a bonus."""
    due = [line for line in paid.lines if line.panel and line.bonus > 0]
    return _written((line.panel, line.bonus) for line in due)


def everything(paid: Payroll) -> str:
    """Write all paid participants, with a header; the last line is the total."""
    lines = [
        (
            *(line.number, line.code, as_text(line.label), as_text(line.panel)),
            *(line.status, line.fee, line.bonus, line.payment),
        )
        for line in paid.lines
    ]
    fee = sum(line.fee for line in paid.lines)
    bonus = sum(line.bonus for line in paid.lines)
    return _written([_COLUMNS, *lines, ("total", "", "", "", "", fee, bonus, paid.total)])


def _written(rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


FILES: Mapping[str, Callable[[Payroll], str]] = {"prolific": prolific, "payments": everything}
"""Name of a file, without its extension -> function that writes it."""


# -- addresses --------------------------------------------------------------------------------


def _nothing(reason: str) -> Response:
    return PlainTextResponse(f"{reason}\n", status_code=404)


class SessionReceipt(cbv.AdminView):
    """List to print and sign; texts are escaped because oTree's templates do not escape."""

    async def get(self, request: Request, code: str) -> Response:
        paid = await with_database(lambda: payroll(code))
        if paid is None:
            return _nothing(f"session {code}: there is no such session")
        rows = [
            {
                "name": escape(line.name),
                "code": line.code,
                "payment": str(RealWorldCurrency(line.payment)),
            }
            for line in paid.lines
        ]
        shown = {
            "code": code,
            "name": escape(paid.name),
            "rows": rows,
            "total": str(RealWorldCurrency(paid.total)),
            "paid": len(rows),
            "unpaid": paid.unpaid,
        }
        page: Response = self.render_to_response(self.get_context_data(**shown))
        return page

    def get_template_name(self) -> str:
        return "mixed/SessionReceipt.html"


class SessionPaymentFile(cbv.AdminView):
    """Payment file for download."""

    async def get(self, request: Request, code: str, name: str) -> Response:
        write = FILES.get(name)
        if write is None:
            return _nothing(f"{name[:60]!r}: should be one of {', '.join(FILES)}")
        paid = await with_database(lambda: payroll(code))
        if paid is None:
            return _nothing(f"session {code}: there is no such session")
        head = {"content-disposition": f'attachment; filename="{name}_{code}.csv"'}
        return PlainTextResponse(write(paid), headers=head, media_type="text/csv")


ROUTES = [
    Route("/SessionReceipt/{code}", SessionReceipt, name="SessionReceipt"),
    Route("/session_payments/{code}/{name}", SessionPaymentFile, name="SessionPaymentFile"),
]
"""Routes that `server.mends` adds to oTree."""
