"""Simulated populations with known types, and how well `mixed calibrate` recovers them.

Each game's trial is in the module named after the game.
"""

from __future__ import annotations

import math
import tempfile
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from docs.planted.trial import Trial
from mixed_company import analysis, engine
from mixed_company.analysis import behaviour
from mixed_company.policies import populations

__all__ = ["recovered"]

HEAD = """
## Recovery of planted populations

Populations with two types are simulated and calibrated repeatedly, each time with a different seed.
`error` is the mean of the standard errors in the files, and `sd` is the standard deviation of the
estimates. The two should be similar, and about 95% of the estimates should be within two errors of
the true value. Precisions are given as logarithms. Errors are robust to dependence within groups,
which makes them slightly too small if only a few groups contain people of a type.
"""

Estimates = dict[tuple[str, str], tuple[float, float]]
"""Estimates and standard errors, by type and parameter."""


def recovered() -> str:
    """Return the section, with one table per game."""
    with tempfile.TemporaryDirectory() as folder:
        return HEAD + "".join(
            _table(game_id, import_module(f"{__name__}.{game_id}").TRIAL, Path(folder))
            for game_id in engine.game_ids()
            if find_spec(f"{__name__}.{game_id}") is not None
        )


def _table(game_id: str, trial: Trial, folder: Path) -> str:
    fits = [_estimated(game_id, trial, folder, seed) for seed in range(trial.repetitions)]
    complete = [fit for fit in fits if fit]
    text = (
        f"\n`{game_id}`, {trial.groups} groups, {len(fits)} fits, "
        f"{len(fits) - len(complete)} of them left out because they found other types:\n\n"
        "| type | number | true | mean | error | sd | within two errors |\n"
        "|---|---|---|---|---|---|---|\n"
    )
    for called, numbers in trial.truth.items():
        for name, true in numbers.items():
            pairs = np.array([fit[called, name] for fit in complete])
            sure = ~np.isnan(pairs[:, 1])
            within = np.abs(pairs[sure, 0] - true) <= 2 * pairs[sure, 1]
            cells = (true, pairs[:, 0].mean(), pairs[sure, 1].mean(), pairs[:, 0].std(ddof=1))
            shown = " | ".join(f"{cell:.3g}" for cell in cells)
            text += f"| {called} | {name} | {shown} | {within.sum()} of {len(within)} |\n"
    return text


def _estimated(game_id: str, trial: Trial, folder: Path, seed: int) -> Estimates:
    """Return the estimates from plays with this seed; empty if the fitted types are not the planted
    ones."""
    file = folder / f"{game_id}.toml"
    start = f'game = "{game_id}"\nsentence = "What is planted."\nsource = "ours"\n'
    file.write_text(start + trial.text, encoding="utf-8")
    game = engine.make(game_id, **trial.settings)
    people = [f"population:{file}"] * game.seats
    data = analysis.simulated(game, people, groups=trial.groups, seed=seed)
    kinds = behaviour.calibrated(data).types
    if sorted(map(trial.called, kinds)) != sorted(trial.truth):
        return {}
    estimates: Estimates = {}
    for kind in kinds:
        called = trial.called(kind)
        estimates[called, "share"] = kind.share, kind.share_error or math.nan
        for name, spread in {"first": kind.first, **kind.parameters}.items():
            if isinstance(spread, populations.Spread):
                estimates[called, name] = float(spread.mean or 0.0), spread.mean_error or math.nan
                estimates[called, f"sd of {name}"] = (
                    float(spread.sd or 0.0),
                    spread.sd_error or math.nan,
                )
    return estimates
