"""Blind reports: true group counts, under labels that reveal nothing."""

from __future__ import annotations

import re
from dataclasses import fields, replace
from typing import Any

import pandas as pd
import pytest

from mixed_company.analysis import report
from mixed_company.analysis.blinding import blinded
from mixed_company.analysis.data import Data
from mixed_company.analysis.planned import tested as hypotheses
from mixed_company.analysis.planned.tested import of_plan
from mixed_company.analysis.report import blind, excluded
from mixed_company.analysis.report import planned as part
from mixed_company.analysis.report.contents import contents
from mixed_company.analysis.report.measured import Measured
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.experiment.plan import Plan
from tests.analysis.planned.made import TEXT, content, mixed, played, sealed
from tests.analysis.report.made import two_treatments, undrawn
from tests.experiment.planned import plan

NAMES = ("open", "pool")
SEEDS = range(6)


@pytest.fixture(scope="module")
def study() -> Plan:
    return plan(TEXT)


@pytest.fixture(scope="module")
def data(study: Plan) -> Data:
    """Return two sessions, each with three groups of both treatments."""
    return of_plan(mixed(played(study, 6)), "small", study)


def labels(data: Data) -> dict[tuple[str, int], str]:
    """Return the label of each group."""
    rows = data.groups[["session", "group", "treatment"]].astype({"treatment": str})
    return {(session, group): name for session, group, name in rows.itertuples(index=False)}


def parts(data: Data) -> set[frozenset[tuple[str, int]]]:
    """Return each label's groups."""
    labelled = labels(data)
    return {frozenset(key for key in labelled if labelled[key] == name) for name in NAMES}


def counts(data: Data) -> dict[tuple[str, str], int]:
    """Count groups by session and label."""
    table: dict[tuple[str, str], int] = (
        data.config.groupby(["session", "treatment"]).size().to_dict()
    )
    return table


# -- the labels -----------------------------------------------------------------------------------


@pytest.mark.parametrize("groups", [2, pytest.param(3, marks=pytest.mark.long)])
def test_no_label_matches_a_treatment_and_group_numbers_are_true(study, groups):
    data = of_plan(played(study, groups), "small", study)
    for seed in SEEDS:
        permuted = blinded(data, NAMES, seed)
        assert not parts(permuted) & parts(data)
        assert permuted.groups["treatment"].value_counts().to_dict() == dict.fromkeys(NAMES, groups)
        assert permuted.treatments == data.treatments


@pytest.mark.long
def test_group_numbers_stay_within_a_session_of_several_treatments(data):
    for seed in SEEDS:
        assert counts(blinded(data, NAMES, seed)) == counts(data)
    apart = len({tuple(labels(blinded(data, NAMES, seed)).values()) for seed in SEEDS})
    assert apart > len(SEEDS) / 2  # out of 398 ways


def test_a_seed_gives_the_same_labels_whatever_the_order_of_groups(data):
    backwards = replace(data, config=data.config.iloc[::-1].reset_index(drop=True))
    assert labels(blinded(backwards, NAMES, 3)) == labels(blinded(data, NAMES, 3))


def test_each_label_has_the_same_number_of_finished_groups(data):
    """One group of each treatment did not finish, and one of these two never started."""
    unfinished = data.periods["group"].isin([1, 12])
    never = data.periods["group"] == 1
    periods = data.periods.assign(ended=data.periods["ended"].where(~unfinished, ""))[~never]
    early = replace(data, periods=periods.reset_index(drop=True))
    true = early.groups.groupby("treatment", observed=True)["ended"].agg(
        lambda ends: sum(ends != "")
    )
    for seed in SEEDS:
        groups = blinded(early, NAMES, seed).groups
        ended = groups.groupby("treatment", observed=True)["ended"].agg(
            lambda ends: sum(ends != "")
        )
        assert ended.to_dict() == true.to_dict() == {"open": 5, "pool": 5}


def test_no_label_matches_a_treatment_among_the_groups_in_the_tests(data):
    """Exclude groups with a false label; the rest would otherwise show the true tests."""
    true, seed = labels(data), 3
    permuted = labels(blinded(data, NAMES, seed))
    false = {name: [key for key in true if true[key] == name != permuted[key]] for name in NAMES}
    excluded = {*false["open"], *false["pool"]}
    assert {true[key] for key in true.keys() - excluded} == set(NAMES)
    again = labels(blinded(data, NAMES, seed, without=excluded))
    check_permuted(again, true, true.keys() - excluded)
    playing = data.periods.set_index(["session", "group"]).index.isin(excluded)
    periods = data.periods.assign(ended=data.periods["ended"].mask(playing, ""))
    unended = replace(data, periods=periods, events=data.events.iloc[:0])
    check_permuted(labels(blinded(unended, NAMES, seed)), true, true.keys() - excluded)


def check_permuted(permuted, true, groups) -> None:
    """Check that no label has exactly one treatment's groups among these, and that each label keeps
    their number."""
    parts = [
        [{key for key in groups if labelled[key] == name} for name in NAMES]
        for labelled in (permuted, true)
    ]
    assert not [part for part in parts[0] if part in parts[1]]
    assert [*map(len, parts[0])] == [*map(len, parts[1])]


