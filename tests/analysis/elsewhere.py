"""Stand-in for work in other processes: tasks are pickled, and results arrive in a different order.
Tests of commands use real processes.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from typing import Any


def shared(
    function: Callable[[Any], Any],
    work: Sequence[Any],
    workers: int,
    scheduler: str | None,
    **_: Any,
) -> Iterator[tuple[int, Any]]:
    """Stand in for `policies.sharing.shared`, with two workers that take the last task first."""
    assert (workers, scheduler) == (2, None)
    function, work = pickle.loads(pickle.dumps((function, list(work))))
    for place in reversed(range(len(work))):
        yield place, pickle.loads(pickle.dumps(function(work[place])))
