"""Payments for each player's status, seat and blocks, calculated by hand."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import pytest

from mixed_company.server import paying
from mixed_company.table.ledger import PARTS, Stay, Terms, total
from mixed_company.table.options import Options
from tests.server.inside import inside

__all__ = ["inside"]  # a fixture

MONEY = {"participation_fee": "2.0", "real_world_currency_per_point": "0.1"}


@pytest.fixture(autouse=True)
def read(inside: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Read values from the player that are otherwise read from the database."""
    reads = {
        "setup_of": lambda player: SimpleNamespace(options=player.options),
        "planned_of": lambda subsession: subsession.planned,
        "players_of": lambda person: person.players,
        "reached_by": lambda person: person.players,
    }
    with monkeypatch.context() as patch:
        for name, value in reads.items():
            patch.setattr(paying, name, value)
        yield


class Payoff(float):
    """Points with the same interface as oTree's."""

    def __sub__(self, other: float) -> Payoff:
        return Payoff(float(self) - other)

    def to_real_world_currency(self, session: Any) -> float:
        return float(self) * float(session.config["real_world_currency_per_point"])


def player(
    status: str = "finished",
    seat: int = 0,
    points: float = 0.0,
    planned: Any = None,
    apps: int = 1,
    **options: Any,
) -> Any:
    """Return a player in a session with this many apps."""
    return SimpleNamespace(
        session=SimpleNamespace(config={**MONEY, "app_sequence": ["app"] * apps}),
        subsession=SimpleNamespace(planned=planned, plan="plan" if planned else ""),
        options=Options(**options),
        status=status,
        seat=seat,
        points=points,
        payoff=Payoff(points),
        played_share=1.0,
        waited_ms=0,
        question_points=0.0,
        slot=0,
        participant=None,
    )


def together(*players: Any, elsewhere: float = 0.0) -> list[Any]:
    """Return the players of one participant, who has more points `elsewhere`."""
    payoff = Payoff(sum(row.payoff for row in players) + elsewhere)
    person = SimpleNamespace(players=list(players), session=players[0].session, payoff=payoff)
    for row in players:
        row.participant = person
    return list(players)


def amounts(**parts: str) -> dict[str, Decimal]:
    return {name: Decimal(parts.get(name, "0")) for name in PARTS}


def blocks(pay: str = "all", **course: Any) -> Any:
    """Return the plan of a session with three blocks, as seen from each of them."""
    plan_course = SimpleNamespace(pay_blocks=pay, **course)
    return [
        SimpleNamespace(blocks=["block"] * 3, course=plan_course, number=number, seed=5)
        for number in (1, 2, 3)
    ]


def in_blocks(*changes: dict[str, Any], pay: str = "all", **options: Any) -> list[Any]:
    """Return a person's players in the blocks of a plan."""
    planned = blocks(pay)
    players = [
        player(planned=block, apps=3, **change, **options)
        for block, change in zip(planned, changes, strict=False)
    ]
    return together(*players)


def test_the_terms_are_those_of_the_session_and_its_options():
    row = player(pay_floor=5, pay_cap=90, pay_waiting=0.2, fee_pro_rata=True, pay_rounding=0.5)
    assert paying.terms_of(row.session, row.options) == Terms(
        2.0, 0.1, floor=5, cap=90, waiting=0.2, pro_rata=True, rounding=0.5
    )


def test_a_stay_is_read_from_the_player():
    row = player("left", 2, 41.0)
    row.played_share, row.waited_ms, row.question_points = 0.25, 90_000, 3.0
    assert paying.stay(row) == Stay("left", True, 41.0, 0.25, 90_000, 3.0)
    assert paying.stay(player("waiting", -1)) == Stay("waiting", False)


def test_a_single_game_pays_the_fee_the_points_and_the_rounding():
    [row] = together(player(points=41.3, pay_rounding=0.5))
    assert paying.ledger_of(row) == amounts(fee="2", points="4.13", rounding="0.37")
    assert paying.payment(row) == Decimal("6.50")
    assert paying.beyond_fee(row.participant) == Decimal("4.50")
    assert paying.whole_ledger(row) == paying.ledger_of(row)


def test_the_first_of_several_games_that_pays_a_fee_has_it():
    """Skip the first person, who was excluded and is paid nothing. The third has only points."""
    none, fee, points = together(
        player("excluded", apps=3), player(points=1.0, apps=3), player(points=20.0, apps=3)
    )
    assert paying.ledger_of(none) == amounts()
    assert paying.ledger_of(fee) == amounts(fee="2", points="0.1")
    assert paying.ledger_of(points) == amounts(points="2")
    assert paying.payment(none) == 0
    assert paying.payment(fee) == paying.payment(points) == Decimal("4.10")
    assert paying.beyond_fee(none.participant) == Decimal("2.10")


