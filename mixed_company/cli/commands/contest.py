"""Find the model of behaviour that best predicts held-out groups in an export.

Every model is fitted to some of the groups, and predicts the decisions of people in the others
(docs/behaviour.md). The output is the mean log probability of a decision and its gain over pure
chance, followed by a sentence about each treatment. If players can punish each other, a second
table shows who punishes whom.

The exit code is 1 if the export's file has faults, which are printed first.
"""

from __future__ import annotations

import math
from argparse import ArgumentParser, Namespace
from typing import Any

from mixed_company.cli.arguments import export, loaded, sharing, table_text, work_of
from mixed_company.cli.command import Group
from mixed_company.cli.refusal import config_error

GROUP = Group.DATA
EXTRA = "analysis"
EXAMPLES = ("mixed contest export.zip", "mixed contest export.zip --game sanctions --folds 10")


def configure(parser: ArgumentParser) -> None:
    export(parser)
    add = parser.add_argument
    add("--field", help="action field; default: the game's first action field")
    add(
        "--folds",
        type=int,
        default=5,
        help="number of parts into which the groups are split; each is held out in turn",
    )
    add("--seed", type=int, default=0, help="seed for all random numbers")
    sharing(parser, "more than 20,000 decisions: ")


def run(chosen: Namespace) -> int:
    """Print a row per treatment and model. Return 1 if the file has faults."""
    from mixed_company.analysis import behaviour
    from mixed_company.analysis.behaviour.punishing import READING
    from mixed_company.engine.contract.chance import check_seed

    check_seed(chosen.seed)
    work = work_of(chosen)
    settings = {"field": chosen.field, "folds": chosen.folds, "seed": chosen.seed}
    data, code = loaded(chosen)
    table = behaviour.predicted(data, **settings, progress=True, **work)
    pairs = behaviour.punishing(data)
    if table.empty and pairs.empty:
        raise config_error("the export has no decisions by people that a model could predict")
    if not table.empty:
        print(table_text(table))
    for treatment, rows in table.groupby("treatment", sort=False, observed=True):
        print(_sentence(str(treatment), rows))
    if not pairs.empty:
        print("\nWho punishes whom", table_text(pairs), READING, sep="\n")
    return code


def _sentence(treatment: str, rows: Any) -> str:
    """Return sentences that name a treatment's best model, the models that cannot be distinguished
    from it, and the models that could not predict all decisions."""
    first = rows[rows["best"]]
    evaluated = set(rows.loc[rows["decisions"] > 0, "model"])
    sentence = f"{treatment}: nothing could be predicted."
    if evaluated - {"uniform"}:
        name, gain = str(first["model"].iloc[0]), float(first["gain"].iloc[0])
        close = list(rows.loc[rows["to_best_high"] >= 0, "model"])
        sentence = f"{treatment}: no model predicts better than pure chance."
        if gain > 0:
            sentence = (
                f"{treatment}: {name} predicts best: decisions of people in other groups are "
                f"{math.exp(gain):.2g} times as likely under it as by pure chance (geometric "
                f"mean). Models not distinguishable from it: {', '.join(close) or 'none'}."
            )
    some = (rows["decisions"] > 0) & (rows["decisions"] < rows["decisions"].max())
    return (
        sentence
        + _reasons("Not evaluated", rows[rows["decisions"] == 0])
        + _reasons("Evaluated on only some of the decisions", rows[some])
    )


def _reasons(subject: str, rows: Any) -> str:
    """Return a sentence that lists models by the reason why values are missing; empty if there are
    no rows."""
    listed = [
        ", ".join(group["model"]) + (f" ({reason})" if reason else "")
        for reason, group in rows.groupby("reason", sort=False)
    ]
    return f" {subject}: {'; '.join(listed)}." if listed else ""
