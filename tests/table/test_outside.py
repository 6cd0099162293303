"""Outside agents have the views and deadlines of people, and are recorded as policies.

The commons has four seats: a person in seat 0, the `gpt` agent in 1 and 3, and `sustainable` in 2.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from mixed_company import engine, policies
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.policies.outside import agent_of
from mixed_company.table import view as shown
from mixed_company.table.exchange import exchange
from mixed_company.table.options import Options
from mixed_company.table.outside import GIVE_UP
from mixed_company.table.protocol import Ack, Message, Refusal
from mixed_company.table.rebuilding import rebuilt
from mixed_company.table.setup import Setup
from mixed_company.table.table import Table

SECOND = 1000


def setup(agents: dict[str, Any] | None = None, **options: Any) -> Setup:
    game = engine.make("commons_game", archetype="lab", periods=6, agents=agents or {})
    chosen = {"bots": "outside:gpt,sustainable", "bot_delay": "instant", "decision_seconds": 9.0}
    config = game.config.model_dump(mode="json")
    return Setup(config=config, options=Options(**{**chosen, **options}))


def opened(agents: dict[str, Any] | None = None, **options: Any) -> Table:
    table = Table.open(setup(agents, **options), [0], seed=7, now=0)
    table.apart = True
    table.hear(0, now=0)
    return table


def sends(table: Table, seat: int, now: int, kind: str = "act", **more: Any) -> Any:
    content = {"period": table.episode.period, "action": {"harvest": 2, "contribution": 0}}
    message = Message(kind, **{"id": f"{seat} at {now}", **content, **more})
    return exchange(table, seat, message, now).answer


def phases(table: Table, now: int) -> list[str]:
    return [shown.view(table, seat, now).phase for seat in (0, 1, 3)]


def events(table: Table, name: str) -> list[dict[str, Any]]:
    return [row for row in table.rows if row.get("event") == name]


def again(table: Table) -> Table:
    """Return the table that another server restores from the journal."""
    journal = json.loads(json.dumps(table.rows))
    return rebuilt(table.setup, journal, apart=True)


def test_an_agent_has_a_name() -> None:
    game = engine.make("commons_game", archetype="lab")
    assert [agent_of(spec) for spec in ("outside:gpt", "fixed:harvest=3", None)] == [
        *("gpt", None, None)
    ]
    with pytest.raises(ConfigError, match="an agent's name should be"):
        policies.make("outside:a b", game)


def test_an_agent_decides_like_a_person_and_is_recorded_as_a_policy() -> None:
    table = opened()
    assert phases(table, 0) == ["decide"] * 3
    assert sends(table, 1, 3000) == Ack("1 at 3000", 0)
    assert phases(table, 3000) == ["decide", "waiting", "decide"]
    assert sends(table, 3, 4000) == Ack("3 at 4000", 0)
    assert sends(table, 0, 5000) == Ack("0 at 5000", 0)
    assert table.episode.period == 1
    [period] = [row for row in table.rows if row["kind"] == "period"]
    assert [seat["policy_id"] for seat in period["seats"]] == [
        *(None, "outside:gpt", "sustainable", "outside:gpt")
    ]
    assert [seat["by"] for seat in period["seats"]] == ["person", *["policy"] * 3]
    assert [seat["at_ms"] for seat in period["seats"]] == [5000, 3000, 0, 4000]
    assert again(table).episode.period == 1


def test_a_decision_of_an_agent_counts_no_sooner_than_that_of_a_bot_that_has_thought() -> None:
    """A decision that arrives after 0.3 s takes effect 2 s after the period began. A decision after
    4 s takes effect at once.
    """
    table = opened(bot_delay="fixed:seconds=2")
    sends(table, 1, 300)
    sends(table, 3, 4000)
    sends(table, 0, 5000)
    [period] = [row for row in table.rows if row["kind"] == "period"]
    assert [seat["at_ms"] for seat in period["seats"]] == [5000, 2000, 2000, 4000]
    [late] = events(table, "policy_late")
    assert (late["seat"], late["late_ms"]) == (3, 2000)


def test_a_repeated_message_is_acknowledged_again_and_changes_nothing_else() -> None:
    table = opened()
    sends(table, 1, 3000)
    rows = len(table.rows)
    assert sends(table, 1, 3500, id="1 at 3000") == Ack("1 at 3000", 0)
    refused = sends(table, 1, 3500)
    assert isinstance(refused, Refusal)
    assert refused.reason == "you have already made your decision"
    assert len(table.rows) == rows
    assert again(table).seats[1].ids == {"1 at 3000": 0}


def test_an_invalid_answer_is_refused_with_a_reason_and_can_be_corrected() -> None:
    table = opened()
    refused = sends(table, 1, 3000, action={"harvest": "much", "contribution": 0})
    assert isinstance(refused, Refusal)
    assert "harvest" in refused.reason
    assert isinstance(sends(table, 1, 3100, action={"harvest": 2}), Refusal)
    assert phases(table, 3200) == ["decide"] * 3
    assert isinstance(sends(table, 1, 3300), Ack)


def test_an_agent_that_does_not_answer_gets_the_default_at_the_deadline_of_people() -> None:
    """Time is up after 9 s. Until then the table waits, longer than for any built-in policy."""
    table = opened()
    sends(table, 0, 1000)
    sends(table, 1, 2000)
    table.advance(8999)
    assert table.episode.period == 0
    table.advance(9000)
    assert table.episode.period == 1
    [fault] = events(table, "policy_fault")
    assert (fault["seat"], fault["detail"]) == (3, "no answer within 9000 ms")
    late = sends(table, 3, 9100, period=0)
    assert isinstance(late, Refusal)
    assert late.reason == "period 1 is over; this is period 2"
    assert again(table).episode.period == 1


def test_without_a_limit_an_agent_is_awaited_for_as_long_as_a_silent_person() -> None:
    table = opened(decision_seconds=0.0, grace_seconds=20.0)
    sends(table, 1, 2000)
    sends(table, 0, 3000)
    table.hear(0, 15_000)
    table.advance(19_999)
    assert table.episode.period == 0
    table.advance(20_000)
    assert table.episode.period == 1


def test_time_that_the_manager_adds_also_applies_to_agents() -> None:
    from mixed_company.table.directives import Directive

    table = opened()
    sends(table, 0, 1000)
    sends(table, 1, 1000)
    table.manage(Directive("extend", "more", ms=5000), 2000)
    table.advance(9001)
    assert table.episode.period == 0
    assert isinstance(sends(table, 3, 13_000), Ack)
    assert table.episode.period == 1


def test_an_agent_can_give_up_and_the_others_need_not_wait() -> None:
    table = opened()
    sends(table, 0, 1000)
    sends(table, 1, 1000)
    assert isinstance(sends(table, 3, 2000, GIVE_UP, value="no budget is left"), Ack)
    assert table.episode.period == 1
    [fault] = events(table, "policy_fault")
    assert fault["detail"] == "gave up: no budget is left"
    [period] = [row for row in table.rows if row["kind"] == "period"]
    assert period["seats"][3]["by"] == "default"
    assert again(table).episode.period == 1


def missing(table: Table, periods: int) -> None:
    """Play periods in which the others decide and seat 3 does not."""
    for _ in range(periods):
        begun = table.period_ms
        sends(table, 0, begun + 1000)
        sends(table, 1, begun + 1000)
        table.hear(0, begun + 8000)
        table.advance(begun + 9000)


def test_after_some_missed_decisions_a_policy_takes_the_seat_for_good() -> None:
    table = opened(agent_misses=2, dropout_bot="free_rider")
    missing(table, 1)
    assert table.agents == {1: "gpt", 3: "gpt"}
    missing(table, 1)
    assert table.agents == {1: "gpt"}
    [takeover] = events(table, "takeover")
    assert (takeover["seat"], takeover["period"]) == (3, 2)
    [*_, sat] = [row for row in table.rows if row["kind"] == "seat"]
    assert (sat["policy_id"], sat["reason"]) == ("free_rider", "missed")
    refused = sends(table, 3, 18_500)
    assert refused is None or isinstance(refused, Refusal)
    assert again(table).agents == {1: "gpt"}


def test_a_single_decision_restarts_the_count() -> None:
    table = opened(agent_misses=2, dropout_bot="free_rider")
    missing(table, 1)
    begun = table.period_ms
    for seat in (1, 3, 0):
        sends(table, seat, begun + 1000)
    missing(table, 1)
    assert table.agents == {1: "gpt", 3: "gpt"}


def test_the_policy_that_takes_over_is_not_an_outside_agent() -> None:
    with pytest.raises(ValueError, match="dropout_bot should name a policy"):
        setup(agent_misses=2)


def test_in_a_sequential_play_an_agent_decides_in_its_turn() -> None:
    table = opened({"timing": "sequential"})
    assert phases(table, 0) == ["decide", "waiting", "waiting"]
    refused = sends(table, 1, 500)
    assert isinstance(refused, Refusal)
    assert refused.reason == "it is Player 1's turn"
    sends(table, 0, 1000)
    assert phases(table, 1000) == ["waiting", "decide", "waiting"]
    assert isinstance(sends(table, 1, 2000), Ack)
    table.advance(2000)
    assert phases(table, 2000) == ["waiting", "waiting", "decide"]


def test_during_a_pause_nothing_is_accepted() -> None:
    from mixed_company.table.directives import Directive

    table = opened()
    table.manage(Directive("pause", "stop"), 1000)
    refused = sends(table, 1, 1000)
    assert isinstance(refused, Refusal)
    assert refused.reason == "the game is paused"
    assert phases(table, 1000) == ["waiting"] * 3


def test_the_view_of_an_agent_contains_what_a_person_in_its_seat_would_see() -> None:
    """If bots are unmarked, views are the same, except for the agent's own seat."""
    table = opened(bots="outside:gpt")
    view = shown.view(table, 1, 0).to_json()
    other = Table.open(setup(bots="outside:gpt"), [0, 1], seed=7, now=0)
    other.apart = True
    for seat in (0, 1):
        other.hear(seat, 0)
    persons = shown.view(other, 1, 0).to_json()
    assert view == persons
    assert not any("occupant" in seat for seat in view["seats"])


