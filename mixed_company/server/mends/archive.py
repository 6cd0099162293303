"""What oTree lacks for the admin: the file of an export, where it offers data, as a link and a REST
address; the board of a session; the fields of a session config; and a page that says whether
everything is saved. The socket of agents from outside is added here, too.

oTree 6.0.15 lets no project add a page to the admin's, or an address that does without its lock.
"""

from __future__ import annotations

from typing import Any

from otree import middleware
from otree.channels import routing
from otree.views import cbv

from mixed_company.server import form_page, live_state
from mixed_company.server.archive import download
from mixed_company.server.board import addresses
from mixed_company.server.outside import door
from mixed_company.server.payroll import addresses as payroll

__all__ = ["install"]

ROUTES = [
    *(*download.ROUTES, *live_state.ROUTES, *addresses.ROUTES),
    *(*payroll.ROUTES, *form_page.ROUTES),
]
SOCKETS = door.ROUTES
PAGES_WITH_MORE = (
    *("DemoIndex", "ExportIndex", "SessionData", "SessionDescription"),
    *("SessionMonitor", "SessionPayments"),
)

_paths = middleware._get_paths_without_lock
_template = cbv.AdminView.get_template_name


def install() -> None:
    """Add the addresses, outside oTree's lock, and the link."""
    middleware._get_paths_without_lock = _paths_without_lock
    cbv.AdminView.get_template_name = _template_with_link
    # oTree adds these routes to its own, and asks for a login at them as its auth level says
    routing.websocket_routes += [*ROUTES, *SOCKETS]


def _paths_without_lock() -> set[str]:
    return {*_paths(), *(route.path.partition("{")[0] for route in ROUTES)}


def _template_with_link(view: Any) -> str:
    name = type(view).__name__
    return f"mixed/{name}.html" if name in PAGES_WITH_MORE else _template(view)
