"""Power of a plan's tests, simulated with policies in place of people."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd
import pytest

from mixed_company.analysis.planned.powered import columns_of, notes, powered, without_values
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.experiment import treatments
from mixed_company.policies import sharing
from tests.analysis import elsewhere
from tests.analysis.planned.made import MEAN_HARVEST, TEXT
from tests.analysis.pools import played_once
from tests.experiment.planned import SMALL, config, plan

OF_PEOPLE = """
[hypotheses.harvest]
meaning = "people harvest more with a pool"
measure = "harvest"
of = "people"
test = "mann_whitney"
"""

REPEATED = (
    TEXT.replace("test = ", 'block = "first"\ntest = ')
    + """
[[blocks]]
name = "first"
meaning = "twice"
repeat = 2
"""
)


@pytest.fixture(scope="module")
def one_pool() -> Iterator[None]:
    with played_once():
        yield


@pytest.mark.usefixtures("one_pool")
def test_power_covers_each_hypothesis_with_policies_in_place_of_people():
    study = plan(TEXT.replace("greedy,steward", "noisy_person"))
    setups = treatments.shipped_series("commons_game", config(study))[0]
    table = powered(study, [setups], [2], repetitions=10, pool=20, seed=1)
    assert table["hypothesis"].tolist() == ["harvest", "points"]
    assert table["test"].tolist() == ["mann_whitney", "welch"]
    assert table["alpha"].tolist() == [0.025, 0.025]  # two tests of one family
    assert "looks" not in table
    with pytest.raises(ConfigError, match="no policies for people in treatment 'open'"):
        powered(plan(TEXT.replace('people = "greedy,steward"', "")), [setups], [3])


@pytest.mark.long
def test_power_uses_the_plans_looks_and_can_run_in_other_processes(monkeypatch):
    text = SMALL.replace("greedy,steward", "noisy_person") + OF_PEOPLE
    study = plan(text.replace("groups = 2", 'groups = 8\nlooks = [4]\nspending = "pocock"'))
    setups = treatments.shipped_series("commons_game", config(study))[0]
    alone = powered(study, [setups], [4, 6], repetitions=20, seed=1)
    assert alone["looks"].tolist() == ["2, 4", "3, 6"]
    monkeypatch.setattr(sharing, "shared", elsewhere.shared)
    by_others = powered(study, [setups], [4, 6], repetitions=20, seed=1, workers=2)
    pd.testing.assert_frame_equal(alone, by_others)


@pytest.mark.usefixtures("one_pool")
def test_looks_of_groups_that_exchange_people_are_counted_in_groups():
    """4 of 8 groups are 2 of 4 matching groups, and 8 of 16 are 4 of 8."""
    keys = 'groups = 8\nlooks = [4]\nmatching = "strangers"\nmatching_groups = 2\nroles = "redrawn"'
    text = SMALL.replace("greedy,steward", "noisy_person").replace("groups = 2", keys)
    blocks = [f'\n[[blocks]]\nname = "{name}"\nmeaning = "alike"\n' for name in ("one", "two")]
    study = plan(f'{text}{OF_PEOPLE}block = "one"\n{"".join(blocks)}')
    setups = treatments.shipped_series("commons_game", config(study))
    table = powered(study, setups, [8, 16], repetitions=10, pool=80, seed=1)
    assert table["groups"].tolist() == [8, 16]
    assert table["looks"].tolist() == ["4, 8", "8, 16"]


def test_power_names_the_parts_of_a_plan_that_policies_cannot_simulate():
    text = TEXT.replace('governance = "per_step"', 'talk = "free", talk_when = "before"')
    study = plan(text.replace('test = "welch"', 'test = "permutation"\nunit = "session"'))
    setups = treatments.shipped_series("commons_game", config(study))[0]
    assert list(notes(study, [setups])) == [
        "harvest: power counts all significant results, because no direction is expected",
        "harvest: simulated people do not talk; in pool they play as if nobody could talk",
        "points: compares sessions, which cannot be simulated; it has no row",
    ]


def test_power_names_hypotheses_about_blocks_with_several_plays():
    study = plan(REPEATED)
    setups = treatments.shipped_series("commons_game", config(study))
    why = "compares blocks with several plays, which cannot be simulated; it has no row"
    assert list(notes(study, setups)) == [f"harvest: {why}", f"points: {why}"]
    with pytest.raises(ConfigError, match="or blocks with several plays, which cannot be simulat"):
        powered(study, setups, [4])


@pytest.mark.usefixtures("one_pool")
def test_power_counts_results_in_the_stated_direction_only():
    """With a pool, noisy people pay into it. They earn less in three periods, not more."""
    text = TEXT.replace("greedy,steward", "noisy_person").replace(MEAN_HARVEST, "")
    text = text.replace('["pool", "open"]', '["open", "pool"]')
    power, opposite = {}, {}
    for direction in ("higher", "lower"):
        study = plan(f'{text}direction = "{direction}"\n')
        series = treatments.shipped_series("commons_game", config(study))
        table = powered(study, series, [6], repetitions=10, pool=60, seed=1)
        power[direction] = table.at[0, "power"]
        opposite[direction] = table["opposite"].tolist() if "opposite" in table else None
        assert list(notes(study, series)) == [
            "points: power counts significant results only if mean_points of all seats is "
            f"{direction} in pool than in open"
        ]
    assert power["higher"] == 0 < 0.5 < power["lower"]
    assert opposite == {"higher": [power["lower"]], "lower": None}  # shown only if there are any
    study = plan(text)
    assert list(notes(study, series)) == [
        "points: power counts all significant results, because no direction is expected"
    ]


LIMITED = """
[changes]
layers.power = { intensity = 1.0, limits = { member = { harvest = 1.0 } } }

