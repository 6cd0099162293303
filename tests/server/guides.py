"""The text of guides, in a form that tests can search."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

from mixed_company import engine
from mixed_company.server.pages import choosing, talking, wording
from mixed_company.table.options import Options


def game_of(core: Any) -> engine.Game[Any]:
    """Make the game with these parameters, without layers and roles."""
    game_id = type(core).__module__.split(".")[3]
    return engine.make(game_id, **core.model_dump())


def told(guide: Any, core: Any, options: Options | None = None) -> str:
    """Return the instructions of a game with these parameters as one text."""
    return text_of(guide.sections(game_of(core), options or Options()))


def text_of(parts: list[dict[str, Any]]) -> str:
    """Return sections as one text, with tables row by row."""
    cells = [f"{row['head']}: {' '.join(row['cells'])}" for part in parts for row in part["table"]]
    return " ".join([line for part in parts for line in part["lines"]] + cells)


def asked_of(guide: Any, core: Any) -> dict[str, Any]:
    """Return the questions of the quiz by name."""
    return {question["name"]: question for question in guide.quiz(game_of(core), Options())}


def in_all_forms(words: dict[str, Any]) -> dict[str, str]:
    """Return the words of a page, joining all plural forms of a word."""
    return {
        name: " ".join(word.values()) if isinstance(word, dict) else word
        for name, word in words.items()
    }


def numbers(text: str) -> set[str]:
    """Return the numbers in a text, without signs."""
    return set(re.findall(r"\d+(?:\.\d+)?", text))


OTHER_PAGES = ("lobby.js", "quiz.js", "screens.js", "questionnaire.js")
"""The scripts of all pages except the play page."""


def page_words() -> dict[str, Any]:
    """Return the words of the play page that all games share, including those for talk and
    votes."""
    votes: Any = SimpleNamespace(rules={"pool": {}}, options=SimpleNamespace(rules_tie="first"))
    return {**wording.play(), **choosing.words(votes), **talking.words()}
