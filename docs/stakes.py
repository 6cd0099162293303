"""Generator of docs/stakes.md: the stakes of the sessions that people play by default.

    python -m docs.stakes > docs/stakes.md

`analysis.games` declares these sessions and their promises.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from math import nan
from typing import NamedTuple

from docs.dating import dated
from docs.earning import LEVELS, PLAYS, Earned, Stake, Table, measured, shipped
from mixed_company import policies
from mixed_company.engine import solutions

CARELESS = ("random", "noisy_person")
PAY = (8.0, 14.0)
LEAST = 0.2
"""Minimum effect of a choice, as a share of the best group's points."""
NEARLY = 0.005
"""Maximum effect of a choice that should have none, as such a share."""

INTRODUCTION = f"""# What is at stake

How much a participant's choices matter in the sessions that people play by default. Points are
those of the person's seat in {PLAYS} plays (seeds 0 to {PLAYS - 1}), with the default bots in the
other seats. `python -m docs.stakes` writes this page.

- *± luck*: the standard deviation due to chance, with the same policies in all seats.
- *below 0*: the share of plays that end with fewer than 0 points.
- *EUR*: at the session's rate, including the participation fee, which is also the minimum.
- *all alike*: the points of a seat if all seats follow the policy.
- *best reply*: the best of all policies of the game. If the decision is a number, {LEVELS} policies
  that send the same number in every period are also tried. This is a simple search, not a proven
  best.
- *alone* and *if all*: what a seat gains by deviating while all others do what is best for the
  group, and what each gains if all deviate. Both are shares of what the best group earns. If no
  other policy is named, the deviation is the best reply of this search.
- The best group plan is that of [best.md](best.md), as a mean over the same seeds. A bound
  cannot be exceeded, and may not be reachable. The best group's points are the most that a
  policy earns with itself, or those of the best group plan if it can be played.

Policies marked with \\* are told the solution. `random` always acts at random, and
`noisy_person` sometimes does. All other policies are called sensible.

**Two conditions cannot hold without sanctions**, whatever the numbers. In a linear public good
that pays out the endowment, a seat that gives at random keeps half of it. So it earns at least
(1 + mpcr) / 2 of what the free rider earns. If all give at random, they keep half and give
half, so they earn at least half of what a group that gives everything earns.

**Luck in gem mining.** All seats share every find, so a seat that finds nothing still gets a share
of what the other three find. A random seat earns little compared with the best only because the
default bots crowd at the mine that is best for each of them. They leave the gems of the other mines
to a player who watches where they go.
"""


class Condition(NamedTuple):
    """Promise of a session, its measurement, and whether it holds."""

    promise: str
    number: str
    met: bool


def conditions(table: Table) -> Iterator[Condition]:
    """Yield each condition with its number."""
    chance = table.alone["random"].mean
    best = max(table.alone.values(), key=lambda earned: earned.mean)
    top = max([best, *table.reply.values()], key=lambda earned: earned.mean)
    limit = table.stake.promises.most_random
    share = chance / top.mean if top.mean > 0 else nan
    yield Condition(
        f"random earns at most {limit:.0%} of the best reply", f"{share:.2f}", share <= limit
    )
    together = table.group["random"].mean / _plan(table)
    yield Condition(
        "if all play at random, they earn at most half of the best group",
        f"{together:.2f}",
        together <= 0.5,
    )
    luck = best.spread / (best.mean - chance) if best.mean > chance else nan
    yield Condition("luck is at most a quarter of the gain from skill", f"{luck:.2f}", luck <= 0.25)
    yield from _doing_otherwise(table)
    below = max(earned.below for name, earned in _sensible(table).items())
    yield Condition("no sensible policy ends below 0", f"{below:.0%} of plays", below == 0)
    pays = [money(table.stake, table.group[name].mean) for name in _sensible(table)]
    within = PAY[0] <= max(pays) <= PAY[1]
    number = f"{min(pays):.2f} to {max(pays):.2f} EUR"
    yield Condition(f"the best sensible group earns {PAY[0]:g} to {PAY[1]:g} EUR", number, within)


