"""Who sat where, who decided, and what people were credited with: tables that must agree.

The rules are the table's own (`table.seating`, `table.pay`); sums are taken period by period, as
the server takes them, so that they agree to the last digit.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from statistics import median
from typing import Any

from mixed_company.analysis.audit.group import Group
from mixed_company.analysis.audit.lists import check_lists
from mixed_company.analysis.audit.money import check_paid, check_sum
from mixed_company.analysis.audit.rows import Findings
from mixed_company.engine.play.decision import DECIDES
from mixed_company.table import pay, seating
from mixed_company.table.export import Row
from mixed_company.table.options import policy_specs

__all__ = ["check_outcomes", "check_seats", "check_unseated"]


def check_seats(group: Group, findings: Findings) -> None:
    """The occupancies follow from each other and from the options; decisions agree with them."""
    codes = group.participants
    if "seats" in group.tables:
        _first(group, findings)
        for seat in range(group.game.seats):
            _timeline(group, seat, codes.get(seat, ""), findings)
    for (period, seat), row in group.decisions.items():
        key = f"period {period}, seat {seat}"
        given = ("decisions", row["row"])
        findings.value(*given, "participant", row["participant"], codes.get(seat, ""), key)
        _occupant(group, period, seat, row, findings)
        _by(group, period, seat, row, findings)


def _first(group: Group, findings: Findings) -> None:
    """The first rows are those who sat down when the play was opened, in the order of seats."""
    rows = group.tables["seats"]
    n = group.game.seats
    first = rows.columns["seat"][:n]
    everybody = set(range(n)) <= set(rows.columns["seat"])
    for seat in sorted(set(range(n)) - set(rows.columns["seat"])):
        findings.tell("seats", None, f"missing: seat {seat}")
    for row in rows.records():
        if row["seat"] not in range(n):
            findings.tell("seats", row["row"], f"seat {row['seat']}: there is no such seat")
    if everybody and first != list(range(n)):
        findings.tell("seats", rows.numbers[0], f"seats {first} sat down first, not in order")
    times = zip(rows.columns["at_ms"], rows.numbers, strict=True)
    for (before, _), (after, number) in pairwise(times):
        if "" not in (before, after) and after < before:
            findings.tell("seats", number, f"at_ms {after} is before the row above", column="at_ms")


def _timeline(group: Group, seat: int, code: str, findings: Findings) -> None:
    """The occupancies of a seat: each ends where the next begins."""
    rows, key = group.occupancies.get(seat, []), f"seat {seat}"
    for at, row in enumerate(rows):
        later = rows[at + 1]["since_period"] if at + 1 < len(rows) else group.periods
        should = {"participant": code, "until_period": later - 1 if later != "" else ""}
        should |= _later(group, row) if at else _at_first(group, seat, row)
        if row["occupant"] != "policy":
            should["policy_id"] = ""
        for name, value in should.items():
            findings.value("seats", row["row"], name, row[name], value, key)
        given = ("seats", row["row"], "occupant", row["occupant"])
        known = ("person", "policy", "nobody") if at else ("person", "policy")
        findings.rule(row["occupant"] in known, *given, f"is not one of {', '.join(known)}", key)
    if rows:
        right = (rows[0]["occupant"] == "person") == bool(code)
        rule = "sat down first; a seat has a participant if that is a person"
        given = ("seats", rows[0]["row"], "occupant", rows[0]["occupant"])
        findings.rule(right, *given, rule, key)


def _at_first(group: Group, seat: int, row: Row) -> dict[str, Any]:
    """Who sits down when the play is opened: people, and policies in turn."""
    should: dict[str, Any] = {"since_period": 0, "reason": "seated"}
    bots, turn = _bots(group), 0
    for before in range(seat):
        turn += not _starts_with_person(group, before)
    if row["occupant"] == "policy" and bots:
        should["policy_id"] = seating.policy_in_turn(bots, turn)
    return should


def _later(group: Group, row: Row) -> dict[str, Any]:
    """Who comes back, or follows a person who left or whose seat the manager handed over, or an
    agent from outside that did not decide any more."""
    if row["occupant"] == "person":
        return {"reason": "returned"}
    if row["reason"] in ("handed", "missed"):
        dropout_bot, bots = group.option("dropout_bot", ""), _bots(group) or [""]
        return {"occupant": "policy", "policy_id": seating.successor("bot", dropout_bot, bots)[1]}
    if "dropout" not in group.options:
        return {"reason": "dropout"}
    dropout_bot, bots = group.option("dropout_bot", ""), _bots(group) or [""]
    occupant, policy = seating.successor(group.options["dropout"], dropout_bot, bots)
    return {"reason": "dropout", "occupant": occupant, "policy_id": policy or ""}


def _starts_with_person(group: Group, seat: int) -> bool:
    rows = group.occupancies.get(seat, [])
    return bool(rows) and rows[0]["occupant"] == "person"


def _bots(group: Group) -> list[str]:
    given = group.option("bots", [])
    return policy_specs(given if isinstance(given, str) else ",".join(given))


def _occupant(group: Group, period: int, seat: int, row: Row, findings: Findings) -> None:
    sat = group.occupancy(period, seat)
    if seat in group.replay.absent.get(period, ()):
        who, policy, by = "nobody", "", ""
    elif sat is None:
        return
    else:
        who, policy, by = sat["occupant"], sat["policy_id"], "seats"
    key = f"period {period}, seat {seat}"
    for name, should in (("occupant", who), ("policy_id", policy)):
        findings.value("decisions", row["row"], name, row[name], should, key, by)


def _by(group: Group, period: int, seat: int, row: Row, findings: Findings) -> None:
    """Who decided is who sat there; what nobody decided is the game's default."""
    key, by = f"period {period}, seat {seat}", row["decided_by"]
    allowed = DECIDES.get(row["occupant"], ("absent",))
    rule = f"did not decide: on the seat is {row['occupant']}"
    findings.rule(by in allowed, "decisions", row["row"], "decided_by", by, rule, key)
    defaults = group.replay.defaults.get((period, seat))
    if defaults is None:
        return
    sent = {name: row[name] for name in defaults[0]}
    nothing = by == "absent" and set(sent.values()) == {""}
    if not nothing and sent not in (defaults if by == "absent" else defaults[:1]):
        for name, value in defaults[0].items():
            findings.value("decisions", row["row"], name, row[name], value, f"{key}, by {by}")


