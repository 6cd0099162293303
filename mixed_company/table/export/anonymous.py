"""Exports without personal data: codes replace people, and texts that people wrote are left out.

    with Writer(file, about, Anonymous(key)) as archive:
        archive.table("commons_game", "outcomes", columns, rows)

Each column declares whether it is personal (`Column.personal`). A code is derived from a value and
a key. The same value gets the same code in all tables and columns, and in all exports made with
that key, so a person can be recognised across sessions. Without the key, nobody can trace a code
back to a person. An empty value stays empty. An omitted value is written as `LEFT_OUT`, to
distinguish it from an empty one.
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

LEFT_OUT = "[left out]"
_BYTES = 10
_CODE = re.compile(r"k[a-z2-7]{16}")
"""Pattern of a code. It begins with a letter, so spreadsheets do not mistake it for a number."""

_FAULTS = ("policy_fault", "talk_fault")
"""Events whose `detail` is a policy's error message, which can repeat what people wrote."""

_IN_ENTRIES = ("text", "value", "fault")
"""Keys of journal entries that contain what people wrote, or policies' error messages."""

CODED = (Personal.CODE, Personal.PARAMETERS)
"""Kinds that identify a person; the other kinds mark what the person wrote."""


@dataclass(frozen=True)
class Anonymous:
    """Replacement and removal of personal data.

    key       key that codes are derived from
    lasting   whether the server's other exports use the same key; if not, codes are valid only in
              one file
    texts     whether to keep what people wrote
    """

    key: bytes
    lasting: bool = True
    texts: bool = False

    def code(self, value: str) -> str:
        """Return the code of a value: 80 bits, in letters and digits."""
        if not value:
            return ""
        digest = hmac.digest(self.key, value.encode(), hashlib.sha256)
        return f"k{base64.b32encode(digest[:_BYTES]).decode().lower()}"

    def rows(
        self, columns: Mapping[str, Column], rows: Iterable[Mapping[str, Any]]
    ) -> Iterable[Mapping[str, Any]]:
        """Yield a table's rows without personal data, given their columns."""
        personal = {name: kind for name in columns if (kind := self._kind(columns[name]))}
        for row in rows:
            present = {name: kind for name, kind in personal.items() if row.get(name)}
            changes = {name: _changed(kind, row, name, self.code) for name, kind in present.items()}
            yield {**row, **changes}

    def columns(self, columns: Iterable[Column]) -> list[Column]:
        """Return the columns; the meanings of changed columns say how they were changed."""
        return [
            replace(column, meaning=f"{column.meaning}; {kind.value}") if kind else column
            for column in columns
            for kind in [self._kind(column)]
        ]

    def described(self, tables: Mapping[str, Mapping[str, Column]]) -> dict[str, Any]:
        """Return the manifest entries that say what was changed; `tables` has the tables and their
        columns."""
        kinds = {
            f"{table}.{name}": kind
            for table, columns in tables.items()
            for name, column in columns.items()
            if (kind := self._kind(column))
        }
        return {
            "anonymous": True,
            "replaced": [name for name, kind in kinds.items() if kind in CODED],
            "left_out": [name for name, kind in kinds.items() if kind not in CODED],
            "codes": "of this server" if self.lasting else "of this file",
        }

    def _kind(self, column: Column) -> Personal | None:
        """Return how a column is changed, or None if it is unchanged."""
        return None if self.texts and column.personal not in CODED else column.personal


def is_anonymous(column: Column, row: Mapping[str, Any]) -> bool:
    """Return whether the value in a personal column is a code, empty or left out."""
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
    """Return the replacement for a value; `code` replaces a string."""
    value = str(row[name])
    match kind:
        case Personal.CODE:
            return code(value)
        case Personal.PARAMETERS:
            return _through(value, lambda _, text: code(text))
        case Personal.WORDS:
            words = ("text", "detail") if row.get("event") in _FAULTS else ("text",)
            return _through(value, lambda key, text: LEFT_OUT if key in words else text)
        case Personal.ENTRY:
            event = _event_in(value)
            words = (*_IN_ENTRIES, *(("detail",) if event in _FAULTS else ()))
            return _through(value, lambda key, text: LEFT_OUT if key in words else text)
        case Personal.ANSWER if row.get("type", "text") != "text":
            return row[name]
    return LEFT_OUT


def _event_in(entry: str) -> Any:
    """Return the kind of event in a journal entry; None if there is none."""
    try:
        content = json.loads(entry)
    except (ValueError, RecursionError):
        return None
    return content.get("event") if isinstance(content, dict) else None


def _through(text: str, change: Callable[[str, str], str]) -> str:
    """Return the JSON text after replacing every string with `change(key, string)`. Text that is
    not JSON is left out, because anything could be in it."""

    def changed(key: str, value: Any) -> Any:
        if isinstance(value, dict):
            return {name: changed(name, part) for name, part in value.items()}
        if isinstance(value, list):
            return [changed(key, part) for part in value]
        return change(key, value) if isinstance(value, str) else value

    try:
        return json.dumps(changed("", json.loads(text)))
    except (ValueError, RecursionError):
        return LEFT_OUT
