"""Sentences about imported data, for command output and reports."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mixed_company.files import one_line


def provenance(manifest: Mapping[str, Any]) -> str:
    """Return a sentence about the source of imported data and about its payoffs; empty if the
    manifest has no imported session."""
    entries = manifest.get("sessions", {})
    sessions = [code for code, entry in entries.items() if "imported" in entry]
    if not sessions:
        return ""
    part = "" if len(sessions) == len(entries) else f" ({len(sessions)} of {len(entries)} sessions)"
    source, license = (_quoted(str(manifest.get(key, ""))) for key in ("citation", "license"))
    sentences = [
        f"Imported from a table of another experiment{part}",
        f": {source}." if source else ".",
        f" License: {license}." if license else "",
        f" This engine computed the points from the actions; {_payoffs(manifest)}",
        " Nothing here is confirmatory.",
    ]
    return "".join(sentences)


def _quoted(text: str) -> str:
    """Return a text from the file in quotation marks, to show that it is quoted; empty if the text
    is empty.
    """
    words = one_line(text.rstrip(".")).replace('"', "'")
    return f'"{words}"' if words else ""


def _payoffs(manifest: Mapping[str, Any]) -> str:
    """Return a clause that says whether the table's payoffs match the points."""
    counts = manifest.get("imported", {}).get("payoffs", {})
    compared, differing = counts.get("compared", 0), counts.get("differing", 0)
    if not compared:
        return "none of the table's payoffs were compared with them."
    if not differing:
        return f"all {compared} payoffs in the table match them."
    return (
        f"{differing} of {compared} payoffs in the table differ from them, so the map or the "
        f"configuration may be wrong."
    )
