"""Treatments drawn from a space follow from the file and its seed. Impossible spaces are rejected
with a message that names the key."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from mixed_company.engine.contract.errors import ConfigError, UnknownName
from mixed_company.experiment import digests, reading, sealing, treatments
from mixed_company.experiment.plan import Plan
from mixed_company.experiment.planned import described, planned_blocks
from mixed_company.experiment.showing import lines
from mixed_company.experiment.showing_design import correlations, space_shown
from mixed_company.experiment.showing_pay import paid_in
from mixed_company.experiment.space import Space, Variable, design_frame
from tests.experiment.planned import config

SPACE = """
title = "A small space"
session = "commons_small"
groups = 1
people = "greedy,steward"

[space]
points = 4
seed = 1

[space.variables]
periods = { low = 3, high = 6 }
growth_rate = { low = 0.3, high = 0.75 }
talk = { choices = ["off", "free"] }

[space.variables.pool.choices]
off = {}
on = { governance = "per_step" }

[hypotheses.growth]
meaning = "more growth, more harvest"
measure = "harvest"
variable = "growth_rate"
direction = "higher"
"""

BY_HAND = """
title = "A small space"
session = "commons_small"
groups = 2
assignment = "by_group"
people = "greedy,steward"
"""

DRAWN = {  # copied by hand from a first run: the same on every machine
    "p001": {"periods": 6, "growth_rate": 0.687, "talk": "off", "pool": "on"},
    "p002": {"periods": 4, "growth_rate": 0.461, "talk": "free", "pool": "off"},
    "p003": {"periods": 3, "growth_rate": 0.574, "talk": "off", "pool": "on"},
    "p004": {"periods": 5, "growth_rate": 0.348, "talk": "free", "pool": "off"},
}


def plan(text=SPACE, **gaps):
    for old, new in gaps.items():
        assert old in text, old
        text = text.replace(old, new)
    return reading.from_text(text, "space.toml")


def blocks_of(drawn):
    """Return the values that a plan's session stores."""
    shipped = {**config(drawn), "participation_fee": 0, "real_world_currency_per_point": 1}
    return planned_blocks(drawn, {**shipped, "seed": "5"}, shipped)


def space(points=None, design="grid", seed=0, **variables):
    return Space(points=points, design=design, seed=seed, variables=variables)


def test_the_points_follow_from_the_file_alone():
    drawn = plan().space.drawn
    assert drawn == DRAWN
    assert [type(value) for value in drawn["p001"].values()] == [int, float, str, str]
    assert plan(**{"seed = 1": "seed = 2"}).space.drawn != DRAWN


def test_other_designs_follow_from_the_file_alone():
    variables = {"a": Variable(low=1, high=3), "b": Variable(choices=(True, False))}
    grid = design_frame(space(**variables))
    assert grid == {"a": [1, 1, 2, 2, 3, 3], "b": [True, False] * 3}
    part = design_frame(space(3, **variables))
    assert part == {"a": [1, 2, 3], "b": [False, True, True]}  # copied by hand from a first run
    drawn = design_frame(space(4, "random", **variables))
    assert drawn == {"a": [3, 1, 2, 1], "b": [False, False, False, True]}  # likewise


def test_points_are_different_and_cover_all_levels():
    variables = {"a": Variable(low=1, high=4), "b": Variable(choices=("x", "y"))}
    for design in ("sobol", "random"):
        frame = design_frame(space(8, design, seed=3, **variables))
        assert sorted(zip(*frame.values(), strict=True)) == [
            (number, name) for number in (1, 2, 3, 4) for name in ("x", "y")
        ]


def test_a_power_of_two_of_sobol_points_is_even_in_every_variable():
    frame = design_frame(
        space(
            *(64, "sobol", 5),
            a=Variable(low=0.0, high=1.0),
            b=Variable(choices=(1, 2, 3, 4)),
            c=Variable(choices=("x", "y")),
        )
    )
    assert set(Counter(frame["b"]).values()) == {16}
    assert set(Counter(frame["c"]).values()) == {32}
    tenths = Counter(int(min(value, 0.99) * 10) for value in frame["a"])
    assert set(tenths.values()) <= {6, 7}


@pytest.mark.parametrize(
    ("variable", "levels"),
    [
        ({"low": 0.3, "high": 0.6, "step": 0.1}, [0.3, 0.4, 0.5, 0.6]),
        ({"low": 3, "high": 9, "step": 3}, [3, 6, 9]),
        ({"low": 0, "high": 1, "step": 0.5}, [0.0, 0.5, 1.0]),
        ({"choices": [4, 2]}, [4, 2]),
        ({"choices": {"off": {}, "on": {"talk": "free"}}}, ["off", "on"]),
    ],
)
def test_whole_numbers_stay_whole_and_steps_are_exact(variable, levels):
    variable = Variable(**variable)
    values = [variable.level(number) for number in range(variable.count)]
    assert (values, [*map(type, values)]) == (levels, [*map(type, levels)])


