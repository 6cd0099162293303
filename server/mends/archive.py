"""The file of an export, where oTree offers data: a link for the admin, and a REST address.

oTree 6.0.15 lets no project add a page to the admin's, or an address that does without its lock.
"""

from __future__ import annotations

from typing import Any

from otree import middleware
from otree.channels import routing
from otree.views import cbv

from server.archive.download import ROUTES

__all__ = ["install"]

PAGES_WITH_LINK = ("ExportIndex", "SessionData")

_paths = middleware._get_paths_without_lock
_template = cbv.AdminView.get_template_name


def install() -> None:
    """Add the addresses, outside oTree's lock, and the link."""
    middleware._get_paths_without_lock = _paths_without_lock
    cbv.AdminView.get_template_name = _template_with_link
    # oTree adds these routes to its own, and asks for a login at them as its auth level says
    routing.websocket_routes += ROUTES


def _paths_without_lock() -> set[str]:
    return {*_paths(), *(route.path for route in ROUTES)}


def _template_with_link(view: Any) -> str:
    name = type(view).__name__
    return f"mixed/{name}.html" if name in PAGES_WITH_LINK else _template(view)
