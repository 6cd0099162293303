"""Tests that a person in a real Chromium can play and talk with a language model and a trained
policy."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from mixed_company import analysis
from mixed_company.agents.llm.stub import MODEL, Stub
from mixed_company.analysis.audit import NOTES, audited
from mixed_company.analysis.audit.asked import OUTSIDE
from mixed_company.analysis.audit.wording import lines
from mixed_company.server.outside.keys import VARIABLE
from tests.door.harness import ROOT, Server
from tests.door.pages import PHONE, assert_no_sideways_scrolling, read, window

pytestmark = [pytest.mark.door, pytest.mark.long]

KEY = "a key of sixteen or more"
DESK = {"viewport": {"width": 1280, "height": 900}}
INTERFACE = ROOT / "tests" / "agents" / "interface"
PERIODS = 2
OWN: dict[str, Any] = {
    "archetype": "lab",
    "periods": PERIODS,
    "quiz": False,
    "bots": "outside:stub,commons_ppo_lab_group",
    "disclosure": "labels",
    "talk": "free",
    "talk_when": "periods",
    "talk_seconds": 600.0,
}


@pytest.fixture(scope="module")
def open_to_agents(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Run a server with a key for the `stub` agent."""
    folder = tmp_path_factory.mktemp("agents") / "project"
    with Server(folder, variables={VARIABLE: f"stub={KEY}"}) as running:
        yield running


@contextmanager
def model(server: Server, calls: Path) -> Iterator[Stub]:
    """Run `mixed agents llm` in a separate process, with a stub as the model's HTTP API."""
    variables = {**os.environ, "AGENT_KEY": KEY}
    if importlib.util.find_spec("openai") is None:
        variables["PYTHONPATH"] = str(INTERFACE)
    with Stub() as stub:
        command = [sys.executable, "-m", "mixed_company", "agents", "llm", "--model", "stub"]
        command += ["--base-url", stub.base_url, "--name", "stub", "--calls", str(calls)]
        command += ["--server", server.url.replace("http", "ws") + "/agents"]
        process = subprocess.Popen(command, env=variables)
        try:
            yield stub
        finally:
            process.terminate()
            process.wait(60)


def talks_and_decides(page: Page, number: int) -> None:
    """Read the models' messages, write one, continue, and take 2 fish."""
    expect(page.locator("#period")).to_have_text(re.compile(f"Period {number} of"))
    log = page.get_by_role("log", name="Talk")
    expect(log.get_by_text("Let us all take the same.")).to_have_count(2 * number)
    page.locator("#talk-field").fill(f"Two each, in period {number}.")
    page.get_by_role("button", name="Send").click()
    expect(log).to_contain_text(f"Two each, in period {number}.")
    page.get_by_role("button", name="I am ready to continue").click()
    box = page.locator("#harvest")
    expect(box).to_be_enabled()
    box.fill("2")
    page.locator("#confirm").click()


@pytest.mark.parametrize("screen", [DESK, PHONE], ids=["desk", "phone"])
def test_a_person_plays_and_talks_with_a_model_and_a_trained_policy(
    open_to_agents, browser, tmp_path, screen
):
    """The models take 6, midway between 0 and 12. They have two seats, and the policy has one."""
    server = open_to_agents
    session = server.session("commons_trained", 1, **OWN)
    with model(server, tmp_path / "calls.jsonl") as stub:
        page = window(browser, session["session_wide_url"], **screen)
        expect(page.locator("body")).to_contain_text("computer program")
        read(page)
        for number in range(1, PERIODS + 1):
            talks_and_decides(page, number)
            page.screenshot(path=tmp_path / f"period_{number}.png", full_page=True)
        if screen is PHONE:
            assert_no_sideways_scrolling(page)
        page.locator("#leave").click()
        expect(page.locator("h1")).to_have_text("Results")
        heard = [question["messages"][-1]["content"] for question in stub.questions]
    assert any("Two each, in period 1." in text for text in heard)
    exported_in_order(server, session, tmp_path)
    rows = [json.loads(line) for line in (tmp_path / "calls.jsonl").open(encoding="utf-8")]
    assert {row["purpose"] for row in rows} == {"talk", "decide"}
    assert {(row["model"], row["error"]) for row in rows} == {(MODEL, "")}


def exported_in_order(server: Server, session: dict[str, Any], folder: Path) -> None:
    """Audit the export, and check who decided and who wrote what."""
    path = folder / "played.zip"
    path.write_bytes(server.archive(session["code"]))
    assert [str(problem) for problem in analysis.check(path) if problem.kind not in NOTES] == []
    data = analysis.load(path, "commons_game")
    assert any(OUTSIDE in line for line in lines(audited(data), 0))
    bots = data.decisions[data.decisions["occupant"] == "policy"]
    assert set(bots["policy_id"]) == {"outside:stub", "commons_ppo_lab_group"}
    assert set(bots["decided_by"]) == {"policy"}  # never the default, so no failure and no timeout
    assert set(bots.loc[bots["policy_id"] == "outside:stub", "sent_harvest"]) == {6.0}
    assert data.messages is not None
    written = data.messages["policy_id"].fillna("").value_counts().to_dict()
    assert written == {"outside:stub": 2 * PERIODS, "": PERIODS}
