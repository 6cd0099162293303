"""A proxy exits together with the process that holds its input, and leaves nothing running."""

from __future__ import annotations

import subprocess
import sys

import psutil

from mixed_company.server.fleet import held


def hold(code: str) -> subprocess.Popen[bytes]:
    """Start a holder of a small program, in a separate process session, as under a keeper."""
    return subprocess.Popen(
        [sys.executable, str(held.__file__), sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )


def test_a_held_program_ends_with_its_keeper():
    with hold("import time; print('runs', flush=True); time.sleep(600)") as holder:
        assert holder.stdout.readline() == b"runs\n"
        holder.stdin.close()
        assert holder.stdout.read() == b""  # the program has ended, too


def test_a_holder_ends_with_its_program_and_the_same_code():
    with hold("raise SystemExit(3)") as holder:
        assert holder.wait() == 3
        holder.stdin.close()


def test_a_killed_program_leaves_no_process_behind():
    code = """
import os, signal, time
if os.fork() == 0:
    print("runs", flush=True)
    time.sleep(600)
time.sleep(600)
"""
    with hold(code) as holder:
        assert holder.stdout.readline() == b"runs\n"
        [program] = psutil.Process(holder.pid).children()
        program.kill()
        assert holder.stdout.read() == b""
