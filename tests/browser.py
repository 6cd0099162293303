"""A Chromium for the tests: one that is there, else Debian's as root, else Playwright's own.

Debian's `chromium-headless-shell` comes first, and is installed where that can be done: it draws no
windows of its own, and the same page takes it a fourth of the processor time.

`python -m tests.browser` makes sure that there is one and prints where, or says what to do.
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
"""The advice for a machine without a browser."""
ARGUMENTS = ["--no-sandbox", "--disable-background-networking", "--disable-component-update"]


def executable() -> str | None:
    """The path of a browser; None: Playwright's own, if it has one."""
    named = os.environ.get("CHROMIUM")
    if named:
        return named
    return next((path for path in map(shutil.which, NAMES) if path), None)


def provide() -> str:
    """Return where a browser is, after installing one if there is none or no quick one.

    Raises FileNotFoundError with advice if there is none in the end.
    """
    if not os.environ.get("CHROMIUM") and shutil.which(SHELL) is None and has_apt():
        subprocess.run(["apt-get", "update", "-qq"], check=False)
        subprocess.run(["apt-get", "install", "-y", "-qq", SHELL], check=False)
        if executable() is None:
            subprocess.run(["apt-get", "install", "-y", "-qq", "chromium"], check=False)
    found = executable()
    if found is not None:
        if not Path(found).is_file():
            raise FileNotFoundError(f"CHROMIUM = {found!r}: there is no such file\n{MISSING}")
        return found
    command = [sys.executable, "-m", "playwright", "install", "chromium"]
    if subprocess.run(command, check=False).returncode:
        raise FileNotFoundError(MISSING)
    return "Playwright's own Chromium"


def has_apt() -> bool:
    """Return whether this process may install packages of Debian."""
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    return root and shutil.which("apt-get") is not None


def main() -> int:
    """Return the exit code: 1 where there is no browser."""
    try:
        print(f"browser for the tests: {provide()}")
    except FileNotFoundError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
