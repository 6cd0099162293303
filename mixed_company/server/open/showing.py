"""Additions to a view: `shown`, derived from what a seat saw, and `history`, everything it saw.

The rules stay on the server: a game's guide derives values (`derived`), and a page draws them. The
guide gets the observations of one seat and nothing else, so it cannot reveal more than the seat
sees.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from itertools import islice
from operator import add, sub
from typing import Any

from mixed_company.engine.contract.space import of_seat
from mixed_company.engine.game import Game
from mixed_company.server.keeping.storage import Row, entry_of
from mixed_company.server.pages.guide import Counts, Observation, guide_of
from mixed_company.table import view as table_view
from mixed_company.table.journal import Entry
from mixed_company.table.protocol import View

__all__ = ["MOST_PERIODS", "Past"]

MOST_PERIODS = 200
"""Maximum number of periods in a page's history."""


class Past:
    """History of an open table, as its pages see it.

    rows   the start and the periods of its journal, at most the last MOST_PERIODS + 1
    """

    def __init__(self, game: Game[Any], rows: Sequence[Row]) -> None:
        self._game, self._guide = game, guide_of(game.id)
        self._layout = [field for field in game.declaration.observations if not field.bulk]
        before = self._guide.look_back(game.core)
        self._rows = deque(rows, MOST_PERIODS + 1)
        lately = (entry_of(row)["observations"] for row in rows[-before - 1 :])
        self._lately = deque(lately, before + 1)
        self._seen_of: dict[int, deque[Observation]] = {}
        self._derived_of: dict[int, tuple[Observation, dict[str, Any]]] = {}
        self._counts_of: dict[int, _Counts] = {}

    def add(self, entries: Iterable[Entry], rows: Iterable[Row]) -> None:
        """Add newly written entries and their stored rows."""
        for entry, row in zip(entries, rows, strict=True):
            if row.kind in ("start", "period"):
                self._rows.append(row)
                self._lately.append(entry["observations"])
                for seat, seen in self._seen_of.items():
                    seen.append(of_seat(self._layout, entry["observations"], seat))
                for seat, counts in self._counts_of.items():
                    counts.add(self._counted(seat, entry))

    def after(self, game: Game[Any], entries: Sequence[Entry], rows: Sequence[Row]) -> Past:
        """Return the past with the newly written entries added; a group that has just chosen its
        game gets a new past."""
        starts = [index for index, entry in enumerate(entries) if entry["kind"] == "start"]
        if not starts:
            self.add(entries, rows)
            return self
        latest = [row for row in rows[starts[-1] :] if row.kind in ("start", "period")]
        return Past(game, latest)

    def beside(self, seat: int, view: View) -> View:
        """Return a view with its derived values, cached while the seat's observation stays the
        same."""
        seen, shown = self._derived_of.get(seat, (None, None))
        if seen is not view.observation:
            earlier = self._seen(seat)
            before = islice(earlier, len(earlier) - 1)
            shown = self._derived(seat, view, list(before))
            self._derived_of[seat] = view.observation, shown
        return view._replace(shown=shown)

    def _seen(self, seat: int) -> deque[Observation]:
        """Return the recent observations of a seat; `add` extends them."""
        if seat not in self._seen_of:
            seen = (of_seat(self._layout, observations, seat) for observations in self._lately)
            self._seen_of[seat] = deque(seen, self._lately.maxlen)
        return self._seen_of[seat]

    def whole(self, seat: int, view: View) -> View:
        """Return the view with its full history, for a page that has just connected."""
        entries = self.history(seat)
        seen = [entry["observation"] for entry in entries[:-1]]
        return view._replace(shown=self._derived(seat, view, seen), history=entries)

    def history(self, seat: int) -> list[dict[str, Any]]:
        """Return what a seat saw and earned at the start and in the last MOST_PERIODS periods."""
        entries = [entry_of(row) for row in self._rows]
        too_long = len(entries) > MOST_PERIODS and entries[0]["kind"] == "period"
        return table_view.history(self._game, entries[too_long:], seat)

    def _derived(self, seat: int, view: View, seen: Sequence[Observation]) -> dict[str, Any]:
        shown = self._guide.derived(self._game, seat, [*seen, view.observation])
        return shown | self._guide.tallied(self._game, self._counts(seat).sum)

    def _counts(self, seat: int) -> _Counts:
        if seat not in self._counts_of:
            entries = map(entry_of, self._rows)
            self._counts_of[seat] = _Counts(self._counted(seat, entry) for entry in entries)
        return self._counts_of[seat]

    def _counted(self, seat: int, entry: Entry) -> Counts:
        seen = of_seat(self._layout, entry["observations"], seat)
        return self._guide.counted(self._game, seat, seen)


class _Counts:
    """Running sum over the last MOST_PERIODS periods; adding a period takes constant time.

    sum   sum of the start and the periods so far
    """

    def __init__(self, parts: Iterable[Counts]) -> None:
        first, *others = parts
        self._parts = deque([first])
        self.sum: Counts = first
        for part in others:
            self.add(part)

    def add(self, part: Counts) -> None:
        self._parts.append(part)
        self.sum = list(map(add, self.sum, part))
        if len(self._parts) > MOST_PERIODS:
            self.sum = list(map(sub, self.sum, self._parts.popleft()))
