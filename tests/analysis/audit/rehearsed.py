"""Rehearsal of `two_blocks.toml` for the catalogue of faults. Its export contains every table.

python -m tests.analysis.audit.rehearsed        writes two_blocks.zip

Run this again if a game's rules or an export's tables change so much that the audit finds
differences.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from mixed_company.experiment.digests import of_plan
from mixed_company.table.export.archive import code_hash
from tests.analysis.audit.faults import contents_of, described_again
from tests.analysis.audit.planting import KEY, packed, tables_of

__all__ = ["export"]

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
PLAN, EXPORT = HERE / "two_blocks.toml", HERE / "two_blocks.zip"
_LEFT_OUT = shutil.ignore_patterns(".*", "tests", "docs", "benchmarks", "*.pyc")


def export(folder: Path) -> Path:
    """Save the rehearsed export, sealed with KEY, as if the current code had made it."""
    files = contents_of(EXPORT)
    manifest = {**json.loads(files["manifest.json"]), "code": code_hash()}
    for session in manifest["sessions"].values():
        session["plan"]["order"] = list(session["plan"]["treatments"])
        session["plan"]["digest"] = of_plan(session["plan"])
    tables = tables_of(files, manifest)
    path = packed(folder / EXPORT.name, files, tables, manifest)
    files = contents_of(described_again(path))
    return packed(path, files, tables, manifest, KEY)


def main() -> None:
    """Rehearse the plan in a copy of the project."""
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder) / "project"
        shutil.copytree(ROOT, project, ignore=_LEFT_OUT)
        shutil.copy(PLAN, project / "plans")
        numbers = ["--groups", "1", "--sessions", "2", "--seed", "5"]
        command = ["rehearse", PLAN.stem, *numbers, "--output", str(EXPORT)]
        subprocess.run(
            [sys.executable, "-m", "mixed_company", *command],
            cwd=project,
            env={**os.environ, "PYTHONPATH": str(project)},
            check=True,
        )


if __name__ == "__main__":
    main()
