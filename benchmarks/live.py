"""What does a live decision cost, at the beginning of a play and at its end?

    python -m benchmarks.live

In one process, without the database: a table is read from its JSON, a person decides, all bots
answer, the period is settled, the person's view is written, and the table is written again. Medians
over seven plays of 200 periods of `lab`, among the bots of the game's sample.
"""

from __future__ import annotations

import json
import statistics
import time

import engine
from analysis import games
from table.options import Options
from table.protocol import Message
from table.setup import Setup
from table.table import Table
from table.view import view

PERIODS, PLAYS = 200, 7


def costs(game_id: str) -> list[float]:
    """Milliseconds of each decision of a play."""
    fields = engine.find(game_id).Core.model_fields
    length = {"turns" if "turns" in fields else "periods": PERIODS}
    lasting = {"collapse_stock": 0.0} if "collapse_stock" in fields else {}
    game = engine.make(game_id, archetype="lab", **length, **lasting)
    sample = games.find(game_id).sample
    bot = "random" if sample is None else sample.bots
    options = Options(bots=bot, bot_delay="instant", grace_seconds=80_000)
    setup = Setup(config=game.config.model_dump(mode="json"), options=options)
    table = Table.open(setup, [0], seed=7, now=0)
    table.hear(0, 0)
    milliseconds = []
    for period in range(PERIODS):
        text, now = table.to_json(), 1000 * (period + 1)
        started = time.perf_counter()
        table = Table.from_json(setup, text)
        action = table.episode.allowed(0).default_action()
        table.act(0, Message("act", f"p{period}", period, action), now)
        json.dumps(view(table, 0, now).to_json())
        table.to_json()
        milliseconds.append(1000 * (time.perf_counter() - started))
    return milliseconds


def main() -> None:
    print(f"{'ms a decision':18s}{'periods 2-11':>14s}{'90-110':>10s}{'190-200':>10s}")
    for game_id in engine.game_ids():
        plays = [costs(game_id) for _ in range(PLAYS)]
        parts = [
            statistics.median(cost for play in plays for cost in play[first:last])
            for first, last in ((1, 11), (89, 110), (189, 200))
        ]
        print(f"{game_id:18s}{parts[0]:14.2f}{parts[1]:10.2f}{parts[2]:10.2f}")


if __name__ == "__main__":
    main()
