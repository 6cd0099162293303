"""Replay every group of an export, and compare every number.

In a project, sessions are also compared with its plans, and with their seals if there are any
(`mixed plan seal PLAN`). `--plan` names the plan of an export that is checked outside its project.

The exit code is 0 if everything matches, 1 if something differs, 2 if the export cannot be read.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from contextlib import suppress
from pathlib import Path

from mixed_company.cli.arguments import exit_code, export, key_of, say_unplanned, sealing_key
from mixed_company.cli.command import Group
from mixed_company.cli.refusal import config_error

GROUP = Group.DATA
EXTRA = "analysis"
EXAMPLES = (
    "mixed check export.zip",
    "mixed check export.zip --game sanctions --limit 0",
    "mixed check export.zip --key key.txt",
    "mixed check export.zip --plan plans/commons_quota.toml",
)
_RULE = (
    "Expected numbers follow from configuration, seed and sent decisions, according to the rules "
    "for the game and for pay, or from another table. A changed number changes everything that "
    "follows from it, "
    "so look first at a group's earliest period, at its sent_... columns"
)


def configure(parser: ArgumentParser) -> None:
    export(parser, "one game; default: all games in the export")
    sealing_key(parser)
    parser.add_argument(
        "--plan",
        type=Path,
        help="plan of its sessions, PLAN.seal.json or PLAN.toml; default: those in plans/",
    )
    parser.add_argument(
        "--limit", type=int, default=_shown(), help="lines per group and table; 0: all of them"
    )


def run(chosen: Namespace) -> int:
    """Print how much was compared, and the differences."""
    from mixed_company.analysis.audit.promised import when_sealed
    from mixed_company.analysis.audit.wording import checked, noted, wrong
    from mixed_company.analysis.files import opened
    from mixed_company.analysis.importing import provenance
    from mixed_company.experiment import reading
    from mixed_company.files import one_line

    if chosen.limit < 0:
        raise config_error(f"--limit: {chosen.limit}: should be at least 0")
    key, limit = key_of(chosen), chosen.limit
    tables, seals, original, audits = checked(
        chosen.export, key, progress=True, game=chosen.game, limit=limit
    )
    print(*tables, sep="\n")
    if source := provenance(opened(chosen.export).manifest):
        print(one_line(source))
    faults = [problem for audit in audits for problem in wrong(audit)]
    if any(fault.group is not None and "should be" in fault.what for fault in faults):
        print(_RULE)
    print(*seals, sep="\n")
    folder, name = _plan(chosen.plan) if chosen.plan else (Path(reading.FOLDER), "")
    unplanned = say_unplanned(chosen.export, folder, name, required=bool(name))
    for line in noted(when_sealed(chosen.export, folder)):
        print(line)
    return exit_code(original, unplanned=unplanned)


def _shown() -> int:
    """Return the default limit; 0 if the analysis libraries are not installed."""
    with suppress(ModuleNotFoundError):
        from mixed_company.analysis.audit.wording import SHOWN

        return SHOWN
    return 0


def _plan(file: Path) -> tuple[Path, str]:
    """Return a plan's folder and name, given the path of its TOML file or its seal.
    Raises ConfigError."""
    if not file.is_file():
        raise config_error(f"--plan: {file}: there is no such file")
    return file.parent, file.name.removesuffix(".toml").removesuffix(".seal.json")
