"""Layers, turns and empty seats, over live channels."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.door.audit import differences, table, wrong_numbers
from tests.door.harness import seated, synced
from tests.server.wire import Live, Server, server

__all__ = ["server"]  # a fixture

# half of the earnings are paid two periods later
LATER = '{"temporal": {"intensity": 0.5, "reward_delay": 2}}'
Choose = Callable[[dict[str, Any]], dict[str, float]]


# -- simple clients --------------------------------------------------------------------------


def own_seat(view: dict[str, Any]) -> int:
    return int(next(seat["seat"] for seat in view["seats"] if seat["you"]))


def play_to_the_end(lives: list[Live], choose: Choose) -> list[dict[str, Any]]:
    """Let each seat decide when asked, and return the views that asked a seat."""
    asked_views = []
    for _ in range(1000):
        views = [synced(live) for live in lives]
        if all(view["phase"] == "over" for view in views):
            return asked_views
        for live, view in zip(lives, views, strict=True):
            if view["phase"] == "decide":
                asked_views.append(view)
                name = f"{own_seat(view)} {len(asked_views)}"
                live.act(view["period"], name, **choose(view))
    raise AssertionError("the play does not end")


def least(view: dict[str, Any]) -> dict[str, float]:
    return {name: low for name, (low, _) in view["limits"].items()}


# -- every session config with layers --------------------------------------------------------

QUICK: dict[str, Any] = {"quiz": False, "bot_delay": "instant"}
LAYERED: dict[str, dict[str, Any]] = {
    "commons_unequal": {},
    "sanctions_reputation": {"periods": 8},
    "gems_open_book": {"periods": 8},
    "vote_weighted": {"turns": 12, "decision_seconds": 0.3},
    "commons_in_turn": {"periods": 6},
}


@pytest.mark.few(1)
@pytest.mark.parametrize("config", LAYERED)
def test_a_layered_play_ends_with_an_export_that_replays_exactly(server, config):
    people = 2 if config == "commons_in_turn" else 1
    session = server.session(config, people, **QUICK, **LAYERED[config])
    seats = seated(server, session, people)
    asked_views = play_to_the_end([live for _, live in seats], least)
    assert len(asked_views) >= people * 6
    assert wrong_numbers(server, session) == []
    outcomes = table(server, "outcomes", session)
    assert outcomes["status"].tolist() == ["finished"] * people
    decisions = table(server, "decisions", session)
    for person, _ in seats:
        person.next()
        assert person.page_name == "Results"
        rows = decisions[decisions["participant"] == person.code]
        [outcome] = outcomes[outcomes["participant"] == person.code].to_dict("records")
        assert outcome["points"] == pytest.approx(rows["reward"].sum())
    config_row = table(server, "config", session).iloc[0]
    resolved = json.loads(config_row["config"])
    assert (
        any(layer["intensity"] for layer in resolved["layers"].values())
        or resolved["agents"]["timing"] == "sequential"
    )


def test_later_players_see_earlier_decisions(server):
    session = server.session("commons_in_turn", 2, **QUICK, periods=2, bots="fixed:harvest=2")
    lives = [live for _, live in seated(server, session, 2)]
    views = {own_seat(view): (live, view) for live in lives for view in [synced(live)]}
    (first, (early, _)), (second, (late, _)) = sorted(views.items())
    view = synced(late)
    assert (view["turn"], view["phase"]) == (first, "waiting")
    assert view["observation"]["earlier_harvest"][first] is None
    late.send({"kind": "act", "id": "x", "period": 0, "action": {"harvest": 1, "contribution": 0}})
    refused = late.receive("refused")
    assert refused["reason"] == f"it is Player {first + 1}'s turn"
    assert early.act(0, "a", harvest=3.5, contribution=0)["kind"] == "ack"
    # bots before the second seat have taken 2, and those after it nothing yet
    expected = [2.0 if seat < second else None for seat in range(4)]
    expected[first], expected[second] = 3.5, None
    view = synced(late)
    assert (view["turn"], view["phase"]) == (second, "decide")
    assert view["observation"]["earlier_harvest"] == expected
    assert synced(early)["observation"]["earlier_harvest"][second] is None
    assert late.act(0, "b", harvest=1, contribution=0)["kind"] == "ack"
    assert synced(early)["period"] == 1


# -- reduced ---------------------------------------------------------------------------------


def leave_and_finish(server: Server, **changes: Any) -> dict[str, Any]:
    """Let two people take 3 and 4 per period, and close the second's socket in the third period.

    Once the second is out, the first plays on alone, and both see their results.
    """
    session = server.session(
        "commons_two_people",
        2,
        **QUICK,
        periods=5,
        bots="fixed:harvest=1",
        dropout="reduced",
        grace_seconds=10.0,
        decision_seconds=0,
        layers=LATER,
        **changes,
    )
    (stays, staying), (leaves, leaving) = seated(server, session, 2)
    by_live = {id(staying): 3.0, id(leaving): 4.0}

    def turn_of_both(period: int) -> None:
        for _ in range(2):
            for live in (staying, leaving):
                view = synced(live)
                if view["phase"] == "decide" and view["period"] == period:
                    live.act(period, f"p{period}", harvest=by_live[id(live)], contribution=0)

    for period in range(2):
        turn_of_both(period)
        assert synced(staying)["period"] == period + 1
    seat = own_seat(synced(leaving))
    leaving.close()
    first = synced(staying)["phase"] == "decide"  # in turn, the other person may be asked first
    if first:
        assert staying.act(2, "p2", harvest=3, contribution=0)["kind"] == "ack"
    server.turn(9.0)
    assert synced(staying)["period"] == 2
    server.turn(2.0)  # the other person's grace period is over
    if not first:
        assert staying.act(2, "p2", harvest=3, contribution=0)["kind"] == "ack"
    view = synced(staying)
    assert view["period"] == 3
    result = {"server": server, "session": session, "seat": seat, "leaves": leaves}
    # the person who left comes back while the other is still playing
    again = leaves.live()
    late = synced(again)
    assert (late["phase"], late["ended"]["reason"]) == ("over", "left")
    refused = again.act(3, "late", harvest=1, contribution=0)
    assert (refused["kind"], refused["reason"]) == ("refused", "the game is over")
    again.close()
    leaves.reload()
    if leaves.page_name == "Play":
        leaves.next()
    assert leaves.page_name == "Results"
    result["early_results"] = leaves.page.text
    result["early_outcomes"] = table(server, "outcomes", session)
    while view["phase"] != "over":
        assert staying.act(view["period"], f"p{view['period']}", harvest=3, contribution=0)[
            "kind"
        ] == ("ack")
        view = synced(staying)
    stays.next()
    leaves.reload()
    return {**result, "stays": stays, "results": leaves.page.text}


def test_a_seat_that_a_person_has_left_is_paid_immediately_and_replays(server):
    reduced = leave_and_finish(server)
    whoever_left_has_what_was_earned_and_owed(reduced)
    whoever_stayed_played_to_the_end(reduced)
    the_export_replays_exactly(reduced)
    an_edited_share_is_found_out(reduced)


def whoever_left_has_what_was_earned_and_owed(reduced: dict[str, Any]) -> None:
    """Check the results page and the outcomes of the person who left, immediately and at the
    end."""
    # 4 and 4: half at once, and the other half when the seat is out
    for name in ("early_results", "results"):
        assert "<strong>8</strong>" in reduced[name]
        assert "You left the game before it was over." in reduced[name]
        assert "stand-in decided" not in reduced[name]
        assert "€2.80" in reduced[name]
    assert "lasted all 5 periods" not in reduced["early_results"]
    for outcomes in (
        reduced["early_outcomes"],
        table(reduced["server"], "outcomes", reduced["session"]),
    ):
        [outcome] = outcomes[outcomes["participant"] == reduced["leaves"].code].to_dict("records")
        assert (outcome["status"], outcome["points"], outcome["paid_points"]) == ("left", 8.0, 8.0)
        assert (outcome["payment"], outcome["bot_share"]) == (2.8, 0.0)


def whoever_stayed_played_to_the_end(reduced: dict[str, Any]) -> None:
    stays = reduced["stays"]
    assert stays.page_name == "Results"
    assert "<strong>15</strong>" in stays.page.text  # 5 periods of 3
    outcomes = table(reduced["server"], "outcomes", reduced["session"])
    assert sorted(outcomes["status"]) == ["finished", "left"]


def the_export_replays_exactly(reduced: dict[str, Any]) -> None:
    server, session = reduced["server"], reduced["session"]
    assert wrong_numbers(server, session) == []
    decisions = table(server, "decisions", session)
    rows = decisions[decisions["seat"] == reduced["seat"]].sort_values("period")
    assert rows["decided_by"].tolist() == ["person"] * 2 + ["absent"] * 3
    assert rows["occupant"].tolist() == ["person"] * 2 + ["nobody"] * 3
    assert rows["reward"].tolist() == [2.0, 2.0, 4.0, 0.0, 0.0]
    timeline = table(server, "seats", session).query("seat == @reduced['seat']")
    assert timeline["occupant"].tolist() == ["person", "nobody"]
    assert timeline["since_period"].tolist() == [0, 2]
    assert table(server, "events", session)["event"].tolist() == ["left", "ending"]


def an_edited_share_is_found_out(reduced: dict[str, Any]) -> None:
    server, session = reduced["server"], reduced["session"]
    tables = [table(server, name, session) for name in ("decisions", "periods", "config")]
    assert list(differences(*tables)) == []
    gone = tables[0].index[tables[0]["decided_by"] == "absent"]
    tables[0].loc[gone, "decided_by"] = "default"
    assert any("after_seat_reason" in difference for difference in differences(*tables))


@pytest.mark.long  # tests/table/test_table_reduced.py covers turns
def test_a_seat_left_in_turn_is_paid_immediately_and_replays(server):
    done = leave_and_finish(server, agents='{"timing": "sequential"}')
    assert "<strong>8</strong>" in done["early_results"]
    assert "<strong>8</strong>" in done["results"]
    assert wrong_numbers(server, done["session"]) == []
    outcomes = table(server, "outcomes", done["session"])
    assert sorted(outcomes["points"]) == [8.0, 15.0]
