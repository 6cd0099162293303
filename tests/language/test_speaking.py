"""Tests of the current language: there is only one at a time, and each session has its own."""

from __future__ import annotations

import asyncio
import gettext as standard
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog

from mixed_company import language
from mixed_company.language import catalogue, translating

TEXTS = {"1.5": "1,5", "Next": "Weiter", ("{n} fish", "{n} fish"): ("{n} Fisch", "{n} Fische")}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Create catalogues: German and Polish with three texts, French with only a few, and an empty
    Italian one.
    """
    monkeypatch.setattr(catalogue, "FOLDER", tmp_path)
    for cached in (catalogue.codes, catalogue.opened):
        cached.cache_clear()
    write(tmp_path, "de", TEXTS)
    forms = ("{n} ryba", "{n} ryby", "{n} ryb")
    write(tmp_path, "pl", {**TEXTS, ("{n} fish", "{n} fish"): forms})
    write(tmp_path, "fr", {**TEXTS, ("{n} fish", "{n} fish"): ("{n} poisson", "{n} poissons")})
    (tmp_path / "it.po").write_text("")
    yield tmp_path
    for cached in (catalogue.codes, catalogue.opened):
        cached.cache_clear()


def write(folder: Path, code: str, texts: dict) -> None:
    catalog = Catalog(locale=code)
    for key, translation in texts.items():
        catalog.add(key, translation)
    (folder / f"{code}.mo").write_bytes(translating.compiled(catalog))


def fish(number: float) -> str:
    return language.ngettext("{n} fish", "{n} fish", number).format(n=number)


def test_a_missing_language_falls_back_to_english(folder: Path) -> None:
    assert language.gettext("Next") == "Next"
    assert language.decimals("2.5") == "2.5"
    assert language.spoken() == "en"


def test_a_language_is_current_only_inside_its_block(folder: Path) -> None:
    with language.speaking("de"):
        assert (language.spoken(), language.gettext("Next")) == ("de", "Weiter")
        with language.speaking("en"):
            assert language.gettext("Next") == "Next"
        assert language.gettext("Next") == "Weiter"
        assert language.gettext("") == ""  # not the header of the catalogue
        assert language.gettext("Nobody said this") == "Nobody said this"
        assert language.decimals("-2.5") == "-2,5"
    assert language.gettext("Next") == "Next"


def test_only_complete_catalogues_are_languages(folder: Path) -> None:
    assert language.codes() == ("en", "de", "fr", "pl")
    with pytest.raises(KeyError), language.speaking("it"):
        pass


@pytest.mark.parametrize(
    ("code", "number", "expected"),
    [
        ("de", 1, "1 Fisch"),
        ("de", 0, "0 Fische"),
        ("de", 1.5, "1.5 Fische"),
        ("de", 0.5, "0.5 Fische"),
        ("de", -1, "-1 Fisch"),
        ("fr", 0, "0 poisson"),
        ("fr", 1.5, "1.5 poisson"),
        ("fr", 2, "2 poissons"),
        ("pl", 1, "1 ryba"),
        ("pl", 3, "3 ryby"),
        ("pl", 5, "5 ryb"),
        ("pl", 22, "22 ryby"),
    ],
)
def test_a_number_selects_its_form(folder: Path, code: str, number: float, expected: str) -> None:
    with language.speaking(code):
        assert fish(number) == expected


def test_a_page_is_sent_every_form_of_a_language(folder: Path) -> None:
    with language.speaking("pl"):
        sent = language.forms("{n} fish", "{n} fish")
    assert set(sent.values()) == {"{n} ryba", "{n} ryby", "{n} ryb"}
    assert (sent["1"], sent["2"], sent["5"]) == ("{n} ryba", "{n} ryby", "{n} ryb")


def test_two_sessions_at_the_same_time_are_each_in_their_language(folder: Path) -> None:
    """Switch between tasks of one loop while other threads run at the same time."""
    heard: dict[str, set[str]] = {"de": set(), "fr": set(), "en": set()}

    async def session(code: str) -> None:
        with language.speaking(code):
            for _ in range(20):
                heard[code].add(fish(2))
                await asyncio.sleep(0)

    async def both() -> None:
        await asyncio.gather(session("de"), session("fr"))

    with language.speaking("de"):
        threads = [
            threading.Thread(target=lambda: heard["en"].add(fish(2))),
            threading.Thread(target=lambda: asyncio.run(both())),
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert heard == {"de": {"2 Fische"}, "fr": {"2 poissons"}, "en": {"2 fish"}}


def test_a_catalogue_is_read_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read catalogues only once, although gettext itself looks for files for every text."""
    read: list[object] = []
    original = standard.GNUTranslations
    monkeypatch.setattr(
        catalogue.gettext, "GNUTranslations", lambda file: read.append(file) or original(file)
    )
    for _ in range(3):
        with language.speaking("de"):
            fish(2)
    assert len(read) == 1
