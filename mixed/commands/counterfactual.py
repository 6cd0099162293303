"""Says what others would have had with a policy in the place of a person.

Each group is played again once for each seat of a person, and others' choices are held. They would
have answered the policy otherwise: this is what a person's decisions did to them by the rules of
the game, and no forecast.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from mixed.command import Group

GROUP = Group.DATA
EXTRA = "analysis"
EXAMPLES = (
    "mixed counterfactual export.zip --policy sustainable",
    "mixed counterfactual export.zip --policy fixed:harvest=2 --output seats.csv",
)


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("export", help="the zip of an export, or the folder it was unpacked into")
    parser.add_argument("--policy", required=True, help="what takes the seat of a person")
    parser.add_argument("--game", help="which game, where the export has several")
    parser.add_argument("--output", type=Path, help="a CSV file for the table of all seats")


def run(chosen: Namespace) -> int:
    """Print a row per treatment; the exit code is 1 where no seat could be given away."""
    import analysis
    import files
    from analysis.counterfactual import by_treatment, counterfactual

    held = counterfactual(analysis.load(chosen.export, chosen.game), chosen.policy)
    for why, number in held.left_out.items():
        print(f"{number} seats of people left out: {why}")
    if held.seats.empty:
        print("no seat of a person can be given to a policy")
        return 1
    print(by_treatment(held.seats).to_string(index=False, float_format=lambda x: f"{x:.2f}"))
    longer, moved = int(held.seats["longer"].sum()), int(held.seats["moved"].sum())
    print(
        f"{longer} of {len(held.seats)} plays would have gone on; they are compared up to the end "
        f"of the recorded one. {moved} choices of others could not be made, and were moved."
    )
    if chosen.output is not None:
        files.write_whole(chosen.output, held.seats.to_csv(index=False))
    return 0
