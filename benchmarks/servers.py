"""Decisions per second that several servers can handle, and the cost of the proxy.

    python -m benchmarks.servers [servers [clients of each [caddy|nginx]]]

The database is PostgreSQL. A client decides as soon as its last decision is acknowledged and the
next period is shown. `direct` clients connect to the servers, `proxy` clients to the proxy, as
people do. The ratio is relative to one direct server in the same round. `cost` is the CPU time of
servers and proxy per decision, without the database. `clients` is the clients' CPU share; the
clients are not a bottleneck if it is well below 1.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.served import busy, live_urls
from mixed_company import engine
from mixed_company.server.fleet.entrance import server_of
from tests.crowd.clients import Crowd, Measured, measured, percentile
from tests.crowd.places import database
from tests.crowd.processes import many_sockets
from tests.door.fleet import Fleet

SECONDS, WARM, ROUNDS = 2.0, 0.5, 3
HEAD = "servers  by      decisions/s  ratio  median ms   p95 ms  cost ms  clients  late ms"


def crowd(fleet: Fleet, servers: int, direct: bool, clients: int) -> Crowd:
    """Return people from several sessions, each on a different server."""
    game_id = engine.game_ids()[0]
    changes = {**busy(game_id), "people_per_group": 1}
    sessions: dict[int, list[str]] = {}
    while len(sessions) < servers:
        urls = live_urls(fleet, game_id, clients, **changes)
        sessions.setdefault(server_of(urls[0], fleet.servers), urls)
    proxy = f":{fleet.port}/"
    return Crowd(
        [
            url.replace(proxy, f":{fleet.port + 1 + server}/") if direct else url
            for server, urls in sessions.items()
            for url in urls
        ]
    )


def row(servers: int, direct: bool, results: Sequence[Measured], single: Sequence[Measured]) -> str:
    """Format medians over the rounds, and the median ratio to one direct server."""
    rate, median, p95, cost, share, late = (
        statistics.median(values)
        for values in zip(
            *(
                (
                    run.rate,
                    percentile(run.acks, 50),
                    percentile(run.acks, 95),
                    run.cost,
                    run.share,
                    run.late,
                )
                for run in results
            ),
            strict=True,
        )
    )
    ratio = statistics.median(a.rate / b.rate for a, b in zip(results, single, strict=True))
    return (
        f"{servers:7d}  {'direct' if direct else 'proxy':6s} {rate:12,.0f} {ratio:6.2f}"
        f" {median:10.1f} {p95:8.1f} {cost:8.2f} {share:8.2f} {late:8.1f}"
    )


def main() -> None:
    servers, clients = (
        int(sys.argv[place]) if len(sys.argv) > place else default
        for place, default in ((1, 2), (2, 20))
    )
    proxy = sys.argv[3] if len(sys.argv) > 3 else None
    many_sockets()
    rows = [(number, direct) for number in (1, servers) for direct in (True, False)]
    with tempfile.TemporaryDirectory() as folder, database("postgresql") as url:
        assert url is not None
        with Fleet(Path(folder) / "project", url, servers, proxy) as fleet:
            crowds = {row: crowd(fleet, *row, clients) for row in rows}
            rounds = [
                {row: measured(fleet, crowds[row], SECONDS, WARM) for row in rows}
                for _ in range(ROUNDS)
            ]
    print(
        f"{clients} clients per server, medians of {ROUNDS} rounds of {SECONDS:g} s, "
        f"rows interleaved, on {os.cpu_count()} cores\n{HEAD}"
    )
    single = [turn[rows[0]] for turn in rounds]
    for which in rows:
        print(row(*which, [turn[which] for turn in rounds], single))


if __name__ == "__main__":
    main()
