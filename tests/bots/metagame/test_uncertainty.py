"""Bootstrap samples, sweeps and the paragraph that explains them, for games calculated by hand."""

from __future__ import annotations

import csv
import io
from xml.etree import ElementTree

import numpy as np
import pytest

from mixed_company.__main__ import main
from mixed_company.learning.metagame import bootstrap
from mixed_company.learning.metagame.bootstrap import drawn, percentiles
from mixed_company.learning.metagame.dynamics import STARTS, alpha_rank, moran, sweep_csv, swept
from mixed_company.learning.metagame.game import again, equilibria, of_plays, resampled
from mixed_company.learning.metagame.pictures import sweeps
from mixed_company.learning.metagame.report import solved, summary
from tests.bots.metagame.test_games import HAWK_DOVE, STAG_HUNT


@pytest.fixture
def few_draws(monkeypatch):
    monkeypatch.setattr(bootstrap, "DRAWS", 60)
    monkeypatch.setattr(bootstrap, "RESTED", 20)


def coin(heads: float, plays: int = 400):
    """Return the plays of a policy that earns 1 on heads and 0 on tails, and of one that earns
    half a point, with two seats that do not affect each other."""
    lucky = np.zeros(plays)
    lucky[: round(heads * plays)] = 1.0
    half = np.full(plays, 0.5)
    earned = {"coin": lucky, "half": half}
    return {(a, b): np.stack([earned[a], earned[b]], axis=1) for a in earned for b in earned}


def test_a_bootstrap_mean_spreads_as_the_mean_of_plays_does():
    # standard error of a mean of 400 fair coins: sqrt(0.25 / 400) = 0.025
    games = list(resampled(("coin", "half"), coin(0.5), 1, 800))
    means = np.array([game.earns("coin", ["half"]) for game in games])
    assert means.std() == pytest.approx(0.025, rel=0.1)
    assert means.mean() == pytest.approx(0.5, abs=0.004)
    # a draw takes the same plays of all compositions
    assert all(game.earns("coin", ["coin"]) == game.earns("coin", ["half"]) for game in games)
    assert {game.earns("half", ["coin"]) for game in games} == {0.5}
    low, high = percentiles(0.5, means)[1:]
    assert (low, high) == pytest.approx((0.451, 0.549), abs=0.006)


@pytest.mark.usefixtures("few_draws")
def test_a_sure_winner_is_first_in_every_sample_and_a_close_race_is_not():
    for heads, certain in ((0.7, True), (0.51, False)):
        plays = coin(heads)
        game = of_plays(("coin", "half"), plays)
        mixtures = equilibria(game)
        assert [mixture.shares.tolist() for mixture in mixtures] == [[1, 0]]
        draws = drawn(game, plays, mixtures, [], 0, 50, 10.0)
        wins = ~np.isnan(draws.points[:, 0])
        assert wins.all() == certain
        assert (draws.moran[:, 0] > 0.5).tolist() == wins.tolist()
        assert draws.alone[1] == pytest.approx(1 - wins.mean())
        text = summary(solved(("coin", "half"), plays, 0), {"seats": 2})
        assert ("`half`, not in these plays" in text) == (not certain)
        assert ("first: in 100% of 60" in text) == certain


@pytest.mark.usefixtures("few_draws")
def test_rest_points_vary_between_samples_as_the_points_do():
    # A hare earns 2 or 4, a stag 5 near another, otherwise 0. So stags spread from shares above a
    # fifth of what a hare earns: 40% of all shares if it earns 3, and less if it earns more.
    hare, stags = np.repeat([2.0, 4.0], 50), np.full(100, 5.0)
    plays = {
        ("stag", "stag"): np.stack([stags, stags], axis=1),
        ("stag", "hare"): np.stack([0 * stags, hare], axis=1),
        ("hare", "stag"): np.stack([hare, 0 * stags], axis=1),
        ("hare", "hare"): np.stack([hare, hare], axis=1),
    }
    result = solved(("stag", "hare"), plays, 3)
    starts = np.random.default_rng(3).dirichlet(np.ones(2), STARTS)[:, 0]
    games = resampled(("stag", "hare"), plays, 3, bootstrap.RESTED)
    earned = np.array([game.earns("hare", ["stag"]) for game in games])
    assert earned.std() == pytest.approx(0.1, rel=0.4)  # 1 over the root of 100 plays
    places = [rest.policies for rest in result.rests]
    stag = places.index(frozenset({0}))
    assert result.rests[stag].share == (starts > 3 / 5).mean() == pytest.approx(0.4, abs=0.1)
    above = [(starts > hare / 5).mean() for hare in earned]
    assert result.draws.rests[:, stag].tolist() == pytest.approx(above)
    low, high = np.quantile(above, (0.025, 0.975))
    shown = f"| {100 * (starts > 0.6).mean():.1f} ({100 * low:.1f} to {100 * high:.1f}) | 100.0%"
    assert f"{shown} `stag` | 100 |" in summary(result, {"seats": 2})


