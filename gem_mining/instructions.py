"""The instructions of gem mining.

Every number comes from the session's own configuration; none is typed here.
"""

from __future__ import annotations

from gettext import gettext as _
from gettext import ngettext

from engine.games.gem_mining import GemCore
from engine.games.gem_mining.instance import bonuses
from gem_mining import words
from server.guide import Section
from server.texts import exact, number, percent, points, section
from table.options import Options

__all__ = ["sections"]


def sections(core: GemCore, options: Options) -> list[Section]:
    """The instructions, part by part: {title, lines, table}."""
    return [_choice(core, options), _worth(core), _finding(core), _workers(core), _view(core)]


def _choice(core: GemCore, options: Options) -> Section:
    lines = [
        _("You lead one of {n} villages.").format(n=core.seats)
        + " "
        + ngettext(
            "The game has {periods} period.", "The game has {periods} periods.", core.periods
        ).format(periods=core.periods),
        _(
            "In every period each village chooses the mine to which its workers go. All workers of "
            "a village go to the same mine."
        ),
        _reached(core),
    ]
    if options.decision_seconds:
        lines.append(
            _("Doing nothing, as when time is up, sends your workers to the first mine you reach.")
        )
    return section(_("Your decision"), lines)


def _reached(core: GemCore) -> str:
    line = _(
        "There are {m} mines. A village reaches {reach} of them, those next to it, so that "
        "neighbours reach some mines together."
    )
    instance = core.instance
    reach = instance.reach if instance else (core.min_connectivity, core.max_connectivity)
    workers = instance.workers if instance else (core.min_workers, core.max_workers)
    crew = ngettext("It has {workers} worker.", "It has {workers} workers.", max(workers))
    line = line.format(m=core.mines, reach=_span(reach))
    return f"{line} {crew.format(workers=_span(workers))}"


def _span(values: tuple[int, ...]) -> str:
    low, high = min(values), max(values)
    return str(low) if low == high else _("{low} to {high}").format(low=low, high=high)


def _worth(core: GemCore) -> Section:
    weights = core.weights or ()
    lines = [
        _("There are {n} kinds of gems: {kinds}.").format(
            n=core.gem_types,
            kinds=words.listed(many for _one, many in words.kinds()[: len(weights)]),
        ),
        _("All villages share what they find: a gem found by any village counts for every one."),
    ]
    if core.gem_types == 1:
        lines[0] = _("There is one kind of gems: {kinds}.").format(kinds=words.kinds()[0][1])
    if len(set(weights)) == 1:
        line = _("Each gem is worth {points} to every village.")
        lines.append(line.format(points=points(exact(weights[0]))))
    else:
        line = _("One {kind} is worth {points} to every village.")
        lines += [
            line.format(kind=words.kind(k), points=points(exact(weight)))
            for k, weight in enumerate(weights)
        ]
    return section(_("What gems are worth"), lines)


def _finding(core: GemCore) -> Section:
    lines = [
        _(
            "In a mine with workers each kind of gem is found by chance, at most one gem of a "
            "kind in a mine and period, whoever works there. A mine without workers yields nothing."
        ),
        _(
            "Every mine has its own chances. They stay the same in all periods, and what was found "
            "before does not change them."
        ),
    ]
    if core.instance is None and core.correlated and core.gem_types > 1:
        line = _(
            "With one worker the chance of a kind is at least {low}, and that of all kinds of a "
            "mine together is at most {high}: a mine that is rich in one kind is poor in others."
        )
    elif core.instance is None:
        line = _("With one worker the chance of a kind is between {low} and {high} in every mine.")
    else:
        line = ""
    if line:
        low, high = percent(core.min_probability), percent(core.max_probability)
        lines.append(line.format(low=low, high=high))
    return section(_("How gems are found"), lines)


def _workers(core: GemCore) -> Section:
    limit = [_("No chance is above {t}.").format(t=percent(core.truncation))]
    if core.worker_bonus == 1:
        none = _("More workers in a mine do not change its chances.")
        return section(_("Workers"), [none, *(limit if _highest(core) > core.truncation else [])])
    lines = [
        _(
            "All workers in a mine count together, from whatever village. Each after the first "
            "multiplies the chances by {b}."
        ).format(b=exact(core.worker_bonus))
    ]
    lines += limit if core.truncation < 1 else []
    counts = [1, 2, 3, 5, 10, 15]
    chance = min(core.truncation, (core.min_probability + core.max_probability) / 2)
    factors = bonuses(core.worker_bonus, max(counts))
    lines.append(_("An example, with a chance of {p}:").format(p=percent(chance)))
    table = [{"head": _("Workers in the mine"), "cells": [str(count) for count in counts]}]
    shares = [number(100 * min(core.truncation, chance * factors[n])) for n in counts]
    table.append({"head": _("Chance in %"), "cells": shares})
    return section(_("Workers"), lines, table)


def _highest(core: GemCore) -> float:
    """The largest chance a worker can have anywhere, before it is cut."""
    if core.instance is None:
        return core.max_probability
    return max(max(row) for row in core.instance.base_probabilities)


def _view(core: GemCore) -> Section:
    lines = {
        "none": [
            _("You see what all villages find together, and nothing else of what the others did.")
        ],
        "own": [
            _("After every period you see what was found in your own mine, and all gems together.")
        ],
        "all": [
            _(
                "After every period you see where every village went, how many workers there were "
                "in each mine, and what was found there."
            )
        ],
    }[core.information]
    if core.known_probabilities:
        lines.append(
            _("You see the chances of every mine, and the roads and workers of every village.")
        )
    elif core.information == "all":
        lines.append(_("The chances of the mines are not shown: try them, and watch the others."))
    elif core.information == "own":
        lines.append(_("The chances of the mines are not shown: try them."))
    else:
        lines.append(_("The chances of the mines are not shown."))
    return section(_("What you see"), lines)
