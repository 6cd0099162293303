"""Tests that a user's trained policy plays wherever policies are compared, in all processes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mixed_company.__main__ import main
from tests.bots.trained.models import always, write
from tests.mixed.bad import refused

pytestmark = pytest.mark.usefixtures("folders_forgotten")

GAME = ["commons_game", "--archetype", "lab_0_7", "periods=2"]


@pytest.fixture
def folder(tmp_path: Path) -> list[str]:
    """Return the option that names a folder with the `pupil` policy."""
    path = tmp_path / "own"
    path.mkdir()
    write(path, always(0.0, 0.0))
    return ["--folder", str(path)]


def test_it_takes_a_seat_in_a_play(capsys, folder):
    assert main(["play", *GAME, *folder, "--policies", "pupil,greedy"]) == 0
    last = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert last["returns"] == [10, 20, 10, 20]  # midway between 0 and 10, and the maximum, twice


@pytest.mark.parametrize("workers", ["1", pytest.param("2", marks=pytest.mark.long)])
def test_it_plays_a_tournament(capsys, folder, workers):
    more = ["--policies", "pupil,greedy", "--plays", "2", "--workers", workers]
    assert main(["tournament", *GAME, *folder, *more]) == 0
    assert "| `pupil` | " in capsys.readouterr().out


def test_it_plays_a_metagame(capsys, folder, tmp_path):
    more = ["--plays", "2", "--workers", "1", "--output", str(tmp_path / "results")]
    assert main(["metagame", *GAME, *folder, *more, "--policies", "pupil,greedy"]) == 0
    assert "| `pupil` | " in capsys.readouterr().out


@pytest.mark.parametrize(
    "command",
    [
        ["tournament", *GAME],
        ["metagame", *GAME, "--output", "results"],
        ["exploit", "pupil"],
        ["judge", "pupil"],
    ],
    ids=lambda command: command[0],
)
def test_files_are_not_sent_to_a_cluster(capsys, folder, command):
    message = refused(capsys, *command, *folder, "--scheduler", "tcp://127.0.0.1:1")
    assert (
        "--folder: the folder is on this machine, but a cluster can read only bots/trained"
        in message
    )
