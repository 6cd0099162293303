"""What people are told and asked before they play is so: instructions and quiz of every archetype,
and of more layers and roles, are held against plays of the same configuration."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from mixed_company import engine
from mixed_company.server.pages.guide import guide_of
from mixed_company.table.options import Options
from mixed_company.table.setup import resolve
from settings import SESSION_CONFIGS
from tests.server.claims.playing import Played

CLAIMS = Path(__file__).parent / "claims"

GAMES = [game for game in engine.game_ids() if (CLAIMS / f"{game}.py").exists()]


def claims(game_id: str) -> Any:
    return import_module(f"tests.server.claims.{game_id}")


def cases() -> Iterator[Any]:
    """Every archetype, every variant, every session on the list."""
    for game_id in GAMES:
        for archetype in engine.find(game_id).archetypes:
            yield pytest.param(game_id, {"archetype": archetype}, id=f"{game_id} {archetype}")
        for name, changes in claims(game_id).VARIANTS.items():
            own = {"archetype": engine.find(game_id).reference, **changes}
            yield pytest.param(game_id, own, id=f"{game_id} {name}")


def sentences(game: engine.Game[Any], options: Options) -> list[str]:
    """All lines of the instructions, and each question with its right answer."""
    guide = guide_of(game.id)
    lines = [line for part in guide.sections(game, options) for line in part["lines"]]
    return lines + [f"{asked['text']} -> {asked['right']}" for asked in guide.quiz(game, options)]


def wrong(game: engine.Game[Any], said: list[str]) -> list[str]:
    """The sentences that are not so, and those of which nobody knows."""
    played, faults = Played(game), []
    for sentence in said:
        fitting = [
            (check, match.groups())
            for pattern, check in claims(game.id).CLAIMS
            if (match := re.fullmatch(pattern, sentence))
        ]
        if len(fitting) != 1:
            faults.append(f"{len(fitting)} claims fit: {sentence}")
        elif not fitting[0][0](played, *fitting[0][1]):
            faults.append(sentence)
    return faults


@pytest.mark.parametrize(("game_id", "given"), list(cases()))
def test_every_sentence_and_every_answer_is_so(game_id: str, given: dict[str, Any]) -> None:
    game = engine.make(game_id, **given)
    said = sentences(game, Options())
    assert len(said) > 8
    assert wrong(game, said) == []


@pytest.mark.parametrize("config", SESSION_CONFIGS, ids=lambda config: str(config["name"]))
def test_every_session_on_the_list_says_what_is_so(config: dict[str, Any]) -> None:
    setup, _ = resolve(config["app_sequence"][0], config, config)
    assert wrong(setup.game, sentences(setup.game, setup.options)) == []


@pytest.mark.parametrize("game_id", GAMES)
def test_what_is_so_in_the_lab_is_seen_to_be_wrong_elsewhere(game_id: str) -> None:
    base = {"archetype": engine.find(game_id).reference}
    said = sentences(engine.make(game_id, **base), Options())
    variants = claims(game_id).VARIANTS.items()
    games = {name: engine.make(game_id, **{**base, **own}) for name, own in variants}
    unseen = [name for name, game in games.items() if not wrong(game, said)]
    # what is not said at all, such as that there are sanctions, is not wrong
    assert len(unseen) <= 2
    assert len(games) >= 10
