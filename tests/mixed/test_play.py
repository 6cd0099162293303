"""Tests of policies that play from the command line, and of their logs, which can be replayed."""

from __future__ import annotations

import pytest

from mixed_company import engine
from mixed_company.__main__ import main
from mixed_company.engine.play import record


def log(capsys, *arguments):
    named = [] if "--archetype" in arguments else ["--archetype", "custom"]
    assert main(["play", *arguments, *named]) == 0
    output = capsys.readouterr()
    assert output.err == ""
    return record.from_text(output.out)


@pytest.mark.few(2)
@pytest.mark.parametrize("game_id", engine.game_ids())
@pytest.mark.parametrize("verbose", [[], ["--verbose"]])
def test_the_log_of_a_play_replays(capsys, game_id, verbose):
    lines = log(capsys, game_id, "--archetype", "lab", "--seed", "3", *verbose)
    assert record.replay(lines) == []
    assert lines[0]["seed"] == lines[0]["config"]["identity"]["seed"] == 3
    assert ("state" in lines[1]) == bool(verbose)


def test_the_same_seed_gives_the_same_bytes_and_another_gives_others(capsys):
    texts = []
    for seed in "334":
        assert main(["play", "commons_game", "--policies", "noisy_person", "--seed", seed]) == 0
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1] != texts[2]


def test_policies_take_the_seats_in_turn(capsys):
    lines = log(
        capsys, "commons_game", "periods=2", "--policies", "fixed:harvest=3,greedy", "seats=5"
    )
    greedy = lines[0]["config"]["core"]["max_harvest"]
    assert lines[1]["sent"]["harvest"] == [3, greedy, 3, greedy, 3]


def test_verbose_works_with_other_instrumentation(capsys):
    level = "instrumentation.seat=1"
    lines = log(capsys, "commons_game", "--verbose", level, "periods=1", "--policies", "fixed")
    assert [line["level"] for line in lines] == [
        *("episode", "period", "seat", "seat", "seat", "seat", "event", "episode")
    ]


@pytest.mark.parametrize(
    ("arguments", "refusal"),
    [
        (["comons_game"], "game = 'comons_game': unknown; did you mean 'commons_game'?"),
        (
            ["commons_game", "--archetype", "lab", "--policies", "gredy"],
            "policy 'gredy': unknown in commons_game; did you mean 'greedy'?",
        ),
        (
            ["commons_game", "--archetype", "lab", "--policies", ",".join(["greedy"] * 5)],
            "policies: should name 1 to 4, one per seat, not 5",
        ),
        (["commons_game", "capacty=3"], "core.capacty = 3: unknown key; did you mean 'capacity'?"),
    ],
)
def test_mistakes_are_reported_in_a_sentence_and_nothing_is_written(capsys, arguments, refusal):
    assert main(["play", *arguments]) == 2
    assert tuple(capsys.readouterr()) == ("", refusal + "\n")
