"""A server's use of the machine, measured from outside."""

from __future__ import annotations

import resource
import subprocess
from collections.abc import Sequence
from typing import Protocol

import psutil

__all__ = ["Running", "held", "many_sockets", "worked"]


class Running(Protocol):
    """Server that runs as a process."""

    process: subprocess.Popen[bytes] | None


def _processes(server: Running) -> Sequence[psutil.Process]:
    """Return a running server's process and all its children."""
    assert server.process is not None
    main_process = psutil.Process(server.process.pid)
    return [main_process, *main_process.children(recursive=True)]


def worked(server: Running) -> float:
    """Return the CPU seconds used so far."""
    times = [process.cpu_times() for process in _processes(server)]
    return sum(float(time.user + time.system) for time in times)


def held(server: Running) -> float:
    """Return the memory, in MB, of the largest process, which serves requests."""
    return max(float(process.memory_info().rss) for process in _processes(server)) / 2**20


def many_sockets() -> None:
    """Allow this process, and the servers that it starts, to open as many sockets as the machine
    permits."""
    _, limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
