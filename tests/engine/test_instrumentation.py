"""Log levels in every game: on, off, thinned, terse or verbose. No level affects the play."""

from __future__ import annotations

from itertools import product

import pytest

from mixed_company import engine, policies
from mixed_company.engine.play import record
from mixed_company.engine.play.episode import Episode
from tests.bots.written import written
from tests.engine.golden.write import GAMES, SCRIPTS, SEED

LEVELS = [
    {"episode": episode, "period": period, "seat": seat, "event": event, "verbose": verbose}
    for episode, period, seat, event, verbose in product(
        (True, False), (0, 1, 2), (0, 1, 3), (True, False), (True, False)
    )
]
SILENT = {"episode": False, "period": 0, "seat": 0, "event": False, "verbose": False}
LOUD = {"episode": True, "period": 1, "seat": 1, "event": True, "verbose": True}


def game(game_id, instrumentation):
    return engine.make(game_id, **{**GAMES[game_id], "instrumentation": instrumentation})


def lines(game_id, instrumentation):
    return record.play(game(game_id, instrumentation), SCRIPTS[game_id], SEED)


def wanted(line, levels):
    """Return whether a line of the most detailed log belongs in a log with these levels."""
    if line["level"] in ("period", "seat"):
        every = levels[line["level"]]
        return every > 0 and line["period"] % every == 0
    return levels[line["level"]]


def terse(line):
    return {key: value for key, value in line.items() if key not in ("state", "observations")}


@pytest.mark.few(1)
@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_every_log_is_the_most_detailed_log_without_what_is_switched_off(game_id):
    loudest = lines(game_id, LOUD)
    assert {line["level"] for line in loudest} == {"episode", "period", "seat", "event"}
    for levels in LEVELS:
        kept = [line for line in loudest if wanted(line, levels)]
        expected = [line if levels["verbose"] else terse(line) for line in kept]
        if levels["episode"]:
            config = game(game_id, levels).config.model_dump(mode="json")
            expected[0] = {**expected[0], "config": config}
        assert lines(game_id, levels) == expected, levels


@pytest.mark.few(1)
@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_no_level_affects_the_play(game_id):
    def states(levels, recorded):
        episode = Episode(game(game_id, levels), SEED)
        recorder = record.Recorder(episode) if recorded else None
        reached = []
        for sent in SCRIPTS[game_id]:
            step = episode.step(sent)
            if recorder:
                recorder.take(step)
            reached.append((episode.state_json(), step.rewards.tolist(), step.events))
        return reached

    alone = states(SILENT, recorded=False)
    for levels in LEVELS:
        assert states(levels, recorded=True) == alone, levels


@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_no_level_affects_a_policy(game_id):
    """Policies that draw random numbers act the same regardless of logging, because they receive
    only the core.
    """
    games = [game(game_id, levels) for levels in (SILENT, LOUD)]
    assert games[0].core == games[1].core
    for policy_id in written(game_id):
        first, second = (policies.make(policy_id, game_of_level) for game_of_level in games)
        assert (first.rules, first.settings, first.start()) == (
            second.rules,
            second.settings,
            second.start(),
        )


@pytest.mark.parametrize("game_id", sorted(GAMES))
@pytest.mark.parametrize("levels", [LOUD, {"period": 1}, {"period": 2, "seat": 2}])
def test_the_same_config_and_seed_give_the_same_bytes(game_id, levels):
    first, second = (record.to_text(lines(game_id, levels)) for _ in range(2))
    assert first.encode() == second.encode()
    other = record.to_text(record.play(game(game_id, levels), SCRIPTS[game_id], SEED + 1))
    assert other != first
