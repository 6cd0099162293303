"""A participant's row, column by column, from the player's record and the journal."""

from __future__ import annotations

from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import pytest

from mixed_company.engine.play.period import Decision
from mixed_company.server import export as own
from mixed_company.server.export import outcome
from mixed_company.server.played import Played
from mixed_company.table.export import played as rows_of
from mixed_company.table.options import Options

KEPT: dict[str, Any] = {
    "status": "finished",
    "seat": 1,
    "waited_ms": 6.6,
    "consented": "yes",
    "consented_ms": 5.4,
    "comments": "One\ntwo",
    "attention": '{"hidden_times": 2, "hidden_ms": 1500}',
    "disclosure": "Told.",
    "disclosed_ms": 7.2,
    "parameters": '{"PID": "p"}',
    "managed": '[{"what": "release"}]',
    "quiz_attempts": 3,
    "quiz_log": '[{"wrong": []}]',
    "practised_periods": 2,
    "practice_log": '[{"period": 0}]',
    "slot": 0,
    "assigned_ms": 8.6,
}
NOTHING: dict[str, Any] = {
    **dict.fromkeys(("waited_ms", "consented_ms", "disclosed_ms", "assigned_ms"), 0.0),
    **dict.fromkeys(("comments", "attention", "disclosure", "consented"), ""),
    "parameters": "{}",
    "managed": "[]",
    "practice_log": "[]",
    "quiz_log": "[]",
    "slot": -1,
    "quiz_attempts": 0,
    "practised_periods": 0,
    "seat": -1,
    "status": "arriving",
}
PAY = {"pay_fee": 2.0, "pay_points": 0.5, "pay_elsewhere": 0.25, "payment": 2.75}


def player(label: str = "P\t1", **kept: Any) -> Any:
    return SimpleNamespace(
        session=SimpleNamespace(code="s"),
        participant=SimpleNamespace(code="p", label=label),
        **{**KEPT, **kept},
    )


@pytest.fixture(autouse=True)
def read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the values that are read from the database."""
    parts = {"fee": Decimal("2.00"), "points": Decimal("0.50")}
    reads: dict[str, Any] = {
        "earlier": lambda player: getattr(player, "before", []),
        "treatment_shown": lambda player: f"treatment {player.slot}",
        "block_shown": lambda player: "block",
        "ledger_of": lambda player: parts,
        "payment": lambda player: "2.75",
        "answers": lambda player, played: [{"value": "3"}, {"value": ""}],
    }
    monkeypatch.setattr(rows_of, "won", lambda played, seat: 3.0)
    for name, value in reads.items():
        monkeypatch.setattr(own, name, value)


def test_everything_recorded_about_a_person_who_never_got_a_seat() -> None:
    assert outcome(player(), None) == {
        "session": "s",
        "participant": "p",
        "label": "P 1",
        "treatment": "treatment 0",
        "block": "block",
        "slot": 0,
        "assigned_ms": 9,
        "status": "finished",
        "points": 0.0,
        "paid_points": 0.0,
        "question_points": 0.0,
        **PAY,
        "waited_ms": 7,
        "consented": "yes",
        "consented_ms": 5,
        "comments": "One two",
        "hidden_times": 2,
        "hidden_ms": 1500,
        "disclosure": "Told.",
        "disclosed_ms": 7,
        "messages_sent": 0,
        "questions_asked": 2,
        "questions_answered": 1,
        **{key: KEPT[key] for key in ("parameters", "managed", "quiz_attempts", "quiz_log")},
        **{key: KEPT[key] for key in ("practised_periods", "practice_log")},
    }


def test_almost_nothing_is_recorded_about_a_person_who_never_came() -> None:
    row = outcome(player("", **NOTHING), None)
    empty = {name for name, value in row.items() if value == ""}
    assert empty >= {
        *("label", "slot", "assigned_ms", "consented", "consented_ms", "comments"),
        *("disclosure", "disclosed_ms", "parameters", "managed", "practice_log"),
    }
    assert (row["quiz_log"], row["quiz_attempts"], row["waited_ms"]) == ("[]", 0, 0)


def test_in_a_later_block_treatment_and_slot_are_those_of_the_first() -> None:
    first = player(slot=4, assigned_ms=20.0)
    row = outcome(player(slot=-1, assigned_ms=0.0, before=[first, player(slot=7)]), None)
    assert (row["treatment"], row["slot"], row["assigned_ms"]) == ("treatment 4", 4, 20)


def decided(by: Any, at_ms: int) -> dict[str, Any]:
    policy = "steward" if by == "policy" else None
    return Decision({}, by, at_ms, policy).to_json()


def test_points_and_times_are_those_of_the_person_s_own_periods() -> None:
    """Check three periods in seat 1: 300 ms to decide, a bot, and 100 ms, with 4 and 2 points."""
    seats = [decided("person", 300), decided("policy", 450)]
    seats.append(decided("person", 700))
    other = decided("person", 999)
    log = [
        {"kind": "period", "period": number, "shown_ms": shown, "rewards": [9.0, reward]}
        | {"seats": [other, seat]}
        for number, (shown, reward, seat) in enumerate(
            zip((0, 400, 600), (4.0, 5.0, 2.0), seats, strict=True)
        )
    ]
    log += [
        *({"kind": "heard", "seat": seat, "gap": gap} for seat, gap in ((1, 1), (1, 0), (0, 5))),
        *({"kind": "event", "seat": 1, "event": event} for event in ("takeover", "left", "note")),
        *({"kind": "event", "event": "left"}, {"kind": "event", "seat": 0, "event": "left"}),
        *(
            {"kind": "message", "seat": seat, "occupant": occupant}
            for seat, occupant in ((1, "person"), (1, "policy"), (0, "person"))
        ),
    ]
    base = {"group": 2, "group_id": "s-2", "treatment": "t", "block": "b", "session": "s"}
    options = Options(pay_floor=1.0, pay_cap=8.0)
    setup: Any = SimpleNamespace(options=options)
    played = Played(base, setup, log, {}, lambda ms: ms)
    row, kept = outcome(player(), played), outcome(player(), None)
    assert row == {
        **kept,
        "group": 2,
        "group_id": "s-2",
        "treatment": "t",
        "block": "b",
        "seat": 1,
        "points": 6.0,
        "seat_points": 11.0,
        "question_points": 3.0,
        "paid_points": 8.0,  # of 9, which exceed the cap
        "messages_sent": 1,
        "disconnections": 3,
        "reaction_ms": 200,
        "bot_share": 1 / 3,
    }
    nothing = outcome(player(), Played(base, setup, [], {}, lambda ms: ms))
    assert (nothing["reaction_ms"], nothing["bot_share"], nothing["points"]) == ("", 0.0, 0.0)
    assert (nothing["paid_points"], nothing["disconnections"]) == (3.0, 0)
