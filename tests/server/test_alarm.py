"""An alarm rings once, at the last time that was set."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mixed_company.server.clock import Alarm


class Calls:
    """Scheduled calls, with the milliseconds of each and whether it was cancelled."""

    def __init__(self) -> None:
        self.scheduled: list[Any] = []

    def after(self, ms: int, function: Callable[[], None]) -> Any:
        call = [ms, function, False]
        self.scheduled.append(call)
        return type("Call", (), {"cancel": lambda self: call.__setitem__(2, True)})()


def ring() -> None:
    pass


def test_setting_a_time_replaces_the_previous_one():
    calls = Calls()
    alarm = Alarm(calls.after, ring)
    assert alarm.at_ms is None
    alarm.set(500, lambda: 100)
    alarm.set(500, lambda: 200)  # the same
    assert calls.scheduled == [[400, ring, False]]
    alarm.set(300, lambda: 100)
    assert calls.scheduled == [[400, ring, True], [200, ring, False]]
    assert alarm.at_ms == 300


def test_an_alarm_that_has_rung_is_not_set_again_too_soon():
    calls = Calls()
    alarm = Alarm(calls.after, ring)
    alarm.set(500, lambda: 100)
    alarm.rung()
    alarm.set(500, lambda: 490, least_ms=100)
    alarm.rung()
    alarm.set(500, lambda: 510)
    assert [ms for ms, _, _ in calls.scheduled] == [400, 100, 0]
    assert not any(cancelled for *_, cancelled in calls.scheduled)


def test_an_alarm_that_is_stopped_or_set_to_none_does_not_ring():
    calls = Calls()
    alarm = Alarm(calls.after, ring)
    alarm.stop()
    alarm.set(None, lambda: 0)
    assert calls.scheduled == []
    for stop in (alarm.stop, lambda: alarm.set(None, lambda: 0)):
        alarm.set(500, lambda: 0)
        stop()
    assert calls.scheduled == [[500, ring, True]] * 2
    alarm.set(500, lambda: 0)
    assert calls.scheduled[-1] == [500, ring, False]
