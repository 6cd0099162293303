"""A lobby's changes are written to the tables in full or not at all."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import Column, Float, Integer, MetaData, String, Table, create_engine

from mixed_company.server.keeping import saving_lobby
from mixed_company.server.keeping.saving_lobby import Overtaken, write_lobby
from mixed_company.server.keeping.writer import LobbyBatch, NewGroup, Standing

KINDS = {"id": Integer, "arrived_ms": Float, "waited_ms": Float, "shift_ms": Float}
TEXTS = ("status", "treatment", "setup")
COLUMNS = {
    "player": ("status", "arrived_ms", "waited_ms", "group_id", "id_in_group", "seat", "treatment"),
    "group": ("subsession_id", "session_id", "shift_ms", "id_in_subsession", "setup", "treatment"),
    "subsession": ("groups_formed",),
}


@pytest.fixture
def rows(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return an app's tables, with `rows.log` for the entries written to its journal."""
    engine, about = create_engine("sqlite://"), MetaData()
    stored = SimpleNamespace(connection=engine.connect(), log=[], tables={})
    for name, columns in COLUMNS.items():
        fields = [
            Column(key, String if key in TEXTS else KINDS.get(key, Integer)) for key in columns
        ]
        stored.tables[name] = Table(name, about, Column("id", Integer, primary_key=True), *fields)
    about.create_all(engine)
    models = SimpleNamespace(Log=SimpleNamespace(__table__="log"))
    for name, table in stored.tables.items():
        setattr(models, name.capitalize(), SimpleNamespace(__table__=table))

    def of(name: str) -> list[dict[str, Any]]:
        result = stored.connection.execute(stored.tables[name].select().order_by("id"))
        return [{key: value for key, value in row.items() if key != "id"} for row in result]

    stored.of = of
    monkeypatch.setattr(saving_lobby, "get_models_module", lambda app: models)
    monkeypatch.setattr(
        saving_lobby, "insert_rows", lambda *arguments: stored.log.append(arguments[1:])
    )
    put = stored.connection.execute
    put(stored.tables["subsession"].insert().values(groups_formed=4))
    for status, arrived in (("waiting", 500.0), ("waiting", 9_000.0), ("arriving", 0.0)):
        put(stored.tables["player"].insert().values(status=status, arrived_ms=arrived))
    return stored


def batch(*standings: Standing, groups: Any = (), app: str = "commons_game") -> LobbyBatch:
    return LobbyBatch(app, 1, {"session_id": 7}, standings, groups, lambda exists: None)


def group(number: int = 5, **seats: int) -> NewGroup:
    columns = {"setup": "{}", "treatment": "t"}
    by_id = {int(key[1:]): seat for key, seat in seats.items()}
    return NewGroup(number, by_id, ["start", "seat"], 30, 2_000, columns)


def waited(rows: Any) -> list[Any]:
    return [(row["status"], row["waited_ms"]) for row in rows.of("player")]


def test_a_status_changes_only_from_one_of_the_expected_ones(rows):
    left = {"status": "left"}
    standings = [Standing(1, ("waiting",), left, 2_000), Standing(3, ("waiting",), left, 2_000)]
    write_lobby(rows.connection, batch(*standings), again=False)
    assert waited(rows) == [("left", 1_500.0), ("waiting", None), ("arriving", None)]
    standing = Standing(2, ("arriving", "waiting"), {"status": "told"})
    write_lobby(rows.connection, batch(standing), again=False)
    assert waited(rows)[1] == ("told", None)


@pytest.mark.parametrize(
    ("arrived", "until", "ms"),
    [(1.0, 5, 4.0), (0.0, 5, 0.0), (-1.0, 5, 0.0), (5.0, 5, 0.0), (4.0, 5, 1.0), (9.0, 5, 0.0)],
)
def test_a_person_has_waited_since_arrival(rows, arrived, until, ms):
    players = rows.tables["player"]
    rows.connection.execute(players.update().values(arrived_ms=arrived))
    over = [Standing(1, ("waiting",), {"status": "left"}, until)]
    write_lobby(rows.connection, batch(*over), again=False)
    assert waited(rows)[0] == ("left", ms)


def test_a_group_is_saved_with_its_people_and_its_journal(rows):
    write_lobby(rows.connection, batch(groups=[group(p2=1, p1=3)]), again=False)
    assert rows.of("subsession") == [{"groups_formed": 5}]
    assert rows.of("group") == [
        {
            "subsession_id": 1,
            "session_id": 7,
            "shift_ms": 30.0,
            "id_in_subsession": 6,
            "setup": "{}",
            "treatment": "t",
        }
    ]
    same = {"status": "seated", "group_id": 1, "treatment": "t"}
    first, second, third = rows.of("player")
    assert first == {**same, "arrived_ms": 500.0, "waited_ms": 1_500.0, "id_in_group": 2, "seat": 3}
    assert second == {**same, "arrived_ms": 9_000.0, "waited_ms": 0.0, "id_in_group": 1, "seat": 1}
    assert third["status"] == "arriving"
    assert rows.log == [("log", [(1, "start"), (1, "seat")])]


@pytest.mark.parametrize("number", [4, 6])
def test_a_group_with_the_wrong_number_is_not_written(rows, number):
    with pytest.raises(Overtaken, match=f"group {number} is not the next group"):
        write_lobby(rows.connection, batch(groups=[group(number, p1=0)]), again=False)
    assert (rows.of("group"), rows.log) == ([], [])


def test_only_waiting_people_join_a_group_or_people_on_the_way_to_a_later_block(rows):
    formed = [group(p1=0, p3=1)]
    with pytest.raises(Overtaken, match="player 3 is no longer waiting"):
        write_lobby(rows.connection, batch(groups=formed), again=False)
    rows.connection.execute(rows.tables["subsession"].update().values(groups_formed=4))
    rows.connection.execute(rows.tables["player"].update().values(status="arriving"))
    write_lobby(rows.connection, batch(groups=formed, app="commons_game_2"), again=False)
    assert [row["status"] for row in rows.of("player")] == ["seated", "arriving", "seated"]


@pytest.mark.parametrize(("formed", "written"), [(4, True), (5, False), (6, False)])
def test_a_change_that_was_committed_after_all_is_not_written_again(rows, formed, written):
    rows.connection.execute(rows.tables["subsession"].update().values(groups_formed=formed))
    write_lobby(rows.connection, batch(groups=[group(p1=0)]), again=True)
    assert len(rows.of("group")) == written
