"""Lists of payments as files.

Prolific takes bonuses in bulk as lines `participant_id,amount`, without a header; the fee is what
the study itself pays there. Others take a table with a header, in columns of one's own choice.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence

from mixed_company.server.gate.labels import as_text
from mixed_company.server.payroll.lines import Payroll

__all__ = ["FILES", "everything", "prolific"]

_COLUMNS = ("number", "participant", "label", "panel_id", "status", "fee", "bonus", "payment")


def prolific(paid: Payroll) -> str:
    """`participant_id,amount` of everybody with a name of the panel and a bonus."""
    due = [line for line in paid.lines if line.panel and line.bonus > 0]
    return _written((line.panel, line.bonus) for line in due)


def everything(paid: Payroll) -> str:
    """Everybody who is paid, with a header; the last line is the total."""
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
"""The name of a file, without its ending -> what it holds."""
