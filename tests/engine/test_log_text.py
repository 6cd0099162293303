"""Logs are read as text line by line, and errors name the line."""

from __future__ import annotations

import json

import pytest

from mixed_company.engine import LogError
from mixed_company.engine.play.record import from_text, to_text
from tests.engine.test_record import log, stored


def refusal(text):
    with pytest.raises(LogError) as error:
        from_text(text)
    return str(error.value)


def test_a_log_can_be_read_back_from_its_text():
    lines = log(verbose=True)
    text = to_text(lines)
    assert from_text(text) == json.loads(json.dumps(lines))
    assert to_text(from_text(text)) == text


def test_a_log_saved_by_an_editor_can_be_read():
    text = to_text(log())
    for saved in (text.rstrip("\n"), text + "\n\n", "\ufeff" + text, text.replace("\n", "\r\n")):
        assert from_text(saved) == stored(log())


def test_a_truncated_log_names_the_line_and_the_complete_periods():
    rows = to_text(log()).split("\n")
    # line 3 is period 1, so only period 0 is complete
    cut = "\n".join(rows[:2]) + "\n" + rows[2][:40]
    assert refusal(cut) == "line 3: incomplete; number of complete periods before it: 1"
    assert refusal(rows[0][:-1]) == "line 1: incomplete; number of complete periods before it: 0"


def test_a_line_that_is_not_json_is_named():
    rows = to_text(log()).split("\n")
    rows[3] = rows[3].replace(":", ";", 1)
    assert refusal("\n".join(rows)).startswith("line 4: not JSON: Expecting ':' delimiter")
    assert refusal("hello").startswith("line 1: not JSON: Expecting value")
    assert refusal("").startswith("line 1: not JSON: Expecting value")
    assert refusal('{"level": NaN}\n') == "line 1: not JSON: NaN is not allowed in a log"
    assert refusal("[" * 100_000).startswith("line 1: not JSON: maximum recursion depth")


@pytest.mark.parametrize("row", ["[]", "3", "{}", '{"level":"party"}', '{"level":["period"]}'])
def test_json_that_is_not_a_log_line_is_refused(row):
    assert refusal(to_text(log()) + row) == (
        "line 9: not a log line: its `level` should be one of episode, period, seat, event"
    )
