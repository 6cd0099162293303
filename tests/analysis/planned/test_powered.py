"""The power of what a plan tests, by policies that stand for people."""

from __future__ import annotations

import pandas as pd
import pytest

from analysis.planned.powered import powered, unsimulated
from engine.contract.errors import ConfigError
from experiment import treatments
from tests.analysis.planned.made import CHOSEN, TEXT
from tests.experiment.planned import config, plan


def test_power_is_of_each_hypothesis_with_the_policies_that_stand_for_people() -> None:
    own = plan(TEXT.replace("greedy,steward", "noisy_person"))
    setups = treatments.shipped_setups("commons_game", config(own))
    table = powered(own, [setups], [3], repetitions=10, seed=1)
    assert table["hypothesis"].tolist() == ["harvest", "points"]
    assert table["test"].tolist() == ["mann_whitney", "welch"]
    assert table["alpha"].tolist() == [0.025, 0.025]  # two of one family
    with pytest.raises(ConfigError, match="nobody stands for people in treatment 'open'"):
        powered(plan(TEXT.replace('people = "greedy,steward"', "")), [setups], [3])


def test_power_is_with_the_looks_of_the_plan_whoever_does_the_work() -> None:
    text = TEXT.replace("greedy,steward", "noisy_person")
    own = plan(text.replace("groups = 2", 'groups = 8\nlooks = [4]\nspending = "pocock"'))
    setups = treatments.shipped_setups("commons_game", config(own))
    one, two = (
        powered(own, [setups], [4, 8], repetitions=20, seed=1, workers=workers)
        for workers in (1, 2)
    )
    pd.testing.assert_frame_equal(one, two)
    assert one["looks"].tolist() == ["2, 4", "4, 8"] * 2
    assert "looks" not in powered(plan(text), [setups], [3], repetitions=10)


def test_power_says_what_of_a_plan_policies_cannot_stand_for() -> None:
    text = TEXT.replace('changes = { governance = "per_step" }\n', CHOSEN)
    text = text.replace('test = "welch"', 'test = "permutation"\nunit = "session"')
    own = plan(text)
    setups = treatments.shipped_setups("commons_game", config(own))
    assert list(unsimulated(own, [setups])) == [
        "harvest: nobody votes in a simulation; pool is played as it is before any rule is chosen",
        "points: compares sessions, for which policies cannot stand; it has no row",
    ]
