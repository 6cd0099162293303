"""Cost of a live decision, at the start and at the end of a play.

    python -m benchmarks.live

In one process and without a database, a person decides at an open table, all bots answer, the
period is settled, and the journal rows and the person's messages are written as JSON. Costs are
median CPU times over seven 200-period plays of `lab_0_7`, with the bots of the game's first
session.

The last column is the memory of an open table after a play, in kB.

A second table gives the cost of a period with peer points and its ratio to a period without them.
In such a period the bots assign points and the person decides twice.
"""

from __future__ import annotations

import statistics
import time
import tracemalloc
from typing import Any

from mixed_company import engine
from mixed_company.engine.contract.peer_core import PeerCore
from mixed_company.server.keeping.storage import row_of
from mixed_company.server.keeping.writer import Batch
from mixed_company.server.open.open_table import OpenTable, Stored
from mixed_company.server.play_clock import PlayClock
from mixed_company.table.options import Options
from mixed_company.table.protocol import Message
from mixed_company.table.setup import Setup
from mixed_company.table.table import Table
from settings import SESSION_CONFIGS

PERIODS, PLAYS = 200, 7


class Nowhere:
    """Writer that saves every batch immediately, and a page that discards all messages."""

    def put(self, batch: Batch) -> None:
        batch.saved(True)

    def tell(self, text: str) -> None:
        assert text


def opened(game_id: str, later: str = "", **core: Any) -> OpenTable:
    """Open a table with one person. `later` holds the bots' policies for the second stage."""
    fields = engine.find(game_id).Core.model_fields
    length: dict[str, Any] = {"turns" if "turns" in fields else "periods": PERIODS}
    lasting: dict[str, Any] = {"collapse_stock": 0.0} if "collapse_stock" in fields else {}
    game = engine.make(
        game_id, archetype=engine.find(game_id).reference, **length, **lasting, **core
    )
    configs = [config for config in SESSION_CONFIGS if config["app_sequence"] == [game_id]]
    bots = configs[0].get("bots", "random") if configs else "random"
    if later:
        bots = ",".join(f"{bot}+{later}" for bot in bots.split(","))
    options = Options(bots=bots, bot_delay="instant", grace_seconds=80_000, decision_seconds=0.0)
    setup = Setup(config=game.config.model_dump(mode="json"), options=options)
    table = Table.open(setup, [0], seed=7, now=0)
    past = [row_of(entry) for entry in table.take_rows() if entry["kind"] == "start"]
    stored = Stored("app", 1, table, past, {0: 1}, {}, PlayClock(1), 0)
    room = OpenTable(stored, Nowhere(), lambda *_: None)
    room.sit(0, Nowhere())
    room.take(0, Message("sync"))
    return room


def costs(game_id: str, later: str = "", **core: Any) -> list[float]:
    """Return the milliseconds of each period of a play."""
    room, milliseconds = opened(game_id, later, **core), []
    for period in range(PERIODS):
        spent = 0.0
        while room.table.episode.period == period:
            action = room.table.episode.allowed(0).default_action()
            started = time.process_time()
            room.take(0, Message("act", f"p{period} {sorted(action)}", period, action))
            spent += time.process_time() - started
        milliseconds.append(1000 * spent)
    assert room.table.episode.done
    return milliseconds


def kilobytes(game_id: str) -> float:
    """Return the memory, in kB, of a table and its connection at the end of a play.

    The game is not counted, because many tables share it.
    """
    opened(game_id)
    tracemalloc.start()
    rooms: list[Any] = [opened(game_id) for _ in range(5)]
    for room in rooms:
        for period in range(PERIODS):
            action = room.table.episode.allowed(0).default_action()
            room.take(0, Message("act", f"p{period}", period, action))
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return held / len(rooms) / 1024


def main() -> None:
    print(f"{'ms a decision':18s}{'periods 2-11':>14s}{'90-110':>10s}{'190-200':>10s}{'kB':>8s}")
    for game_id in engine.game_ids():
        plays = [costs(game_id) for _ in range(PLAYS)]
        parts = [
            statistics.median(cost for play in plays for cost in play[first:last])
            for first, last in ((1, 11), (89, 110), (189, 200))
        ]
        print(
            f"{game_id:18s}{parts[0]:14.2f}{parts[1]:10.2f}{parts[2]:10.2f}{kilobytes(game_id):8.0f}"
        )
    print(f"\n{'ms a period':18s}{'without':>14s}{'peer points':>13s}{'ratio':>8s}")
    for game_id in engine.game_ids():
        kind = engine.find(game_id).Core
        if not issubclass(kind, PeerCore):
            continue
        core = {"production": "public_good"} if "production" in kind.model_fields else {}
        without, both = [], []
        for _ in range(PLAYS):  # alternating, so changes in the machine's speed affect both
            without += costs(game_id, **core)
            both += costs(game_id, "punishes_below_average", peer="punishment", **core)
        first, second = statistics.median(without), statistics.median(both)
        print(f"{game_id:18s}{first:14.2f}{second:13.2f}{second / first:8.2f}")


if __name__ == "__main__":
    main()
