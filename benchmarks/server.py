"""How many decisions a second does one server carry, and how long does a person wait?

    python -m benchmarks.server [database [clients ...]]

Closed loop: each client decides as soon as the last decision is acknowledged and the next period is
shown. `alone` is one person among bots that answer at once, so that every decision is also a whole
period; `four` are four people. Beside them, in turn, on the same server and with the same clients,
an oTree page whose live method does nothing but answer (`bare`): the ratios to it are the figures.

`cost` is what the server used of a processor for a decision; `clients` what they used of one, and
how late their loop was: they limit nothing while that is well below 1, and short.
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
    """The pages that are measured, each with its people."""
    pages = {BARE: Crowd(live_urls(server, BARE, clients), bare=True)}
    for game_id in engine.game_ids():
        for name, people in (("alone", 1), ("four", 4)):
            changes = {**busy(game_id), "people_per_group": people}
            urls = live_urls(server, game_id, clients, **changes)
            pages[f"{game_id}, {name}"] = Crowd(urls)
    return pages


def row(clients: int, page: str, own: Sequence[Measured], bare: Sequence[Measured]) -> str:
    """Medians over the rounds, and of the ratios in each round."""

    def middle(values: Sequence[float]) -> float:
        return statistics.median(values)

    pairs = list(zip(own, bare, strict=True))
    late = [percentile(one.acks, 95) for one in own]
    waits = middle([percentile(one.acks, 50) for one in own])
    rate = middle([a.rate / b.rate for a, b in pairs])
    wait = middle([percentile(a.acks, 95) / percentile(b.acks, 95) for a, b in pairs])
    cost = middle([a.cost / b.cost for a, b in pairs])
    return (
        f"{clients:7d}  {page:24s} {middle([one.rate for one in own]):11.0f}  {rate:5.2f}"
        f"  {waits:10.1f} {middle(late):8.1f}  {wait:5.2f}"
        f"  {middle([one.cost for one in own]):8.2f}  {cost:5.2f}"
        f"  {middle([one.share for one in own]):8.2f} {middle([one.late for one in own]):9.1f}"
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
                own = [measures[page] for measures in rounds]
                print(row(clients, page, own, bare), flush=True)


if __name__ == "__main__":
    main()
