"""Simulated power: equal to values calculated by hand if nothing is random, otherwise within the
simulation error."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd
import pytest

from mixed_company import analysis
from mixed_company.__main__ import main
from mixed_company.analysis import measures
from mixed_company.analysis.power import power
from mixed_company.analysis.power import simulation as module
from mixed_company.analysis.power.experiments import Experiments, findings, interval, looked
from mixed_company.analysis.statistics import NoTest
from mixed_company.analysis.statistics.tests import TESTS
from mixed_company.engine.contract.chance import generator
from mixed_company.engine.contract.errors import ConfigError, UnknownName
from mixed_company.policies import sharing
from tests.analysis import elsewhere
from tests.analysis.pools import played_once
from tests.analysis.report.made import FIRST_GAME

STEADY = {"archetype": "lab", "periods": 2, "people": ["fixed:harvest=2"] * 4}
GREEDY = {**STEADY, "people": ["fixed:harvest=3"] * 4}


def numbered(data):
    """Return the points of a group plus a little more for every later group, so values differ."""
    points = data.outcomes.groupby(["session", "group"])["points"].sum()
    return points + points.index.get_level_values("group") / 1000


NOISY = {"archetype": "lab", "periods": 2, "people": ["noisy_person"] * 4}


@pytest.fixture(scope="module")
def one_pool() -> Iterator[None]:
    with played_once():
        yield


@pytest.mark.usefixtures("one_pool")
def test_treatments_without_chance_by_hand():
    """All groups of one treatment earn more than all groups of the other. With three against three,
    p = 2 / 20 and never reaches 0.05; with four against four it is 2 / 70 and always does. If all
    100 repetitions succeed, Wilson's lower limit is 100 / (100 + 1.96^2) = 0.963.
    """
    table = power(
        "commons_game", {"two": STEADY, "three": GREEDY}, numbered, [3, 4], repetitions=100, pool=40
    )
    assert table["power"].tolist() == [0, 1]
    assert table["low"].tolist() == pytest.approx([0, 0.963], abs=5e-4)
    assert table["high"].tolist() == pytest.approx([0.037, 1], abs=5e-4)
    assert table["test"].tolist() == ["mann_whitney"] * 2
    assert table["pool"].tolist() == [40, 40]


ASCENDING = {"two": STEADY, "three": GREEDY}
THREE = {"one": {**STEADY, "people": ["fixed:harvest=1"] * 4}, **ASCENDING}


@pytest.mark.usefixtures("one_pool")
@pytest.mark.parametrize(
    ("named", "test", "size"),
    [
        (ASCENDING, "mann_whitney", 4),
        pytest.param(ASCENDING, "welch", 4, marks=pytest.mark.long),
        pytest.param(ASCENDING, "permutation", 4, marks=pytest.mark.long),
        pytest.param(THREE, "jonckheere", 3, marks=pytest.mark.long),
    ],
)
def test_only_results_in_the_expected_direction_are_power_by_hand(named, test, size):
    """The last treatment is always higher, and the test always significant."""
    options = {"test": test, "repetitions": 10, "pool": 10 * size}
    shares = {
        direction: power("commons_game", named, numbered, [size], direction=direction, **options)
        for direction in ("", "higher", "lower")
    }
    assert {name: table.at[0, "power"] for name, table in shares.items()} == {
        "": 1,
        "higher": 1,
        "lower": 0,
    }
    assert "opposite" not in shares[""]
    assert [shares[name].at[0, "opposite"] for name in ("higher", "lower")] == [0, 1]


@pytest.mark.long
def test_the_result_is_the_same_whichever_process_does_the_work(monkeypatch):
    treatments = {"one": NOISY, "other": {**NOISY, "growth_rate": 0.4}}
    alone = power("commons_game", treatments, "points", [4, 5], repetitions=20)
    with monkeypatch.context() as patched:
        patched.setattr(sharing, "shared", elsewhere.shared)
        options = {"repetitions": 20, "workers": 2}
        by_others = power("commons_game", treatments, "points", [4, 5], **options)
    pd.testing.assert_frame_equal(alone, by_others)
    with pytest.raises(ConfigError, match="workers = 0: should be at least 1"):
        power("commons_game", treatments, "points", [4], repetitions=20, workers=0)


@pytest.mark.long
@pytest.mark.parametrize("looks", [(), (0.5,)])
def test_a_treatment_under_two_names_differs_at_the_rate_alpha(looks):
    table = power(
        "commons_game",
        {"one": NOISY, "other": NOISY},
        "points",
        [8],
        alpha=0.1,
        looks=looks,
        spending="pocock",
        repetitions=250,
        pool=160,
        seed=1,
    )
    assert 0.03 < table["power"].iloc[0] < 0.2
    assert table["low"].iloc[0] < 0.1 < table["high"].iloc[0]


@pytest.mark.long
def test_power_agrees_with_new_experiments():
    """Power comes from a pool of 120 groups per treatment. Here each of 100 experiments plays new
    groups. Both shares have errors, so they may differ by their combined error."""
    people = {"people": ["noisy_person"] * 4, "archetype": "lab_0_7", "periods": 8}
    treatments = {rate: {**people, "growth_rate": rate} for rate in (0.4, 0.5)}
    number, size = 100, 6
    new = {
        rate: analysis.simulated(
            "commons_game", treatment="new", groups=number * size, seed=seed, **setup
        )
        for seed, (rate, setup) in enumerate(treatments.items(), 100)
    }
    points = [
        data.outcomes.groupby("group")["points"].mean().to_numpy().reshape(number, size)
        for data in new.values()
    ]
    for test in ("mann_whitney", "welch"):
        named = {str(rate): setup for rate, setup in treatments.items()}
        table = power("commons_game", named, "points", [size], test=test, repetitions=300, seed=1)
        [row] = table.to_dict("records")
        rng = generator(0, "not drawn: six against six groups are all tried")
        p = [TESTS[test](samples, 999, rng).p for samples in zip(*points, strict=True)]
        share = np.mean(np.array(p) <= 0.05)
        error = np.hypot(
            (row["high"] - row["low"]) / 2, 1.96 * np.sqrt(share * (1 - share) / number)
        )
        assert 0.3 < share < 0.95
        assert abs(row["power"] - share) <= error, (row["power"], share, error)


def test_an_experiment_with_looks_is_significant_if_any_look_is_by_hand():
    """Each treatment has four values with a rank sum of 18, so p = 1 with all groups. Of the 36
    ways in which two of each can come first, 6 have both of one treatment above both of the other
    (14 67, 15 67, 45 23, 45 67, 48 23, 58 23), with p = 1/3. Pocock's level at half of alpha = 0.6
    is 0.6 ln(1 + (e - 1) / 2) = 0.37, O'Brien and Fleming's 4 (1 - normal(1.036 / 0.7071)) = 0.29.
    """
    low, high = np.array([1.0, 4, 5, 8]), np.array([2.0, 3, 6, 7])

    def share(looks, spending, times):
        blocks = [[low, high]] * 10
        experiments = Experiments(blocks, looks, "mann_whitney", 0.6, spending, 999, times, seed=1)
        return findings(experiments)[:, 0].mean()

    assert share([2, 4], "pocock", 500) == pytest.approx(1 / 6, abs=0.02)
    assert share([2, 4], "obrien_fleming", 100) == 0
    assert share([4], "pocock", 100) == 0


def test_looks_are_at_the_same_shares_for_any_number_of_groups():
    assert looked([1 / 3, 1 / 2], 24) == [8, 12, 24]
    assert looked([1 / 3, 1 / 2], 12) == [4, 6, 12]
    assert looked([0.1, 0.2], 6) == [2, 6]  # a single group has no looks
    assert looked([0.9], 4) == [4]
    assert looked([], 4) == [4]


@pytest.mark.parametrize("measure", ["points", "reward", "reward_sum", "periods"])
def test_a_measure_can_be_a_column_of_any_table(measure):
    data = module.simulated("commons_game", groups=2, seed=0, **STEADY)
    # Two periods of 2 each; a group's sum per period is 8.
    expected = {"points": 4, "reward": 2, "reward_sum": 8, "periods": 2}[measure]
    assert module._values(data, measure, "two").tolist() == [expected] * 2


@pytest.mark.long
@pytest.mark.parametrize("game", FIRST_GAME)
def test_every_measure_of_groups_and_people_is_found(game):
    """Only non-numeric measures, such as types of people, are excluded."""
    brief = {"turns" if game == "punishment_vote" else "periods": 8, "archetype": "lab"}
    data = module.simulated(game, ["random"], ["random"], groups=2, seed=1, **brief)
    described = measures.described(game)
    for name in described.loc[described["level"] != "period", "measure"].drop_duplicates():
        if name == "type":
            with pytest.raises(ConfigError, match="measure 'type': its values are words; power n"):
                module._column(data, name)
        else:
            assert module._column(data, name).index.names == ["session", "group"]


def test_a_measure_of_groups_is_itself_and_one_of_people_the_mean_of_the_seats():
    """Seats take 2, 2, 2 and 4, so the Gini coefficient is (3 * 2 * |4 - 2|) / (2 * 4 * 10) = 0.15.
    Over two periods they earn 2.5 per period on average."""
    people = [*["fixed:harvest=2"] * 3, "fixed:harvest=4"]
    data = module.simulated("commons_game", groups=2, seed=0, **{**STEADY, "people": people})
    assert module._values(data, "gini", "two").tolist() == pytest.approx([0.15] * 2)
    assert module._column(data, "points_per_period").tolist() == pytest.approx([2.5] * 2)
    with pytest.raises(UnknownName, match=r"measure 'efficency': .*did you mean 'efficiency'"):
        module._column(data, "efficency")


def test_the_interval_by_hand():
    """With ten blocks at 0.5 nothing is widened, and Wilson's interval for 500 of 1000 is 0.469 to
    0.531. Five blocks at 0.4 and five at 0.6 have a variance of 0.1 / 9, and their mean 0.00111.
    That equals 0.25 / 0.00111 = 225 repetitions, times (1.96 / 2.262)^2 = 0.751: 168.9, and
    Wilson's interval is 0.5 -+ 0.0746.
    """
    share, low, high = interval(np.full(10, 0.5), 1000, 0.95)
    assert (share, low, high) == pytest.approx((0.5, 0.469, 0.531), abs=5e-4)
    share, low, high = interval(np.repeat([0.4, 0.6], 5), 1000, 0.95)
    assert (share, low, high) == pytest.approx((0.5, 0.5 - 0.0746, 0.5 + 0.0746), abs=5e-4)


TWO = {"two": STEADY, "three": GREEDY}


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"treatments": {"two": STEADY}}, ConfigError, "treatments: 1 given; power needs 2 or mor"),
        (
            {"treatments": {**TWO, "none": {"bots": ["greedy"]}}, "test": "kruskal_wallis"},
            ConfigError,
            "treatment 'none': people: should name the policies that play in place of people",
        ),
        ({"groups": [1, 4]}, ConfigError, "groups = [1, 4]: should be numbers of groups"),
        ({"alpha": 5}, ConfigError, "alpha = 5: should be between 0 and 1, such as 0.05"),
        ({"repetitions": 55}, ConfigError, "repetitions = 55: should be a multiple of 10"),
        ({"pool": 30}, ConfigError, "pool = 30: should be at least 40, so each of 10 blocks"),
        ({"test": "jonkheere"}, UnknownName, "test = 'jonkheere': unknown; did you mean 'jonckhe"),
        (
            {"measure": "point"},
            UnknownName,
            "measure 'point': unknown in commons_game; did you mean 'points'?",
        ),
        (
            {"measure": lambda data: data.outcomes.set_index(["session", "group"])["points"][:0]},
            NoTest,
            "measure: 4 of 4 groups of treatment 'two' have no value (group 1 of two, ",
        ),
        (
            {},
            NoTest,
            "measure: always the same within a treatment, because these policies are",
        ),
        (
            {"treatments": {**TWO, "two": {**STEADY, "people": ["greed"]}}},
            ConfigError,
            "bots: no policies are named for 3 of 4 seats",
        ),
    ],
)
def test_impossible_simulations_are_named(changes, error, message):
    options = {"treatments": TWO, "measure": "points", "groups": [4], "pool": 40, "repetitions": 10}
    with pytest.raises(error) as raised:
        power("commons_game", **(options | changes))
    assert str(raised.value).startswith(message)


COMMAND = [
    *("power", "commons_game", "--measure", "points", "--groups", "3,4", "--repetitions", "10"),
    *("--treatment", "two", "people=" + ",".join(["noisy_person"] * 4), "periods=2"),
    *("--treatment", "three", "people=noisy_person", "bots=greedy", "archetype=lab", "periods=2"),
    *("--workers", "1", "--pool", "40"),
]


def test_the_command_prints_the_table(capsys):
    assert main(COMMAND) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == [
        *("groups", "power", "low", "high", "test", "alpha", "repetitions", "pool")
    ]
    assert [line.split()[0] for line in lines[1:]] == ["3", "4"]
    assert lines[1].split()[1] == "0.000"  # three groups against three never reach 0.05


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (
            ["--groups", "4,x"],
            "groups = '4,x': should be whole numbers separated by commas, such as 4,8,12",
        ),
        (
            ["--treatment", "two", "people=greedy"],
            "treatment 'two': named twice; use different names",
        ),
        (["--measure", "pont"], "measure 'pont': unknown in commons_game; did you mean 'points'?"),
    ],
)
def test_the_command_refuses_with_a_sentence(capsys, changed, message):
    assert main([*COMMAND, *changed]) == 2
    assert capsys.readouterr().err.splitlines()[-1].endswith(message)


UNSURE = """
game = "sanctions"
sentence = "Nobody knows how many of them give nothing."
source = "made up"

