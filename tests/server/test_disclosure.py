"""Texts that tell people about bots, and the times at which they were shown."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from mixed_company import engine
from mixed_company.server import clock
from mixed_company.server.pages.pages import disclose
from mixed_company.table.disclosing import disclosure
from mixed_company.table.options import Options
from mixed_company.table.setup import Setup


def setup(people: int = 2, **options: Any) -> Setup:
    game = engine.make("commons_game", archetype="lab")
    chosen = Options(people_per_group=people, **options)
    return Setup(config=game.config.model_dump(mode="json"), options=chosen)


TWO = "When the game begins, 2 of the 4 players in your group are computer programs."
THREE = TWO.replace("2 of", "3 of")
ONE = "When the game begins, 1 of the 4 players in your group is a computer program."
STAND_IN = "If a player is away, a computer program takes that player's place."


@pytest.mark.parametrize(
    ("setup", "text"),
    [
        (setup(disclosure="none"), ""),
        (setup(disclosure="possible"), "Some of the players may be computer programs."),
        (setup(disclosure="count"), f"{TWO} {STAND_IN}"),
        (setup(disclosure="count", dropout="pause"), f"{TWO} {STAND_IN}"),
        (setup(disclosure="count", dropout="end"), TWO),
        (setup(1, disclosure="count"), THREE),  # nobody else can leave
        (setup(3, disclosure="count", dropout="end"), ONE),
        (
            setup(disclosure="labels"),
            "Players can be people or computer programs. You can see which is which.",
        ),
        (
            setup(disclosure="count", disclosure_text="{bots} of {seats} are bots."),
            "2 of 4 are bots.",
        ),
    ],
)
def test_people_are_told_about_bots_what_the_session_says(setup, text):
    assert disclosure(setup.options, setup.game.seats) == text


def test_the_first_disclosure_is_kept_with_its_time(monkeypatch):
    player = SimpleNamespace(disclosure="", disclosed_ms=0.0)
    monkeypatch.setattr(clock, "wall_ms", lambda: 5)
    disclose(player, setup(disclosure="none"))
    assert (player.disclosure, player.disclosed_ms) == ("", 0.0)
    disclose(player, setup(disclosure="possible"))
    monkeypatch.setattr(clock, "wall_ms", lambda: 9)
    disclose(player, setup(disclosure="labels"))
    assert player.disclosure.startswith("Some of the players")
    assert player.disclosed_ms == 5.0
