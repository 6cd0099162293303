"""Growth of a decision's cost with the number of open tables, the length of a play, and the size of
the database.

    python -m benchmarks.growth [database]

Twenty people, each among bots that answer at once, decide as fast as their tables allow. The
server's CPU time per decision is measured while more and more other people keep an idle page open,
as the play goes on, and after the rows of a finished play have been copied into the journal many
times. Slopes are least-squares fits; `change` is the fitted change over the whole range, relative
to the first cost.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from typing import Any

import numpy as np
import psycopg2

from benchmarks.served import GAME, arguments, busy, live_urls, served
from tests.crowd.clients import Crowd, measured
from tests.door.harness import Server

CLIENTS, SECONDS, ROUNDS = 20, 2.0, 3
TABLES = (0, 100, 300)
WINDOWS = 5
MEGABYTES = (50, 200)


def cost(server: Server, crowd: Crowd) -> tuple[float, float]:
    """Return the last period, and the CPU milliseconds per decision in the cheapest round."""
    rounds = [measured(server, crowd, SECONDS, 0.5) for _ in range(ROUNDS)]
    return rounds[-1].period, min(result.cost for result in rounds)


def show(label: str, unit: str, points: Sequence[tuple[float, float]]) -> None:
    """Print a line for each point, and the slope."""
    for size, value in points:
        print(f"{label:16s} {size:9.0f}   {value:8.3f}")
    sizes, costs = np.array(points).T
    slope = float(np.polyfit(sizes, costs, 1)[0])
    change = slope * (sizes[-1] - sizes[0]) / costs[0]
    print(f"{label:16s} {1000 * slope:+9.3f} us per {unit}; change {change:+.0%}", flush=True)


def size(server: Server) -> float:
    """Return the size of the database in MB."""
    if server.database_url is None:
        files = server.folder.glob("db.sqlite3*")
        return sum(file.stat().st_size for file in files) / 2**20
    return float(_run(server, "SELECT pg_database_size(current_database())")) / 2**20


def fill(server: Server, megabytes: float) -> None:
    """Copy the first group's journal rows until the database has this size."""
    log = f"{GAME}_log"
    copy = (
        f"INSERT INTO {log} (group_id, kind, at_ms, data) SELECT"
        f" (SELECT min(group_id) FROM {log}), kind, at_ms, data FROM {log} LIMIT 50000"
    )
    while size(server) < megabytes:
        _run(server, copy)


def _run(server: Server, statement: str) -> Any:
    connection: Any = (
        sqlite3.connect(server.folder / "db.sqlite3", timeout=60)
        if server.database_url is None
        else psycopg2.connect(server.database_url)
    )
    with closing(connection):
        cursor = connection.cursor()
        cursor.execute(statement)
        first = cursor.fetchone() if statement.startswith("SELECT") else None
        connection.commit()
    return first[0] if first else None


def main() -> None:
    name, _ = arguments()
    with served(name) as server:
        print(f"{name}\n{'':16s} {'size':>9s}   {'cost ms':>8s}")
        finished = live_urls(server, GAME, 1, **busy(GAME))
        measured(server, Crowd(finished), SECONDS)
        urls = live_urls(server, GAME, CLIENTS, **busy(GAME))
        show("periods played", "period", [cost(server, Crowd(urls)) for _ in range(WINDOWS)])
        others = live_urls(server, GAME, max(TABLES), **busy(GAME))
        crowds = {count + CLIENTS: Crowd(urls, looking=others[:count]) for count in TABLES}
        show("tables open", "table", [(n, cost(server, crowd)[1]) for n, crowd in crowds.items()])
        points = [(size(server), cost(server, Crowd(urls))[1])]
        for megabytes in MEGABYTES:
            fill(server, megabytes)
            points.append((size(server), cost(server, Crowd(urls))[1]))
        show("MB in database", "MB", points)


if __name__ == "__main__":
    main()
