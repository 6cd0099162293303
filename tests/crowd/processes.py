"""What a server takes of the machine: its processes, seen from outside."""

from __future__ import annotations

import resource
from collections.abc import Sequence

import psutil

from mixed_company.server.rehearse.server import Server

__all__ = ["held", "many_sockets", "worked"]


def _processes(server: Server) -> Sequence[psutil.Process]:
    """A running server, and all that it started."""
    assert server.process is not None
    own = psutil.Process(server.process.pid)
    return [own, *own.children(recursive=True)]


def worked(server: Server) -> float:
    """Seconds of a processor that it has used."""
    times = [process.cpu_times() for process in _processes(server)]
    return sum(float(time.user + time.system) for time in times)


def held(server: Server) -> float:
    """MB of memory of its largest process: the one that serves."""
    return max(float(process.memory_info().rss) for process in _processes(server)) / 2**20


def many_sockets() -> None:
    """Let this process, and servers that it starts, have as many sockets as the machine allows."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
