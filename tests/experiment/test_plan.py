"""Tests that a plan has all required keys, and that errors name the key."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mixed_company.engine.contract.errors import ConfigError, UnknownName
from mixed_company.experiment import digests, reading, sealing, treatments
from mixed_company.experiment.planned import described, planned_blocks
from tests.experiment.planned import BASE, SMALL, config, plan

HYPOTHESIS = """
[hypotheses.more]
meaning = "more"
measure = "harvest"
test = "mann_whitney"
"""
LAST = 'test = "mann_whitney"\n'


def test_a_plan_has_its_treatments_in_order_and_its_defaults():
    small = plan()
    assert list(small.treatments) == ["open", "pool"]
    assert (small.assignment, small.alpha, small.slot_minutes, small.seed) == (
        "balanced",
        0.05,
        15.0,
        None,
    )
    assert small.people_of("pool") == "greedy,steward"


REFUSED = [
    ('session = "commons_small"', "", "small.toml: session: is missing"),
    ("groups = 2", "groups = 1", "small.toml: groups = 1: should be greater than or equal to 2"),
    ("groups = 2", "groups = true", "groups = True: should be a valid integer"),
    (
        "groups = 2",
        "groups = 2\nauthor = 'me'",
        "small.toml: author = 'me': unknown key; did you mean 'authors'?",
    ),
    (
        'meaning = "a pool"',
        'meaning = "a pool"\nchange = 1',
        "treatments.pool.change = 1: unknown key; did you mean 'changes'?",
    ),
    ('meaning = "a pool"', "", "treatments.pool.meaning: is missing"),
    ("[treatments.pool]", '[treatments."a pool"]', "'a pool': should be a letter, then letters"),
    (
        "groups = 2",
        'groups = 2\nassignment = "random"',
        "assignment = 'random': should be 'balanced', 'by_group' or 'arrival'",
    ),
    ("groups = 2", "groups = ", "small.toml: not TOML"),
    (
        'changes = { governance = "per_step" }',
        'changes = { governance = "per_step" }\n[[treatments.pool.changes.questions]]',
        "no other table can extend it; write a separate table, such as [blocks.changes]",
    ),
    (
        'changes = { governance = "per_step" }',
        'changes = { governance = "per_step" }\n[treatments.pool.changes.layers]',
        "no other table can extend it; write a separate table, such as [blocks.changes]",
    ),
]


@pytest.mark.parametrize(("old", "new", "sentence"), REFUSED)
def test_mistakes_in_the_file_are_named(old, new, sentence):
    with pytest.raises(ConfigError) as refused:
        plan(**{old: new})
    assert sentence in str(refused.value)


def test_a_single_treatment_compares_nothing():
    with pytest.raises(ConfigError, match=r"treatments.*should be two or more"):
        plan(SMALL[: SMALL.index("[treatments.pool]")])


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('test = "mann_whitney"', "", "hypotheses.more.test: is missing"),
        ('measure = "harvest"', "", "hypotheses.more.measure: is missing"),
        (LAST, f'{LAST}treatments = ["open", "pol"]\n', "'pol': no such treatment; did you mean"),
        (LAST, f'{LAST}treatments = ["open"]\n', "should be two or more, without duplicates"),
        (LAST, f'{LAST}treatments = ["open", "open"]\n', "two or more, without duplicates"),
    ],
)
def test_a_hypothesis_has_a_measure_and_a_test_of_treatments_of_the_plan(old, new, sentence):
    with pytest.raises(ConfigError) as refused:
        plan(SMALL + HYPOTHESIS.replace(old, new))
    assert sentence in str(refused.value)


def test_a_key_of_the_plan_in_a_table_is_sent_to_its_place():
    """A line at the end of the file belongs to the last table in it."""
    sentence = "people is a key of the plan: write it above the first [table] of the file"
    line = 'people = "greedy"\n'
    with pytest.raises(ConfigError) as refused:
        plan(SMALL + HYPOTHESIS + line)
    assert str(refused.value) == (
        f"small.toml: hypotheses.more.people = 'greedy': unknown key; {sentence}"
    )
    with pytest.raises(UnknownName) as refused:
        config(plan(SMALL + f"[changes]\n{line}"))
    assert str(refused.value) == f"changes.people = 'greedy': unknown key; {sentence}"
    plan(SMALL + line)  # a treatment has a key with this name
    place = SMALL.index("[")
    plan(SMALL[:place].replace('people = "greedy,steward"', "") + line + SMALL[place:])


def test_a_plan_is_found_by_its_name(tmp_path):
    (tmp_path / "small.toml").write_text(SMALL, "utf-8")
    assert reading.find("small", tmp_path) == plan()
    assert reading.names(tmp_path / "nowhere") == []
    with pytest.raises(UnknownName, match=r"plan 'smal': .*; did you mean 'small'"):
        reading.find("smal", tmp_path)
    (tmp_path / "Big Plan.toml").write_text(SMALL, "utf-8")
    with pytest.raises(ConfigError, match="lower-case letters, digits and _"):
        reading.find("Big Plan", tmp_path)


# -- the session config, and its plays -------------------------------------------------------------


def test_a_plan_becomes_a_session_config_of_its_own():
    created = config()
    assert (created["name"], created["display_name"]) == ("small", "A small experiment")
    assert created["app_sequence"] == ["commons_game"]
    assert created["num_demo_participants"] == 4  # two people in a group of each treatment
    assert created["plan"]["plan"]["treatments"]["pool"]["changes"] == {"governance": "per_step"}
    assert all(created[key] == value for key, value in BASE.items() if key in ("periods", "bots"))


def played(small, **changes):
    shipped = config(small)
    return treatments.series(small, {**shipped, "seed": "7", **changes}, shipped)[0]


def test_each_treatment_has_its_changes_and_nothing_else():
    setups = played(plan(), periods=5)
    assert [setup.game.core.governance for setup in setups.values()] == ["none", "per_step"]
    assert [setup.game.core.periods for setup in setups.values()] == [5, 5]
    assert {setup.config["identity"]["seed"] for setup in setups.values()} == {7}


def test_a_treatment_can_use_another_archetype_with_the_changes_of_the_plan():
    # `governed` has the default growth rate of 0.3, `lab` has 0.7; periods stay those of the plan
    changed = 'changes = { archetype = "governed" }'
    text = SMALL.replace('changes = { governance = "per_step" }', changed)
    text = text.replace("groups = 2", "groups = 2\nchanges = { periods = 4 }")
    setups = played(plan(text))
    assert setups["pool"].game.core.growth_rate == 0.3
    assert setups["pool"].game.core.governance == "per_step"
    assert [setup.game.core.periods for setup in setups.values()] == [4, 4]


def test_layers_bots_and_options_can_differ():
    changes = """changes.bots = "greedy"
