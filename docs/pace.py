"""Generator for docs/pace.md: how long a person needs for a turn in the punishment vote, and how
much slowness costs.

    python -m docs.pace > docs/pace.md
"""

from __future__ import annotations

import sys
from math import log2
from typing import Any, NamedTuple

import numpy as np

from docs.dating import dated
from docs.stakes.earning import Stake, stake_of
from mixed_company import policies
from mixed_company.engine.contract.space import Array
from mixed_company.policies.bench import Bench, by_seat
from mixed_company.table.options import FASTEST_SECONDS
from settings import SESSION_CONFIGS

SESSION = "vote"
PLAYS = 30
WALKERS = ("harm_averse", "planner", "forager")
"""Policies that move as a person would, to the resource with the most points per step."""
TURNS = (1, 2, 3)
"""Number of turns that a decision may take."""

SIMPLE, PER_BIT, AGEING = 0.231, 0.155, 0.0028
"""Seconds for a simple reaction, for each bit of a choice, and for each year of age."""
PREPARING, PRESSING = 1.35, 0.28
"""Seconds to decide, and to press a key."""
LONGER = 3.0
"""Length of a longer turn for comparison, in seconds."""

INTRODUCTION = """# The pace of the punishment vote

This page explains how long a turn of the vote should be. The default has not been tested with
people. It is based on published response times and on the cost of slow decisions in the session
`{session}` with its default settings (`decision_seconds` {seconds:g}, {turns} turns). `python -m
docs.pace` writes this page.

## Time for a decision

| part | s | source |
|---|---|---|
| reaction to an expected event | {simple:.2f} | Woods et al. (2015a): 1,469 people, 18 to 65 |
| extra time for {keys} keys, {bits:.1f} bits | {choosing:.2f} | Hick (1952): 0.155 s per bit |
| extra time from age 20 to age 65 | {ageing:.2f} | Woods et al. (2015b): 1,466 people, two keys |
| sum: pressing a key for an obvious choice | {reacting:.2f} | |
| deciding and pressing a key | {deciding:.2f} | Card, Moran and Newell (1980) |

Reactions are slower on a touch screen than with keys (Ergonomics 56(5), 818, 2013). We do not know
how much slower they are on a phone. The network adds to this; see
[developers/figures.md](developers/figures.md) for a server under load.

In {seconds:g} s, a person even has time to think about a taboo resource or a vote before pressing a
key. This leaves {spare:.1f} s for the network and for slower people. Card et al. measured
practised people; newcomers take longer at first. A key that is held down counts
in every turn. A player who presses no key does nothing and loses only that turn.

## The cost of slow decisions

The table shows the mean points of one seat among the default bots over {plays} plays (seeds 0 to
{last}). The seat acts every turn, every second turn or every third turn, and does nothing in
between. *New key* is the share of turns that need a different key from the turn before.

| policy | new key |{heads}
|---|---|{rules}
"""

ENDING = """
## Change the pace

- `decision_seconds` in the session config is the length of a turn (at least {fastest:g} with `pace`
  `clock`). With {longer:g} s, which may suit older people or phones, {turns} turns take
  {minutes:.0f} minutes; if that is too long, set fewer `turns`.
- `practice_periods` (2 by default) lets everyone practise alone first, without a time limit.
- A pilot shows whether people can keep up: for each turn in which a person pressed no key,
  the `decided_by` column of the `decisions` table says `default`.

Sources:

- Card, S. K., Moran, T. P. and Newell, A. (1980), Communications of the ACM 23(7), 396-410.
- Hick, W. E. (1952), Quarterly Journal of Experimental Psychology 4, 11-26.
- Woods, D. L. et al. (2015), Frontiers in Human Neuroscience 9: (a) 131, (b) 193.
"""


class Walk(NamedTuple):
    """Seat 0's mean points, and the share of turns that require a different key."""

    points: float
    changes: float


def walk(stake: Stake, policy: str, turns: int) -> Walk:
    """Play with seat 0 acting every `turns` turns and otherwise doing nothing."""
    game, seeds = stake.game, np.arange(PLAYS)
    nothing = game.declaration.actions[0].default
    seated = [policies.make(spec, game) for spec in (policy, *stake.others)]
    bench = Bench(game, by_seat(dict(enumerate(seated)), game.seats))
    state, seen = game.reset(seeds)
    bench.begin(seeds, PLAYS)
    points, pressed = np.zeros(PLAYS), list[Array]()
    for turn in range(game.horizon):
        sent = bench.decide(seeds, state, seen)
        pressed.append(sent["action"][:, 0].copy())
        if turn % turns:
            sent = {"action": np.where(np.arange(game.seats) == 0, nothing, sent["action"])}
        state, outcome = game.step(state, sent, game.draw_chance(seeds, state["period"]))
        seen, points = outcome.observations, points + outcome.rewards[:, 0]
    return Walk(float(points.mean()), float((np.diff(pressed, axis=0) != 0).mean()))


def row(stake: Stake, policy: str) -> str:
    walks = [walk(stake, policy, turns) for turns in TURNS]
    points = " | ".join(f"{result.points:.1f}" for result in walks)
    return f"| `{policy}` | {walks[0].changes:.0%} | {points} |\n"


def main() -> None:
    config = next(config for config in SESSION_CONFIGS if config["name"] == SESSION)
    stake = stake_of(config)
    numbers = facts(stake)
    sys.stdout.write(dated(INTRODUCTION.format(**numbers)))
    for policy in WALKERS:
        sys.stdout.write(row(stake, policy))
    sys.stdout.write(ENDING.format(**numbers))


def facts(stake: Stake) -> dict[str, Any]:
    """Return the numbers for the page's text, by placeholder."""
    seconds, game = stake.setup.options.decision_seconds, stake.game
    keys = int(game.declaration.actions[0].high) + 1
    choosing, ageing = PER_BIT * log2(keys), AGEING * (65 - 20)
    return {
        "session": stake.name,
        "seconds": seconds,
        "fastest": FASTEST_SECONDS,
        "spare": seconds - PREPARING - PRESSING,
        "longer": LONGER,
        "turns": game.horizon,
        "minutes": LONGER * game.horizon / 60,
        "keys": keys,
        "bits": log2(keys),
        "simple": SIMPLE,
        "choosing": choosing,
        "ageing": ageing,
        "reacting": SIMPLE + choosing + ageing,
        "deciding": PREPARING + PRESSING,
        "plays": PLAYS,
        "last": PLAYS - 1,
        "heads": " every turn | every second | every third |",
        "rules": "---|" * len(TURNS),
    }


if __name__ == "__main__":
    main()
