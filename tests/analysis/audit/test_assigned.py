"""The audit compares an export's treatments with its plan, and reports every change."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from mixed_company.analysis import load, report
from mixed_company.analysis.audit import NOTES, audited, check
from mixed_company.analysis.data import Data
from mixed_company.experiment.digests import of_plan
from tests.analysis.audit.faults import contents_of
from tests.analysis.audit.planting import Manifest, Tables, packed, tables_of
from tests.analysis.audit.rehearsed import EXPORT
from tests.analysis.planned.made import export


@pytest.fixture(scope="module")
def data() -> Data:
    return export()


def wrong(data: Data) -> list[str]:
    return [str(problem) for problem in audited(data).problems if problem.kind not in NOTES]


def changed(data: Data, table: str, row: int, **values: Any) -> Data:
    frame = getattr(data, table).copy()
    for name, value in values.items():
        if value is None:
            frame[name] = frame[name].astype("Int64")
        frame.loc[row, name] = value
    return replace(data, **{table: frame})


def test_a_good_export_has_no_difference(data):
    assert wrong(data) == []
    assert data.treatments == ["open", "pool"]
    assert sorted(data.groups["group_id"]) == ["plan1-1", "plan1-2"]


@pytest.mark.long
def test_treatments_of_a_plan_have_its_order_and_names(data):
    people = report.tables(data)["participants"]
    assert set(people["treatment"]) == {"open", "pool"}  # including people without a group


FAULTS = [
    ("decisions", 0, {"treatment": "closed"}, "closed should be "),
    ("periods", 0, {"treatment": ""}, "nothing should be "),
    ("events", 0, {"group_id": "plan1-9"}, "plan1-9 should be plan1-1"),
    ("seats", 0, {"group_id": ""}, "nothing should be plan1-1"),
    ("config", 0, {"treatment": "closed"}, "is not a treatment of plan 'small'"),
    ("outcomes", 0, {"treatment": "closed"}, "closed should be"),
    ("outcomes", 4, {"treatment": ""}, "participant alone: nothing should be"),
    ("outcomes", 4, {"group_id": "plan1-1"}, "plan1-1 should be nothing"),
    ("outcomes", 4, {"slot": None}, "assigned_ms"),
]


@pytest.mark.parametrize(("table", "row", "values", "sentence"), FAULTS)
def test_every_change_is_reported(data, table, row, values, sentence):
    problems = wrong(changed(data, table, row, **values))
    assert any(sentence.replace("'", "") in line.replace("'", "") for line in problems), problems


def of_plan_changed(data: Data, **changes: Any) -> Data:
    """Return the data with different values in the manifest's plan entry."""
    about = data.manifest["sessions"]["plan1"]
    entry = {**about, "plan": {**about["plan"], **changes}}
    return replace(data, manifest={**data.manifest, "sessions": {"plan1": entry}})


@pytest.mark.parametrize("key", ["digest", "plan", "money", "digests"])
def test_every_part_of_a_plans_digest_is_checked(data, key):
    plan = data.manifest["sessions"]["plan1"]["plan"]
    value = "f" * 64 if isinstance(plan[key], str) else dict.fromkeys(plan[key], "")
    problems = wrong(of_plan_changed(data, **{key: value}))
    whole = "manifest.json: sessions: plan1: plan: its digest does not match its parts"
    assert any(line.startswith(whole) for line in problems), problems


@pytest.mark.parametrize("remade", [False, True])
def test_treatments_cannot_trade_names(data, remade):
    """All treatment names are swapped. If `remade` is true, the plan's digest is recomputed."""
    names = {"open": "pool", "pool": "open"}
    traded = {
        table: frame.assign(treatment=frame["treatment"].astype(str).map(names))
        for table in ("decisions", "periods", "seats", "events", "outcomes", "config", "journal")
        for frame in [getattr(data, table)]
    }
    plan = data.manifest["sessions"]["plan1"]["plan"]
    moved = {key: {names[name]: plan[key][name] for name in names} for key in ("digests",)}
    digest = {"digest": of_plan({**plan, **moved})} if remade else {}
    problems = wrong(of_plan_changed(replace(data, **traded), **moved, **digest))
    rule = "does not match this treatment and the rules that the group played"
    assert len([line for line in problems if rule in line]) == 2, problems


