"""Which model of behaviour predicts held-out groups of an export best.

Every model is fitted to some of the groups and gives chances of what people of the others did
(docs/behaviour.md). Printed is the mean log chance of a decision, and its gain over pure chance;
then, of each treatment, what that means.
"""

from __future__ import annotations

import math
from argparse import ArgumentParser, Namespace
from typing import Any

from mixed_company.cli.command import Group
from mixed_company.cli.sharing import sharing, workers_of

GROUP = Group.DATA
EXTRA = "analysis"
EXAMPLES = ("mixed contest export.zip", "mixed contest export.zip --game sanctions --folds 10")


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    add = parser.add_argument
    add("export", help="the zip of an export, or the folder it was unpacked into")
    add("--game", help="one game, where the export has several")
    add("--field", help="the action; the game's first one if none is named")
    add("--folds", type=int, default=5, help="parts of the groups that are held out in turn")
    add("--seed", type=int, default=0, help="seed of every random number")
    sharing(parser, "more than 20,000 decisions: ")


def run(chosen: Namespace) -> int:
    """Print a row per treatment and model."""
    from mixed_company import analysis
    from mixed_company.analysis import behaviour
    from mixed_company.engine.contract.chance import check_seed

    check_seed(chosen.seed)
    workers = workers_of(chosen)
    data = analysis.load(chosen.export, chosen.game)
    table = behaviour.predicted(
        data,
        field=chosen.field,
        folds=chosen.folds,
        seed=chosen.seed,
        progress=True,
        workers=workers,
        scheduler=chosen.scheduler,
    )
    print(table.to_string(index=False, float_format=lambda value: f"{value:.3f}"))
    for treatment, rows in table.groupby("treatment", sort=False, observed=True):
        print(_sentence(str(treatment), rows))
    return 0


def _sentence(treatment: str, rows: Any) -> str:
    """What the rows of a treatment mean: what predicts best, and what is not told apart from it."""
    first = rows[rows["best"]]
    if first.empty:
        return f"{treatment}: nothing could be predicted."
    name, gain = str(first["model"].iloc[0]), float(first["gain"].iloc[0])
    if gain <= 0:
        return f"{treatment}: no model predicts better than pure chance."
    close = list(rows.loc[rows["to_best_high"] >= 0, "model"])
    return (
        f"{treatment}: {name} predicts best: what people of other groups did is "
        f"{math.exp(gain):.2g} times as likely by it as by pure chance (geometric mean). "
        "Not told apart from it: "
        f"{', '.join(close) or 'none'}."
    )
