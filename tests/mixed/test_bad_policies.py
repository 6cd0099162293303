"""Tests that invalid cards and models quickly lead to one sentence and exit code 2."""

from __future__ import annotations

import json

import pytest
from onnx import helper, load_from_string

from mixed_company import policies
from mixed_company.policies.trained.operators import operators
from tests.bots.trained.models import COMMONS, always, card, model, tensor, write
from tests.mixed.bad import DEEP, refused

pytestmark = pytest.mark.usefixtures("folders_forgotten")


def endless() -> bytes:
    """Return a model that counts forever."""
    body = helper.make_graph(
        [
            helper.make_node("Identity", ["going"], ["going_on"]),
            helper.make_node("Add", ["sum", "step"], ["more"]),
        ],
        "body",
        [tensor("turn", [], 7), tensor("going", [], 9), tensor("sum", [1, 2])],
        [tensor("going_on", [], 9), tensor("more", [1, 2])],
    )
    nodes = [
        helper.make_node("Cast", ["truth"], ["true"], to=9),
        helper.make_node("Loop", ["", "true", "observation"], ["action"], body=body),
    ]
    inputs, outputs = [tensor("observation", [1, 2])], [tensor("action", [1, 2])]
    return model(nodes, inputs, outputs, truth=1.0, step=[[1.0, 1.0]])


def test_a_model_that_never_ends(tmp_path, capsys):
    write(tmp_path, endless())
    message = refused(capsys, "judge", "pupil", "--folder", tmp_path)
    assert "pupil.onnx: the model uses the operator Loop" in message


def test_a_loop_is_found_in_inner_graphs(tmp_path):
    inner = load_from_string(endless()).graph
    branches = {"then_branch": inner, "else_branch": inner}
    node = helper.make_node("If", ["true"], ["action"], **branches)
    content = model([node], [], [tensor("action", [1, 2])])
    assert operators(content) == {"If", "Cast", "Loop", "Identity", "Add"}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"seed": -1}, "seed"),
        ({"seed": 10**400}, "seed"),
        ({"config": {}}, "config"),
        ({"memory": 10**9}, "memory"),
    ],
)
def test_a_card_with_an_invalid_number(tmp_path, capsys, changes, words):
    write(tmp_path, always(0.0, 0.0), **changes)
    assert words in refused(capsys, "judge", "pupil", "--folder", tmp_path)


@pytest.mark.parametrize("periods", [10**9, 10**400])
def test_a_card_with_an_impossible_number_of_periods(tmp_path, capsys, periods):
    config = COMMONS.config.model_dump(mode="json")
    config["core"]["periods"] = periods
    write(tmp_path, always(0.0, 0.0), config=config)
    assert "periods" in refused(capsys, "judge", "pupil", "--folder", tmp_path)


@pytest.mark.parametrize("depth", [200, 900, DEEP])
@pytest.mark.parametrize("key", ["config", "id", "scores", "observation"])
def test_a_card_that_is_nested_too_deeply(tmp_path, capsys, key, depth):
    path = write(tmp_path, always(0.0, 0.0))
    whole = json.dumps({**card(COMMONS), key: "here"})
    path.write_text(whole.replace('"here"', "[" * depth + "]" * depth))
    assert str(path) in refused(capsys, "judge", "pupil", "--folder", tmp_path)
    assert "pupil" not in policies.ids("commons_game")
