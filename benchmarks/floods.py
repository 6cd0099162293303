"""Waiting times of a person while someone floods the server.

    python -m benchmarks.floods ["NAME OF A FLOOD" ...]

One person at an open table decides twenty times a second. The table shows the median wait for an
ack, without a flood and during each flood. Measurement starts SETTLED seconds after the flood's
workers have connected, by which time they have used up the bursts that the rate limits allow. A
flood runs in a separate process, whose workers attack repeatedly and read the responses. If any
worker fails to connect within a minute, the line says only that. The last columns show the server's
memory in MB before, during, and five seconds after the flood. Each flood uses twenty new
participants with five sockets each, because a flood may exhaust its participants' limits.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import socket
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any

import requests
import websocket

from benchmarks.served import GAME, busy
from tests.crowd.places import session
from tests.crowd.processes import held
from tests.door.harness import Live, Server, seated, synced

PEOPLE, SOCKETS, SECONDS, SETTLED = 20, 5, 6.0, 5.0
FORM = "Content-Type: application/x-www-form-urlencoded\r\n"
ALIVE_SECONDS = 5.0
OPENING_SECONDS = 60.0
"""Time within which all workers of a flood must connect."""


@dataclass(frozen=True)
class Target:
    """Server under attack, with the pages and socket addresses of some participants."""

    port: int
    pages: tuple[str, ...]
    sockets: tuple[str, ...]


Worker = Callable[[Target, int], Callable[[], None]]


def sending(text: str) -> Worker:
    """Return a worker that sends text over a socket and reads the reply."""

    def open_one(target: Target, number: int) -> Callable[[], None]:
        line = websocket.create_connection(target.sockets[number % PEOPLE], timeout=2)

        def send() -> None:
            line.send(text)
            line.recv()

        return send

    return open_one


def asking(head: str, body: bytes = b"", length: int | None = None) -> Worker:
    """Return a worker that sends a request on a new connection and reads the response."""

    def open_one(target: Target, number: int) -> Callable[[], None]:
        path = head.replace("PAGE", "/" + target.pages[0].split("/", 3)[3])
        size = f"Content-Length: {len(body) if length is None else length}\r\n"
        text = (
            f"{path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{FORM}{size}\r\n".encode() + body
        )

        def ask() -> None:
            with socket.create_connection(("127.0.0.1", target.port), timeout=15) as line:
                line.sendall(text)
                while line.recv(65536):
                    pass

        return ask

    return open_one


def connecting(target: Target, number: int) -> Callable[[], None]:
    """Open a socket and close it."""
    return lambda: websocket.create_connection(target.sockets[number % PEOPLE], timeout=15).close()


def speaking(target: Target, number: int) -> Callable[[], None]:
    """Send over a socket opened with an unknown participant code. The server does not answer."""
    code = f"nobody{number:02d}"
    address = f"/live?session_code=x&page_index=1&page_name=Play&participant_code={code}"
    line = websocket.create_connection(f"ws://127.0.0.1:{target.port}{address}", timeout=15)

    def speak() -> None:
        line.send('{"kind": "sync"}')
        time.sleep(0.05)

    return speak


FLOODS: dict[str, tuple[int, Worker]] = {
    "nonsense on sockets": (PEOPLE * SOCKETS, sending("nonsense")),
    "messages of 60 kB": (PEOPLE * SOCKETS, sending("x" * 60_000)),
    "messages of 1 MB": (PEOPLE * SOCKETS, sending("x" * 1_000_000)),
    "the whole history": (PEOPLE * SOCKETS, sending('{"kind": "sync"}')),
    "sockets opened and closed": (20, connecting),
    "half requests": (100, asking("POST /login", b"a=", length=100)),
    "endless forms": (20, asking("POST /login", b"a=&" * 80_000)),
    "the same page repeatedly": (50, asking("GET PAGE")),
    "pages without a participant": (50, asking("GET /demo")),
    "requests without a turn": (50, asking("GET /session_data/nobody")),
    "sockets with an unknown code": (100, speaking),
    "login attempts": (50, asking("POST /login", b"username=a&password=b")),
    "files": (50, asking("GET /static/mixed/play.js")),
}


def flood(name: str, target: Target, begun: Event, ends: Event) -> None:
    """Run all of a flood's workers, each in a thread; set `begun` if all connect in time."""
    workers, open_one = FLOODS[name]
    all_open = threading.Barrier(workers, begun.set, OPENING_SECONDS)

    def work(number: int) -> None:
        waits = True
        while not ends.is_set():
            with contextlib.suppress(OSError, websocket.WebSocketException):
                act = open_one(target, number)
                if waits:
                    waits = False
                    all_open.wait()
                while not ends.is_set():
                    act()
            ends.wait(0.05)

    def work_or_stop(number: int) -> None:
        with contextlib.suppress(
            threading.BrokenBarrierError
        ):  # some workers did not connect in time
            work(number)

    threads = [threading.Thread(target=work_or_stop, args=(number,)) for number in range(workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def waited(live: Live, first: int, seconds: float) -> list[float]:
    """Return the milliseconds from each decision to its ack."""
    waits: list[float] = []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        started = time.perf_counter()
        period = first + len(waits)
        answer = live.act(period, f"p{period}", harvest=1, contribution=0)
        assert answer["kind"] == "ack", answer
        waits.append(1000 * (time.perf_counter() - started))
        time.sleep(0.05)
    return waits


def opened(begun: Event, live: Live) -> bool:
    """Return whether all workers connected in time. While waiting, read the person's socket, which
    must answer pings to stay open.
    """
    end = time.monotonic() + 2 * OPENING_SECONDS  # includes the start of the flood's process
    while not begun.wait(ALIVE_SECONDS):
        if time.monotonic() > end:
            return False
        synced(live)
    return True


def measured(name: str, target: Target, live: Live, first: int, server: Server) -> int:
    """Measure a flood and print its line; return the number of periods that were played."""
    context = multiprocessing.get_context("spawn")
    begun, ends = context.Event(), context.Event()
    quiet, before = waited(live, first, SECONDS), held(server)
    process = context.Process(target=flood, args=(name, target, begun, ends))
    process.start()
    flooded: list[float] = []
    try:
        if opened(begun, live):
            time.sleep(SETTLED)
            flooded = waited(live, first + len(quiet), SECONDS)
        during = held(server)
    finally:
        ends.set()
        process.join()
    time.sleep(5)
    print(line(name, quiet, flooded, (before, during, held(server))), flush=True)
    return len(quiet) + len(flooded)


def line(
    name: str, quiet: Sequence[float], flooded: Sequence[float], memory: Sequence[float]
) -> str:
    """Format the measurements of a flood; an empty `flooded` means that it never started."""
    if not flooded:
        return f"{name:28s}not all of its workers connected within {OPENING_SECONDS:g} s"
    p50 = statistics.median(quiet), statistics.median(flooded)
    waits = f"{p50[0]:10.1f}{p50[1]:10.1f}{p50[1] / p50[0]:8.2f}{max(flooded):10.0f}"
    return f"{name:28s}{waits}" + "".join(f"{megabytes:8.0f}" for megabytes in memory)


def main() -> None:
    chosen = sys.argv[1:] or list(FLOODS)
    if unknown := set(chosen) - set(FLOODS):
        sys.exit(f"{', '.join(unknown)}: no such flood; floods are {', '.join(FLOODS)}")
    with tempfile.TemporaryDirectory() as place, Server(Path(place) / "project") as server:
        ((_, live),) = alone(server, 1)
        heads = ("ms", "quiet", "flood", "ratio", "longest", "MB", "during", "after")
        print(("{:28s}" + "{:>10s}" * 2 + "{:>8s}{:>10s}" + "{:>8s}" * 3).format(*heads))
        period = 0
        for name in chosen:
            period += measured(name, target_of(server), live, period, server)
        assert requests.get(f"{server.url}/demo", timeout=60).status_code == 200


def target_of(server: Server) -> Target:
    """Return a target with new participants."""
    people = [person for person, _ in alone(server, PEOPLE)]
    return Target(
        server.port,
        tuple(person.page.url for person in people),
        tuple(person.live_url() for person in people),
    )


def alone(server: Server, people: int) -> list[tuple[Any, Live]]:
    """Seat each person at a separate table, with bots."""
    created = session(server, GAME, people, **busy(GAME))
    return [pair for _ in range(people) for pair in seated(server, created)]


if __name__ == "__main__":
    main()
