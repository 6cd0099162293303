"""Populations whose types also assign points: both policies of a type, with and without points."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mixed_company import analysis, engine, policies
from mixed_company.engine.contract.chance import play_seeds
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.policies.bench import Bench
from mixed_company.policies.rollout import Fault, rollout

PUNISHERS = ("fischbacher_gaechter_2010_punishing", "herrmann_thoeni_gaechter_2008")
PAIR = """
game = "sanctions"
sentence = "One type decides and punishes, the other only decides."
source = "made up"

[[types]]
name = "punisher"
policy = "fixed+punishes_below_average"
share = 0.5
source = "made up"
parameters.contribution = 12.0
parameters.points = { low = 8.0, high = 8.0 }

[[types]]
name = "plain"
policy = "straight_line"
share = 0.5
source = "made up"
first = { low = 0.1, high = 0.1 }
last = { share = 1.0, amount = 1.0 }
parameters = { intercept = 2.0, slope = 0.0 }
"""


def game(peer: str = "punishment", **changes: Any) -> engine.Game[Any]:
    return engine.make(
        "sanctions", archetype="unsanctioned", **{"periods": 4, "peer": peer, **changes}
    )


def played(spec: str, rules: engine.Game[Any], plays: int) -> tuple[np.ndarray, np.ndarray | None]:
    """Return contributions (T, plays, 4), and the points from seat to seat (T, plays, 4, 4)."""
    seeds = play_seeds(3, np.arange(plays))
    bench = Bench(rules, [(policies.make(spec, rules), np.ones(rules.seats, bool))])
    state, seen = rules.reset(seeds)
    steps = [after for after, _ in bench.play(seeds, state, seen)]
    assert bench.faults == 0
    gave = np.stack([after["contribution"] for after in steps])
    return gave, np.stack([after["assigned"] for after in steps]) if "assigned" in state else None


@pytest.fixture
def pair(tmp_path: Path) -> str:
    file = tmp_path / "pair.toml"
    file.write_text(PAIR)
    return f"population:{file}"


def test_each_policy_of_a_type_decides_in_its_stage(pair: str) -> None:
    """Punishers give 12; the others give 2 and, in the last period, 20. With two of each, the mean
    is 7: the others are 5 below it, a quarter of the endowment, so each punisher assigns 8 / 4 = 2
    points to each of them. In the last period the mean is 16, and punishers are 4 below it: 8 / 5 =
    1.6, so each punisher assigns 2 points to the other, and nobody else assigns any.
    """
    gave, points = played(pair, game(), 200)
    punisher = gave[1] == 12
    two = punisher.sum(axis=1) == 2
    assert two.sum() > 40
    among = punisher[two][:, :, None] & ~punisher[two][:, None]
    assert np.array_equal(points[1][two], 2.0 * among)
    assert (gave[3][~punisher] == 20).all()
    both = punisher[two][:, :, None] & punisher[two][:, None] & ~np.eye(4, dtype=bool)
    assert np.array_equal(points[3][two], 2.0 * both)
    assert not points[:, ~punisher].any()


@pytest.mark.parametrize("name", [None, *PUNISHERS])
def test_without_peer_points_the_same_people_decide_alike(name: str | None, pair: str) -> None:
    spec = pair if name is None else f"population:{name}"
    with_points, points = played(spec, game(), 50)
    without, none = played(spec, game("none"), 50)
    assert points.any()
    assert none is None
    assert np.array_equal(with_points, without)


@pytest.mark.parametrize("name", PUNISHERS)
def test_a_play_alone_is_the_same_as_one_in_a_batch(name: str) -> None:
    rules, faults = game(), list[Fault]()
    policy = policies.make(f"population:{name}", rules)
    gave, _ = played(f"population:{name}", rules, 3)
    for number, seed in enumerate(play_seeds(3, np.arange(3)).tolist()):
        periods = rollout(engine.Episode(rules, int(seed)), [policy] * 4, faults=faults)
        alone = [period.used["contribution"] for period in periods]
        assert np.array_equal(alone, gave[:, number])
    assert faults == []


def test_the_points_of_people_differ_within_a_type(tmp_path: Path) -> None:
    file = tmp_path / "pair.toml"
    file.write_text(PAIR.replace("low = 8.0, high = 8.0", "low = 2.0, high = 38.0"))
    gave, points = played(f"population:{file}", game(), 200)
    punisher = gave[1] == 12
    two = punisher.sum(axis=1) == 2
    amounts = points[1][two].max(axis=2)[punisher[two]]
    assert amounts.min() < 2
    assert amounts.max() > 8  # 38 / 4 = 9.5 points, and up to 10 are allowed


@pytest.mark.long
def test_simulated_data_of_a_population_has_its_points(pair: str) -> None:
    data = analysis.simulated(
        "sanctions", [pair] * 4, groups=4, seed=1, archetype="unsanctioned", peer="punishment"
    )
    assert data.pairs["assigned"].sum() > 0


@pytest.mark.parametrize(
    ("named", "rule"),
    [
        ("retaliates+antisocial", "retaliates does not decide in the first stage of a period"),
        ("fixed+antisocial+retaliates", "should be one policy, or two joined by '[+]'"),
        ("fixed+free_rider", "free_rider decides in the first stage, not in a later one"),
        ("straight_line+antisocial", "first: is missing; straight_line needs it"),
    ],
)
def test_other_pairs_are_refused_by_name(named: str, rule: str, tmp_path: Path) -> None:
    file = tmp_path / "pair.toml"
    text = PAIR.replace("fixed+punishes_below_average", named)
    lines = [line for line in text.splitlines() if "points =" not in line and "contrib" not in line]
    file.write_text("\n".join(lines))
    with pytest.raises(ConfigError, match=rule):
        policies.make(f"population:{file}", game())


def test_a_population_with_both_stages_takes_no_other_policy(pair: str) -> None:
    with pytest.raises(ConfigError, match="already decides in every stage of a period"):
        policies.make(f"{pair}+antisocial", game())
