"""Attention that a page has counted, and the values that the server accepts for it."""

from __future__ import annotations

from typing import Any

import pytest

from mixed_company.server.pages.handed_in import counted
from tests.server.modules import AT, blank

WATCH = """async () => {
  const {watched} = await import("/mixed/attention.js");
  const watch = watched({}, 0, false);
  const seen = [];
  watch.touch(10000);
  seen.push(watch.counts(50000));   // 10 s of the 40 are beyond the first 30
  watch.touch(60000);               // 20 s idle
  watch.hide(true, 70000);
  watch.hide(true, 71000);
  seen.push(watch.counts(75000));
  watch.hide(false, 90000);         // 20 s hidden
  seen.push(watch.counts(100000));
  seen.push(watched(seen[2], 0, true).counts(1000));
  return seen;
}"""


def test_a_page_counts_how_long_it_was_hidden_and_idle(browser):
    page = blank(browser)
    page.goto(AT)
    seen: list[dict[str, Any]] = page.evaluate(WATCH)
    page.close()
    assert [tuple(counts.values()) for counts in seen] == [
        (0, 0, 10_000),
        (5_000, 1, 20_000),
        (20_000, 1, 20_000),
        (21_000, 1, 20_000),
    ]


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ('{"hidden_ms": 5, "hidden_times": 1, "idle_ms": 0}', (5, 1, 0)),
        ('{"hidden_ms": -5, "hidden_times": true, "idle_ms": "x"}', ()),
        ('{"hidden_ms": 1e3, "idle_ms": 99999999999999}', ()),
        *((nonsense, ()) for nonsense in ("", "[]", "{", "[" * 100_000, None, 7)),
    ],
)
def test_nonsense_counts_for_nothing(text, counts):
    assert tuple(counted(text).values()) == counts
