"""Fits types of people to an export: a population that takes seats.

Types and their shares, with standard errors, by maximum likelihood (docs/populations.md): lines of
amounts, or models of a choice. The file
can be named wherever policies are: bots=population:FILE, --simulated population:FILE.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from mixed_company.cli.arguments import export, loaded, sharing, work_of
from mixed_company.cli.command import Group
from mixed_company.cli.refusal import config_error

GROUP = Group.DATA
EXTRA = "analysis"
EXAMPLES = (
    "mixed calibrate export.zip --output population.toml",
    "mixed calibrate export.zip --treatment pool --types 2 --output pool.toml",
)
TYPES = 3


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    export(parser)
    add = parser.add_argument
    add("--output", type=Path, required=True, help="the file to write, ends in .toml")
    add("--treatment", help="whose people, where there are several treatments")
    add("--types", type=int, default=TYPES, help="so many types of lines, or of choosers, at most")
    sharing(parser, "more than 5,000 decisions: ")


def run(chosen: Namespace) -> int:
    """Write the population and print its types."""
    from mixed_company.analysis import behaviour
    from mixed_company.policies import populations

    if chosen.output.suffix != ".toml":
        raise config_error(f"--output = {str(chosen.output)!r}: should end in .toml")
    work = work_of(chosen)
    data, file = loaded(chosen), Path(chosen.export).name
    described = behaviour.calibrated(
        data, chosen.treatment, chosen.types, file, progress=True, **work
    )
    chosen.output.write_text(populations.text(described), encoding="utf-8")
    for kind in described.types:
        error = "" if kind.share_error is None else f" +- {kind.share_error:.3f}"
        numbers = "".join(f", {name} {_middle(own)}" for name, own in kind.parameters.items())
        print(f"{kind.share:.3f}{error}  {kind.name}: {kind.policy}{numbers}")
    groups = described.calibration["groups"]
    print(f"+- standard errors over {groups} groups: too small of few, or of groups that are alike")
    print(f"{chosen.output}: written; as a policy it is population:{chosen.output}")
    return 0


def _middle(number: Any) -> str:
    """Return a number of people, or the mean of a number that differs among them."""
    return f"{getattr(number, 'mean', number):.3g}"