def test_if_the_group_talks_an_agent_can_write_and_be_ready() -> None:
    table = opened(talk="free", talk_when="periods", talk_seconds=30.0)
    assert phases(table, 0) == ["talk"] * 3
    from mixed_company.table.talk.parsing import Content

    reply = sends(table, 1, 2000, "say", talk=Content("I take 2.", None, None))
    assert isinstance(reply, Ack)
    seen = shown.view(table, 0, 2000).to_json()["talk"]["messages"]
    assert [(message["seat"], message["text"]) for message in seen] == [(1, "I take 2.")]
    for seat in (0, 1):
        sends(table, seat, 3000, "done", talk=Content())
    table.advance(29_000)
    assert table.talking  # seat 3 is not ready
    sends(table, 3, 29_500, "done", talk=Content())
    table.advance(29_500)
    assert not table.talking
    assert again(table).talk.messages[0].policy_id == "outside:gpt"


def test_by_the_clock_an_agent_decides_once_a_turn_which_ends_on_time() -> None:
    """A turn lasts 2 s. Seat 3 does not decide, so its default is used."""
    table = opened(pace="clock", decision_seconds=2.0)
    assert isinstance(sends(table, 1, 500), Ack)
    refused = sends(table, 1, 700)
    assert isinstance(refused, Refusal)
    assert table.episode.period == 0
    table.advance(2000)
    assert table.episode.period == 1
    [period] = [row for row in table.rows if row["kind"] == "period"]
    assert [period["seats"][seat]["by"] for seat in (1, 3)] == ["policy", "default"]
    assert isinstance(sends(table, 3, 2100), Ack)


def test_in_a_practice_nobody_waits_for_agents() -> None:
    assert setup().options.in_practice().bot_list == ["random"]


def test_an_agent_abstains_if_its_group_votes_on_the_rule() -> None:
    from mixed_company.table.leanings import leaning

    assert leaning({"as it is": setup().config}, "outside:gpt") == ""
