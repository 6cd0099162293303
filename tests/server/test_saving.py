"""The writer's own connection to a database on disk, with oTree's models, in a fresh process.

One process runs the code of all tests, and each test has its own two groups.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from mixed_company.server.rehearse.server import lay_out
from tests.server.fresh import python

PLAY = """
import json, sys
from tests.server.filled import START_MS, _play, fill
groups, codes = json.loads(sys.argv[2]) if sys.argv[2:] else (3, [])
[code] = fill(sys.argv[1], [{"config": "commons_two_people", "participants": 2 * groups,
                             "groups": groups, "periods": 3, "changes": {
                                 "archetype": "lab_0_7", "periods": 5, "seed": "3"}}])
import otree.database
from otree.common import get_models_module
from otree.models import Session
from mixed_company.server.keeping import storage
from mixed_company.server.keeping.saving import _Connection, own_engine
from mixed_company.server.open.tables import OpenTables, tables
from mixed_company.server.keeping.writer import Batch, Writer

app = get_models_module("commons_game")
players = app.Player.objects_filter().order_by("id").all()

def tables_of_another_server():
    return OpenTables(lambda: Writer(_Connection(own_engine()).commit))

def batch_of(opened, note):
    kept = []
    opened._writer = type("Held", (), {"put": lambda self, batch: kept.append(batch)})()
    _play(opened.table, 4)
    opened.write()
    return kept[0]

"""
EACH = """
for place, code in enumerate(codes):
    own = len(players) // len(codes)
    exec(code, {**globals(), "players": players[own * place : own * (place + 1)]})
    otree.database.db.new_session()
    players = app.Player.objects_filter().order_by("id").all()
"""


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return the value that each piece of code prints."""
    return values(tmp_path_factory.mktemp("saving"), 2 * len(CODES), CODES)


def values(folder: Path, groups: int, codes: Sequence[str]) -> dict[str, Any]:
    """Return the JSON that each piece of code prints in one fresh process, with its share of the
    groups."""
    lay_out(folder / "project")
    arguments = (str(folder / "project"), json.dumps([groups, codes]))
    done = python("-c", PLAY + EACH, *arguments)
    assert done.returncode == 0, done.stderr.decode()[-3000:]
    return dict(zip(codes, map(json.loads, done.stdout.splitlines()), strict=True))


CONTINUED = """
otree.database.db.commit()
other = tables_of_another_server().of(players[0])
here = tables.of(players[0])
same = json.loads(other.table.to_json()) == json.loads(here.table.to_json())
_play(other.table, 5)
other.write()
assert other._writer.flush(60)
otree.database.db.new_session()
player = app.Player.objects_get(id=players[0].id)
third = tables_of_another_server().of(player)
chair = third.table.seats[player.seat]
print(json.dumps([same, here.table.episode.period, third.table.episode.done, player.status,
                  [player.points == chair.points, float(player.payoff)],
                  float(player.participant.payoff)]))
"""


def test_another_server_reads_what_one_has_written_and_continues(printed):
    again, here, over, status, paid, total = printed[CONTINUED]
    assert (again, here, over, status) == (True, 3, True, "finished")
    assert paid[0] is True
    assert total == pytest.approx(paid[1])


DELETED = """
otree.database.db.commit()
rooms = tables_of_another_server()
batches = [batch_of(rooms.of(players[place]), "a") for place in (0, 2)]
group = app.Group.objects_get(id=batches[0].group_id)
app.Player.objects_filter(group_id=group.id).update({"group_id": None})
app.Log.objects_filter(group_id=group.id).delete()
otree.database.db._db.expire_all()
otree.database.db.delete(app.Group.objects_get(id=batches[0].group_id))
otree.database.db.commit()
gone = _Connection(own_engine()).commit(batches, False)
otree.database.db.new_session()
kept = app.Log.objects_filter(group_id=batches[1].group_id).count()
print(json.dumps([[batch.group_id == batches[0].group_id for batch in gone], kept,
                  batches[1].first + len(batches[1].rows)]))
"""


def test_tables_of_a_deleted_session_are_returned_and_the_others_are_written(printed):
    gone, rows, total = printed[DELETED]
    assert gone == [True]
    assert rows == total


