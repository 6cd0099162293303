"""English texts that participants read, as running text for the reading-level tests.

    instructions(setup)    (screen, lines) of the instructions, in reading order
    questions(setup)       the quiz: its questions, and the reasons that it shows as hints
    headlines(setup)       the sentences of the results page, after a short play
    grade(lines)           Flesch-Kincaid grade of these lines as one text

Only sentences count: the lines of all sections, including those that end with a colon before a
table or a list. Titles, tables, quiz options, labels and buttons do not count, because they are not
sentences. A number counts as one word of one syllable, together with its sign and its unit (%, €).
Otherwise a decimal point would end a sentence, and the grade would change with the session's
numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from html import unescape

import textstat

from mixed_company.server.pages import instructions as shared
from mixed_company.server.pages.guide import guide_of
from mixed_company.table.setup import Setup
from tests.server.secrets_kept import played

__all__ = ["grade", "headlines", "instructions", "plain", "questions"]

RATE, FEE = "10 points = €1.20", "€2.00"
_NUMBER = re.compile(r"[€+\N{MINUS SIGN}-]?\d+(?:[.,]\d+)*(?:\s?[%€])?")
_ENDS = (".", "?", "!")


def instructions(setup: Setup) -> list[tuple[str, list[str]]]:
    """Return the lines of each screen. The game's screens come before those that all games
    share."""
    game = setup.game
    sections = guide_of(game.id).sections(game, setup.options)
    screens = shared.screens([*sections, *shared.sections(setup, RATE, FEE)])
    return [
        (screen["name"], [line for part in screen["sections"] for line in part["lines"]])
        for screen in screens
    ]


def questions(setup: Setup) -> list[str]:
    """Return the texts of the quiz questions, each followed by its reason."""
    game = setup.game
    every = [*guide_of(game.id).quiz(game, setup.options), *shared.questions(setup)]
    return [text for question in every for text in (question["text"], question["why"])]


def headlines(setup: Setup) -> list[str]:
    """Return the sentences on the first seat's results page."""
    table, entries = played(setup.game, (0,))
    return guide_of(setup.game.id).summary(table, entries, 0)


def plain(lines: Iterable[str]) -> str:
    """Return the lines as running text. Numbers are short words, and every line ends a sentence."""
    words = (" ".join(_NUMBER.sub("1", unescape(line)).split()) for line in lines)
    return " ".join(line if line.endswith(_ENDS) else f"{line}." for line in words)


def grade(lines: Iterable[str]) -> float:
    return _grade_of(plain(lines))


@cache
def _grade_of(text: str) -> float:
    """Return the grade of a text. Grades are cached, because many sessions share screens."""
    return float(textstat.flesch_kincaid_grade(text))
