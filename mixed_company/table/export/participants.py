"""The `participants` table of an export: one row per participant, for the entire session.

A row has the treatment, groups, blocks, times, and each part of the payment.

A person has one row even if blocks play different games. So an export has one table of this kind,
not one per game. A block's values are in numbered columns, `points_1`, `points_2` and so on, up to
the largest number of blocks in the export. So every column has one type. (Lists in cells would have
to be split before any computation.) One line converts the table to long form:

    pandas.wide_to_long(frame, ["points", "pay"], ["session", "participant"], "number", sep="_")
    reshape long points_ pay_, i(session participant) j(number)                          (Stata)

Columns of blocks that a participant did not reach are empty. A session with one play has one block;
in a session with several games but no plan, each game is a block.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from mixed_company.table.export.column import Column, Personal
from mixed_company.table.export.outcomes import PAID

PARTICIPANTS = "participants"
"""Name of this table, which covers all games."""

_SINCE = "milliseconds since 1970-01-01 UTC, on the machine's clock"
_PAID = {**PAID, "elsewhere": "from the session's apps that are not games of this project"}
_LEDGER = tuple(name for name in PAID if name != "elsewhere")
_SAME = ("session", "participant", "label", "treatment", "slot", "assigned_ms")
"""Columns that all rows of a participant in `outcomes` share."""


@dataclass(frozen=True)
class Stage:
    """Block that a participant reached.

    outcome     the participant's row in the game's `outcomes`
    arrived_ms, began_ms, ended_ms   as in the columns; empty if it did not happen
    """

    app: str
    outcome: Mapping[str, Any]
    arrived_ms: int | str = ""
    began_ms: int | str = ""
    ended_ms: int | str = ""


def participant_columns(blocks: int) -> list[Column]:
    """Return the columns for sessions with at most `blocks` blocks."""

    def of_block(
        name: str, kind: str, meaning: str, unit: str = "", personal: Personal | None = None
    ) -> Column:
        meaning = f"in the block with this number: {meaning}"
        return Column(name, kind, meaning, unit, (blocks,), "0.8.0", personal, first=1)

    return [
        _new("session", "text", "session code"),
        _new("participant", "text", "participant code", personal=Personal.CODE),
        _new("label", "text", "participant label", personal=Personal.CODE),
        _new(
            "treatment",
            "text",
            "treatment, as named in the plan; without a plan, the session config, even if its "
            "settings were changed",
        ),
        _new("slot", "whole", "slot in the plan's order of treatments; empty: none"),
        _new("first_seen_ms", "whole", "when the link was first opened; empty: never", _SINCE),
        _new(
            "assigned_ms",
            "whole",
            "when the treatment was assigned; empty: none was assigned",
            _SINCE,
        ),
        _new("blocks_played", "whole", "number of blocks in which the participant had a seat"),
        of_block("block", "text", "the block's name in the plan; empty: it has none"),
        of_block(
            "app", "text", "oTree app that plays the block; empty: the participant did not reach it"
        ),
        of_block("group_id", "text", "group, as in all tables; empty: no group"),
        of_block("seat", "whole", "seat, from 0; empty: none"),
        of_block("status", "text", "how the part ended, as in outcomes"),
        of_block(
            "arrived_ms", "whole", "when the participant reached the lobby; empty: never", _SINCE
        ),
        of_block(
            "began_ms", "whole", "when the play began; empty: the participant had no seat", _SINCE
        ),
        of_block(
            "ended_ms",
            "whole",
            "when the play ended or the seat was taken over for good; empty: neither happened",
            _SINCE,
        ),
        of_block(
            "points", "real", "points earned in the periods in which the person decided", "points"
        ),
        of_block("question_points", "real", "points won by answers to questions", "points"),
        of_block("pay", "real", "the block's share of the payment", "currency"),
        _new("paid_block", "whole", "number of the block that is paid; 0: none; empty: all are"),
        _new("payment", "real", "total payment to the participant, including the fee", "currency"),
        *(
            _new(f"pay_{name}", "real", f"part of the payment: {meaning}", "currency")
            for name, meaning in _PAID.items()
        ),
    ]


def _new(
    name: str, kind: str, meaning: str, unit: str = "", personal: Personal | None = None
) -> Column:
    return Column(name, kind, meaning, unit, since="0.8.0", personal=personal)


def participant_row(
    stages: Mapping[int, Stage], first_seen_ms: int | str, paid_block: int | str
) -> dict[str, Any]:
    """Return the row of a participant who reached these blocks, numbered from 1."""
    rows = [stage.outcome for stage in stages.values()]
    parts = {f"pay_{name}": sum(_cents(row, f"pay_{name}") for row in rows) for name in _LEDGER}
    payment = _payment(rows)
    return {
        **{name: rows[0].get(name, "") for name in _SAME},
        "first_seen_ms": first_seen_ms,
        "blocks_played": sum(row.get("seat", "") != "" for row in rows),
        **{
            f"{name}_{number}": value
            for number, stage in stages.items()
            for name, value in _of_block(stage).items()
        },
        "paid_block": paid_block,
        "payment": float(payment),
        **{name: float(amount) for name, amount in parts.items()},
        "pay_elsewhere": float(payment - sum(parts.values())),
    }


def _of_block(stage: Stage) -> dict[str, Any]:
    row = stage.outcome
    return {
        "block": row.get("block", ""),
        "app": stage.app,
        "group_id": row.get("group_id", ""),
        "seat": row.get("seat", ""),
        "status": row["status"],
        "arrived_ms": stage.arrived_ms,
        "began_ms": stage.began_ms,
        "ended_ms": stage.ended_ms,
        "points": row["points"],
        "question_points": row.get("question_points") or 0.0,
        "pay": float(_share(row)),
    }


def _share(row: Mapping[str, Any]) -> Decimal:
    """Return a block's share of the payment."""
    return sum((_cents(row, f"pay_{name}") for name in _LEDGER), Decimal(0))


def _payment(rows: list[Mapping[str, Any]]) -> Decimal:
    """Return the total payment, which appears in the row of every block that adds to it."""
    return next((_cents(row, "payment") for row in rows if _share(row)), _cents(rows[0], "payment"))


def _cents(row: Mapping[str, Any], name: str) -> Decimal:
    amount = row.get(name, "")
    return Decimal(repr(float(amount or 0.0))).quantize(Decimal("0.01"))
