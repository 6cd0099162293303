"""Acknowledged data survives a power cut.

`strace` records when the server process writes to its database files and waits for the disk. At
every acknowledgement, the test drops all writes for which the server did not wait. The rest must be
a database with everything acknowledged so far.
"""

from __future__ import annotations

import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from mixed_company.server.rehearse.server import lay_out
from tests.server.fresh import alone_here
from tests.server.test_saving import PLAY

ACKS = 12
FILES = ("db.sqlite3", "db.sqlite3-wal", "acks")
CALLS = "pwrite64,write,fsync,fdatasync,ftruncate"
CALL = re.compile(r"^\d+ +(\w+)\(\d+<([^>]*)>(?:, (.*?))?(?:\) += +\d+| +<unfinished \.\.\.>)$")

WRITES = f"""
import sqlite3, time
from mixed_company.server.keeping.storage import Row
from mixed_company.server.keeping.writer import Batch
otree.database.db.commit()
opened = tables.of(players[0])

def in_the_file():
    '''How many of the rows are in the file of the database, without the log beside it.'''
    file = sqlite3.connect("file:db.sqlite3?immutable=1", uri=True)
    try:
        rows = file.execute("SELECT count(*) FROM commons_game_log WHERE kind = 'acked'")
        return rows.fetchone()[0]
    except sqlite3.DatabaseError:  # in the middle of a checkpoint
        return 0
    finally:
        file.close()

assert tables.writer.flush(60)
acks = open("acks", "wb", buffering=0)
first = opened.table.entries
for number in range({ACKS}):
    rows = [Row("acked", number, '"' + "x" * 3000 + '"')]
    saved = lambda there, number=number: acks.write(b"%d\\n" % number)
    place = "commons_game", players[0].group_id, first + number
    tables.writer.put(Batch(*place, rows, None, [], saved))
    assert tables.writer.flush(60)
    while number % 10 == 0 and in_the_file() <= number:  # now and then there is a checkpoint
        time.sleep(0.05)
"""


@dataclass
class Disk:
    """A file as a process sees it, and as it is on the disk."""

    seen: bytearray = field(default_factory=bytearray)
    kept: bytes = b""

    def write(self, data: bytes, offset: int) -> None:
        self.seen.extend(bytes(max(offset + len(data) - len(self.seen), 0)))
        self.seen[offset : offset + len(data)] = data


def decoded(text: str) -> bytes:
    """Decode bytes that strace writes as `\\x64\\x62`."""
    return bytes.fromhex(text.replace("\\x", ""))


def traced(trace: Path) -> Iterator[dict[str, Disk]]:
    """Yield the files at every acknowledgement."""
    disks = {name: Disk() for name in FILES}
    for line in trace.read_text(encoding="ascii").splitlines():
        call = CALL.match(line)
        name = "" if call is None else decoded(call[2]).decode().rpartition("/")[2]
        if call is None or name not in disks:
            continue
        disk, words = disks[name], (call[3] or "").split(", ")
        if call[1] == "pwrite64":
            disk.write(decoded(words[0].strip('"')), int(words[2]))
        elif call[1] == "ftruncate":
            del disk.seen[int(words[0]) :]
        elif call[1] in ("fsync", "fdatasync"):
            disk.kept = bytes(disk.seen)
        elif name == "acks":
            yield disks


def acknowledged_after_a_cut(disks: dict[str, Disk], folder: Path) -> int:
    """Return the number of acknowledged rows in the remaining files."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name in FILES[:2]:
        (folder / name).write_bytes(disks[name].kept)
    with closing(sqlite3.connect(folder / "db.sqlite3")) as left:
        rows = left.execute("SELECT count(*) FROM commons_game_log WHERE kind = 'acked'")
        return int(rows.fetchone()[0])


@pytest.mark.long
@pytest.mark.skipif(shutil.which("strace") is None, reason="needs strace")
def test_everything_acknowledged_survives_a_power_cut_at_any_time(tmp_path):
    folder, trace = tmp_path / "project", tmp_path / "trace"
    lay_out(folder)
    watch = ["strace", "-f", "--seccomp-bpf", "-y", "-xx", "-s", "1000000", "-o", str(trace)]
    calls = ["-e", f"trace={CALLS}"]
    command = [*watch, *calls, sys.executable, "-c", PLAY + WRITES, str(folder)]
    done = subprocess.run(command, env=alone_here(), capture_output=True, check=False, text=True)
    if "ptrace" in done.stderr and not trace.stat().st_size:
        pytest.skip("no process can be traced here")
    assert done.returncode == 0, done.stderr[-3000:]
    counts = [acknowledged_after_a_cut(disks, tmp_path / "left") for disks in traced(trace)]
    assert len(counts) == ACKS
    assert all(count > number for number, count in enumerate(counts)), counts
