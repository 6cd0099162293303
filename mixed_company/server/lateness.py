"""Measures how late the server is: how long decisions and pages wait.

    beat     record a beat of the loop, which should come every `clock.BEAT_SECONDS`
    ask      record that a participant requests a page; `answer`: that the response begins, or the
             client has gone
    late_ms  worst delay of the loop, or of saving, within the last minute
    page_ms  longest wait for a page within the last minute

The server is late while plays are halted (`server.clock`). They are halted if the loop was silent
for more than `clock.LONGEST_SECONDS`, or if entries are waiting to be saved. A spell of lateness
lasts from the first such beat until CALM_MS have passed without another one. A spell longer than
SPELL_MS is split, so that a crash does not lose all of it. A stopped process looks the same as a
blocked one. All times are in milliseconds, from `clock.now_ms`.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from itertools import count

from mixed_company.server import clock
from mixed_company.server.clock import Silence

WINDOW_MS = 60_000
"""Time for which the worst value is remembered."""

CALM_MS = 10_000
"""Time without a late beat after which a spell ends."""

SPELL_MS = 60_000
"""Maximum length of a spell of lateness, as long as data can be saved."""

PAGE_MS = 5_000
"""Wait above which a page counts as late. If forty people arrive in the same second, they wait less
than this.
"""

BEAT_MS = round(1000 * clock.BEAT_SECONDS)
LATE_MS = round(1000 * clock.LONGEST_SECONDS) - BEAT_MS
"""Delay of the loop above which plays are halted."""


@dataclass(frozen=True)
class Beat:
    """Result of a beat of the loop.

    late_ms   delay of the beat, or the age of the oldest unsaved entry
    stood_ms  how long plays were halted since the previous beat; 0 if the server is on time
    ends      whether a spell of lateness ends with this beat
    """

    late_ms: int
    stood_ms: int
    ends: bool = False


@dataclass(frozen=True)
class HeldUp:
    """Spell of lateness at one table: its start on the table's clock, the worst delay, and how long
    play was halted.
    """

    since_ms: int
    late_ms: int = 0
    stood_ms: int = 0

    def longer(self, beat: Beat) -> HeldUp:
        """Return the spell extended by another late beat."""
        worst = max(self.late_ms, beat.late_ms)
        return replace(self, late_ms=worst, stood_ms=self.stood_ms + beat.stood_ms)


class Lateness:
    """Lateness of one server. See the module's docstring."""

    def __init__(self) -> None:
        self._beat_ms: int | None = None
        self._behind_ms = 0
        self._spell: tuple[int, int] | None = None  # times of the spell's first and last late beat
        self._late, self._pages = _Worst(), _Worst()
        self._requested_ms: dict[int, int] = {}
        self._numbers = count()

    def beat(self, now_ms: int, silence: Silence, behind_ms: int) -> Beat:
        """Record a beat of the loop; the oldest unsaved entry has been waiting for `behind_ms`."""
        late_ms = max(silence.silent_ms - BEAT_MS, self._behind_ms, behind_ms)
        self._beat_ms, self._behind_ms = now_ms, behind_ms
        if silence.stood_ms:
            first = now_ms if self._spell is None else self._spell[0]
            self._spell = first, now_ms
            self._late.note(now_ms, late_ms)
        return Beat(late_ms, silence.stood_ms, self._ends(now_ms))

    def _ends(self, now_ms: int) -> bool:
        if self._spell is None:
            return False
        first, last = self._spell
        saves = self._behind_ms <= LATE_MS
        ends = now_ms - last >= CALM_MS or (saves and now_ms - first >= SPELL_MS)
        if ends:
            self._spell = None
        return ends

    def late_ms(self, now_ms: int) -> int:
        """Return the worst delay of the loop within the last minute, in ms; 0 if there was none."""
        present = 0 if self._beat_ms is None else now_ms - self._beat_ms - BEAT_MS
        return max(self._late.within(now_ms), present if present > LATE_MS else 0)

    def ask(self, asked_ms: int) -> int:
        """Record a participant's request for a page; return its number for `answer`."""
        number = next(self._numbers)
        self._requested_ms[number] = asked_ms
        return number

    def answer(self, number: int, now_ms: int) -> None:
        """Record that the response to a request has started, or that the client is gone."""
        waited = now_ms - self._requested_ms.pop(number)
        if waited > PAGE_MS:
            self._pages.note(now_ms, waited)

    def page_ms(self, now_ms: int) -> int:
        """Return the longest wait for a page within the last minute in ms; 0 if none was late."""
        present = now_ms - min(self._requested_ms.values(), default=now_ms)
        return max(self._pages.within(now_ms), present if present > PAGE_MS else 0)


class _Worst:
    """Maximum of the numbers recorded within the last minute."""

    def __init__(self) -> None:
        self._noted: deque[tuple[int, int]] = deque()  # in decreasing order

    def note(self, now_ms: int, ms: int) -> None:
        while self._noted and self._noted[-1][1] <= ms:
            self._noted.pop()
        self._noted.append((now_ms, ms))

    def within(self, now_ms: int) -> int:
        while self._noted and now_ms - self._noted[0][0] > WINDOW_MS:
            self._noted.popleft()
        return self._noted[0][1] if self._noted else 0


lateness = Lateness()
"""Lateness of this process."""