def test_groups_that_cannot_exchange_labels_without_the_excluded_ones_are_refused(study):
    data = of_plan(played(study, 2), "small", study)
    first, *_, last = labels(data)
    with pytest.raises(ConfigError, match=r"blind: groups = open 1, pool 1: .* with two groups"):
        blinded(data, NAMES, 1, without=[first, last])


def test_an_export_without_groups_is_refused(data):
    frames = {field.name: getattr(data, field.name) for field in fields(data)}
    nobody = {name: of.iloc[:0] for name, of in frames.items() if isinstance(of, pd.DataFrame)}
    with pytest.raises(ConfigError, match=r"blind: groups = 0: blinding needs at least two treatm"):
        blind.permuted(replace(data, **nobody), 1)


def test_the_played_data_are_unchanged(data):
    permuted = blinded(data, NAMES, 1)
    for field in fields(data):
        frame = getattr(data, field.name)
        if isinstance(frame, pd.DataFrame):
            same = frame.drop(columns="treatment") if field.name == "config" else frame
            after = getattr(permuted, field.name)
            after = after.drop(columns="treatment") if field.name == "config" else after
            pd.testing.assert_frame_equal(after, same)


def test_data_that_cannot_be_blinded_are_refused(study, data):
    alone = of_plan(played(study, 1), "small", study)
    with pytest.raises(ConfigError, match=r"blind: groups = open 1, pool 1: .* with two groups"):
        blinded(alone, NAMES, 1)
    with pytest.raises(ConfigError, match="blind: treatment = 'pool' in session 's1'"):
        blinded(data, ["open"], 1)


# -- the report -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def files(study: Plan, data: Data) -> dict[str, str | bytes]:
    with undrawn():
        return written(study, data, 3)


def written(study: Plan, data: Data, seed: int) -> dict[str, str | bytes]:
    permuted = blinded(data, NAMES, seed)
    planned = part.of_plan(data, study, content(study), sealed(study), blind=[permuted])
    return report.files(data, file="export.zip", plan=planned)


@pytest.mark.long
def test_the_same_seed_gives_the_same_bytes(study, data, files):
    with undrawn():
        again = written(study, data, 3)
    assert again.keys() == files.keys()
    for name in [name for name in files if name.endswith(".csv")]:
        assert again[name] == files[name], name


def test_every_file_says_it_is_blind_and_the_first_screen_lists_omissions(files):
    assert all(name.rpartition("/")[2].startswith(blind.MARK) for name in files)
    page = str(files["blind_report.html"])
    head = page[page.index("<header>") : page.index("</header>")]
    assert "<h1>Blind report: commons game</h1>" in head
    assert blind.WORDS in head
    assert blind.LEFT_OUT in head
    assert "Audit of the game: 12 groups, 36 periods, " in head
    for name in re.findall(r"<code>((?:tables|figures)/[^<]*)</code>", page):
        assert name in files, name


def test_the_tests_use_permuted_labels_and_show_the_digest_of_the_seal(study, data, files):
    from io import StringIO

    table = pd.read_csv(StringIO(str(files["tables/blind_hypotheses.csv"])))
    permuted = hypotheses.tested([blinded(data, NAMES, 3)], study, None)
    assert table["p"].tolist() == permuted["p"].tolist()
    assert table["effect"].tolist() != hypotheses.tested([data], study, None)["effect"].tolist()
    assert table["groups"].tolist() == ["open 6, pool 6", "pool 6, open 6"]
    assert set(table["status"]) == {"blind"}
    assert f"({sealed(study).digest:.12})" in str(files["blind_report.html"])
    counted = pd.read_csv(StringIO(str(files["tables/blind_treatments.csv"])))
    assert counted.to_dict("list") == {"treatment": ["open", "pool"], "groups": [6, 6]}


def test_nothing_reveals_a_treatments_rules_or_names_a_group_or_session(data, files):
    words = ["per_step", "governance", "pool_effect", *data.groups["group_id"]]
    texts = {name: text for name, text in files.items() if isinstance(text, str)}
    for name, text in texts.items():
        assert [word for word in words if word in text] == [], name
    for name in [name for name in texts if name.endswith(".csv")]:
        head = texts[name].partition("\n")[0].split(",")
        assert not {"session", "group", "group_id", "participant", "left_out"} & {*head}, name
    assert {name for name in texts if "deviations" in name or "groups.csv" in name} == set()


@pytest.mark.long
def test_an_open_report_does_not_mention_blinding(study, data):
    planned = part.of_plan(data, study, content(study), sealed(study))
    with undrawn():
        files: dict[str, Any] = report.files(data, plan=planned)
    assert not [name for name in files if "blind" in name]
    assert "lind" not in str(files["report.html"])[: files["report.html"].index("</header>")]


