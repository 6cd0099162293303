"""Fill the disk at random moments, and free space again (SQLite, on a small file system)."""

from __future__ import annotations

import asyncio
import contextlib
import random
import subprocess
import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import requests

from tests.door.harness import Server
from tests.drills.drill import Report
from tests.drills.wave import Size, struck
from tests.loops import complete

__all__ = ["configure", "on", "run", "small_disk"]

MEGABYTES = 64
FULL_SECONDS = (0.2, 2.0)
PATIENCE_SECONDS = 300
POLL_SECONDS = 0.05


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments of the drill."""
    parser.add_argument("--fills", type=int, default=30)


def run(chosen: Namespace) -> Report:
    """Run the drill on a separate server."""
    with small_disk() as place, Server(place / "project") as server:
        return on(server, chosen.fills, chosen.seed)


@contextmanager
def small_disk() -> Iterator[Path]:
    """Mount a file system of MEGABYTES. Raise OSError if that is impossible."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["mount", "-t", "tmpfs", "-o", f"size={MEGABYTES}m", "tmpfs", folder]
        if subprocess.run(command, check=False).returncode:
            raise PermissionError(f"{folder}: no file system can be mounted here")
        try:
            yield Path(folder)
        finally:
            subprocess.run(["umount", "-l", folder], check=True)


def on(server: Server, fills: int, seed: int, size: Size | None = None) -> Report:
    """Fill a server's disk this many times. Wait each time until the server reports it, and a while
    longer, unless nobody is playing any more.
    """
    draw = random.Random(seed)
    filler = server.folder / "filler"

    async def blow() -> None:
        with filler.open("wb", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                file.write(b"0" * 4096)
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                while "disk is full" not in (state := await asyncio.to_thread(_state, server)):
                    if "pages connected: 0" in state:
                        return  # everyone finished before the disk was full
                    await asyncio.sleep(POLL_SECONDS)
            await asyncio.sleep(draw.uniform(*FULL_SECONDS))
        finally:
            filler.unlink()

    return complete(struck(server, blow, fills, size or Size(), seed))


def _state(server: Server) -> str:
    return requests.get(f"{server.url}/live_state", timeout=PATIENCE_SECONDS).text