@pytest.mark.usefixtures("few_draws")
def test_rest_points_are_counted_in_the_samples_that_have_them():
    result = solved(("coin", "half"), coin(0.51), 0)
    (rest,) = result.rests
    assert (rest.policies, rest.share) == ({0}, 1.0)
    wins = ~np.isnan(result.draws.points[:20, 0])
    assert 0 < wins.mean() < 1
    assert (result.draws.rests[:, 0] > 0).tolist() == wins.tolist()
    shown = f"| 100.0 (0.0 to 100.0) | 100.0% `coin` | {100 * wins.mean():.0f} |"
    assert shown in summary(result, {"seats": 2})


def test_an_equilibrium_is_found_again_from_nearby_shares():
    assert again(STAG_HUNT, np.array([0.7, 0.3])) == pytest.approx(3.0)
    assert again(STAG_HUNT, np.array([1.0, 0.0])) == 4.0
    assert np.isnan(again(HAWK_DOVE, np.array([1.0, 0.0])))


def test_a_sweep_has_every_setting_once_and_the_one_of_the_tables():
    settings = swept(HAWK_DOVE, 7, 2.0)
    assert [s.alpha for s in settings if s.varied == "alpha"][3:5] == [2.0, 3.0]
    assert [s.population for s in settings if s.varied == "population"][:3] == [5, 7, 10]
    for setting in settings:
        assert (
            setting.moran.tolist() == moran(HAWK_DOVE, setting.population, setting.alpha).tolist()
        )
    rows = list(csv.DictReader(io.StringIO(sweep_csv(HAWK_DOVE.policies, settings))))
    assert len(rows) == 2 * len(settings)
    chosen = [row for row in rows if (row["alpha"], row["population"]) == ("2.0", "7")]
    assert {float(row["alpha_rank"]) for row in chosen} == set(alpha_rank(HAWK_DOVE, 7, 2.0))


def spiteful(plays: int = 4):
    """Return plays of three seats. A spiteful seat pays 2 to take 6 from each other player.

    All kind: 10 each. One spiteful: 10 - 2 = 8 for that seat, 4 for the others. Two: 8 - 6 = 2 for
    both, 10 - 12 = -2 for the kind one. All spiteful: 10 - 2 - 12 = -4.
    """
    points = {
        ("kind",) * 3: [10, 10, 10],
        ("spite", "kind", "kind"): [8, 4, 4],
        ("kind", "spite", "spite"): [-2, 2, 2],
        ("spite",) * 3: [-4, -4, -4],
    }
    return {group: np.tile(np.array(row, float), (plays, 1)) for group, row in points.items()}


@pytest.mark.usefixtures("few_draws")
def test_the_paragraph_says_why_moran_and_alpha_rank_disagree():
    result = solved(("kind", "spite"), spiteful(), 0)
    assert result.moran[0] > 0.99
    assert result.alpha[1] > 0.99
    text = summary(result, {"seats": 3})
    assert "Here Moran puts `kind` first: in 100% of 60 bootstrap samples" in text
    assert "Here alpha-rank puts `spite` first" in text
    assert (
        "They disagree. A single `spite` among `kind` earns 8.0, more than a `kind` in its group "
        "(4.0), but less than a `kind` in other groups (10.0). A single `kind` among `spite` earns "
        "-2.0, less than a `spite` in its group (2.0), but more than a `spite` in other groups "
        "(-4.0)." in text
    )
    # plays without chance have no interval
    assert "| `kind` | 10.00 | itself | 100.0 | 0.0 |" in text
    words = list(ElementTree.fromstring(sweeps(result)).itertext())
    assert {"Moran, by alpha", "alpha-rank, by population", "kind", "1000"} <= set(words)


@pytest.mark.usefixtures("few_draws")
def test_the_paragraph_says_that_equal_earnings_in_a_group_are_not_ranked():
    # both seats of a pair earn the number of `b` in it
    plays = {
        (left, right): np.full((2, 2), float((left + right).count("b")))
        for left in "ab"
        for right in "ab"
    }
    text = summary(solved(("a", "b"), plays, 0), {"seats": 2})
    assert "Alpha-rank cannot tell policies apart here" in text
    assert "Here Moran puts `b` first" in text


def test_impossible_populations_and_strengths_are_refused(tmp_path, capsys):
    chosen = ["metagame", "commons_game", "--output", str(tmp_path / "out"), "--plays", "2"]
    chosen += ["--policies", "fixed,greedy", "--archetype", "lab"]
    for option, refusal in (
        ("--population=3", "population = 3: should be at least the 4 seats"),
        ("--alpha=-1", "alpha = -1.0: should be 0 or more"),
        ("--alpha=inf", "alpha = inf: should be 0 or more, and finite"),
    ):
        assert main([*chosen, option]) == 2
        assert refusal in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
