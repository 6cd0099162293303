"""Models with changing types fit exports: the likelihood is computed in parts, and planted rates
are recovered.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from mixed_company import analysis, engine
from mixed_company.__main__ import main
from mixed_company.analysis import behaviour
from mixed_company.analysis.behaviour.calibrating import LEAST_NOW, _of_treatment, _People
from mixed_company.analysis.behaviour.decisions import decided
from mixed_company.analysis.behaviour.lines import Lines
from mixed_company.analysis.behaviour.moving import _Fit
from mixed_company.analysis.data import Data
from mixed_company.analysis.writing import save
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.policies import populations

PLANTED = """
game = "sanctions"
sentence = "Some learn to give nothing."
source = "made up"

[[types]]
name = "free rider"
policy = "free_rider"
share = 0.25
source = "made up"

[[types]]
name = "reciprocator"
policy = "straight_line"
share = 0.75
source = "made up"
first = { mean = 0.6, sd = 0.15 }
parameters = { intercept = 3.0, slope = 0.7, noise = 1.5 }

[[types.moves]]
to = "free rider"
rate = 0.12
"""
STAYING = PLANTED.partition("\n[[types.moves]]")[0]


def played(folder: Path, text: str, groups: int, seed: int, periods: int = 8) -> Data:
    file = folder / "planted.toml"
    file.write_text(text)
    game = engine.make("sanctions", archetype="unsanctioned", periods=periods)
    return analysis.simulated(game, [f"population:{file}"] * 4, groups=groups, seed=seed)


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Data:
    return played(tmp_path_factory.mktemp("moving"), PLANTED, groups=20, seed=2)


def fit_of(data: Data, ends: tuple[int, ...], lines: int, *, moves: bool) -> _Fit:
    people = _People(_of_treatment(decided(data), "simulated"))
    rows = np.flatnonzero(people.explained | people.first)
    panel = replace(people.panel.take(rows), person=people.person[rows])
    period, groups = people.period[rows], people.row_group[rows]
    return _Fit(panel, period, groups, ends, lines, moves=moves)


def test_a_single_line_has_the_likelihood_of_its_decisions(planted):
    """Without other types there is no chain. The likelihoods of first and later decisions are
    multiplied, and the person's deviation is integrated as for constant types.
    """
    fit = fit_of(planted, (), 1, moves=False)
    free = np.array([0.5, np.log(0.2), 2.0, 0.6, np.log(1.2), np.log(0.8)])
    first, _, _ = fit.first_lines.of_decisions(np.array([0.5, 0.0, 0.2, 0.0]))
    panel = fit.panel.take(fit.later)
    later, _ = Lines(panel, nodes=9).of_people(np.array([2.0, 0.6, 1.2, 0.8]))
    openings = np.bincount(fit.first_lines.person, first[0])
    expected = openings + np.logaddexp.reduce(later, axis=0)
    assert fit.of_people(free) == pytest.approx(expected)


@pytest.mark.parametrize(("ends", "lines"), [((0,), 1), ((0, 1), 2)])
def test_the_gradient_matches_the_differences(planted, ends, lines):
    fit = fit_of(planted, ends, lines, moves=True)
    free = fit.starts()[0] + np.linspace(-0.2, 0.2, len(fit.free))
    total, slopes = fit.with_gradient(free)
    assert fit.loss(free) == pytest.approx(-total.sum())
    for place in range(len(free)):
        step = np.zeros(len(free))
        step[place] = 1e-5
        difference = (fit.of_people(free + step) - fit.of_people(free - step)) / 2e-5
        assert slopes[:, place] == pytest.approx(difference, rel=1e-4, abs=1e-3)


def test_planted_rates_are_recovered_within_their_uncertainty(planted):
    """Estimates are within three standard errors. Of 80 people, 60 start as reciprocators, with a
    standard error of sqrt(0.25 * 0.75 / 80) = 0.048; they change at a rate of 0.12, and nobody
    changes back.
    """
    described = behaviour.calibrated(planted, types=1, moving=True)
    line, least = described.types
    assert (line.name, least.name) == ("conditional contribution", LEAST_NOW)
    assert line.share_error == pytest.approx(0.048, abs=0.015)
    assert abs(line.share - 0.75) < 3 * line.share_error
    (move,) = line.moves
    assert move.to == LEAST_NOW
    assert abs(move.rate - 0.12) < 3 * move.rate_error < 0.06
    assert least.moves == ()
    for name, value in {"intercept": 3.0, "slope": 0.7, "noise": 1.5}.items():
        spread = line.parameters[name]
        assert abs(spread.mean - value) < 3 * spread.mean_error < 0.7 * value
    assert line.parameters["intercept"].sd < 0.5
    assert abs(line.first.mean - 0.6) < 3 * line.first.mean_error < 0.1
    assert described.calibration["bic_moving"] < described.calibration["bic_staying"] - 50


def test_people_who_stay_get_no_moves(tmp_path):
    data = played(tmp_path, STAYING, groups=10, seed=3)
    described = behaviour.calibrated(data, types=1, moving=True)
    assert [kind.moves for kind in described.types] == [(), ()]
    charged = described.calibration["bic_moving"] - described.calibration["bic_staying"]
    assert charged > -0.01


@pytest.mark.long
def test_the_command_writes_moves_that_can_be_played(planted, tmp_path, capsys):
    export, output = tmp_path / "export.zip", tmp_path / "own.toml"
    save(planted, export)
    arguments = ["calibrate", str(export), "--output", str(output), "--types", "1", "--moving"]
    assert main(arguments) == 0
    shown = capsys.readouterr().out
    described, _ = populations.read(str(output))
    rate = described.types[0].moves[0].rate
    assert f"{rate:.3f} +- " in shown
    assert f"a period to {LEAST_NOW}" in shown
    assert "if they stay: they change in the file" in shown
    again = played(tmp_path, output.read_text(), groups=20, seed=5)
    nothing = again.decisions.groupby("period")["used_contribution"].agg(
        lambda column: (column == 0).mean()
    )
    assert nothing.iloc[-1] > nothing.iloc[0] + 0.2


def test_too_few_people_or_periods_are_refused_with_the_number_needed(tmp_path):
    """A constant type and a line have 1 + 6 + 2 parameters."""
    few = played(tmp_path, PLANTED, groups=2, seed=2)
    with pytest.raises(
        ConfigError, match="people = 8: should be at least 9 to fit types that change"
    ):
        behaviour.calibrated(few, moving=True)
    short = played(tmp_path, PLANTED, groups=4, seed=2, periods=2)
    with pytest.raises(ConfigError, match="periods = 2: should be at least 3 to fit types that"):
        behaviour.calibrated(short, moving=True)
    game = engine.make("gem_mining", archetype="lab", periods=2)
    choices = analysis.simulated(game, ["random"] * game.seats, groups=1, seed=1)
    with pytest.raises(ConfigError, match="moving: not possible in gem_mining, whose first action"):
        behaviour.calibrated(choices, moving=True)
