"""External games get every feature just by following the contract."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from mixed_company import engine
from mixed_company.engine import Episode
from mixed_company.engine import kit as check
from mixed_company.engine.kit.layers import settings
from mixed_company.engine.play import record
from mixed_company.policies.rollout import rollout
from tests.engine.layers.wells import Thirsty, Well


def well(**parameters):
    return engine.make(Well, **parameters)


def test_it_takes_less_than_eighty_lines():
    source = Path(__file__).with_name("wells.py").read_text()
    game = source[source.index("class WellCore") : source.index("class Thirsty")]
    assert len(game.splitlines()) < 80


def test_it_passes_the_conformance_kit_with_every_layer():
    assert list(check.faults(well())) == []
    assert set(settings(well())) == set(type(well().config.layers).model_fields)


@pytest.mark.parametrize("timing", ["simultaneous", "sequential"])
def test_policies_play_it_with_all_layers_until_every_seat_is_full(timing):
    layers = {name: {**layer, "intensity": 1} for name, layer in settings(well()).items()}
    layers["power"] = {}
    game = well(layers=layers, agents={"timing": timing, "may_leave": True})
    steps = list(rollout(engine.Episode(game, 2), [Thirsty(game.core)] * 4, leaving={1: [3]}))
    assert steps[-1].done
    assert steps[1].leaving == (3,)
    assert steps[-1].seat_reasons[3] == "left"


def test_a_seat_that_is_full_ends_and_the_others_go_on():
    # Seat 0 draws 5 per period, 15 after three; the others draw 1.
    play = Episode(well(), seed=0)
    for _ in range(3):
        step = play.step({"draw": [5, 1, 1, 1]})
    assert step.seat_reasons == ("full", None, None, None)
    assert step.seat_results == ("success", None, None, None)
    assert step.seat_done.tolist() == [True, False, False, False]
    assert not step.done
    assert step.endings == {0: "full"}
    assert np.isnan(play.observation(0)["water"])
    assert play.observation(0)["ended"]
    assert not play.observation(1)["ended"]
    later = play.step({"draw": [None, 1, 1, 1]})
    assert later.rewards.tolist() == [0, 1, 1, 1]
    assert later.used["draw"].tolist() == [0, 1, 1, 1]


def test_its_log_names_the_endings_of_seats_and_replays():
    game = well(instrumentation={"seat": 1})
    actions = [{"draw": [5, 1, 1, 1]}] * 3 + [{"draw": [None, 1, 1, 1]}] * 3
    lines = json.loads(json.dumps(record.play(game, actions, 5)))
    endings = [line for line in lines if line.get("event") == "ending"]
    assert [(ending.get("seat"), ending["reason"]) for ending in endings] == [
        (0, "full"),
        (None, "horizon"),
    ]
    assert [line for line in lines if line.get("event") == "clamped"] == []
    assert record.replay(lines, game) == []
