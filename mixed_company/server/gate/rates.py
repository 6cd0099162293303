"""So many a second, and so many at once, of each client."""

from __future__ import annotations

__all__ = ["Rates"]

MOST_CLIENTS = 10_000


class Rates:
    """How long each client has to wait. One number per client, whatever it does.

    `_due` is the time at which all that a client has done would be done, one after the other at the
    even rate. It may run ahead of the present by what is allowed at once (the generic cell rate
    algorithm: ITU-T I.371, Annex A).
    """

    def __init__(self, per_second: float, at_once: float) -> None:
        self._each = 1.0 / per_second
        self._ahead = at_once / per_second
        self._due: dict[str, float] = {}

    def wait(self, client: str, now: float) -> float:
        """Count one more; seconds after which it is in time, 0 if it is now."""
        if len(self._due) >= MOST_CLIENTS and client not in self._due:
            self._due = {name: due for name, due in self._due.items() if due > now}
        due = max(self._due.get(client, now), now) + self._each
        self._due[client] = due
        # what rounding leaves of a sum is no time to wait
        return max(0.0, round(due - now - self._ahead, 9))

    def charge(self, client: str, times: float) -> None:
        """Count the last one so many times more."""
        self._due[client] = self._due.get(client, 0.0) + times * self._each

    def uncount(self, client: str) -> None:
        """Take back the last one."""
        self._due[client] = self._due.get(client, 0.0) - self._each
