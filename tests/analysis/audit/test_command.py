"""Output and exit code of `mixed check`."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from mixed_company import analysis, engine
from mixed_company.__main__ import main
from mixed_company.analysis.audit import NOTES
from mixed_company.table.export.archive import code_hash
from tests.analysis.audit.faults import edited, planted, written


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("good") / "good.zip"
    options = {"people": ["random"], "bots": ["random"], "groups": 2, "seed": 1, "archetype": "lab"}
    analysis.save(analysis.simulated("gem_mining", periods=3, **options), path)
    return path


CHAIN = "seals: sealed without a key, so anybody who changes the file can recompute the chain"


def test_a_good_export_gets_a_line_of_counts_and_one_about_seals(good, capsys):
    assert main(["check", str(good)]) == 0
    counts, seals = capsys.readouterr().out.splitlines()
    assert counts.startswith("gem_mining: 2 groups, 6 periods, ")
    assert counts.endswith(" numbers compared; everything matches")
    assert seals == CHAIN


def test_differences_are_printed_one_per_line_up_to_the_limit(good, tmp_path, capsys):
    def change(rows):
        for row in rows[1:]:
            edited(rows.index(row), "reward", "77.0")(rows)

    bad = planted(good, tmp_path / "bad.zip", "decisions", change, remade=True)
    assert main(["check", str(bad), "--limit", "2", "--game", "gem_mining"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith("; problems: 24")
    assert lines[1].startswith("gem_mining/decisions.csv, line 2, reward: period 0, seat 0: 77.0")
    assert lines[3] == "... and 10 more of this group in this table (--limit 0: all)"
    assert lines[-2].startswith("Expected numbers follow from configuration, seed and")
    assert len(lines) == 1 + 2 * 3 + 2
    assert main(["check", str(bad), "--limit", "0"]) == 1
    assert len(capsys.readouterr().out.splitlines()) == 27


def test_a_negative_limit_is_refused(good, capsys):
    assert main(["check", str(good), "--limit", "-1"]) == 2
    assert capsys.readouterr().err == "--limit: -1: should be at least 0\n"


def test_a_policy_that_did_not_have_the_seat_is_named(good, tmp_path, capsys):
    """All decisions in that seat are the person's."""
    change = edited(1, "policy_id", "steward")
    bad = planted(good, tmp_path / "bad.zip", "decisions", change, remade=True)
    assert main(["check", str(bad)]) == 1
    [line] = [line for line in capsys.readouterr().out.splitlines() if "policy_id" in line]
    assert line == (
        "gem_mining/decisions.csv, line 2, policy_id: period 0, seat 0: steward should be nothing "
        "(session simulated, group 1)"
    )


def test_a_remark_is_no_fault(tmp_path, capsys):
    options = {"people": ["random"], "groups": 1, "seed": 1, "archetype": "lab", "bots": ["random"]}
    data = analysis.simulated("commons_game", **options)
    waiting = {"session": "simulated", "participant": "x", "status": "waiting"}
    waiting |= {"points": 0.0, "paid_points": 0.0, "treatment": "simulated", "group_id": ""}
    data.outcomes.loc[len(data.outcomes), list(waiting)] = list(waiting.values())
    analysis.save(data, tmp_path / "export.zip")
    assert main(["check", str(tmp_path / "export.zip")]) == 0
    lines = capsys.readouterr().out.splitlines()
    waits = "note: participant x of session simulated waits in the lobby"
    unseen = (
        "note: commons_game/outcomes.csv: 1 row of session simulated without a seat: only the "
        "server's key shows whether these participants exist"
    )
    assert lines[1:] == [waits, unseen, CHAIN]


def remade(good: Path, bad: Path, **changes) -> Path:
    """Write the export with a different manifest."""
    with zipfile.ZipFile(good) as zipped:
        files = {name: zipped.read(name) for name in zipped.namelist()}
    manifest = {**json.loads(files["manifest.json"]), **changes}
    return written(bad, {**files, "manifest.json": json.dumps(manifest).encode()})


def test_a_rules_version_that_differs_from_the_groups_is_a_difference(good, tmp_path, capsys):
    version = engine.find("gem_mining").version
    bad = remade(good, tmp_path / "bad.zip", games={"gem_mining": "99"})
    assert [problem.kind for problem in analysis.check(bad)] == ["differs"]
    assert main(["check", str(bad)]) == 1
    assert capsys.readouterr().out.splitlines()[1:] == [
        f"manifest.json: games: gem_mining: '99' should be '{version}', as in config",
        CHAIN,
    ]


def test_other_code_is_reported_and_no_fault_if_the_numbers_are_right(good, tmp_path, capsys):
    other = remade(good, tmp_path / "other.zip", code="0123456789abcdef")
    assert [problem for problem in analysis.check(other) if problem.kind not in NOTES] == []
    assert main(["check", str(other)]) == 0
    here = code_hash()[:12]
    assert capsys.readouterr().out.splitlines()[1:] == [
        f"made by different code (0123456789ab; this is {here}): it produces the same numbers",
        "note: codebooks, data package and scripts were not compared with the tables, because "
        "another version of this project made the export",
        CHAIN,
    ]
    bad = planted(other, tmp_path / "bad.zip", "decisions", edited(1, "reward", "7"), remade=True)
    assert main(["check", str(bad)]) == 1
    line = capsys.readouterr().out.splitlines()[1]
    assert line.endswith("): the differences may come from that")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["check", "nowhere.zip"], "nowhere.zip: there is no such file"),
        (["chek", "x.zip"], "command 'chek': unknown; did you mean 'check'?"),
    ],
)
def test_an_unreadable_file_gives_one_sentence_and_exit_code_2(capsys, arguments, message):
    assert main(arguments) == 2
    assert capsys.readouterr().err.strip() == message


def test_an_empty_key_is_refused(good, tmp_path, capsys):
    (tmp_path / "key.txt").write_text("\n")
    assert main(["check", str(good), "--key", str(tmp_path / "key.txt")]) == 2
    assert "key.txt: the file is empty, but should contain a sealing key" in capsys.readouterr().err


def test_a_missing_game_is_named(good, capsys):
    assert main(["check", str(good), "--game", "gem_minin"]) == 2
    assert "not in" in capsys.readouterr().err


def test_without_a_command_the_commands_are_listed(capsys):
    assert main([]) == 2
    assert "check" in capsys.readouterr().out
