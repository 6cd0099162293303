"""Tests that the ranges of pyproject.toml fit those of other packages. They need the package
index."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

import pytest

from tests.project import ROOT

pytestmark = pytest.mark.long
TOGETHER = {
    "ray[rllib]": "mixed-company[adapters]",
    "jupyterlab>=4.2": "mixed-company[analysis]",
    "openai-agents": "mixed-company",
}


def resolved(
    *requirements: str, constraints: Sequence[str] = ()
) -> subprocess.CompletedProcess[str]:
    """Let uv resolve these requirements together. The project's own requirements refer to this
    folder.
    """
    lines = "\n".join(
        f"{line} @ {ROOT.as_uri()}" if "mixed" in line else line for line in requirements
    )
    command = [
        sys.executable,
        "-m",
        "uv",
        "pip",
        "compile",
        "--quiet",
        "--no-config",
        *constraints,
        "-",
    ]
    return subprocess.run(
        command, input=lines, cwd=ROOT, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("other", TOGETHER)
def test_the_project_installs_together_with(other: str) -> None:
    done = resolved(TOGETHER[other], other)
    assert done.returncode == 0, done.stderr
    assert f"\n{other.partition('[')[0].partition('>')[0]}==" in done.stdout


@pytest.mark.parametrize(
    ("extras", "exact"),
    [
        ("dev,llm", "constraints.txt"),
        ("package,tests,tournament,training", "constraints-alone.txt"),
    ],
)
def test_exact_versions_install_together_in_each_environment_of_make(
    extras: str, exact: str
) -> None:
    constraints = [word for file in ("requirements.txt", f"tests/{exact}") for word in ("-c", file)]
    done = resolved(f"mixed-company[{extras}]", constraints=constraints)
    assert done.returncode == 0, done.stderr


def test_incompatible_packages_are_reported() -> None:
    done = resolved("mixed-company[adapters]", "gymnasium<1")
    assert done.returncode == 1
    assert "gymnasium" in done.stderr
