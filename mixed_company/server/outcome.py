"""The row of a participant in an export: how his or her part ended, and what is paid for it."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from mixed_company.server.blocks.way import block_shown, earlier
from mixed_company.server.pages.handed_in import counted
from mixed_company.server.paying import ledger_of, payment
from mixed_company.server.played import Played
from mixed_company.server.treatments import treatment_shown
from mixed_company.table.export import Row
from mixed_company.table.export.column import as_text, one_line
from mixed_company.table.export.played import credited
from mixed_company.table.ledger import total

__all__ = ["outcome"]


def outcome(player: Any, played: Played | None) -> Row:
    """Return the row of a participant; without a play, of one who never got a seat."""
    first = (earlier(player) or [player])[0]
    row: Row = {
        "session": player.session.code,
        "participant": player.participant.code,
        "label": as_text(one_line(player.participant.label or "")),
        "treatment": treatment_shown(first),
        "block": block_shown(player),
        "slot": first.slot if first.slot >= 0 else "",
        "assigned_ms": round(first.assigned_ms) or "",
        "status": player.status,
        "points": 0.0,
        "paid_points": 0.0,
        "question_points": 0.0,
        **_paid(player),
        "waited_ms": round(player.waited_ms),
        "consented": player.consented,
        "consented_ms": round(player.consented_ms) or "",
        "comments": as_text(one_line(player.comments or "")),
        **counted(player.attention),
        "disclosure": as_text(player.disclosure),
        "disclosed_ms": round(player.disclosed_ms) or "",
        "parameters": "" if player.parameters == "{}" else player.parameters,
        "managed": "" if player.managed == "[]" else player.managed,
        "quiz_attempts": player.quiz_attempts,
        "quiz_log": player.quiz_log,
        "practised_periods": player.practised_periods,
        "practice_log": "" if player.practice_log == "[]" else player.practice_log,
    }
    if played is None:
        return row
    return {
        **row,
        **{key: played.base[key] for key in ("group", "group_id", "treatment", "block")},
        "seat": player.seat,
        **credited(played, player.seat),
    }


def _paid(player: Any) -> Row:
    """Return the payment and its parts, which sum to it."""
    parts, whole = ledger_of(player), Decimal(payment(player))
    elsewhere = float(whole - total(parts))
    return {
        "payment": float(whole),
        **{f"pay_{name}": float(amount) for name, amount in parts.items()},
        "pay_elsewhere": elsewhere,
    }
