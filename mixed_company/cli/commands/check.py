"""Play every group of an export again, and compare every number.

In a project, treatments are also compared with the seals of its plans (`mixed plan seal PLAN`).

The exit code is 0 if everything matches, 1 if something differs, 2 if the export cannot be read.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from mixed_company.cli.arguments import export
from mixed_company.cli.command import Group
from mixed_company.cli.refusal import config_error

GROUP = Group.DATA
EXTRA = "analysis"
EXAMPLES = (
    "mixed check export.zip",
    "mixed check export.zip --game sanctions --limit 0",
    "mixed check export.zip --key key.txt",
)
LIMIT = 20
_RULE = (
    "Expected numbers follow from configuration, seed and sent decisions, by the rules of the game "
    "and of pay, or from another table. A changed number changes everything that follows from it, "
    "so look at a group's earliest period first, and there at sent_..."
)


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    export(parser, "one game; default: all games of the export")
    parser.add_argument(
        "--key",
        type=Path,
        help="file with the sealing key of the server that made it (mixed archive --sealing-key)",
    )
    parser.add_argument(
        "--limit", type=int, default=LIMIT, help="lines per group and table; 0: all of them"
    )


def run(chosen: Namespace) -> int:
    """Print how much was compared, and the differences."""
    from mixed_company.analysis.audit import audits
    from mixed_company.analysis.audit.promised import not_as_sealed
    from mixed_company.analysis.audit.sealed import looked_at
    from mixed_company.analysis.audit.wording import lines, seals, wrong
    from mixed_company.experiment import reading

    done = audits(chosen.export, chosen.game, progress=True)
    for audit in done:
        print(*lines(audit, chosen.limit), sep="\n")
    faults = [problem for audit in done for problem in wrong(audit)]
    if any(fault.group is not None and "should be" in fault.what for fault in faults):
        print(_RULE)
    sealed = looked_at(chosen.export, _key(chosen.key))
    print(*seals(sealed), sep="\n")
    broken = not_as_sealed(chosen.export, Path(reading.FOLDER))
    for problem in broken:
        print(problem)
    return 1 if sealed.problems or faults or broken else 0


def _key(file: Path | None) -> bytes:
    """Return the key in a file. Raises ConfigError."""
    if file is None:
        return b""
    try:
        return bytes.fromhex(file.read_text(encoding="utf-8").strip())
    except (OSError, ValueError) as error:
        raise config_error(f"--key: {file}: {error}") from None
