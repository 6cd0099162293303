"""Runs a program that ends with the process that holds its standard input.

python held.py PROGRAM ARGUMENT ...

A proxy knows no other way to end when `mixed serve` is killed by force. The script imports nothing
of the project, because it runs as a process of its own for as long as the proxy.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading


def main() -> int:
    """Run the program until it ends, or is to end; return its exit code."""
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