def _doing_otherwise(table: Table) -> Iterator[Condition]:
    """Yield whether deviating pays or costs as promised; nothing if the best choice is unknown."""
    if table.dilemma is None:
        return
    plan = _plan(table)
    gain, loss = table.dilemma.gain / plan, table.dilemma.loss / plan
    number = f"`{table.dilemma.reply}`: {gain:+.2f} alone, {-loss:+.2f} if all"
    promise, met = {
        "pays": (
            f"the selfish choice gains a seat {LEAST:.0%} of the best; "
            f"if all make it, each loses {LEAST:.0%}",
            gain >= LEAST and loss >= LEAST,
        ),
        "costs": ("deviating pays nobody", gain <= NEARLY),
        "crowds": (
            f"crowding costs a seat points; if all crowd, each loses {LEAST:.0%} of the best",
            gain <= -NEARLY and loss >= LEAST,
        ),
    }[table.stake.promises.otherwise]
    yield Condition(promise, number, met)


def _plan(table: Table) -> float:
    """Return the best group plan if it can be played, else the best policy's points with itself."""
    best_alike = max(earned.mean for earned in table.group.values())
    best = solutions.best(table.stake.game)
    can_be_played = best is not None and best.kind == "plan" and table.best is not None
    return max(best_alike, table.best or 0.0) if can_be_played else best_alike


def _sensible(table: Table) -> dict[str, Earned]:
    return {name: earned for name, earned in table.alone.items() if name not in CARELESS}


def money(stake: Stake, points: float) -> float:
    """Return the payment for these points."""
    return stake.fee + max(points, 0.0) * stake.rate


# -- the page -------------------------------------------------------------------------------------


def section(table: Table) -> str:
    """Return one session's numbers, table and conditions."""
    stake, game = table.stake, table.stake.game
    best = "not known" if table.best is None else f"{table.best:.1f} points per seat"
    minutes = game.horizon * stake.setup.options.decision_seconds / 60
    lines = [
        f"\n## {game.id}: `{stake.name}`\n\n",
        f"`{game.config.identity.archetype}`, {game.seats} seats, {game.horizon} periods, others: "
        f"{', '.join(f'`{name}`' for name in stake.others)}. Best group plan: {best}. "
        f"1 point = {stake.rate:g} EUR; at most {minutes:.1f} minutes.\n",
    ]
    heads = ("policy", "points", "± luck", "below 0", "EUR", "all alike")
    lines.append(f"\n| {' | '.join(heads)} |\n{'|---' * len(heads)}|\n")
    ranked = sorted(table.alone.items(), key=lambda item: -item[1].mean)
    lines += [_row(table, name, earned) for name, earned in ranked]
    lines.append(_best_reply(table))
    lines.append("\n| condition | measured | met |\n|---|---|---|\n")
    lines += [
        f"| {promise} | {number} | {'yes' if met else '**no**'} |\n"
        for promise, number, met in conditions(table)
    ]
    return "".join(lines)


def _row(table: Table, name: str, result: Earned) -> str:
    star = "\\*" if policies.find(name, table.stake.game.id).told_the_solution else ""
    alike = table.group[name].mean
    return (
        f"| `{name}`{star} | {result.mean:.1f} | {result.spread:.1f} | {result.below:.0%} "
        f"| {money(table.stake, result.mean):.2f} | {alike:.1f} |\n"
    )


def _best_reply(table: Table) -> str:
    everything = {**table.alone, **table.reply}
    name = max(everything, key=lambda spec: everything[spec].mean)
    result = everything[name]
    pay = money(table.stake, result.mean)
    earned = f"{result.mean:.1f} | {result.spread:.1f} | {result.below:.0%} | {pay:.2f}"
    return f"| best reply: `{name}` | {earned} | |\n"


def main() -> None:
    sys.stdout.write(dated(INTRODUCTION))
    for stake in shipped():
        sys.stdout.write(section(measured(stake)))


if __name__ == "__main__":
    main()
