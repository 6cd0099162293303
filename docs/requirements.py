"""Libraries that the project needs.

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
"""Files with exact versions: for a server, for other libraries that the tests use, and for those
that oTree requires."""
_OURSELVES = re.compile(r"mixed-company\[(?P<extras>[\w,]+)\]")
_LINE = re.compile(r"(?P<name>[\w.-]+)(?:\[[\w,]+\])?(?P<range>.*)")


def declared() -> dict[str, Any]:
    """Return the `project` section of pyproject.toml."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    project: dict[str, Any] = tomllib.loads(text)["project"]
    return project


def ranges(*extras: str) -> dict[str, str]:
    """Return {library: version range}, such as `>=2.1,<3`, for an installation with these
    extras."""
    project = declared()
    lines: list[str] = list(project["dependencies"])
    waiting = list(extras)
    while waiting:
        for line in project["optional-dependencies"][waiting.pop(0)]:
            taken_in = _OURSELVES.fullmatch(line)
            waiting += taken_in["extras"].split(",") if taken_in else []
            lines += [] if taken_in else [line]
    return dict(map(_parsed, lines))


def exact() -> dict[str, str]:
    """Return {library: exact version} for servers and tests."""
    lines = [line for file in EXACT for line in (ROOT / file).read_text("utf-8").splitlines()]
    return dict(line.split("==") for line in lines if "==" in line)


def pins(*extras: str) -> list[str]:
    """Return `name==version` for every library of an installation with these extras."""
    versions = exact()
    return [f"{name}=={versions[name]}" for name in ranges(*extras)]


def _parsed(line: str) -> tuple[str, str]:
    """Return the library and version range on a line, without the library's extras."""
    parts = _LINE.fullmatch(line)
    if parts is None:
        raise ValueError(f"{line!r}: should begin with the name of a library")
    return parts["name"], parts["range"]
