"""Plan files: one TOML file per plan, named after the plan."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from mixed_company import files
from mixed_company.engine.contract.config import refusal
from mixed_company.engine.contract.errors import (
    ConfigError,
    EngineError,
    UnknownName,
    nearest,
    short,
)
from mixed_company.experiment.hypothesis import Hypothesis
from mixed_company.experiment.plan import Plan, Treatment, misplaced

FOLDER = "plans"
"""Folder of the project that contains plans."""

_NAME = re.compile(r"[a-z][a-z0-9_]*")


def names(folder: Path) -> list[str]:
    """Return the names of all plans in a folder; empty if the folder does not exist."""
    return sorted(path.stem for path in folder.glob("*.toml"))


def find(name: str, folder: Path) -> Plan:
    """Return a plan by name. Raises UnknownName, ConfigError."""
    if name not in names(folder):
        raise UnknownName(f"plan {name!r}: no such plan in {folder}{nearest(name, names(folder))}")
    if _NAME.fullmatch(name) is None:
        raise ConfigError(
            f"{folder / name}.toml: a plan's name may contain only lower-case letters, digits and _"
        )
    path = folder / f"{name}.toml"
    try:
        text = path.read_text("utf-8")
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: not UTF-8 text") from None
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None
    return from_text(text, str(path))


def from_text(text: str, where: str) -> Plan:
    """Return the plan that a TOML string describes.

    Raises ConfigError with a line per faulty key: `where`, key, value, rule, and the nearest valid
    name.
    """
    try:
        content = files.toml(text)
    except ValueError as error:
        raise ConfigError(f"{where}: not TOML: {error}{_advice(error)}") from None
    lines = list(_misplaced(content))
    if lines:
        raise within(where, ConfigError("\n".join(lines)))
    try:
        return Plan.model_validate(content)
    except ValidationError as error:
        raise within(where, refusal(error, Plan)) from None


def _misplaced(content: Mapping[str, Any]) -> Iterator[str]:
    """Yield an error for each key of the plan that was written inside the table of a treatment or
    hypothesis.

    In TOML, every line after a table's header belongs to that table.
    """
    for kind, section in (("treatments", Treatment), ("hypotheses", Hypothesis)):
        tables = content.get(kind)
        for name, table in tables.items() if isinstance(tables, dict) else ():
            for key in table if isinstance(table, dict) else ():
                hint = "" if key in section.model_fields else misplaced(key)
                if hint:
                    yield f"{kind}.{name}.{key} = {short(table[key])}: unknown key{hint}"


def _advice(error: Exception) -> str:
    """Return advice about an error that the TOML parser explains badly; empty for other errors."""
    if not any(words in str(error) for words in ("immutable namespace", "Cannot declare")):
        return ""
    return (
        '; a table can be defined only once: after braces, such as changes = { talk = "free" }, no '
        "other table can extend it; write a separate table, such as [blocks.changes], with a line "
        "for each key"
    )


def within(where: str, error: EngineError) -> ConfigError:
    """Return the error with `where` at the start of each line."""
    return ConfigError("\n".join(f"{where}: {line}" for line in str(error).split("\n")))
