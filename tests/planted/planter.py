"""Pytest plugin that plants faults and runs tests on each of them."""

from __future__ import annotations

import gc
import random
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from tests.planted.faults import Fault
from tests.planted.nearby import chosen, measured
from tests.planted.planting import Room
from tests.planted.results import Results
from tests.planted.trying import Outcome, tried


@dataclass(frozen=True)
class Wish:
    """Options of a run: the faults to plant, and the time limit for the tests of each."""

    sample: int | None = None
    seed: int = 1
    only: str = ""
    again: bool = False
    seconds: float = 20.0

    def drawn(self, faults: list[Fault], results: Results) -> list[Fault]:
        """Return the requested faults. A sample is in random order, so its first faults are also a
        sample."""
        if self.again:
            survivors = set(results.survivors())
            return [fault for fault in faults if fault.key in survivors]
        faults = [fault for fault in faults if self.only in fault.key]
        if self.sample is None or self.sample >= len(faults):
            return faults
        return random.Random(self.seed).sample(faults, self.sample)


class Planter:
    """Plugin that plants the requested faults and keeps the results in `folder`."""

    def __init__(self, room: Room, wish: Wish, folder: Path) -> None:
        self.room, self.wish, self.folder = room, wish, folder
        self.results = Results.read(folder / "results.json") if wish.again else Results()
        self.results.keep({fault.key for fault in room.faults})

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {item.nodeid: item for item in session.items}
        measurements = measured(self.room, session.items, self.folder / "tests.json")
        living = self.room.functions()
        faults = self.wish.drawn(self.room.faults, self.results)
        gc.collect()
        gc.freeze()  # forks share existing objects and collect only their own
        for number, fault in enumerate(faults, 1):
            began = time.monotonic()
            tests = chosen(measurements, fault.path, fault.place.lines, self.wish.seconds)
            outcome: Outcome = "passed by"
            if tests:
                plant = partial(self.room.plant, fault, living)
                outcome = tried(plant, [(items[test], seconds) for test, seconds in tests])
            self.results.outcomes[fault.key] = outcome
            took = time.monotonic() - began
            print(f"{number}/{len(faults)} {outcome} {took:.1f} s: {fault.key}", flush=True)
            if number % 10 == 0:
                self.results.write(self.folder / "results.json")
        self.results.write(self.folder / "results.json")
        return True
