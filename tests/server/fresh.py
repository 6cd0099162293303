"""Fresh Python processes for tests that import oTree with special settings, variables or folders.

Each is forked from one process that has imported the libraries and all parts of the project that do
not depend on oTree, so it starts in milliseconds instead of seconds. Without fork, each is a new
process.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import pkgutil
import runpy
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

__all__ = ["alone_here", "last_value", "python"]

LIBRARIES = ("numpy.testing", "scipy.optimize", "uvicorn", "wtforms")
LIBRARIES += ("sqlalchemy.ext.declarative", "sqlalchemy.dialects.sqlite", "starlette.testclient")
OWN = (
    "mixed_company.analysis.audit.sealed",
    "mixed_company.policies.policy",
    "mixed_company.experiment.plan",
    "mixed_company.__main__",
    "mixed_company.table.export",
)
OWN += (
    "mixed_company.server.gate.gate",
    "mixed_company.server.preflight",
    "mixed_company.server.process",
    "mixed_company.server.sessions",
)
PACKAGES = ("mixed_company.engine", "bots")


def alone_here() -> dict[str, str]:
    """Return the environment of a server on disk, without this process's oTree variables."""
    variables = {key: value for key, value in os.environ.items() if not key.startswith("OTREE")}
    variables.pop("DATABASE_URL", None)
    return variables


def python(
    *arguments: str, folder: Path | None = None, variables: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run `python -c CODE ...` or `python -m MODULE ...` in a folder, with only these variables.

    By default, the folder is the current one, and the variables are those of `alone_here`.
    """
    place = str(folder or Path.cwd())
    environment = dict(alone_here() if variables is None else variables)
    if not hasattr(os, "fork"):
        command = [sys.executable, *arguments]
        return subprocess.run(command, cwd=place, env=environment, capture_output=True, check=False)
    with tempfile.TemporaryDirectory() as kept:
        streams = [Path(kept, name) for name in ("out", "errors")]
        job = {"arguments": arguments, "folder": place, "variables": environment}
        code = _ended(json.dumps({**job, "streams": [str(stream) for stream in streams]}))
        out, errors = (stream.read_bytes() for stream in streams)
        return subprocess.CompletedProcess(arguments, code, out, errors)


def last_value(*arguments: str, **options: Any) -> Any:
    """Run a fresh Python, which must exit with 0, and return the JSON on its last line."""
    done = python(*arguments, **options)
    assert done.returncode == 0, done.stderr.decode()[-3000:]
    return json.loads(done.stdout.splitlines()[-1])


@cache
def _template() -> subprocess.Popen[bytes]:
    """Start the process from which each job is forked. It ends when this process ends."""
    command = [sys.executable, "-m", __name__]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    template = subprocess.Popen(command, env=alone_here(), **pipes)
    atexit.register(template.communicate)
    return template


def _ended(job: str) -> int:
    """Run a job in a fork and return its exit code."""
    template = _template()
    assert template.stdin is not None
    assert template.stdout is not None
    template.stdin.write(job.encode() + b"\n")
    template.stdin.flush()
    return int(template.stdout.readline())


def _import_all() -> None:
    for name in (*LIBRARIES, *OWN):
        importlib.import_module(name)
    for package in map(importlib.import_module, PACKAGES):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
    importlib.import_module("mixed_company.policies").ids("")  # finds all policies
    assert not any(name.partition(".")[0] in ("otree", "settings") for name in sys.modules)


def _awaited_job() -> dict[str, Any]:
    """Read jobs and print the exit code of each. In a fork, return its job."""
    for line in sys.stdin.buffer:
        child = os.fork()
        if child == 0:
            job: dict[str, Any] = json.loads(line)
            return job
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
    sys.exit()


def _become(job: dict[str, Any]) -> None:
    """Give this process the job's standard streams, variables and folder."""
    nowhere = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nowhere, 0)
    for number, path in enumerate(job["streams"], 1):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT), number)
    os.environ.clear()
    os.environ.update(job["variables"])
    os.chdir(job["folder"])
    sys.path[0] = ""


def _run(how: str, target: str, *arguments: str) -> None:
    if how == "-m":
        sys.argv = [target, *arguments]
        sys.modules.pop(f"{target}.__main__", None)
        runpy.run_module(target, run_name="__main__", alter_sys=True)
        return
    sys.argv = [how, *arguments]
    main = ModuleType("__main__")
    sys.modules["__main__"] = main
    exec(compile(target, "<string>", "exec"), vars(main))


def _serve() -> None:
    _import_all()
    gc.collect()
    gc.freeze()
    job = _awaited_job()
    _become(job)
    _run(*job["arguments"])


if __name__ == "__main__":
    _serve()
