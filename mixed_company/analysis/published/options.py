"""Differences between a treatment and the published studies that are not parameters of its game.

In every study with published numbers here, all seats belonged to people, who could not write to
each other or vote on rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from mixed_company.analysis.data import GROUP, Data
from mixed_company.analysis.kept import keys_of
from mixed_company.analysis.measures.plays import by_people
from mixed_company.analysis.treatments import described
from mixed_company.experiment.comparisons import counted


def differences(data: Data, treatment: str, periods: int) -> Iterator[str]:
    """Yield sentences about bots, empty seats and missed decisions in the first `periods` periods,
    talk, votes on rules, and questions between decisions."""
    rows = data.config[(data.groups["treatment"].astype(str) == treatment).to_numpy()]
    groups = keys_of(rows)
    in_groups = pd.MultiIndex.from_frame(data.decisions[GROUP]).isin(groups)
    played = data.decisions[in_groups & (data.decisions["period"] < periods)]
    yield from _of_seats(treatment, played, len(groups))
    people = played[played["occupant"] == "person"]
    missed = (people["decided_by"] == "default") & ~by_people(people, rows)
    if missed.any():
        yield (
            f"{treatment}: people missed {missed.sum()} of {counted(len(people), 'decision')}; the "
            f"means include the defaults that were played instead"
        )
    texts = rows.get("options", ())
    for options in (described(text) or {} for text in dict.fromkeys(texts)):
        yield from _of_options(treatment, options)


def _of_seats(treatment: str, played: pd.DataFrame, groups: int) -> Iterator[str]:
    """Yield sentences about groups in which bots have seats, and groups with empty seats."""
    bots, empty = (
        len(keys_of(played[played["occupant"] == occupant])) for occupant in ("policy", "nobody")
    )
    if bots:
        yield (
            f"{treatment}: bots play in {bots} of {counted(groups, 'group')} and are included in "
            f"the means, but only people played in the study"
        )
    if empty:
        yield (
            f"{treatment}: in {empty} of {counted(groups, 'group')}, a seat is empty after a "
            f"person left; later means of these groups cover only the other seats"
        )


def _of_options(treatment: str, options: dict[str, Any]) -> Iterator[str]:
    talk, rules = options.get("talk", "off"), options.get("rules")
    if talk != "off":
        yield f"{treatment}: talk = {talk}, but off in the study"
    if isinstance(rules, dict) and rules:
        yield f"{treatment}: groups vote on rules ({', '.join(rules)}), but not in the study"
    names = [str(item.get("name")) for item in _questions(options) if not item.get("when")]
    if names:
        yield (
            f"{treatment}: people answer questions between decisions ({', '.join(names)}), which "
            f"can affect their decisions"
        )


def _questions(options: dict[str, Any]) -> list[dict[str, Any]]:
    items = options.get("questions")
    return [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []
