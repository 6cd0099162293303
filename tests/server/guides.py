"""What a guide says, in forms that tests can look through."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

from mixed_company import engine
from mixed_company.server.pages import choosing, talking, wording
from mixed_company.table.options import Options


def game_of(core: Any) -> engine.Game[Any]:
    """The game with these numbers, without layers and roles."""
    game_id = type(core).__module__.split(".")[3]
    return engine.make(game_id, **core.model_dump())


def told(guide: Any, core: Any, options: Options | None = None) -> str:
    """All that the instructions say of a game with these numbers, in one text."""
    return text_of(guide.sections(game_of(core), options or Options()))


def text_of(parts: list[dict[str, Any]]) -> str:
    """Sections in one text, tables row by row."""
    cells = [f"{row['head']}: {' '.join(row['cells'])}" for part in parts for row in part["table"]]
    return " ".join([line for part in parts for line in part["lines"]] + cells)


def asked_of(guide: Any, core: Any) -> dict[str, Any]:
    """The questions of the quiz, by name."""
    return {each["name"]: each for each in guide.quiz(game_of(core), Options())}


def in_all_forms(words: dict[str, Any]) -> dict[str, str]:
    """The words of a page, of those about a number of things all forms in one text."""
    return {
        name: " ".join(said.values()) if isinstance(said, dict) else said
        for name, said in words.items()
    }


def numbers(said: str) -> set[str]:
    """The numbers in a text, without signs."""
    return set(re.findall(r"\d+(?:\.\d+)?", said))


OTHER_PAGES = ("lobby.js", "quiz.js", "screens.js", "questionnaire.js")
"""Scripts of pages that are not the play page."""


def page_words() -> dict[str, Any]:
    """The words of the play page that are the same for all games, of talk and of a vote too."""
    votes: Any = SimpleNamespace(rules={"pool": {}}, options=SimpleNamespace(rules_tie="first"))
    return {**wording.play(), **choosing.words(votes), **talking.words()}
