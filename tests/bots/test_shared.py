"""Work that is shared among processes is done as a whole, or ends with a sentence."""

from __future__ import annotations

import math
import os

import pytest

from bots.tournament.work import WorkersLost, shared


def test_pieces_come_back_by_their_places() -> None:
    assert dict(shared(math.isqrt, [81, 16, 4])) == {0: 9, 1: 4, 2: 2}


def test_a_worker_that_dies_ends_the_work_with_a_sentence() -> None:
    """Whoever waits for its pieces would wait for ever, or take the others for all."""
    with pytest.raises(WorkersLost, match=r"^a worker process was ended; nothing is kept$"):
        list(shared(os._exit, [3, 3, 3], workers=2, lost="nothing is kept"))
