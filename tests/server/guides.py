"""What a guide says, in forms that tests can look through."""

from __future__ import annotations

import re
from typing import Any

from table.options import Options


def told(guide: Any, core: Any, options: Options | None = None) -> str:
    """All that the instructions say, in one text."""
    parts = guide.sections(core, options or Options())
    cells = [f"{row['head']}: {' '.join(row['cells'])}" for part in parts for row in part["table"]]
    return " ".join([line for part in parts for line in part["lines"]] + cells)


def asked_of(guide: Any, core: Any) -> dict[str, Any]:
    """The questions of the quiz, by name."""
    return {each["name"]: each for each in guide.quiz(core, Options())}


def numbers(said: str) -> set[str]:
    """The numbers in a text, without signs."""
    return set(re.findall(r"\d+(?:\.\d+)?", said))
