"""Tests that every drill can run. `make test-long` runs short forms, `tests.drills` long ones."""

from __future__ import annotations

import json
import random
from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from mixed_company import engine
from tests.crowd.places import DATABASES, UNHURRIED, database
from tests.door import clocks
from tests.door.harness import Server
from tests.drills import (
    accidents,
    beside,
    bots,
    connection,
    crash,
    disk,
    drill,
    hostile,
    outage,
    session,
    soak,
    visits,
)
from tests.drills.wave import Size

on_sqlite = pytest.mark.parametrize("own_server", ["sqlite"], indirect=True)
on_postgresql = pytest.mark.parametrize("own_server", ["postgresql"], indirect=True)

SHORT = Size(groups=1, periods=10, think=(0.02, 0.2), pause=(0.05, 0.5))
SEED = 7


@pytest.fixture(scope="module", params=DATABASES)
def own_server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    """Run a server, on either database, that a drill may break."""
    folder = tmp_path_factory.mktemp(request.param) / "project"
    with (
        database(request.param) as url,
        Server(folder, url, clocks.settings(), UNHURRIED) as server,
    ):
        yield server


def test_a_hostile_page_sends_numbers_of_any_size(monkeypatch):
    """Send a number with more than 64 bits. Such numbers are rare, and one used to end the
    drill."""
    huge = {"kind": "act", "id": "n", "period": 2**64}
    monkeypatch.setattr(hostile, "hostile", lambda view, draw: huge)
    page, sent = hostile.HostilePage("", random.Random(1)), list[bytes]()
    monkeypatch.setattr(page, "send_bytes", sent.append)
    page.shoot({})
    assert [json.loads(text) for text in sent] == [huge]
    assert page.promises.acts == {"n": huge}


@pytest.mark.long
@pytest.mark.door
@on_sqlite
def test_messages_that_no_page_sends_are_refused_and_change_nothing(own_server):
    report = hostile.on(own_server, messages=100, requests=100, seed=SEED)
    assert list(report.faults) == []
    assert int(str(report.figures["refused"])) > 100
    assert int(str(report.figures["answered"])) > 50
    assert int(str(report.figures["acked"])) > 0


@pytest.mark.long
@pytest.mark.door
@on_postgresql
def test_people_who_come_and_go_leave_nothing_behind(own_server):
    report = visits.on(own_server, seconds=6.0, seed=SEED)
    assert list(report.faults) == []
    people = visits.PEOPLE * len(engine.game_ids())
    assert int(str(report.figures["visits"])) >= visits.FEWEST_VISITS * people


@pytest.mark.long
@pytest.mark.door
@on_sqlite
def test_an_eventful_session_pays_everybody_to_the_cent(own_server):
    size = session.Size(people=4, leavers=1, periods=8, turn=0.5, think=(0.05, 0.2))
    report = session.on(own_server, SEED, size)
    assert list(report.faults) == []
    assert (report.figures["people"], report.figures["seated"]) == (16, 14)


@pytest.mark.long
@pytest.mark.door
@on_postgresql
def test_sessions_are_played_and_paid_one_after_another(own_server):
    report = soak.on(own_server, seconds=2.0, seed=SEED, size=SHORT)
    assert list(report.faults) == []
    assert int(str(report.figures["plays"])) >= 4  # one per game
    assert int(str(report.figures["acked"])) > 40


@pytest.mark.long
@pytest.mark.door
def test_a_killed_server_loses_no_decision_and_settles_no_period_twice(own_server):
    report = crash.on(own_server, kills=2, seed=SEED, size=SHORT)
    assert list(report.faults) == []
    assert int(str(report.figures["acked"])) > 40


@pytest.mark.long
@pytest.mark.door
@on_sqlite
def test_people_get_what_they_expect_whatever_happens_to_them(own_server):
    size = replace(SHORT, periods=8)
    report = accidents.on(own_server, len(accidents.ACCIDENTS), seed=SEED, size=size)
    assert list(report.faults) == []
    assert int(str(report.figures["acked"])) > 4 * 8


@pytest.mark.long
@pytest.mark.door
def test_no_act_of_the_administrator_loses_a_decision(own_server):
    report = beside.on(own_server, acts=len(beside.ACTS), seed=SEED, size=SHORT)
    assert list(report.faults) == []
    assert int(str(report.figures["requests"])) > 50


@pytest.mark.long
@pytest.mark.door
@on_postgresql
def test_play_continues_when_database_connections_are_cut(own_server):
    report = connection.on(own_server, cuts=6, seed=SEED, size=SHORT)
    assert list(report.faults) == []


@pytest.mark.long
@pytest.mark.door
@on_postgresql
def test_nobody_counts_as_gone_after_an_outage(own_server):
    size = replace(SHORT, think=(0.5, 1.0))
    report = outage.on(own_server, outages=2, seed=SEED, size=size)
    assert list(report.faults) == []


@pytest.mark.long
@pytest.mark.door
def test_play_continues_once_a_full_disk_has_room_again():
    try:
        with disk.small_disk() as place, Server(place / "project") as server:
            report = disk.on(server, fills=2, seed=SEED, size=SHORT)
    except PermissionError as error:
        pytest.skip(str(error))
    assert list(report.faults) == []


@pytest.mark.long
def test_messages_to_a_page_do_not_reveal_bots():
    """Play a few plays. The long form (docs/reliability.md) has more plays and more seeds.

    With twelve plays of each game, some seeds give figures outside the chance interval.
    """
    assert list(bots.on(plays=4, seed=SEED + 1, draws=50).faults) == []


@pytest.mark.long
def test_training_on_other_kinds_of_people_does_not_reveal_bots():
    """Play 210 groups of each game: 70 with each kind of people."""
    assert list(bots.on(plays=70, seed=1).faults) == []


@pytest.mark.long
def test_bots_that_do_not_take_the_time_of_people_are_recognized():
    report = bots.on(plays=4, seed=SEED, draws=50, bot_delay="lognormal:median=2;sigma=0.5")
    exposed = {fault.partition(":")[0] for fault in report.faults}
    assert exposed >= {"commons_game", "gem_mining", "sanctions"}  # the vote has a clock


def test_every_drill_is_found_and_run_here():
    source = Path(__file__).read_text("utf-8")
    assert [name for name in drill.names() if f"{name}.on(" not in source] == []
    assert len(drill.names()) > 3


@pytest.mark.parametrize("name", drill.names())
def test_every_drill_has_a_description_and_a_length_of_its_own(name):
    parser = ArgumentParser()
    drill.find(name).configure(parser)
    assert vars(parser.parse_args([]))
    assert drill.find(name).__doc__
