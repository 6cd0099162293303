"""The power of what a plan tests, by policies that stand for people."""

from __future__ import annotations

import pandas as pd
import pytest

from analysis.planned.powered import powered, unsimulated
from analysis.power import simulation
from engine.contract.errors import ConfigError
from experiment import treatments
from tests.analysis import elsewhere
from tests.analysis.planned.made import CHOSEN, TEXT
from tests.experiment.planned import SMALL, config, plan

OF_PEOPLE = """
[hypotheses.harvest]
meaning = "people harvest more with a pool"
measure = "harvest"
of = "people"
test = "mann_whitney"
"""


def test_power_is_of_each_hypothesis_with_the_policies_that_stand_for_people() -> None:
    own = plan(TEXT.replace("greedy,steward", "noisy_person"))
    setups = treatments.shipped_setups("commons_game", config(own))
    table = powered(own, [setups], [3], repetitions=10, seed=1)
    assert table["hypothesis"].tolist() == ["harvest", "points"]
    assert table["test"].tolist() == ["mann_whitney", "welch"]
    assert table["alpha"].tolist() == [0.025, 0.025]  # two of one family
    assert "looks" not in table
    with pytest.raises(ConfigError, match="nobody stands for people in treatment 'open'"):
        powered(plan(TEXT.replace('people = "greedy,steward"', "")), [setups], [3])


def test_power_is_with_the_looks_of_the_plan_and_other_processes_can_do_the_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = SMALL.replace("greedy,steward", "noisy_person") + OF_PEOPLE
    own = plan(text.replace("groups = 2", 'groups = 8\nlooks = [4]\nspending = "pocock"'))
    setups = treatments.shipped_setups("commons_game", config(own))
    alone = powered(own, [setups], [4, 6], repetitions=20, seed=1)
    assert alone["looks"].tolist() == ["2, 4", "3, 6"]
    monkeypatch.setattr(simulation, "shared", elsewhere.shared)
    by_others = powered(own, [setups], [4, 6], repetitions=20, seed=1, workers=2)
    pd.testing.assert_frame_equal(alone, by_others)


def test_power_says_what_of_a_plan_policies_cannot_stand_for() -> None:
    text = TEXT.replace('changes = { governance = "per_step" }\n', CHOSEN)
    text = text.replace('test = "welch"', 'test = "permutation"\nunit = "session"')
    own = plan(text)
    setups = treatments.shipped_setups("commons_game", config(own))
    assert list(unsimulated(own, [setups])) == [
        "harvest: nobody votes in a simulation; pool is played as it is before any rule is chosen",
        "points: compares sessions, for which policies cannot stand; it has no row",
    ]
