"""An invalid manifest entry is named and left out, and never raises an exception."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mixed_company import analysis
from mixed_company.__main__ import main
from mixed_company.experiment.manifest import formed
from tests.analysis.audit.faults import contents_of, written

EXPORT = Path(__file__).resolve().parents[1] / "analysis/audit/two_blocks.zip"
SESSION = "sessions.t4g0co8c"
OTHERS: tuple[Any, ...] = (None, 5, -1.5, True, "", [], ["x"], [["x"]], {}, {"x": ["y"]}, 10**30)


def changed(path: str, value: Any) -> dict[str, Any]:
    """Return the export's manifest with one entry changed."""
    manifest: dict[str, Any] = json.loads(contents_of(EXPORT)["manifest.json"])
    *folders, key = path.split(".")
    place = manifest
    for name in folders:
        place = place[name]
    place[key] = value
    return manifest


@pytest.mark.parametrize(
    ("path", "value", "sentence"),
    [
        ("session_configs", [["x"]], "session_configs.0 = ['x']: should be a valid string"),
        ("created", [["x"]], "created.0 = ['x']: should be a valid string"),
        ("games", [], "games = []: should be an object"),
        ("code", [1], "code = [1]: should be a valid string"),
        ("anonymous", "yes", "anonymous = 'yes': should be a valid boolean"),
        ("rehearsed", 5, "rehearsed = 5: should be an object"),
        (f"{SESSION}.session_config", ["a"], "should be a valid string"),
        (f"{SESSION}.plan.matching", "met", "should be 'partners', 'strangers' or"),
        (f"{SESSION}.plan.assignment", "lot", "should be 'balanced', 'by_group' or 'arrival'"),
        (f"{SESSION}.plan.roles", "same", "should be 'kept' or 'redrawn'"),
        (f"{SESSION}.plan.matching_groups", 10**30, "should be less than or equal to 100"),
        ("made", "yesterday", "'yesterday' should be a time in ISO 8601 with a time zone, such as"),
        ("made", "2026-11-28T09:00:00", "should be a time in ISO 8601 with a time zone, such as"),
        ("rehearsed.seed", [5, 5], "rehearsed.seed: [5, 5] contains a seed twice"),
    ],
)
def test_an_entry_of_another_form_is_named_and_left_out(path, value, sentence):
    manifest = changed(path, value)
    kept, [fault] = formed(manifest)
    assert sentence in fault
    assert fault.startswith(path)
    assert kept != manifest


def test_games_without_tables_and_tables_without_games_are_named():
    kept, faults = formed(changed("games", {"trust_game": "1"}))
    assert faults == [
        "games.trust_game = '1': no tables for this game",
        "games.sanctions: is missing, but it has tables",
    ]
    assert kept["games"] == {"sanctions": ""}


def test_a_right_manifest_is_kept_as_it_is():
    manifest = json.loads(contents_of(EXPORT)["manifest.json"])
    assert formed(manifest) == (manifest, [])


@pytest.mark.parametrize(
    "path",
    [
        *("games", "sessions", "created", "session_configs", "rehearsed", "rehearsed.seed"),
        *("software", "code", "made", "anonymous", SESSION, f"{SESSION}.plan"),
        *(f"{SESSION}.plan.{key}" for key in ("treatments", "blocks", "money", "digests", "name")),
    ],
)
@pytest.mark.long
def test_no_value_in_a_manifest_raises(tmp_path, path):
    for value in OTHERS:
        files = contents_of(EXPORT) | {"manifest.json": json.dumps(changed(path, value)).encode()}
        assert main(["check", str(written(tmp_path / "bad.zip", files))]) in (0, 1)


def test_an_analysis_reads_what_is_left(tmp_path):
    manifest = changed("session_configs", [["x"]])
    files = contents_of(EXPORT) | {"manifest.json": json.dumps(manifest).encode()}
    data = analysis.load(written(tmp_path / "bad.zip", files))
    assert str(data.problems[0]) == (
        "manifest.json: session_configs.0 = ['x']: should be a valid string; it is left out"
    )
    assert len(data.groups) == len(data.config)
