"""Is every row there, once, and in its place?

Rows are ordered by group, in the order of `config`, then by period, seat and partner.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

import numpy as np

from mixed_company.analysis.audit.rows import Findings, Rows, named

__all__ = ["by_group", "in_order"]

GroupKey = tuple[str, int]
Key = tuple[Any, ...]


def by_group(
    rows: Rows, groups: Sequence[GroupKey], findings: Findings, ordered: bool = True
) -> dict[GroupKey, list[int]]:
    """The places in `rows` of each group's. Names rows of groups that `config` does not have; and,
    if the table is ordered by group, rows that do not stand with theirs."""
    rank = {key: at for at, key in enumerate(groups)}
    keys = rows.keys(("session", "group"))
    places: dict[Key, list[int]] = {}
    for at, key in enumerate(keys):
        if key[1] != "":  # of a person who never had a group
            places.setdefault(key, []).append(at)
    for key in [key for key in places if key not in rank]:
        own = places.pop(key)
        what = f"config has no group {key[1]} of session {key[0]}; rows: {len(own)}"
        findings.tell(rows.table, rows.numbers[own[0]], what)
    ranks = np.array([rank.get(key, -1) for key in keys], dtype="int64")
    known = np.flatnonzero(ranks >= 0)
    wrong = known[ranks[known] != np.sort(ranks[known])].tolist()
    if ordered and wrong:
        what = f"group {keys[wrong[0]][1]} of session {keys[wrong[0]][0]} does not stand here: "
        findings.tell(
            rows.table,
            rows.numbers[wrong[0]],
            f"{what}groups are in the order of config; rows that are not: {len(wrong)}",
        )
    return places


def in_order(
    rows: Rows, names: Sequence[str], should: Mapping[Key, int], findings: Findings
) -> Rows:
    """The rows in their order, each once; `should` are all keys with their place in it.

    Names rows that are missing, doubled, out of their place, or of no period or seat there is.
    """
    first: dict[Key, int] = {}
    for at, key in enumerate(rows.keys(names)):
        if key not in should:
            findings.tell(
                rows.table, rows.numbers[at], f"{named(names, key)}: there is no such row"
            )
        elif key in first:
            line = rows.numbers[first[key]] + 2
            what = f"{named(names, key)}: is there twice, for the first time in line {line}"
            findings.tell(rows.table, rows.numbers[at], what)
        else:
            first[key] = at
    _missing(rows, names, [key for key in should if key not in first], findings)
    ordered = sorted(first, key=lambda key: should[key])
    if ordered != list(first):
        moved = [(actual, key) for actual, key in zip(first, ordered, strict=True) if actual != key]
        actual, key = moved[0]
        what = f"{named(names, actual)}: stands where {named(names, key)} should"
        more = f"; rows that are not in their place: {len(moved)}"
        findings.tell(rows.table, rows.numbers[first[actual]], what + more)
    return rows.take([first[key] for key in ordered])


def _missing(rows: Rows, names: Sequence[str], keys: Sequence[Key], findings: Findings) -> None:
    """One sentence per period from which rows are missing."""
    for period, own in groupby(keys, key=lambda key: key[0]):
        rest = [named(names[1:], key[1:]) for key in own]
        which = f"; {'; '.join(rest)}" if rest != [""] else ""
        findings.tell(rows.table, None, f"missing: period {period}{which}")
