"""Rates: requests per second, and simultaneous requests."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as some

from mixed_company.server.gate.limits import Rates


def test_expensive_requests_count_more():
    requests = Rates(per_second=10, at_once=2)
    assert requests.wait("anna", 0.0) == 0
    requests.charge("anna", 3)  # two pairs are over, and two requests were too many
    assert requests.wait("anna", 0.0) == 0.3
    requests.charge("nobody", 3)
    assert requests.wait("nobody", 100.0) == 0  # long ago


def test_a_burst_is_allowed_and_then_an_even_rate():
    # Two per second are allowed, and three at once. Each is worth 0.5 s, and 1.5 s may be owed.
    # Three at 0 s owe 1.5 s. The fourth makes 2.0 s and waits 0.5 s, the fifth waits 1.0 s.
    messages = Rates(per_second=2, at_once=3)
    assert [messages.wait("anna", 0.0) for _ in range(5)] == [0, 0, 0, 0.5, 1.0]
    # At 2.0 s, 2.0 s of the 2.5 s are paid off, so two more are in time and the next is late again.
    assert [messages.wait("anna", 2.0) for _ in range(3)] == [0, 0, 0.5]
    assert messages.wait("ben", 0.0) == 0


def test_a_withdrawn_request_does_not_count():
    attempts = Rates(per_second=10, at_once=1)
    assert [attempts.wait("anna", 0.0) for _ in range(2)] == [0, 0.1]
    attempts.uncount("anna")
    assert attempts.wait("anna", 0.0) == 0.1


def test_clients_who_owe_nothing_are_forgotten():
    messages = Rates(per_second=1, at_once=1)
    for number in range(3 * Rates.MOST_CLIENTS):
        messages.wait(f"client {number}", float(number))
    assert len(messages._due) <= Rates.MOST_CLIENTS


def test_a_client_that_still_owes_something_is_not_forgotten(monkeypatch):
    monkeypatch.setattr(Rates, "MOST_CLIENTS", 2)
    messages = Rates(per_second=1, at_once=1)
    messages.wait("anna", 0.0)
    messages.wait("ben", 5.0)
    assert messages.wait("anna", 0.5) == 0.5  # nobody is forgotten
    assert list(messages._due) == ["anna", "ben"]
    messages.wait("cy", 2.0)
    assert messages._due == {"ben": 6.0, "cy": 3.0}
    messages.wait("di", 3.0)
    assert messages._due == {"ben": 6.0, "di": 4.0}


@given(some.lists(some.floats(0, 3), min_size=1, max_size=60))
def test_a_client_that_waits_as_told_never_exceeds_the_limit(pauses):
    messages, now, sent = Rates(per_second=4, at_once=6), 0.0, list[float]()
    for pause in pauses:
        now += pause
        now += messages.wait("anna", now)
        sent.append(now)
    for first, begin in enumerate(sent):
        for last, end in enumerate(sent[first:], start=1):
            assert last <= 6 + 4 * (end - begin) + 1e-6
