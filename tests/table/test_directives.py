"""The manager's directives must have exactly the keys of their kind."""

from __future__ import annotations

import pytest

from mixed_company.table.directives import MOST_SECONDS, MOST_TEXT, Directive, parse_directive
from mixed_company.table.protocol import MAX_ID, Refusal


@pytest.mark.parametrize(
    ("data", "directive"),
    [
        ({"kind": "skip", "id": "a", "seat": 0}, Directive("skip", "a", 0)),
        ({"kind": "release", "id": "a", "participant": "abc"}, Directive("release", "a")),
        ({"kind": "pause", "id": "a", "seat": 2, "text": "x"}, Directive("pause", "a")),
        ({"kind": "extend", "id": "a", "seconds": 1}, Directive("extend", "a", ms=1000)),
        (
            {"kind": "extend", "id": "a", "seconds": 1.5, "seat": 3},
            Directive("extend", "a", ms=1500),
        ),
        (
            {"kind": "extend", "id": "a", "seconds": MOST_SECONDS},
            Directive("extend", "a", ms=1000 * MOST_SECONDS),
        ),
        (
            {"kind": "message", "id": "a", "seat": 0, "text": " Hello. "},
            Directive("message", "a", 0, text="Hello."),
        ),
        ({"kind": "message", "id": "a", "text": "b"}, Directive("message", "a", text="b")),
        (
            {"kind": "message", "id": "a", "text": "b" * MOST_TEXT},
            Directive("message", "a", text="b" * MOST_TEXT),
        ),
        *(({"kind": kind, "id": "a"}, Directive(kind, "a")) for kind in ("go_on", "shut", "open")),
        *(
            ({"kind": kind, "id": "a", "seat": 1}, Directive(kind, "a", 1))
            for kind in ("stand_in", "give_back", "exclude")
        ),
        ({"kind": "end", "id": "i" * MAX_ID}, Directive("end", "i" * MAX_ID)),
    ],
)
def test_a_directive_has_the_keys_of_its_kind(data, directive):
    assert parse_directive(data) == directive


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (None, "a directive should be an object"),
        ({"kind": "pause"}, "id = None: should be a string"),
        ({"kind": "pause", "id": ""}, "id = ''"),
        ({"kind": "pause", "id": "i" * (MAX_ID + 1)}, "id = 'iii"),
        ({"kind": "pause", "id": 5}, "id = 5"),
        ({"kind": "pausing", "id": "a"}, "kind = 'pausing': should be one of skip"),
        ({"kind": "skip", "id": "a"}, "seat = None: should be a seat number"),
        ({"kind": "skip", "id": "a", "seat": -1}, "seat = -1"),
        ({"kind": "skip", "id": "a", "seat": True}, "seat = True"),
        ({"kind": "message", "id": "a", "seat": -1, "text": "b"}, "seat = -1"),
        ({"kind": "message", "id": "a", "seat": "1", "text": "b"}, "seat = '1': should be"),
        ({"kind": "message", "id": "a", "text": " "}, "text = ' ': should be a string of 1 to 500"),
        ({"kind": "message", "id": "a", "text": "b" * (MOST_TEXT + 1)}, "text = 'bbb"),
        ({"kind": "extend", "id": "a"}, "seconds = None"),
        ({"kind": "extend", "id": "a", "seconds": 0}, "seconds = 0: should be a number from 1"),
        ({"kind": "extend", "id": "a", "seconds": 0.5}, "seconds = 0.5"),
        ({"kind": "extend", "id": "a", "seconds": float("nan")}, "seconds = nan"),
        ({"kind": "extend", "id": "a", "seconds": MOST_SECONDS + 1}, "seconds = 3601"),
        ({"kind": "extend", "id": "a", "seconds": True}, "seconds = True"),
    ],
)
def test_any_other_directive_is_refused_by_key_and_value(data, text):
    refusal = parse_directive(data)
    assert isinstance(refusal, Refusal)
    assert refusal.reason.startswith(text)


@pytest.mark.parametrize(
    ("directive", "entry"),
    [
        (Directive("skip", "a", 0), {"what": "skip", "id": "a", "seat": 0}),
        (Directive("extend", "a", ms=1500), {"what": "extend", "id": "a", "ms": 1500}),
        (Directive("message", "a", text="b"), {"what": "message", "id": "a", "text": "b"}),
        (Directive("end", "a"), {"what": "end", "id": "a"}),
    ],
)
def test_a_journal_keeps_a_directive_without_its_missing_keys(directive, entry):
    assert directive.to_json() == entry
    assert Directive.from_json(entry) == directive
