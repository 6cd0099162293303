"""The ranges of pyproject.toml go with what others ask for. Asks the package index."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.project import ROOT

pytestmark = pytest.mark.long
TOGETHER = {
    "ray[rllib]": "mixed-company[adapters]",
    "jupyterlab>=4.2": "mixed-company[analysis]",
    "openai-agents": "mixed-company",
}


def resolved(*asked: str) -> subprocess.CompletedProcess[str]:
    """Have uv look for versions that go together; those of the project are of this folder."""
    lines = "\n".join(f"{line} @ {ROOT.as_uri()}" if "mixed" in line else line for line in asked)
    command = [sys.executable, "-m", "uv", "pip", "compile", "--quiet", "--no-config", "-"]
    return subprocess.run(command, input=lines, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("other", TOGETHER)
def test_it_goes_into_one_environment_with(other: str) -> None:
    done = resolved(TOGETHER[other], other)
    assert done.returncode == 0, done.stderr
    assert f"\n{other.partition('[')[0].partition('>')[0]}==" in done.stdout


def test_what_does_not_go_together_is_told() -> None:
    done = resolved("mixed-company[adapters]", "gymnasium<1")
    assert done.returncode == 1
    assert "gymnasium" in done.stderr
