"""The view in a play page's HTML, which the page draws before its socket connects."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from mixed_company import engine
from mixed_company.server import live
from mixed_company.server.open.tables import tables
from tests.crowd.places import config_of
from tests.server.inside import Session, Visitor, inside

__all__ = ["inside"]  # a fixture

QUICK: dict[str, Any] = {
    "archetype": "lab",
    "quiz": False,
    "countdown_seconds": 0.0,
    "practice_periods": 0,
}
TIMES = ("remaining_ms", "sent_ms")


def first(visitor: Visitor) -> dict[str, Any]:
    """Return the view in the HTML of a visitor's page, loaded again."""
    match = re.search(r'id="first-view">(.*?)</script>', visitor.come().text, re.S)
    assert match is not None
    view: dict[str, Any] = json.loads(match.group(1))
    return view


def synced(visitor: Visitor) -> dict[str, Any]:
    """Return the view that the socket sends as its answer."""
    player = visitor.player()
    view: dict[str, Any] = live.play(player, {"kind": "sync"})[player.id_in_group]
    return view


def without_times(view: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in view.items() if name not in TIMES}


def at_play(game_id: str = "commons_game", people: int = 1, **changes: Any) -> list[Visitor]:
    """Return the people of a group, all on the play page."""
    options = {**QUICK, "people_per_group": people, **changes}
    visitors = Session(str(config_of(game_id)["name"]), people, **options).people
    for visitor in visitors:
        visitor.come().send()
    for visitor in visitors if people > 1 else []:
        live.lobby(visitor.player(), {"kind": "sync"})
    for visitor in visitors if people > 1 else []:
        visitor.send()
    assert [visitor.come().page for visitor in visitors] == ["Play"] * people
    return visitors


@pytest.mark.parametrize("game_id", engine.game_ids())
def test_a_page_that_is_loaded_again_starts_with_the_view_of_its_socket(inside, game_id):
    [ann] = at_play(game_id, pace="answers", decision_seconds=0.0)
    view = first(ann)
    assert (view["phase"], view["started"], view["period"]) == ("waiting", False, 0)
    assert [entry["period"] for entry in view["history"]] == [-1]
    ann.play(2)
    view = first(ann)
    assert (view["phase"], view["period"]) == ("decide", 2)
    assert without_times(view) == without_times(synced(ann))


def test_the_page_shows_a_saved_decision_while_others_decide_and_not_their_decisions(inside):
    ann, bob = at_play(people=2)
    for visitor in (ann, bob):
        synced(visitor)
    act = {"kind": "act", "id": "one", "period": 0, "action": {"harvest": 3.0, "contribution": 0}}
    live.play(ann.player(), act)
    view = first(ann)
    assert (view["phase"], view["decision"]["harvest"]) == ("waiting", 3.0)
    other = first(bob)
    assert (other["phase"], other["decision"]) == ("decide", None)
    assert "3.0" not in json.dumps(other["seats"])
    assert not any("occupant" in member for member in other["seats"])


def test_the_page_says_what_points_are_worth(inside):
    [ann] = at_play(real_world_currency_per_point=0.02)
    assert ann.sent["rate"] == "10 points = €0.20"
    assert ann.sent["texts"]["fish_worth"] == "Each fish you take is worth 1 point."
    shared = "All players share the lake. Fish left in it multiply."
    assert ann.sent["texts"]["fish_breed"] == shared


def test_the_view_of_a_play_that_is_over_says_so_and_its_page_leads_on(inside):
    [ann] = at_play(periods=2)
    ann.play()
    view = tables.seen(ann.player())
    assert (view["phase"], view["ended"]["reason"]) == ("over", "horizon")
    assert ann.come().page == "Results"


def test_a_practice_starts_with_the_view_of_its_own_table(inside):
    [ann] = Session("commons", 1, **{**QUICK, "practice_periods": 2}).people
    ann.come().send()
    assert ann.come().page == "Practice"
    view = first(ann)
    assert (view["period"], view["phase"]) == (0, "decide")
    assert ann.player().seat < 0


def test_the_view_is_committed_before_the_page_shows_it(inside, monkeypatch):
    [ann] = at_play(decision_seconds=20.0)
    synced(ann)
    player, done = ann.player(), []
    monkeypatch.setattr(tables, "committed", lambda opened, act: done.extend(["wait", act()]))
    assert tables.seen(player)["phase"] == "decide"
    assert done == ["wait", None]
