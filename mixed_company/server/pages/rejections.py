"""Reasons why pages were rejected, kept until the page is loaded again.

If the response to a POST is a page, the browser asks on Reload or Back whether to submit the form
again. The response to a rejected page is therefore a redirect to the same page
(`server.pages.shared`), which then shows the reason once. Reasons are kept only in memory: after a
restart, the page is shown without one.
"""

from __future__ import annotations

from collections import OrderedDict

MOST_KEPT = 20_000

_reasons: OrderedDict[str, tuple[int, str]] = OrderedDict()


def keep(code: str, page: int, reason: str) -> None:
    """Store the reason for a participant's page; `page` is the page's index."""
    _reasons[code] = page, reason
    _reasons.move_to_end(code)
    if len(_reasons) > MOST_KEPT:
        _reasons.popitem(last=False)


def taken(code: str, page: int) -> str:
    """Remove and return the reason for a participant's page; empty if there is none."""
    of_page, reason = _reasons.pop(code, (page, ""))
    return reason if of_page == page else ""
