"""Reports on blocks that the same people played, and on groups that exchange people."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO

import pandas as pd
import pytest

from mixed_company import analysis
from mixed_company.analysis import report, statistics
from mixed_company.analysis.data import Data
from mixed_company.analysis.planned.tested import of_plan
from mixed_company.analysis.planned.tested import tested as hypotheses_of
from mixed_company.analysis.report import blind, compared, courses
from mixed_company.analysis.report.measured import IN_BLOCKS, MIXED, OF_GAME, Measured, dependent
from mixed_company.experiment.plan import Plan
from tests.analysis.report.made import main_alone, undrawn
from tests.analysis.test_blind_blocks import BLOCKS, BOTH, ONE, exchanging, simulate_units
from tests.experiment.planned import SMALL, plan

TEXT = f"""{SMALL}{BLOCKS}
[hypotheses.after]
meaning = "more is harvested with a pool"
measure = "harvest"
test = "mann_whitney"
block = "after"
"""


@pytest.fixture(scope="module")
def study() -> Plan:
    return plan(TEXT)


@pytest.fixture(scope="module")
def partners(study: Plan) -> Data:
    """Return four groups of each treatment that stay together in three blocks."""
    return of_plan(simulate_units(4, BOTH), "small", study)


@pytest.fixture(scope="module")
def strangers(partners: Data) -> Data:
    """Return the same groups, as if every two of them had exchanged people."""
    return exchanging(partners)


def test_every_block_has_its_own_tests_of_the_units_in_the_hypotheses(study, strangers) -> None:
    measured = Measured(strangers)
    assert measured.blocks == {
        name: [f"open, {name}", f"pool, {name}"] for name in ("before", "pooled", "after")
    }
    with main_alone():
        tests = compared.compared(measured)
    assert tests["groups"].unique().tolist() == ["2, 2"]
    main = tests[(tests["family"] == "main") & (tests["measure"] == "harvest")]
    assert main["block"].tolist() == ["before", "pooled", "after"]
    for row in tests.to_dict("records"):
        names = [name for name in strangers.treatments if row[f"n {name}"] == 2]
        assert names == measured.blocks[row["block"]]
    hypotheses = hypotheses_of([strangers], study, None).set_index("hypothesis")
    assert hypotheses.loc["after", "groups"] == "open 2, pool 2"
    after = main.set_index("block").loc["after"]
    assert after["p"] == hypotheses.loc["after", "p"]
    assert after["effect"] == hypotheses.loc["after", "effect"]


def test_p_values_are_corrected_over_the_tests_of_all_blocks(partners) -> None:
    with main_alone():
        tests = compared.compared(Measured(partners))
    main = tests[(tests["family"] == "main") & tests["p"].notna()]
    assert main["block"].nunique() > 1
    assert main["correction"].unique().tolist() == [f"Holm, {len(main)} tests of the main measures"]


def test_no_pair_or_trend_crosses_blocks(partners) -> None:
    assert compared.pairs(Measured(partners)).empty
    assert compared.trends(Measured(partners)).empty


def test_precision_and_regressions_have_one_row_per_block(strangers, partners) -> None:
    precision = compared.precision(Measured(strangers))
    assert precision["block"].tolist()[:3] == ["before", "pooled", "after"]
    rows = courses.regressions(Measured(partners))
    tested_rows = rows[rows["coefficient"].notna()]
    assert set(tested_rows["groups"]) == {"4, 4"}
    for block, part in tested_rows.groupby("block"):
        assert part["coefficient"].str.contains(f", {block}").all()


def test_survival_is_compared_within_blocks_and_only_among_independent_groups(
    partners, strangers
) -> None:
    rows = courses.log_rank(Measured(partners))
    assert rows["block"].tolist() == ["before", "pooled", "after"]
    assert rows["groups"].tolist() == [8, 8, 8]
    notes = courses.log_rank(Measured(strangers))["notes"]
    assert set(notes) == {"log-rank test: groups exchanged people, so they are not independent"}


def test_blocks_of_one_treatment_are_not_compared() -> None:
    whole = simulate_units(4)
    data = analysis.joined(whole.of_block("before"), whole.of_block("after"))
    in_two = {
        name: frame.assign(session=frame["session"] + (frame["group"] % 2).astype(str))
        for name, frame in vars(data).items()
        if isinstance(frame, pd.DataFrame)
    }
    measured = Measured(of_plan(replace(data, **in_two), "small", plan(ONE)))
    with main_alone():
        tests = compared.compared(measured)
    assert set(tests["groups"]) == {"4"}
    assert tests["p"].isna().all()
    assert measured.data.treatments == ["open, before", "open, after"]
    assert measured.data.config["session"].nunique() == 2
    assert compared.by_session(measured).empty


def test_the_report_says_that_blocks_are_not_compared(strangers) -> None:
    with undrawn():
        files = report.files(strangers, main=["harvest"])
    assert f"{IN_BLOCKS} {MIXED}" in str(files["report.html"])
    table = pd.read_csv(StringIO(str(files["tables/measures_groups.csv"])))
    assert sorted(table["group"]) == sorted(strangers.config["group"])  # their sections use it


def test_a_blind_report_without_a_plan_counts_every_play(strangers) -> None:
    """In a repeated block, two plays of a unit can get different labels."""
    data = strangers.of_block("before")
    numbers = [number % 2 for number in range(len(data.config))]
    able = replace(data, config=data.config.assign(play=numbers))
    with main_alone():
        tests = blind.tables(blind.permuted(able, 3), OF_GAME, able)["tests"]
    assert tests.frame["groups"].unique().tolist() == ["4, 4"]
    assert MIXED not in tests.note


def test_a_report_says_of_every_blocks_tests_whether_groups_were_mixed(partners, strangers) -> None:
    for data, is_said in ((partners, False), (strangers, True)):
        for part in (data, data.of_block("before")):
            words = dependent(part, part.blocks)
            assert (MIXED in words) == is_said
            assert (IN_BLOCKS in words) == (part is data)


def test_the_means_of_sessions_are_those_of_the_main_measures(strangers) -> None:
    """There is one session; a person with several rows counts once in both tables."""
    measured = Measured(strangers)
    first = measured.only_people[measured.only_people["seat"] == 0].assign(harvest=99.0)
    twice = pd.concat([measured.only_people, first], ignore_index=True)
    measured.__dict__["families"] = [(*measured.families[0][:2], twice, ["harvest"])]
    table = compared.sessions(measured).set_index("treatment")["harvest"]
    units = statistics.units(twice, "harvest")
    for name in strangers.treatments:
        assert table[name] == pytest.approx(units.sample(name).mean())
