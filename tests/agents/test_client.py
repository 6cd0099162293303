"""Tests that the single-file clients report errors where the author of an agent looks."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import re
import shutil
import socket
import subprocess
import sys
from itertools import islice
from types import SimpleNamespace
from typing import Any

import pytest
from websockets import serve  # type: ignore[attr-defined]

from mixed_company.agents import client
from mixed_company.agents.client import play
from tests.loops import complete
from tests.project import ROOT

GAME = {"kind": "game", "place": "commons_game/1/2", "game": "commons_game", "seat": 2}
VIEW = {"kind": "view", "place": "commons_game/1/2", "period": 3, "phase": "decide"}
NODE = [
    shutil.which("node") or "node",
    "--experimental-websocket",
    "mixed_company/agents/client.mjs",
]
CLIENTS = pytest.mark.parametrize(
    "client", [[sys.executable, "mixed_company/agents/client.py"], NODE]
)


def started(command: list[str], *arguments: str, key: str = "") -> subprocess.Popen[str]:
    """Start a client whose standard error is read."""
    if "node" in command[0] and shutil.which("node") is None:
        pytest.skip("node is not installed")
    environment = {name: value for name, value in os.environ.items() if name != "AGENT_KEY"}
    more = {"AGENT_KEY": key} if key else {}
    return subprocess.Popen(
        [*command, *arguments], env=environment | more, stderr=subprocess.PIPE, text=True
    )


@pytest.mark.few(1)
@CLIENTS
def test_a_missing_server_is_named(client: list[str]) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"ws://127.0.0.1:{unused.getsockname()[1]}/agents"
        with started(client, url, "mine", key="k" * 16) as process:
            assert process.stderr is not None
            lines = list(islice(process.stderr, 2))  # from the first two attempts
            assert process.poll() is None  # it keeps trying
            process.kill()
    assert url in lines[0]
    assert all("retrying in" in line for line in lines)


@pytest.mark.few(1)
@CLIENTS
def test_a_missing_key_is_named(client: list[str]) -> None:
    with started(client, "ws://127.0.0.1:9/agents", "mine") as process:
        _, text = process.communicate(timeout=60)
    assert (process.returncode, text.count("\n")) == (1, 1)
    assert "AGENT_KEY: is not set" in text


def test_a_failed_decision_is_reported_at_both_ends(caplog: pytest.LogCaptureFixture) -> None:
    """Send the reason to the server, and log it for the author of the agent."""
    received: list[dict[str, Any]] = []
    done = asyncio.Event()

    async def answer(line: Any) -> None:
        received.append(json.loads(await line.recv()))
        for message in (GAME, VIEW):
            await line.send(json.dumps(message))
        received.append(json.loads(await line.recv()))
        done.set()

    async def decide(_game: Any, _view: Any) -> Any:
        raise KeyError("stok")

    async def run() -> None:
        async with serve(answer, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            agent = asyncio.ensure_future(
                play(f"ws://127.0.0.1:{port}/agents", "mine", "k" * 16, decide)
            )
            await asyncio.wait_for(done.wait(), 20)
            agent.cancel()

    with caplog.at_level(logging.WARNING):
        complete(run())
    assert received[1]["reason"] == "KeyError: 'stok'"
    [line] = [line for line in caplog.messages if "stok" in line]
    assert line == "commons_game/1/2, period 3: the default counts: KeyError: 'stok'"


@CLIENTS
def test_a_client_decides_in_both_stages_of_a_period(client: list[str]) -> None:
    """Show the first stage twice, and the second once: two decisions, for their own fields."""
    harvest = {"harvest": {"type": "number", "minimum": 0.0, "maximum": 8.0}}
    points = {"assign": {"type": "array", "default": [0, 2]}}
    views = [
        {**VIEW, "observation": {"stage": stage}, "schema": {"properties": fields}}
        for stage, fields in ((0, harvest), (0, harvest), (1, points))
    ]
    received: list[dict[str, Any]] = []

    async def answer(line: Any) -> None:
        await line.recv()
        await line.send(json.dumps(GAME))
        for view in views[:2]:
            await line.send(json.dumps(view))
        for view in (views[2], None):
            act = json.loads(await line.recv())
            received.append(act)
            await line.send(json.dumps({"kind": "ack", "id": act["id"], "period": act["period"]}))
            if view is not None:
                await line.send(json.dumps(view))

    async def run() -> None:
        done = asyncio.Event()

        async def answered(line: Any) -> None:
            await answer(line)
            done.set()

        async with serve(answered, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            with started(client, f"ws://127.0.0.1:{port}/agents", "mine", key="k" * 16) as process:
                try:
                    await asyncio.wait_for(done.wait(), 20)
                finally:
                    process.kill()

    complete(run())
    assert [(act["kind"], act["period"], act["action"]) for act in received] == [
        ("act", 3, {"harvest": 4.0}),
        ("act", 3, {"assign": [0, 2]}),
    ]


def test_an_agent_joins_a_talk_that_is_shown_with_the_answer_to_a_decision() -> None:
    """Send both at once, like a server that settles the period by this decision."""

    async def decide(_game: Any, _view: Any) -> Any:
        return {"harvest": 4}

    async def run() -> list[dict[str, Any]]:
        sent: asyncio.Queue[str] = asyncio.Queue()
        agent = client.Client(decide)
        agent._socket = SimpleNamespace(send=sent.put)
        for message in (GAME, VIEW):
            agent._take(message)
        act = json.loads(await sent.get())
        talk = {**VIEW, "period": 4, "phase": "talk"}
        for message in ({"kind": "ack", "id": act["id"]}, talk, talk):
            agent._take(message)
        done = json.loads(await asyncio.wait_for(sent.get(), 20))
        agent._take({"kind": "ack", "id": done["id"]})
        [seat] = agent._seats.values()
        assert seat.busy is not None
        await seat.busy
        assert (agent.periods, sent.qsize()) == (1, 0)
        return [act, done]

    act, done = complete(run())
    assert (act["kind"], act["period"]) == ("act", 3)
    assert (done["kind"], done["period"]) == ("done", 4)


def test_the_documented_rule_has_a_memory_for_each_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take four fish, and two after the stock fell. Seats share a connection but not a memory."""
    text = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")
    [example] = re.findall(r"```python\n(.*?)```", text, flags=re.S)
    monkeypatch.setitem(sys.modules, "client", client)
    values: dict[str, Any] = {}
    exec(example.split("asyncio.run(")[0], values)
    for place, stock, harvest in (("a", 50, 4), ("a", 54, 4), ("b", 48, 4), ("a", 48, 2)):
        view = {"place": place, "observation": {"stock": stock}}
        assert complete(values["decide"]({}, view)) == {"harvest": harvest, "contribution": 0}
