"""Fit types of people to an export, as a population that can take seats.

It estimates types and their shares, with standard errors, by maximum likelihood
(docs/populations.md). A type is a straight line for amounts, or a model of behaviour for choices.
The file can be used wherever policies are named: bots=population:FILE, --simulated population:FILE.
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
    export(parser)
    add = parser.add_argument
    add("--output", type=Path, required=True, help="file to write, ending in .toml")
    add("--treatment", help="treatment of the people, if there are several")
    add("--types", type=int, default=TYPES, help="maximum number of types of lines or choosers")
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
        numbers = "".join(f", {name} {_middle(number)}" for name, number in kind.parameters.items())
        print(f"{kind.share:.3f}{error}  {kind.name}: {kind.policy}{numbers}")
    groups = described.calibration["groups"]
    print(f"+- standard errors over {groups} groups: too small if groups are few or similar")
    print(f"{chosen.output}: written; its name as a policy is population:{chosen.output}")
    return 0


def _middle(number: Any) -> str:
    """Return the value of a parameter, or its mean if it varies among the people of a type."""
    return f"{getattr(number, 'mean', number):.3g}"
