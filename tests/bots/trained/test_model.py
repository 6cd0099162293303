"""Models with invalid inputs or outputs are rejected, and the error names the file."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from onnx import TensorProto, helper

from mixed_company import policies
from mixed_company.engine import ConfigError
from tests.bots.trained.models import (
    COMMONS,
    GEMS,
    always,
    counting,
    learned,
    linear,
    model,
    tensor,
    write,
)


def same(name, shape, kind=TensorProto.FLOAT, source="observation"):
    """Return a model in which one part of the input has a different name and shape."""
    node = helper.make_node("Identity", [source], [name])
    return model([node], [tensor(source, shape, kind)], [tensor(name, shape, kind)])


def other_batch():
    node = helper.make_node("Identity", ["observation"], ["action"])
    return model([node], [tensor("observation", [3, 2])], [tensor("action", [3, 2])])


@pytest.mark.parametrize(
    ("content", "changes", "text"),
    [
        (always(0.0, seen=2), {}, "output action = [1, 1]: should be [1, 2]"),
        (always(0.0, 0.0, seen=3), {}, "input observation = [1, 3]: should be [1, 2]"),
        (other_batch(), {}, "input observation = [3, 2]: should be [1, 2]"),
        (same("action", [2]), {}, "input observation = [2]: should be [1, 2]"),
        (same("action", [1, 2], source="seen"), {}, "input 'seen': unknown; one of observation"),
        (same("acts", [1, 2]), {}, "output 'acts': unknown; one of action, spread"),
        (
            same("action", [1, 2], TensorProto.DOUBLE),
            {},
            "observation is tensor(double): should be tensor(float)",
        ),
        (always(0.0, 0.0), {"memory": 1}, "input 'memory': is missing"),
        (counting(), {"memory": 2}, "input memory = [1, 1]: should be [1, 2]"),
        (counting(), {}, "input 'memory': unknown; one of observation"),
        (always(0.0, 0.0), {"sampling": "sample"}, "output 'spread': is missing"),
        (b"no model", {}, "not an ONNX model: "),
    ],
)
def test_a_wrong_model_is_refused_by_file_and_rule(tmp_path, content, changes, text):
    path = write(tmp_path, content, **changes).with_suffix(".onnx")
    with pytest.raises(ConfigError, match=re.escape(f"{path}: {text}")):
        policies.look_in(tmp_path)
    assert "pupil" not in policies.ids("commons_game")


def test_a_model_that_fails_on_its_first_call_is_refused(tmp_path):
    node = helper.make_node("Div", ["observation", "observation"], ["action"])
    content = model([node], [tensor("observation", [1, 2])], [tensor("action", [1, 2])])
    path = write(tmp_path, content).with_suffix(".onnx")
    text = f"{path}: fails on all-zero observations: pupil.onnx: action [nan, nan]: is not finite"
    with pytest.raises(ConfigError, match=re.escape(text)):
        policies.look_in(tmp_path)


def test_amounts_have_no_mask(tmp_path):
    node = helper.make_node("Add", ["observation", "mask"], ["action"])
    inputs = [tensor("observation", [1, 2]), tensor("mask", [1, 2])]
    write(tmp_path, model([node], inputs, [tensor("action", [1, 2])]))
    with pytest.raises(ConfigError, match="input 'mask': unknown; one of observation"):
        policies.look_in(tmp_path)


def test_a_batch_can_have_any_size(tmp_path):
    node = helper.make_node("Identity", ["observation"], ["action"])
    inputs, outputs = [tensor("observation", ["plays", 2])], [tensor("action", ["plays", 2])]
    assert learned(tmp_path, model([node], inputs, outputs)).id == "pupil"


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"seats": 5}, "pupil: seats = 5: the policy was trained for 4"),
        (
            {"max_connectivity": 5},
            "pupil: the policy sees 'workers_at', whose shape is (8,) here and (7,) where it was "
            "trained",
        ),
        ({"information": "own"}, "pupil: the policy sees 'workers_at', which this game lacks"),
    ],
)
def test_a_game_of_another_form_is_refused_and_named(tmp_path, changes, text):
    seen = [f"workers_at[{mine}]" for mine in range(7)]
    learned(tmp_path, always(*[0.0] * 7, seen=7), GEMS, observation=seen)
    game = type(GEMS)(type(GEMS).resolve("lab_0_7", **changes))
    with pytest.raises(ConfigError, match=re.escape(text)):
        policies.make("pupil", game)


def test_other_choices_are_refused_even_if_the_observations_fit(tmp_path):
    learned(tmp_path, always(*[0.0] * 7), GEMS, observation=["period", "seat"])
    game = type(GEMS)(type(GEMS).resolve("lab_0_7", max_connectivity=5))
    text = (
        "pupil: the policy decides 'mine', which is from 0 to 7 here and from 0 to 6 where it was "
        "trained"
    )
    with pytest.raises(ConfigError, match=text):
        policies.make("pupil", game)


def test_a_game_with_other_numbers_but_the_same_form_is_played(tmp_path):
    learned(tmp_path, always(0.5, -1.0))
    game = type(COMMONS)(type(COMMONS).resolve("governed", max_harvest=20.0))
    assert policies.make("pupil", game).id == "pupil"


def test_a_model_is_asked_in_single_precision(tmp_path):
    policy = learned(tmp_path, linear(np.eye(2), [0.0, 0.0]))
    answer = policy._model.ask(np.array([[1 / 3, 2.0]]), np.zeros((1, 0)), np.ones((1, 2)))
    assert answer.action.tolist() == [[np.float32(1 / 3), 2.0]]


def summed(axis):
    """Return a model that adds the sum of its row, or of all rows, to each number."""
    node = helper.make_node("ReduceSum", ["observation", "axes"], ["sum"], keepdims=1)
    last = helper.make_node("Add", ["observation", "sum"], ["action"])
    ends = [tensor("observation", ["seats", 2])], [tensor("action", ["seats", 2])]
    return model([node, last], *ends, axes=np.array([axis]))


@pytest.mark.parametrize(
    ("content", "together"),
    [
        (summed(1), True),
        (summed(0), False),  # one seat's view would leak to the others
        (always(0.5, -1.0), False),  # the first dimension is 1
    ],
)
def test_many_seats_get_the_same_answers_as_each_alone(tmp_path, content, together):
    model = learned(tmp_path, content)._model
    assert model.together == together
    seen, nothing = np.array([[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]), np.zeros((3, 0))
    actions = model.ask(seen, nothing, np.ones((3, 2))).action
    alone = [model.ask(seen[[row]], nothing[[row]], np.ones((1, 2))).action for row in range(3)]
    assert actions.tolist() == np.concatenate(alone).tolist()


def test_using_a_model_is_reported_to_nobody(tmp_path: Path) -> None:
    """onnxruntime 1.31 keeps an id in `.ses` in the temporary folder and uses it to report usage to
    its vendor over the network.
    """
    script = (
        "from mixed_company import engine, policies; policies.make('commons_ppo_group', "
        "engine.make('commons_game'))"
    )
    variables = {**os.environ, "TMPDIR": str(tmp_path)}
    subprocess.run([sys.executable, "-c", script], env=variables, check=True)
    assert list(tmp_path.iterdir()) == []
