"""Plans as files: one TOML per plan, whose name is that of the file."""

from __future__ import annotations

import re
from pathlib import Path

from pydantic import ValidationError

from mixed_company import files
from mixed_company.engine.contract.config import refusal
from mixed_company.engine.contract.errors import ConfigError, EngineError, UnknownName, nearest
from mixed_company.experiment.plan import Plan

__all__ = ["FOLDER", "find", "from_text", "names", "within"]

FOLDER = "plans"
"""The folder of the project that holds plans."""

_NAME = re.compile(r"[a-z][a-z0-9_]*")


def names(folder: Path) -> list[str]:
    """Return the names of all plans of a folder, which need not exist."""
    return sorted(path.stem for path in folder.glob("*.toml"))


def find(name: str, folder: Path) -> Plan:
    """Return a plan by its name. Raises UnknownName, ConfigError."""
    if name not in names(folder):
        raise UnknownName(f"plan {name!r}: there is none in {folder}{nearest(name, names(folder))}")
    if _NAME.fullmatch(name) is None:
        raise ConfigError(
            f"{folder / name}.toml: the name of a plan has small letters, digits and _"
        )
    path = folder / f"{name}.toml"
    try:
        text = path.read_text("utf-8")
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: is not UTF-8 text") from None
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None
    return from_text(text, str(path))


def from_text(text: str, where: str) -> Plan:
    """Return the plan that a TOML text describes; a refusal begins with `where`.

    Raises ConfigError with a line per key: key, value, rule, and the nearest right name.
    """
    try:
        content = files.toml(text)
    except ValueError as error:
        raise ConfigError(f"{where}: is no TOML: {error}{_advice(error)}") from None
    try:
        return Plan.model_validate(content)
    except ValidationError as error:
        raise within(where, refusal(error, Plan)) from None


def _advice(error: Exception) -> str:
    """Return what to do about an error whose words in TOML do not say it."""
    if not any(words in str(error) for words in ("immutable namespace", "Cannot declare")):
        return ""
    return (
        '; a table stands once: what is written in braces, such as changes = { talk = "free" }, '
        "takes no table after it: write it as a table of its own, such as [blocks.changes], with a "
        "line for each key"
    )


def within(where: str, error: EngineError) -> ConfigError:
    """Return the same refusal, in which each line says where it is."""
    return ConfigError("\n".join(f"{where}: {line}" for line in str(error).split("\n")))
