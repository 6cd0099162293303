"""A practice: some periods of the session's own game, which a person plays before the lobby.

Bots have all other seats and answer at once, and no time runs out, so nobody is waited for
(`Options.in_practice`). Configuration, archetype, layers and roles are those of the session; the
seed is the participant's own, so that what chance brings in the play cannot be learned from it.
What a configuration says itself, such as an `instance` of gem mining, holds in both.

    table = open_practice(setup, code, now=0)
    table.hear(practice_seat(setup, code), now=10)    from here on as at any table

It ends after `practice_periods`, or with the play. Nobody keeps its journal: who begins anew, after
a restart of the server, has the same seat and the same chance again.
"""

from __future__ import annotations

from mixed_company.engine.contract.chance import generator
from mixed_company.table.setup import Setup
from mixed_company.table.table import Table

__all__ = ["open_practice", "practice_seat", "practice_seed"]


def practice_seed(code: str) -> int:
    """The seed of the practice of the participant with this code, below 2**53."""
    return int(generator(0, f"practice of {code}").integers(2**53))


def practice_seat(setup: Setup, code: str) -> int:
    """The seat on which the participant practises: drawn, and another one than in the play."""
    return int(generator(0, f"seat in practice of {code}").integers(setup.game.seats))


def open_practice(setup: Setup, code: str, now: int) -> Table:
    """The table at which the participant with this code practises."""
    table = Table.open(setup.practice, [practice_seat(setup, code)], practice_seed(code), now)
    table.most_periods = setup.options.practice_periods
    return table