def test_points_of_other_apps_are_in_the_payment_but_in_no_ledger():
    """Pay 50 points. 20 of them come from this game, and the others are worth 3.00."""
    played, arriving = player(points=20.0, apps=2), player("arriving", -1, apps=2)
    first, _ = together(played, arriving, elsewhere=30.0)
    assert paying.payment(first) == Decimal("7.00")
    assert total(paying.ledger_of(first)) == Decimal("4.00")
    assert paying.beyond_fee(first.participant) == Decimal("5.00")


def test_a_person_who_plays_none_of_our_games_is_in_no_list():
    person = SimpleNamespace(players=[])
    assert paying.paid_to(person) is None
    assert paying.beyond_fee(person) is None


# -- the blocks of a plan -------------------------------------------------------------------------

EARNED: list[dict[str, Any]] = [{"points": 10.0}, {"points": 20.0}, {"points": 33.0}]


def test_the_last_block_has_the_fee_and_the_rounding_of_the_whole():
    """Round the sum of 1.00, 2.00, 3.30 and 2.00, which is 8.30, up to 8.50."""
    players = in_blocks(*EARNED, pay_rounding=0.5)
    assert [paying.ledger_of(row) for row in players] == [
        amounts(points="1"),
        amounts(points="2"),
        amounts(fee="2", points="3.3", rounding="0.2"),
    ]
    assert paying.whole_ledger(players[0]) == amounts(fee="2", points="6.3", rounding="0.2")
    assert {paying.payment(row) for row in players} == {Decimal("8.50")}
    assert paying.beyond_fee(players[0].participant) == Decimal("6.50")


def test_a_person_who_left_a_block_is_paid_by_the_share_of_all_periods():
    """Pay half of the fee for one and a half blocks of three, and nothing for the block after
    them."""
    first, left, after = in_blocks(
        *({"points": 10.0}, {"status": "left", "points": 5.0}, {"status": "arriving", "seat": -1}),
        fee_pro_rata=True,
        fee_shares={"left": 1.0},
    )
    left.played_share = 0.5
    assert paying.ledger_of(left) == amounts(fee="1", points="0.5")
    assert paying.ledger_of(after) == amounts()
    assert total(paying.whole_ledger(first)) == Decimal("2.50")


def test_a_person_released_on_the_way_to_a_block_is_paid_like_one_with_a_seat():
    first, released = in_blocks({"points": 10.0}, {"status": "released", "seat": -1})
    assert paying.ledger_of(first) == amounts(points="1")
    assert paying.ledger_of(released) == amounts(fee="2")
    assert paying.payment(first) == Decimal("3.00")


def test_an_unpaid_person_gets_no_rounding(monkeypatch):
    [_, excluded] = in_blocks(
        {"points": 11.0}, {"status": "excluded", "points": 5.0}, pay_rounding=0.5
    )
    assert paying.ledger_of(excluded) == amounts()


def test_if_one_block_is_paid_the_others_pay_no_points(monkeypatch):
    draws = []

    def drawn(seed: int, slot: int, many: int) -> int:
        draws.append((seed, slot, many))
        return 1

    monkeypatch.setattr(paying, "drawn_block", drawn)
    players = in_blocks(*EARNED, pay="one", pay_rounding=0.5)
    players[0].slot = 4
    planned = players[0].subsession.planned
    assert paying.paid_number(players[0], planned) == 2
    assert draws == [(5, 4, 3)]
    assert [paying.ledger_of(row) for row in players] == [
        amounts(),
        amounts(points="2"),
        amounts(fee="2"),
    ]
    monkeypatch.setattr(paying, "paid_block", lambda drawn, played: None)
    assert paying.paid_number(players[0], planned) == 0
    assert paying.paid_number(players[0], blocks("all")[0]) is None


def test_the_pay_of_a_block_depends_on_the_state_of_the_parts_in_all_blocks(monkeypatch):
    seen = []
    monkeypatch.setattr(paying, "paid_block", lambda drawn, played: seen.append(played))
    players = in_blocks({}, {"status": "left", "seat": 3}, {"status": "arriving", "seat": -1})
    paying.paid_number(players[2], blocks("one")[2])
    assert seen == [[("finished", True), ("left", True), ("arriving", False)]]