[[types]]
name = "none"
policy = "free_rider"
share = 0.5
share_error = 0.2
source = "made up"

[[types]]
name = "all"
policy = "fixed"
share = 0.5
share_error = 0.2
source = "made up"
parameters.contribution = 20.0
"""


@pytest.fixture
def unsure(tmp_path):
    (tmp_path / "unsure.toml").write_text(UNSURE)
    people = [f"population:{tmp_path}/unsure.toml"] * 4
    return {"archetype": "unsanctioned", "periods": 1, "people": people}


@pytest.mark.long
def test_uncertain_populations_are_the_same_in_all_treatments_of_a_study(unsure):
    """Differences between studies do not make treatments differ. If all treatments have the same
    people, they differ in at most 5% of studies; with a new population for each treatment, they
    differ more often. The block means show how much studies differ: by as much as the share, 0.2.
    """
    parts = module._parts("sanctions", {"a": unsure, "b": unsure}, ["contribution"], 8, 1, 25)
    drawn = module._uncertain(parts, 1, 25)
    of_a, of_b = drawn[:25], drawn[25:]
    assert [part.treatment["people"] for part in of_a] == [p.treatment["people"] for p in of_b]
    assert len({part.treatment["people"][0] for part in of_a}) == 25
    means = [module._values_of(part)[0].mean() / 20 for part in of_a]
    assert np.std(means) == pytest.approx(0.2, abs=0.1)
    treatments = {"a": unsure, "b": unsure}
    options = {"repetitions": 500, "pool": 200, "uncertain": True}
    table = power("sanctions", treatments, "contribution", [5], **options)
    assert table["power"].tolist()[0] < 0.12
    assert table["pool"].tolist() == [200]


def test_without_a_population_nothing_is_uncertain(unsure, capsys):
    with pytest.raises(ConfigError, match="uncertain: no policy is a population"):
        power("commons_game", {"a": NOISY, "b": NOISY}, "points", [2], pool=50, uncertain=True)
    options = {"repetitions": 10, "uncertain": True}
    with pytest.raises(ConfigError, match="repetitions = 10: should be a multiple of 25"):
        power("sanctions", {"a": unsure, "b": unsure}, "points", [2], **options)
    assert main(["power", "--effect", "3", "--sd", "6", "--uncertain"]) == 2
    assert "--uncertain: needs a game" in capsys.readouterr().err
