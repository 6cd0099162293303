"""Action fields of every kind work in a table, its policies, its log and its export."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mixed_company import engine
from mixed_company.adapters.pettingzoo import Together
from mixed_company.engine import kit
from mixed_company.engine.play import record
from mixed_company.policies.policy import Policy, ask_at
from mixed_company.table import view as views
from mixed_company.table.export import columns, seat_rows, sent_of, spread
from mixed_company.table.options import Options
from mixed_company.table.protocol import Ack, Message, Refusal
from mixed_company.table.setup import Setup
from mixed_company.table.table import Table
from tests.engine.shelf import shelved

KINDS = '''
import numpy as np

from mixed_company.engine.contract.config import Core, parameter
from mixed_company.engine.contract.space import Field
from mixed_company.engine.game import Declaration, Game


class KindsCore(Core):
    periods: int = parameter(3, "number of periods", ge=1)


class Kinds(Game[KindsCore]):
    """Seats earn what they count."""

    id = "kinds"
    version = "1"
    Core = KindsCore
    archetypes = {"lab": {}}

    @property
    def horizon(self):
        return self.core.periods

    def declare(self):
        n = self.seats
        return Declaration(
            actions=(
                Field("free", "without ends"),
                Field("gift", "without an upper end", low=0.0),
                Field("count", "how many", kind="whole", low=0, high=10),
                Field("door", "which door", kind="choice", low=1, high=3, default=2.0),
                Field("split", "how much to whom", low=0.0, high=5.0, shape=(2,)),
                Field("grid", "marks", kind="whole", low=0, high=9, shape=(2, 2)),
            ),
            observations=(Field("counted", "by each", shape=(n,), low=0, high=10, maskable=True),),
            state=(Field("counted", "by each", shape=(n,), low=0, high=10),),
            components=(Field("count", "counted", "points", low=0, high=10),),
            endings={},
        )

    def initial(self, chance, batch):
        return {"counted": np.zeros((*batch, self.seats))}

    def transition(self, state, used, chance):
        return {"counted": used["count"].astype(float)}

    def reward(self, before, used, after):
        return {"count": after["counted"]}

    def view(self, state, chance):
        return {"counted": state["counted"]}


GAME = Kinds
'''
WHOLE: dict[str, Any] = {
    "free": -3.5,
    "gift": 7.25,
    "count": 4,
    "door": 3,
    "split": [1.5, 9.0],
    "grid": [[1, 2], [3, 99]],
}
ROLES = {"roles": {"free": {}, "shut": {"acts": ["gift"]}}, "seats": ["free", "shut"]}


@pytest.fixture
def kinds(tmp_path: Path) -> Iterator[Any]:
    with shelved(tmp_path, "kinds", KINDS):
        yield engine.make("kinds", seats=2, agents=ROLES)


def opened(game: Any) -> Table:
    """Open a table of two people. The second person's role bars all fields except gifts."""
    config = game.config.model_dump(mode="json")
    options = Options(people_per_group=2, bots="random", bot_delay="instant")
    table = Table.open(Setup(config=config, options=options), [0, 1], 7, 0)
    for seat in (0, 1):
        table.hear(seat, 0)
    return table


def act(table: Table, seat: int, **changed: Any) -> Ack | Refusal:
    name = f"{seat} {table.episode.period} {len(changed)}"
    message = Message("act", name, table.episode.period, {**WHOLE, **changed})
    return table.act(seat, message, 1000)


def test_the_kit_takes_every_kind(kinds):
    assert list(kit.faults(kinds)) == []


def test_a_table_accepts_every_kind_as_sent_and_uses_the_allowed_value(kinds):
    table = opened(kinds)
    for seat in (0, 1):
        assert isinstance(act(table, seat), Ack)
    line = next(row for row in table.rows if row["kind"] == "period")
    assert line["sent"]["split"] == [[1.5, 9.0], [1.5, 9.0]]
    # Seat 0 is cut to the bounds. Seat 1 is barred from everything except the gift, and uses the
    # defaults.
    assert line["used"]["split"] == [[1.5, 5.0], [0.0, 0.0]]
    assert line["used"]["grid"] == [[[1, 2], [3, 9]], [[0, 0], [0, 0]]]
    assert line["used"]["gift"] == [7.25, 7.25]
    assert line["used"]["door"] == [3, 2]
    assert line["rewards"] == [4.0, 0.0]


def test_a_view_has_null_for_a_missing_bound_and_the_default_where_a_role_bars(kinds):
    table = opened(kinds)
    limits = [
        json.loads(json.dumps(views.view(table, seat, 0).to_json(), allow_nan=False))["limits"]
        for seat in (0, 1)
    ]
    assert limits[0]["free"] == [None, None]
    assert limits[0]["gift"] == limits[1]["gift"] == [0.0, None]
    assert limits[0]["count"] == [0.0, 10.0]
    assert limits[1]["count"] == [0.0, 0.0]
    assert limits[1]["door"] == [2.0, 2.0]


def test_a_table_is_restored_from_its_text(kinds):
    table = opened(kinds)
    act(table, 0)
    again = Table.from_json(table.setup, table.to_json())
    act(table, 1)
    act(again, 1)
    assert again.to_json() == table.to_json()


def test_an_export_has_a_column_for_every_place_and_the_actions_can_be_recovered(kinds):
    table = opened(kinds)
    for seat in (0, 1):
        act(table, seat)
    line = next(row for row in table.rows if row["kind"] == "period")
    rows = seat_rows(kinds, line)
    declared = spread(columns("decisions", kinds))
    assert set(rows[0]) <= set(declared)
    assert [rows[0][f"sent_grid_{i}_{j}"] for i in (0, 1) for j in (0, 1)] == [1, 2, 3, 99]
    again = engine.Episode(kinds, seed=table.episode.seed).step(sent_of(kinds, rows))
    assert {name: value.tolist() for name, value in again.used.items()} == line["used"]


class Marks(Policy):
    """Policy that answers every kind of field."""

    id = "marks"
    games = ("kinds",)
    source = "ours"

    def act(self, observation: Any, memory: Any, rng: Any) -> Any:
        return {**WHOLE, "split": np.array([1.0, 2.0])}, memory


def test_a_policy_answers_every_kind_and_the_log_replays(kinds):
    play = engine.Episode(kinds, seed=3)
    policy, log = Marks(kinds.core), record.Recorder(play)
    while not play.done:
        answers = [ask_at(play, policy, seat, {}) for seat in (0, 1)]
        assert [answer.fault for answer in answers] == [None, None]
        names = [field.name for field in kinds.declaration.actions]
        log.take(play.step({name: [answer.action[name] for answer in answers] for name in names}))
    assert record.replay(json.loads(json.dumps(log.lines)), kinds) == []


def test_an_environment_takes_every_kind(kinds):
    environment = Together(kinds, "named")
    environment.reset(seed=1)
    sent = {**WHOLE, "door": 2, "split": np.array([1.5, 9.0]), "grid": np.array([[1, 2], [3, 99]])}
    infos = environment.step(dict.fromkeys(environment.agents, sent))[-1]
    assert [infos["seat_0"][f"used_grid_{place}"] for place in range(4)] == [1, 2, 3, 9]
    assert infos["seat_0"]["used_door"] == 3  # choices count from 0
