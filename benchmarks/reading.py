"""Memory and CPU time needed to load, check and report on large exports.

    python -m benchmarks.reading [GAME [GROUPS [WAY ...]]]

A large export contains copies of all groups in a game's sample (default: `sanctions`). The copies
have different session and participant codes, so the export is as large as if all groups were
different. The audit reports every copy. Each of `load`, `check`, `report` and `plan` (or those
named as WAY) runs in a new process; `plan` is the report of the sample's plan. `MB` is the peak
memory, including the code itself; `s` is CPU time.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from mixed_company.table.export.archive import entry_of

SAMPLES = Path(__file__).resolve().parents[1] / "mixed_company/analysis/sample"

WAYS = {
    "load": ["-c", "import sys; from mixed_company import analysis; analysis.load(sys.argv[1])"],
    "check": ["-m", "mixed_company", "check", "--limit", "1"],
    "report": ["-m", "mixed_company", "report"],
    "plan": ["-m", "mixed_company", "plan", "report"],
}
FAULTY = 1
"""Exit status of `check` if it finds problems, such as copies."""


def main() -> None:
    """Measure, and print the results."""
    game, groups, *ways = [*sys.argv[1:], *("sanctions", "1000")[len(sys.argv) - 1 :]]
    with tempfile.TemporaryDirectory(prefix="reading-") as place:
        export = Path(place) / "export.zip"
        number, size = enlarged(SAMPLES / f"{game}.zip", int(groups), export)
        print(f"{number} groups of {game}: tables of {size / 1e6:.0f} MB")
        print(f"{'':8s} {'MB':>7s} {'s':>8s}", flush=True)
        for name in ways or WAYS:
            plan = [_plan(export)] if name == "plan" else []
            folder = ["--output", str(Path(place) / name)] if "report" in WAYS[name] else []
            peak, seconds = _run([*WAYS[name], *plan, str(export), *folder])
            print(f"{name:8s} {peak:7.0f} {seconds:8.1f}", flush=True)


def enlarged(sample: Path, groups: int, path: Path) -> tuple[int, int]:
    """Write an export with copies of a sample, until it has at least this many groups. Return the
    number of groups, and the size of the tables in bytes."""
    with (
        zipfile.ZipFile(sample) as source,
        zipfile.ZipFile(path, "w") as target,
    ):
        manifest = json.loads(source.read("manifest.json"))
        tables = manifest["tables"]
        formed = [sum(entry["groups"].values()) for entry in manifest["sessions"].values()]
        copies = -(-groups // sum(formed))
        codes = _codes(source.read("participants.csv"))
        size = 0
        for name in source.namelist():
            content = source.read(name)
            if name in tables:
                content = b"".join(_copied(content, codes, copies))
                tables[name]["rows"] *= copies
                tables[name]["sha256"] = hashlib.sha256(content).hexdigest()
                size += len(content)
            if name not in ("manifest.json", "seals.csv"):
                target.writestr(entry_of(name, len(content)), content, compresslevel=1)
        manifest["sessions"] = {
            _code(code, copy): entry
            for copy in range(copies)
            for code, entry in manifest["sessions"].items()
        }
        manifest["created"] = list(manifest["sessions"])
        manifest.pop("sealed", None)
        target.writestr(entry_of("manifest.json", 0), json.dumps(manifest))
    return copies * sum(formed), size


def _plan(export: Path) -> str:
    """Return the plan that an export's sessions followed."""
    with zipfile.ZipFile(export) as archive:
        manifest = json.loads(archive.read("manifest.json"))
    return str(manifest["session_configs"][0])


def _codes(participants: bytes) -> set[bytes]:
    """Return the codes of all sessions and participants."""
    rows = csv.DictReader(io.StringIO(participants.decode()))
    return {row[name].encode() for row in rows for name in ("session", "participant")}


def _copied(table: bytes, codes: set[bytes], copies: int) -> Iterator[bytes]:
    """Yield the header of a table, and then its rows once per copy."""
    header, end, rows = table.partition(b"\n")
    yield header + end
    parts = re.split(rb"\b(%s)\b" % b"|".join(sorted(codes)), rows)
    in_place = parts[1::2]
    for copy in range(copies):
        changed = {code: _code(code.decode(), copy).encode() for code in codes}
        parts[1::2] = [changed[code] for code in in_place]
        yield b"".join(parts)


def _code(code: str, copy: int) -> str:
    """Return the code in this copy; the first copy keeps the original code."""
    return hashlib.sha256(f"{code} {copy}".encode()).hexdigest()[:8] if copy else code


def _run(arguments: list[str]) -> tuple[float, float]:
    """Return the peak memory in MB and the CPU time of a Python process."""
    process = subprocess.Popen(
        [sys.executable, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) not in (0, FAULTY):
        raise SystemExit(f"{' '.join(arguments[:3])}: {os.waitstatus_to_exitcode(status)}")
    return usage.ru_maxrss * 1024 / 1e6, usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    main()
