"""Instructions for gem mining.

Every number comes from the session's configuration; none is hard-coded.
"""

from __future__ import annotations

from gem_mining import words
from mixed_company.engine.games.gem_mining import GemCore, GemGame
from mixed_company.engine.games.gem_mining.instance import bonuses
from mixed_company.language import gettext as _
from mixed_company.language import ngettext
from mixed_company.server.pages import plain
from mixed_company.server.pages.guide import Section
from mixed_company.server.pages.texts import counted, exact, number, percent, section
from mixed_company.table.options import Options

_SEEN = {
    "none": (),
    "own": ("own_found", "gems"),
    "all": ("mines", "workers_at", "found"),
}
"""Fields of the last period that a village sees, for each value of `information`."""


def sections(game: GemGame, options: Options) -> list[Section]:
    """Return the instructions, one section {title, lines, table, screen} per part."""
    core = game.core
    parts = [_story(core), _choice(game, options), _finding(game), _workers(game), _view(game)]
    return [*parts, _worth(core), _end(core)]


def _story(core: GemCore) -> Section:
    lines = [
        _("You lead one of {n} villages.").format(n=core.seats),
        _reached(core),
        _(
            "The villages look for gems. When one village finds a gem, all villages earn "
            "points for it."
        ),
    ]
    return section("", lines, screen="about")


def _end(core: GemCore) -> Section:
    line = counted(
        "The game has {n} period, no matter what is found.",
        "The game has {n} periods, no matter what is found.",
        core.periods,
    )
    return section("", [line], screen="ends")


def _choice(game: GemGame, options: Options) -> Section:
    chooses = _("In every period, each village chooses a mine and sends all its workers there.")
    if not plain.every_seat_decides(game, "mine"):
        chooses = _(
            "In every period, each village that is allowed to decide chooses a mine and sends all "
            "its workers there."
        )
    lines = [chooses]
    if options.decision_seconds:
        lines.append(
            _(
                "If you do nothing or your time runs out, your workers go to the first mine you "
                "can reach."
            )
        )
    return section("", lines, screen="decides")


def _reached(core: GemCore) -> str:
    line = _(
        "There are {m} mines. Each village can reach {reach} of them. Villages next to "
        "each other can reach some of the same mines."
    )
    reaches, workers = words.spread(core)
    reach = tuple(end for ends in reaches for end in ends)
    crew = ngettext(
        "Each village has {workers} worker.", "Each village has {workers} workers.", max(workers)
    )
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
            kinds=words.listed(plural for _singular, plural in words.kinds()[: len(weights)]),
        ),
        _("Every gem earns points for all villages, no matter which village found it."),
    ]
    if core.gem_types == 1:
        lines[0] = _("There is only one kind of gem: {kinds}.").format(kinds=words.kinds()[0][1])
    return section("", [*lines, *words.worths(core)], screen="pays")


def _finding(game: GemGame) -> Section:
    core, steady = game.core, plain.is_steady(game, "base_probabilities")
    chance_line = _(
        "The chances of finding gems can differ from mine to mine. They stay the same in "
        "every period, no matter what was found before."
    )
    if not steady:
        chance_line = _(
            "The chances of finding gems can differ from mine to mine. They change at random "
            "from period to period, no matter what was found before."
        )
    lines = [
        _(
            "If there are workers in a mine, chance decides which gems they find. They find "
            "at most one gem of each kind per period, no matter how many of them are there. "
            "Nothing is found in a mine without workers."
        ),
        chance_line,
    ]
    if core.instance is None and core.correlated and core.gem_types > 1:
        line = _(
            "With one worker, the chance of finding each kind is at least {low}. The "
            "chances of all kinds in a mine add up to at most {high}. So a mine that is "
            "rich in one kind is poor in others."
        )
    elif core.instance is None:
        line = _(
            "With one worker, the chance of finding each kind is between {low} and {high} "
            "in every mine."
        )
    else:
        line = ""
    if line:
        low, high = percent(core.min_probability), percent(core.max_probability)
        lines.append(line.format(low=low, high=high))
        lines += [] if steady else [_("These are the numbers for the first period.")]
    return section(_("How gems are found"), lines)


def _workers(game: GemGame) -> Section:
    core = game.core
    limit = [_("The chance is never higher than {t}.").format(t=percent(core.truncation))]
    if core.worker_bonus == 1:
        none = _("Sending more workers to a mine does not change its chances.")
        return section(_("Workers"), [none, *(limit if _highest(core) > core.truncation else [])])
    lines = [
        _(
            "All workers in a mine are counted together, no matter which village they come "
            "from. Each worker after the first multiplies the chances by {b}."
        ).format(b=exact(core.worker_bonus))
    ]
    lines += limit if core.truncation < 1 else []
    counts, chances = together(game)
    chance = min(core.truncation, _example(game))
    lines.append(_("For example, if the chance with one worker is {p}:").format(p=percent(chance)))
    table = [{"head": _("Workers in the mine"), "cells": [str(count) for count in counts]}]
    shares = [
        number(100 * chance + 1e-9) for chance in chances
    ]  # ties are rounded up, as on the play page
    table.append({"head": _("Chance in %"), "cells": shares})
    return section(_("Workers"), lines, table)


def together(game: GemGame) -> tuple[list[int], list[float]]:
    """Return the numbers of workers in the example, and the chance with each number."""
    core, limit = game.core, game.most_workers
    counts = [n for n in (range(1, 7) if limit < 10 else (1, 2, 3, 5, 10, 15)) if n <= limit]
    chance = min(core.truncation, _example(game))
    factors = bonuses(core.worker_bonus, max(counts))
    return counts, [min(core.truncation, chance * factors[n]) for n in counts]


def _example(game: GemGame) -> float:
    """Return the chance with one worker in the example: the best chance if it is shown, otherwise a
    medium one."""
    core = game.core
    if core.instance is not None and plain.is_seen(game, "base_probabilities"):
        return max(max(chances) for chances in core.instance.base_probabilities)
    return (core.min_probability + core.max_probability) / 2


def _highest(core: GemCore) -> float:
    """Return the largest possible chance with one worker, before truncation.

    Return 1 for a fixed instance, because its real maximum would reveal part of the instance.
    """
    return core.max_probability if core.instance is None else 1.0


def _view(game: GemGame) -> Section:
    core = game.core
    lines = {
        "none": [
            _("After every period, you see your points, but not what the other villages did.")
        ],
        "own": [
            _(
                "After every period, you see what was found in your own mine and what all villages "
                "found together."
            )
        ],
        "all": [
            _(
                "After every period, you see which mine each village chose. You also see how many "
                "workers were in each mine, and what was found there."
            )
        ],
    }[core.information]
    if not plain.is_seen(game, *_SEEN[core.information]):
        lines = [plain.limited()]
    if plain.is_shown(game, "base_probabilities"):
        lines.append(_("You see the chances of every mine."))
    elif game.config.layers.information.intensity:
        pass  # the layer's instructions mention it
    elif core.known_probabilities:
        lines.append(
            _(
                "You see the chances of every mine. You also see the roads and workers of "
                "every village."
            )
        )
    elif core.information == "all":
        lines.append(
            _(
                "You are not told the chances of finding gems. You can try different mines "
                "and watch the other villages."
            )
        )
    elif core.information == "own":
        lines.append(
            _("You are not told the chances of finding gems. You can try different mines.")
        )
    else:
        lines.append(_("You are not told the chances of finding gems."))
    return section(_("What you see"), lines)
