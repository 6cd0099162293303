"""The audit recomputes payments by the ledger's rules."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mixed_company.analysis.audit.money import check_money
from mixed_company.analysis.audit.rows import Findings, Rows
from mixed_company.table.ledger import PARTS

GAME = "commons_game"


def found(
    people: list[dict[str, Any]], options: dict[str, Any], rate: float | str = 0.12, **entry: Any
) -> list[str]:
    """Return the problems that the audit finds in the payments of a session with one group, a fee
    of 2.00 and this rate per point."""
    config = {"session": "s", "group": 1, "participation_fee": 2.0, "point_value": rate}
    config |= {"options": json.dumps(options), "config": json.dumps({"identity": {"seed": 5}})}
    tables = {"config": rows("config", [config]), "outcomes": rows("outcomes", people)}
    findings = Findings(GAME)
    manifest = {"sessions": {"s": {"total": 1.0, **entry}}}
    check_money({GAME: tables}, {}, manifest, findings, True)
    return [str(problem) for problem in findings.problems]


def rows(table: str, listed: list[dict[str, Any]]) -> Rows:
    columns = {name: [row[name] for row in listed] for name in listed[0]}
    return Rows(table, columns, range(len(listed)))


def person(payment: float, points: float = 0.0, seat: Any = 0, **changes: Any) -> dict[str, Any]:
    """Return a row of a person with or without a seat; `changes` are the parts of the payment."""
    parts = dict.fromkeys((f"pay_{name}" for name in (*PARTS, "elsewhere")), 0.0)
    row = {"session": "s", "group": "" if seat == "" else 1, "seat": seat, "participant": "a"}
    row |= {"status": "finished", "points": points, "waited_ms": 0, "payment": payment}
    return {**row, **parts, **changes}


@pytest.mark.parametrize(
    ("points", "rounding", "problems"),
    [
        (4.3, 0.2, []),
        # rounded up to the next cent before the parts are added
        (4.31, 0.19, ["pay_points: participant a: 4.31 should be 4.3", "0.19 should be 0.2"]),
        # the exact sum, 6.300968, rounded up
        (
            4.3,
            0.199032,
            ["all other parts should be in whole cents", "participant a: 0.199032 should be 0.2"],
        ),
    ],
)
def test_parts_are_rounded_to_the_cent_before_their_sum(points, rounding, problems):
    """The fee is 2.00. The 35.8414 points at 0.12 are 4.300968, and payments are rounded to
    halves."""
    paid = {"pay_fee": 2.0, "pay_points": points, "pay_rounding": rounding}
    notes = found([person(6.5, 35.8414, **paid)], {"pay_rounding": 0.5})
    assert len(notes) == len(problems)
    assert all(words in problem for words, problem in zip(problems, notes, strict=True)), notes


@pytest.mark.parametrize(
    ("status", "fee", "problems"),
    [
        ("released", 2.0, []),
        ("released", 500.0, ["pay_fee: participant a: 500.0 should be 2.0"]),
        ("left", 2.0, ["pay_fee: participant a: 2.0 should be 0.0"]),
        ("quiz_failed", 0.5, []),  # a quarter, by fee_shares
        ("quiz_failed", 77.0, ["pay_fee: participant a: 77.0 should be 0.5"]),
    ],
)
def test_people_without_a_seat_are_paid_by_the_ledger(status, fee, problems):
    row = person(fee, seat="", status=status, pay_fee=fee)
    notes = found([row], {"fee_shares": {"quiz_failed": 0.25}})
    assert [problem.partition(", line 2, ")[2] for problem in notes] == problems


@pytest.mark.parametrize(("later", "share"), [("gem_mining", 0.5), (GAME, 0.5), (GAME, 0.0)])
def test_a_share_of_the_fee_is_paid_for_the_periods_played_in_every_block(later, share):
    """The person left block second, after half of its periods or in its lobby, so the fee of 2.00
    is paid for 1.5 or 1 of 2 blocks."""
    plan = dict.fromkeys(("matching", "roles", "matching_groups"), "") | {"pay_blocks": "all"}
    plan["blocks"] = ["first", "second"]
    fee = 2.0 * (1 + share) / 2
    stayed = person(fee, pay_elsewhere=fee, block="first", slot=0)
    gone = person(fee, pay_fee=fee, block="second", slot=0, status="left")
    gone |= {"group": 2, "seat": 0} if share else {"group": "", "seat": ""}
    config = {"session": "s", "participation_fee": 2.0, "point_value": 0.1}
    config |= {"options": json.dumps({"fee_pro_rata": True}), "config": "{}"}
    blocks = {
        (GAME, "first"): ({**config, "group": 1, "block": "first"}, stayed),
        (later, "second"): ({**config, "group": 2, "block": "second"}, gone),
    }
    games = {
        game: {
            "config": rows(
                "config", [group for (of, _), (group, _) in blocks.items() if of == game]
            ),
            "outcomes": rows(
                "outcomes", [row for (of, _), (_, row) in blocks.items() if of == game]
            ),
        }
        for game, _ in blocks
    }
    shares = {GAME: {("s", 1, 0): 1.0}}
    if share:
        shares[later] = {**shares.get(later, {}), ("s", 2, 0): share}
    for game in games:
        findings = Findings(game)
        check_money(games, shares, {"sessions": {"s": {"plan": plan}}}, findings, True)
        assert findings.problems == []


def test_nothing_is_paid_elsewhere_in_a_session_of_one_game():
    row = person(7.0, pay_fee=2.0, pay_elsewhere=5.0)
    assert found([row], {}) == [
        "commons_game/outcomes.csv, line 2, pay_elsewhere: participant a: 5.0 should be 0.0"
    ]


def test_another_app_that_has_paid_is_named_because_nothing_else_shows_its_amount():
    row = person(7.0, pay_fee=2.0, pay_elsewhere=5.0)
    assert found([row], {}, apps=[GAME, f"{GAME}_2"]) != []
    [note] = found([row], {}, apps=[GAME, "survey"])
    assert (
        "5.00 of the payment comes from apps of the session that are not in this export: "
        "surv" in note
    )


@pytest.mark.parametrize("amount", [1e30, float("inf")])
def test_an_amount_that_nobody_can_be_paid_is_named(amount):
    assert found([person(amount, pay_fee=amount)], {}) == [
        f"commons_game/outcomes.csv, line 2, {name}: participant a: {amount!r} is not a number "
        "from -1e+12 to 1e+12"
        for name in ("pay_fee", "payment")
    ]


@pytest.mark.parametrize("rate", ["", float("nan"), 1e300])
def test_payments_that_do_not_follow_from_a_rate_are_counted(rate):
    people = [person(42.0, 1.0, pay_fee=2.0, pay_points=40.0)]
    words = "1 payment could not be computed, because the fee, the value of a point or a block"
    assert found(people, {}, rate) == [f"{GAME}/outcomes.csv: {words} is invalid"]
