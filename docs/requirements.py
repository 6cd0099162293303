"""Prints requirements.txt, which hosts read: `python -m docs.requirements > requirements.txt`."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

__all__ = ["declared", "pins", "requirements"]

ROOT = Path(__file__).resolve().parents[1]
EXTRA = "server"
HEAD = (
    "# What a server needs. Written by `make docs` from pyproject.toml; change the versions there."
)
_OWN = re.compile(r"mixed-company\[(?P<extras>[\w,]+)\]")


def declared() -> dict[str, Any]:
    """The section `project` of pyproject.toml."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    project: dict[str, Any] = tomllib.loads(text)["project"]
    return project


def pins(*extras: str) -> list[str]:
    """What an installation with these extras asks for: `name==version`, each once, in order."""
    project = declared()
    lines = dict.fromkeys(project["dependencies"])
    waiting = list(extras)
    while waiting:
        for line in project["optional-dependencies"][waiting.pop(0)]:
            own = _OWN.fullmatch(line)
            waiting += own["extras"].split(",") if own else []
            lines |= {} if own else {line: None}
    return list(lines)


def requirements() -> str:
    """The text of requirements.txt."""
    return "\n".join([HEAD, *pins(EXTRA), ""])


if __name__ == "__main__":
    print(requirements(), end="")
