"""The REST key is long, compared in constant time and hard to guess."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from mixed_company.engine.contract.errors import ConfigError
from mixed_company.server import rest_key
from mixed_company.server.gate.limits import Rates

RIGHT = "a key of twenty signs"


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Set the key and rates: three wrong keys at once, then one every ten seconds. Return the
    clock."""
    monkeypatch.setenv(rest_key.VARIABLE, RIGHT)
    rates, clock = Rates(0.1, 3), SimpleNamespace(now=0.0)
    monkeypatch.setattr(rest_key, "rates", lambda _name: rates)
    monkeypatch.setattr(rest_key, "time", SimpleNamespace(monotonic=lambda: clock.now))
    return clock


def status(sent: str | None, address: str = "192.0.2.1") -> int:
    headers = {} if sent is None else {rest_key.HEADER: sent}
    request: Any = SimpleNamespace(headers=headers, scope={"client": (address, 1)})
    refused = rest_key.refusal(request)
    return 200 if refused is None else refused.status_code


def test_the_right_key_is_always_admitted():
    assert [status(RIGHT) for _ in range(20)] == [200] * 20


def test_wrong_keys_are_slowed_down_by_address(key):
    assert [status(f"guess {number}") for number in range(5)] == [403, 403, 403, 429, 429]
    assert status(RIGHT) == 429  # guesses reveal nothing meanwhile
    assert status(RIGHT, "192.0.2.2") == 200
    key.now = 30.0
    assert status(RIGHT) == 200


def test_a_request_without_a_key_is_refused_but_is_not_a_guess():
    assert [status(None) for _ in range(5)] == [403] * 5
    assert status(RIGHT) == 200


def test_without_a_key_of_the_server_nobody_is_admitted(monkeypatch):
    monkeypatch.delenv(rest_key.VARIABLE)
    assert status(RIGHT) == status("") == 403


@pytest.mark.parametrize(("text", "right"), [("", True), ("x" * 15, False), ("x" * 16, True)])
def test_a_short_key_stops_the_server_without_being_printed(text, right):
    if right:
        rest_key.check({rest_key.VARIABLE: text})
    else:
        with pytest.raises(ConfigError, match="OTREE_REST_KEY: the key has 15 characters") as error:
            rest_key.check({rest_key.VARIABLE: text})
        assert text not in str(error.value)
