"""Which model of behaviour predicts held-out groups of an export best.

Every model is fitted to some of the groups and gives chances of what people of the others did
(docs/behaviour.md). Printed is the mean log chance of a decision, and its gain over pure chance.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from mixed.command import Group

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


def run(chosen: Namespace) -> int:
    """Print a row per treatment and model."""
    import analysis
    from analysis import behaviour
    from engine.contract.chance import check_seed

    check_seed(chosen.seed)
    data = analysis.load(chosen.export, chosen.game)
    table = behaviour.predicted(data, field=chosen.field, folds=chosen.folds, seed=chosen.seed)
    print(table.to_string(index=False, float_format=lambda value: f"{value:.3f}"))
    return 0