def test_a_range_without_a_step_has_values_that_people_can_read():
    mpcr, endowment = Variable(low=0.3, high=0.75), Variable(low=10.0, high=40.0)
    assert (mpcr.count, mpcr.level(1)) == (451, 0.301)
    assert (endowment.count, endowment.level(1)) == (301, 10.1)


def test_a_value_can_set_several_keys():
    text = 'size = { low = 2, high = 3, keys = ["seats", "people_per_group"] }'
    small = plan(**{"periods = { low = 3, high = 6 }": text, "points = 4": "points = 8"})
    for name, point in small.space.drawn.items():
        changes = small.treatments[name].changes
        assert changes["seats"] == changes["people_per_group"] == point["size"]
    sizes = blocks_of(small)[0].sizes
    assert set(sizes.values()) == {2, 3}


def by_hand():
    """Return the plan with the drawn treatments written by hand."""
    lines = [BY_HAND]
    for name, treatment in plan().treatments.items():
        lines += [f"[treatments.{name}]", f"meaning = {json.dumps(treatment.meaning)}"]
        changes = treatment.changes.items()
        lines += [f"changes.{key} = {json.dumps(value)}" for key, value in changes]
    return reading.from_text("\n".join(lines), "hand.toml")


def test_the_treatments_are_those_of_a_plan_written_by_hand():
    drawn, hand = plan(), by_hand()
    assert list(hand.treatments.items()) == list(drawn.treatments.items())
    entries = [described(blocks_of(written)) for written in (drawn, hand)]
    same = ("digests", "order", "treatments", "assignment", "money")
    assert [entries[0][key] for key in same] == [entries[1][key] for key in same]


def test_a_seal_has_the_file_and_the_points(tmp_path):
    drawn = plan()
    shipped = config(drawn)
    series = treatments.shipped_series("commons_game", shipped)
    money = {"participation_fee": 0, "real_world_currency_per_point": 1}
    content = sealing.content_of(drawn, series, {**shipped, **money})
    sealing.seal("small", content, tmp_path)
    seal = sealing.sealed("small", tmp_path)
    assert seal.content["plan"]["space"]["points"] == 4
    assert list(seal.content["plan"]["treatments"]) == seal.order == [*DRAWN]
    assert Plan.model_validate(seal.content["plan"]) == drawn == Plan.trusted(seal.content["plan"])
    moved = json.loads(json.dumps(seal.content["plan"]))
    moved["treatments"]["p002"]["changes"]["periods"] = 5
    with pytest.raises(ValueError, match="the `space` also determines"):
        Plan.model_validate(moved)


def test_people_of_a_space_take_the_places_of_one_group_after_the_other():
    drawn = plan()
    assert drawn.assignment == "by_group"
    block = blocks_of(drawn)[0]
    slots = block.slots_of(0)
    assert slots[::2] == slots[1::2]
    assert sorted(slots[::2]) == [*DRAWN]
    assert slots != block.slots_of(1)


VARIABLES = "space.variables"
REFUSED = [
    ("points = 4", "points = 1", "space.points = 1: should be greater than or equal to 2"),
    ("points = 4\n", "", "space.points = None: design = 'sobol' needs a number"),
    ("points = 4", "point = 4", "space.point = 4: unknown key; did you mean 'points'?"),
    ("points = 4", 'points = 4\ndesign = "soboll"', "design = 'soboll': should be 'sobol', 'grid'"),
    ("high = 6", "high = 2", f"{VARIABLES}.periods.low = 3: should be below high = 2"),
    ("high = 6", "high = 3", f"{VARIABLES}.periods.low = 3: should be below high = 3"),
    (", high = 6", "", f"{VARIABLES}.periods: should be a range, such as"),
    (
        "{ low = 3, high = 6 }",
        "[3, 6]",
        f"{VARIABLES}.periods = [3, 6]: should be a range, such as",
    ),
    ("high = 6", "high = 6, step = 2", "periods.step = 2: high - low = 3 should be a whole number"),
    ("high = 6", "hig = 6", f"{VARIABLES}.periods.hig = 6: unknown key; did you mean 'high'?"),
    ("high = 6", "high = 6, choices = [3]", f"{VARIABLES}.periods.low = 3: applies to a range"),
    ('["off", "free"]', '["off"]', f"{VARIABLES}.talk.choices = ['off']: should be two or more"),
    ('["off", "free"]', '["off", "off"]', "talk.choices = ['off', 'off']: 'off' appears twice"),
    ('"per_step"', '"per_step", talk = "free"', "sets talk, which variable 'talk' also sets"),
    ("[space]", "[changes]\ntalk = 'free'\n[space]", "changes.talk = 'free': variable 'talk' of"),
    ("points = 4", 'points = 4\ndesign = "grid"', "growth_rate.step = None: a grid needs a number"),
    ("[hypotheses", "[treatments.x]\nmeaning = 'x'\n[hypotheses", "leave out one of the two"),
    ("groups = 1", "groups = 0", "groups = 0: should be greater than or equal to 1"),
    ("groups = 1", "groups = 4\nlooks = [2]", "looks = [2]: a regression over a `space` has no"),
    ('"growth_rate"', '"growth"', "growth.variable = 'growth': no such variable of the space; did"),
    ('variable = "growth_rate"\n', "", "hypotheses.growth.variable = '': is missing; one of: gro"),
    ('= "higher"', '= "higher"\ntest = "welch"', "test = 'welch': variables are tested by 'regr"),
    (
        '= "higher"',
        '= "higher"\ntreatments = ["p001", "p002"]',
        "does not apply to plans with a `s",
    ),
]


