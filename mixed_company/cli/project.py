"""The oTree project folder that some commands run in, and its server. The folder contains
settings.py. The server runs until Ctrl-C, so that people can play in a browser.
"""

from __future__ import annotations

import importlib.util
import signal
import socket
import sys
import threading
import time
from pathlib import Path

from mixed_company.cli.refusal import config_error

SETTINGS = "settings.py"
HOST = "127.0.0.1"
LOOK_SECONDS = 0.2
MAX_PORT = 65535


def prefer_project() -> None:
    """Put this folder first in the import path if it is a clone of this project or a fork.
    Otherwise a server would run the clone's modules, but the command would run the installed ones.
    """
    here = Path.cwd()
    if (
        (here / SETTINGS).is_file()
        and (here / "mixed_company").is_dir()
        and str(here) not in sys.path
    ):
        sys.path.insert(0, str(here))


def check_project() -> None:
    """Raise ConfigError if this folder is not a project that a server can run."""
    if not Path(SETTINGS).is_file():
        raise config_error(
            f"there is no {SETTINGS} in {Path.cwd()}: go to the project folder, "
            "a clone of the repository, and try again"
        )


def serve(port: int) -> int:
    """Run oTree in this folder until it ends or is stopped; return the exit code.

    Raises ConfigError if oTree or a project is missing, or the port is invalid.
    """
    _check(port)
    from mixed_company.server.process import end, environment, start

    end_as_by_ctrl_c()
    print(f"\n  Open http://{HOST}:{port}/demo and choose a game. Ctrl-C stops the server.\n")
    process = start("prodserver", f"{HOST}:{port}", variables=environment())
    try:
        while process.poll() is None:  # a plain wait could not be interrupted on Windows
            time.sleep(LOOK_SECONDS)
    except KeyboardInterrupt:
        return 0
    finally:
        end(process)
    return 1 if process.returncode else 0


def _check(port: int) -> None:
    if importlib.util.find_spec("otree") is None:
        raise config_error(
            "`mixed play` starts a server with oTree, which is not installed. "
            'Run `pip install ".[server]"` in the project folder. '
            "`mixed play GAME --policies NAME,NAME` does not need oTree"
        )
    check_project()
    check_port(port)


def check_port(port: int) -> None:
    """Raise ConfigError if the port is invalid, or used by another process."""
    if not 1 <= port <= MAX_PORT:
        raise config_error(f"--port = {port}: should be from 1 to {MAX_PORT}")
    with socket.socket() as probe:
        probe.settimeout(1)
        if probe.connect_ex((HOST, port)) == 0:
            raise config_error(
                f"--port = {port}: already in use; try --port {min(port + 1, MAX_PORT)}"
            )


def end_as_by_ctrl_c() -> None:
    """Have SIGTERM and SIGHUP end this command as Ctrl-C does. Only the main thread can do this."""
    if threading.current_thread() is not threading.main_thread():
        return
    for name in ("SIGTERM", "SIGHUP"):  # Windows has no SIGHUP
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.default_int_handler)
