"""Values shown next to a view follow from it, and are computed once for equal views."""

from __future__ import annotations

from typing import Any

import pytest

from mixed_company import engine
from mixed_company.server.open import showing
from mixed_company.server.open.showing import Past, Texts
from mixed_company.table.options import Options
from mixed_company.table.protocol import Message
from mixed_company.table.setup import Setup
from mixed_company.table.table import Table
from mixed_company.table.view import view

PEOPLE = [0, 1, 2, 3]


class Counted:
    """Guide of a game that counts its computations."""

    def __init__(self, guide: Any) -> None:
        self.look_back, self.counted, self.tallied = guide.look_back, guide.counted, guide.tallied
        self._guide, self.count = guide, 0

    def derived(self, *arguments: Any) -> Any:
        self.count += 1
        return self._guide.derived(*arguments)


def act(table: Table, past: Past, seat: int, period: int) -> None:
    """Decide, and add the resulting entries."""
    action = table.episode.allowed(seat).default_action()
    table.act(seat, Message("act", f"{seat} {period}", period, action), 1000)
    entries = table.take_rows()
    past.add(entries)


def again(past: Past) -> Past:
    """Return the same past without cached values."""
    return Past(past._game, past._entries())


@pytest.mark.parametrize("block", [1, 2, 3, 4, 7, 30])
@pytest.mark.parametrize("limit", [1, 3, 6, 10])
def test_the_last_texts_are_kept_in_order(block, limit, monkeypatch):
    monkeypatch.setattr(showing, "BLOCK", block)
    texts = Texts(limit)
    for number in range(25):
        texts.append(f"ä {number}")
        expected = [f"ä {before}" for before in range(number + 1)]
        assert list(texts) == expected[-limit:]
        assert len(texts._blocks) * block < limit + block + 1


@pytest.mark.parametrize("game_id", engine.game_ids())
def test_a_decision_of_one_person_recomputes_nothing_for_the_others(game_id, monkeypatch):
    guide = Counted(showing.guide_of(game_id))
    monkeypatch.setattr(showing, "guide_of", lambda _: guide)
    game = engine.make(game_id, archetype=engine.find(game_id).reference, seats=len(PEOPLE))
    options = Options(people_per_group=len(PEOPLE), decision_seconds=0.0, bots="random")
    setup = Setup(config=game.config.model_dump(mode="json"), options=options)
    table = Table.open(setup, PEOPLE, seed=7, now=0)
    entries = table.take_rows()
    past = Past(table.game, entries)
    for seat in PEOPLE:
        table.hear(seat, 0)
    for period in range(3):
        for seat in PEOPLE:
            shown = [past.beside(viewer, view(table, viewer, 1000)) for viewer in PEOPLE]
            fresh = [again(past).beside(viewer, shown[viewer]) for viewer in PEOPLE]
            assert shown == fresh
            act(table, past, seat, period)
    # once for each seat and period, and just as often for each fresh past that is compared
    assert guide.count == 3 * len(PEOPLE) * (1 + len(PEOPLE))


def test_computations_cover_as_many_periods_as_a_history_shows(monkeypatch):
    monkeypatch.setattr(showing, "MOST_PERIODS", 2)
    game = engine.make("gem_mining", archetype="lab_0_7", seats=4)
    options = Options(people_per_group=4, decision_seconds=0.0, bots="random")
    setup = Setup(config=game.config.model_dump(mode="json"), options=options)
    table = Table.open(setup, PEOPLE, seed=7, now=0)
    past = Past(table.game, table.take_rows()[:1])
    periods = []
    for seat in PEOPLE:
        table.hear(seat, 0)
    for period in range(3):
        before = past.beside(0, view(table, 0, 1000)).shown["tally"]
        for seat in PEOPLE:
            act(table, past, seat, period)
        tally = past.beside(0, view(table, 0, 1000)).shown["tally"]
        periods.append(sum(mine["periods"] for mine in tally))
        assert tally != before
    once = periods[0]
    assert periods[1] == 2 * once == periods[2]


@pytest.mark.parametrize(
    ("periods", "shown"), [(1, [-1, 0]), (2, [-1, 0, 1]), (3, [1, 2]), (4, [2, 3])]
)
def test_a_page_is_shown_the_last_periods_and_the_start_if_it_is_among_them(
    periods, shown, monkeypatch
):
    """Keep two periods in this test."""
    monkeypatch.setattr(showing, "MOST_PERIODS", 2)
    game = engine.make("commons_game", archetype="lab")
    setup = Setup(
        config=game.config.model_dump(mode="json"),
        options=Options(people_per_group=1, bots="random", bot_delay="instant"),
    )
    table = Table.open(setup, [0], seed=7, now=0)
    table.hear(0, 0)
    past = Past(table.game, table.take_rows())
    for period in range(periods):
        table.advance(1000)
        act(table, past, 0, period)
    assert [entry["period"] for entry in past.history(0)] == shown
    whole = past.whole(0, view(table, 0, 1000))
    assert whole.history == past.history(0)
    assert whole.shown == past.beside(0, view(table, 0, 1000)).shown


IN_STAGES: dict[str, dict[str, Any]] = {
    "commons_game": {"governance": "accumulating", "initial_wealth": 20, "growth_rate": 0.5},
    "sanctions": {"memory": 2},
}


@pytest.mark.parametrize("game_id", IN_STAGES)
def test_a_stage_of_peer_points_shows_what_the_period_shows_afterwards(game_id):
    """The change in the stock, the pot, the sanctions and the remembered values are from this
    period."""
    game = engine.make(game_id, archetype="lab", peer="punishment", **IN_STAGES[game_id])
    bots = "noisy_person+never_punishes"
    options = Options(people_per_group=1, decision_seconds=0.0, bots=bots, bot_delay="instant")
    setup = Setup(config=game.config.model_dump(mode="json"), options=options)
    table = Table.open(setup, [0], seed=7, now=0)
    table.hear(0, 0)
    past = Past(table.game, table.take_rows())
    for period in range(3):
        start = past.beside(0, view(table, 0, 1000)).shown
        act(table, past, 0, period)  # the first stage
        later = view(table, 0, 1000)
        assert (later.period, later.observation["stage"]) == (period, 1)
        between = past.beside(0, later).shown
        assert between != start
        assert past.whole(0, later).shown == between
        message = Message("act", f"points {period}", period, {"assign": [0] * game.seats})
        table.act(0, message, 1000)
        past.add(table.take_rows())
        after = past.beside(0, view(table, 0, 1000)).shown
        assert not between.get("if_all")  # nothing is requested at this stage
        assert between.get("outcomes") is None
        kept = after.keys() - {"if_all", "outcomes"}
        assert {name: between[name] for name in kept} == {name: after[name] for name in kept}