[treatments.open]"""
VOTED = """
changes.rules.low = { meaning = "little" }
changes.rules.much = { meaning = "as one likes", changes.layers.power = { intensity = 0.0 } }
"""


@pytest.mark.long
def test_power_covers_groups_that_choose_their_rule():
    """Under the limit both treatments are alike. Noisy people earn the most without it and vote
    against it; stewards are bots and abstain. So all groups that vote take more.
    """
    text = TEXT.replace("[treatments.open]", LIMITED)
    text = text.replace('changes = { governance = "per_step" }\n', VOTED)
    text = text.replace("greedy,steward", "noisy_person").replace(MEAN_HARVEST, "")
    study = plan(text)
    (setups,) = treatments.shipped_series("commons_game", config(study))
    assert powered(study, [setups], [3], repetitions=10)["power"].tolist() == [1.0]


COMPANY = """
title = "More and more bots"
session = "commons_small"
groups = 10
people = "fixed:harvest=3,random,fixed:harvest=1,fixed:harvest=0"

[treatments.none]
meaning = "four people"
changes = { people_per_group = 4 }

[treatments.one]
meaning = "three people and a bot"
changes = { people_per_group = 3 }

[treatments.two]
meaning = "two people and two bots"
changes = { people_per_group = 2 }

[hypotheses.harvest]
meaning = "The more bots, the more people harvest."
measure = "harvest"
of = "people"
test = "jonckheere"
"""


@pytest.mark.long
def test_people_who_do_not_react_to_bots_show_no_trend_over_numbers_of_bots():
    """No policy reacts to the others, so 5% of experiments find a trend across treatments."""
    study = plan(COMPANY)
    setups = treatments.shipped_series("commons_game", config(study))[0]
    table = powered(study, [setups], [10], repetitions=200, seed=1)
    assert table.at[0, "low"] <= 0.05 <= table.at[0, "high"], table


REWARDED = f"""{SMALL}
[hypotheses.net]
meaning = "points cost the group something"
measure = "net_efficiency"
test = "mann_whitney"
"""


def test_a_measure_without_values_in_a_treatment_is_named():
    points = REWARDED.replace("changes = {", 'changes = { peer = "both",', 1)
    study = plan(points)
    setups = treatments.shipped_series("commons_game", config(study))[0]
    named = [line.split("; ")[0] for line in without_values(study, [setups])]
    sentence = "hypotheses.net.measure = 'net_efficiency': had no value in 4 simulated groups of"
    assert named == [f"{sentence} treatment {name!r}" for name in study.treatments]
    harvests = plan(points.replace("net_efficiency", "harvest"))
    assert not list(without_values(harvests, [setups]))
    unknown = plan(points.replace("net_efficiency", "netto"))  # another remark names it
    assert not list(without_values(unknown, [setups]))


def test_other_processes_receive_setups_whose_people_are_a_population(monkeypatch):
    study = plan(
        TEXT.replace("greedy,steward", "population:van_klingeren_2020").replace(MEAN_HARVEST, "")
    )
    setups = treatments.shipped_series("commons_game", config(study))[0]
    monkeypatch.setattr(sharing, "shared", elsewhere.shared)
    table = powered(study, [setups], [2], repetitions=10, pool=20, workers=2)
    assert table["power"].between(0, 1).all()


UNREAD = TEXT.replace('governance = "per_step"', 'disclosure = "labels"')


def test_power_names_treatments_that_differ_only_in_what_people_are_told():
    study = plan(UNREAD + 'direction = "higher"\n')  # for the second hypothesis
    setups = treatments.shipped_series("commons_game", config(study))[0]
    named = [line for line in notes(study, [setups]) if "policies cannot read" in line]
    assert [line.split(" differ")[0] for line in named] == [
        "harvest: Treatments open and pool",
        "points: Treatments pool and open",
    ]
    assert named[0].endswith("; power is then the false-positive rate")
    assert named[1].endswith(
        "; power is then the false-positive rate in the expected direction, which is half the "
        "rate "
        "in both"
    )


def test_power_says_how_alpha_was_divided_and_what_the_interval_is() -> None:
    interval = "low, high: 95% interval of the power, from the number of simulated experiments"
    assert list(columns_of(plan(TEXT))) == [
        interval,
        "alpha: the plan's alpha divided among the tests in the family: 0.025 in main (0.05 / 2)",
    ]
    assert list(columns_of(plan(SMALL + MEAN_HARVEST))) == [interval]


def test_power_names_measures_that_include_bots() -> None:
    study = plan(TEXT.replace('governance = "per_step"', "people_per_group = 1"))
    setups = treatments.shipped_series("commons_game", config(study))[0]
    named = [line for line in notes(study, [setups]) if "this group measure includes" in line]
    assert [line.split(":")[0] for line in named] == ["harvest", "points"]
