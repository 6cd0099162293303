"""Data for the gem mining picture, including what a village can infer from its observations.

Observations have the same format as on the page: plain JSON, with None for hidden values. A village
also sees every value that a layer shows to all seats.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import sqrt
from typing import Any

import numpy as np

from gem_mining.words import worths
from mixed_company.engine.games.gem_mining import GemCore, GemGame
from mixed_company.engine.games.gem_mining.instance import Instance
from mixed_company.server.pages.guide import Counts, Observation, Row

_Z = 1.959964  # quantile for 95%


def setting(game: GemGame, seat: int) -> Row:
    """Return the picture's constants: its sizes, the data it shows, the points per gem and the
    bonus per worker."""
    core = game.core
    return {
        "mines": core.mines,
        "kinds": core.gem_types,
        "farthest": core.max_connectivity,
        "mines_are_shown": core.information != "none",
        "known": core.known_probabilities,
        "worths": list(core.weights or ()),
        "worth": " ".join(worths(core)),
        "bonus": core.worker_bonus,
    }


def derived(game: GemGame, seat: int, seen: Sequence[Observation]) -> Row:
    """Return values that can be computed from a village's observations.

    people   per village {first, last, workers}: the mines in its reach; None if not shown
    chances  per mine, number of workers (from 0 to the village's own, or 1) and kind; None if not
             shown
    worth    points that each village has earned so far; None if not shown
    gained   points per village for the gems found in the last period; None if not shown
    last     per mine {workers, gems} of the last period; None if not shown
    went     the mine of each village in the last period; None if not shown
    again    per mine {workers, chances} if this village goes there (if it can) and others repeat
             their last choice; an empty mine has the chances of one worker. None before the second
             period or if the workers at each mine are not shown; chances are None if not shown,
             inexact or delayed
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
    """Return a village's reach and workers. The first mine it can reach has the village's
    number."""
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


def _again(game: GemGame, now: Observation, village: Row) -> list[Row] | None:
    """Return the workers and chances at each mine if the village goes there and the others repeat
    their choices."""
    others = _others_at(game, now, village["workers"])
    if others is None:
        return None
    together = [
        count + int(village["workers"]) * (village["first"] <= mine <= village["last"])
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
    """Return an instance with these chances for one worker and with no villages."""
    nobody = np.zeros(0, dtype=np.int64)
    return Instance(nobody, nobody, np.asarray(base), core.truncation, core.worker_bonus)


def _worth(core: GemCore, gems: Any) -> float | None:
    return float(np.dot(gems, core.weights or ())) if _is_whole(gems) else None


# -- observations of a village, and the confidence they allow --------------------------------------


def _is_whole(value: Any) -> bool:
    """Return whether the value and all its items are shown."""
    if not isinstance(value, list):
        return value is not None
    if value and isinstance(value[0], list):  # then all its items are lists
        return all(map(_is_whole, value))
    return None not in value


def _value(seen: Observation, name: str) -> Any:
    """Return a field, or the copy of it that a layer shows to all seats. Return None unless it is
    shown completely."""
    for field in (name, f"shown_{name}"):
        if _is_whole(seen.get(field)):
            return seen[field]
    return None


def _last_period(seen: Observation, mines: int) -> list[Row]:
    """Return {workers, gems} per mine in the last period; None if not shown."""
    gems, workers = _value(seen, "found"), _value(seen, "workers_at")
    own_mine, own_gems = seen.get("own_mine"), _value(seen, "own_found")
    return [
        {
            "workers": None if workers is None else workers[mine],
            "gems": gems[mine] if gems is not None else own_gems if mine == own_mine else None,
        }
        for mine in range(mines)
    ]


def _went(seen: Observation, seat: int, villages: int) -> list[int | None]:
    """Return each village's mine in the last period; None if not shown or not yet chosen."""
    mines, own_mine = _value(seen, "mines"), seen.get("own_mine")
    gone = [int(mine) for mine in mines] if mines is not None else [-1] * villages
    if own_mine is not None:
        gone[seat] = own_mine
    return [None if mine < 0 else mine for mine in gone]


def _others_at(game: GemGame, seen: Observation, workers: float | None) -> list[int] | None:
    """Return the number of other villages' workers at each mine in the last period. Return None
    before the first choice, and if the observation does not determine the numbers exactly.
    `workers` is the village's own number of workers.
    """
    at_mines, own_mine = _value(seen, "workers_at"), seen.get("own_mine")
    if at_mines is None or workers is None or own_mine is None or own_mine < 0:
        return None
    if any(_is_blurred(game, name) for name in ("workers_at", "workers", "workforces")):
        return None
    return [
        int(count) - (int(workers) if mine == own_mine else 0)
        for mine, count in enumerate(at_mines)
    ]


def _is_blurred(game: GemGame, name: str) -> bool:
    """Return whether a field is shown with noise or delay."""
    layer = game.config.layers.information
    return bool(layer.intensity) and not {name, f"shown_{name}"}.isdisjoint(
        {*layer.noise, *layer.delay}
    )


def counted(game: GemGame, seat: int, seen: Observation) -> Counts:
    """Return the counts of one period. Each mine has a 1 if it was mined and otherwise a 0,
    followed by its gems of each kind. All counts are 0 at the start, or if the gems found are shown
    with noise or delay.
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
    """Return `tally`: per mine {periods, gems, between}.

    periods  number of periods in which the mine is known to have been mined
    gems     gems of each kind found in those periods
    between  confidence interval of each kind's chance
    """
    tally, wide = [], 1 + game.core.gem_types
    for first in range(0, len(counts), wide):
        periods, *gems = counts[first : first + wide]
        intervals = [list(_interval(count, periods)) for count in gems]
        tally.append({"periods": periods, "gems": gems, "between": intervals})
    return {"tally": tally}


@lru_cache(maxsize=4096)
def _interval(gems: int, periods: int) -> tuple[float, ...]:
    return tuple(round(chance, 3) for chance in between(gems, periods))


def between(gems: int, periods: int) -> tuple[float, float]:
    """Return the 95% confidence interval of a chance, if `gems` gems were found in `periods`
    periods.

    Wilson (1927), Journal of the American Statistical Association 22, 209-212.
    """
    if periods == 0:
        return 0.0, 1.0
    share, z = gems / periods, _Z * _Z / periods
    half = sqrt(z * share * (1 - share) + z * z / 4)
    low, high = share + z / 2 - half, share + z / 2 + half
    return max(0.0, low / (1 + z)), min(1.0, high / (1 + z))
