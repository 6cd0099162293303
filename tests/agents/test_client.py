"""Tests that the single-file clients report errors where the author of an agent sees them."""

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
from functools import cache
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
R = ["Rscript", "mixed_company/agents/client.R"]
CLIENTS = pytest.mark.parametrize(
    "client",
    [[sys.executable, "mixed_company/agents/client.py"], NODE, R],
    ids=["python", "node", "r"],
)


@cache
def has_r() -> bool:
    """Return whether R and its package jsonlite are installed."""
    command = ["Rscript", "-e", "library(jsonlite)"]
    return (
        shutil.which("Rscript") is not None and not subprocess.run(command, check=False).returncode
    )


def started(command: list[str], *arguments: str, key: str = "") -> subprocess.Popen[str]:
    """Start a client and capture its standard error."""
    if "node" in command[0] and shutil.which("node") is None:
        pytest.skip("node is not installed")
    if command == R and not has_r():
        pytest.skip("R or its package jsonlite is not installed")
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
    assert "AGENT_KEY: not set" in text


def test_a_failed_decision_is_reported_at_both_ends(caplog: pytest.LogCaptureFixture) -> None:
    """The reason is sent to the server, and logged for the agent's author."""
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
    assert line == "commons_game/1/2, period 3: the default is used: KeyError: 'stok'"


@CLIENTS
def test_a_client_decides_in_both_stages_of_a_period(client: list[str]) -> None:
    """Show the first stage twice and the second once. The client makes two decisions, each with its
    stage's fields."""
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


R_TALKS = """
source("mixed_company/agents/client.R")
said <- 0
play(commandArgs(TRUE)[1], "mine", "key", function(game, view) {
  list(assign = c(0, 2), harvest = view$remaining_ms > 0)
}, talk = function(game, view) {
  said <<- said + 1
  if (said == 1) "Zw\\u00f6lf?" else if (said == 2) 0
}, seats = 2, plays = 1)
"""
NODE_TALKS = """
const { play } = await import(`${process.cwd()}/mixed_company/agents/client.mjs`);
let said = 0;
await play(process.argv.at(-1), "mine", "key", (game, view) => (
  { assign: [0, 2], harvest: view.remaining_ms > 0 }
), { talk: () => ["Zw\\u00f6lf?", 0][(said += 1) - 1], seats: 2, plays: 1 });
"""
PYTHON_TALKS = """
import asyncio, sys
sys.path.insert(0, "mixed_company/agents")
from client import play
texts = iter(["Zw\\u00f6lf?", 0, None])
async def decide(game, view):
    return {"assign": [0, 2], "harvest": view["remaining_ms"] > 0}
async def talk(game, view):
    return next(texts)
asyncio.run(play(sys.argv[-1], "mine", "key", decide, talk, seats=2, plays=1))
"""


@pytest.mark.parametrize(
    "command",
    [
        [sys.executable, "-c", PYTHON_TALKS],
        [NODE[0], "--experimental-websocket", "--input-type=module", "-e", NODE_TALKS, "--"],
        ["Rscript", "-e", R_TALKS],
    ],
    ids=["python", "node", "r"],
)
def test_a_client_talks_and_ends_with_its_last_play(command: list[str]) -> None:
    """Send a view, time for talk, and the end. Expect a decision, two messages and "done"."""
    if command[0] == "Rscript" and not has_r():
        pytest.skip("R or its package jsonlite is not installed")
    game = {**GAME, "talk": {"one": True, "partners": [3, 1]}}
    decides = {**VIEW, "remaining_ms": 9000, "schema": {}}
    talks = {**VIEW, "period": 4, "phase": "talk", "remaining_ms": 9000, "talk": {"open": True}}
    received: list[dict[str, Any]] = []

    async def answer(line: Any) -> None:
        received.append(json.loads(await line.recv()))
        for shown in ({"kind": "welcome", "agent": "mine"}, game, decides):
            await line.send(json.dumps(shown))
        for after in (talks, None, None, {**VIEW, "phase": "over"}):
            received.append(json.loads(await line.recv()))
            if after is talks:
                await line.send(json.dumps(talks))  # before the answer, as a server may do
            await line.send(json.dumps({"kind": "ack", "id": received[-1].pop("id")}))
            if after is not None and after is not talks:
                await line.send(json.dumps(after))
        await line.wait_closed()

    async def run() -> int:
        async with serve(answer, "127.0.0.1", 0) as server:
            url = f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}/agents"
            with started(command, url) as process:
                try:
                    return await asyncio.to_thread(process.wait, 60)
                finally:
                    process.kill()

    assert complete(run()) == 0
    place = {"place": GAME["place"]}
    hello, act, *messages, done = received
    assert hello == {"kind": "hello", "agent": "mine", "key": "key", "seats": 2}
    assert act == {
        "kind": "act",
        **place,
        "period": 3,
        "action": {"assign": [0, 2], "harvest": True},
    }
    assert messages == [
        {"kind": "say", **place, "text": "Zwölf?", "to": 3},
        {"kind": "say", **place, "sentence": 0, "to": 3},
    ]
    assert done == {"kind": "done", **place, "period": 4}


def test_an_agent_joins_a_talk_that_is_shown_with_the_answer_to_a_decision() -> None:
    """Send ack and talk together, as a server does if this decision completes the period."""

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
    """Take four fish, or two once the stock has fallen. Seats share a connection but no
    memory."""
    text = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")
    example, *_ = re.findall(r"```python\n(.*?)```", text, flags=re.S)
    monkeypatch.setitem(sys.modules, "client", client)
    values: dict[str, Any] = {}
    exec(example.split("asyncio.run(")[0], values)
    for place, stock, harvest in (("a", 50, 4), ("a", 54, 4), ("b", 48, 4), ("a", 48, 2)):
        view = {"place": place, "observation": {"stock": stock}}
        assert complete(values["decide"]({}, view)) == {"harvest": harvest, "contribution": 0}
