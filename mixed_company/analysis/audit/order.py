"""Check that every row of a table is present exactly once and in the right place.

Rows are ordered by group, in the order of `config`, then by period, seat and partner.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

import numpy as np

from mixed_company.analysis.audit.rows import Findings, Rows, named

GroupKey = tuple[str, int]
Key = tuple[Any, ...]


def by_group(
    rows: Rows, groups: Sequence[GroupKey], findings: Findings, ordered: bool = True
) -> dict[GroupKey, list[int]]:
    """Return the positions of every group's rows.

    Report rows of groups that are not in `config` and, if the table is ordered by group, rows in
    the wrong place.
    """
    rank = {key: place for place, key in enumerate(groups)}
    places = rows.places(("session", "group"))
    for key in [key for key in places if key not in rank]:
        orphans = places.pop(key)
        message = f"config has no group {key[1]} of session {key[0]}; rows: {len(orphans)}"
        findings.tell(rows.table, rows.numbers[orphans[0]], message)
    ranks = np.full(len(rows), -1)
    for key, of_group in places.items():
        ranks[of_group] = rank[key]
    listed = np.flatnonzero(ranks >= 0)
    wrong = listed[ranks[listed] != np.sort(ranks[listed])].tolist()
    if ordered and wrong:
        session, group = groups[ranks[wrong[0]]]
        message = f"group {group} of session {session} is out of place: "
        findings.tell(
            rows.table,
            rows.numbers[wrong[0]],
            f"{message}groups should be in the order of config; rows out of order: {len(wrong)}",
        )
    return places


def in_order(
    rows: Rows, names: Sequence[str], should: Mapping[Key, int], findings: Findings
) -> Rows:
    """Return the rows in order, without duplicates; `should` maps each key to its position.

    Report rows that are missing, duplicated or in the wrong place, and rows of a period or seat
    that does not exist.
    """
    first: dict[Key, int] = {}
    for place, key in enumerate(rows.keys(names)):
        if key not in should:
            findings.tell(
                rows.table, rows.numbers[place], f"{named(names, key)}: this row should not exist"
            )
        elif key in first:
            line = rows.numbers[first[key]] + 2
            message = f"{named(names, key)}: appears twice, first on line {line}"
            findings.tell(rows.table, rows.numbers[place], message)
        else:
            first[key] = place
    _missing(rows, names, [key for key in should if key not in first], findings)
    ordered = sorted(first, key=lambda key: should[key])
    if ordered != list(first):
        moved = [(actual, key) for actual, key in zip(first, ordered, strict=True) if actual != key]
        actual, key = moved[0]
        message = f"{named(names, actual)}: is where {named(names, key)} should be"
        more = f"; rows out of place: {len(moved)}"
        findings.tell(rows.table, rows.numbers[first[actual]], message + more)
    return rows.take([first[key] for key in ordered])


def _missing(rows: Rows, names: Sequence[str], keys: Sequence[Key], findings: Findings) -> None:
    """Report the missing rows, in one sentence per period."""
    for period, group in groupby(keys, key=lambda key: key[0]):
        rest = [named(names[1:], key[1:]) for key in group]
        which = f"; {'; '.join(rest)}" if rest != [""] else ""
        findings.tell(rows.table, None, f"missing: period {period}{which}")
