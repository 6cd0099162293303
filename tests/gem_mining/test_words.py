"""Tests of the words of gem mining: names of mines, lists, singular and plural, and how they are
used.
"""

from __future__ import annotations

import re
from typing import Any

import pytest

from gem_mining import words
from gem_mining.stage import setting
from mixed_company import engine
from mixed_company.engine.games.gem_mining import GemGame
from mixed_company.server.pages.guide import guide_of
from tests.gem_mining.plays import core
from tests.project import ROOT
from tests.server.guides import OTHER_PAGES, in_all_forms, numbers, page_words

guide = guide_of("gem_mining")


@pytest.mark.parametrize(
    ("number", "letters"),
    [(0, "A"), (1, "B"), (25, "Z"), (26, "AA"), (27, "AB"), (51, "AZ"), (52, "BA"), (701, "ZZ"),
     (702, "AAA")],
)  # fmt: skip
def test_mines_have_letters_like_the_columns_of_a_spreadsheet(number: int, letters: str) -> None:
    assert words.mine(number) == f"Mine {letters}"


def test_a_thousand_mines_have_different_names() -> None:
    assert len({words.mine(number) for number in range(1009)}) == 1009


def test_a_village_has_the_number_of_its_player() -> None:
    assert [words.village(seat) for seat in (0, 3, 19)] == ["Village 1", "Village 4", "Village 20"]


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        (["rubies"], "rubies"),
        (["rubies", "emeralds"], "rubies and emeralds"),
        (["rubies", "emeralds", "sapphires"], "rubies, emeralds and sapphires"),
    ],
)
def test_the_last_word_of_a_list_follows_and(parts: list[str], text: str) -> None:
    assert words.listed(parts) == text
    assert words.listed(iter(parts)) == text


@pytest.mark.parametrize(
    ("number", "count", "text"),
    [
        (0, 0, "0 rubies"),
        (0, 1, "1 ruby"),
        (0, 2, "2 rubies"),
        (3, 1, "1 topaz"),
        (3, 7, "7 topazes"),
        (9, 11, "11 jades"),
    ],
)
def test_only_one_gem_is_in_the_singular(number: int, count: int, text: str) -> None:
    assert words.gems(number, count) == text


def test_every_possible_kind_has_a_name_of_its_own() -> None:
    limit = 10  # gem_types is at most 10
    with pytest.raises(engine.ConfigError):
        core(gem_types=limit + 1)
    assert len(words.kinds()) == limit
    names = [name for both in words.kinds() for name in both]
    assert len(set(names)) == 2 * limit
    assert len({words.kind(number) for number in range(limit)}) == limit


# -- the words of the page ----------------------------------------------------------------------


def scripts() -> dict[str, str]:
    """Return the JavaScript of the play and results pages by file, including the game's card."""
    files = [*(ROOT / "_static/gem_mining").glob("*.js"), *(ROOT / "_static/mixed").glob("*.js")]
    left_out = (*OTHER_PAGES, "pad.js", "controls.js")
    sources = {path.name: path.read_text() for path in files if path.name not in left_out}
    assert {"stage.js", "map.js", "gems.js", "front.js", "play.js", "choice.js"} <= set(sources)
    assert "controls: [" in sources["stage.js"]  # so the card is form.js
    assert "option" in sources["stage.js"]  # and the card's control is choice.js
    return sources


@pytest.mark.parametrize(
    "changes", [{}, {"gem_types": 1}, {"gem_types": 10, "min_probability": 0.01}]
)
def test_the_page_has_every_word_its_scripts_use(changes: dict[str, Any]) -> None:
    game = engine.make("gem_mining", archetype="lab_0_7", **changes)
    available = {**page_words(), **guide.texts(game.core)}
    all_requested = set()
    for name, script in scripts().items():
        requested = set(re.findall(r"\btexts\.(\w+)", script))
        assert requested <= set(available), f"{name}: {sorted(requested - set(available))}"
        all_requested |= requested
    assert len(all_requested) > 40  # check that the pattern still matches the scripts
    assert {field.name for field in game.declaration.components} <= set(available)
    for kind in range(game.core.gem_types):  # `texts[`kind_${kind}`]`
        assert {f"kind_{kind}", f"kinds_{kind}", f"gem_{kind}"} <= set(available)
    assert all(available.values())


def test_every_word_of_the_game_is_used() -> None:
    requested = set(re.findall(r"\btexts\.(\w+)", "".join(scripts().values())))
    by_kind = {name for name in guide.texts(core("lab_0_7")) if re.fullmatch(r"\w+_\d", name)}
    assert set(guide.texts(core("lab_0_7"))) - requested - by_kind == set()


def words_of(game_core: Any) -> dict[str, str]:
    return in_all_forms(guide.texts(game_core))


def test_the_scripts_fill_every_gap_in_the_words() -> None:
    gaps_by_key = {
        key: set(re.findall(r"\{(\w+)\}", text)) for key, text in words_of(core()).items()
    }
    gaps = {key: names for key, names in gaps_by_key.items() if names}
    joined = "".join(scripts().values())
    filled = {"player", "mine", "sends", "sends_some", "alone", "again", "chance"}
    filled |= {"gained", "each", "percent", "some_others", "between", "crowded"}
    filled |= {
        "you_player",
        "gems",
        "front_said",
        "found_here",
        "map_reach",
        "map_last",
        "map_mine",
        "map_own",
    }
    assert set(gaps) == filled
    chosen_among = {"sends", "sends_some", "found_here"}
    for key in set(gaps) - chosen_among:
        for gap in gaps[key]:
            shorthand = re.search(rf"text\(texts\.{key}, \{{[^}}]*\b{gap}\b", joined)
            assert shorthand, (key, gap)
    assert "text(sends, {n: number(workers), mine: name(mine)})" in joined
    assert "{n: times, gems: counted(gems, texts)}" in joined


def test_the_words_of_the_page_contain_no_number_of_the_session() -> None:
    for archetype in GemGame.archetypes:
        assert numbers(" ".join(words_of(core(archetype)).values())) == set()


def test_the_decision_says_the_worth_of_a_gem() -> None:
    alike = engine.make("gem_mining", archetype="lab")
    assert setting(alike, 0)["worth"] == "Each gem is worth 1 point to every village."
    unequal = engine.make("gem_mining", archetype="lab", weights=[1.0, 2.0])
    assert setting(unequal, 0)["worth"] == (
        "One ruby is worth 1 point to every village. One emerald is worth 2 points to every "
        "village."
    )
