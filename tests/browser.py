"""Chromium for the tests: an installed one, or Debian's (as root), or Playwright's.

Debian's `chromium-headless-shell` is preferred, and is installed if possible. It draws no windows,
so the same page takes a quarter of the CPU time.

`python -m tests.browser` provides a browser and prints its path, or prints advice.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

SHELL = "chromium-headless-shell"
NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MISSING = """\
There is no Chromium on this machine, and none could be installed. Either
- install one: apt-get install chromium-headless-shell (Debian), or playwright install chromium;
- or name one: CHROMIUM=/path/to/chromium make test;
- or test without: .venv/bin/python -m pytest -m "not door and not long"."""
"""Advice for a machine without a browser."""
ARGUMENTS = ["--no-sandbox", "--disable-background-networking", "--disable-component-update"]


def executable() -> str | None:
    """Return the path of a browser, or None for Playwright's (if there is one)."""
    named = os.environ.get("CHROMIUM")
    if named:
        return named
    return next((path for path in map(shutil.which, NAMES) if path), None)


def provide() -> str:
    """Return the path of a browser. If there is none, or only a slow one, install one first.

    Raise FileNotFoundError with advice if no browser can be provided.
    """
    if not os.environ.get("CHROMIUM") and shutil.which(SHELL) is None and has_apt():
        subprocess.run(["apt-get", "update", "-qq"], check=False)
        subprocess.run(["apt-get", "install", "-y", "-qq", SHELL], check=False)
        if executable() is None:
            subprocess.run(["apt-get", "install", "-y", "-qq", "chromium"], check=False)
    path = executable()
    if path is not None:
        if not Path(path).is_file():
            raise FileNotFoundError(f"CHROMIUM = {path!r}: there is no such file\n{MISSING}")
        return path
    command = [sys.executable, "-m", "playwright", "install", "chromium"]
    if subprocess.run(command, check=False).returncode:
        raise FileNotFoundError(MISSING)
    return "Playwright's own Chromium"


def has_apt() -> bool:
    """Return whether this process can install Debian packages."""
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    return root and shutil.which("apt-get") is not None


def main() -> int:
    """Return the exit code, which is 1 if there is no browser."""
    try:
        print(f"browser for the tests: {provide()}")
    except FileNotFoundError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
