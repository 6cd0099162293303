"""A page that needs no other file and no network."""

from __future__ import annotations

import re
from pathlib import Path

__all__ = ["standing_alone"]


def standing_alone(template: Path, **parts: str) -> str:
    """The text of an HTML file, its gaps filled: `parts` by the names of their gaps, `__TITLE__`.

    In `__STYLE__` and `__SCRIPT__` stand the files beside it that are called like it, `.css` and
    `.js`. Raises OSError; KeyError for a gap that nothing fills.
    """
    beside = {"STYLE": ".css", "SCRIPT": ".js"}
    own = {gap: _text(template.with_suffix(suffix)) for gap, suffix in beside.items()}
    return re.sub(r"__([A-Z]+)__", lambda gap: (own | parts)[gap[1]], _text(template))


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8")
