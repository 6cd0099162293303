"""A restarted server continues with the clocks and tables that it finds."""

from __future__ import annotations

import pytest

from tests.server.test_saving import values

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


@pytest.mark.long  # tests with `server.crash` cover it
@pytest.mark.few(1)
@pytest.mark.parametrize("seconds", [150, -60])
def test_unfinished_plays_continue_where_they_were(tmp_path, seconds):
    """Ignore the machine's clock, except for one second during which the server may have been
    up."""
    [printed] = values(tmp_path, 3, [STARTED_AGAIN % seconds]).values()
    periods, gone_by, occupants, woken = printed
    assert periods == [3, 3, 3]
    assert gone_by <= 4000  # the three periods took three seconds at most
    assert occupants == ["person"]
    assert woken == [True] * 3