@pytest.mark.parametrize(("old", "new", "sentence"), REFUSED)
def test_impossible_spaces_are_refused_by_name(old, new, sentence):
    with pytest.raises(ConfigError) as refused:
        plan(**{old: new})
    assert sentence in str(refused.value)


def test_more_points_than_a_design_has_are_refused():
    text = {"growth_rate = { low = 0.3, high = 0.75 }\n": "", '"growth_rate"': '"talk"'}
    for design in ("grid", "sobol", "random"):
        points = f'points = 17\ndesign = "{design}"'
        with pytest.raises(ConfigError, match="points = 17: the space has only 16 different poi"):
            plan(**text, **{"points = 4": points})
        assert len(plan(**text, **{"points = 4": points.replace("17", "16")}).treatments) == 16


def test_a_direction_needs_an_order():
    text = {'["off", "free"]': '["off", "free", "list"]', '"growth_rate"': '"talk"'}
    with pytest.raises(ConfigError, match="direction = 'higher': 3 choices have no order"):
        plan(**text)
    assert plan(**text, **{'"higher"': '"either"'}).hypotheses["growth"].direction == "either"


def test_a_plan_without_a_space_has_no_variables_and_two_groups():
    with pytest.raises(ConfigError, match=r"variable = 'growth': the plan has no `space`"):
        reading.from_text(
            BY_HAND + '[treatments.a]\nmeaning = "a"\n[treatments.b]\nmeaning = "b"\n'
            '[hypotheses.h]\nmeaning = "h"\nmeasure = "harvest"\ntest = "regression"\n'
            'variable = "growth"\n',
            "hand.toml",
        )


def test_an_unknown_key_of_a_variable_is_named_once_with_the_nearest():
    with pytest.raises(UnknownName) as refused:
        config(plan(**{"growth_rate =": "growth_rat =", '"growth_rate"': '"growth_rat"'}))
    assert str(refused.value) == (
        "space.variables.growth_rat = 0.3: unknown key; did you mean 'growth_rate'?"
    )
    with pytest.raises(UnknownName) as refused:
        config(plan(**{"{ governance =": "{ governanc ="}))
    assert str(refused.value) == (
        "space.variables.pool.governanc = 'per_step': unknown key; did you mean 'governance'?"
    )


def test_an_impossible_point_is_refused_with_its_name_key_and_value():
    with pytest.raises(ConfigError) as refused:
        config(
            plan(**{"[space.variables]\n": "[space.variables]\npeople_per_group.choices=[2, 5]\n"})
        )
    sentence = "treatments.p001: people_per_group = 5: should be at most seats, 4"
    assert str(refused.value) == sentence


def test_a_space_is_shown_on_one_screen():
    shown = list(space_shown(plan().space))
    assert shown[0].strip() == "Space: 4 points by a Sobol sequence, seed 1"
    assert "periods      3 to 6, steps of 1" in shown[2]
    assert shown[2].endswith("1 1 1 1")
    assert "at most 1.00 (talk, pool)" in shown[6]
    assert len(shown) == 8


def test_the_pay_of_a_space_is_shown_with_the_points_that_have_its_ends():
    drawn = plan()
    shipped = {**config(drawn), "participation_fee": 2.0, "real_world_currency_per_point": 0.1}
    series = treatments.shipped_series("commons_game", shipped)
    paid = {name: paid_in(drawn, name, setup, shipped) for name, setup in series[0].items()}
    lowest = min(paid, key=lambda name: paid[name].least)
    highest = max(paid, key=lambda name: paid[name].most)
    (line,) = [line for line in lines(drawn, series, shipped) if line.startswith("simulated pay")]
    assert f"lowest {paid[lowest].least:.2f} ({lowest}), highest " in line
    assert f"highest {paid[highest].most:.2f} ({highest});" in line
    low, high = (end(paid, key=lambda name: paid[name].mean) for end in (min, max))
    ends = f"{paid[low].mean:.2f} ({low}) to {paid[high].mean:.2f} ({high})"
    assert f"average per point: from {ends}" in line
    assert line.endswith("over all points; 2.00 of it for taking part")
    nobody = plan(**{'people = "greedy,steward"': ""})
    assert "pay: unknown, because `people`" in "\n".join(lines(nobody, series, shipped))


def test_correlations_are_those_of_the_points():
    """a = 1, 1, 2, 2, 3, 3 and b = x, y, x, y, x, y do not correlate; c follows a."""
    grid = space(a=Variable(low=1, high=3), b=Variable(choices=("x", "y")))
    assert correlations(grid) == {("a", "b"): pytest.approx(0)}


def test_digests_are_unique():
    entry = described(blocks_of(plan()))
    assert len(set(entry["digests"].values())) == 4
    assert digests.of_plan(entry) == entry["digest"]
