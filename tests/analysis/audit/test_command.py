"""`python -m analysis check`: what it says, and its exit code."""

from __future__ import annotations

from pathlib import Path

import pytest

import analysis
from analysis.__main__ import main
from tests.analysis.audit.faults import edited, planted


@pytest.fixture
def good(tmp_path: Path) -> Path:
    given = {"people": ["random"], "bots": ["random"], "groups": 2, "seed": 1, "archetype": "lab"}
    analysis.save(analysis.simulated("gem_mining", periods=3, **given), tmp_path / "good.zip")
    return tmp_path / "good.zip"


def test_a_good_export_is_one_line_of_counts(good, capsys):
    assert main(["check", str(good)]) == 0
    said = capsys.readouterr().out
    assert said.startswith("gem_mining: 2 groups, 6 periods, ")
    assert said.endswith(" numbers compared; all is right\n")
    assert said.count("\n") == 1


def test_differences_are_told_one_per_line_up_to_the_limit(good, tmp_path, capsys):
    def change(rows):
        for row in rows[1:]:
            edited(rows.index(row), "reward", "77.0")(rows)

    bad = planted(good, tmp_path / "bad.zip", "decisions", change, remade=True)
    assert main(["check", str(bad), "--limit", "2", "--game", "gem_mining"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith("; problems: 24")
    assert lines[1].startswith("gem_mining/decisions.csv, line 2, reward: period 0, seat 0: 77.0")
    assert lines[3] == "... and 10 more of this group in this table (--limit 0: all)"
    assert len(lines) == 1 + 2 * 3
    assert main(["check", str(bad), "--limit", "0"]) == 1
    assert len(capsys.readouterr().out.splitlines()) == 25


def test_what_is_only_to_be_known_is_no_fault(tmp_path, capsys):
    given = {"people": ["random"], "groups": 1, "seed": 1, "archetype": "lab", "bots": ["random"]}
    data = analysis.simulated("commons_game", **given)
    waiting = {"session": "simulated", "participant": "x", "status": "waiting"}
    waiting |= {"points": 0.0, "paid_points": 0.0}
    data.outcomes.loc[len(data.outcomes), list(waiting)] = list(waiting.values())
    analysis.save(data, tmp_path / "export.zip")
    assert main(["check", str(tmp_path / "export.zip")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1:] == ["to be known: participant x of session simulated waits in the lobby"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["check", "nowhere.zip"], "nowhere.zip: there is no such file"),
        (["chek", "x.zip"], "command 'chek': unknown; did you mean 'check'?"),
    ],
)
def test_what_cannot_be_read_is_one_sentence_and_exit_code_2(capsys, arguments, told):
    assert main(arguments) == 2
    assert capsys.readouterr().err.strip() == told


def test_a_game_that_is_not_there_is_named(good, capsys):
    assert main(["check", str(good), "--game", "gem_minin"]) == 2
    assert "is not in" in capsys.readouterr().err


def test_without_a_command_the_commands_are_told(capsys):
    assert main([]) == 2
    assert "check" in capsys.readouterr().out
