"""The audit pays people again, by the rule of the ledger."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from mixed_company.analysis.audit.people import check_paid
from mixed_company.analysis.audit.rows import Findings
from mixed_company.table.ledger import PARTS


@pytest.mark.parametrize(
    ("points", "rounding", "problems"),
    [
        (4.3, 0.2, []),
        # rounded up to the next cent before the parts are added
        (4.31, 0.19, ["pay_points: seat 0: 4.31 should be 4.3", "0.19 should be 0.2"]),
        # the exact sum, 6.300968, rounded up
        (4.3, 0.199032, ["add up to whole cents", "pay_rounding: seat 0: 0.199032 should be 0.2"]),
    ],
)
def test_parts_are_rounded_to_the_cent_before_their_sum(
    points: float, rounding: float, problems: list[str]
) -> None:
    """A fee of 2.00 and 35.8414 points at 0.12, which are 4.300968; payments in halves."""
    config = {"participation_fee": 2.0, "point_value": 0.12}
    group: Any = SimpleNamespace(config=config, options={"pay_rounding": 0.5})
    paid = {"pay_fee": 2.0, "pay_points": points, "pay_rounding": rounding}
    parts = dict.fromkeys((f"pay_{name}" for name in PARTS), 0.0) | paid
    row = {"row": 0, "seat": 0, "status": "finished", "points": 35.8414, "participant": "a"}
    row |= {**parts, "pay_elsewhere": 0.0, "payment": 6.5}
    findings = Findings("commons_game")
    check_paid(group, row, 1.0, findings)
    assert len(findings.problems) == len(problems)
    for problem, words in zip(findings.problems, problems, strict=True):
        assert words in str(problem)
