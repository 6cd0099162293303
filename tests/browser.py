"""A Chromium for the tests: one that is there, else Debian's as root, else Playwright's own.

`python -m tests.browser` makes sure that there is one and prints where.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
ARGUMENTS = ["--no-sandbox", "--disable-background-networking", "--disable-component-update"]


def executable() -> str | None:
    """The path of a browser; None: Playwright's own, if it has one."""
    named = os.environ.get("CHROMIUM")
    if named:
        return named
    return next((path for path in map(shutil.which, NAMES) if path), None)


def provide() -> str:
    """Install a browser if there is none."""
    found = executable()
    if found is None and hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get"):
        subprocess.run(["apt-get", "update", "-qq"], check=False)
        subprocess.run(["apt-get", "install", "-y", "-qq", "chromium"], check=False)
        found = executable()
    if found is None:
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=True)
        return "Playwright's own Chromium"
    return str(Path(found))


if __name__ == "__main__":
    print(f"browser for the tests: {provide()}")
