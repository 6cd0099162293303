"""Model of who punishes whom, checked by hand, against statsmodels, and on points simulated from
known rules.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any
from unittest.mock import patch

import numpy as np
import pandas as pd
import pytest
from statsmodels.discrete.discrete_model import Logit
from statsmodels.regression.linear_model import OLS

from mixed_company import analysis
from mixed_company.__main__ import main
from mixed_company.analysis import behaviour
from mixed_company.analysis.behaviour.punishing import TERMS
from mixed_company.analysis.data import Data
from mixed_company.analysis.writing import save
from mixed_company.engine.contract.errors import UnknownName
from tests.analysis.report.made import both

PUNISHERS = ("random+punishes_below_average",) * 4
PEOPLE = ("population:herrmann_thoeni_gaechter_2008",) * 4


@cache
def played(
    people: tuple[str, ...] = PEOPLE, groups: int = 20, seed: int = 1, **changes: Any
) -> Data:
    settings = {"archetype": "unsanctioned", "peer": "punishment", "periods": 6, **changes}
    return analysis.simulated("sanctions", list(people), groups=groups, seed=seed, **settings)


@pytest.fixture(scope="module")
def data() -> Data:
    return played()


def rows(frame: pd.DataFrame, part: str) -> pd.DataFrame:
    return frame[frame["part"] == part].set_index("coefficient")


def test_the_terms_of_a_pair_by_hand(data):
    """Return every pair of each period after the first, computed from the rows of the export."""
    pairs = behaviour.punishing_pairs(data)
    assert len(pairs) == 20 * 6 * 4 * 3
    frame = data.decisions.set_index(["session", "group", "period", "seat"]).sort_index()
    points = data.pairs.set_index(["session", "group", "period", "seat", "partner"])["assigned"]
    for row in pairs.sample(60, random_state=1).to_dict("records"):
        place = (row["session"], row["group"], row["period"])
        gave = frame.loc[place, "used_contribution"] / 20 * 10  # in tenths of 20 points
        others = gave.drop(row["partner"]).mean()
        assert row["others"] == pytest.approx(others)
        assert row["below"] == pytest.approx(max(others - gave[row["partner"]], 0))
        assert row["above"] == pytest.approx(max(gave[row["partner"]] - others, 0))
        assert row["points"] == points[(*place, row["seat"], row["partner"])]
        if row["period"] == 0:
            assert np.isnan(row["received"])
        else:
            before = frame.loc[(*place[:2], row["period"] - 1, row["seat"]), "received"]
            assert row["received"] == before
    other = behaviour.punishing_pairs(data, "punisher").iloc[7]
    gave = frame.loc[(other["session"], other["group"], other["period"]), "used_contribution"] / 2
    assert other["others"] == pytest.approx(gave[other["seat"]])
    assert other["below"] - other["above"] == pytest.approx(
        gave[other["seat"]] - gave[other["partner"]]
    )


def test_estimates_are_those_of_statsmodels(data):
    table = behaviour.punishing(data)
    pairs = behaviour.punishing_pairs(data).dropna()
    for part, model, column, used in (
        ("whether", Logit, "punishes", pairs),
        ("how much", OLS, "points", pairs[pairs["points"] > 0]),
    ):
        x = used[[*TERMS]].astype(float).assign(intercept=1.0)
        groups = used.groupby(["session", "group"]).ngroup().to_numpy()
        options: dict[str, Any] = {"disp": 0} if model is Logit else {}
        fit = model(used[column], x).fit(
            cov_type="cluster", cov_kwds={"groups": groups}, use_t=True, **options
        )
        part_rows = rows(table, part)
        assert (part_rows["pairs"] == len(used)).all()
        assert (part_rows["groups"] == groups.max() + 1).all()
        for name in x.columns:
            assert part_rows.loc[name, "effect"] == pytest.approx(
                fit.params[name], rel=1e-5, abs=1e-7
            )
            assert part_rows.loc[name, "se"] == pytest.approx(fit.bse[name], rel=1e-4)
            assert part_rows.loc[name, "p"] == pytest.approx(fit.pvalues[name], rel=1e-3, abs=1e-9)


def test_it_finds_the_known_rule_of_policies_in_whole_plays(data):
    """The policy assigns 20 points to a seat that is a whole endowment below the mean of all four.
    That is 3 / 4 of its distance from the others: 20 * 3 / 4 / 10 = 1.5 points per tenth. It
    assigns none above the mean. At most 10 points are allowed, which lowers the slope. Whether it
    punishes follows exactly from the distance, so this part has no finite estimate.
    """
    table = behaviour.punishing(played(("random+punishes_below_average:points=20",) * 4, groups=12))
    much = rows(table, "how much")
    assert 1.0 < much.loc["below", "effect"] < 1.6
    assert much.loc["below", "low"] > 0
    assert rows(table, "whether")["effect"].isna().all()
    antisocial = behaviour.punishing(
        played(("random+antisocial:points=20",) * 4, groups=12, periods=3)
    )
    assert rows(antisocial, "how much").loc["above", "low"] > 1
    people = rows(behaviour.punishing(data), "whether")
    assert people.loc["below", "low"] > 0 > people.loc["above", "low"]


WHETHER, MUCH, PERIODS = (-2.0, 0.5), (2.0, 0.4), 6
"""Log odds and points that `drawn` uses, at a distance of 0 and per tenth below."""


def drawn(seed: int, odds: tuple[float, float], points: tuple[float, float]) -> Data:
    """Return plays of random contributions with points drawn by a rule: people differ in their log
    odds (sd 0.7), so that the pairs of a group are not independent."""
    plays = played(("random+never_punishes",) * 4, groups=30, seed=seed, periods=PERIODS)
    pairs, rng = behaviour.punishing_pairs(plays), np.random.default_rng(seed)
    person = pairs.groupby(["session", "group", "seat"]).ngroup().to_numpy()
    tendency = 0.7 * rng.standard_normal(person.max() + 1)[person]
    below = pairs["below"].to_numpy(float)
    punishes = rng.random(len(pairs)) < 1 / (1 + np.exp(-(odds[0] + odds[1] * below + tendency)))
    amount = 1 + rng.poisson(points[0] - 1 + points[1] * below)
    keys = ["session", "group", "period", "seat", "partner"]
    sent = pairs[keys].assign(sent=punishes * amount)
    back = sent.rename(columns={"seat": "partner", "partner": "seat", "sent": "back"})
    kinds = {key: plays.pairs[key].dtype for key in keys}
    whole = plays.pairs.merge(sent.astype(kinds), on=keys).merge(back.astype(kinds), on=keys)
    whole = whole.assign(assigned=whole["sent"], received=whole["back"])
    return replace(plays, pairs=whole[plays.pairs.columns])


def test_it_recovers_the_numbers_of_a_rule_with_which_points_were_drawn():
    """People's tendencies lower the log odds a little: by a factor of about
    1 / sqrt(1 + 0.346 * 0.7^2) = 0.92 (Zeger, Liang and Albert 1988, Biometrics 44(4))."""
    table = behaviour.punishing(drawn(2, WHETHER, MUCH))
    whether, much = rows(table, "whether"), rows(table, "how much")
    for table, name, true in (
        (whether, "below", 0.92 * WHETHER[1]),
        (much, "below", MUCH[1]),
        (whether, "above", 0.0),
        (much, "above", 0.0),
        (whether, "received", 0.0),
    ):
        row = table.loc[name]
        assert abs(row["effect"] - true) < 4 * row["se"], name
    assert whether.loc["below", "effect"] == pytest.approx(0.46, abs=0.1)
    assert much.loc["below", "effect"] == pytest.approx(0.4, abs=0.1)


@pytest.mark.long
def test_where_points_follow_no_rule_few_coefficients_are_significant():
    """20 studies, 2 parts and 5 coefficients: 10 of 200 are expected below 5%, with a standard
    deviation of 3.1. Four standard deviations more, 22, would be too many."""
    values = []
    for seed in range(20):
        table = behaviour.punishing(drawn(100 + seed, (-1.0, 0.0), (2.0, 0.0)))
        values += table[table["coefficient"] != "intercept"]["p"].tolist()
    assert len(values) == 200
    assert np.isfinite(values).all()
    assert sum(p < 0.05 for p in values) <= 22


@pytest.mark.parametrize(
    ("changes", "part", "rule"),
    [
        (
            {"groups": 9, "people": PUNISHERS},
            "whether",
            "9 groups with such pairs; at least 10 are needed",
        ),
        ({"people": ("random+never_punishes",) * 4}, "whether", "0 punishments; at least 40 are"),
        ({"people": ("random+never_punishes",) * 4}, "how much", "0 groups with such pairs"),
    ],
)
def test_too_few_data_are_refused_with_a_sentence(changes, part, rule):
    (row,) = rows(behaviour.punishing(played(**changes)), part).to_dict("records")
    assert np.isnan(row["effect"])
    assert row["notes"].startswith(rule)


def test_few_groups_are_noted(data):
    assert not rows(behaviour.punishing(data), "whether")["notes"].any()
    notes = behaviour.punishing(played(PUNISHERS, groups=12, periods=3))["notes"]
    assert notes.str.contains("with only 12 groups, p values are too small").any()


def test_without_punishment_there_are_no_rows(data):
    assert behaviour.punishing(played(("random",) * 4, groups=2, peer="none")).empty
    rewards = played(("random",) * 4, groups=2, peer="reward")
    assert behaviour.punishing(rewards).empty
    gems = analysis.simulated("gem_mining", ["random"] * 4, groups=2, seed=1, archetype="lab")
    assert behaviour.punishing(gems).empty
    with pytest.raises(UnknownName, match="compared = 'average': unknown"):
        behaviour.punishing(data, "average")


@pytest.mark.long
def test_in_the_commons_those_who_take_more_are_punished():
    settings = {"archetype": "lab", "peer": "punishment", "periods": 6}
    people = ["random+punishes_below_average:points=20"] * 4
    commons = analysis.simulated("commons_game", people, groups=12, seed=1, **settings)
    assert rows(behaviour.punishing(commons), "how much").loc["below", "low"] > 0


@pytest.fixture(scope="module")
def few() -> Data:
    return played(PUNISHERS, groups=10, periods=3)


SENTENCE = "a positive above is antisocial punishment"


def test_the_contest_prints_it(few, tmp_path, capsys):
    save(few, tmp_path / "export.zip")
    with patch.object(behaviour, "predicted", return_value=pd.DataFrame({"treatment": []})):
        assert main(["contest", str(tmp_path / "export.zip")]) == 0
    shown = capsys.readouterr().out
    assert "Who punishes whom" in shown
    assert "how much" in shown
    assert SENTENCE in shown


@pytest.mark.long
def test_the_report_has_it():
    data = played(PUNISHERS, groups=2, periods=2)
    tables, page = both(data)
    expected = behaviour.punishing(data.shortened())
    pd.testing.assert_frame_equal(tables["punishing"], expected)
    assert "Who punishes whom" in page.text
    assert SENTENCE in page.text
