"""Fit types of people to an export's data, as a population that can take seats.

It estimates types and their shares, with standard errors, by maximum likelihood
(docs/populations.md). For amounts, a type is a straight line; for choices, it is a model of
behaviour. With `--moving`, people can change type if this lowers the BIC. The file can be used
wherever policies are named: bots=population:FILE, --simulated population:FILE.

The exit code is 1 if the export's file has faults, which are printed first.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
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
    "mixed calibrate export.zip --moving --output moving.toml",
)
TYPES = 3


def configure(parser: ArgumentParser) -> None:
    export(parser)
    add = parser.add_argument
    add("--output", type=Path, required=True, help="file to write, ending in .toml")
    add("--treatment", help="treatment to use, if there are several")
    add("--types", type=int, default=TYPES, help="maximum number of types of lines or choosers")
    add("--moving", action="store_true", help="let people change type between periods (amounts)")
    sharing(parser, "more than 5,000 decisions: ")


def run(chosen: Namespace) -> int:
    """Write the population and print its types. Return 1 if the export's file has faults."""
    from mixed_company.analysis import behaviour
    from mixed_company.policies import populations

    if chosen.output.suffix != ".toml":
        raise config_error(f"--output = {str(chosen.output)!r}: should end in .toml")
    work = work_of(chosen)
    data, code = loaded(chosen)
    file = Path(chosen.export).name
    described = behaviour.calibrated(
        data,
        chosen.treatment,
        chosen.types,
        file,
        moving=chosen.moving,
        progress=True,
        **work,
    )
    chosen.output.write_text(populations.text(described), encoding="utf-8")
    for kind in described.types:
        error = "" if kind.share_error is None else f" +- {kind.share_error:.3f}"
        numbers = "".join(f", {name} {_middle(number)}" for name, number in kind.parameters.items())
        print(f"{kind.share:.3f}{error}  {kind.name}: {kind.policy}{numbers}")
        for move in kind.moves:
            error = "" if move.rate_error is None else f" +- {move.rate_error:.3f}"
            print(f"       {move.rate:.3f}{error} a period to {move.to}")
    groups = described.calibration["groups"]
    print(f"+- standard errors over {groups} groups: too small if groups are few or similar")
    if chosen.moving:
        print(_compared(described.calibration))
    print(f"{chosen.output}: written; use it as the policy population:{chosen.output}")
    return code


def _compared(calibration: Mapping[str, Any]) -> str:
    """Return a sentence comparing people who change type with people who keep their type."""
    change, stay = calibration["bic_moving"], calibration["bic_staying"]
    chosen = "stay" if stay <= change else "change"
    return f"BIC {change:.1f} if types change, {stay:.1f} if they stay: they {chosen} in the file"


def _middle(number: Any) -> str:
    """Return the value of a parameter, or its mean if it varies among people of the same type."""
    return f"{getattr(number, 'mean', number):.3g}"