def test_an_export_of_an_earlier_release_has_no_digests(data):
    plan = data.manifest["sessions"]["plan1"]["plan"]
    kept = {key: value for key, value in plan.items() if key not in ("digests", "plan", "money")}
    about = {**data.manifest["sessions"]["plan1"], "plan": {**kept, "digest": "of before"}}
    config = data.config.drop(columns="digest")
    old = replace(data, config=config, manifest={"sessions": {"plan1": about}})
    assert wrong(old) == []


def test_a_slot_of_another_treatment_is_reported(data):
    treatments = data.outcomes["treatment"].tolist()
    other = treatments.index(next(name for name in treatments if name != treatments[0]))
    slot = int(data.outcomes["slot"].iloc[other])
    problems = wrong(changed(data, "outcomes", 0, slot=slot))
    assert any(line.startswith("commons_game/outcomes.csv, line 2") for line in problems), problems


def test_an_export_of_an_earlier_release_is_read_without_plan_columns(data):
    frames = {}
    for name in ("decisions", "periods", "seats", "events", "outcomes", "config"):
        frames[name] = getattr(data, name).drop(columns=["treatment", "group_id"])
    frames["config"] = frames["config"].drop(columns="digest")
    frames["outcomes"] = frames["outcomes"].drop(columns=["slot", "assigned_ms"])
    old = replace(data, **frames, manifest={"sessions": {}})
    # under one session config the difference is named
    assert old.treatments == ["small, governance=none", "small, governance=per_step"]
    kept = [line for line in wrong(old) if "treatment" in line or "group_id" in line]
    assert kept == []


def test_treatments_assigned_by_hand_are_checked_against_that_order(data):
    about = data.manifest["sessions"]["plan1"]
    order = [str(data.config["treatment"][0])]
    plan = {**about["plan"], "by_hand": order}
    by_hand = replace(data, manifest={"sessions": {"plan1": {**about, "plan": plan}}})
    problems = [line for line in wrong(by_hand) if f"should be {order[0]}" in line]
    assert len(problems) == (data.outcomes["treatment"] != order[0]).sum() > 0


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("label", "B-12"),
        ("slot", 7),
        ("assigned_ms", 1_900_000_000_000),
        ("parameters", '{"PROLIFIC_PID": "x"}'),
    ],
)
def test_a_person_has_the_same_values_in_all_blocks(column, value):
    blocks = load(EXPORT)
    assert wrong(blocks) == []
    later = blocks.outcomes.index[blocks.outcomes["block"] == "second"][0]
    code = blocks.outcomes["participant"][later]
    lines = wrong(changed(blocks, "outcomes", later, **{column: value}))
    words = f"{column}: participant {code}: {value} "
    assert any(words in line for line in lines), lines


def _without_treatment(tables: Tables, manifest: Manifest) -> None:
    for entry in manifest["sessions"].values():
        entry["plan"]["treatments"].popitem()


def _without_seat(tables: Tables, manifest: Manifest) -> None:
    header, *people = tables["outcomes"]
    people[0][header.index("seat")] = ""


@pytest.mark.parametrize("change", [_without_treatment, _without_seat])
def test_people_who_cannot_be_matched_are_a_fault_in_words(change, tmp_path):
    files = contents_of(EXPORT)
    manifest = json.loads(files["manifest.json"])
    for entry in manifest["sessions"].values():
        entry["plan"]["matching"] = "strangers"
    tables = tables_of(files, manifest)
    change(tables, manifest)
    bad = packed(tmp_path / "bad.zip", files, tables, manifest)
    faults = [str(problem) for problem in check(bad) if problem.kind not in NOTES]
    assert any("people cannot be matched from block to block" in fault for fault in faults)


def test_a_session_has_no_more_apps_of_games_than_blocks(tmp_path):
    files = contents_of(EXPORT)
    manifest = json.loads(files["manifest.json"])
    for entry in manifest["sessions"].values():
        entry["apps"] = ["sanctions", "sanctions_2", "sanctions_3"]
    bad = packed(tmp_path / "bad.zip", files, tables_of(files, manifest), manifest)
    rule = "apps: lists more game apps than the plan's 2 blocks"
    assert len([line for line in map(str, check(bad)) if rule in line]) == len(manifest["sessions"])
