"""Sections as stored in the database: checked, then written as JSON with a digest.

    text = stored(setup)
    setup = restored(Setup, text)

Text stored by this code is not validated again, because its digest shows that nobody has changed it
since. Text stored by another release is validated like a new session.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from mixed_company.engine.contract.config import Section, refusal
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.table.export.archive import code_hash

SectionT = TypeVar("SectionT", bound=Section)

_RECORD = "stored"
"""Key, next to the fields, that holds their digest and the hash of the code that checked them.

Older releases did not write it.
"""

_PACKAGE = Path(__file__).resolve().parents[1]


def stored(section: Section) -> str:
    """Return the JSON text of a section that this code has checked, with its digest."""
    data = section.model_dump(mode="json")
    record = {"code": _code(), "digest": digest_of(data)}
    return json.dumps({**data, _RECORD: record})


def restored(kind: type[SectionT], text: str) -> SectionT:
    """Return the section that `stored` wrote as this text.

    Raises ConfigError if the text was changed after it was stored, or is not valid.
    """
    name = f"stored {kind.__name__.lower()}"
    try:
        data = json.loads(text)
        record = data.pop(_RECORD, None)
        changed = record is not None and record["digest"] != digest_of(data)
    except (ValueError, RecursionError, AttributeError, TypeError, KeyError) as error:
        raise ConfigError(f"{name}: cannot be read: {error}") from None
    if record is not None and not changed and record.get("code") == _code():
        return kind.trusted(data)
    problems = []
    if changed:
        problems.append(f"{name}: changed after it was stored: its digest differs")
    try:
        section = kind.model_validate(data)
    except ValidationError as error:
        problems.append(str(refusal(error, kind, name)))
    if problems:
        raise ConfigError("\n".join(problems))
    return section


def digest_of(content: Any) -> str:
    """Return the sha256 of JSON content, independent of the order of its keys."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


@cache
def _code() -> str:
    """Return the hash of the code that checks a setup."""
    return code_hash(_PACKAGE / "engine", _PACKAGE / "table")
