"""What the picture of gem mining needs, and what follows from what a village has seen.

An observation is one of the page's: plain JSON, None what is not shown. What a layer shows to all
counts as seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any

import numpy as np

from mixed_company.engine.games.gem_mining import GemCore, GemGame
from mixed_company.engine.games.gem_mining.instance import Instance
from mixed_company.server.pages.guide import Counts, Observation, Row

__all__ = ["between", "counted", "derived", "setting", "tallied"]

_Z = 1.959964  # of 95 %


def setting(game: GemGame, seat: int) -> Row:
    """How many mines and kinds there are, how far a village can reach, what is to be shown, and
    what a gem of each kind is worth to every village, in points."""
    core = game.core
    return {
        "mines": core.mines,
        "kinds": core.gem_types,
        "farthest": core.max_connectivity,
        "mines_are_shown": core.information != "none",
        "known": core.known_probabilities,
        "worths": list(core.weights or ()),
    }


def derived(game: GemGame, seat: int, seen: Sequence[Observation]) -> Row:
    """What follows from what the village has seen.

    people   per village {first, last, workers}: the mines in its reach; None what is not shown
    chances  per mine, number of workers (from 0 to the village's own, or 1) and kind; None if they
             are not shown
    worth    what all gems found so far are worth to every village, in points; None if not shown
    gained   the same of what was found in the last period
    last     per mine {workers, gems} of the last period, None what is not shown
    went     the mine of each village in the last period, None if that is not shown
    again    per mine {workers, chances} if all others go where they went last period, and the
             village there if it reaches it; the chances of one worker where nobody would be; None
             before there was one or where it is not shown how many went where; chances None where
             they are not shown, or with an error, or late
    """
    now = seen[-1]
    people = [_village(now, seat, village) for village in range(game.seats)]
    workers = people[seat]["workers"]
    return {
        "people": people,
        "chances": _chances(game.core, now, max(1, round(workers or 1))),
        "worth": _worth(game.core, now.get("purse")),
        "gained": _worth(game.core, now.get("gems")),
        "last": _last_period(now, game.core.mines),
        "went": _went(now, seat, game.seats),
        "again": _again(game, now, people[seat]),
    }


def _village(now: Observation, seat: int, village: int) -> Row:
    """The mines that a village reaches are those from its own number on."""
    reaches, workforces = _value(now, "reaches"), _value(now, "workforces")
    reach = reaches[village] if reaches is not None else None
    workers = workforces[village] if workforces is not None else None
    if village == seat:
        reach = now["reach"]
        workers = now.get("workers") if now.get("workers") is not None else workers
    return {
        "first": None if reach is None else village,
        "last": None if reach is None else int(village + reach - 1),
        "workers": workers,
    }


def _chances(core: GemCore, now: Observation, workers: int) -> list[Any] | None:
    base = _value(now, "base_probabilities")
    if base is None:
        return None
    chances: list[Any] = _mines(core, base).probabilities(int(workers)).tolist()
    return chances


def _again(game: GemGame, now: Observation, own: Row) -> list[Row] | None:
    """If the village goes to a mine that it reaches, and all others go where they went."""
    others = _others_at(game, now, own["workers"])
    if others is None:
        return None
    together = [
        count + int(own["workers"]) * (own["first"] <= mine <= own["last"])
        for mine, count in enumerate(others)
    ]
    base = _value(now, "base_probabilities")
    if _is_blurred(game, "base_probabilities"):
        base = None
    chances = None if base is None else _mines(game.core, base).probabilities(max(1, *together))
    return [
        {
            "workers": count,
            "chances": None if chances is None else chances[mine, max(count, 1)].tolist(),
        }
        for mine, count in enumerate(together)
    ]


def _mines(core: GemCore, base: Any) -> Instance:
    """The mines with these chances of one worker; nobody is in them."""
    nobody = np.zeros(0, dtype=np.int64)
    return Instance(nobody, nobody, np.asarray(base), core.truncation, core.worker_bonus)


def _worth(core: GemCore, gems: Any) -> float | None:
    return float(np.dot(gems, core.weights or ())) if _is_whole(gems) else None


# -- what a village has seen, and how sure that makes it -------------------------------------------


def _is_whole(value: Any) -> bool:
    """Is all of it shown?"""
    if isinstance(value, list):
        return all(map(_is_whole, value))
    return value is not None


def _value(seen: Observation, name: str) -> Any:
    """A field, or the same as a layer shows it to all; None unless all of it is shown."""
    for own in (name, f"shown_{name}"):
        if _is_whole(seen.get(own)):
            return seen[own]
    return None


def _last_period(seen: Observation, mines: int) -> list[Row]:
    """Mine by mine {workers, gems} of the last period, each None where it is not shown."""
    gems, workers = _value(seen, "found"), _value(seen, "workers_at")
    own, taken = seen.get("own_mine"), _value(seen, "own_found")
    return [
        {
            "workers": None if workers is None else workers[mine],
            "gems": gems[mine] if gems is not None else taken if mine == own else None,
        }
        for mine in range(mines)
    ]


def _went(seen: Observation, seat: int, villages: int) -> list[int | None]:
    """The mine of each village in the last period; None: not shown, or nobody has gone yet."""
    mines, own = _value(seen, "mines"), seen.get("own_mine")
    gone = [int(mine) for mine in mines] if mines is not None else [-1] * villages
    if own is not None:
        gone[seat] = own
    return [None if mine < 0 else mine for mine in gone]


def _others_at(game: GemGame, seen: Observation, workers: float | None) -> list[int] | None:
    """How many workers of other villages were at each mine in the last period.

    None before there was one, and where it does not follow exactly from what is seen; `workers`
    are the village's own.
    """
    there, own = _value(seen, "workers_at"), seen.get("own_mine")
    if there is None or workers is None or own is None or own < 0:
        return None
    if any(_is_blurred(game, name) for name in ("workers_at", "workers", "workforces")):
        return None
    return [int(count) - (int(workers) if mine == own else 0) for mine, count in enumerate(there)]


def _is_blurred(game: GemGame, name: str) -> bool:
    """Is a field shown with an error, or late?"""
    layer = game.config.layers.information
    return bool(layer.intensity) and not {name, f"shown_{name}"}.isdisjoint(
        {*layer.noise, *layer.delay}
    )


def counted(game: GemGame, seat: int, seen: Observation) -> Counts:
    """Of one period, mine by mine: was it mined (1 or 0), then gems by kind.

    Nothing counts where what was found is shown with an error, or late; nor at the start.
    """
    core = game.core
    nothing = [0] * (1 + core.gem_types)
    blurred = any(_is_blurred(game, name) for name in ("found", "own_found", "workers_at"))
    if blurred or seen.get("period") == 0:
        return nothing * core.mines
    counts: list[int] = []
    for outcome in _last_period(seen, core.mines):
        mined = outcome["gems"] is not None and outcome["workers"] != 0
        counts += [1, *map(int, outcome["gems"])] if mined else nothing
    return counts


def tallied(game: GemGame, counts: Counts) -> Row:
    """`tally`, per mine {periods, gems, between}: in how many periods it is known to have been
    mined, how many gems of each kind were found then, and between which chances each kind's lies
    (`between`)."""
    tally, wide = [], 1 + game.core.gem_types
    for first in range(0, len(counts), wide):
        periods, *gems = counts[first : first + wide]
        sure = [_rounded(between(count, periods)) for count in gems]
        tally.append({"periods": periods, "gems": gems, "between": sure})
    return {"tally": tally}


def _rounded(chances: tuple[float, float]) -> list[float]:
    return [round(chance, 3) for chance in chances]


def between(gems: int, periods: int) -> tuple[float, float]:
    """The chances that fit so many gems of a kind in so many periods, with a confidence of 95 %.

    Wilson (1927), Journal of the American Statistical Association 22, 209-212.
    """
    if periods == 0:
        return 0.0, 1.0
    share, z = gems / periods, _Z * _Z / periods
    half = sqrt(z * share * (1 - share) + z * z / 4)
    low, high = share + z / 2 - half, share + z / 2 + half
    return max(0.0, low / (1 + z)), min(1.0, high / (1 + z))
