"""The administrator's pages: their appearance, and additions to oTree 6.0.15.

* oTree uses plain Bootstrap, and does not declare a language. All of its pages derive from one
  template. Here this project's style sheets are added to the template's head; the pages work as
  before.
* A project cannot add pages, or addresses outside oTree's lock. This module adds addresses for the
  export file (by link and REST), a session's board, a session config's fields, the state of saving,
  and outside agents.
* oTree's Payments page lists the fee for everybody, even for people who never arrived, and includes
  these people in the total and the mean. It supports only points and a fee. Here `server.paying`
  computes payments, on this page and everywhere else in oTree.
"""

from __future__ import annotations

from typing import Any

from otree import middleware
from otree.channels import routing
from otree.models import Participant
from otree.templating.template import Template
from otree.views import cbv
from otree.views.admin import SessionPayments

from mixed_company.server import live_state, payroll, session_form
from mixed_company.server.archive import download
from mixed_company.server.board import addresses
from mixed_company.server.outside import door
from mixed_company.server.paying import beyond_fee, paid_to

BASE = "otree/BaseAdminAll.html"
"""Template that all of the administrator's pages are derived from."""

SHEETS = ("mixed/tokens.css", "mixed/admin.css")

ROUTES = [
    *(*download.ROUTES, *live_state.ROUTES, *addresses.ROUTES),
    *(*payroll.ROUTES, *session_form.ROUTES),
]
SOCKETS = door.ROUTES
PAGES_WITH_MORE = (
    *("DemoIndex", "ExportIndex", "SessionData", "SessionDescription"),
    *("SessionMonitor", "SessionPayments"),
)

_paths = middleware._get_paths_without_lock
_template = cbv.AdminView.get_template_name
_payment = Participant.payoff_plus_participation_fee
_bonus = Participant.payoff_in_real_world_currency
_payments = SessionPayments.vars_for_template


def install() -> None:
    """Change the pages' template, add addresses outside oTree's lock, and replace oTree's
    payments.
    """
    read = Template.__init__

    def styled(template: Any, text: str, *name: str, **more: Any) -> None:
        read(template, _with_sheets(text) if name == (BASE,) else text, *name, **more)

    Template.__init__ = styled
    middleware._get_paths_without_lock = _paths_without_lock
    cbv.AdminView.get_template_name = _template_with_link
    # oTree adds these routes to its own, and requires a login if its auth level says so
    routing.websocket_routes += [*ROUTES, *SOCKETS]
    Participant.payoff_plus_participation_fee = _paid
    Participant.payoff_in_real_world_currency = _paid_beyond_fee
    SessionPayments.vars_for_template = _with_counts


def _with_sheets(text: str) -> str:
    """Add the style sheets at the end of the head, after individual pages' styles."""
    links = "".join(
        f"""<link rel="stylesheet" href="{{% static '{sheet}' %}}">""" for sheet in SHEETS
    )
    return text.replace("<html>", '<html lang="en">').replace("</head>", f"{links}</head>")


def _paths_without_lock() -> set[str]:
    return {*_paths(), *(route.path.partition("{")[0] for route in ROUTES)}


def _template_with_link(view: Any) -> str:
    name = type(view).__name__
    return f"mixed/{name}.html" if name in PAGES_WITH_MORE else _template(view)


def _paid(person: Any) -> Any:
    amount = paid_to(person)
    return _payment(person) if amount is None else amount


def _paid_beyond_fee(person: Any) -> Any:
    amount = beyond_fee(person)
    return _bonus(person) if amount is None else amount


def _with_counts(view: Any) -> dict[str, Any]:
    shown: dict[str, Any] = _payments(view)
    amounts = [person.payoff_plus_participation_fee() for person in shown["participants"]]
    paid = [amount for amount in amounts if amount]
    if paid:
        shown["mean_payment"] = sum(paid) / len(paid)
    return {**shown, "paid": len(paid), "unpaid": len(amounts) - len(paid)}