UNDATED = """
from mixed_company.server import play_clock
from mixed_company.server.play_clock import stretches
play_clock._clocks.clear()  # another code may have saved the clock
otree.database.db.commit()
connection = _Connection(own_engine())
rooms = OpenTables(lambda: Writer(connection.commit, keep=connection.keep))
opened = rooms.of(players[0])
connection._clocks = lambda: rooms.clocks
before, failed = opened.table.entries, []
group_id, session_id = opened.key[1], players[0].session_id
clock = play_clock.clock_of(session_id)
known = len(stretches(session_id))
otree.database.db.commit()

def away(connection):
    rows = f"SELECT COUNT(*) FROM commons_game_log WHERE group_id = {group_id}"
    failed.append(connection.execute(rows).scalar())
    del clock.keep
    raise OSError("the database is away")

clock.keep = away
_play(opened.table, 5)  # to its end
opened.write()
assert opened.table.over and rooms.writer.flush(60)
otree.database.db.new_session()
print(json.dumps([failed, before, len(stretches(session_id)) - known]))
"""


def test_no_entry_of_a_play_is_saved_before_the_clock_that_dates_it(printed):
    """Guard against a play without a time of day, if it was over before its clock was saved."""
    refused, without, dated = printed[UNDATED]
    assert refused == [without]
    assert dated == 1


LOBBY = """
from mixed_company.server.open.group import new_group
from mixed_company.server.keeping.writer import LobbyBatch, Standing
from mixed_company.table.setup import setup_from
subsession = players[0].subsession
columns = {"session_id": subsession.session_id, "round_number": 1, "setup": subsession.setup}
number, subsession_id = subsession.groups_formed + 1, subsession.id
for player in players[:2]:  # as if they had just come
    player.status, player.seat = "waiting", -1
otree.database.db.commit()
ids = [player.id for player in players[:2]]
earlier = app.Log.objects_filter(at_ms=5).count()
setup = setup_from(columns["setup"])

def batch_of_lobby(number, standings=()):
    group = new_group(setup, number, ids, 5, 0)
    return LobbyBatch("commons_game", subsession_id, columns, standings, [group], print)

def stands():
    otree.database.db.new_session()
    everybody = [app.Player.objects_get(id=player_id) for player_id in ids]
    return [[[one.status, one.seat >= 0] for one in everybody],
            app.Group.objects_filter(id_in_subsession=number + 1).count(),
            app.Subsession.objects_get(id=subsession_id).groups_formed - number + 1,
            app.Log.objects_filter(at_ms=5).count() - earlier]

connection = _Connection(own_engine())
"""


INCOMPLETE = (
    LOBBY
    + """
left = Standing(ids[1], ("waiting",), {"status": "left"})
gone = [len(connection.commit([batch], False)) for batch in (
    batch_of_lobby(number, [left]), batch_of_lobby(number + 1))]
after = stands()
both = batch_of_lobby(number)
gone.append(len(connection.commit([both], False)))
print(json.dumps([gone[:2], after, gone[2], stands()]))
"""
)


def test_a_group_is_formed_completely_or_not_at_all(printed):
    """Let one of two people leave in the meantime, or let another group with this number be formed
    first."""
    gone, after, overtaken, later = printed[INCOMPLETE]
    waiting = [["waiting", False]] * 2
    assert gone == [1, 1]
    assert after == [waiting, 0, 0, 0]
    assert overtaken == 0
    assert later == [[["seated", True]] * 2, 1, 1, 5]  # start, and four seats


COMPLETE = """
import shutil, sqlite3, time

def entries():
    shutil.copy("db.sqlite3", "alone.sqlite3")
    alone = sqlite3.connect("alone.sqlite3")
    try:
        return alone.execute("SELECT count(*) FROM commons_game_log").fetchone()[0]
    except sqlite3.DatabaseError:  # no table yet, or copied while the log was moved into the file
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
    alone = entries()
    if alone == everything:
        break
    time.sleep(0.1)
waits = own_engine().connect().execute("PRAGMA synchronous").scalar()
print(json.dumps([everything, alone, waits]))
"""


def test_the_database_file_is_complete_when_nobody_has_written_for_a_second(printed):
    """Check after a second. Until then the row is only in the write-ahead log beside the file,
    which is lost if the file is moved."""
    everything, alone, synchronous = printed[COMPLETE]
    assert alone == everything > 0
    assert synchronous == 2  # FULL: committed data is on the disk


CODES = (CONTINUED, DELETED, UNDATED, INCOMPLETE, COMPLETE)
