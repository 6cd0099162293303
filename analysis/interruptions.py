"""Where plays stood still: the machine's clock went on, the play's did not, or not so far.

Nothing is wrong with the tables then. Whoever reads times is to know it: people may have thought
longer than their decisions took by the clock of the play.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

import pandas as pd

from analysis.data import GROUP, Data, Problem

__all__ = ["LEAST_MS", "interruptions"]

LEAST_MS = 1000
"""What is less is no interruption: clocks of machines go a little apart, and are put right."""

_WHEN = {"seats": "at_ms", "periods": "settled_ms", "decisions": "received_ms"}


def interruptions(data: Data) -> Iterator[Problem]:
    """A note (`interrupted`) for each time at which the two clocks of a group went apart."""
    times = pd.concat([_times(getattr(data, name), column) for name, column in _WHEN.items()])
    times = times.dropna().drop_duplicates().sort_values([*GROUP, "at", "wall"])
    times["apart"] = (times["wall"] - times["at"]).groupby([times[name] for name in GROUP]).diff()
    apart = times[times["apart"].abs() > LEAST_MS]
    settled = _settled(data)
    for session, group, at, ms in apart[[*GROUP, "at", "apart"]].values.tolist():
        period = bisect_left(settled.get((session, group), []), at)
        where = f"group {group} of session {session}, period {period}"
        yield Problem("interrupted", f"{where}: {_words(ms / 1000)}", "", session, group)


def _times(frame: pd.DataFrame, column: str) -> pd.DataFrame:
    """When something took place: by the clock of the play, and by that of the machine."""
    times = frame[[*GROUP, column, "wall_ms"]].set_axis([*GROUP, "at", "wall"], axis=1)
    return times.astype({"at": "Int64", "wall": "Int64"})


def _settled(data: Data) -> dict[tuple[str, int], list[int]]:
    """When the periods of each group were settled, rising."""
    times = data.periods[[*GROUP, "settled_ms"]].dropna().sort_values("settled_ms")
    by_group: dict[tuple[str, int], list[int]] = {}
    for session, group, at in times.itertuples(index=False):
        by_group.setdefault((session, group), []).append(int(at))
    return by_group


def _words(seconds: float) -> str:
    if seconds < 0:
        return f"the machine's clock was set back by {-seconds:.1f} s"
    return (
        f"the play stood still for {seconds:.1f} s: the server was away, or the machine's clock "
        "was set"
    )
