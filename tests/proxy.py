"""Proxy for the tests of several servers: an installed one, or Debian's nginx (as root).

`python -m tests.proxy` prints its path. Without a proxy, tests that need one are skipped.
"""

from __future__ import annotations

import subprocess

from mixed_company.server.fleet.proxy import PROXIES
from tests.browser import has_apt

__all__ = ["installed", "provide"]


def installed() -> list[str]:
    """Return the names of the installed proxies."""
    return [name for name, proxy in PROXIES.items() if proxy.path() is not None]


def provide() -> str:
    """Return the paths of the proxies, or advice. If there is none, install nginx first."""
    if not installed() and has_apt():
        packages = ["--no-install-recommends", "nginx"]
        subprocess.run(["apt-get", "update", "-qq"], check=False)
        done = subprocess.run(["apt-get", "install", "-y", "-qq", *packages], check=False)
        if done.returncode == 0:
            subprocess.run(["service", "nginx", "stop"], check=False)  # the tests start their own
    paths = [str(PROXIES[name].path()) for name in installed()]
    return ", ".join(paths) or "none; tests of several servers are skipped: apt-get install nginx"


if __name__ == "__main__":
    print(f"proxy for the tests: {provide()}")
