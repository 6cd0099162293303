"""Bots from other projects, which read and submit pages as forms, play to the end."""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
import subprocess

import pytest
import requests

from tests.door.form_bot import AMOUNT
from tests.door.harness import ROOT, Server

pytestmark = [pytest.mark.door, pytest.mark.long]

BOTEX = os.environ.get("BOTEX_PYTHON", "")
"""Python interpreter of an environment with botex. `make test-long` sets it."""


@pytest.mark.skipif(not BOTEX, reason="needs an environment with botex: make test-long")
@pytest.mark.skipif(shutil.which("chromedriver") is None, reason="needs chromedriver")
def test_botex_plays_the_commons_to_the_end(tmp_path):
    options = {
        "consent": "May we?",
        "comments": True,
        "quiz_tries": 1,
        "quiz_failed": "go_on",
        "practice_periods": 1,
    }
    with Server(tmp_path / "server") as server:
        session = server.session("commons", 1, scriptless=True, periods=3, **options)
        about = requests.get(f"{server.url}/api/sessions/{session['code']}", timeout=60).json()
        code = about["participants"][0]["code"]
        link = f"{server.url}/InitializeParticipant/{code}?plain=1&of={code}"
        offline = {**os.environ, "SE_OFFLINE": "true"}
        command = [BOTEX, "-m", "tests.door.form_bot", link, str(tmp_path)]
        subprocess.run(command, cwd=ROOT, env=offline, check=True, timeout=1200)
        decisions = csv.DictReader(io.StringIO(server.table("decisions", session)))
        people = [row for row in decisions if row["decided_by"] == "person"]
    assert [float(row["used_harvest"]) for row in people] == [AMOUNT] * 3
    prompts = json.loads((tmp_path / "asked.json").read_text())
    assert any(f"{3 * AMOUNT}" in text and "points" in text for text in prompts[-2:])
