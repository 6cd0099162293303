"""People's decisions in groups of strangers are followed from play to play."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from mixed_company import analysis
from mixed_company.analysis.behaviour.decisions import FIRST, decided
from mixed_company.analysis.behaviour.worth import expected_points
from tests.analysis.importing.tables import MAP, STRANGERS, STRANGERS_MAP, done


def test_strangers_face_the_last_actions_of_the_people_they_met_before(tmp_path):
    decisions = decided(done(tmp_path, STRANGERS, STRANGERS_MAP).data.by_block())
    panel = decisions.panel
    assert panel is not None
    keys = decisions.keys
    assert keys["participant"].tolist() == ["a", "a", "c", "c", "b", "b", "d", "d"]
    assert keys["period"].tolist() == [0, 1] * 4
    assert keys["group"].unique().tolist() == [1]  # all four mix, so they are one independent unit
    assert panel.why.tolist() == [FIRST, ""] * 4
    # in the first period a (20) met b (0), and c (5) met d (10)
    assert panel.others[1::2].tolist() == [0.0, 10.0, 20.0, 5.0]
    assert panel.own_action[1::2].tolist() == [20.0, 5.0, 0.0, 10.0]
    assert panel.action[1::2].tolist() == [15.0, 0.0, 5.0, 20.0]
    # 20 - x + 0.75 (x + others), at x = 0 and x = 20: 20 and 15 for a, who met 0
    points = expected_points(panel)
    assert points[1, [0, -1]].tolist() == [20.0, 15.0]
    assert points[5, [0, -1]].tolist() == [35.0, 30.0]  # b met 20


def test_people_who_meet_again_are_explained_as_partners(tmp_path):
    rows = "1,1,a,20\n1,1,b,0\n1,2,a,10\n1,2,b,20\n1,3,a,5\n1,3,b,15\n"
    table = f"group,period,person,give\n{rows}"
    partners = decided(done(tmp_path, table).data.by_block()).panel
    strangers = MAP.replace("[config]", 'matching = "strangers"\n[config]', 1)
    followed = decided(done(tmp_path, table, strangers).data.by_block()).panel
    assert partners is not None
    assert followed is not None
    for name in ("others", "own_action", "action", "reward", "person"):
        np.testing.assert_array_equal(getattr(partners, name), getattr(followed, name))
    assert partners.why.tolist() == followed.why.tolist()
    np.testing.assert_allclose(expected_points(partners), expected_points(followed))


def test_first_choice_of_every_play_is_left_out():
    """Choices have no mean, so a play does not continue the choices of the previous play."""
    data = analysis.simulated(
        "gem_mining", ["random"] * 4, groups=2, seed=1, archetype="lab", periods=2
    )
    plays = data.config.assign(block="again", play=[0, 1], matching_group=1)
    same = {"participant": data.decisions["seat"].map("p{}".format)}
    frames = {"config": plays, "decisions": data.decisions.assign(**same)}
    panel = decided(replace(data, **frames)).panel
    assert panel is not None
    assert panel.why.tolist() == [FIRST, "", FIRST, ""] * 4
    assert np.isfinite(expected_points(panel)[1::2, :2]).all()
