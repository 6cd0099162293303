"""People's waiting times while the admin opens the page for creating a session.

    python -m benchmarks.forms [database [people]]

People decide every 0.5 to 1.5 seconds: first without any other load, then while the page and the
fields of one session config are requested alternately, four times a second. A wait is the time from
a decision to its acknowledgement. `page` and `fields` are the admin's waits, with the sizes of the
responses.
"""

from __future__ import annotations

import statistics
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import requests

from benchmarks.served import GAME, arguments, busy, live_urls, served
from tests.crowd.clients import Crowd, measured, percentile
from tests.door.harness import Server

ROUNDS, SECONDS, EVERY_SECONDS = 3, 15.0, 0.25
PATHS = {"page": "create_session", "fields": "session_form/commons"}


@contextmanager
def _opening(server: Server, waits: dict[str, list[float]]) -> Iterator[None]:
    """Request the page and the fields continuously, in a thread, during the `with` block."""
    over = threading.Event()

    def ask() -> None:
        while not over.wait(EVERY_SECONDS):
            for name, path in PATHS.items():
                start = time.perf_counter()
                requests.get(f"{server.url}/{path}", timeout=60).raise_for_status()
                waits[name].append(1000 * (time.perf_counter() - start))

    thread = threading.Thread(target=ask)
    thread.start()
    yield
    over.set()
    thread.join()


def main() -> None:
    name, (people, *_) = arguments(20)
    waits: dict[str, list[float]] = {path: [] for path in PATHS}
    with served(name) as server:
        urls = live_urls(server, GAME, int(people), **busy(GAME))
        crowd = Crowd(urls, (0.5, 1.5))
        print(f"{name}: {people:g} people\n          p50 ms   p95 ms   max ms")
        for _ in range(ROUNDS):
            _show("alone", measured(server, crowd, SECONDS).acks)
            with _opening(server, waits):
                _show("beside", measured(server, crowd, SECONDS).acks)
        for path, took in waits.items():
            size = len(requests.get(f"{server.url}/{PATHS[path]}", timeout=60).content)
            print(f"{path:10s} p50 {statistics.median(took):.1f} ms, {size / 1000:.1f} kB")


def _show(name: str, acks: list[float]) -> None:
    print(f"{name:10s} {percentile(acks, 50):7.1f} {percentile(acks, 95):8.1f} {max(acks):8.1f}")


if __name__ == "__main__":
    main()