@pytest.mark.long
def test_the_main_measures_match_the_open_report(data):
    """Measures cover only people if treatments have different bots; permuted labels hide that
    difference.
    """
    text = TEXT.replace('"harvest"', '"points"\nof = "people"')
    study = plan(text.replace('"mean_points"', '"points"\nof = "people"'))
    of_pool = (data.seats["group"] > 10) & (data.seats["occupant"] == "policy")
    policies = data.seats["policy_id"].mask(of_pool, "greedy")
    data = replace(data, seats=data.seats.assign(policy_id=policies))
    permuted = blinded(data, NAMES, 3)
    with undrawn(all_tests=True):
        open_eyed, closed = (
            contents(data, plan=part.of_plan(data, study, content(study), None, blind=labelled))
            for labelled in ((), [permuted])
        )
    columns = ["family", "level", "measure"]
    tests = [
        contest.tables["tests"].frame[columns].to_dict("list") for contest in (open_eyed, closed)
    ]
    assert tests[0] == tests[1]
    assert tests[0]["level"][0] == "person"


# -- without a plan -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def unplanned() -> Data:
    """Return three groups of each of two session configs, in separate sessions."""
    return two_treatments(groups=3, periods=2)


@pytest.fixture(scope="module")
def permuted_files(unplanned: Data) -> dict[str, str | bytes]:
    with undrawn():
        return report.files(unplanned, file="export.zip", seed_of_labels=3)


def test_without_a_plan_the_labels_of_all_treatments_are_permuted(unplanned):
    shortened = unplanned.shortened()
    true = {frozenset(some) for some in shortened.groups.groupby("treatment").groups.values()}
    for seed in SEEDS:
        permuted = blind.permuted(unplanned, seed)
        assert permuted.treatments == shortened.treatments
        parts = permuted.groups.groupby("treatment").groups.values()
        assert [len(some) for some in parts] == [3, 3]
        assert not {frozenset(some) for some in parts} & true


def test_an_excluded_group_does_not_exchange_its_label(unplanned):
    group = unplanned.groups.iloc[0]
    rows = [excluded.Excluded(group["session"], int(group["group"]), "", "a projector", "before")]
    true = blind.permuted(unplanned, 1, rows).groups["treatment"].astype(str)
    assert true.iloc[0] == group["treatment"]


def test_custom_names_are_permuted_and_keep_their_order(unplanned):
    named = unplanned.named({"second": ["other"], "first": ["open"]})
    permuted = blind.permuted(named, 1)
    assert permuted.treatments == ["second", "first"]
    assert permuted.groups["treatment"].value_counts().to_dict() == {"second": 3, "first": 3}


def test_plays_in_blocks_have_permuted_treatment_and_block_labels():
    data = two_treatments(groups=4, periods=2)
    block = pd.Series(["before", "before", "after", "after"] * 2, dtype="str")
    data = replace(data, config=data.config.assign(session="s", group=range(1, 9), block=block))
    shortened = data.shortened()
    for seed in SEEDS:
        permuted = blind.permuted(data, seed)
        names = ["open, before", "open, after", "other, before", "other, after"]
        assert sorted(permuted.treatments) == sorted(shortened.treatments) == sorted(names)
        parts = permuted.groups.groupby("treatment", observed=True).groups.values()
        true = shortened.groups.groupby("treatment", observed=True).groups.values()
        assert [len(some) for some in parts] == [2] * 4
        assert not {frozenset(some) for some in parts} & {frozenset(some) for some in true}


@pytest.mark.long
def test_the_whole_report_uses_permuted_labels_and_names_no_group(unplanned, permuted_files):
    from io import StringIO

    assert all(name.rpartition("/")[2].startswith(blind.MARK) for name in permuted_files)
    page = str(permuted_files["blind_report.html"])
    assert "<h1>Blind report: commons game</h1>" in page
    assert blind.WORDS in page
    table = pd.read_csv(StringIO(str(permuted_files["tables/blind_tests.csv"])))
    true, drawn = (
        Measured(file).groups.groupby("treatment", observed=True)["harvest"].mean()
        for file in (unplanned, blind.permuted(unplanned, 3))
    )
    row = table[table["level"] == "group"].set_index("measure").loc["harvest"]
    assert row["mean open"] == pytest.approx(drawn["open"])
    assert row["mean open"] != pytest.approx(true["open"])
    for name, file in permuted_files.items():
        text = file if isinstance(file, str) else ""
        assert [group for group in unplanned.groups["group_id"] if group in text] == [], name


@pytest.mark.long
def test_the_tests_both_ways_are_blind_and_do_not_name_excluded_groups(unplanned):
    group = unplanned.groups.iloc[0]
    rows = [excluded.Excluded(group["session"], int(group["group"]), "", "a projector", "before")]
    with undrawn():
        files = report.files(unplanned, excluded=rows, seed_of_labels=3)
    assert "tables/blind_both_ways.csv" in files
    assert "tables/blind_excluded.csv" not in files
    assert not [
        name for name, text in files.items() if isinstance(text, str) and "projector" in text
    ]
    without = str(files["tables/blind_both_ways.csv"]).splitlines()[0]
    assert without.startswith("family,measure,all groups")


@pytest.mark.long
def test_without_a_seed_no_label_is_permuted(unplanned):
    with undrawn():
        files = report.files(unplanned)
    assert not [name for name in files if "blind" in name]
