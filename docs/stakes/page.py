"""Page docs/stakes.md: its introduction and the section on each session."""

from __future__ import annotations

from docs.stakes.conditions import conditions, money
from docs.stakes.earning import LEVELS, MOST_LEVELS, PLAYS, Earned, Table
from mixed_company import policies

__all__ = ["INTRODUCTION", "section"]

INTRODUCTION = f"""# What is at stake

This page shows how much a participant's choices matter in the sessions that people play by default.
Points are means for the person's seat over {PLAYS} plays (seeds 0 to {PLAYS - 1}), with the default
bots in the other seats. `python -m docs.stakes` writes this page.

- *± luck*: the standard deviation due to chance, with the same policies in all seats.
- *below 0*: the share of plays that end with fewer than 0 points.
- *EUR*: payment at the session's rate, including the participation fee, which is also the minimum.
- *all seats*: points per seat if all seats follow the policy.
- *best reply*: the row that earns the most. If the decision is a number, the search also tries
  policies that send the same number in every period: all whole numbers, or {LEVELS} equal steps if
  there are more than {MOST_LEVELS} of them. This is a simple search, so a better reply may exist.
- The best group plan is taken from [best.md](best.md), as a mean over the same seeds. If it is a
  bound, it may not be reachable.
- Rows that start with `population:` are groups without bots: simulated people from
  [populations.md](populations.md) take all seats.

Policies marked with \\* are told the solution. `random` always acts at random, and
`noisy_person` sometimes does. All other policies are called sensible.

`python -m docs.stakes --check` lists the conditions that are not met, and `make test-long` runs it.
"""


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
    heads = ("policy", "points", "± luck", "below 0", "EUR", "all seats")
    lines.append(f"\n| {' | '.join(heads)} |\n{'|---' * len(heads)}|\n")
    played = {**table.alone, **table.reply}
    ranked = sorted(played.items(), key=lambda item: -item[1].mean)
    lines += [_row(table, name, earned) for name, earned in ranked]
    lines += [
        f"| `{name}` | | | | | {earned.mean:.1f} |\n"
        for name, earned in table.group.items()
        if name not in played
    ]
    lines.append("\n| condition | measured | met |\n|---|---|---|\n")
    lines += [
        f"| {promise} | {number} | {'yes' if met else '**no**'} |\n"
        for promise, number, met in conditions(table)
    ]
    return "".join(lines)


def _row(table: Table, name: str, result: Earned) -> str:
    star = "\\*" if policies.make(name, table.stake.game).told_the_solution else ""
    best = "**best reply** " if name == table.top[0] else ""
    alike = f"{table.group[name].mean:.1f}" if name in table.group else ""
    return (
        f"| {best}`{name}`{star} | {result.mean:.1f} | {result.spread:.1f} | {result.below:.0%} "
        f"| {money(table.stake, result.mean):.2f} | {alike} |\n"
    )
