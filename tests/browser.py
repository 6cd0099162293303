"""A Chromium for the tests: one that is there, else Debian's as root, else Playwright's own.

Debian's `chromium-headless-shell` comes first, and is installed where that can be done: it draws no
windows of its own, and the same page takes it a fourth of the processor time.

`python -m tests.browser` makes sure that there is one and prints where.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

SHELL = "chromium-headless-shell"
NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
ARGUMENTS = ["--no-sandbox", "--disable-background-networking", "--disable-component-update"]


def executable() -> str | None:
    """The path of a browser; None: Playwright's own, if it has one."""
    named = os.environ.get("CHROMIUM")
    if named:
        return named
    return next((path for path in map(shutil.which, NAMES) if path), None)


def provide() -> str:
    """Install a browser if there is none, or none that is quick."""
    if not os.environ.get("CHROMIUM") and shutil.which(SHELL) is None and _has_apt():
        subprocess.run(["apt-get", "update", "-qq"], check=False)
        subprocess.run(["apt-get", "install", "-y", "-qq", SHELL], check=False)
        if executable() is None:
            subprocess.run(["apt-get", "install", "-y", "-qq", "chromium"], check=False)
    found = executable()
    if found is None:
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=True)
        return "Playwright's own Chromium"
    return str(Path(found))


def _has_apt() -> bool:
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    return root and shutil.which("apt-get") is not None


if __name__ == "__main__":
    print(f"browser for the tests: {provide()}")
