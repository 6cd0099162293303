"""A server on this machine, to be played in the browser, until Ctrl-C."""

from __future__ import annotations

import importlib.util
import signal
import socket
import time

from mixed_company.cli.project import check_project
from mixed_company.engine.contract.errors import ConfigError

__all__ = ["HOST", "MAX_PORT", "check_port", "serve"]

HOST = "127.0.0.1"
LOOK_SECONDS = 0.2
MAX_PORT = 65535


def serve(port: int) -> int:
    """Run oTree in this folder until it ends, or is to end; the exit code.

    Raises ConfigError where there is no oTree, no project or no such port.
    """
    _check(port)
    from mixed_company.server.process import end, environment, start

    for name in ("SIGTERM", "SIGHUP"):  # to be ended is the same as Ctrl-C; Windows has no SIGHUP
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.default_int_handler)
    print(f"\n  Open http://{HOST}:{port}/demo and choose a game. Ctrl-C ends the server.\n")
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
        raise ConfigError(
            "`mixed play` starts a server with oTree, which is not installed: "
            'pip install ".[server]" in the folder of the project; '
            "`mixed play GAME --policies NAME,NAME` needs none"
        )
    check_project()
    check_port(port)


def check_port(port: int) -> None:
    """Raises ConfigError where there is no such port, or somebody has it."""
    if not 1 <= port <= MAX_PORT:
        raise ConfigError(f"--port = {port}: should be from 1 to {MAX_PORT}")
    with socket.socket() as probe:
        probe.settimeout(1)
        if probe.connect_ex((HOST, port)) == 0:
            raise ConfigError(f"--port = {port}: is in use; try --port {min(port + 1, MAX_PORT)}")
