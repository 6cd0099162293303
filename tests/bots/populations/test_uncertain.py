"""Populations whose parameters are drawn from their estimation errors."""

from __future__ import annotations

import math
import re
from pathlib import Path

import numpy as np
import pytest

from mixed_company import engine, policies
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.policies import populations
from mixed_company.policies.populations.uncertain import drawn, split
from mixed_company.policies.rollout import rollout

UNSURE = """
game = "sanctions"
sentence = "Nobody knows them well."
source = "made up"

[[types]]
name = "none"
policy = "free_rider"
share = 0.3
share_error = 0.05
source = "made up"

[[types]]
name = "line"
policy = "straight_line"
share = 0.7
share_error = 0.05
source = "made up"
last = { share = 0.2, amount = 0.1, source = "made up" }
first = { mean = 0.6, sd = 0.15, mean_error = 0.02, sd_error = 0.01 }
parameters.intercept = { mean = 3.0, sd = 1.0, mean_error = 0.2, sd_error = 0.1 }
parameters.slope = { mean = 0.7, sd = 0.0, mean_error = 0.03 }
parameters.noise = 1.5
correlation.intercept = { slope = -0.8 }
"""
DRAWS = 1500


@pytest.fixture
def unsure(tmp_path: Path) -> str:
    return written(tmp_path, UNSURE)


def written(folder: Path, text: str) -> str:
    file = folder / "own.toml"
    file.write_text(text)
    return str(file)


def test_numbers_are_drawn_from_their_errors(unsure: str) -> None:
    """Over 1,500 draws, means equal the values in the file and standard deviations equal its
    errors. A standard deviation has a relative error of 1 / sqrt(3000) = 1.8%; 7.3% is four times
    that.
    """
    described, digest = populations.read(unsure)
    kinds = [drawn(described, seed, digest).types for seed in range(DRAWS)]
    lines = [line for _, line in kinds]
    assert np.allclose([none.share + line.share for none, line in kinds], 1)
    values = {
        "share": ([line.share for line in lines], 0.7, 0.05),
        "first": ([line.first.mean for line in lines], 0.6, 0.02),
        "sd of first": ([line.first.sd for line in lines], 0.15, 0.01),
        "intercept": ([line.parameters["intercept"].mean for line in lines], 3.0, 0.2),
        "sd of intercept": ([line.parameters["intercept"].sd for line in lines], 1.0, 0.1),
        "slope": ([line.parameters["slope"].mean for line in lines], 0.7, 0.03),
    }
    for name, (numbers, mean, error) in values.items():
        assert np.std(numbers) == pytest.approx(error, rel=0.073), name
        assert abs(np.mean(numbers) - mean) < 4 * error / math.sqrt(DRAWS), name
    related = np.corrcoef(values["intercept"][0], values["slope"][0])[0, 1]
    assert related == pytest.approx(-0.8, abs=4 * (1 - 0.64) / math.sqrt(DRAWS))
    assert {line.parameters["noise"] for line in lines} == {1.5}  # this parameter has no error
    assert {line.parameters["slope"].sd for line in lines} == {0.0}


def test_a_seed_gives_the_same_people_and_another_seed_gives_others(unsure: str) -> None:
    game = engine.make("sanctions", archetype="unsanctioned", periods=4)

    def played(spec: str) -> list[float]:
        seated = [policies.make(spec, game)] * game.seats
        steps = rollout(engine.Episode(game, 3), seated)
        return [float(number) for step in steps for number in step.used["contribution"]]

    plain, seven = played(f"population:{unsure}"), played(f"population:{unsure}@7")
    assert seven == played(f"population:{unsure}@7")
    assert seven not in (plain, played(f"population:{unsure}@8"))


