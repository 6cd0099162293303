"""What the results page says of points, the same for all games."""

from __future__ import annotations

from server import texts
from server.guide import Row
from table.table import Table

__all__ = ["notes", "parts", "with_row_heads"]


def parts(log: list[Row], seat: int, words: dict[str, str], digits: int) -> list[dict[str, str]]:
    """What a person's points are made of: the parts of the reward, summed over the own periods.

    What is paid to a person who has left belongs to it.
    """
    rows = [
        row for row in log if row["kind"] == "period" and row["seats"][seat]["occupant"] != "policy"
    ]
    sums = {
        name: sum(row["components"][name][seat] for row in rows)
        for name in (rows[0]["components"] if rows else ())
    }
    shown = [name for name in sums if sums[name]] or list(sums)
    return [
        {"name": words.get(name, name), "sum": texts.number(sums[name], digits)} for name in shown
    ]


def with_row_heads(details: list[Row]) -> list[Row]:
    """The first cell of a row says whose or when it is."""
    return [
        {**part, "rows": [{"head": row[0], "cells": row[1:]} for row in part["rows"]]}
        for part in details
    ]


def notes(table: Table, log: list[Row], seat: int, words: dict[str, str]) -> list[str]:
    """What else there is to know of the payment."""
    chair, options = table.seats[seat], table.options
    lines = []
    sat = [row["seats"][seat]["occupant"] for row in log if row["kind"] == "period"]
    if "policy" in sat:
        lines.append(words["standin"].format(n=sat.count("policy"), periods=len(sat)))
    if options.pay_cap and chair.points > options.pay_cap:
        lines.append(words["capped"].format(points=f"{options.pay_cap:g}"))
    if chair.points < options.pay_floor:
        lines.append(words["raised"].format(points=f"{options.pay_floor:g}"))
    return lines
