"""The rooms of settings.py: what oTree does not take as a label leaves a room without a page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from mixed_company.server.preflight.finding import Finding, go, stop

__all__ = ["of_rooms"]

_LABEL = re.compile(r"[a-zA-Z0-9_]+")


def of_rooms(rooms: Iterable[Mapping[str, Any]]) -> Iterator[Finding]:
    """ROOMS of the settings: of each room with a file of labels, can it be used?"""
    for room in rooms:
        file = room.get("participant_label_file")
        if file:
            yield _labels(room["name"], Path(file))


def _labels(room: str, file: Path) -> Finding:
    try:
        labels = file.read_text(encoding="utf-8").split()
    except (OSError, UnicodeDecodeError) as error:
        return stop(f"Room {room}: its file of labels cannot be read: {error}.")
    wrong = next((label for label in labels if not _LABEL.fullmatch(label)), None)
    if wrong is not None:
        return stop(
            f"Room {room}: {file} has the label {wrong!r}: labels are letters without accents, "
            "digits and _."
        )
    if not labels:
        return stop(f"Room {room}: {file} has no label: nobody is let in.")
    return go(
        f"Room {room} is for the {len(labels)} labels of {file}. A label alone brings back to its "
        "seat, unless return_by_label of the session is never."
    )
