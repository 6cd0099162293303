"""Entries of a manifest that have no value, or that no server writes, are named."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from mixed_company import analysis
from mixed_company.analysis import reading
from mixed_company.analysis.audit import NOTES
from mixed_company.analysis.audit.digests import check_digests
from mixed_company.analysis.audit.form import check_form
from mixed_company.analysis.audit.manifest import check_manifest
from mixed_company.analysis.audit.rows import Findings, Rows
from mixed_company.analysis.audit.sessions import check_config
from mixed_company.analysis.data import Data
from mixed_company.experiment.manifest import formed
from tests.analysis.audit.faults import contents_of, dropped, written
from tests.analysis.audit.rehearsed import export


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return export(tmp_path_factory.mktemp("entries"))


@pytest.fixture(scope="module")
def data(good: Path) -> Data:
    return analysis.load(good)


@pytest.mark.parametrize("column", ["first_seen_ms", "assigned_ms", "slot", "points_1"])
def test_a_column_left_out_of_participants_is_named(good, tmp_path, column):
    files = contents_of(good)
    files["participants.csv"] = dropped(files["participants.csv"], column)
    rows = csv.reader(io.StringIO(files["codebook.csv"].decode(), newline=""))
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(
        row for row in rows if not {"participants", column} <= {*row}
    )
    files["codebook.csv"] = text.getvalue().encode()
    frame, problems = reading.participants(written(tmp_path / "bad.zip", files))
    assert frame is not None
    assert column in frame
    named = f"participants.csv, {column}: this column is missing"
    assert named in [str(problem) for problem in problems]


@pytest.mark.parametrize(
    ("key", "value", "rule"),
    [
        ("participants", None, "participants = None: should be a valid integer"),
        ("participants", "4", "participants = '4': should be a valid integer"),
        ("participants", -1, "participants = -1: should be greater than or equal to 0"),
        ("groups", None, "groups: None should be a whole number"),
        ("groups", [4], "groups: [4] should be a whole number"),
        ("groups", {"sanctions": None}, "groups: {'sanctions': None} should be a whole number"),
    ],
)
def test_a_number_without_a_value_is_named(data, key, value, rule):
    """The audit would otherwise skip the comparison, as for an export without the entry."""
    [code, *_] = data.manifest["sessions"]
    session = {**data.manifest["sessions"][code], key: value}
    kept, faults = formed(
        {**data.manifest, "tables": {}, "games": None, "sessions": {code: session}}
    )
    assert any(line.startswith(f"sessions.{code}.{rule}") for line in faults)
    assert key not in kept["sessions"][code]


def of_plan(data: Data, **entries: Any) -> list[str]:
    """Return the problems with the digests after each session's plan is changed."""
    sessions = {
        code: {**about, "plan": {**about["plan"], **entries}}
        for code, about in data.manifest["sessions"].items()
    }
    findings = Findings(data.game_id)
    rows = Rows.of("config", data.config)
    check_digests(rows, {**data.manifest, "sessions": sessions}, findings)
    return [problem.what.partition(": plan: ")[2] for problem in findings.problems]


@pytest.mark.parametrize("parts", [["first"], ["first", "second"], ["second", "first"]])
def test_parts_of_a_plan_without_repeated_blocks_are_named(data, parts):
    assert of_plan(data) == []
    assert "its parts do not match its blocks" in of_plan(data, parts=parts)


@pytest.mark.parametrize(("order", "named"), [("open,pool", True), ("open,open", False)])
def test_a_note_says_that_an_older_release_does_not_fix_the_order_of_treatments(data, order, named):
    """The keys of a JSON object have no order, so a seal made with a key does not fix it either."""
    options = [
        json.dumps({**json.loads(text), "treatment_order": order}) for text in data.config.options
    ]
    config = data.config.assign(options=options).drop(columns="digest")
    sessions = {
        code: {**about, "plan": {"name": "two_blocks", "treatments": {"pool": 4, "open": 4}}}
        for code, about in data.manifest["sessions"].items()
    }
    software = {**data.manifest["software"], "mixed_company": "0.8.0"}
    manifest = {**data.manifest, "software": software, "sessions": sessions}
    findings = Findings(data.game_id)
    check_digests(Rows.of("config", config), manifest, findings)
    notes = [problem.what for problem in findings.problems if "order: is missing" in problem.what]
    sentence = (
        "plan: order: is missing, so the export does not fix the order of the treatments, and the "
        "direction of each test depends on that order"
    )
    assert notes == [f"sessions: {code}: {sentence}" for code in sorted(sessions) if named]
    assert {problem.kind for problem in findings.problems} == {"unknown"}


