"""Statements about bots are true in every play, or the session is refused."""

from __future__ import annotations

from typing import Any

import pytest

from mixed_company import engine
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.table.disclosing import check_disclosure, disclosure
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
        ({"disclosure": "none", "disclosure_text": "Bots!"}, "is never shown"),
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