changes.decision_seconds = 10.0
changes.layers.temporal = { intensity = 1, reward_delay = 1 }"""
    setups = played(plan(**{'changes = { governance = "per_step" }': changes}))
    pool = setups["pool"]
    assert (pool.options.bots, pool.options.decision_seconds) == ("greedy", 10.0)
    assert pool.game.config.layers.temporal.reward_delay == 1
    assert setups["open"].options.bots == "steward"


WRONG = [
    (
        'session = "commons_small"',
        'session = "commons_smal"',
        "session = 'commons_smal': no such session config; did you mean 'commons_small'?",
    ),
    ('governance = "per_step"', "goverance = 1", "treatments.pool.changes.goverance = 1: unknown"),
    ('governance = "per_step"', "growth_rate = -1", "treatments.pool: core.growth_rate = -1"),
    ('governance = "per_step"', "seed = 1", "changes.seed = 1: follows from the plan"),
    ('governance = "per_step"', "language = 'de'", "is the same for the whole session; set it in"),
    ('governance = "per_step"', "participation_fee = 1", "is the same for the whole session"),
    ('governance = "per_step"', 'governance = "none"', "treatments.pool: the same as treatment"),
    ('governance = "per_step"', "people_per_group = 5", "treatments.pool: people_per_group = 5"),
    ("greedy,steward", "gredy", "people = 'gredy': "),
    (
        'governance = "per_step"',
        'talk = "free", talk_when = "always", talk_seconds = 60.0, decision_seconds = 45.0',
        "treatments.pool: talk_seconds = 60: longer than a period (decision_seconds = 45)",
    ),
    ("groups = 2", "groups = 2\nchanges = { name = 'x' }", "changes.name = 'x': follows from"),
]


@pytest.mark.parametrize(("old", "new", "sentence"), WRONG)
def test_an_unplayable_plan_is_refused_by_name(old, new, sentence):
    with pytest.raises((ConfigError, UnknownName)) as refused:
        config(plan(**{old: new}))
    assert sentence in str(refused.value)


def test_a_session_cannot_change_keys_in_which_treatments_differ():
    with pytest.raises(ConfigError, match="governance = 'accumulating': treatment 'pool' of the p"):
        played(plan(), governance="accumulating")


def test_a_plan_cannot_have_the_name_of_a_session_config():
    with pytest.raises(ConfigError, match="a session config already has this name"):
        treatments.session_config("commons_small", plan(), [BASE])


def test_the_seed_of_a_plan_gives_each_session_a_seed_of_its_own():
    seeded = plan(**{"groups = 2": "groups = 2\nseed = 5"})
    first, second = treatments.own_seed(seeded, "abc"), treatments.own_seed(seeded, "abd")
    assert first != second
    assert first == treatments.own_seed(seeded, "abc")
    assert treatments.own_seed(plan(), "abc") == ""


# -- the seal --------------------------------------------------------------------------------------

MONEY = {"participation_fee": 2.0, "real_world_currency_per_point": 0.1}


def content(small):
    return sealing.content_of(small, [played(small)], MONEY)


def test_a_seal_contains_everything_that_is_played_except_the_seed(tmp_path):
    path = sealing.seal("small", content(plan()), tmp_path)
    seal = sealing.sealed("small", tmp_path)
    other_seed = sealing.content_of(plan(), [played(plan(), seed="8")], MONEY)
    assert seal == sealing.Seal.of("small", seal.sealed, content(plan()))
    assert seal == sealing.Seal.of("small", seal.sealed, other_seed)
    assert json.loads(path.read_text("utf-8"))["plan"] == "small"
    assert sealing.sealed("other", tmp_path) is None


def test_a_seal_is_permanent(tmp_path):
    sealing.seal("small", content(plan()), tmp_path)
    with pytest.raises(ConfigError, match=r"plan 'small': already sealed .* another name"):
        sealing.seal("small", content(plan()), tmp_path)


def test_a_changed_seal_is_detected(tmp_path):
    path = sealing.seal("small", content(plan()), tmp_path)
    path.write_text(path.read_text("utf-8").replace('"groups": 2', '"groups": 3'), "utf-8")
    with pytest.raises(ConfigError, match="its hash does not match its content"):
        sealing.sealed("small", tmp_path)


def test_two_contents_are_compared_key_by_key():
    other = plan(**{"groups = 2": "groups = 4\nchanges = { periods = 9 }"})
    names = ("sealed", "now")
    lines = list(sealing.different(content(plan()), content(other), names))
    assert "plan.groups: sealed 2, now 4" in lines
    assert "treatments.open.core.periods: sealed 3, now 9" in lines
    assert list(sealing.different(content(plan()), content(plan()), names)) == []


def test_the_shipped_plans_can_be_played():
    from settings import SESSION_CONFIGS

    names = reading.names(Path("plans"))
    assert len(names) >= 2
    by_name = {entry["name"]: entry for entry in SESSION_CONFIGS}
    for name in names:
        shipped_plan = reading.find(name, Path("plans"))
        assert by_name[name]["plan"]["name"] == name
        assert shipped_plan.sources
        assert shipped_plan.hypotheses


# -- blocks ----------------------------------------------------------------------------------------

BLOCKS = """
[[blocks]]
name = "first"
meaning = "as it is"

