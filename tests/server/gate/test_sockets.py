"""Limits on the number of sockets and the rate of messages."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from mixed_company.server.gate import Gate, Limits
from tests.server.gate.asking import HOST, in_loop, run, settled

LIVE = b"participant_code=abc&page_name=Play"


class Client:
    """A browser's socket, with the messages that it will send and those that it has received."""

    def __init__(self, *texts: str, path: str = "/live", query: bytes = LIVE) -> None:
        self.scope = {
            "type": "websocket",
            "path": path,
            "query_string": query,
            "headers": [HOST],
            "client": ("10.0.0.1", 1),
            "scheme": "ws",
        }
        self.gone = asyncio.Event()
        self.messages: list[dict[str, Any]] = []
        self._sends = [{"type": "websocket.connect"}]
        self._sends += [{"type": "websocket.receive", "text": text} for text in texts]

    async def receive(self) -> dict[str, Any]:
        if self._sends:
            return self._sends.pop(0)
        await self.gone.wait()
        return {"type": "websocket.disconnect", "code": 1001}

    async def send(self, message: dict[str, Any]) -> None:
        self.messages.append(message)

    def connect(self, gate: Gate) -> asyncio.Task[None]:
        return asyncio.create_task(gate(self.scope, self.receive, self.send))

    @property
    def kinds(self) -> list[str]:
        return [message["type"] for message in self.messages]


class Behind:
    """Application that accepts sockets and keeps their messages. `fails` says when to fail."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.fails = ""

    async def __call__(self, _scope: Any, receive: Any, send: Any) -> None:
        if self.fails == "before":
            raise KeyError("participant_code")
        await receive()
        await send({"type": "websocket.accept"})
        if self.fails == "after":
            raise RuntimeError("a fault of the server")
        while (message := await receive())["type"] == "websocket.receive":
            self.texts.append(message["text"])


@in_loop
async def test_a_person_has_a_limited_number_of_sockets():
    gate = Gate(Behind(), Limits(sockets_of_participant=2))
    first, second, third, other = Client(), Client(), Client(), Client(query=b"")
    tasks = [client.connect(gate) for client in (first, second, third, other)]
    await settled()
    assert [client.kinds for client in (first, second, other)] == [["websocket.accept"]] * 3
    assert third.messages == [{"type": "websocket.close", "code": 1008}]
    first.gone.set()
    await settled()
    again = Client()
    tasks.append(again.connect(gate))
    await settled()
    assert again.kinds == ["websocket.accept"]
    for client in (second, other, again):
        client.gone.set()
    await asyncio.gather(*tasks)
    assert not gate._sockets._open


@in_loop
async def test_an_address_has_a_limited_number_of_sockets():
    gate = Gate(Behind(), Limits(sockets_of_address=300))
    clients = [Client(query=b"participant_code=p%d" % number) for number in range(301)]
    tasks = [client.connect(gate) for client in clients]
    await settled()
    assert [client.kinds for client in clients[:300]] == [["websocket.accept"]] * 300
    assert clients[300].kinds == ["websocket.close"]
    for client in clients:
        client.gone.set()
    await asyncio.gather(*tasks)


def test_messages_that_arrive_too_fast_are_read_later_and_none_is_lost(monkeypatch):
    waits: list[float] = []
    sleep = asyncio.sleep

    async def waited(seconds: float) -> None:
        waits.append(seconds)
        await sleep(0)

    async def test() -> None:
        monkeypatch.setattr("mixed_company.server.gate.sockets.asyncio.sleep", waited)
        behind = Behind()
        gate = Gate(behind, Limits(messages_at_once=20, messages_per_second=10))
        texts = [f'"{number}"' for number in range(25)]
        client = Client(*texts)
        client.gone.set()
        await client.connect(gate)
        assert behind.texts == texts

    run(test)
    # twenty are in time, and each of the others is a tenth of a second later
    assert [round(wait, 1) for wait in waits if wait] == [0.1, 0.2, 0.3, 0.4, 0.5]


def test_a_client_that_opens_one_socket_after_another_waits(monkeypatch):
    waits: list[float] = []
    sleep = asyncio.sleep

    async def waited(seconds: float) -> None:
        waits.append(seconds)
        await sleep(0)

    async def test() -> None:
        monkeypatch.setattr("mixed_company.server.gate.sockets.asyncio.sleep", waited)
        gate = Gate(Behind(), Limits(openings_at_once=3, openings_per_second=2))
        for client in [Client() for _ in range(5)] + [Client(query=b"participant_code=other")]:
            client.gone.set()
            await client.connect(gate)
            assert client.kinds[0] == "websocket.accept"

    run(test)
    assert [round(wait, 1) for wait in waits if wait] == [0.5, 1.0]


@in_loop
async def test_invalid_json_closes_a_socket_of_otree_but_reaches_a_live_page():
    behind = Behind()
    gate = Gate(behind, Limits())
    client = Client("{}", "no JSON", path="/auto_advance")
    await client.connect(gate)
    assert behind.texts == ["{}"]
    assert client.messages[-1] == {"type": "websocket.close", "code": 1003}
    page = Client("no JSON")
    page.gone.set()
    await page.connect(gate)
    assert behind.texts == ["{}", "no JSON"]


@in_loop
async def test_an_invalid_address_of_a_socket_is_refused_and_a_fault_is_not_hidden():
    behind = Behind()
    gate = Gate(behind, Limits())
    behind.fails = "before"
    client = Client(query=b"")
    await client.connect(gate)
    assert client.messages == [{"type": "websocket.close", "code": 1008}]
    behind.fails = ""
    up = Client(path="/live/../x")
    up.gone.set()
    await up.connect(gate)
    assert up.messages == [{"type": "websocket.close", "code": 1008}]
    behind.fails = "after"
    with pytest.raises(RuntimeError, match="a fault of the server"):
        await Client().connect(gate)
    assert not gate._sockets._open
