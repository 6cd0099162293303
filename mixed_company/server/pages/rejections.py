"""Reasons why pages were rejected, kept until the page is loaded again.

A page in answer to a POST makes a browser ask whether to submit the form again, on reload and on
Back. So a rejected page is answered with a redirect to itself (`server.pages.shared`), and then
shows the reason once. Reasons are only in memory: after a restart, the page comes without one.
"""

from __future__ import annotations

from collections import OrderedDict

MOST_KEPT = 20_000

_reasons: OrderedDict[str, tuple[int, str]] = OrderedDict()


def keep(code: str, page: int, reason: str) -> None:
    """Keep the reason for a participant's page, given by its index."""
    _reasons[code] = page, reason
    _reasons.move_to_end(code)
    if len(_reasons) > MOST_KEPT:
        _reasons.popitem(last=False)


def taken(code: str, page: int) -> str:
    """Remove and return the reason for a participant's page; empty if there is none."""
    of_page, reason = _reasons.pop(code, (page, ""))
    return reason if of_page == page else ""