# -- outcomes -------------------------------------------------------------------------------------


def check_outcomes(group: Group, findings: Findings) -> None:
    """What people were credited with, and how their part ended."""
    if "outcomes" not in group.tables:
        return
    sat: dict[int, int] = {}
    for row in group.tables["outcomes"].records():
        seat = row["seat"]
        if seat in sat:
            findings.tell("outcomes", row["row"], f"seat {seat}: is there twice")
            continue
        sat[seat] = row["row"]
        code = group.participants.get(seat, "")
        findings.value(
            "outcomes", row["row"], "participant", row["participant"], code, f"seat {seat}"
        )
        first = group.occupancies.get(seat, [{"occupant": "person"}])[0]["occupant"]
        rule = "is a seat that never had a person"
        findings.rule(first == "person", "outcomes", row["row"], "seat", seat, rule)
        _credited(group, row, findings)
        _ended(group, row, findings)
        check_lists(row, findings, group)
    for seat in group.occupancies:
        if _starts_with_person(group, seat) and seat not in sat:
            findings.tell("outcomes", None, f"missing: the person on seat {seat}")


def _credited(group: Group, row: Row, findings: Findings) -> None:
    seat = row["seat"]
    if not group.complete or (group.periods - 1, seat) not in group.replay.decisions:
        return  # a play that ends otherwise than the tables say is told of elsewhere
    points = everything = 0.0
    by_policy = own = 0
    taken: list[float] = []
    for period in range(group.periods):
        reward = group.replay.decisions[period, seat]["reward"]
        occupant = group.decisions[period, seat]["occupant"]
        everything += reward
        points += pay.credited(occupant, reward)
        by_policy += occupant == "policy"
        own += occupant == "person"
        taken += _reaction(group.decisions[period, seat])
    floor, cap = group.option("pay_floor", 0.0), group.option("pay_cap", 0.0)
    should = {
        "points": points,
        "seat_points": everything,
        "paid_points": pay.paid_points(points + (row.get("question_points") or 0.0), floor, cap),
        "bot_share": pay.bot_share(by_policy, group.periods),
    }
    for name, value in should.items():
        findings.value("outcomes", row["row"], name, row[name], value, f"seat {seat}")
    reaction = row.get("reaction_ms", "")
    if reaction != "":  # exports of earlier releases do not have it
        usual = median(taken) if taken else ""
        findings.value("outcomes", row["row"], "reaction_ms", reaction, usual, f"seat {seat}")
    check_paid(group, row, own / group.game.horizon, findings)


def _reaction(row: Row) -> list[float]:
    """How long a person took to decide, from the begin of the period; empty: did not decide."""
    times = (row["shown_ms"], row["received_ms"])
    decided = row["decided_by"] == "person" and "" not in times
    return [times[1] - times[0]] if decided else []


def _ended(group: Group, row: Row, findings: Findings) -> None:
    """seated, finished or left: by who had the seat at last, and whether the play is over."""
    rows = group.occupancies.get(row["seat"])
    if not rows or not group.complete:
        return
    last = rows[-1]["occupant"]
    out = group.replay.absent.get(group.periods - 1, ())
    ended = any(event["event"] == "ended" for event in group.managed)
    done = {(one["event"], one["seat"]) for one in group.managed}
    ways_out = {name: (name, row["seat"]) in done for name in ("released", "excluded")}
    over = group.replay.ended is not None or last == "nobody" or row["seat"] in out or ended
    handed = rows[-1]["reason"] == "handed"
    should = pay.status(last, over, ended=ended, handed=handed, **ways_out)
    findings.value("outcomes", row["row"], "status", row["status"], should, f"seat {row['seat']}")
    gone = sum(occupancy["reason"] == "dropout" for occupancy in rows)
    silent = row["disconnections"]
    right = silent == "" or silent >= gone
    rule = f"is less than how often the person left, {gone}"
    findings.rule(right, "outcomes", row["row"], "disconnections", silent, rule)


def check_unseated(rows: Iterable[Row], findings: Findings) -> None:
    """People who never had a seat earned nothing."""
    for row in rows:
        key, given = f"participant {row['participant']}", ("outcomes", row["row"])
        for name in ("group", "seat", "seat_points", "disconnections", "bot_share"):
            findings.value(*given, name, row[name], "", key)
        for name in ("points", "paid_points"):
            findings.value(*given, name, row[name], 0.0, key)
        check_sum(row, findings)
        known = row["status"] in pay.UNSEATED
        findings.rule(known, *given, "status", row["status"], "is no status of one without a seat")
        check_lists(row, findings)
