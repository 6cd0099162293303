"""How many decisions a second does one server carry, and how long does a person wait?

    python -m benchmarks.server [seconds [rounds]]

Closed loop: each client sends its next decision as soon as the last one is acknowledged and the
next period is shown. Beside it, in the same run and on the same server, the same page with a live
method that does nothing but answer (`idle`). `alone` is one person and three bots, `four` four
people. The ratio is the figure to compare.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path

import websockets

from tests.door.harness import ROOT, Server

SETTINGS = """
from settings_of_project import *
from table.setup import session_config
BUSY = dict(quiz=False, periods=10000, collapse_stock=0.0, decision_seconds=0.0,
            bot_delay="instant", max_harvest=0.5)
SESSION_CONFIGS = [
    session_config("alone", "commons_game", "lab", bots="sustainable", **BUSY),
    session_config("four", "commons_game", "lab", people_per_group=4, **BUSY),
]
idle = dict(SESSION_CONFIGS[0], name="idle", app_sequence=["idle_game"])
SESSION_CONFIGS.append(idle)
"""


def lay_idle_app(folder: Path, app: str, name: str) -> None:
    """An app with a live method that does nothing but answer; `name` is its NAME_IN_URL."""
    source = (ROOT / app / "__init__.py").read_text()
    source = source.replace(f'NAME_IN_URL = "{name}"', 'NAME_IN_URL = "idle"')
    source = source.replace(
        "# PAGES\n",
        "# PAGES\n\n\nclass Play(Play):\n    @staticmethod\n"
        "    def live_method(player, data):\n"
        "        return {player.id_in_group: {'kind': 'ack', 'id': data.get('id')}}\n",
    )
    (folder / "idle_game").mkdir()
    (folder / "idle_game/__init__.py").write_text(source)
    (folder / "settings_of_project.py").write_text((ROOT / "settings.py").read_text())


async def client(
    url: str, seconds: float, idle: bool, waits: list[float], ready: asyncio.Barrier
) -> None:
    """Decide as fast as the table allows, for so many seconds."""
    async with websockets.connect(url, ping_interval=None) as socket:

        async def receive() -> dict:
            left = max(end - time.perf_counter(), 0.01)
            return json.loads(await asyncio.wait_for(socket.recv(), left))["live_method_payload"]

        end = time.perf_counter() + 60
        view = {"phase": "waiting"}
        await socket.send('{"kind": "sync"}')
        while not idle and view["phase"] == "waiting":
            view = await receive()
        period, count = view.get("period", 0), 0
        await ready.wait()
        end = time.perf_counter() + seconds
        while (started := time.perf_counter()) < end:
            count += 1
            message = {
                "kind": "act",
                "id": str(count),
                "period": period,
                "action": {"harvest": 0.1, "contribution": 0},
            }
            await socket.send(json.dumps(message))
            acked = shown = False
            while not (acked and shown):
                answer = await receive()
                if answer["kind"] == "refused":
                    raise RuntimeError(answer["reason"])
                if answer["kind"] == "ack":
                    acked, shown = True, shown or idle
                    waits.append(time.perf_counter() - started)
                elif answer["period"] > period:
                    shown, period = True, answer["period"]


async def loop(urls: list[str], seconds: float, idle: bool) -> tuple[float, float, float]:
    """Decisions per second, median and 95th percentile of the wait for the ack in ms."""
    waits: list[float] = []
    ready = asyncio.Barrier(len(urls))
    clients = (client(url, seconds, idle, waits, ready) for url in urls)
    ends = await asyncio.gather(*clients, return_exceptions=True)
    for end in ends:  # a client whose partners stopped before it runs out of time: no fault
        if isinstance(end, Exception) and not isinstance(end, asyncio.TimeoutError):
            raise end
    cuts = statistics.quantiles(waits, n=20)
    return len(waits) / seconds, 1000 * statistics.median(waits), 1000 * cuts[18]


def measure(
    server: Server, config: str, clients: int, seconds: float
) -> tuple[float, float, float]:
    session = server.session(config, clients)
    people = [server.join(session) for _ in range(clients)]
    for person in people:
        person.next()
    if config == "four":
        meet(people)
    urls = [person.live_url() for person in people]
    return asyncio.run(loop(urls, seconds, config == "idle"))


def meet(people: list) -> None:
    """Everybody says hello in the lobby, then goes to the table."""
    for person in people:
        live = person.live()
        live.ask({"kind": "sync"})
        live.close()
    for person in people:
        person.next()


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 4.0
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    pages = ("idle", "alone", "four")
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "project"
        server = Server(place, settings=SETTINGS)
        lay_idle_app(place, "commons_game", "commons")
        with server:
            print(f"medians of {rounds} rounds of {seconds:g} s, pages in turn")
            print("clients  page   decisions/s  ratio  median ms  p95 ms")
            for clients in (20, 100):
                measured = [
                    {page: measure(server, page, clients, seconds) for page in pages}
                    for _ in range(rounds)
                ]
                for page in pages:
                    ratio = statistics.median(row[page][0] / row["idle"][0] for row in measured)
                    rate, middle, p95 = (
                        statistics.median(row[page][column] for row in measured)
                        for column in range(3)
                    )
                    print(
                        f"{clients:7d}  {page:5s}  {rate:11.0f}  {ratio:5.2f}"
                        f"  {middle:9.1f}  {p95:6.1f}"
                    )


if __name__ == "__main__":
    main()
