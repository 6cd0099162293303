"""The export of relations between two seats: which games have it, and its rows calculated by
hand."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

import commons_game
import punishment_vote
import sanctions
from mixed_company import engine
from mixed_company.engine.contract.peer_core import PeerCore
from mixed_company.server import data_page
from mixed_company.server import played as reading
from mixed_company.server.keeping import storage
from mixed_company.table.export import OPTIONAL, tables
from mixed_company.table.options import Options
from mixed_company.table.protocol import Ack, Message
from mixed_company.table.setup import Setup
from mixed_company.table.table import Table
from tests.sanctions.plays import PLAIN
from tests.table.export.test_columns import PAIRS


def played(*contributions: tuple[float, ...], people: int = 3, **changes: Any) -> Table:
    """Return a play of people, in which `contributions` lists the amounts of each period."""
    game = engine.make("sanctions", **{**PLAIN, "seats": 3, "periods": 2, **changes})
    options = Options(bots="fixed:contribution=10", bot_delay="instant")
    setup = Setup(config=game.config.model_dump(mode="json"), options=options)
    table = Table.open(setup, list(range(people)), seed=5, now=0)
    for seat in range(people):
        table.hear(seat, 0)
    for period, amounts in enumerate(contributions):
        for seat, amount in enumerate(amounts):
            message = Message("act", f"{seat} {period}", period, {"contribution": amount})
            assert isinstance(table.act(seat, message, 1000 * period + 10), Ack)
    return table


@pytest.fixture
def exported(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return `exported(*tables)`, which gives the header and rows of `pairs` for a session with
    these groups."""

    def rows(*tables: Table) -> list[list[Any]]:
        groups = [
            SimpleNamespace(
                setup=opened.setup.model_dump_json(),
                table="",
                shift_ms=0.0,
                treatment="",
                id_in_subsession=number,
                get_folder_name=lambda: "sanctions",
                opened=opened,
            )
            for number, opened in enumerate(tables, start=1)
        ]
        players = [
            SimpleNamespace(
                seat=seat,
                group_id=group.id_in_subsession,
                group=group,
                session=SimpleNamespace(id=1, code="abc", config={"name": "test"}),
                participant=SimpleNamespace(code=f"p{seat}"),
                subsession=SimpleNamespace(plan=""),
                get_folder_name=lambda: "sanctions",
            )
            for group in groups
            for seat, chair in enumerate(group.opened.seats)
            if chair.owner
        ]
        players.append(SimpleNamespace(seat=-1, group_id=99))  # left the lobby
        logs = {group.id_in_subsession: group.opened.rows for group in groups}
        monkeypatch.setattr(
            storage, "logs_of", lambda log, wanted, *_: {k: logs[k] for k in wanted}
        )
        monkeypatch.setattr(reading, "stretches", lambda _session: [])
        return list(data_page.table("pairs", players, None, "sanctions"))

    return rows


@pytest.mark.parametrize("app", [commons_game, punishment_vote, sanctions])
def test_an_app_exports_the_tables_of_its_game(app):
    offered = {name.removeprefix("custom_export_") for name in vars(app) if "custom_export" in name}
    game = engine.make(app.C.GAME)
    pairs = {"pairs"} if isinstance(game.core, PeerCore) else set()  # with peer points
    assert offered == {*tables(game), *pairs, *OPTIONAL}


# Period 1: 20, 0 and 10 are given. Trust in seat 0 rises from 0.4 to 0.7, trust in seat 1 falls to
# 0.2 and trust in seat 2 stays. Averages 20, 0, 10; signals 10, -10, 0; so everyone gives 7 to seat
# 0 and takes 2 from seat 1. Period 2: 0, 10 and 20. Trust in seat 0 is halved to 0.35, in seat 1 it
# stays, in seat 2 it is 0.7. Averages 10, 5, 15; signals 0, -5, 5; 2 are taken from seat 1, 7 given
# to seat 2.
BY_HAND = [
    # period, seat, partner, trust, reputation, effect; of the partner: given, average, signal
    [0, 0, 1, 0.2, 0, -2, 0, 0, -10],
    [0, 0, 2, 0.4, 0, 0, 10, 10, 0],
    [0, 1, 0, 0.7, 0, 7, 20, 20, 10],
    [0, 1, 2, 0.4, 0, 0, 10, 10, 0],
    [0, 2, 0, 0.7, 0, 7, 20, 20, 10],
    [0, 2, 1, 0.2, 0, -2, 0, 0, -10],
    [1, 0, 1, 0.2, 0, -2, 10, 5, -5],
    [1, 0, 2, 0.7, 0, 7, 20, 15, 5],
    [1, 1, 0, 0.35, 0, 0, 0, 10, 0],
    [1, 1, 2, 0.7, 0, 7, 20, 15, 5],
    [1, 2, 0, 0.35, 0, 0, 0, 10, 0],
    [1, 2, 1, 0.2, 0, -2, 10, 5, -5],
]


def test_the_rows_are_right_by_hand(exported):
    header, *rows = exported(played((20, 0, 10), (0, 10, 20)))
    assert header == PAIRS
    assert [row[:5] for row in rows] == [["abc", 0, "abc-0", "test", ""]] * 12
    assert [row[5:8] for row in rows] == [row[:3] for row in BY_HAND]
    for row, wanted in zip(rows, BY_HAND, strict=True):
        assert row[8:] == pytest.approx(wanted[3:])


def test_rows_and_columns_of_a_matrix_are_not_swapped(exported):
    """Check seat 0, which depends on seat 1 by 0.64, and seat 1, which depends on seat 0 by 0.25:
    20 * 0.8 * 1.64 * 0.8 = 20.992 and 10 at full trust. Both give 0, so trust falls to 0.2, and
    damage to both reputations is 0.5."""
    changes = {"seats": 2, "periods": 1, "dependence": [[0, 0.64], [0.25, 0]], "mu_R": 0.5}
    _, first, second = exported(played((0, 0), people=2, **changes))
    assert first[6:8] == [0, 1]
    assert first[8:11] == pytest.approx([0.2, 0.5, -0.2 * 20.992])
    assert second[6:8] == [1, 0]
    assert second[8:11] == pytest.approx([0.2, 0.5, -2])


def test_effects_are_those_of_the_observer_whoever_pays(exported):
    plays = [played((20, 0, 10), (0, 10, 20), falls_on=who) for who in ("deviator", "observer")]
    assert exported(plays[0])[1:] == exported(plays[1])[1:]


def test_each_group_has_rows_of_its_own_and_an_unfinished_play_has_those_so_far(exported):
    ended, going_on, waiting = played((20, 0, 10), (0, 10, 20)), played((5, 5, 5)), played()
    _, *rows = exported(ended, going_on, waiting)
    assert [row[1] for row in rows] == [0] * 12 + [1] * 6
    assert {row[11] for row in rows if row[1] == 1} == {5}
    assert exported(waiting) == [PAIRS]


def test_seats_of_bots_are_partners_too(exported):
    _, *rows = exported(played((20,), people=1, periods=1))
    assert [row[6:8] for row in rows] == [[0, 1], [0, 2], [1, 0], [1, 2], [2, 0], [2, 1]]
    assert [row[11] for row in rows] == [10, 10, 20, 10, 20, 10]


def test_a_session_without_a_group_has_only_the_header(exported):
    assert exported() == [PAIRS]
