"""The board of a session, read and used over HTTP, for tests."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

import requests

from tests.door.harness import Server

__all__ = ["board", "direct", "press_advance", "when"]


def board(server: Server, session: dict[str, Any]) -> dict[str, Any]:
    answer = requests.get(f"{server.url}/api/session_board/{session['code']}", timeout=30)
    assert answer.status_code == 200, answer.text
    seen: dict[str, Any] = answer.json()
    return seen


def when(see: Callable[[], Any]) -> Any:
    """What is to be seen sooner or later."""
    for _ in range(600):
        seen = see()
        if seen:
            return seen
        time.sleep(0.1)
    raise AssertionError("it is not to be seen")


def direct(server: Server, session: dict[str, Any], kind: str, **more: Any) -> dict[str, Any]:
    body = {"kind": kind, "id": f"{kind} {sorted(more.items())}", **more}
    address = f"{server.url}/api/session_board/{session['code']}"
    answer = requests.post(address, json=body, timeout=30)
    assert answer.status_code in (200, 409), answer.text
    given: dict[str, Any] = answer.json()
    return given


def press_advance(server: Server, session: dict[str, Any]) -> None:
    """What the button of the page Monitor sends."""
    admin = requests.Session()
    page = admin.get(f"{server.url}/SessionMonitor/{session['code']}", timeout=30)
    name, token = re.findall(r'type="hidden" name="(\w+)" value="(\d+)"', page.text)[0]
    form = {name: token, "advancemode": "all"}
    answer = admin.post(f"{server.url}/AdvanceSession/{session['code']}", data=form, timeout=60)
    assert answer.status_code == 200, answer.text
