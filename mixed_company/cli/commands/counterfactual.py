"""Compute what others would have earned if a policy had replaced one person.

Each group is replayed once per person, with a policy in that person's seat and everyone else's
choices unchanged. In reality, the others would have responded to the policy. So the result is not a
forecast; it is the effect of a person's decisions on the others under the rules of the game.

The exit code is 1 if the export's file has faults, which are printed first.
"""

from __future__ import annotations

import math
from argparse import ArgumentParser, Namespace
from collections.abc import Hashable, Mapping
from pathlib import Path
from typing import Any

from mixed_company.cli.arguments import export, loaded, sharing, table_text, work_of
from mixed_company.cli.command import Group

GROUP = Group.DATA
EXTRA = "analysis"
EXAMPLES = (
    "mixed counterfactual export.zip --policy sustainable",
    "mixed counterfactual export.zip --policy fixed:harvest=2 --output seats.csv",
)


def configure(parser: ArgumentParser) -> None:
    export(parser)
    parser.add_argument("--policy", required=True, help="policy that takes a person's seat")
    parser.add_argument("--output", type=Path, help="CSV file for the table of all seats")
    sharing(parser, "more than 20,000 decisions: ")


def run(chosen: Namespace) -> int:
    """Print one row per treatment; return 1 if the file has faults, or if the policy could not take
    any seat."""
    from mixed_company import files
    from mixed_company.analysis.counterfactual import by_treatment, counterfactual

    work = work_of(chosen)
    data, code = loaded(chosen)
    held = counterfactual(data, chosen.policy, progress=True, **work)
    for why, number in held.left_out.items():
        print(f"{number} seats of people left out: {why}")
    if held.seats.empty:
        print("no person's seat can be given to a policy")
        return 1
    table = by_treatment(held.seats)
    print(table_text(table, digits=2))
    for row in table.to_dict("records"):
        print(_sentence(row, chosen.policy))
    longer, moved = int(held.seats["longer"].sum()), int(held.seats["moved"].sum())
    print(
        f"{longer} of {len(held.seats)} plays would have lasted longer; they are compared up to "
        f"the end of the recorded play. {moved} choices by others were impossible and were "
        "changed."
    )
    if held.faults:
        print(
            f"{chosen.policy} failed in {len(held.faults)} decisions, so the default was played; "
            f"first in {held.faults[0]}"
        )
    if chosen.output is not None:
        files.write_whole(chosen.output, held.seats.to_csv(index=False))
    return code


def _sentence(row: Mapping[Hashable, Any], policy: str) -> str:
    """Return a sentence that describes a treatment's row."""
    more = row["difference"]
    change = f"{abs(more):.4g} points {'more' if more > 0 else 'less'}"
    change = "the same" if math.isclose(more, 0, abs_tol=1e-9) else change
    interval = f"95% interval {row['low']:.4g} to {row['high']:.4g}"
    if math.isnan(row["low"]):
        groups = "one group" if row["groups"] == 1 else "it is the same in all groups"
        interval = f"no interval: {groups}"
    return (
        f"{row['treatment']}: with {policy} in one person's place, the others in the group would "
        f"together have earned {change} ({interval})."
    )
