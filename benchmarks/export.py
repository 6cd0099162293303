"""Duration of an export, and people's waiting times during it.

    python -m benchmarks.export [participants [periods]]

Fills databases on disk (through tables, not pages) with groups of four people in the commons and in
the sanctions game, whose export has a row per ordered pair. Measures the command on its own, and a
running server's export over REST while one person decides as fast as the table allows or reloads a
page continuously. For comparison, the person is also measured for five seconds without an export.
"""

from __future__ import annotations

import io
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import requests

from benchmarks.served import GAME, busy
from tests.crowd.places import session
from tests.door.harness import Server, seated

FOUR: dict[str, Any] = {"people_per_group": 4}
PLAYED = {
    "commons": ("commons_four_people", {**FOUR, "collapse_stock": 0.0, "max_harvest": 0.5}),
    "sanctions": ("sanctions", FOUR),
}


def main() -> None:
    """Measure, and print the results."""
    participants, periods = map(int, [*sys.argv[1:], *("500", "100")[len(sys.argv) - 1 :]])
    print(f"{participants} participants, {periods} periods")
    for name in PLAYED:
        with tempfile.TemporaryDirectory(prefix="export-") as place:
            folder = Path(place) / "filled"
            _fill(folder, name, participants, periods)
            _alone(name, folder)
            running = Server(Path(place) / "running")
            for file in folder.glob("db.sqlite3*"):
                shutil.copy(file, running.folder)
            with running as server:
                _beside(server)


def _fill(folder: Path, name: str, participants: int, periods: int) -> None:
    config, changes = PLAYED[name]
    wanted = {
        "config": config,
        "participants": participants,
        "groups": participants // 4,
        "changes": {**changes, "periods": periods},
    }
    plan = folder.with_name("sessions.json")
    plan.write_text(json.dumps([wanted]))
    _run("tests.server.filled", str(folder), str(plan), cwd=Path.cwd())


def _alone(name: str, folder: Path) -> None:
    start, worked = time.perf_counter(), _processor_seconds()
    _run("mixed", "archive", "--output", "export.zip", cwd=folder)
    took, worked = time.perf_counter() - start, _processor_seconds() - worked
    with zipfile.ZipFile(folder / "export.zip") as archive:
        tables = json.loads(archive.read("manifest.json"))["tables"]
    rows = sum(table["rows"] for table in tables.values())
    base, file = ((folder / path).stat().st_size / 1e6 for path in ("db.sqlite3", "export.zip"))
    print(f"{name}: {rows} rows, {base:.0f} MB in the database, {file:.1f} MB in the file")
    print(f"{'':11s}the command, no server: {took:.1f} s, of which {worked:.1f} s CPU time")


def _run(module: str, *arguments: str, cwd: Path) -> None:
    environment = {key: value for key, value in os.environ.items() if not key.startswith("OTREE")}
    command = [sys.executable, "-m", module, *arguments]
    subprocess.run(command, check=True, cwd=cwd, env=environment, stdout=subprocess.DEVNULL)


def _processor_seconds() -> float:
    """Return the CPU seconds used by all child processes so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _beside(server: Server) -> None:
    """Print the waits of a person without an export and during one."""
    created = session(server, GAME, 1, **busy(GAME))
    [(person, live)] = seated(server, created)
    period, took = 0, 0.0

    def decide() -> None:
        nonlocal period
        live.act(period, f"p{period}", harvest=0, contribution=0)
        period += 1

    def load() -> None:
        requests.get(person.page.url, timeout=60).raise_for_status()

    def export() -> None:
        nonlocal took
        start = time.perf_counter()
        zipfile.ZipFile(io.BytesIO(server.archive()))
        took = time.perf_counter() - start

    for kind, task in (("decisions", decide), ("pages", load)):
        without = _waits(task, _nothing)
        during = _waits(task, export)
        without = sorted(without + _waits(task, _nothing))
        ratio = statistics.median(during) / statistics.median(without)
        print(f"{'':11s}{kind:10s} without {_quantiles(without)}")
        print(f"{'':11s}{'':10s} during  {_quantiles(during)}   {took:5.1f} s   ratio {ratio:.2f}")


def _nothing() -> None:
    time.sleep(5)


def _waits(task: Callable[[], None], other: Callable[[], None]) -> list[float]:
    """Return the sorted response times in milliseconds, measured while the other function runs."""
    going = threading.Thread(target=other)
    going.start()
    waits = []
    while going.is_alive():
        start = time.perf_counter()
        task()
        waits.append(1000 * (time.perf_counter() - start))
    going.join()
    return sorted(waits)


def _quantiles(waits: list[float]) -> str:
    late = waits[len(waits) * 99 // 100]
    return f"p50 {statistics.median(waits):5.1f}  p99 {late:5.1f}   max {waits[-1]:6.1f} ms"


if __name__ == "__main__":
    main()