[[blocks]]
name = "second"
meaning = "with little"
changes = { capacity = 60.0 }
"""


def blocked(**gaps):
    text = SMALL + BLOCKS
    for old, new in gaps.items():
        assert old in text
        text = text.replace(old, new)
    return reading.from_text(text, "small.toml")


def test_blocks_are_consecutive_apps_with_their_changes():
    small = blocked()
    created = config(small)
    assert created["app_sequence"] == ["commons_game", "commons_game_2"]
    series = treatments.series(small, {**created, "seed": "7"}, created)
    capacity = [[setup.game.core.capacity for setup in setups.values()] for setups in series]
    assert capacity[1] == [60.0, 60.0] != capacity[0]
    governance = [[setup.game.core.governance for setup in setups.values()] for setups in series]
    assert governance == [["none", "per_step"]] * 2


def test_a_treatment_can_change_its_own_block_and_one_treatment_is_enough():
    varied = "\n[treatments.pool.blocks.second]\nchanges = { capacity = 70.0 }\n"
    small = reading.from_text(SMALL + varied + BLOCKS, "small.toml")
    second = treatments.setups(small, {**config(small), "seed": "7"}, config(small), 2)
    assert [setup.game.core.capacity for setup in second.values()] == [60.0, 70.0]
    text = SMALL[: SMALL.index("[treatments.pool]")] + BLOCKS
    assert list(reading.from_text(text, "small.toml").treatments) == ["open"]


def test_changes_by_blocks_are_in_the_seal():
    first, second = blocked(), blocked(**{"capacity = 60.0": "capacity = 61.0"})
    contents = [
        sealing.content_of(
            blocked_plan, treatments.shipped_series("commons_game", config(blocked_plan)), MONEY
        )
        for blocked_plan in (first, second)
    ]
    lines = list(sealing.different(*contents, ("sealed", "now")))
    assert "blocks.second.open.core.capacity: sealed 60.0, now 61.0" in lines


OTHER = "groups = 2\n"
FIRST_TOLD = '[treatments.pool.blocks.first]\ninstruction = "x"\n\n'
ASKED_LAST = 'changes = { questions = "questions/questionnaire.toml" }\n'
FIRST = 'name = "first"\n'
CHANGES = "changes = { capacity = 60.0 }\n"
ASKED_BEFORE = """
repeat = 2
[[blocks.changes.questions]]
name = "mood"
text = "How are you?"
when = "before"
type = "text"
"""
CHOSEN = """
repeat = 2
[blocks.changes.rules.low]
meaning = "There is little."
changes = { capacity = 60.0 }

