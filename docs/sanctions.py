"""Generator for docs/sanctions.md and its pictures: how sanctions develop after a defection, and
which replies are best.

python -m docs.sanctions
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from docs import replies
from docs.drawing import line, svg, text
from mixed_company import engine

HERE = Path(__file__).parent
GOOD, PERIODS = 10, 30
SLIGHT = 0.95
REFORM = 5
BEHAVIOURS = {
    "persistent": lambda since: 0.0,
    "one-time": lambda since: float(since > 0),
    "alternating": lambda since: float(since % 2),
    "slight": lambda since: SLIGHT,
    "reformed": lambda since: float(since >= REFORM),
}
"""For each behaviour, a function that returns the share of the baseline that a defector gives, from
the number of periods since its first defection."""
VARIANTS: dict[str, dict[str, Any]] = {
    **{
        name: {"archetype": name}
        for name, values in engine.find("sanctions").archetypes.items()
        if "layers" not in values and values.get("lambda_R") != 0
    },
    **{
        f"{name}, trust held": {"archetype": name, "lambda_minus": 0.0, "mu_R": 0.0}
        for name in ("source", "tr4", "coopetition_gym")
    },
}
COLOURS = {"on the defector": "#b2182b", "on each partner": "#2166ac"}
WIDTH, HEIGHT, LEFT, TOP, GAP = 190, 110, 90, 50, 25
Series = NDArray[np.float64]


@dataclass(frozen=True)
class Study:
    """Defector among partners who give the baseline, compared with a play without a defection.

    defector, partner   (PERIODS,) change of sanctions in each period, in points
    gain, loss          the defector's gain and each partner's loss in the whole play, in points
    """

    defector: Series
    partner: Series
    gain: float
    loss: float


Studies = dict[tuple[str, str], Study]


def rewards(variant: str, behaviour: str | None) -> tuple[Series, Series]:
    """Return the rewards, and the sanctions that they include, each with shape (PERIODS, n); seat 0
    is the defector."""
    game = engine.make("sanctions", **VARIANTS[variant], periods=PERIODS)
    episode, earned, added = engine.Episode(game), [], []
    for period in range(PERIODS):
        contributions = [game.core.baseline] * game.seats
        if behaviour and period >= GOOD:
            contributions[0] *= BEHAVIOURS[behaviour](period - GOOD)
        step = episode.step({"contribution": contributions})
        earned.append(step.rewards)
        added.append(step.components["sanctions"])
    return np.array(earned), np.array(added)


def study(variant: str, behaviour: str) -> Study:
    """Measure the effects of a defection on the defector and its partners."""
    earned, added = rewards(variant, behaviour)
    without, before = rewards(variant, None)
    totals = (earned - without).sum(axis=0)
    changed = added - before
    return Study(changed[:, 0], changed[:, 1], float(totals[0]), float(-totals[1]))


# -- the page -------------------------------------------------------------------------------

INTRODUCTION = f"""# Who is sanctioned, and does it escalate?

This page shows how sanctions in the published equations respond to defection, and which replies are
best. `make docs` writes this page.

Until period {GOOD - 1} all seats give their baselines. From then until period {PERIODS - 1} one
seat, the defector, changes its contribution, while its partners keep giving their baselines:

- *persistent*: gives nothing from then on
- *one-time*: gives nothing once
- *alternating*: gives nothing in every other period
- *slight*: gives {100 * SLIGHT:.0f}% of its baseline
- *reformed*: gives nothing for {REFORM} periods, then its baseline again

The variants are the archetypes. Three of them also appear with *trust held*, which means that trust
and reputation do not decline (`lambda_minus` = `mu_R` = 0).

A sanction is the reward lost to reciprocity in a period, in points, compared with a play without
the defection. A negative sanction is a gift. Each cell shows the sanction in the first period of
the defection, the largest sanction (with its period), and the sanction in the last period. The last
two columns are totals over the whole play, including sanctions: the defector's gain from defecting,
and the loss of each partner.

![Sanctions by variant and behaviour](sanctions.svg)

| variant | behaviour | sanction on the defector | on each partner | gain | loss of each partner |
|---|---|---|---|---|---|
"""
COURSES = """
This table shows how sanctions develop after the defection. Percentages are relative to the
largest sanction:

