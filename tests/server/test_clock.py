"""The clock of the server only goes forward."""

import pytest

from server import clock


def test_time_can_be_put_on_and_does_not_go_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "_ahead_ms", 0)
    before = clock.now_ms()
    clock.put_on(3000)
    assert clock.now_ms() - before >= 3000
    with pytest.raises(ValueError, match="ms = -1: time does not go back"):
        clock.put_on(-1)
