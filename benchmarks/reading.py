"""How much memory does it take to read an export, and to check it?

    python -m benchmarks.reading [groups [periods]]

Groups of four policies play the commons. Each runs by itself, on the export of all groups
and on one of four groups; what the larger one takes more at its peak is printed, and how many times
that is what the tables have more when they are unpacked.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

FEW = 4
"""Groups of the small export, which takes what the code itself does."""

MADE = """
import sys, analysis
path, groups, periods = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
people, rest = ["steward"], ["sustainable"]
given = {"groups": groups, "seed": 1, "periods": periods, "archetype": "lab"}
analysis.save(analysis.simulated("commons_game", people, rest, **given), path)
"""

WAYS = {
    "load": ["-c", "import sys, analysis; analysis.load(sys.argv[1])"],
    "check": ["-m", "mixed", "check"],
}


def main() -> None:
    """Measure and print."""
    groups, periods = map(int, [*sys.argv[1:], *("1000", "50")[len(sys.argv) - 1 :]])
    with tempfile.TemporaryDirectory(prefix="reading-") as place:
        few, many = (_made(Path(place), count, periods) for count in (FEW, groups))
        more = _unpacked(many) - _unpacked(few)
        print(f"{groups} groups, {periods} periods: tables of {_unpacked(many):.0f} MB")
        print(f"{'':8s} {'more MB':>8s} {'times the tables':>17s} {'s':>7s}")
        for name, way in WAYS.items():
            least, _ = _run([*way, str(few)])
            most, seconds = _run([*way, str(many)])
            print(f"{name:8s} {most - least:8.0f} {(most - least) / more:17.1f} {seconds:7.1f}")


def _made(folder: Path, groups: int, periods: int) -> Path:
    path = folder / f"{groups}.zip"
    _run(["-c", MADE, str(path), str(groups), str(periods)])
    return path


def _unpacked(path: Path) -> float:
    """MB of the tables in a zip."""
    with zipfile.ZipFile(path) as zipped:
        return sum(entry.file_size for entry in zipped.infolist()) / 1e6


def _run(arguments: list[str]) -> tuple[float, float]:
    """MB at the peak, and seconds, of a Python of its own; what it prints is thrown away."""
    started = time.monotonic()
    process = subprocess.Popen([sys.executable, *arguments], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(
            f"{' '.join(arguments[:3])}: ended with {os.waitstatus_to_exitcode(status)}"
        )
    return usage.ru_maxrss * 1024 / 1e6, time.monotonic() - started


if __name__ == "__main__":
    main()
