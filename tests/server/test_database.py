"""Sessions are written to a database as a whole while others use it. On SQLite, one process writes
at a time: the second one waits, but the first does not wait for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from mixed_company.server.rehearse.server import lay_out
from tests.server.fresh import alone_here, python

START = """
import sqlite3, sys, threading
sys.path.insert(0, ".")
import otree.main
otree.main.setup()
import otree.tasks
from otree import database, session
from otree.database import session_scope
from otree.models import Participant, Session
from sqlalchemy import event
from sqlalchemy.engine import Engine

def created():
    return session.create_session(
        "commons", num_participants=2, progress_message_fxn=lambda message: None
    )
"""

EMPTIED = """
from otree.cli.resetdb import Command

Command().handle(interactive=False)
with session_scope():
    print(created().id)
"""

HELD = """
other = sqlite3.connect("db.sqlite3", isolation_level=None, check_same_thread=False)
other.execute("BEGIN IMMEDIATE")

waiting = []

@event.listens_for(Engine, "before_cursor_execute")
def write(_connection, _cursor, statement, *_):
    if statement.startswith("INSERT") and not waiting:  # else it gives up after five seconds
        waiting.append(threading.Timer(7, lambda: other.execute("COMMIT")))
        waiting[0].start()

with session_scope():
    print(len(created().get_participants()))
"""

WORKER = """
from http.server import BaseHTTPRequestHandler, HTTPServer

answers = []

class Page(BaseHTTPRequestHandler):
    def answer(self):
        other = sqlite3.connect("db.sqlite3", timeout=0.1, isolation_level=None)
        try:
            other.execute("BEGIN IMMEDIATE")
            answers.append("written")
        except sqlite3.OperationalError as error:
            answers.append(str(error))
        other.close()
        self.send_response(200)
        self.end_headers()

    do_GET = do_POST = answer

    def log_message(self, *_):
        pass

class Rested(Exception):
    pass

def rest(seconds):
    raise Rested

server = HTTPServer(("127.0.0.1", 0), Page)
threading.Thread(target=server.serve_forever, daemon=True).start()
otree.tasks.sleep = rest
with session_scope():
    numbers = [participant.id for participant in created().get_participants()]
    for number in numbers:
        otree.tasks.ensure_pages_visited(-1, participant_pks=[number], page_index=0)
try:
    otree.tasks.Worker(server.server_port).listen()
except Rested:
    print(answers)
"""


KILLED = """
import os

def stop(message):
    if message.startswith("Running"):  # all of it is there but for what the app makes
        os._exit(0)

with session_scope():
    created()
    print("one")
    sys.stdout.flush()
    session.create_session("commons", num_participants=2, progress_message_fxn=stop)
"""

LEFT = """
with session_scope():
    listed = database.db.query(Session).all()
    print(len(listed), database.db.query(Participant).count())
"""

TOGETHER = """
from concurrent.futures import ThreadPoolExecutor

def create(number):
    with session_scope():  # as the page does on which an administrator creates one
        return created().code

def refuse(number):
    try:
        with session_scope():
            session.create_session(
                "commons", num_participants=2, modified_session_config_fields={"capacity": -5.0}
            )
    except Exception as error:
        return type(error).__name__

with ThreadPoolExecutor(8) as threads:
    refused = [threads.submit(refuse, number) for number in range(4)]
    codes = [work.result() for work in [threads.submit(create, number) for number in range(4)]]
    names = {work.result() for work in refused}
from commons_game import Player, Subsession
with session_scope():
    whole = [
        (len(one.get_participants()), Player.objects_filter(session=one).count(),
         all(sub.setup for sub in Subsession.objects_filter(session=one)))
        for one in database.db.query(Session).all()
    ]
    print(whole == [(2, 2, True)] * 4, len(set(codes)), names)
"""


def ran(folder: Path, code: str) -> list[str]:
    """Run this code in a Python process with a database in this folder, and return the printed
    lines.
    """
    if not folder.exists():
        lay_out(folder)
    variables = alone_here() | {"OTREE_PRODUCTION": "1"}
    done = python("-c", START + code, folder=folder, variables=variables)
    assert done.returncode == 0, done.stderr.decode()[-3000:]
    return done.stdout.decode().splitlines()


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return the last line that each piece of code prints. They all share a process."""
    lines = ran(tmp_path_factory.mktemp("database") / "project", "".join(CODES))
    return dict(zip(CODES, [*lines[:2], lines[-1]], strict=True))


@pytest.mark.long
def test_a_session_is_created_when_another_process_has_finished_writing(tmp_path):
    assert ran(tmp_path / "project", HELD)[-1] == "2"


@pytest.mark.long
def test_the_timeout_worker_blocks_no_writer_while_it_waits_for_the_server(tmp_path):
    assert ran(tmp_path / "project", WORKER)[-1] == "['written', 'written']"


@pytest.mark.long
def test_a_session_whose_creation_is_killed_leaves_nothing(tmp_path):
    assert [ran(tmp_path / "project", code)[-1] for code in (KILLED, LEFT)] == ["one", "1 2"]


def test_sessions_created_and_refused_at_the_same_moment_are_complete_or_absent(printed):
    assert printed[TOGETHER] == "True 4 {'ConfigError'}"


DELETED = """
def numbers(one):
    from commons_game import Group, Player, Subsession
    kinds = (Subsession, Group, Player)
    own = [min(row.id for row in kind.objects_filter(session_id=one.id)) for kind in kinds]
    return [one.id, *own]

with session_scope():
    first = created()
    before = numbers(first)
    database.db.query(Session).filter_by(id=first.id).delete()
    database.db.commit()
    after = numbers(created())
    print([new > old for old, new in zip(before, after)])
"""


def test_the_numbers_of_a_deleted_session_are_not_reused(printed):
    """Guard against a new session that takes over the open tables of the deleted one."""
    assert printed[DELETED] == "[True, True, True, True]"


LOST = """
from sqlalchemy.exc import OperationalError

class Rested(Exception):
    pass

def rest(seconds):
    rests.append(seconds)
    if len(rests) == 3:
        raise Rested

def unanswered(*_):
    if len(rests) < 2:
        raise OperationalError("SELECT", {}, Exception("server closed the connection"))
    return answered()

rests = []
otree.tasks.sleep = rest
worker = otree.tasks.Worker(1)
answered = otree.tasks.TaskQueueMessage.objects_filter
otree.tasks.TaskQueueMessage.objects_filter = unanswered
try:
    worker.listen()
except Rested:
    print(rests)
"""


def test_the_timeout_worker_survives_a_database_that_does_not_answer(printed):
    """Let the worker sleep twice because the database does not respond, then once for its usual
    interval.
    """
    assert printed[LOST] == "[3, 3, 3]"


CODES = (TOGETHER, DELETED, LOST)


@pytest.mark.long
def test_a_database_can_be_emptied_repeatedly(tmp_path):
    assert [ran(tmp_path / "project", EMPTIED)[-1] for _ in range(2)] == ["1", "1"]
