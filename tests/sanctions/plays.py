"""Plays of the sanctions game in which every response is all-or-nothing.

At full trust, one other seat sanctions or rewards by 20 * 0.8 * 1.25 * 0.25^0.5 = 10. Giving too
little halves trust; giving more moves it halfway to 1. Nothing damages a reputation. Each
contributed point pays 0.6 to everyone.
"""

from __future__ import annotations

from typing import Any

from mixed_company import engine
from mixed_company.engine.games.sanctions import SanctionsCore
from mixed_company.server.pages.guide import guide_of
from mixed_company.table.options import Options
from mixed_company.table.protocol import Ack, Message
from mixed_company.table.setup import Setup
from mixed_company.table.table import Table

guide = guide_of("sanctions")


MINUS = "\N{MINUS SIGN}"
PLAIN: dict[str, Any] = {
    "seats": 2,
    "endowment": 20,
    "baseline": 10,
    "production": "public_good",
    "reward": "private",
    "mpcr": 0.6,
    "dependence": 0.25,
    "rho_0": 0.8,
    "eta": 0.5,
    "lambda_R": 20,
    "kappa": 1000,
    "kappa_T": 1000,
    "lambda_plus": 0.5,
    "lambda_minus": 0.5,
    "xi": 0,
    "mu_R": 0,
    "initial_trust": 0.4,
}
AWAY = None
"""Marker used instead of an amount: the person in this seat is away, so a stand-in plays."""


def play(*periods: tuple[float | None, ...], **changes: Any) -> Table:
    """Play these contributions, one per seat and period. Stand-ins give 8, and seat 0 is never
    away.
    """
    game = engine.make("sanctions", **{**PLAIN, "periods": len(periods), **changes})
    options = Options(
        bots="free_rider",
        bot_delay="instant",
        dropout_bot="fixed:contribution=8",
        grace_seconds=20,
        decision_seconds=0,
    )
    setup = Setup(config=game.config.model_dump(mode="json"), options=options)
    table = Table.open(setup, list(range(game.seats)), seed=5, now=0)
    now = 0
    for seat in range(game.seats):
        table.hear(seat, now)
    for period, amounts in enumerate(periods):
        coming = periods[period + 1] if period + 1 < len(periods) else amounts
        for _ in range(5):  # people who are present connect; the others are replaced after 20 s
            now += 6000
            for seat, amount in enumerate(amounts):
                if amount is not AWAY:
                    table.hear(seat, now)
        for seat, amount in enumerate(amounts):
            if amount is AWAY and coming[seat] is not AWAY:
                table.hear(seat, now)  # returns, and gets the seat back from the next period on
        for seat, amount in reversed(list(enumerate(amounts))):
            if amount is not AWAY:
                message = Message("act", f"{seat} {period}", period, {"contribution": amount})
                answer = table.act(seat, message, now)
                assert isinstance(answer, Ack), answer
        assert table.episode.period == period + 1
    assert table.episode.done
    return table


def summary(table: Table, seat: int) -> list[str]:
    return guide.summary(table, table.rows, seat)


def core(archetype: str | None = None, **changes: Any) -> SanctionsCore:
    game_core: SanctionsCore = engine.make("sanctions", archetype=archetype, **changes).core
    return game_core


# All numbers differ, so that none can be mistaken for another. D^eta = 0.25^1.5 = 0.125, so one
# other sanctions by at most 32 * 1.25 * 0.6 * 0.125 = 3 at full trust, and by 2.1 at the start.
ODD: dict[str, Any] = {
    "seats": 5,
    "periods": 37,
    "endowment": 30,
    "baseline": 12,
    "production": "public_good",
    "reward": "private",
    "mpcr": 0.45,
    "memory": 8,
    "initial_trust": 0.7,
    "dependence": 0.25,
    "lambda_R": 32,
    "lambda_minus": 0.32,
    "lambda_plus": 0.22,
}
LISTS: dict[str, Any] = {
    "seats": 3,
    "endowment": [20, 31.5, 80],
    "baseline": [11, 13, 17],
    "share": [0.15, 0.25, 0.6],
    "dependence": [[0, 0.1, 0.2], [0.3, 0, 0.4], [0.5, 0.6, 0]],
    "theta": 10,
    "memory": 6,
}