def test_the_seed_follows_the_name() -> None:
    assert split("own.toml@12") == ("own.toml", 12)
    assert split("own@12.toml") == ("own@12.toml", None)
    assert split("own.toml@x") == ("own.toml@x", None)
    assert split("me@home/own.toml@0") == ("me@home/own.toml", 0)
    with pytest.raises(ConfigError, match="seed"):
        split(f"own.toml@{10**30}")


def test_impossible_numbers_are_clamped(tmp_path: Path) -> None:
    """A slope of 99 with an error of 500 exceeds 100 for about half of the seeds."""
    text = UNSURE.replace(
        "mean = 0.7, sd = 0.0, mean_error = 0.03", "mean = 99, sd = 0.0, mean_error = 500"
    )
    path = written(tmp_path, text)
    game = engine.make("sanctions")
    means = []
    for seed in range(20):
        (_, line) = policies.make(f"population:{path}@{seed}", game).kinds
        means.append(line.type.parameters["slope"].mean)
    assert max(means) == 100
    assert min(means) == -100


def test_a_logarithmic_parameter_is_clamped_on_its_log_scale() -> None:
    spread = populations.Spread(mean=9.0, sd=0.1, log=True)
    assert spread.cut(0.0, math.e).mean == pytest.approx(1.0)
    assert spread.cut(0.0, math.exp(10)).mean == 9.0
    assert spread.cut(math.exp(9.5), math.exp(10)).mean == pytest.approx(9.5)


def test_without_errors_nothing_is_drawn(tmp_path: Path) -> None:
    path = written(tmp_path, re.sub(r"(, |\n)\w+_error = [\d.]+", r"", UNSURE))
    game = engine.make("sanctions")
    policies.make(f"population:{path}", game)
    with pytest.raises(
        ConfigError, match=r"own\.toml@7: none of the population's numbers has a standard error"
    ):
        policies.make(f"population:{path}@7", game)


REFUSED = {
    "name": ("{ slope = -0.8 }", "{ slop = -0.8 }", r"correlation.intercept.slop: should name two"),
    "itself": ("{ slope = -0.8 }", "{ intercept = 1 }", r"correlation.intercept.intercept: should"),
    "value": ("-0.8", "-1.8", r"correlation.intercept.slope = -1.8: should be from -1 to 1"),
    "together": (
        "{ slope = -0.8 }",
        "{ slope = 0.9, noise = 0.9 }\ncorrelation.slope = { noise = -0.9 }",
        r"do not form a valid correlation matrix",
    ),
}


@pytest.mark.parametrize("which", REFUSED)
def test_impossible_correlations_are_refused(tmp_path: Path, which: str) -> None:
    old, new, rule = REFUSED[which]
    with pytest.raises(ConfigError, match=rule):
        populations.read(written(tmp_path, UNSURE.replace(old, new)))


def test_correlations_are_read_back_as_written(unsure: str, tmp_path: Path) -> None:
    described, _ = populations.read(unsure)
    file = tmp_path / "again.toml"
    file.write_text(populations.text(described))
    assert populations.read(str(file))[0] == described


@pytest.mark.parametrize("name", populations.names())
def test_shares_of_counted_people_have_a_binomial_error(name: str) -> None:
    """The standard error of 77 of 140 is sqrt(0.55 * 0.45 / 140) = 0.042. For the product of two
    such shares p and q of different people, with errors d and e, it is sqrt((q d)^2 + (p e)^2).
    """
    for kind in populations.read(name)[0].types:
        counts = [(int(x), int(n)) for x, n in re.findall(r"(\d+) of (\d+)", kind.source)]
        shares = [some / whole for some, whole in counts]
        errors = [
            math.sqrt(share * (1 - share) / whole)
            for share, (_, whole) in zip(shares, counts, strict=True)
        ]
        assert kind.share == pytest.approx(math.prod(shares), abs=1e-4)
        relative = [error / share for error, share in zip(errors, shares, strict=True)]
        assert kind.share_error == pytest.approx(kind.share * math.hypot(*relative), abs=1e-4)
