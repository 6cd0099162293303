"""Decisions per second that one server can handle, and people's waiting times.

    python -m benchmarks.server [database [clients ...]]

Each client decides as soon as its last decision is acknowledged and the next period is shown.
`alone` is one person among bots that answer at once, so every decision is a whole period; `four`
means four people. They alternate with an oTree page whose live method only sends a reply (`bare`),
on the same server and with the same clients; the figures are ratios to that page. If the variable
`UPROOT` is set (`benchmarks.uproot`), an uproot page that stores a number is measured as well; the
last two columns are the decisions per second and the 95th percentile, relative to that page. `cost`
is the server's CPU time per decision, without PostgreSQL. `clients` is the clients' CPU share and
the lag of their loop; the clients are not a bottleneck if the share is well below 1 and the lag is
short.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence

from benchmarks.served import BARE, arguments, busy, live_urls, served
from benchmarks.uproot import UPROOT, Uproot, UprootPage, uproot_served
from mixed_company import engine
from tests.crowd.clients import Crowd, Measured, measured, percentile
from tests.crowd.page import BarePage
from tests.crowd.processes import Running
from tests.door.harness import Server

SECONDS, WARM, ROUNDS = 1.5, 0.5, 3
HEAD = (
    "clients  page                     decisions/s  ratio   median ms   p95 ms  ratio"
    "   cost ms  ratio   clients   late ms"
)
HEAD_BESIDE = "  x uproot  p95"


def crowds(server: Server, uproot: Uproot | None, clients: int) -> dict[str, tuple[Running, Crowd]]:
    """Return the pages to measure, each with its server and its people."""
    pages: dict[str, tuple[Running, Crowd]] = {
        BARE: (server, Crowd(live_urls(server, BARE, clients), page=BarePage))
    }
    if uproot is not None:
        pages[UPROOT] = uproot, Crowd(uproot.live_urls(clients), page=UprootPage)
    for game_id in engine.game_ids():
        for name, people in (("alone", 1), ("four", 4)):
            changes = {**busy(game_id), "people_per_group": people}
            urls = live_urls(server, game_id, clients, **changes)
            pages[f"{game_id}, {name}"] = server, Crowd(urls)
    return pages


def middle(values: Iterable[float]) -> float:
    return statistics.median(values)


def row(clients: int, page: str, rounds: Sequence[Mapping[str, Measured]]) -> str:
    """Format medians over the rounds, and medians of the ratios in each round."""
    results = [measures[page] for measures in rounds]
    rate, wait, cost = ratios(rounds, page, BARE)
    beside = ""
    if UPROOT in rounds[0]:
        rate_beside, wait_beside, _ = ratios(rounds, page, UPROOT)
        beside = f"  {rate_beside:8.2f} {wait_beside:4.1f}"
    return (
        f"{clients:7d}  {page:24s} {middle(result.rate for result in results):11.0f}  {rate:5.2f}"
        f"  {middle(percentile(result.acks, 50) for result in results):10.1f}"
        f" {middle(percentile(result.acks, 95) for result in results):8.1f}  {wait:5.2f}"
        f"  {middle(result.cost for result in results):8.2f}  {cost:5.2f}"
        f"  {middle(result.share for result in results):8.2f}"
        f" {middle(result.late for result in results):9.1f}{beside}"
    )


def ratios(
    rounds: Sequence[Mapping[str, Measured]], page: str, other: str
) -> tuple[float, float, float]:
    """Return medians of a page's ratios to another page: rates, 95th percentiles, and costs."""
    pairs = [(measures[page], measures[other]) for measures in rounds]
    return (
        middle(a.rate / b.rate for a, b in pairs),
        middle(percentile(a.acks, 95) / percentile(b.acks, 95) for a, b in pairs),
        middle(a.cost / b.cost for a, b in pairs),
    )


def main() -> None:
    name, counts = arguments(20, 100)
    with served(name) as server, uproot_served(name) as uproot:
        head = HEAD if uproot is None else HEAD + HEAD_BESIDE
        print(f"{name}: medians of {ROUNDS} rounds of {SECONDS:g} s, pages in turn\n{head}")
        for clients in map(int, counts):
            pages = crowds(server, uproot, clients)
            rounds = [
                {
                    page: measured(running, crowd, SECONDS, WARM)
                    for page, (running, crowd) in pages.items()
                }
                for _ in range(ROUNDS)
            ]
            for page in pages:
                print(row(clients, page, rounds), flush=True)


if __name__ == "__main__":
    main()
