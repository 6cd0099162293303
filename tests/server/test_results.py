"""What the page of results says of points and pay, sentence by sentence."""

from __future__ import annotations

from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import pytest

from server.pages import results
from table.ledger import PARTS
from table.options import Options

ASKED = {
    "name": "q",
    "text": "How many?",
    "type": "number",
    "every": 1,
    "least": 0,
    "most": 9,
    "about": "others_mean",
    "action": "harvest",
    "pay": "within",
    "margin": 1,
    "prize": 4,
}


def noted(
    *occupants: str,
    points: float = 10.0,
    won: float = 0.0,
    status: str = "finished",
    **options: Any,
) -> list[str]:
    table: Any = SimpleNamespace(
        seats=[None, SimpleNamespace(points=points)],
        options=Options(**options),
        status=lambda seat: status,
        replies=SimpleNamespace(won=lambda seat: won),
    )
    log = [{"kind": "period", "seats": [{}, {"occupant": one}]} for one in occupants]
    return results.notes(table, [*log, {"kind": "start"}], 1)


WON = "Your answers to questions have won {} points."
MOST, LEAST = "The payment is limited to {} points.", "You are paid at least {} points."


@pytest.mark.parametrize(
    ("given", "lines"),
    [
        ({}, []),
        ({"questions": [ASKED]}, [WON.format(0)]),
        ({"questions": [ASKED], "won": 4.0}, [WON.format(4)]),
        ({"questions": [{**ASKED, "pay": "none", "margin": None, "prize": 0}]}, []),
        ({"pay_cap": 10.0}, []),
        ({"pay_cap": 9.0}, [MOST.format(9)]),
        ({"pay_cap": 12.0, "won": 3.0}, [MOST.format(12)]),
        ({"pay_floor": 10.0}, []),
        ({"pay_floor": 11.0}, [LEAST.format(11)]),
        ({"pay_floor": 12.0, "won": 2.0}, []),
        ({"pay_floor": 12.0, "won": 1.0}, [LEAST.format(12)]),
        ({"pay_floor": 20.0, "pay_cap": 30.0, "status": "excluded"}, []),
    ],
)
def test_what_changes_a_payment_is_told(given: dict[str, Any], lines: list[str]) -> None:
    assert noted("person", **given) == lines


def test_periods_of_a_stand_in_are_told() -> None:
    seats = ("person", "policy", "person", "policy")
    told = "A stand-in decided in 2 of 4 periods; only your own count."
    assert noted(*seats) == [told]
    assert noted(*seats, status="excluded") == [told]
    assert noted("policy") == ["A stand-in decided in 1 of 1 period; only your own count."]


@pytest.mark.parametrize(
    ("seat", "parts", "shown"),
    [
        (0, {"fee": "2", "points": "0"}, ["fee", "points"]),
        (-1, {"fee": "2"}, ["fee"]),
        (0, {"points": "3", "cap": "-1", "rounding": "0.5"}, ["fee", "points", "cap", "rounding"]),
        (-1, {"waiting": "1"}, ["fee", "waiting"]),
        (0, {}, []),
    ],
)
def test_where_each_cent_comes_from_is_shown(
    seat: int, parts: dict[str, str], shown: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = {name: Decimal(parts.get(name, "0")) for name in PARTS}
    monkeypatch.setattr(results, "whole_ledger", lambda player: whole)
    monkeypatch.setattr(results.money, "written", lambda amount: f"{amount} €")
    words = {f"pay_{name}": f"word {name}" for name in PARTS}
    assert results.cents(SimpleNamespace(seat=seat), words) == [
        {"name": f"word {name}", "sum": f"{whole[name]} €"} for name in shown
    ]


def test_parts_of_points_are_those_of_the_own_periods() -> None:
    def period(occupant: str, **components: float) -> dict[str, Any]:
        seats = [{"occupant": "person"}, {"occupant": occupant}]
        return {
            "kind": "period",
            "seats": seats,
            "components": {name: [99.0, value] for name, value in components.items()},
        }

    log = [
        {"kind": "start"},
        period("person", harvest=2.0, fine=0.0),
        period("policy", harvest=50.0, fine=7.0),
        period("nobody", harvest=1.5, fine=0.0),
    ]
    assert results.parts(log, 1, {"harvest": "Harvest"}, 1) == [{"name": "Harvest", "sum": "3.5"}]
    nothing = [period("person", harvest=0.0, fine=0.0)]
    assert results.parts(nothing, 1, {}, 0) == [
        {"name": "harvest", "sum": "0"},
        {"name": "fine", "sum": "0"},
    ]
    assert results.parts([], 1, {}, 0) == []
