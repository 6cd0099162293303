"""How long a line takes: which views are to be answered, and what an answer says."""

from __future__ import annotations

import pytest

from server.open import lines
from server.open.lines import AGAIN_MS, FIRST, LONGEST_MS, Lines


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> type:
    class Clock:
        now = 0

        @classmethod
        def now_ms(cls) -> int:
            return cls.now

    monkeypatch.setattr(lines, "clock", Clock)
    return Clock


def test_the_first_views_are_to_be_answered_and_then_one_now_and_then(clock: type) -> None:
    of_page = Lines()
    stamps = []
    for clock.now in (0, 5, 9, 10, 9 + AGAIN_MS - 1, 9 + AGAIN_MS, 10 + AGAIN_MS):
        stamps.append(of_page.stamp(2))
    assert stamps == [0, 5, 9, None, None, 9 + AGAIN_MS, None]
    assert of_page.stamp(1) == clock.now  # the line of another seat
    of_page.begin(2)
    assert [of_page.stamp(2) for _ in range(FIRST + 1)] == [clock.now] * FIRST + [None]


def test_an_answer_counts_once_and_the_quickest_of_the_last_ones_is_the_line(clock: type) -> None:
    of_page = Lines()
    took = []
    for sent, back in ((0, 400), (500, 520), (600, 900)):
        clock.now = sent
        assert of_page.stamp(0) == sent
        clock.now = back
        took.append(of_page.took(0, sent))
        assert of_page.took(0, sent) is None  # again
    assert took == [400, 20, 20]
    for number in (1, 2, 3):
        clock.now = number * AGAIN_MS + 900
        sent = of_page.stamp(0)
        assert sent is not None
        clock.now += 100
        took.append(of_page.took(0, sent))
    assert took[3:] == [20, 100, 100]  # of the last three
    assert of_page.took(0, 7) is None  # was never sent
    assert of_page.took(1, 0) is None


def test_an_answer_to_a_view_is_none_to_those_before_it(clock: type) -> None:
    of_page = Lines()
    clock.now = 1
    of_page.stamp(0)
    clock.now = 2
    of_page.stamp(0)
    clock.now = 3
    of_page.stamp(0)
    assert of_page.took(0, 2) == 1
    assert of_page.took(0, 1) is None
    assert of_page.took(0, 3) == 0


@pytest.mark.parametrize(
    ("later", "known"), [(0, 0), (LONGEST_MS, LONGEST_MS), (LONGEST_MS + 1, None), (-1, None)]
)
def test_an_answer_after_a_sleep_or_before_its_view_says_nothing(
    clock: type, later: int, known: int | None
) -> None:
    of_page = Lines()
    clock.now = 1000
    of_page.stamp(0)
    clock.now += later
    assert of_page.took(0, 1000) == known
