"""Work shared among processes is completed, or it ends with a message."""

from __future__ import annotations

import math
import os

import pytest

from mixed_company.engine.contract.errors import ConfigError
from mixed_company.policies.sharing import Sharing, WorkersLost, shared


def test_pieces_come_back_in_their_places() -> None:
    assert dict(shared(math.isqrt, [81, 16, 4])) == {0: 9, 1: 4, 2: 2}


def test_the_same_processes_do_all_the_work_shared_within_a_with_block() -> None:
    """Processes start slowly, so work done in rounds starts them only once."""
    with Sharing(workers=1) as alone:
        assert alone.gathered(math.isqrt, [81, 16, 4], "") == [9, 4, 2]
        assert set(alone.gathered(_process, [1, 2], "")) == {os.getpid()}
    with Sharing(workers=2) as two:
        assert two.gathered(_process, [1], "") == [os.getpid()]  # nothing to share
        first, second = (set(two.gathered(_process, range(4), "")) for _ in range(2))
        assert two.gathered(math.isqrt, [81, 16, 4], "") == [9, 4, 2]
        assert set(two.here_if(True).gathered(_process, [1, 2], "")) == {os.getpid()}
    elsewhere = Sharing(scheduler="tcp://127.0.0.1:1")
    assert set(elsewhere.here_if(True).gathered(_process, [1, 2], "")) == {os.getpid()}
    assert len(first | second) <= 2
    assert os.getpid() not in first | second


def _process(_: int) -> int:
    return os.getpid()


def test_zero_processes_are_refused_even_without_work() -> None:
    with (
        pytest.raises(ConfigError, match="workers = 0: should be at least 1"),
        Sharing(workers=0) as none,
    ):
        none.here_if(True).gathered(math.isqrt, [81], "")


def test_a_worker_that_dies_ends_the_work_with_a_message() -> None:
    """Without the message the caller would wait forever, or mistake the other pieces for the whole
    result.
    """
    with pytest.raises(WorkersLost, match=r"^a worker process died; nothing is kept$"):
        list(shared(os._exit, [3, 3, 3], workers=2, lost="nothing is kept"))
