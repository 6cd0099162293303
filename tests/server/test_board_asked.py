"""The groups to which a directive applies, and how people are admitted to a session."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from mixed_company.server.board import acting
from mixed_company.server.open import door
from mixed_company.table.directives import Directive

# -- groups of a directive ------------------------------------------------------------------------


def person(app: str, group: int, seat: int = 0) -> Any:
    return SimpleNamespace(app=app, group_id=10 * group, group=group, seat=seat)


OPENED: Any = [SimpleNamespace(key=key) for key in (("a", 10), ("a", 20), ("b", 10))]
PEOPLE: Any = [person("a", 1), person("a", 2), person("b", 1), person("a", 3, seat=-1)]
FIRST, SECOND, OTHER = OPENED


@pytest.mark.parametrize(
    ("data", "directive", "chosen"),
    [
        ({"group": 1}, Directive("extend", "x"), [FIRST, OTHER]),
        ({"group": 1, "app": "b"}, Directive("extend", "x"), [OTHER]),
        ({"group": 2}, Directive("pause", "x", 1), [SECOND]),
        ({"group": 3}, Directive("pause", "x"), "group = 3: no group with this number is playing"),
        (
            {"group": 2, "app": "b"},
            Directive("pause", "x"),
            "group = 2: no group with this number is playing",
        ),
        ({}, Directive("pause", "x"), OPENED),
        ({}, Directive("pause", "x", 1), "group: is missing; pause applies to one group"),
        ({}, Directive("skip", "x"), "group: is missing; skip applies to one group"),
    ],
)
def test_a_directive_addresses_the_groups_that_it_names(data, directive, chosen):
    result = acting._chosen(OPENED, PEOPLE, data, directive)
    if isinstance(chosen, str):
        assert isinstance(result, str)
        assert result.startswith(chosen)
    else:
        assert result == chosen


def test_the_manager_is_told_whether_the_directive_was_carried_out():
    assert acting.Answer("x").to_json() == {"kind": "ack", "id": "x"}
    assert acting.Answer("x", "no").to_json() == {"kind": "refused", "id": "x", "reason": "no"}


# -- admission -------------------------------------------------------------------------------------


def test_admission_changes_once_per_id_and_its_history_is_kept_in_every_app(monkeypatch):
    apps = [SimpleNamespace(door="[]"), SimpleNamespace(door="[]")]
    monkeypatch.setattr(door, "_subsessions", lambda session: apps)
    monkeypatch.setattr(door, "clock", SimpleNamespace(now_ms=lambda: 7))
    requests = [("open", "a"), ("shut", "b"), ("shut", "b"), ("shut", "c"), ("open", "d")]
    answers, shut = [], [door.is_shut(None)]
    for state, name in requests:
        answers.append(door.move(None, state, name))
        shut.append(door.is_shut(None))
    assert answers == ["admissions are already open", "", "", "admissions are already stopped", ""]
    assert shut == [False, False, True, True, True, False]
    moves = [{"what": "shut", "id": "b", "at_ms": 7}, {"what": "open", "id": "d", "at_ms": 7}]
    assert door.history(None) == moves
    assert apps[0].door == apps[1].door
    apps.clear()
    assert door.history(None) == []
