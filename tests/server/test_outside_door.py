"""Outside agents in separate processes play over real sockets."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from mixed_company.agents import client
from mixed_company.agents.llm.calls import Budget, Calls
from mixed_company.agents.llm.model import Question, Reply
from mixed_company.agents.llm.player import Players
from mixed_company.agents.llm.stub import filled
from mixed_company.agents.llm.treatment import Treatment
from mixed_company.server.outside.keys import VARIABLE
from tests.agents.test_client import has_r
from tests.door.harness import Live, Person, synced
from tests.server.test_agents_live import AGENTS, KEY, checked, over, shown
from tests.server.threaded import Server, threaded

pytestmark = [pytest.mark.door, pytest.mark.long]

PATIENCE_SECONDS = 120
KNOWN = ",".join(f"{name}={KEY}" for name in ("crowd", "model", "python", "node", "r"))


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, KNOWN)
        with threaded(tmp_path_factory.mktemp("outside")) as server:
            yield server


def played(server: Server, **changes: Any) -> tuple[str, Live]:
    """Start a session of the commons. Return its code and its only person, on the play page."""
    answer = server.create("commons", 1, **{**AGENTS, **changes})
    assert answer.status_code == 200, answer.text
    session = answer.json()
    person = Person(server, session["session_wide_url"])
    person.walk_to("Play")
    return session["code"], person.live()


def next_period(live: Live, period: int) -> dict[str, Any]:
    """Wait until a period is over."""
    return shown(live, lambda view: view["period"] > period or over(view))


def agent_process(
    server: Server, *command: str, more: Sequence[str] = ()
) -> subprocess.Popen[bytes]:
    url = server.url.replace("http", "ws") + "/agents"
    variables = {**os.environ, "AGENT_KEY": KEY}
    return subprocess.Popen([*command[:-1], url, command[-1], *more], env=variables)


PYTHON = (sys.executable, "mixed_company/agents/client.py", "python")
NODE = ("node", "--experimental-websocket", "mixed_company/agents/client.mjs", "node")
R = ("Rscript", "mixed_company/agents/client.R", "r")


@pytest.mark.few(1)
@pytest.mark.parametrize("command", [PYTHON, NODE, R], ids=["python", "javascript", "r"])
def test_a_client_in_another_process_plays_to_the_end(running, command):
    """Play the midpoint of 0 and 12: 6 in each of three seats, and 0 for the person."""
    if command == R and not has_r():
        pytest.skip("R or its package jsonlite is not installed")
    code, live = played(running, bots=f"outside:{command[-1]}", periods=2)
    process = agent_process(running, *command)
    try:
        for period in range(2):
            synced(live)
            live.act(period, f"p{period}", harvest=0, contribution=0)
            if over(next_period(live, period)):
                break
    finally:
        process.terminate()
        process.wait(PATIENCE_SECONDS)
    decisions = checked(running, code, running.folder).decisions
    bot_rows = decisions[decisions["policy_id"].notna() & (decisions["occupant"] == "policy")]
    assert set(bot_rows["sent_harvest"]) == {6.0}
    assert set(bot_rows["decided_by"]) == {"policy"}


CROWD = (sys.executable, "-m", "tests.crowd.agents", "crowd")


@pytest.mark.parametrize("many", [2, 10])
def test_all_agents_of_a_crowd_decide_at_the_same_time(running, many):
    """Start groups of a person and 20 agents, all of which decide in each of two periods."""
    seats = {"seats": 21, "neighbours": "ring", "periods": 2, "capacity": 5000}
    groups = [played(running, bots="outside:crowd", **seats) for _ in range(many)]
    process = agent_process(running, *CROWD, more=[str(20 * many)])
    try:
        for period in range(2):
            for _, live in groups:
                synced(live)
                live.act(period, f"p{period}", harvest=0, contribution=0)
            for _, live in groups:
                next_period(live, period)
    finally:
        process.terminate()
        process.wait(PATIENCE_SECONDS)
    for code, _ in groups:
        decisions = checked(running, code, running.folder).decisions
        assert decisions["decided_by"].value_counts().to_dict() == {"policy": 40, "person": 2}


class Model:
    """Model that follows the schema."""

    name = "by the schema"

    async def reply(self, question: Question) -> Reply:
        assert question.schema is not None
        return Reply(json.dumps(filled(question.schema)), "model-1", 10, 2)


def test_a_language_model_plays_and_talks_on_a_server(running):
    """Let the model write before each of two periods, and take 6, the midpoint of 0 and 12."""
    talk = {"talk": "free", "talk_when": "periods", "talk_seconds": 600.0}
    code, live = played(running, bots="outside:model,sustainable", periods=2, **talk)
    calls = Calls()

    async def play() -> None:
        players = Players(Model(), Treatment("plain"), calls, Budget())
        url = running.url.replace("http", "ws") + "/agents"
        await client.play(url, "model", KEY, players.decide, players.talk, plays=2)

    with ThreadPoolExecutor(1) as threads:
        loop = asyncio.new_event_loop()
        task = loop.create_task(play())
        ended = threads.submit(loop.run_until_complete, asyncio.wait([task]))
        try:
            for period in range(2):
                shown(live, lambda view: view["phase"] == "talk")
                live.send({"kind": "done", "id": f"d{period}", "period": period})
                shown(live, lambda view: view["phase"] == "decide")
                live.act(period, f"p{period}", harvest=0, contribution=0)
                next_period(live, period)
            ended.result(PATIENCE_SECONDS)
        finally:
            loop.call_soon_threadsafe(task.cancel)
    data = checked(running, code, running.folder)
    model_rows = data.decisions[data.decisions["policy_id"] == "outside:model"]
    assert set(model_rows["sent_harvest"]) == {6.0}
    assert data.messages["policy_id"].tolist() == ["outside:model"] * 4
    assert {row["purpose"] for row in calls.rows} == {"talk", "decide"}