def test_an_empty_time_of_an_export_is_named(data):
    """Without it, plays that stop before the export or begin after it could not be named."""
    lines = []
    for moment in (data.manifest["made"], ""):
        findings = Findings(data.game_id)
        check_manifest(Rows.of("config", data.config), {**data.manifest, "made": moment}, findings)
        lines.append([problem.what for problem in findings.problems if "made" in problem.what])
    assert lines == [[], ["made: is empty, but every server writes the time of the export"]]


@pytest.mark.parametrize("text", ["{}", '{"python": "3.11.7"}', '{"otree": ""}'])
def test_a_group_of_a_server_without_a_version_of_otree_is_named(data, text):
    [game, *_] = data.games.values()

    def named(software: str) -> list[str]:
        findings = Findings(data.game_id)
        config = data.config.iloc[:1].assign(software=software)
        [row] = Rows.of("config", config).records()
        check_config(row, game, data.manifest, findings)
        return [str(problem) for problem in findings.problems if problem.kind not in NOTES]

    assert named(data.config["software"].iloc[0]) == []
    [problem] = named(text)
    rule = "does not name a version of otree, but the group was played on a server"
    assert rule in problem


@pytest.mark.parametrize(
    ("section", "key", "here"),
    [("identity", "seed", False), ("core", "seats", False), ("core", "periods", True)],
)
def test_a_key_left_out_of_a_configuration_is_named(data, section, key, here):
    """A default would take its place, and slots or sentences about bots would not be compared."""
    [game, *_] = data.games.values()
    manifest = data.manifest if here else {**data.manifest, "code": "0"}
    config = json.loads(data.config["config"].iloc[0])
    del config[section][key]
    changed = data.config.iloc[:1].assign(config=json.dumps(config))
    for table, expected in ((data.config.iloc[:1], []), (changed, [f"{section}.{key}"])):
        findings = Findings(data.game_id)
        [row] = Rows.of("config", table).records()
        check_form(row, game, manifest, findings)
        lines = [problem.what for problem in findings.problems]
        assert [line.rpartition("does not have ")[2] for line in lines] == expected


@pytest.mark.parametrize("table", ["sanctions/journal.csv", "participants.csv"])
def test_a_missing_table_of_a_server_is_named_whatever_the_software(data, table):
    others = {path: about for path, about in data.manifest["tables"].items() if path != table}
    config = data.config.assign(software="{}")
    findings = Findings(data.game_id)
    check_manifest(Rows.of("config", config), {**data.manifest, "tables": others}, findings)
    assert [problem.what for problem in findings.problems] == [f"tables: {table}: is missing"]


STEWARD = "'steward' is a policy of commons_game, but of no game in this export"
HERMIT = "'hermit' is not installed here, so it could not be checked"
PATH = r"'population:\x00.toml' is not installed here, so it could not be checked"


@pytest.mark.parametrize(
    ("people", "changes", "kind", "rule"),
    [
        (["sanction_averse", "fixed:contribution=3", "outside:gpt"], {}, "", ""),
        (["steward", "sanction_averse", "steward"], {}, "differs", STEWARD),
        (["hermit"], {}, "unknown", HERMIT),
        (["population:\0.toml"], {}, "unknown", PATH),
        (["steward"], {"software": {"mixed_company": "0.8.0"}}, "", ""),
        (["steward"], {"sealed": {"groups": 4, "head": "", "key": "", "seal": ""}}, "", ""),
        (["steward"], {"games": {"sanctions": "1", "commons_game": "1"}}, "", ""),
    ],
    ids=["game", "other game", "not installed", "path", "other release", "no server", "two games"],
)
def test_people_of_a_rehearsal_who_cannot_play_the_game_are_named(
    data, people, changes, kind, rule
):
    rehearsed = {**data.manifest["rehearsed"], "people": people}
    manifest = {**data.manifest, **changes, "rehearsed": rehearsed}
    findings = Findings(data.game_id)
    check_manifest(Rows.of("config", data.config), manifest, findings)
    named = [(fault.kind, fault.what) for fault in findings.problems if "people: '" in fault.what]
    assert named == ([(kind, f"rehearsed: people: {rule}")] if kind else [])
