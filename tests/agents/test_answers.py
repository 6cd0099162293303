"""Tests of parsing a model's answers. The first ones are the examples in `agents.llm.answers`."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mixed_company.agents.llm.answers import MOST_LENGTH, action_in, object_in


def fields(**declared: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": declared, "required": list(declared)}


HARVEST = fields(harvest={"type": "number", "minimum": 0.0, "maximum": 10.0})
MINE = fields(mine={"type": "integer", "enum": [1, 2, 4]})
MOVE = fields(action={"type": "integer", "enum": [0, 1, 2]})
POINTS = fields(points={"type": "array", "items": {"type": "integer"}})


@pytest.mark.parametrize(
    "text",
    [
        '{"action": {"harvest": 2}}',
        '<think>{"action": {"harvest": 9}} is too much.</think> {"action": {"harvest": 2}}',
        'I take two fish. ```json\n{"action": {"harvest": 2}}\n``` That is all.',
        'First {"action": {"harvest": 9}}, but then: {"action": {"harvest": 2}}',
        '{"action": {"harvest": "2"}}',
        '{"harvest": " 2.0 "}',
        'I harvest {some} fish: {"rationale": "few", "harvest": 2}',
    ],
)
def test_an_action_is_found_in_what_models_write(text):
    answer, reason = action_in(text, HARVEST)
    assert answer is not None, reason
    assert answer["action"] == {"harvest": 2}


@pytest.mark.parametrize(
    ("schema", "text", "action"),
    [
        (MINE, '{"action": {"mine": "4"}}', {"mine": 4}),
        (MOVE, '{"action": 2}', {"action": 2}),
        (MOVE, '{"action": {"action": 2}}', {"action": 2}),
        (POINTS, '{"action": {"points": [0, "3"]}}', {"points": [0, 3]}),
        (HARVEST, '{"action": {"harvest": 99}}', {"harvest": 99}),  # the table limits amounts
    ],
)
def test_actions_of_all_kinds_are_read(schema, text, action):
    answer, reason = action_in(text, schema)
    assert answer is not None, reason
    assert answer["action"] == action


@pytest.mark.parametrize(
    ("schema", "text", "reason"),
    [
        (HARVEST, "two", "it is not JSON"),
        (HARVEST, '<think>{"action": {"harvest": 2}}', "its reasoning does not end"),
        (HARVEST, "[2]", "it is not an object"),
        (HARVEST, "{}", '"action" is missing'),
        (HARVEST, '{"action": {"fish": 2}}', "action.harvest is missing"),
        (HARVEST, '{"action": {"harvest": 2, "fish": 1}}', "action.fish is not a field"),
        (HARVEST, '{"action": {"harvest": "two"}}', "action.harvest = 'two': should be a number"),
        (HARVEST, '{"action": {"harvest": NaN}}', "action.harvest = nan: should be a number"),
        (HARVEST, '{"action": {"harvest": [2]}}', "action.harvest = [2]: should be of type number"),
        (MINE, '{"action": {"mine": 3}}', "action.mine = 3: should be one of 1, 2, 4"),
        (POINTS, '{"action": {"points": 3}}', "action.points = 3: should be of type array"),
        (
            POINTS,
            '{"action": {"points": [null]}}',
            "action.points = [None]: should have numbers only",
        ),
        (
            fields(fish={"type": "integer", "minimum": 0}),
            '{"action": {"fish": 1.5}}',
            "action.fish = 1.5: should be a whole number",
        ),
    ],
)
def test_an_answer_without_an_action_is_refused_with_the_reason(schema, text, reason):
    assert action_in(text, schema) == (None, reason)


def test_only_the_end_of_a_long_text_is_searched():
    message = json.dumps({"message": "hello"})
    assert object_in("{" * 10 * MOST_LENGTH + message) == ({"message": "hello"}, "")
    assert object_in(message + "x" * MOST_LENGTH) == (None, "it is not JSON")
