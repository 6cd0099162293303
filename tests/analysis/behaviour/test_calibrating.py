"""Populations are fitted to exports: the likelihood is computed independently, and planted values
are recovered.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mixed_company import analysis, engine, policies
from mixed_company.__main__ import main
from mixed_company.analysis import behaviour, counterfactual
from mixed_company.analysis.behaviour import calibrating, predicting
from mixed_company.analysis.behaviour.calibrating import LEAST, MOST, _of_treatment, _People
from mixed_company.analysis.behaviour.decisions import decided
from mixed_company.analysis.behaviour.families.conditional_cooperation import ConditionalCooperation
from mixed_company.analysis.behaviour.lines import Lines, _Fit
from mixed_company.analysis.data import GROUP, Data
from mixed_company.analysis.power import power
from mixed_company.analysis.writing import save
from mixed_company.engine.contract.errors import ConfigError, UnknownName
from mixed_company.policies import populations, sharing
from tests.analysis import elsewhere

PLANTED = """
game = "sanctions"
sentence = "What is planted here."
source = "made up"

[[types]]
name = "free rider"
policy = "free_rider"
share = 0.3
source = "made up"

[[types]]
name = "reciprocator"
policy = "straight_line"
share = 0.7
source = "made up"
first = { mean = 0.6, sd = 0.15 }
parameters = { intercept = { mean = 3.0, sd = 1.0 }, slope = 0.7, noise = 1.5 }
"""


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Data:
    file = tmp_path_factory.mktemp("planted") / "planted.toml"
    file.write_text(PLANTED)
    return played([f"population:{file}"] * 4, groups=25)


def played(people: list[str], groups: int, seed: int = 4, **settings: object) -> Data:
    game = engine.make("sanctions", archetype="unsanctioned", **{"periods": 8, **settings})
    return analysis.simulated(game, people, groups=groups, seed=seed)


def test_planted_values_are_recovered_within_their_uncertainty(planted):
    """Estimates are within three standard errors, which are small. Of 100 people, 30 are expected
    not to follow the line, with a standard error of sqrt(0.3 * 0.7 / 100) = 0.046.
    """
    described = behaviour.calibrated(planted)
    line, flat = described.types
    assert (line.name, flat.name) == ("conditional contribution", LEAST)
    assert flat.share_error == pytest.approx(0.046, abs=0.015)
    assert abs(flat.share - 0.3) < 3 * flat.share_error
    truth = {"intercept": 3.0, "slope": 0.7, "noise": 1.5}
    for name, value in truth.items():
        spread = line.parameters[name]
        assert 0 < spread.mean_error < 0.2 * value
        assert abs(spread.mean - value) < 3 * spread.mean_error
    assert line.parameters["slope"].sd == 0  # BIC chooses equal slopes
    intercept = line.parameters["intercept"]
    assert abs(intercept.sd - 1.0) < 3 * intercept.sd_error < 1.0
    assert abs(line.first.mean - 0.6) < 3 * line.first.mean_error < 0.1
    assert abs(line.first.sd - 0.15) < 3 * line.first.sd_error < 0.1
    assert -1 < line.correlation["intercept"]["slope"] < -0.5  # steeper lines start lower
    assert described.calibration["people"] == 100
    assert described.calibration["decisions"] == 700


def test_the_likelihood_matches_the_model_and_its_gradient_the_differences(planted):
    decisions = decided(planted)
    rows = np.flatnonzero(decisions.panel.why == "")
    panel = decisions.panel.take(rows)
    lines = Lines(panel)
    line = np.array([2.0, 0.6, 1.2, 1e-12])
    chances, _ = lines.of_people(line)
    by_model = ConditionalCooperation().log_likelihood(line[:3], replace(panel, exact=True))
    of_people = np.bincount(panel.person, by_model)
    assert np.allclose(np.logaddexp.reduce(chances, axis=0), of_people)
    two = [2.0, 0.6, 0.2, 0.1], [5.0, 0.1, 0.7, -0.4]
    for fit, free in (
        (_Fit(panel, panel.person // 4, 2), np.array([0.3, *two[0], *two[1]])),
        (_Fit(panel, panel.person // 4, 2, slopes=True), np.array([0.3, *two[0], -1, *two[1], -2])),
    ):
        check_slopes(fit, free)


@pytest.mark.long
def test_the_types_are_the_same_whichever_process_searches(planted, monkeypatch):
    """The output is identical to the last digit."""
    alone = populations.text(behaviour.calibrated(planted, types=2))
    monkeypatch.setattr(sharing, "shared", elsewhere.shared)
    monkeypatch.setattr(calibrating, "FEW", 0)
    assert populations.text(behaviour.calibrated(planted, types=2, workers=2)) == alone


def check_slopes(fit: _Fit, free: np.ndarray) -> None:
    slopes = fit.objective(free)[1]
    for place in range(len(free)):
        step = np.zeros(len(free))
        step[place] = 1e-6
        difference = (fit.objective(free + step)[0] - fit.objective(free - step)[0]) / 2e-6
        assert slopes[place] == pytest.approx(difference, rel=1e-4, abs=1e-3)


@pytest.mark.long
def test_varying_slopes_are_recovered(tmp_path):
    """Slopes are normal with a standard deviation of 0.3, unlike those planted above."""
    file = tmp_path / "steep.toml"
    file.write_text(
        PLANTED.replace("slope = 0.7", "slope = { mean = 0.6, sd = 0.3 }").replace("1.5", "1.0")
    )
    data = played([f"population:{file}"] * 4, groups=25, seed=8, periods=12)
    line = behaviour.calibrated(data, types=1).types[0]
    slope = line.parameters["slope"]
    assert abs(slope.mean - 0.6) < 3 * slope.mean_error < 0.3
    assert abs(slope.sd - 0.3) < 3 * slope.sd_error < 0.3


def test_people_who_always_do_the_same_get_their_own_type():
    """A quarter of the people always give nothing, and a quarter always give everything. The values
    are calculated by hand and have no error, because all groups are alike.
    """
    data = played(["free_rider", "fixed:contribution=20", "noisy_person", "noisy_person"], 12)
    by_name = {kind.name: kind for kind in behaviour.calibrated(data, types=1).types}
    for name, intercept, first in ((LEAST, 0.0, 0.0), (MOST, 20.0, 1.0)):
        kind = by_name[name]
        assert (kind.share, kind.share_error) == (0.25, 0.0)
        assert (kind.parameters["intercept"], kind.first) == (intercept, first)
    (other,) = by_name.keys() - {LEAST, MOST}
    assert by_name[other].share == 0.5


@pytest.mark.long
def test_a_calibrated_population_plays_and_can_be_used_for_power(planted, tmp_path, capsys):
    export, output = tmp_path / "export.zip", tmp_path / "own.toml"
    save(planted, export)
    assert main(["calibrate", str(export), "--output", str(output), "--types", "1"]) == 0
    shown, bar = capsys.readouterr()
    assert "| 0/2 [" in bar  # searches for one line from two starting points
    assert f"population:{output}" in shown
    described, _ = populations.read(str(output))
    assert described.sentence.endswith(" simulated people.")
    assert all(kind.source.endswith(" simulated people") for kind in described.types)
    slope = described.types[0].parameters["slope"].mean
    assert f"{described.types[0].name}: straight_line, intercept" in shown
    assert f"slope {slope:.3g}" in shown
    assert f"over {planted.groups['group'].nunique()} groups" in shown
    assert described.types[0].parameters["slope"].mean_error is not None
    spec = f"population:{output}"
    again = played([spec] * 4, groups=3)
    assert (again.decisions["decided_by"] == "person").all()
    policies.make(spec, engine.make("sanctions"))
    treatment = {"people": [spec] * 4, "archetype": "unsanctioned", "periods": 2}
    table = power(
        "sanctions", {"a": treatment, "b": treatment}, "contribution", [2], repetitions=10, pool=20
    )
    assert table["groups"].tolist() == [2]


@pytest.mark.parametrize(
    ("lines", "names"),
    [
        # 0 to 20: nothing up to 3, by hand 0 to 0.15, with a mean of 0.075
        ([(0.0, 0.15)], ["low contribution"]),
        ([(10.0, 0.0)], ["middle contribution"]),
        ([(15.0, 0.2)], ["high contribution"]),  # 0.75 to 0.95
        ([(0.0, 0.3)], ["conditional contribution"]),  # 0 to 0.3
        ([(0.0, 0.29)], ["low contribution"]),
        ([(12.0, -0.5)], ["contrary contribution"]),  # 0.6 to 0.1
        ([(19.0, 5.0)], ["high contribution"]),  # cut to 0.95 to 1
        (
            [(3.0, 0.7), (0.0, 0.0), (1.0, 0.9)],
            ["conditional contribution 1", "low contribution", "conditional contribution 2"],
        ),
    ],
)
def test_lines_are_named_by_what_they_do(planted, lines, names):
    people = _People(_of_treatment(decided(planted), "simulated"))
    assert people._names([np.array(line) for line in lines]) == names


def test_too_few_people_are_refused_with_the_number_needed():
    with pytest.raises(
        ConfigError, match="people = 4: should be at least 8 to estimate the shares"
    ):
        behaviour.calibrated(played(["noisy_person"] * 4, 1))


def test_impossible_calibrations_are_refused(planted, capsys):
    with pytest.raises(UnknownName, match="treatment 'pool': unknown"):
        behaviour.calibrated(planted, "pool")
    with pytest.raises(ConfigError, match="types = 0: should be at least 1"):
        behaviour.calibrated(planted, types=0)
    assert main(["calibrate", "x.zip", "--output", "own.txt"]) == 2
    assert "--output = 'own.txt': should end in .toml" in capsys.readouterr().err


def test_commands_say_when_they_share_work_and_refuse_workers_with_a_cluster(capsys):
    bounds = {
        "calibrate": calibrating.FEW,
        "contest": predicting.FEW,
        "counterfactual": counterfactual.FEW,
    }
    for command, few in bounds.items():
        with pytest.raises(SystemExit):
            main([command, "--help"])
        assert f"more than {few:,} decisions" in " ".join(capsys.readouterr().out.split())
        rest = {"calibrate": ["--output", "own.toml"], "counterfactual": ["--policy", "random"]}
        both = ["--workers", "2", "--scheduler", "tcp://127.0.0.1:1"]
        assert main([command, "x.zip", *rest.get(command, []), *both]) == 2
        assert "--workers: cannot be set with --scheduler" in capsys.readouterr().err


def test_a_population_is_read_back_as_written(planted, tmp_path):
    for name in populations.names():
        described, _ = populations.read(name)
        file = tmp_path / f"{name}.toml"
        file.write_text(populations.text(described))
        assert populations.read(str(file))[0] == described
    assert planted.outcomes.groupby(GROUP).size().eq(4).all()
