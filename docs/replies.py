"""Generator for docs/sanctions_pays.svg, and for the section about the repeated game in
docs/sanctions.md.

`python -m docs.sanctions` writes both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from docs.drawing import line, svg, text
from mixed_company import engine
from mixed_company.engine.games.sanctions.core import per_seat
from mixed_company.engine.solutions import sanctions as solutions

ARCHETYPES = ("source", "tr4", "lab", "graduated")
SHARES = np.linspace(0.0, 1.0, 41)  # contributions of deviations, as shares of the endowment
DISCOUNTS = np.linspace(0.0, 1.0, 41)
COLOURS = {"the baseline earns more": "#2166ac", "this earns more": "#f4a582"}
SIDE, LEFT, TOP, GAP = 200, 60, 50, 40
Series = NDArray[np.float64]


@dataclass(frozen=True)
class Repeated:
    """Results for an archetype's repeated game, in points per seat.

    baseline    expected contribution
    kept        points of a seat if all give the baseline
    reply       best reply to others who give the baseline
    symmetric   path of contributions that is a best reply if all others follow it
    gains       {deviation from the baseline: (largest gain, contribution)}
    pays        shape (discounts, shares): points for always giving a share, minus those for the
                baseline
    """

    periods: int
    baseline: float
    kept: float
    reply: solutions.Reply
    symmetric: solutions.Reply
    gains: dict[str, tuple[float, float]]
    pays: Series


def repeated(archetype: str) -> Repeated:
    """Solve the repeated game. The reply is exact if possible; otherwise it comes from a search and
    has a bound."""
    game: Any = engine.make("sanctions", archetype=archetype)
    expected = float(per_seat(game.core.baseline, game.seats)[0])
    kept = solutions.returns(game, np.full((1, game.horizon), expected), expected)
    try:
        reply = solutions.exact_reply(game)
        others = reply.contributions
        value = float(solutions.returns(game, others[None], others)[0])
        symmetric = solutions.Reply(others, value, value)
    except ValueError:  # no exact solution for this form
        reply = solutions.best_reply(game, expected, climb=False)
        symmetric = solutions.symmetric_path(game, climb=False)
    return Repeated(
        game.horizon,
        expected,
        float(kept[0]),
        reply,
        symmetric,
        _gains(game, expected),
        _pays(game),
    )


def _gains(game: Any, expected: float) -> dict[str, tuple[float, float]]:
    instead = SHARES * float(per_seat(game.core.endowment, game.seats)[0])
    path, first = np.full(game.horizon, expected), game.horizon // 2
    lengths = {"once": 1, "five periods": 5, "for good": game.horizon}
    gains = {}
    for name, length in lengths.items():
        earned = solutions.gains(game, path, instead, first, length)
        earned[np.isclose(instead, expected)] = -np.inf
        best = int(earned.argmax())
        gains[name] = (float(earned[best]), float(instead[best]))
    return gains


def _pays(game: Any) -> Series:
    expected = float(per_seat(game.core.baseline, game.seats)[0])
    _, plays = solutions.constant(game, len(SHARES))
    keeper = np.full((1, game.horizon), expected)
    rewards = solutions.replayed(game, np.vstack([plays, keeper]), expected).rewards
    weights = DISCOUNTS[:, None] ** np.arange(game.horizon)
    earned = weights @ (rewards[:-1] - rewards[-1]).T
    pays: Series = earned / weights.sum(axis=1, keepdims=True)
    return pays


# -- the page -------------------------------------------------------------------------------


def document() -> tuple[str, str]:
    """Return the section of the page, and the picture."""
    results = {archetype: repeated(archetype) for archetype in ARCHETYPES}
    rows = "".join(_row(*item) for item in results.items())
    deviations = "".join(_deviations(*item) for item in results.items())
    return _PAGE.format(rows=rows, deviations=deviations, **_gradual(results)), picture(results)


def _row(archetype: str, result: Repeated) -> str:
    reply, path = result.reply, result.symmetric
    return (
        f"| {archetype} | {result.periods} | {result.kept:.1f} | {reply.value:.1f} "
        f"| {max(reply.bound - reply.value, 0.0):.1f} | {course(reply.contributions)} "
        f"| {course(path.contributions)} | {path.value:.1f} "
        f"| {max(path.bound - path.value, 0.0):.1f} |\n"
    )


def course(path: Series) -> str:
    """Return the first, middle and last values of a path."""
    return ", ".join(f"{path[period]:.2f}" for period in (0, len(path) // 2, -1))


def _deviations(archetype: str, result: Repeated) -> str:
    cells = [f"{gain:+.1f} (at {amount:g})" for gain, amount in result.gains.values()]
    return f"| {archetype} | {result.baseline:g} | {' | '.join(cells)} |\n"


def _gradual(results: dict[str, Repeated]) -> dict[str, str]:
    """Return the numbers for the text about `graduated` and the grid."""
    game: Any = engine.make("sanctions", archetype="graduated")
    graduated = results["graduated"]
    return {
        "periods": str(graduated.periods),
        "memories": str(2 ** (game.core.memory - 1)),  # possible contents of the memory
        "grid": str(len(SHARES)),
        "least": f"{solutions.least_discount(game):.3f}",
        "enough": f"{solutions.enough_discount(game):.3f}",
        "reforming": f"{solutions.reforming_discount(game):.3f}",
        "last": str(int((graduated.reply.contributions == 0.0).sum())),
        "ending": f"{graduated.reply.value - graduated.kept:.2f}",
    }


_PAGE = """
## Best replies in the repeated game

