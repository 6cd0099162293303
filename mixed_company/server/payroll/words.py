"""What the list of payments says. `{...}` is filled in by the page."""

from __future__ import annotations

__all__ = ["words"]


def words() -> dict[str, str]:
    """Headings and sentences."""
    return {
        "title": "Receipts",
        "place": "Place and date",
        "who": "Participant",
        "code": "Code",
        "amount": "Amount",
        "signature": "Received (signature)",
        "total": "Total",
        "counts": "Paid: {paid}. Not paid, and not in this list: {unpaid}.",
    }
