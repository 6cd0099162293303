"""Decisions per second that one server handles, and waiting times of people.

    python -m benchmarks.server [database [clients ...]]

Each client waits for its answers: it decides as soon as its last decision is acknowledged and the
next period is shown. `alone` is one person among bots that answer at once, so every decision is a
whole period; `four` means four people. An oTree page whose live method only answers (`bare`)
alternates with them, on the same server and with the same clients; the ratios to it are the
figures. `cost` is the server's CPU time per decision. `clients` is the CPU share of the clients and
the lag of their loop; the clients are not a bottleneck while the share is well below 1 and the lag
is short.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from benchmarks.served import BARE, arguments, busy, live_urls, served
from mixed_company import engine
from tests.crowd.clients import Crowd, Measured, measured, percentile
from tests.door.harness import Server

SECONDS, WARM, ROUNDS = 1.5, 0.5, 2
HEAD = (
    "clients  page                     decisions/s  ratio   median ms   p95 ms  ratio"
    "   cost ms  ratio   clients   late ms"
)


def crowds(server: Server, clients: int) -> dict[str, Crowd]:
    """Return the pages to measure, with the people at each page."""
    pages = {BARE: Crowd(live_urls(server, BARE, clients), bare=True)}
    for game_id in engine.game_ids():
        for name, people in (("alone", 1), ("four", 4)):
            changes = {**busy(game_id), "people_per_group": people}
            urls = live_urls(server, game_id, clients, **changes)
            pages[f"{game_id}, {name}"] = Crowd(urls)
    return pages


def row(clients: int, page: str, results: Sequence[Measured], bare: Sequence[Measured]) -> str:
    """Format medians over the rounds, and medians of the ratios in each round."""

    def middle(values: Sequence[float]) -> float:
        return statistics.median(values)

    pairs = list(zip(results, bare, strict=True))
    late = [percentile(result.acks, 95) for result in results]
    waits = middle([percentile(result.acks, 50) for result in results])
    rate = middle([a.rate / b.rate for a, b in pairs])
    wait = middle([percentile(a.acks, 95) / percentile(b.acks, 95) for a, b in pairs])
    cost = middle([a.cost / b.cost for a, b in pairs])
    return (
        f"{clients:7d}  {page:24s} {middle([result.rate for result in results]):11.0f}  {rate:5.2f}"
        f"  {waits:10.1f} {middle(late):8.1f}  {wait:5.2f}"
        f"  {middle([result.cost for result in results]):8.2f}  {cost:5.2f}"
        f"  {middle([result.share for result in results]):8.2f}"
        f" {middle([result.late for result in results]):9.1f}"
    )


def main() -> None:
    name, counts = arguments(20, 100)
    with served(name) as server:
        print(f"{name}: medians of {ROUNDS} rounds of {SECONDS:g} s, pages in turn\n{HEAD}")
        for clients in map(int, counts):
            pages = crowds(server, clients)
            rounds = [
                {page: measured(server, crowd, SECONDS, WARM) for page, crowd in pages.items()}
                for _ in range(ROUNDS)
            ]
            bare = [measures[BARE] for measures in rounds]
            for page in pages:
                results = [measures[page] for measures in rounds]
                print(row(clients, page, results, bare), flush=True)


if __name__ == "__main__":
    main()
