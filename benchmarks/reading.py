"""Memory needed to load, check and report an export.

    python -m benchmarks.reading [groups [periods [way ...]]]

Groups of four policies play the commons, half of them with a pool. Each of `load`, `check` and
`report` (or those named as `way`) runs in a new process, on an export of all groups and on an
export of eight groups. The table shows how much more memory the larger export needs at its peak,
and the ratio to the additional size of the unpacked tables.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

FEW = 8
"""Groups of the small export, whose peak is mostly the memory of the code itself."""

MADE = """
import sys; from mixed_company import analysis
path, groups, periods = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
people, rest = ["steward"], ["sustainable"]
given = {"periods": periods, "archetype": "lab"}
parts = []
for first in range(0, groups, 200):  # sessions of 200 groups at most
    for pool in ("none", "per_step"):
        own = {"governance": pool, "seed": first, "treatment": f"{pool}_{first}"}
        many = (min(groups - first, 200) + (pool == "none")) // 2
        if many:
            data = analysis.simulated("commons_game", people, rest, groups=many, **given, **own)
            parts.append(data)
data = analysis.joined(*parts)
frames = [frame for frame in vars(data).values() if "treatment" in getattr(frame, "columns", ())]
for frame in frames:
    frame["treatment"] = frame["session"].str.rpartition("_")[0]
data.config["session_config"] = data.config["treatment"]
analysis.save(data, path)
"""

WAYS = {
    "load": ["-c", "import sys; from mixed_company import analysis; analysis.load(sys.argv[1])"],
    "check": ["-m", "mixed_company", "check"],
    "report": ["-m", "mixed_company", "report", "--output"],
}


def main() -> None:
    """Measure, and print the results."""
    groups, periods = map(int, [*sys.argv[1:3], *("1000", "50")[len(sys.argv[1:3]) :]])
    with tempfile.TemporaryDirectory(prefix="reading-") as place:
        few, many = (_made(Path(place), count, periods) for count in (FEW, groups))
        more = _unpacked(many) - _unpacked(few)
        print(f"{groups} groups, {periods} periods: tables of {_unpacked(many):.0f} MB")
        print(f"{'':8s} {'more MB':>8s} {'times the tables':>17s} {'s':>7s}", flush=True)
        for name in sys.argv[3:] or WAYS:
            base, _ = _run(_way(name, few))
            peak, seconds = _run(_way(name, many))
            times = (peak - base) / more
            print(f"{name:8s} {peak - base:8.0f} {times:17.1f} {seconds:7.1f}", flush=True)


def _made(folder: Path, groups: int, periods: int) -> Path:
    path = folder / f"{groups}.zip"
    _run(["-c", MADE, str(path), str(groups), str(periods)])
    return path


def _way(name: str, export: Path) -> list[str]:
    """Return Python's arguments for one of the ways; a report is written beside the export."""
    folder = [str(export.with_suffix(""))] if name == "report" else []
    return [*WAYS[name], *folder, str(export)]


def _unpacked(path: Path) -> float:
    """Return the size in MB of the tables in a zip."""
    with zipfile.ZipFile(path) as zipped:
        return sum(entry.file_size for entry in zipped.infolist()) / 1e6


def _run(arguments: list[str]) -> tuple[float, float]:
    """Return the peak memory in MB and the seconds of a Python process; discard its output."""
    started = time.monotonic()
    process = subprocess.Popen([sys.executable, *arguments], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(
            f"{' '.join(arguments[:3])}: exit status {os.waitstatus_to_exitcode(status)}"
        )
    return usage.ru_maxrss * 1024 / 1e6, time.monotonic() - started


if __name__ == "__main__":
    main()
