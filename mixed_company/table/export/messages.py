"""The `messages` table of an export, with one row per message."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from mixed_company.table.export.column import Column, Personal

_OF_PLAY = "milliseconds since 1970-01-01 UTC, on the play's clock"

Entry = Mapping[str, Any]


def message_columns() -> list[Column]:
    """Return a message's columns after session, group, period, times and author."""
    return [
        Column("to", "whole", "seat it was sent to; empty: everyone it could reach"),
        Column("text", "text", "text of the message", personal=Personal.TEXT),
        Column(
            "sentence",
            "whole",
            "position of the sentence in talk_sentences, from 0; empty: freely worded",
        ),
        Column(
            "blocked",
            "flag",
            "whether it contained a word from talk_blocklist and so reached nobody",
        ),
        Column("reported_by", "text", "the seats whose people reported it, separated by spaces"),
    ]


def message_rows(log: Iterable[Entry]) -> Iterator[dict[str, Any]]:
    """Yield a journal's rows, without the columns that all rows of a group share."""
    entries = [entry for entry in log if entry["kind"] in ("message", "report")]
    reported: dict[int, list[int]] = {}
    for entry in entries:
        if entry["kind"] == "report":
            reported.setdefault(entry["message"], []).append(entry["seat"])
    for entry in entries:
        if entry["kind"] == "message":
            yield {
                **{key: entry[key] for key in ("number", "period", "at_ms", "seat", "occupant")},
                "policy_id": entry["policy_id"] or "",
                "to": "" if entry["to"] is None else entry["to"],
                "text": entry["text"],
                "sentence": "" if entry["sentence"] is None else entry["sentence"],
                "blocked": entry["blocked"],
                "reported_by": " ".join(map(str, sorted(reported.get(entry["number"], [])))),
            }
