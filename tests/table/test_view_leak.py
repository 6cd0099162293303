"""A seat's view at a live table reveals nothing that its observations hide."""

from __future__ import annotations

import pytest

from mixed_company import engine
from mixed_company.table import view
from mixed_company.table.options import Options
from mixed_company.table.protocol import Message
from mixed_company.table.setup import Setup
from mixed_company.table.table import Table
from tests.engine.plays import every_archetype
from tests.telling import telling_faults, tells_nothing_hidden


def told(game, seed, period, seat):
    """Return what a live page's history says about a period, besides observation and reward."""
    entry = {"kind": "period", **period.to_json()}
    [past] = view.history(game, [entry], seat)
    return past["used"], past["components"]


@pytest.mark.few(4)
@pytest.mark.parametrize(("game_id", "archetype"), every_archetype())
def test_a_live_page_is_told_nothing_that_its_seat_does_not_see(game_id, archetype):
    assert telling_faults(engine.make(game_id, archetype=archetype), told) == []


@pytest.mark.long
@pytest.mark.parametrize("game_id", engine.game_ids())
def test_a_live_page_is_told_nothing_that_layers_or_roles_hide(game_id):
    game = engine.make(game_id, archetype=engine.find(game_id).reference)
    assert tells_nothing_hidden(game, told) == []


def test_components_on_pages_that_ignore_what_is_hidden_are_found(monkeypatch):
    monkeypatch.setattr(view, "components_told", lambda *_: True)
    sentences = telling_faults(engine.make("sanctions", archetype="reputation"), told)
    assert any("delayed, sanctions" in fault for fault in sentences)


@pytest.mark.parametrize(("archetype", "names"), [("lab", True), ("reputation", False)])
def test_a_seat_gets_the_components_of_its_reward_only_if_it_sees_what_they_follow_from(
    archetype, names
):
    # in `reputation`, contributions, trust and effects are hidden, and points are delayed
    game = engine.make("sanctions", archetype=archetype)
    options = Options(bots="fixed:contribution=1", bot_delay="instant", decision_seconds=0)
    setup = Setup(config=game.config.model_dump(mode="json"), options=options)
    table = Table.open(setup, [0], seed=5, now=0)
    table.hear(0, 0)
    table.act(0, Message("act", "first", 0, {"contribution": 2.0}), 1000)
    last = view.view(table, 0, 2000).last
    assert last.reward == table.last.rewards[0]
    assert bool(last.components) == names
    [entry] = view.history(game, table.rows, 0)[1:]
    assert bool(entry["components"]) == names


@pytest.mark.parametrize(("core", "names"), [({"lambda_R": 0}, True), ({}, False)])
def test_with_shuffled_names_a_seat_gets_components_that_do_not_follow_from_who_is_who(core, names):
    """Contributions are shown in a new order, but for sanctions only a seat's total is shown."""
    changes = {"peer": "punishment", "peer_names": "shuffled", **core}
    game = engine.make("sanctions", archetype="lab", **changes)
    options = Options(bots="fixed:contribution=1", bot_delay="instant", decision_seconds=0)
    setup = Setup(config=game.config.model_dump(mode="json"), options=options)
    table = Table.open(setup, [0], seed=5, now=0)
    table.hear(0, 0)
    table.act(0, Message("act", "first", 0, {"contribution": 2.0}), 1000)
    table.act(0, Message("act", "points", 0, {"assign": [0, 0, 0, 0]}), 2000)
    last = view.view(table, 0, 3000).last
    assert bool(last.components) == names
    assert sum(last.components.values()) == (pytest.approx(last.reward) if names else 0)
