"""An export without personal data: people are codes in it, and what they wrote is left out.

    with Writer(file, about, Anonymous(key)) as archive:
        archive.table("commons_game", "outcomes", columns, rows)

Which columns are personal is declared with the columns (`Column.personal`). A code is drawn from a
value by a key: the same value has the same code in all tables and columns, and in all exports with
that key, so that a person can be matched across sessions; without the key nobody can try out whose
code it is. An empty value stays empty. What was left out stands as `LEFT_OUT`, which tells it from
what was never there.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from mixed_company.table.export.column import Column, Personal

__all__ = ["CODED", "LEFT_OUT", "Anonymous", "is_anonymous"]

LEFT_OUT = "[left out]"
_BYTES = 10
_CODE = re.compile(r"k[a-z2-7]{16}")
"""A letter comes first: no spreadsheet takes a code for a number."""

_FAULTS = ("policy_fault", "talk_fault")
"""The events whose `detail` is what a policy broke with: it can repeat what people wrote."""

_IN_ENTRIES = ("text", "value", "fault")
"""What people wrote, or what a policy broke with, stands in entries of the journal as these."""

CODED = (Personal.CODE, Personal.PARAMETERS)
"""What says who somebody is; the rest is what he or she wrote."""


@dataclass(frozen=True)
class Anonymous:
    """Replaces and leaves out.

    key       what codes are drawn by
    lasting   do other exports of the server have the same key? Else codes are of one file
    texts     is what people wrote kept?
    """

    key: bytes
    lasting: bool = True
    texts: bool = False

    def code(self, value: str) -> str:
        """The code of a value: 80 bits, in letters and digits."""
        if not value:
            return ""
        digest = hmac.digest(self.key, value.encode(), hashlib.sha256)
        return f"k{base64.b32encode(digest[:_BYTES]).decode().lower()}"

    def rows(
        self, columns: Mapping[str, Column], rows: Iterable[Mapping[str, Any]]
    ) -> Iterable[Mapping[str, Any]]:
        """The same rows of a table with these columns, made anonymous."""
        personal = {name: kind for name in columns if (kind := self._kind(columns[name]))}
        for row in rows:
            own = {name: kind for name, kind in personal.items() if row.get(name)}
            changes = {name: _changed(kind, row, name, self.code) for name, kind in own.items()}
            yield {**row, **changes}

    def columns(self, columns: Iterable[Column]) -> list[Column]:
        """The same columns; the meaning of those that are changed says how."""
        return [
            replace(column, meaning=f"{column.meaning}; {kind.value}") if kind else column
            for column in columns
            for kind in [self._kind(column)]
        ]

    def described(self, tables: Mapping[str, Mapping[str, Column]]) -> dict[str, Any]:
        """What a manifest says of it; `tables` are those of the export, with their columns."""
        own = {
            f"{table}.{name}": kind
            for table, columns in tables.items()
            for name, column in columns.items()
            if (kind := self._kind(column))
        }
        return {
            "anonymous": True,
            "replaced": [name for name, kind in own.items() if kind in CODED],
            "left_out": [name for name, kind in own.items() if kind not in CODED],
            "codes": "of this server" if self.lasting else "of this file",
        }

    def _kind(self, column: Column) -> Personal | None:
        """What becomes of a column; None: it stays."""
        return None if self.texts and column.personal not in CODED else column.personal


def is_anonymous(column: Column, row: Mapping[str, Any]) -> bool:
    """Is what a row has in a personal column a code, or left out? Nothing at all is."""
    if column.personal is None or not row[column.name]:
        return True
    try:
        should = _changed(column.personal, row, column.name, _same_code)
    except (ValueError, RecursionError):
        return False
    return bool(should == row[column.name])


def _same_code(value: str) -> str:
    return value if not value or _CODE.fullmatch(value) else LEFT_OUT


def _changed(kind: Personal, row: Mapping[str, Any], name: str, code: Callable[[str], str]) -> Any:
    """What stands in place of a value; `code` gives that of a text."""
    value = str(row[name])
    match kind:
        case Personal.CODE:
            return code(value)
        case Personal.PARAMETERS:
            return _through(value, lambda _, own: code(own))
        case Personal.WORDS:
            words = ("text", "detail") if row.get("event") in _FAULTS else ("text",)
            return _through(value, lambda key, own: LEFT_OUT if key in words else own)
        case Personal.ENTRY:
            event = json.loads(value).get("event")
            words = (*_IN_ENTRIES, *(("detail",) if event in _FAULTS else ()))
            return _through(value, lambda key, own: LEFT_OUT if key in words else own)
        case Personal.ANSWER if row.get("type", "text") != "text":
            return row[name]
    return LEFT_OUT


def _through(text: str, change: Callable[[str, str], str]) -> str:
    """The same JSON with every text in it changed, by the key it stands under."""

    def changed(key: str, value: Any) -> Any:
        if isinstance(value, dict):
            return {name: changed(name, own) for name, own in value.items()}
        if isinstance(value, list):
            return [changed(key, own) for own in value]
        return change(key, value) if isinstance(value, str) else value

    return json.dumps(changed("", json.loads(text)))
