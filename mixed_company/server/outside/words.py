"""Text for outside agents: descriptions of the game from a seat's point of view, and of each view
that the seat gets."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from typing import Any

from mixed_company.engine.contract.schema import action_schema
from mixed_company.engine.contract.space import Field
from mixed_company.language import speaking
from mixed_company.server.open.open_table import OpenTable
from mixed_company.server.pages import texts
from mixed_company.server.pages.guide import Section, guide_of
from mixed_company.server.pages.instructions import sections
from mixed_company.table import telling
from mixed_company.table.setup import Setup
from mixed_company.table.table import Table
from mixed_company.table.talk import among

_TAG = re.compile(r"<[^>]*>")


def instructions(setup: Setup) -> str:
    """Return the instructions that people read, as plain text and without the section on
    payment.
    """
    with speaking(setup.options.language):
        parts = [
            *guide_of(setup.game.id).sections(setup.game, setup.options),
            *sections(setup, "", ""),
        ]
        paid = texts.shared()["payment"]
    return "\n\n".join(_plain(part) for part in parts if part["title"] != paid)


def _plain(part: Section) -> str:
    lines = [part["title"], *part["lines"]] if part["title"] else list(part["lines"])
    lines += [": ".join([row["head"], " ".join(row["cells"])]) for row in part["table"] or []]
    return "\n".join(html.unescape(_TAG.sub("", str(line))) for line in lines)


def introduced(opened: OpenTable, seat: int) -> dict[str, Any]:
    """Return the content of the `game` message."""
    table = opened.table
    game, options = table.game, table.options
    return {
        "game": game.id,
        "seat": seat,
        "seats": game.seats,
        "periods": game.told_horizon,
        "language": options.language,
        "pace": options.pace,
        "decision_seconds": options.decision_seconds,
        "instructions": instructions(table.setup),
        "rules": telling.rules(game, seat),
        "observations": [_declared(field) for field in game.declaration.observations],
        "actions": [
            {**_declared(field), "default": field.default} for field in game.declaration.actions
        ],
        "talk": _talk(table, seat),
    }


def _declared(field: Field) -> dict[str, Any]:
    named = {"name": field.name, "meaning": field.meaning, "kind": field.kind}
    listed = field.kind == "choice" and not field.shape
    enum = list(range(int(field.low), int(field.high) + 1)) if listed else []
    more: dict[str, Any] = {"unit": field.unit, "shape": list(field.shape), "names": field.names}
    more["enum"] = enum
    return {**named, **{key: value for key, value in more.items() if value}}


def _talk(table: Table, seat: int) -> dict[str, Any] | None:
    """Return the group's talk options, or None if the group does not talk."""
    options = table.options
    if not options.talks:
        return None
    return {
        "how": options.talk,
        "when": options.talk_when,
        "seconds": options.talk_seconds,
        "length": options.talk_length,
        "per_minute": options.talk_per_minute,
        "sentences": list(options.talk_sentences),
        "can_write": among.can_write(table.game, options, seat),
        "partners": list(among.partners(table.game, options, seat)),
        "one": options.talk_with == "one",
    }


def with_words(table: Table, seat: int, message: Mapping[str, Any]) -> dict[str, Any]:
    """Return a view with its text, its task and, while the seat can decide, the schema of an
    answer.
    """
    words = {
        **message,
        "text": telling.seen(table.game, message),
        "asked": telling.asked(table.game, message),
    }
    if message["phase"] == "decide":
        words["schema"] = action_schema(table.episode.allowed(seat))
    return words
