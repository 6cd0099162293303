"""A restarted server continues with the clocks, tables and database file it finds."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.server.test_saving import printed

STARTED_AGAIN = """
import asyncio
from types import SimpleNamespace
from mixed_company.server import clock, play_clock
from mixed_company.server.open import going_on, open_table

def started_again(seconds):
    '''Another server on the same database, so much later by the machine's clock.'''
    tables.writer.flush(60)
    tables.writer._keep(True)
    otree.database.db.new_session()
    tables.__init__(lambda: Writer(_Connection(own_engine(), lambda: tables.clocks).commit))
    play_clock._clocks.clear()
    stand(clock.time.time_ns() + round(1e9 * seconds))

def stand(wall_ns):
    '''Have the machine's clocks stand still: no time passes but what is put on.'''
    passed_ns = clock.time.monotonic_ns()
    clock.time = SimpleNamespace(time_ns=lambda: wall_ns, monotonic_ns=lambda: passed_ns)

async def opened():
    going_on.begin(asyncio.get_running_loop())
    while len(tables) < 3:
        await asyncio.sleep(0.01)

stand(clock.time.time_ns())
now = [tables.of(players[place]).now_ms() for place in (0, 2, 4)]
started_again(%d)
asyncio.run(asyncio.wait_for(opened(), 60))
again = sorted(tables, key=lambda each: each.key)
gone_by = [there.now_ms() - before for there, before in zip(again, now)]
occupants = {chair.occupant for each in again for chair in each.table.seats if chair.owner}
print(json.dumps([
    [each.table.episode.period for each in again], max(map(abs, gone_by)), sorted(occupants),
    [each._alarm._call is not None for each in again],
]))
"""


@pytest.mark.few(1)
@pytest.mark.parametrize("seconds", [150, -60])
def test_unfinished_plays_continue_where_they_were(tmp_path: Path, seconds: int) -> None:
    """Ignore the machine's clock, except for one second that may have been served."""
    periods, gone_by, occupants, woken = printed(tmp_path, STARTED_AGAIN % seconds)
    assert periods == [3, 3, 3]
    assert gone_by <= 4000  # the three periods took three seconds at most
    assert occupants == ["person"]
    assert woken == [True] * 3


def test_the_database_file_is_complete_when_nobody_has_written_for_a_second(
    tmp_path: Path,
) -> None:
    """Check after a second, because until then it is in the log beside it, which a moved file
    loses."""
    everything, alone, synchronous = printed(
        tmp_path,
        """
import shutil, sqlite3, time

def entries():
    shutil.copy("db.sqlite3", "alone.sqlite3")
    alone = sqlite3.connect("alone.sqlite3")
    try:
        return alone.execute("SELECT count(*) FROM commons_game_log").fetchone()[0]
    except sqlite3.OperationalError:
        return 0
    finally:
        alone.close()

batch = batch_of(tables_of_another_server().of(players[0]), "a")
saved = []
tables.writer.put(type(batch)(**{**vars(batch), "saved": saved.append}))
assert tables.writer.flush(60)
everything = app.Log.objects_filter().count()
otree.database.db.commit()
for _ in range(600):
    if entries() == everything:
        break
    time.sleep(0.1)
waits = own_engine().connect().execute("PRAGMA synchronous").scalar()
print(json.dumps([everything, entries(), waits]))
""",
    )
    assert alone == everything > 0
    assert synchronous == 2  # FULL: committed data is on the disk
