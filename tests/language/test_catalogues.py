"""Tests that every language has exactly the texts of the sources, with the same placeholders."""

from __future__ import annotations

from copy import copy
from functools import cache
from gettext import GNUTranslations

import pytest
from babel.messages.catalog import Catalog

from mixed_company.engine.contract.errors import ConfigError
from mixed_company.language import catalogue, codes, translating
from mixed_company.language.sources import Text, texts
from mixed_company.language.translating import compiled, faults, known, read, update
from mixed_company.table.setup import resolve, session_config


@cache
def in_use() -> dict[Text, list[str]]:
    """Return the texts of the sources, with their locations."""
    return texts()


def test_the_promised_languages_exist():
    assert set(codes()) >= {"en", "de", "es", "fr"}


@pytest.mark.parametrize("code", known())
def test_a_language_has_exactly_the_texts_in_use(code):
    assert faults(read(code), list(in_use())) == [], "run `mixed languages`"


@pytest.mark.parametrize("code", known())
def test_a_server_reads_the_texts_that_people_wrote(code):
    assert catalogue.file_of(code, "mo").read_bytes() == compiled(read(code))


@pytest.mark.parametrize("code", known())
def test_a_language_translates_most_texts(code):
    """Allow a few copies of English texts, such as `Total` and `{n} {kind}`."""
    catalog = read(code)
    same = [text.singular for text in in_use() if catalog.get(text.id).string == text.id]
    assert len(same) < 0.05 * len(in_use()), same


def test_texts_are_found_wherever_they_are_used():
    places_by_text = {text.singular: places for text, places in in_use().items()}
    assert places_by_text["Next"] == ["mixed_company/server/pages/texts.py"]
    assert places_by_text["the game is over"] == [
        "mixed_company/table/table.py",
        "mixed_company/table/talk/talking.py",
    ]
    assert places_by_text["must be a number"] == ["mixed_company/engine/contract/sent.py"]
    assert places_by_text["{n} point"]
    assert not any(
        place.startswith(("tests", "docs"))
        for places in places_by_text.values()
        for place in places
    )
    assert Text("ruby", "rubies") in in_use()


# -- catalogues with planted faults -----------------------------------------------------------


def made(**changed: str | tuple[str, str]) -> Catalog:
    catalog = Catalog(locale="de")
    translations = {"a": "ein {x}", "b": ("{n} Ding", "{n} Dinge")} | changed
    catalog.add("a {x}", translations["a"])
    catalog.add(("{n} thing", "{n} things"), translations["b"])
    return catalog


TWO = [Text("a {x}"), Text("{n} thing", "{n} things")]


def test_a_complete_catalogue_has_no_fault():
    assert faults(made(), TWO) == []
    assert faults(made(b=("ein Ding", "{n} Dinge")), TWO) == []  # the singular needs no number


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"a": ""}, "'a {x}': not translated"),
        ({"b": ("{n} Ding", "")}, "'{n} thing': not translated"),
        ({"a": "ein {y}"}, "'ein {y}': has the placeholders ['y'], the English text has ['x']"),
        ({"a": "ein"}, "'ein': has the placeholders [], the English text has ['x']"),
        (
            {"b": ("{n} {k}", "{n}")},
            "'{n} {k}': has the placeholders ['k', 'n'], the English text has ['n']",
        ),
    ],
)
def test_a_faulty_text_is_named(changed, fault):
    assert faults(made(**changed), TWO) == [fault]


def test_obsolete_and_new_texts_are_named():
    assert faults(made(), TWO[:1]) == ["'{n} thing': not used in the sources"]
    assert faults(made(), [*TWO, Text("new")]) == ["'new': not translated"]


def test_a_guessed_translation_does_not_count():
    catalog = made()
    catalog.get("a {x}").flags.add("fuzzy")
    assert faults(catalog, TWO) == ["'a {x}': not translated"]


def test_a_new_text_disables_a_language_until_it_is_translated(tmp_path, monkeypatch):
    monkeypatch.setattr(catalogue, "FOLDER", tmp_path)
    monkeypatch.setattr(translating, "FOLDER", tmp_path)
    translating.begin("de")
    first_text = {TWO[0]: ["here.py"]}
    update("de", first_text)
    assert not (tmp_path / "de.mo").exists()
    path = tmp_path / "de.po"
    path.write_text(path.read_text().replace('"a {x}"\nmsgstr ""', '"a {x}"\nmsgstr "ein {x}"'))
    update("de", first_text)
    assert (tmp_path / "de.mo").exists()
    before = path.read_bytes()
    update("de", first_text)
    assert path.read_bytes() == before
    update("de", {**first_text, TWO[1]: ["there.py"]})
    assert "#: there.py" in path.read_text()
    assert not (tmp_path / "de.mo").exists()


def test_an_untranslated_text_of_one_game_does_not_disable_other_games(tmp_path, monkeypatch):
    monkeypatch.setattr(catalogue, "FOLDER", tmp_path)
    monkeypatch.setattr(translating, "FOLDER", tmp_path)
    translating.begin("it")
    update("it", {Text("a new one"): ["gem_mining/words.py", "bots/gem_mining/greedy.py"]})
    with (tmp_path / "it.mo").open("rb") as file:
        opened = catalogue.Catalogue("it", GNUTranslations(file))
    assert opened.lacks == {"gem_mining"}
    assert opened.text("a new one") == "a new one"
    update("it", {Text("a new one"): ["gem_mining/words.py", "sanctions/words.py"]})
    assert not (tmp_path / "it.mo").exists()


def test_a_session_is_refused_in_a_language_that_lacks_a_text_of_its_game(monkeypatch):
    german = copy(catalogue.opened("de"))
    german.lacks = frozenset({"gem_mining"})
    monkeypatch.setattr("mixed_company.table.setup.opened", lambda _: german)
    message = (
        "language = 'de': texts of gem_mining are not translated; `mixed languages` lists them"
    )
    of_gems = session_config("x", "gem_mining", "lab", language="de", bots="follow_crowd")
    of_trust = session_config("x", "sanctions", "lab", language="de", bots="free_rider")
    with pytest.raises(ConfigError, match=message):
        resolve("gem_mining", of_gems, of_gems)
    assert resolve("sanctions", of_trust, of_trust)[0].options.language == "de"
