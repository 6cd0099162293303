"""Trained policies at a table: some are valid, some fail, and some do not fit."""

from __future__ import annotations

import pytest
from onnx import helper

from mixed_company import policies
from mixed_company.engine import ConfigError
from mixed_company.table.setup import resolve, session_config
from tests.bots.trained.models import always, model, tensor, write
from tests.table.plays import act, events, reopened, rows, started

SHIPPED = session_config("commons", "commons_game", "lab")


def failing():
    """Return a model that is valid at a stock of 0 and gives NaN at 100."""
    node = helper.make_node("Acos", ["observation"], ["action"])
    return model([node], [tensor("observation", [1, 2])], [tensor("action", [1, 2])])


def test_a_trained_policy_decides_like_any_other(tmp_path):
    write(tmp_path, always(-0.6, -1.0))
    policies.look_in(tmp_path)
    table = started([0], bots="pupil,greedy")
    act(table, 0, 1000)
    period = rows(table, "period")[0]
    assert period["sent"]["harvest"] == [1.0, pytest.approx(2.0), 10.0, pytest.approx(2.0)]
    assert [who["policy_id"] for who in period["seats"]] == [None, "pupil", "greedy", "pupil"]
    assert events(table, "policy_fault") == []
    again = reopened(table)
    assert act(again, 0, 2000)["kind"] == "ack"
    assert again.episode.period == 2


def test_a_failing_policy_plays_the_default_and_the_log_says_why(tmp_path):
    write(tmp_path, failing())
    policies.look_in(tmp_path)
    table = started([0], bots="pupil,greedy,greedy")
    act(table, 0, 1000)
    period = rows(table, "period")[0]
    assert period["sent"]["harvest"] == [1.0, 0.0, 10.0, 10.0]
    assert period["seats"][1]["by"] == "default"
    fault = events(table, "policy_fault")[0]
    assert fault["seat"] == 1
    assert fault["detail"].startswith("ValueError: pupil.onnx: action [")
    assert fault["detail"].endswith("is not finite")


def test_a_session_of_another_form_is_refused_by_name(tmp_path):
    write(tmp_path, always(-0.6, -1.0))
    policies.look_in(tmp_path)
    assert resolve("commons_game", {**SHIPPED, "bots": "pupil"}, SHIPPED)
    with pytest.raises(ConfigError) as error:
        resolve("commons_game", {**SHIPPED, "bots": "pupil", "seats": 6}, SHIPPED)
    assert str(error.value) == "bots = 'pupil': pupil: seats = 6: the policy was trained for 4"
