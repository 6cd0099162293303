"""Fake machine clock, which a server mistakes for the real one.

with Server(folder, settings=settings()) as server:
    set_clock(server, seconds=-60)      a minute back, from its next start
"""

from __future__ import annotations

from mixed_company.server.rehearse.server import ROOT, Server

__all__ = ["set_clock", "settings"]

_VARIABLE = "CLOCK_IS_SET_BY"
_SET = f"""
import os, time
real, real_ns, by = time.time, time.time_ns, float(os.environ.get("{_VARIABLE}", "0"))
time.time = lambda: real() + by
time.time_ns = lambda: real_ns() + int(by * 1e9)
"""


def settings() -> str:
    """Return the settings of a server with an adjustable clock."""
    return _SET + (ROOT / "settings.py").read_text(encoding="utf-8")


def set_clock(server: Server, seconds: float) -> None:
    """Shift the machine's clock by `seconds`, starting when the server next starts."""
    server.variables[_VARIABLE] = str(seconds)