[blocks.changes.rules.high]
meaning = "There is much."
changes = { capacity = 90.0 }
"""
WRONG_BLOCKS = [
    ({OTHER: OTHER + "matching = 'stranger'\n"}, "matching = 'stranger': should be 'partners'"),
    ({OTHER: OTHER + "matching = 'strangers'\n"}, "with only one group, everyone meets again; set"),
    ({OTHER: OTHER + "matching_groups = 2\n"}, "matching_groups = 2: partners stay in their group"),
    (
        {OTHER: OTHER + "matching = 'perfect_strangers'\nmatching_groups = 4\n"},
        "roles = 'kept': perfect_strangers can keep their seats only if people have all the seats",
    ),
    (
        {
            OTHER: OTHER + "matching = 'perfect_strangers'\nmatching_groups = 2\n",
            'name = "second"': 'name = "second"\nmeaning = "a"\n[[blocks]]\nname = "third"',
        },
        "matching_groups = 2: perfect_strangers in groups of 2 would meet twice in 3 blocks; use 3",
    ),
    ({"capacity = 60.0": "capasity = 60.0"}, "blocks.second.changes.capasity = 60.0: unknown key"),
    (
        {"capacity = 60.0": "people_per_group = 1"},
        "blocks.second: groups of treatment 'open' have 1",
    ),
    ({"capacity = 60.0": "quiz = false"}, "blocks.second.changes.quiz = False: applies once"),
    ({"capacity = 60.0": "seed = 1"}, "blocks.second.changes.seed = 1: follows from the plan"),
    ({"capacity = 60.0": "seats = 3"}, "roles = 'kept': block 'second' has 3 seats, the first 4"),
    ({'name = "second"': 'name = "first"'}, "blocks = 'first': appears twice"),
    ({'name = "second"': 'name = "second"\nsesion = "x"'}, "sesion = 'x': unknown key"),
    ({'name = "second"': 'name = "second"\nsession = "x"'}, "blocks.second.session = 'x': no such"),
    ({'name = "second"': 'name = "second"\npeople = "gredy"'}, "blocks.second.people = 'gredy'"),
    ({'name = "first"': 'name = "first"\ninstruction = "x"'}, "the session config determines how"),
    (
        {'[[blocks]]\nname = "first"': FIRST_TOLD + '[[blocks]]\nname = "first"'},
        "treatments.pool.blocks.first.instruction = 'x': the first block",
    ),
    (
        {"{ capacity = 60.0 }": "{ questions = [] }", OTHER: OTHER + ASKED_LAST},
        "blocks.first: question 'age' would be asked at the end of the last block",
    ),
    ({BLOCKS: BLOCKS.partition("\n\n")[0] + "\n"}, "blocks: there is only one; name two or more"),
    ({FIRST: FIRST + "repeat = 0\n"}, "blocks.0.repeat = 0: should be greater than or equal to 1"),
    ({FIRST: FIRST + "repeat = 20\n"}, "blocks: there are 21 plays in all; at most 20 are"),
    (
        {FIRST: FIRST + "repeat = 2\n", 'name = "second': 'name = "first_2'},
        "blocks = 'first_2': appears twice",
    ),
    (
        {FIRST: FIRST + "repeat = 2\n", OTHER: OTHER + "pay_blocks = 'one'\n"},
        "pay_blocks = 'one': a block with `repeat` has several plays, and all of them must be paid",
    ),
    (
        {CHANGES: ASKED_BEFORE},
        "blocks.second.repeat = 2: questions (mood) would be repeated before or after",
    ),
    ({CHANGES: CHOSEN}, "blocks.second.repeat = 2: rules (low, high) would be repeated before or"),
    ({BLOCKS: "", OTHER: OTHER + "pay_blocks = 'one'\n"}, "pay_blocks = 'one': there are no `blo"),
    ({BLOCKS: BLOCKS + HYPOTHESIS}, "hypotheses.more.block: is missing; name one of first, second"),
    ({BLOCKS: BLOCKS + HYPOTHESIS + "block = 'secnd'\n"}, "'secnd': no such block; did you mean"),
    ({BLOCKS: BLOCKS + HYPOTHESIS + "blocks = ['first']\n"}, "should be two different blocks"),
]


@pytest.mark.parametrize(("gaps", "sentence"), WRONG_BLOCKS)
def test_blocks_that_cannot_follow_each_other_are_refused_by_name(gaps, sentence):
    with pytest.raises((ConfigError, UnknownName)) as refused:
        config(blocked(**gaps))
    assert sentence in str(refused.value)


def test_a_repeated_block_is_several_plays_with_one_set_of_rules():
    small = blocked(**{FIRST: FIRST + "repeat = 2\n"})
    created = config(small)
    assert created["app_sequence"] == ["commons_game", "commons_game_2", "commons_game_3"]
    plays = planned_blocks(small, {**created, "seed": "7", **MONEY}, {**created, **MONEY})
    assert plays[0].blocks == ("first_1", "first_2", "second")
    assert [play.part for play in plays] == ["first", "first", "second"]
    assert [play.part_number for play in plays] == [1, 1, 2]
    assert [play.round for play in plays] == [(1, 2), (2, 2), (1, 1)]
    assert [play.continues for play in plays] == [False, True, False]
    assert [play.is_last_of_part for play in plays] == [False, True, True]
    assert plays[0].setups == plays[1].setups != plays[2].setups
    entry = described(plays)
    assert entry["parts"] == ("first", "first", "second")
    assert set(entry["digests"]) == {
        *("open, first", "pool, first", "open, second", "pool, second")
    }
    series = treatments.shipped_series("commons_game", {**created, **MONEY})
    content = sealing.content_of(small, series, {**created, **MONEY})
    assert entry["digests"] == digests.parts_of(content)["digests"]


def test_a_block_with_worthless_points_is_not_drawn():
    small = blocked(**{OTHER: OTHER + "pay_blocks = 'one'\n"})
    shipped = config(small)
    with pytest.raises(ConfigError, match="pay_blocks = 'one': points have no cash value"):
        treatments.series(
            small, {**shipped, "seed": "7", "real_world_currency_per_point": 0}, shipped
        )
