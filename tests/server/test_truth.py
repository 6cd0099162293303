"""The instructions and quiz of every archetype are true of plays under the same configuration, also
with further layers and roles."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from mixed_company import engine
from mixed_company.server.pages import peer_quiz, peer_rules
from mixed_company.server.pages.guide import guide_of
from mixed_company.table.options import Options
from mixed_company.table.setup import resolve
from settings import SESSION_CONFIGS
from tests.server.claims import peers as of_peers
from tests.server.claims.playing import Played

CLAIMS = Path(__file__).parent / "claims"

GAMES = [game for game in engine.game_ids() if (CLAIMS / f"{game}.py").exists()]


def claims(game_id: str) -> Any:
    return import_module(f"tests.server.claims.{game_id}")


def cases() -> Iterator[Any]:
    """Yield every archetype, every variant and every listed session."""
    for game_id in GAMES:
        for archetype in engine.find(game_id).archetypes:
            yield pytest.param(game_id, {"archetype": archetype}, id=f"{game_id} {archetype}")
        for name, changes in claims(game_id).VARIANTS.items():
            config = {"archetype": engine.find(game_id).reference, **changes}
            yield pytest.param(game_id, config, id=f"{game_id} {name}")


def sentences(game: engine.Game[Any], options: Options) -> list[str]:
    """Return all lines of the instructions, and each question with its correct answer."""
    guide = guide_of(game.id)
    parts = [*guide.sections(game, options), *peer_rules.sections(game, options)]
    quiz = [*guide.quiz(game, options), *peer_quiz.questions(game)]
    lines = [line for part in parts for line in part["lines"]]
    return lines + [f"{question['text']} -> {question['right']}" for question in quiz]


def wrong(game: engine.Game[Any], lines: list[str]) -> list[str]:
    """Return the sentences that are false or have no claim."""
    played, faults = Played(game), []
    for sentence in lines:
        fitting = [
            (check, match.groups())
            for pattern, check in [*claims(game.id).CLAIMS, *of_peers.CLAIMS]
            if (match := re.fullmatch(pattern, sentence))
        ]
        if len(fitting) != 1:
            faults.append(f"{len(fitting)} claims fit: {sentence}")
        elif not fitting[0][0](played, *fitting[0][1]):
            faults.append(sentence)
    return faults


@pytest.mark.parametrize(("game_id", "config"), list(cases()))
def test_every_sentence_and_every_answer_is_true(game_id, config):
    game = engine.make(game_id, **config)
    lines = sentences(game, Options())
    assert len(lines) > 8
    assert wrong(game, lines) == []


WITH_PEERS: dict[str, dict[str, Any]] = {
    "harvest": {"game": "commons_game", "archetype": "lab"},
    "contribution": {"game": "sanctions", "archetype": "unsanctioned"},
}


def with_peers() -> Iterator[Any]:
    """Yield every variant of peer points in both games."""
    for decision, config in WITH_PEERS.items():
        variants = of_peers.VARIANTS | of_peers.hidden_and_barred(decision)
        for name, changes in variants.items():
            yield pytest.param({**config, **changes}, id=f"{config['game']} {name}")


@pytest.mark.parametrize("config", list(with_peers()))
def test_every_sentence_on_peer_points_is_true(config):
    game = engine.make(config["game"], **{k: v for k, v in config.items() if k != "game"})
    lines = sentences(game, Options())
    assert any("second step" in line for line in lines)
    assert wrong(game, lines) == []


@pytest.mark.few(24)
@pytest.mark.parametrize("config", SESSION_CONFIGS, ids=lambda config: str(config["name"]))
def test_every_session_on_the_list_makes_true_statements(config):
    setup, _ = resolve(config["app_sequence"][0], config, config)
    assert wrong(setup.game, sentences(setup.game, setup.options)) == []


@pytest.mark.parametrize("game_id", GAMES)
def test_statements_that_are_true_in_the_lab_are_found_to_be_false_elsewhere(game_id):
    base = {"archetype": engine.find(game_id).reference}
    lines = sentences(engine.make(game_id, **base), Options())
    variants = claims(game_id).VARIANTS.items()
    games = {name: engine.make(game_id, **{**base, **changes}) for name, changes in variants}
    unseen = [name for name, game in games.items() if not wrong(game, lines)]
    # a missing sentence, for example that there are sanctions, is not false
    assert len(unseen) <= 2
    assert len(games) >= 10
