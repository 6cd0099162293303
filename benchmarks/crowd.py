"""Waiting times when a thousand people are connected and decide every ten seconds.

    python -m benchmarks.crowd [database [people]]

People play in groups of four, a quarter of them in each game. A person decides between
five and fifteen seconds after the start of a period. A wait is the time from the decision to its
acknowledgement.
"""

from __future__ import annotations

import time

from benchmarks.served import arguments, busy, live_urls, served
from mixed_company import engine
from tests.crowd.clients import Crowd, measured, percentile

SECONDS, WARM = 30.0, 0.0
THINK = (5.0, 15.0)
GROUP = 4


def main() -> None:
    name, (people, *_) = arguments(1000)
    games = engine.game_ids()
    groups = round(people / GROUP / len(games))
    with served(name) as server:
        start, urls = time.perf_counter(), []
        for game_id in games:
            changes = {**busy(game_id), "people_per_group": GROUP}
            urls += live_urls(server, game_id, GROUP * groups, **changes)
        took = time.perf_counter() - start
        measurement = measured(server, Crowd(urls, THINK), SECONDS, WARM)
    waits = {percent: percentile(measurement.acks, percent) for percent in (50, 95, 99)}
    print(f"{name}: {len(urls)} people, who took {took:.0f} s to arrive; {SECONDS:g} s")
    print("decisions/s    p50 ms   p95 ms   p99 ms   max ms   cost ms   clients   late ms")
    print(
        f"{measurement.rate:11.1f} {waits[50]:9.1f} {waits[95]:8.1f} {waits[99]:8.1f}"
        f" {max(measurement.acks):8.1f}"
        f" {measurement.cost:9.2f} {measurement.share:9.2f} {measurement.late:9.1f}"
    )


if __name__ == "__main__":
    main()
