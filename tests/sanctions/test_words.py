"""Tests of the words of the sanctions game's play page, and of the scripts that use them."""

from __future__ import annotations

import re

import pytest

from mixed_company import engine
from mixed_company.engine.games.sanctions import SanctionsGame
from mixed_company.server.pages import wording
from mixed_company.server.pages.guide import guide_of
from tests.project import ROOT
from tests.sanctions.plays import core
from tests.server.guides import OTHER_PAGES, in_all_forms, numbers, page_words

guide = guide_of("sanctions")


# -- the words of the page ----------------------------------------------------------------------


def scripts() -> dict[str, str]:
    """Return the JavaScript of the play and results pages by file, including the game's card."""
    files = [*(ROOT / "_static/sanctions").glob("*.js"), *(ROOT / "_static/mixed").glob("*.js")]
    left_out = (*OTHER_PAGES, "pad.js")
    sources = {path.name: path.read_text() for path in files if path.name not in left_out}
    assert {"stage.js", "network.js", "play.js", "dom.js", "form.js"} <= set(sources)
    assert "controls: [" in sources["stage.js"]  # so the card is form.js
    return sources


@pytest.mark.parametrize("archetype", SanctionsGame.archetypes)
def test_the_page_has_every_word_its_scripts_use(archetype: str) -> None:
    game = engine.make("sanctions", archetype=archetype)
    available = {**page_words(), **guide.texts(game.core)}
    all_requested = set()
    for name, script in scripts().items():
        requested = set(re.findall(r"\btexts\.(\w+)", script))
        if name == "controls.js":
            requested |= set(re.findall(r"\bwords\.(\w+)", script))
        assert requested <= set(available), f"{name}: {sorted(requested - set(available))}"
        all_requested |= requested
    assert len(all_requested) > 40  # check that the pattern still matches the scripts
    # `texts[name]`: states of a connection in play.js, parts of a reward in ledger.js
    by_name = {name for name, script in scripts().items() if "texts[" in script}
    assert by_name == {"play.js", "ledger.js"}
    assert {field.name for field in game.declaration.components} <= set(available)
    assert all(available.values())


def test_every_word_of_the_game_is_used() -> None:
    requested = set(re.findall(r"\btexts\.(\w+)", "".join(scripts().values())))
    parts = {field.name for field in engine.make("sanctions").declaration.components}
    assert set(guide.texts(core("lab"))) - requested - parts == set()


def test_the_lobby_has_every_word_its_script_uses() -> None:
    requested = set(re.findall(r"\btexts\.(\w+)", (ROOT / "_static/mixed/lobby.js").read_text()))
    assert len(requested) > 5
    assert requested <= set(wording.lobby())


def test_the_scripts_fill_every_gap_in_the_words() -> None:
    gaps = {
        key: set(re.findall(r"\{(\w+)\}", text))
        for key, text in in_all_forms(guide.texts(core())).items()
    }
    assert sum(1 for names in gaps.values() if names) > 15
    files = [path.name for path in (ROOT / "_static/sanctions").glob("*.js")]
    source = "".join(scripts()[name] for name in files)
    for key, names in gaps.items():
        for gap in names:  # `text(texts.key, {gap: ...})`, or one of a few texts with the same gaps
            assert re.search(rf"texts\.{key}\b[^{{]*\{{(?:[^{{}}]*[^\w.])?{gap}\b[:,}}]", source), (
                key,
                gap,
            )
    assert not re.search(r"texts\.sum_kept\b[^{]*\{(?:[^{}]*[^\w.])?other\b[:,}]", source)


def test_the_words_of_the_page_contain_no_number_and_name_the_product() -> None:
    for archetype, words in (("lab", "From the common pool"), ("source", "Own production")):
        words_by_key = in_all_forms(guide.texts(core(archetype)))
        assert numbers(" ".join(words_by_key.values())) == set()
        assert words_by_key["production"] == words
