"""The options of a session: what fits together, and what does not."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from table.options import FASTEST_SECONDS, Options


def test_a_cap_may_be_the_floor_and_not_less() -> None:
    assert Options(pay_cap=5, pay_floor=5).pay_cap == 5
    assert Options(pay_cap=0, pay_floor=5).pay_cap == 0  # no cap
    with pytest.raises(ValidationError, match=r"pay_cap = 4.0: less than pay_floor, 5.0"):
        Options(pay_cap=4, pay_floor=5)


def test_a_clock_is_no_faster_than_people_can_be() -> None:
    assert Options(pace="clock", decision_seconds=FASTEST_SECONDS).by_clock is True
    assert Options(decision_seconds=0).by_clock is False
    with pytest.raises(ValidationError, match=r"decision_seconds = 0.0: at least"):
        Options(pace="clock", decision_seconds=0)


@pytest.mark.parametrize(
    ("links", "rule"),
    [
        ({"finish": "https://a.org"}, "'finish': unknown status; did you mean 'finished'"),
        ({"left": "a.org"}, "left = 'a.org': should start with https:// or http://"),
    ],
)
def test_a_link_is_for_a_status_and_begins_as_links_do(links: dict[str, str], rule: str) -> None:
    assert Options(completion_links={"left": "http://a.org"}).completion_links
    with pytest.raises(ValidationError, match=rule):
        Options(completion_links=links)
