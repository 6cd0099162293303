"""oTree as a child process: starts it, and ends it together with its own children."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import sysconfig
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

HELD = "MIXED_COMPANY_HELD"
"""Environment variable that tells a process to end when its standard input closes."""

PATIENCE_SECONDS = 8
"""Time after which a process that has not ended is killed."""

_RUN = "import sys; from otree.main import execute_from_command_line as run; sys.exit(run())"


def environment() -> dict[str, str]:
    """Return this process's environment variables, set for production. PATH includes the folder of
    `otree`, because `otree` calls itself.
    """
    scripts = [sysconfig.get_path("scripts"), str(Path(sys.executable).parent)]
    paths = os.pathsep.join([*scripts, os.environ.get("PATH", os.defpath)])
    return {**os.environ, "OTREE_PRODUCTION": "1", "PATH": paths}


def start(
    *arguments: str,
    variables: Mapping[str, str],
    folder: Path | None = None,
    log: IO[bytes] | None = None,
    held: bool = False,
) -> subprocess.Popen[bytes]:
    """Start `otree ARGUMENTS` in a folder, separate from this process and unaffected by its Ctrl-C.

    `log` is the file for its output, by default the terminal. A `held` process has a pipe as
    standard input, and ends when this process does.
    """
    command = [sys.executable, "-c", _RUN, *arguments]
    return launch(command, variables=variables, folder=folder, log=log, held=held)


def launch(
    command: Sequence[str],
    *,
    variables: Mapping[str, str],
    folder: Path | None = None,
    log: IO[bytes] | None = None,
    held: bool = False,
) -> subprocess.Popen[bytes]:
    """Start any command in the same way as `start` starts oTree."""
    apart = 0
    if sys.platform == "win32":
        apart = subprocess.CREATE_NEW_PROCESS_GROUP
    return subprocess.Popen(  # noqa: S603  a fixed command
        command,
        cwd=folder,
        env={**variables, HELD: "1"} if held else dict(variables),
        stdin=subprocess.PIPE if held else None,
        stdout=log,
        stderr=log,
        start_new_session=True,
        creationflags=apart,
    )


def end(process: subprocess.Popen[bytes], how: int = signal.SIGTERM) -> None:
    """End a process and its children, by force after PATIENCE_SECONDS."""
    for by_force in (False, True):
        send(process, how, by_force)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=PATIENCE_SECONDS)
            return


def send(
    process: subprocess.Popen[bytes], how: int = signal.SIGTERM, by_force: bool = False
) -> None:
    """Signal a process and its children to end, without waiting."""
    if sys.platform != "win32":
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL if by_force else how)
    elif by_force:
        process.kill()
    else:
        process.send_signal(signal.CTRL_BREAK_EVENT)
