"""The words of the play page of the sanctions game, and the scripts that ask for them."""

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
    """The JavaScript of the play and results pages, by file; of the cards the one it uses."""
    files = [*(ROOT / "_static/sanctions").glob("*.js"), *(ROOT / "_static/mixed").glob("*.js")]
    left_out = (*OTHER_PAGES, "pad.js")
    found = {path.name: path.read_text() for path in files if path.name not in left_out}
    assert {"stage.js", "network.js", "play.js", "dom.js", "form.js"} <= set(found)
    assert "controls: [" in found["stage.js"]  # so the card is form.js
    return found


@pytest.mark.parametrize("archetype", SanctionsGame.archetypes)
def test_the_page_has_every_word_its_scripts_ask_for(archetype: str) -> None:
    game = engine.make("sanctions", archetype=archetype)
    known = {**page_words(), **guide.texts(game.core)}
    asked_at_all = set()
    for name, script in scripts().items():
        asked = set(re.findall(r"\btexts\.(\w+)", script))
        if name == "controls.js":
            asked |= set(re.findall(r"\bwords\.(\w+)", script))
        assert asked <= set(known), f"{name}: {sorted(asked - set(known))}"
        asked_at_all |= asked
    assert len(asked_at_all) > 40  # the pattern still finds how scripts ask
    # `texts[name]`, in play.js alone: the parts of a reward, and what a connection can be
    by_name = {name for name, script in scripts().items() if "texts[" in script}
    assert by_name == {"play.js"}
    assert {field.name for field in game.declaration.components} <= set(known)
    assert all(known.values())


def test_no_word_of_the_game_is_asked_for_by_nobody() -> None:
    asked = set(re.findall(r"\btexts\.(\w+)", "".join(scripts().values())))
    parts = {field.name for field in engine.make("sanctions").declaration.components}
    assert set(guide.texts(core("lab"))) - asked - parts == set()


def test_the_lobby_has_every_word_its_script_asks_for() -> None:
    asked = set(re.findall(r"\btexts\.(\w+)", (ROOT / "_static/mixed/lobby.js").read_text()))
    assert len(asked) > 5
    assert asked <= set(wording.lobby())


def test_the_gaps_in_the_words_are_those_that_the_scripts_fill() -> None:
    gaps = {
        key: set(re.findall(r"\{(\w+)\}", said))
        for key, said in in_all_forms(guide.texts(core())).items()
    }
    assert sum(1 for found in gaps.values() if found) > 15
    own = [path.name for path in (ROOT / "_static/sanctions").glob("*.js")]
    said = "".join(scripts()[name] for name in own)
    for key, found in gaps.items():
        for gap in found:  # `text(texts.key, {gap: ...})`, or one of a few texts with the same gaps
            assert re.search(rf"texts\.{key}\b[^{{]*\{{(?:[^{{}}]*[^\w.])?{gap}\b[:,}}]", said), (
                key,
                gap,
            )
    assert not re.search(r"texts\.sum_kept\b[^{]*\{(?:[^{}]*[^\w.])?other\b[:,}]", said)


def test_the_words_of_the_page_hold_no_number_and_know_what_is_produced() -> None:
    for archetype, words in (("lab", "From the common good"), ("source", "Own production")):
        found = in_all_forms(guide.texts(core(archetype)))
        assert numbers(" ".join(found.values())) == set()
        assert found["production"] == words
