"""Tests of all texts of each game in each language: none is English, and numbers are localized.

Tables run without a server. The pages are those of the person in the first seat after some periods,
with all layers that hide nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from mixed_company import engine
from mixed_company.engine.kit.layers import settings, with_layers
from mixed_company.language import codes, gettext, speaking
from mixed_company.language.sources import Text, texts
from mixed_company.server.pages import results
from mixed_company.server.pages.guide import guide_of
from mixed_company.server.pages.rules import besides, in_words
from mixed_company.server.pages.texts import counted, exact, number, percent
from tests.server.secrets_kept import played, sent

OTHERS = codes()[1:]
LEAST_WORDS = 3
_PIECE = re.compile(r"\{\w+\}")


@cache
def found() -> tuple[Text, ...]:
    """Return all texts of the sources."""
    return tuple(texts())


@cache
def english() -> dict[str, str]:
    """Return English texts, indexed by their pieces of several words between two placeholders."""
    pieces = {}
    for text in found():
        for form in filter(None, (text.singular, text.plural)):
            for piece in _PIECE.split(form):
                if len(piece.split()) >= LEAST_WORDS:
                    pieces[piece.strip(" .:,;")] = form
    return pieces


def said_in_english(read: str) -> set[str]:
    """Return English texts that people can partly read although the current language translates
    them.
    """
    return {
        text for piece, text in english().items() if piece in read and piece not in gettext(text)
    }


@cache
def play(game_id: str) -> tuple[Any, Any]:
    """Return a table of a game, and its journal, with every layer that hides nothing."""
    game = engine.make(game_id, archetype="lab")
    layers = settings(game)
    layers["information"] = {key: layers["information"][key] for key in ("show", "delay")}
    every = {name: {**section, "intensity": 0.5} for name, section in layers.items()}
    return played(with_layers(game, every), (0,))


def pages(game_id: str) -> str:
    table, entries = play(game_id)
    guide = guide_of(game_id)
    end = [
        guide.summary(table, entries, 0),
        guide.details(table, entries, 0),
        results.notes(table, entries, 0),
        gettext(guide.title),
    ]
    return "\n".join(strings([json.loads(sent(table, entries, 0)), end]))


def strings(content: Any) -> Iterator[str]:
    """Yield all strings in JSON, without keys."""
    if isinstance(content, str):
        yield content
    elif isinstance(content, dict | list | tuple):
        for part in content.values() if isinstance(content, dict) else content:
            yield from strings(part)


def test_english_texts_are_found():
    english_pages = pages("commons_game")
    with speaking(OTHERS[0]):
        assert len(said_in_english(english_pages)) > 50
        assert said_in_english("x. Please keep this page open. The game will start automatically.")
        assert not said_in_english(gettext("Thank you for taking part."))


@pytest.mark.parametrize("code", OTHERS)
@pytest.mark.parametrize("game_id", engine.game_ids())
def test_no_text_that_people_read_is_english(game_id, code):
    with speaking(code):
        assert said_in_english(pages(game_id)) == set()


def quantities(game_id: str) -> Iterator[str]:
    """Yield the quantities that layers, roles and drifts can name, as the game declares them."""
    for archetype in engine.find(game_id).archetypes:
        game = engine.make(game_id, archetype=archetype)
        declared = game.declaration
        fields = [*declared.observations, *declared.state]
        yield from (field.meaning for field in fields if field.name not in declared.sums)
        yield from (field.meaning for field in declared.actions if not field.names)
        core = type(game.core).model_fields
        yield from (str(core[name].description) for name in game.may_drift)
        yield from (role.replace("_", " ") for role in game.config.agents.roles)
        for field in declared.actions:
            yield from (choice.replace("_", " ") for choice in field.names)


INSIDE = ("how many periods old ", "0, or 1 + index")
"""Beginnings of the descriptions of layers' own fields and of the record. No layer can name
these."""


@pytest.mark.parametrize("game_id", engine.game_ids())
def test_every_quantity_of_a_game_has_words_that_are_translated(game_id):
    translated_texts = {text.singular for text in found()}
    phrases = {in_words(meaning) for meaning in quantities(game_id)}
    untranslated = {
        phrase for phrase in phrases if not phrase.startswith(INSIDE)
    } - translated_texts
    assert {
        phrase.rpartition(": ")[2] for phrase in untranslated
    } - translated_texts == set()  # "seen later: the stock"


@pytest.mark.parametrize("code", OTHERS)
def test_quantities_that_layers_add_to_a_page_are_named_in_its_language(code):
    table, _ = play("commons_game")
    with speaking("en"):
        before = {row["name"]: row["meaning"] for row in besides(table.game)}
    with speaking(code):
        now = {row["name"]: row["meaning"] for row in besides(table.game)}
    assert before.keys() == now.keys()
    assert [name for name in now if now[name] == before[name]] == []


NO_BREAK = "\N{NARROW NO-BREAK SPACE}"


@pytest.mark.parametrize(("code", "space"), [("de", " "), ("es", " "), ("fr", NO_BREAK)])
def test_numbers_have_a_decimal_comma(code, space):
    with speaking(code):
        assert (number(-2.54), exact(0.25), percent(0.125)) == (
            "\N{MINUS SIGN}2,5",
            "0,25",
            f"12,5{space}%",
        )
        assert number(3.0) == "3"


FISH = ("You took {n} fish in total.", "You took {n} fish in total.")


@pytest.mark.parametrize(
    ("code", "singular", "broken", "plural"),
    [
        ("de", "insgesamt 1 Fisch gefangen", "insgesamt 1,5 Fische", "insgesamt 2 Fische"),
        ("es", "pescó 1 pez en total", "pescó 1,5 peces", "pescó 2 peces"),
        ("fr", "pris 1 poisson en tout", "pris 1,5 poisson en tout", "pris 2 poissons"),
    ],
)
def test_singular_and_plural_are_distinguished(code, singular, broken, plural):
    with speaking(code):
        for part, taken in ((singular, 1.0), (singular, 1.04), (broken, 1.5), (plural, 2.0)):
            assert part in counted(*FISH, taken, 1)
