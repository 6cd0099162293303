"""Test that the archive of `otree zip`, made as documented, is enough for a host to run a server.

The test needs the package index for the server's libraries.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
import requests

from mixed_company.server import process
from tests.door.harness import Server, seated, synced, when
from tests.project import ROOT

pytestmark = [pytest.mark.door, pytest.mark.long]
LARGEST_BYTES = 3_000_000


def documented(folder: Path) -> str:
    """Return the commands of docs/hosts.md that make the archive, with a folder other than /tmp."""
    text = (ROOT / "docs/hosts.md").read_text("utf-8")
    [commands] = re.findall(r"^```\n(git archive .*?)```", text, re.DOTALL | re.MULTILINE)
    return str(commands).replace("/tmp", str(folder))


def run(*command: str | Path, folder: Path, variables: Mapping[str, str], typed: str = "") -> None:
    done = subprocess.run(
        command, input=typed, cwd=folder, env=variables, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def answers(url: str) -> bool:
    try:
        return requests.get(f"{url}/demo", timeout=10).status_code == 200
    except requests.ConnectionError:
        return False


def test_the_archive_for_a_host_is_small_and_a_period_is_played_on_it(tmp_path):
    variables = process.environment() | {"UV_NO_CONFIG": "1"}
    # oTree would replace the requirements after this answer, if the file did not forbid it.
    run("bash", "-c", documented(tmp_path), folder=ROOT, variables=variables, typed="y\n")
    archive = tmp_path / "lab/lab.otreezip"
    assert archive.stat().st_size < LARGEST_BYTES

    shutil.unpack_archive(archive, tmp_path / "project", "gztar", filter="data")
    project, programs = tmp_path / "project", tmp_path / "venv/bin"
    variables["PATH"] = os.pathsep.join([str(programs), variables["PATH"]])
    uv = (sys.executable, "-m", "uv")
    venv = ("venv", "--quiet", "--python", sys.executable, programs.parent)
    run(*uv, *venv, folder=tmp_path, variables=variables)
    install = ("pip", "install", "--quiet", "--python", programs / "python")
    run(*uv, *install, "-r", "requirements.txt", folder=project, variables=variables)
    variables.pop("PYTHONPATH", None)

    server = Server(tmp_path / "linked")  # only for its requests: the archive's server answers
    with (tmp_path / "server.log").open("wb") as log:
        server.process = process.launch(
            [str(programs / "otree"), "prodserver", f"127.0.0.1:{server.port}"],
            variables=variables,
            folder=project,
            log=log,
            held=True,
        )
    try:
        when(lambda: answers(server.url))
        [(_, live)] = seated(server, server.session("commons", people=1, quiz=False))
        answer = live.act(0, "first", harvest=1, contribution=0)
        assert answer["kind"] == "ack", answer
        when(lambda: synced(live)["period"] == 1)
    finally:
        server.stop()
