"""Differences between a treatment and the published studies that are not parameters of its game.

In every study with published numbers here, all seats belonged to people, who could not write to
each other or vote on rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mixed_company.analysis.data import Data
from mixed_company.analysis.kept import keys_of
from mixed_company.analysis.treatments import described


def differences(data: Data, treatment: str) -> Iterator[str]:
    """Yield sentences about bots, talk, votes on rules, and questions between decisions."""
    rows = data.config[(data.groups["treatment"].astype(str) == treatment).to_numpy()]
    groups = set(keys_of(rows))
    with_bots = groups & set(keys_of(data.seats[data.seats["occupant"] == "policy"]))
    if with_bots:
        yield (
            f"{treatment}: bots play in {len(with_bots)} of {len(groups)} groups and are included "
            f"in the means, but only people played in the study"
        )
    texts = rows.get("options", ())
    for options in (described(text) or {} for text in dict.fromkeys(texts)):
        yield from _of_options(treatment, options)


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