"""
CLOSING = """
Trust scales every effect. Trust declines while a seat defects, except in `lab` and `graduated`,
where it is constant. If trust is held, only the memory matters. A sanction relative to the baseline
(`source`) grows while the memory fills, and then stays constant. A sanction relative to the seat's
own past (`tr4`, `coopetition_gym`) ends once the memory contains only the defection, and returning
to the baseline then counts as a gift.
"""


def document(studies: Studies) -> str:
    """Return the page, with all numbers from `studies`."""
    rows = [
        f"| {variant} | {behaviour} | {course(play.defector)} | {course(play.partner)} "
        f"| {play.gain:+.1f} | {play.loss:+.1f} |\n"
        for (variant, behaviour), play in studies.items()
    ]
    heads = "".join(f" {name} |" for name in BEHAVIOURS)
    head = f"| variant | sanctions fall on |{heads}\n{'|---' * (2 + len(BEHAVIOURS))}|\n"
    courses = [f"| {variant} | {reading(studies, variant)} |\n" for variant in VARIANTS]
    return f"{INTRODUCTION}{''.join(rows)}{COURSES}{head}{''.join(courses)}{CLOSING}"


def course(added: Series) -> str:
    """Describe a sanction after the defection: its first, largest (with the period) and last
    values."""
    sanction = -added[GOOD:] + 0.0
    peak = int(sanction.argmax())
    if sanction[peak] < 5e-4:
        return "none"
    return f"{sanction[0]:.3f}, {sanction[peak]:.3f} ({GOOD + peak}), {sanction[-1] + 0.0:.3f}"


def reading(studies: Studies, variant: str) -> str:
    """Return the table cells for a variant: who is sanctioned, and whether sanctions escalate."""
    play = studies[variant, "persistent"]
    side = "partner" if play.partner.min() < play.defector.min() else "defector"
    ways = [way(-getattr(studies[variant, name], side)[GOOD:]) for name in BEHAVIOURS]
    return " | ".join([f"the {side}", *ways])


def way(sanction: Series) -> str:
    """Describe whether a sanction escalates or fades, with its numbers."""
    peak = int(sanction.argmax())
    growth = sanction[peak] / sanction[0]
    rise = "largest in the first period"
    if growth > 1.01:
        rise = f"grow {growth:.2f}-fold until period {GOOD + peak}"
    gift = -float(sanction.min())
    if gift > 5e-4:
        return f"{rise}, then gifts of up to {gift:.3f}"
    left = 100 * sanction[-1] / sanction[peak] + 0.0
    return f"{rise}, then level off" if left > 99.95 else f"{rise}, then fade to {left:.0f}%"


# -- the picture ----------------------------------------------------------------------------


def picture(studies: Studies) -> str:
    """Draw the studies as SVG, with a row per behaviour, and a column per variant with a separate
    scale."""
    across = LEFT + len(VARIANTS) * (WIDTH + GAP)
    down = TOP + len(BEHAVIOURS) * (HEIGHT + GAP) + GAP
    parts = []
    for place, (label, colour) in enumerate(COLOURS.items()):
        x = LEFT + 160 * place
        parts.append(line(f"{x},14 {x + 24},14", colour) + text(x + 30, 18, label))
    for column, variant in enumerate(VARIANTS):
        shown = [studies[variant, behaviour] for behaviour in BEHAVIOURS]
        values = np.concatenate([[0.0], *[(*play.defector, *play.partner) for play in shown]])
        x = LEFT + column * (WIDTH + GAP)
        parts.append(text(x, TOP - 10, variant))
        for row, play in enumerate(shown):
            y = TOP + row * (HEIGHT + GAP)
            parts.append(_panel(play, x, y, float(values.min()), float(values.max())))
    for row, behaviour in enumerate(BEHAVIOURS):
        parts.append(text(5, TOP + row * (HEIGHT + GAP) + HEIGHT // 2, behaviour))
    parts.append(text(LEFT, down - 8, f"across: periods 0 to {PERIODS - 1}; up: points"))
    title = "What reciprocity adds to the reward in each period, in points"
    return svg(title, across, down, "".join(parts))


def _panel(play: Study, x: int, y: int, low: float, high: float) -> str:
    """Draw one play: a line for each side, the zero line, and the lowest value on the scale."""

    def height(value: float) -> float:
        return y + HEIGHT * (high - value) / (high - low)

    lines = [
        f'<rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#ccc"/>\n',
        line(f"{x},{height(0):.1f} {x + WIDTH},{height(0):.1f}", "#bbb"),
        text(x + 3, y + HEIGHT - 4, f"{low:.2f}"),
    ]
    for series, colour in zip((play.defector, play.partner), COLOURS.values(), strict=True):
        points = [
            f"{x + WIDTH * period / (PERIODS - 1):.1f},{height(value):.1f}"
            for period, value in enumerate(series.tolist())
        ]
        lines.append(line(" ".join(points), colour))
    return "".join(lines)


def files() -> dict[str, str]:
    """Return the contents of every file by name."""
    studies = {
        (name, behaviour): study(name, behaviour) for name in VARIANTS for behaviour in BEHAVIOURS
    }
    repeated, pays = replies.document()
    return {
        "sanctions.md": document(studies) + repeated,
        "sanctions.svg": picture(studies),
        "sanctions_pays.svg": pays,
    }


def main() -> None:
    for name, content in files().items():
        (HERE / name).write_text(content, encoding="utf-8")


if __name__ == "__main__":
    main()
