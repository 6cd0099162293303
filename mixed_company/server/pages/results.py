"""Texts of the results page about points and peer points, the same for all games."""

from __future__ import annotations

from itertools import accumulate
from typing import Any

from mixed_company.engine.game import Game
from mixed_company.language import Words, pair
from mixed_company.server.pages import money, texts
from mixed_company.server.pages.guide import Row
from mixed_company.server.pages.texts import counted, periods_of
from mixed_company.server.paying import whole_ledger
from mixed_company.table.ledger import total
from mixed_company.table.pay import is_paid
from mixed_company.table.table import Table

MOST_ROWS = 8
"""Number of rows above which a table is collapsed."""


ENDED = (
    *("let_go", "released", "left", "left_lobby", "ended"),
    *("quiz_failed", "no_consent", "excluded"),
)
"""Statuses of people whose participation ended before the end of the play, each with a sentence."""


def ended(status: str, seated: bool, words: dict[str, str]) -> list[str]:
    """Return a sentence about how a person's part ended, if it ended before the end of the play."""
    name = {("released", True): "let_go", ("left", False): "left_lobby"}.get(
        (status, seated), status
    )
    return [words[name]] if name in ENDED else []


def cents(player: Any, words: dict[str, str]) -> list[dict[str, str]]:
    """Return the parts of the payment; empty if nothing is paid."""
    parts = whole_ledger(player)
    if not total(parts):
        return []
    always = ("fee", "points") if player.seat >= 0 else ("fee",)
    shown = [name for name in parts if parts[name] or name in always]
    return [{"name": words[f"pay_{name}"], "sum": money.written(parts[name])} for name in shown]


def parts(log: list[Row], seat: int, words: Words, digits: int) -> list[dict[str, str]]:
    """Return the parts that make up a person's points: reward components, summed over the person's
    periods.

    The parts include points paid after the person left. A person without points sees the parts that
    other people earned or, if nobody earned any, the first part.
    """
    rows = [row for row in texts.periods_of(log) if is_own(row, seat)]
    sums = {
        name: sum(row["components"][name][seat] for row in rows)
        for name in (rows[0]["components"] if rows else ())
    }
    earned = [name for name in sums if any(any(row["components"][name]) for row in rows)]
    shown = [name for name in sums if sums[name]] or earned or list(sums)[:1]
    return [
        {"name": words.get(name, name), "sum": texts.number(sums[name], digits)} for name in shown
    ]


def course(log: list[Row], seat: int, compared: Row) -> Row:
    """Return the points so far after each period, for the chart at the top of the page.

    person   the person's own points, without points earned by a stand-in
    others   the average of the other seats; None if the play did not show what they earned
    best     {name, points}, the best result for comparison, per seat; None if there is none

    `compared` is the `course` of the game's picture: {others: whether they were shown, best}.
    """
    rows = texts.periods_of(log)
    earned = [row["rewards"][seat] if is_own(row, seat) else 0.0 for row in rows]
    others = [
        (sum(row["rewards"]) - row["rewards"][seat]) / max(len(row["rewards"]) - 1, 1)
        for row in rows
    ]
    return {
        "person": list(accumulate(earned)),
        "others": list(accumulate(others)) if compared.get("others") else None,
        "best": compared.get("best"),
    }


def is_own(row: Row, seat: int) -> bool:
    """Return whether the person, rather than a stand-in, had the seat in a period."""
    return bool(row["seats"][seat]["occupant"] != "policy")


def tables(details: list[Row]) -> list[Row]:
    """Mark the first cell of each row as its header, and long tables as collapsed."""
    return [
        {
            **part,
            "is_long": len(part["rows"]) > MOST_ROWS,
            "rows": [{"head": row[0], "cells": row[1:]} for row in part["rows"]],
        }
        for part in details
    ]


