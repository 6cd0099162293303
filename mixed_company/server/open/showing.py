"""Additions to a view: `shown`, which is derived from what a seat saw, and `history`, which is
everything that it saw.

The rules stay on the server: a game's guide derives values (`derived`), and a page draws them. The
guide gets only one seat's observations, so it cannot reveal more than the seat sees.
"""

from __future__ import annotations

import zlib
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from operator import add, sub
from typing import Any

import orjson

from mixed_company.engine.contract.space import of_seat
from mixed_company.engine.game import Game
from mixed_company.server.pages.guide import Counts, Observation, guide_of
from mixed_company.table import view as table_view
from mixed_company.table.journal import Entry
from mixed_company.table.protocol import View

MOST_PERIODS = 200
"""Maximum number of periods in a page's history."""

BLOCK = 20
"""Number of periods that are compressed together."""


class Past:
    """History of an open table, as its pages see it.

    entries   the start and period entries of its journal, at most the last MOST_PERIODS + 1.
              Only values shown in a history are kept, as JSON
    """

    def __init__(self, game: Game[Any], entries: Iterable[Entry]) -> None:
        self._game, self._guide = game, guide_of(game.id)
        self._layout = [field for field in game.declaration.observations if not field.bulk]
        self._kept = Texts(MOST_PERIODS + 1)
        self._lately = deque[dict[str, Any]](maxlen=self._guide.look_back(game.core) + 1)
        self._seen_of: dict[int, deque[Observation]] = {}
        self._derived_of: dict[int, tuple[Observation, dict[str, Any]]] = {}
        self._counts_of: dict[int, _Counts] = {}
        self.add(entries)

    def add(self, entries: Iterable[Entry]) -> None:
        """Add the newest entries, but only starts and periods."""
        for entry in entries:
            if entry["kind"] in ("start", "period"):
                self._kept.append(_kept(entry))
                self._lately.append(entry["observations"])
                for seat, seen in self._seen_of.items():
                    seen.append(of_seat(self._layout, entry["observations"], seat))
                for seat, counts in self._counts_of.items():
                    counts.add(self._counted(seat, entry))

    def after(self, game: Game[Any], entries: Sequence[Entry]) -> Past:
        """Return the history with the newest entries added. If the group has just chosen its game,
        return a new history.
        """
        starts = [index for index, entry in enumerate(entries) if entry["kind"] == "start"]
        if starts:
            return Past(game, entries[starts[-1] :])
        self.add(entries)
        return self

    def beside(self, seat: int, view: View) -> View:
        """Return a view with its derived values, which are cached until the seat's observation
        changes.
        """
        seen, shown = self._derived_of.get(seat, (None, None))
        if seen is not view.observation:
            shown = self._derived(seat, view, list(self._seen(seat)))
            self._derived_of[seat] = view.observation, shown
        return view._replace(shown=shown)

    def _seen(self, seat: int) -> deque[Observation]:
        """Return a seat's recent observations; `add` extends them."""
        if seat not in self._seen_of:
            seen = (of_seat(self._layout, observations, seat) for observations in self._lately)
            self._seen_of[seat] = deque(seen, self._lately.maxlen)
        return self._seen_of[seat]

    def whole(self, seat: int, view: View) -> View:
        """Return the view with its full history, for a page that has just connected."""
        entries = self.history(seat)
        seen = [entry["observation"] for entry in entries]
        return view._replace(shown=self._derived(seat, view, seen), history=entries)

    def history(self, seat: int) -> list[dict[str, Any]]:
        """Return what a seat saw and earned, at the start and in the last MOST_PERIODS periods."""
        entries = self._entries()
        too_long = len(entries) > MOST_PERIODS and entries[0]["kind"] == "period"
        return table_view.history(self._game, entries[too_long:], seat)

    def _entries(self) -> list[Entry]:
        return [orjson.loads(kept) for kept in self._kept]

    def _derived(self, seat: int, view: View, seen: Sequence[Observation]) -> dict[str, Any]:
        """Compute values from the observations after each period, and from the view's observation.
        At a later stage of a period, the view shows the results of the period so far. At the first
        stage, it repeats the last observation.
        """
        now = view.observation
        earlier = seen if now.get("stage") else seen[:-1]
        if now.get("stage"):
            now = {**now, "period": now["period"] + 1}
        shown = self._guide.derived(self._game, seat, [*earlier, now])
        return shown | self._guide.tallied(self._game, self._counts(seat).sum)

    def _counts(self, seat: int) -> _Counts:
        if seat not in self._counts_of:
            counted = (self._counted(seat, entry) for entry in self._entries())
            self._counts_of[seat] = _Counts(counted)
        return self._counts_of[seat]

    def _counted(self, seat: int, entry: Entry) -> Counts:
        seen = of_seat(self._layout, entry["observations"], seat)
        return self._guide.counted(self._game, seat, seen)


def _kept(entry: Entry) -> str:
    """Return an entry's values that a history shows, as JSON. A string takes up only as much memory
    as its text; orjson's bytes take up to four times as much.
    """
    return orjson.dumps({key: entry[key] for key in table_view.PAST if key in entry}).decode()


class Texts:
    """The last `limit` texts, in order. Older texts are compressed in blocks to save memory."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._blocks = deque[bytes]()
        self._newest: list[str] = []

    def append(self, text: str) -> None:
        """Add a text that has only one line."""
        self._newest.append(text)
        if len(self._newest) == BLOCK:
            self._blocks.append(zlib.compress("\n".join(self._newest).encode(), 1))
            self._newest = []
            if (len(self._blocks) - 1) * BLOCK >= self._limit:
                self._blocks.popleft()

    def __iter__(self) -> Iterator[str]:
        older = (zlib.decompress(block).decode().split("\n") for block in self._blocks)
        return iter([*chain.from_iterable(older), *self._newest][-self._limit :])


class _Counts:
    """Running sum over the last MOST_PERIODS periods. Adding a period takes constant time.

    sum   sum of the counts at the start and in the periods so far
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
