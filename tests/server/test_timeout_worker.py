"""With several servers, the timeout worker retries while a server is starting."""

from __future__ import annotations

from email.message import Message
from itertools import count
from types import SimpleNamespace
from typing import Any
from urllib.error import HTTPError

import pytest

from tests.server.inside import inside

__all__ = ["inside"]  # a fixture


def answering(monkeypatch: pytest.MonkeyPatch, codes: list[int]) -> Any:
    """Return the worker's module, with a proxy that responds with these codes in turn."""
    from mixed_company.server.mends import fleet

    def open_address(address: str) -> str:
        code = codes.pop(0)
        if code != 200:
            raise HTTPError(address, code, "", Message(), None)
        return "the page"

    monkeypatch.setattr(fleet, "request", SimpleNamespace(urlopen=open_address))
    ticks = count(step=10)
    clock = SimpleNamespace(sleep=lambda seconds: None, monotonic=lambda: next(ticks))
    monkeypatch.setattr(fleet, "time", clock)
    return fleet


def test_a_task_waits_for_a_server_that_is_starting(inside, monkeypatch):
    codes = [503, 503, 200]
    assert answering(monkeypatch, codes)._open("http://127.0.0.1:8000/p/a") == "the page"
    assert codes == []


def test_a_refused_task_is_not_requested_again(inside, monkeypatch):
    codes = [404, 200]
    with pytest.raises(HTTPError, match="404"):
        answering(monkeypatch, codes)._open("http://127.0.0.1:8000/p/a")
    assert codes == [200]


def test_a_server_that_does_not_return_is_not_awaited_for_ever(inside, monkeypatch):
    """Wait for up to 30 s. The clock shows 0 at first, and 10, 20, 30 and 40 s after successive
    refusals."""
    codes = [503] * 4 + [200]
    with pytest.raises(HTTPError, match="503"):
        answering(monkeypatch, codes)._open("http://127.0.0.1:8000/p/a")
    assert codes == [200]
