"""Runs a program, and ends it as soon as the process that started this script ends.

    python held.py PROGRAM ARGUMENT ...

Without this script, a proxy would outlive a `mixed serve` that is killed by force. The script
imports nothing from the project, so it uses little memory.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading


def main() -> int:
    """Run the program until it ends or standard input closes; return its exit code."""
    program = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL)  # noqa: S603  our own
    signal.signal(signal.SIGTERM, lambda *_: program.terminate())
    threading.Thread(target=_end_with_input, args=(program,), daemon=True).start()
    code = program.wait()
    if code < 0 and hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)  # nginx's workers outlive a master that is killed
    return code


def _end_with_input(program: subprocess.Popen[bytes]) -> None:
    while os.read(0, 1):
        pass
    program.terminate()


if __name__ == "__main__":
    sys.exit(main())