The table shows one seat's points over a whole play with a known end and no discounting. The
others follow a fixed path, whatever happens: they give their baselines in the first columns, while
in the last three columns all seats follow the same path. The engine replays the best reply found,
so its points are attainable. No path earns more than this reply plus the *gap*
(`mixed_company.engine.solutions.sanctions.replies` says why). Paths are shown in their first,
middle and last period. A seat that deviates from the common path gains at most the gap in the last
column.

| archetype | periods | baseline | best reply found | gap | its path | common path | points | gap |
|---|---|---|---|---|---|---|---|---|
{rows}
- `source`: sanctions are too weak, and fade too soon, to sustain the baseline of 40. As trust is
  lost, the common path falls from near the coopetitive equilibrium to Nash. The gap is about as
  large as the sanctions.
- `tr4`: a seat is not sanctioned for its own contribution, so each period can be optimised on its
  own. The gap comes from the computational grid.
- `lab`: the best reply is to give a little more than expected, whatever the others give.
- `graduated`: the result is exact, computed by dynamic programming over the {memories} memories of
  giving all or nothing. Earnings are convex in the amount withheld, so no amount in between can be
  better.

In the next table, everyone keeps to the baseline except for one deviation by one seat. The
deviation begins in the middle of a play and lasts one period, five periods, or until the end. Each
cell shows the largest gain on a grid of {grid} contributions, and the contribution with this gain.
The gains are exact for these deviations.

| archetype | baseline | once | five periods | for good |
|---|---|---|---|---|
{deviations}
The figure shows where contributing pays. One seat always gives the same amount (horizontal
axis, as a share of its endowment) instead of the baseline that all others give (the line). The
points of a period are weighted by the discount raised to the power of the period's number (vertical
axis).

![Where contributing pays](sanctions_pays.svg)

**Graduated sanctions.** In `graduated` the first deviation is sanctioned mildly, and each
repetition more severely, until the memory is full. From then on, the sanction stays at this level
as long as the deviation lasts. Larger deviations are sanctioned more. After a seat has returned to
its baseline, sanctions never rise, and they end after ten periods. `mixed manual sanctions`
derives the parameters.

Suppose that the end is unknown, and that the discount is also the probability that the play
continues. If the discount is at least {least} (computed; an analytical argument proves it for
{enough} and above), a seat that has never deviated cannot do better than contribute what is
expected. This holds after any history if the discount is at least {reforming}. In a play of
{periods} periods with a known end, sanctions fail to deter only in the last {last}, and deviating
in these periods gains {ending} points.

**For the group.** The sum of private payoffs is largest at the social optimum, which is exact
(`mixed_company.engine.solutions`). In `graduated` this is also the maximum including sanctions,
because sanctions there only reduce payoffs. In `lab` a group that gives everything also gets the
largest rewards.

**Not known:**

- the best play against seats that respond, as people and most policies do;
- whether there are common paths other than the one that repeated best replies lead to;
- the best group result in `source`, `tr4` and `coopetition_gym`, including sanctions and the weight
  that seats give to each other's welfare;
- best replies in games with layers.

No bound is known if earnings are shared, if sanctions multiply the deviator's reward, or if they
depend on anything but an average compared with the baseline.
"""


# -- the picture ----------------------------------------------------------------------------


def picture(results: dict[str, Repeated]) -> str:
    """Draw a panel per archetype that shows where a contribution earns more than the baseline."""
    across, down = LEFT + len(results) * (SIDE + GAP), TOP + SIDE + 50
    parts = []
    for place, (label, colour) in enumerate(COLOURS.items()):
        x = LEFT + 200 * place
        parts.append(_block(x, 6, 14, 12, colour) + text(x + 20, 17, label))
    for column, (archetype, result) in enumerate(results.items()):
        x = LEFT + column * (SIDE + GAP)
        parts.append(text(x, TOP - 10, archetype) + _panel(archetype, result, x))
    parts.append(text(5, TOP + 10, "1") + text(5, TOP + SIDE, "0") + text(5, TOP + 100, "discount"))
    parts.append(text(LEFT, down - 8, "across: given always, 0 to the whole endowment"))
    return svg("Where contributing pays", across, down, "".join(parts))


def _panel(archetype: str, result: Repeated, x: int) -> str:
    """Draw a panel's coloured cells, row by row from the largest discount down, and the
    baseline."""
    cell, parts = SIDE / len(SHARES), []
    for row, gains in enumerate(result.pays[::-1]):
        signs = np.where(np.abs(gains) < 1e-9, 0, np.sign(gains))
        starts = np.flatnonzero(np.diff(signs, prepend=np.nan))
        for start, end in zip(starts, [*starts[1:], len(signs)], strict=True):
            if signs[start]:
                colour = list(COLOURS.values())[int(signs[start] > 0)]
                wide = float((end - start) * cell)
                parts.append(_block(x + float(start * cell), TOP + row * cell, wide, cell, colour))
    endowment = engine.make("sanctions", archetype=archetype).core.endowment
    place = x + cell / 2 + (SIDE - cell) * result.baseline / endowment
    parts.append(line(f"{place:.1f},{TOP} {place:.1f},{TOP + SIDE}", "#000"))
    return "".join(parts)


def _block(x: float, y: float, width: float, height: float, colour: str) -> str:
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" '
        f'fill="{colour}"/>\n'
    )
