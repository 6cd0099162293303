"""Libraries that the project requires.

Version ranges for users are in pyproject.toml; exact versions for servers and tests are in the
files EXACT.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

__all__ = ["EXACT", "declared", "exact", "pins", "ranges"]

ROOT = Path(__file__).resolve().parents[1]
EXACT = ("requirements.txt", "tests/constraints-alone.txt", "tests/constraints.txt")
"""Files with exact versions: for a server, for other libraries of the tests, and those that oTree
requires."""
_OURSELVES = re.compile(r"mixed-company\[(?P<extras>[\w,]+)\]")
_NAME = re.compile(r"[\w.-]+")


def declared() -> dict[str, Any]:
    """Return the section `project` of pyproject.toml."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    project: dict[str, Any] = tomllib.loads(text)["project"]
    return project


def ranges(*extras: str) -> dict[str, str]:
    """Return library -> version range, such as `>=2.1,<3`, for an installation with these
    extras."""
    project = declared()
    lines: list[str] = list(project["dependencies"])
    waiting = list(extras)
    while waiting:
        for line in project["optional-dependencies"][waiting.pop(0)]:
            taken_in = _OURSELVES.fullmatch(line)
            waiting += taken_in["extras"].split(",") if taken_in else []
            lines += [] if taken_in else [line]
    names = [_named(line) for line in lines]
    return {name: line.removeprefix(name) for name, line in zip(names, lines, strict=True)}


def exact() -> dict[str, str]:
    """Return library -> exact version that servers install and tests use."""
    lines = [line for file in EXACT for line in (ROOT / file).read_text("utf-8").splitlines()]
    return dict(line.split("==") for line in lines if "==" in line)


def pins(*extras: str) -> list[str]:
    """Return `name==version` for every library of an installation with these extras."""
    versions = exact()
    return [f"{name}=={versions[name]}" for name in ranges(*extras)]


def _named(line: str) -> str:
    name = _NAME.match(line)
    if name is None:
        raise ValueError(f"pyproject.toml, {line!r}: does not start with the name of a library")
    return name[0]
