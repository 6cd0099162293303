"""Statements about bots are true in every play, or the session is rejected."""

from __future__ import annotations

from typing import Any

import pytest

from mixed_company import engine
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.table.disclosing import bots_enter, check_disclosure, disclosure
from mixed_company.table.options import Options

GAME = engine.make("commons_game", archetype="lab", seats=4)
CERTAIN = {"people_per_group": 2, "lobby_outcome": "release"}
PEOPLE_ALONE = {"people_per_group": 4, "lobby_outcome": "release", "dropout": "end"}


def said(**options: Any) -> str:
    chosen = Options(**options)
    check_disclosure(GAME, chosen)
    return disclosure(chosen, GAME.seats)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"disclosure": "none"}, ""),
        ({}, "Some of the players may be computer programs."),
        (
            {"disclosure": "count", **CERTAIN},
            "When the game begins, 2 of the 4 players in your group are computer programs. "
            "If a player is away, a computer program takes that player's place.",
        ),
        (
            {"disclosure": "count", **CERTAIN, "people_per_group": 3},
            "When the game begins, 1 of the 4 players in your group is a computer program. "
            "If a player is away, a computer program takes that player's place.",
        ),
        # a single person waits for nobody, so the number is certain
        (
            {"disclosure": "count"},
            "When the game begins, 3 of the 4 players in your group are computer programs.",
        ),
        (
            {"disclosure": "count", **CERTAIN, "disclosure_text": "{bots} bots of {seats}."},
            "2 bots of 4.",
        ),
    ],
)
def test_the_sentence_matches_the_setting(options: dict[str, Any], words: str) -> None:
    assert said(**options) == words


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"disclosure": "count", "people_per_group": 2}, "'count': the number of bots is not"),
        ({**PEOPLE_ALONE}, "disclosure = 'possible': no bot can play here"),
        ({"disclosure": "none", "disclosure_text": "Bots!"}, "would never be shown"),
        ({"disclosure_text": "{bot} play"}, "{bot}: should be one of {bots}, {seats}"),
        ({"disclosure_text": "{bots} play", "people_per_group": 2}, "{bots}: the number of bots"),
        ({"disclosure_text": "{"}, "disclosure_text = '{'"),
        ({"disclosure_text": "{bots:s} bots"}, "disclosure_text = '{bots:s} bots'"),
    ],
)
def test_a_setting_that_would_be_untrue_is_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigError) as refused:
        said(**options)
    assert words in str(refused.value)


def test_a_play_of_people_alone_says_nothing_of_bots() -> None:
    assert said(**PEOPLE_ALONE, disclosure="none") == ""


LOBBY = "who is missing after 60 s in the lobby (set lobby_outcome=release to rule it out)"
SILENT = "who is silent for 90 s (set dropout=reduced or dropout=end to rule it out)"
LATER = "who is missing from this block (no key can rule it out)"


@pytest.mark.parametrize(
    ("options", "later", "ways"),
    [
        ({"people_per_group": 4}, False, [LOBBY, SILENT]),
        ({"people_per_group": 4, "lobby_outcome": "release"}, False, [SILENT]),
        ({"people_per_group": 4, "dropout": "reduced"}, False, [LOBBY]),
        (
            {"people_per_group": 4, "dropout": "pause", "lobby_outcome": "extend"},
            False,
            [
                LOBBY.replace("after 60", "after twice 60"),
                SILENT.replace("90 s", "90 s and a pause of 60 s"),
            ],
        ),
        (PEOPLE_ALONE, False, []),
        (PEOPLE_ALONE, True, [LATER]),
        ({"people_per_group": 4, "bots": "greedy, greedy"}, True, [LATER, SILENT]),
        ({"people_per_group": 1}, True, [SILENT]),  # alone with bots: nobody else can be missing
    ],
)
def test_the_ways_in_which_bots_take_seats_are_named_with_the_key_that_rules_them_out(
    options: dict[str, Any], later: bool, ways: list[str]
) -> None:
    sentence = bots_enter(Options(**options), later)
    assert sentence == (f"A bot takes the seat of a person {', or '.join(ways)}." if ways else "")


@pytest.mark.parametrize(
    ("options", "later", "named"),
    [
        ({}, False, True),
        ({"lobby_outcome": "release"}, False, False),
        ({"lobby_outcome": "release"}, True, True),
        ({"people_per_group": 1}, False, False),
    ],
)
def test_different_bots_are_named_where_people_can_be_missing(
    options: dict[str, Any], later: bool, named: bool
) -> None:
    sentence = bots_enter(Options(**{"people_per_group": 2, "bots": "a,b,a", **options}), later)
    fewer = ". In a group with fewer people, the bots are a, b, a, in rotation."
    assert sentence.endswith(fewer) == named
    assert ("rotation" in sentence) == named
