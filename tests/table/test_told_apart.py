"""Bots send only actions that people could have sent, and only at times when people could have sent
them."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from mixed_company.table.answers import Recalled
from mixed_company.table.rebuilding import following, opened
from mixed_company.table.table import Table
from mixed_company.table.thinking import is_surprising
from tests.table.plays import SECOND, act, reopened, rows, started

TENTHS = "fixed:harvest=3.3;contribution=0.0"


def decided(table: Table, seat: int) -> list[dict[str, Any]]:
    return [row["seats"][seat] for row in rows(table, "period")]


@pytest.mark.parametrize("disclosure", ["none", "labels"])
def test_a_bot_sends_only_values_that_a_slider_can_reach(disclosure: str) -> None:
    """Labelled bots play the same way, so treatments differ only in what people are told."""
    table = started([0], bots=TENTHS, disclosure=disclosure)
    act(table, 0, SECOND)
    assert decided(table, 1)[0]["action"]["harvest"] == 3.5


def test_a_table_of_a_release_that_did_not_round_is_rebuilt_as_it_was_played() -> None:
    table = started([0], bots=TENTHS, disclosure="labels")
    act(table, 0, SECOND)
    journal = json.loads(json.dumps(table.rows))
    period = next(entry for entry in journal if entry["kind"] == "period")
    for seat in period["seats"][1:]:
        seat["action"]["harvest"] = 3.3
    again = opened(table.setup, journal)
    for _ in following(again, journal, Recalled(journal)):
        pass
    assert [seat["action"]["harvest"] for seat in rows(again, "period")[0]["seats"][1:]] == [
        3.3
    ] * 3


def timed(*seconds: int, **options: Any) -> Table:
    """Play one person who takes this long for each decision, from the start of its period."""
    chosen = {"bot_delay": "people", "decision_seconds": 0, "grace_seconds": 3600, **options}
    table = started([0], **chosen)
    for taken in seconds:
        act(table, 0, table.period_ms + taken * SECOND)
        table.advance(table.period_ms + 3000 * SECOND)
    return table


def test_bots_take_as_long_as_the_people_at_their_table() -> None:
    """The median is below 2 s after three decisions of 1 s, and above 38 s after three of 60 s."""
    quick, slow = (timed(taken, taken, taken, taken) for taken in (1, 60))
    delays = [
        [decided(table, seat)[-1]["delay_ms"] for seat in (1, 2, 3)] for table in (quick, slow)
    ]
    assert all(10 * short < long for short, long in zip(*delays, strict=True))


def test_the_time_of_a_bot_does_not_depend_on_when_others_decide_in_its_period() -> None:
    early, late = timed(5, 1), timed(5, 50)
    assert [decided(early, seat)[1]["delay_ms"] for seat in (1, 2, 3)] == [
        decided(late, seat)[1]["delay_ms"] for seat in (1, 2, 3)
    ]


def test_a_bot_is_slower_when_its_own_points_surprised_it() -> None:
    """Times grow by a factor of e if the bot's points in the last period differ by more than half
    from its earlier points."""
    times = (5,) * 8
    steady, startled = (
        timed(*times, bots="random", bot_delay=f"people:surprise={by}") for by in (0, 1)
    )
    points = [row["rewards"] for row in rows(startled, "period")]
    surprised = set()
    for seat in (1, 2, 3):
        earned = [rewards[seat] for rewards in points]
        delays = [decided(table, seat) for table in (steady, startled)]
        for period, (before, after) in enumerate(zip(*delays, strict=True)):
            is_surprised = is_surprising(earned[:period])
            factor = math.e if is_surprised else 1
            assert after["delay_ms"] / before["delay_ms"] == pytest.approx(factor, rel=0.001)
            surprised.add(is_surprised)
    assert surprised == {False, True}


def test_a_table_that_is_read_again_continues_with_the_speed_of_its_people() -> None:
    before = timed(20, 20, 20, bots="random", bot_delay="people:surprise=1")
    assert any(is_surprising([rewards[seat] for rewards in before.earned]) for seat in (1, 2, 3))
    again = reopened(before)
    for table in (before, again):
        act(table, 0, table.period_ms + SECOND)
        table.advance(table.period_ms + 3000 * SECOND)
    last = [
        [decided(table, seat)[-1]["delay_ms"] for seat in (1, 2, 3)] for table in (before, again)
    ]
    assert last[0] == last[1]