def notes(table: Table, log: list[Row], seat: int, in_blocks: bool = False) -> list[str]:
    """Return additional sentences about the payment; `in_blocks`: the play is one of several."""
    chair, options = table.seats[seat], table.options
    lines = []
    occupants = [row["seats"][seat]["occupant"] for row in log if row["kind"] == "period"]
    if "policy" in occupants:
        lines.append(
            counted(
                "A stand-in decided for you in {standins} of {n} period. What the stand-in "
                "earned does not count.",
                "A stand-in decided for you in {standins} of {n} periods. What the stand-in "
                "earned does not count.",
                len(occupants),
                standins=occupants.count("policy"),
            )
        )
    if not is_paid(table.status(seat), seated=True):
        return lines
    won = table.replies.won(seat)
    if any(item.pay != "none" for item in options.questions):
        lines.append(
            counted(
                "Your answers to the questions earned {n} point.",
                "Your answers to the questions earned {n} points.",
                won,
            )
        )
    if options.pay_cap and chair.points + won > options.pay_cap:
        lines.append(_at_most(options.pay_cap, in_blocks))
    if chair.points + won < options.pay_floor:
        lines.append(_at_least(options.pay_floor, in_blocks))
    return lines


def _at_most(points: float, in_blocks: bool) -> str:
    if in_blocks:
        return counted(
            "This part counts as only {n} point. That is the maximum.",
            "This part counts as only {n} points. That is the maximum.",
            points,
        )
    return counted(
        "You are paid for only {n} point. That is the maximum.",
        "You are paid for only {n} points. That is the maximum.",
        points,
    )


def _at_least(points: float, in_blocks: bool) -> str:
    if in_blocks:
        return counted(
            "This part counts as {n} point. That is the minimum.",
            "This part counts as {n} points. That is the minimum.",
            points,
        )
    return counted(
        "You are paid for {n} point. That is the minimum.",
        "You are paid for {n} points. That is the minimum.",
        points,
    )


def peer_summary(game: Game[Any], log: list[Row], seat: int, digits: int) -> list[str]:
    """Describe the points that a person gave and got in the person's own periods, and their
    effects. If a game has both kinds of points, players see only the sum of the points that they
    got, so only the sum is described here.
    """
    rows = [row for row in periods_of(log) if is_own(row, seat)]
    if game.peers is None or not rows:
        return []
    kind = game.core.peer
    assigned = [points for row in rows for points in row["state"]["assigned"][seat]]
    less, more = (-sum(min(p, 0) for p in assigned), sum(max(p, 0) for p in assigned))
    counts = {"punishment": (more, 0), "reward": (0, more), "both": (less, more)}[kind]
    gave = [
        counted(*words, count)
        for words, count, unlike in zip(_gave(), counts, ("reward", "punishment"), strict=True)
        if kind != unlike
    ]
    cost = -sum(row["components"]["peer_cost"][seat] for row in rows)
    if any(counts):
        gave.append(counted("This cost you {n} point.", "This cost you {n} points.", cost, digits))
    return [" ".join(gave), " ".join(_got(kind, rows, seat, digits))]


def _gave() -> tuple[tuple[str, str], tuple[str, str]]:
    """Return the texts (singular and plural) about punishment points and reward points."""
    return (
        pair("You gave {n} punishment point.", "You gave {n} punishment points."),
        pair("You gave {n} reward point.", "You gave {n} reward points."),
    )


def _got(kind: str, rows: list[Row], seat: int, digits: int) -> list[str]:
    count = sum(row["state"]["received"][seat] for row in rows)
    change = _changed(sum(row["components"]["peer_received"][seat] for row in rows), digits)
    if kind == "both":
        return [change]
    words = pair("You got {n} punishment point.", "You got {n} punishment points.")
    if kind == "reward":
        words = pair("You got {n} reward point.", "You got {n} reward points.")
    return [counted(*words, count), *([change] if count else [])]


def _changed(change: float, digits: int) -> str:
    words = pair(
        "The points from the others earned you {n} point.",
        "The points from the others earned you {n} points.",
    )
    if change < 0:
        words = pair(
            "The points from the others cost you {n} point.",
            "The points from the others cost you {n} points.",
        )
    return counted(*words, abs(change), digits)
