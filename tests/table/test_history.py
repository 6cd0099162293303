"""A seat's history: observations and earnings, period by period."""

from __future__ import annotations

from mixed_company import engine
from mixed_company.table.options import Options
from mixed_company.table.protocol import Ack, Message
from mixed_company.table.setup import Setup
from mixed_company.table.table import Table
from mixed_company.table.view import history


def test_the_history_of_a_seat_is_what_it_saw_earned_and_did() -> None:
    """Two people take 3 and 5 from the reference stock; taking 3 earns 3 points."""
    game = engine.make("commons_game", archetype="lab", seats=2, periods=3)
    setup = Setup(config=game.config.model_dump(mode="json"), options=Options(people_per_group=2))
    table = Table.open(setup, (0, 1), seed=7, now=0)
    for seat in (0, 1):
        table.hear(seat, 0)
    before = table.episode.observation(0)
    for seat, amount in enumerate((3.0, 5.0)):
        action = {"harvest": amount, "contribution": 0.0}
        assert isinstance(table.act(seat, Message("act", f"{seat}", 0, action), 1000), Ack)
    log = [*table.rows, {"kind": "event", "event": "message"}]
    start, first = history(table.game, log, 0)
    assert start["period"] == -1
    assert set(start) == {"period", "observation"}
    assert start["observation"]["stock"] == float(before["stock"])
    assert first["period"] == 0
    assert first["reward"] == 3.0
    assert first["used"]["harvest"] == 3.0
    assert sum(first["components"].values()) == 3.0
    assert first["observation"]["stock"] == float(table.episode.observation(0)["stock"])
    assert history(table.game, log, 1)[1]["reward"] == 5.0
