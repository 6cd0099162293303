"""Plays of gem mining in which every find is certain: chances are 0 or 1, without truncation.

CERTAIN: two villages with 2 and 3 workers, three mines. A holds a ruby, B an emerald, C both. A
ruby is worth 1 point, an emerald 3. Village 1 reaches A and B, village 2 B and C. So

    A, B: a ruby and an emerald, 4 points        A, C: two rubies and an emerald, 5 points
    B, B: an emerald, 3 points                   B, C: a ruby and two emeralds, 7 points: the best
"""

from __future__ import annotations

from typing import Any

from mixed_company import engine
from mixed_company.engine.games.gem_mining import GemCore
from mixed_company.server.pages.guide import guide_of
from mixed_company.table.options import Options
from mixed_company.table.protocol import Ack, Message
from mixed_company.table.setup import Setup
from mixed_company.table.table import Table

guide = guide_of("gem_mining")


A, B, C, D, E = range(5)
CERTAIN: dict[str, Any] = {
    "seats": 2,
    "max_connectivity": 2,
    "truncation": 1,
    "worker_bonus": 1.5,
    "weights": [1, 3],
    "information": "all",
    "instance": {
        "reach": [2, 2],
        "workers": [2, 3],
        "base_probabilities": [[1, 0], [0, 1], [1, 1]],
    },
}
# All numbers differ, so that none can be mistaken for another.
ODD: dict[str, Any] = {
    "seats": 6,
    "periods": 37,
    "gem_types": 3,
    "min_connectivity": 4,
    "max_connectivity": 8,
    "min_workers": 7,
    "max_workers": 11,
    "min_probability": 0.02,
    "max_probability": 0.28,
    "truncation": 0.62,
    "worker_bonus": 1.25,
    "weights": [12, 0.5, 14],
}


def play(*went: tuple[int, ...], seed: int = 5, people: int | None = None, **changes: Any) -> Table:
    """Play the villages' choices period by period. People have all seats, unless `people` is a
    number.
    """
    game = engine.make("gem_mining", **{**CERTAIN, "periods": max(len(went), 1), **changes})
    options = Options(bots="own_best_alone", bot_delay="instant", decision_seconds=0, quiz=False)
    setup = Setup(config=game.config.model_dump(mode="json"), options=options)
    seats = list(range(game.seats if people is None else people))
    table = Table.open(setup, seats, seed=seed, now=0)
    for seat in seats:
        table.hear(seat, 0)
    for period, mines in enumerate(went):
        for seat, mine in enumerate(mines):
            message = Message("act", f"{seat} {period}", period, {"mine": mine})
            answer = table.act(seat, message, 1000 * period + 10)
            assert isinstance(answer, Ack), answer
        assert table.episode.period == period + 1
    return table


def summary(table: Table, seat: int = 0) -> list[str]:
    return guide.summary(table, table.rows, seat)


def core(archetype: str | None = None, **changes: Any) -> GemCore:
    game_core: GemCore = engine.make("gem_mining", archetype=archetype, **changes).core
    return game_core
