"""Types that change with experience: their rates, single and batched play, and invalid files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mixed_company import engine, policies
from mixed_company.engine.contract.chance import play_seeds
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.policies import populations
from mixed_company.policies.bench import Bench
from mixed_company.policies.populations.uncertain import drawn
from mixed_company.policies.rollout import rollout

FALLING = """
game = "sanctions"
sentence = "Most give everything, until they learn."
source = "made up"

[[types]]
name = "all"
policy = "fixed"
share = 0.8
source = "made up"
parameters.contribution = 20.0

[[types.moves]]
to = "none"
rate = 0.2
rate_error = 0.03
source = "made up"

[[types.moves]]
to = "half"
rate = 0.1
rate_error = 0.02

[[types]]
name = "none"
policy = "free_rider"
share = 0.1
source = "made up"

[[types]]
name = "half"
policy = "fixed+punishes_below_average"
share = 0.1
source = "made up"
parameters.contribution = 10.0
"""
PLAYS = 1000


def written(folder: Path, text: str = FALLING) -> str:
    file = folder / "own.toml"
    file.write_text(text)
    return f"population:{file}"


def played(spec: str, plays: int = PLAYS, **parameters: object) -> np.ndarray:
    """Return contributions in the stages in which people decide, shape (periods, plays, 4)."""
    game = engine.make("sanctions", archetype="unsanctioned", **{"periods": 5, **parameters})
    seeds = play_seeds(3, np.arange(plays))
    bench = Bench(game, [(policies.make(spec, game), np.ones(game.seats, bool))])
    state, seen = game.reset(seeds)
    return np.array([after["contribution"] for after, _ in bench.play(seeds, state, seen)])


def test_people_change_at_their_rates(tmp_path: Path) -> None:
    """In period t, 0.8 * 0.7 ** t of people are still `all`. Of those who changed, two thirds give
    nothing and one third give half. In the last period 0.192 give everything, 0.1 + 0.608 * 2 / 3 =
    0.505 give nothing and 0.303 give half; the standard deviation of such a share of 4,000 people
    is at most 0.008.
    """
    amounts = played(written(tmp_path))
    for period, shares in enumerate(amounts):
        staying = 0.8 * 0.7**period
        gone = 0.8 - staying
        expected = {20.0: staying, 0.0: 0.1 + gone * 2 / 3, 10.0: 0.1 + gone / 3}
        for amount, share in expected.items():
            assert (shares == amount).mean() == pytest.approx(share, abs=4 * 0.008)
    assert set(np.unique(amounts)) == {0.0, 10.0, 20.0}
    left = amounts[:-1] != 20.0  # nobody leaves the other two types
    assert (amounts[1:][left] == amounts[:-1][left]).all()


def test_everybody_changes_at_a_rate_of_one(tmp_path: Path) -> None:
    text = FALLING.replace("rate = 0.2", "rate = 1.0").replace("rate = 0.1", "rate = 0.0")
    first, *later = played(written(tmp_path, text), plays=200)
    assert (first == 20).any()
    assert not (np.array(later) == 20).any()


@pytest.mark.parametrize("peer", ["none", "punishment"])
def test_a_seat_changes_alike_alone_and_with_others(tmp_path: Path, peer: str) -> None:
    """With peer points a period has two stages, but people change only between periods."""
    spec = written(tmp_path)
    game = engine.make("sanctions", archetype="unsanctioned", periods=5, peer=peer)
    together = played(spec, plays=6, peer=peer)
    assert (together[0] != together[-1]).any()
    for number, seed in enumerate(play_seeds(3, np.arange(6)).tolist()):
        seated = [policies.make(spec, game)] * game.seats
        steps = rollout(engine.Episode(game, int(seed)), seated)
        alone = [step.observations["contribution"] for step in steps]
        assert np.array_equal(np.array(alone), together[:, number])


def test_a_type_without_moves_draws_nothing_for_them(tmp_path: Path) -> None:
    """A population in which no change of type is possible plays like one without changes, as long
    as no policy draws random numbers.
    """
    without = "".join(
        part for part in FALLING.split("\n\n") if not part.startswith("[[types.moves]]")
    ).replace("[[types]]", "\n[[types]]")
    never = FALLING.replace("rate = 0.2", "rate = 0.0").replace("rate = 0.1", "rate = 0.0")
    plain = played(written(tmp_path, without))
    assert np.array_equal(plain, played(written(tmp_path, never)))
    assert np.array_equal(plain[0], plain[-1])


def test_rates_are_drawn_from_their_errors(tmp_path: Path) -> None:
    """There are 1,000 draws, so the mean has a standard error of 0.03 / sqrt(1000) = 0.00095. The
    errors of two rates share one concentration, so only their sum of squares equals the file's.
    """
    described, digest = populations.read(written(tmp_path).removeprefix("population:"))
    rates = np.array(
        [
            [move.rate for move in drawn(described, seed, digest).types[0].moves]
            for seed in range(1000)
        ]
    )
    assert rates.mean(axis=0) == pytest.approx([0.2, 0.1], abs=4 * 0.00095)
    assert (rates.var(axis=0)).sum() == pytest.approx(0.03**2 + 0.02**2, rel=0.15)
    assert (rates.sum(axis=1) <= 1).all()
    assert drawn(described, 3, digest).types[1].moves == ()


def test_moves_are_read_back_as_written(tmp_path: Path) -> None:
    described, _ = populations.read(written(tmp_path).removeprefix("population:"))
    again = tmp_path / "again.toml"
    again.write_text(populations.text(described))
    assert populations.read(str(again))[0] == described
    assert described.rates == pytest.approx(np.array([[0.7, 0.2, 0.1], [0, 1, 0], [0, 0, 1]]))


REFUSED = {
    "unknown": ('to = "half"', 'to = "hafl"', "types.moves.to = 'hafl': unknown.*half"),
    "itself": ('to = "half"', 'to = "all"', "moves.to = 'all': should be another type"),
    "twice": ('to = "half"', 'to = "none"', "moves.to = 'none': used twice"),
    "rate": (
        "rate = 0.1",
        "rate = -0.1",
        "types.0.moves.1.rate = -0.1: should be greater than or equal to 0",
    ),
    "sum": ("rate = 0.1", "rate = 0.9", "moves.rate = 1.1 in total: should be at most 1"),
    "key": ("rate = 0.1", "rat = 0.1", "types.0.moves.1.rat = 0.1: unknown key"),
    "list": ("[[types.moves]]", "[types.moves]", "not TOML|types.0.moves"),
}


@pytest.mark.parametrize("which", REFUSED)
def test_invalid_moves_are_refused_by_key_and_value(tmp_path: Path, which: str) -> None:
    old, new, rule = REFUSED[which]
    with pytest.raises(ConfigError, match=rule):
        policies.make(written(tmp_path, FALLING.replace(old, new)), engine.make("sanctions"))
