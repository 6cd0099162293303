"""An export against its plan: the planned test and no other, and every deviation that shows."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from io import StringIO
from typing import Any

import pandas as pd
import pytest
from scipy.stats import norm

import analysis
from analysis import measures, report, statistics
from analysis.data import Data
from analysis.planned import tested as hypotheses
from analysis.planned.checking import remarks
from analysis.planned.deviations import deviations
from analysis.planned.looks import taken
from analysis.planned.powered import powered, unsimulated
from analysis.planned.tested import of_plan
from analysis.report import planned as part
from analysis.report.excluded import Excluded
from analysis.report.parts import worded
from analysis.statistics.spending import levels
from engine.contract.errors import ConfigError, UnknownName
from experiment import sealing, treatments
from experiment.plan import Plan
from experiment.sealing import Seal
from tests.analysis.audit.tables import FEE, RATE
from tests.analysis.planned import export
from tests.analysis.report.made import undrawn
from tests.experiment.planned import SMALL, config, plan

MEAN_HARVEST = """
[hypotheses.harvest]
meaning = "more is harvested with a pool"
measure = "harvest"
test = "mann_whitney"
"""
HYPOTHESES = f"""{MEAN_HARVEST}
[hypotheses.points]
meaning = "more is earned"
measure = "mean_points"
test = "welch"
treatments = ["pool", "open"]
"""
TEXT = SMALL + HYPOTHESES
MONEY = {"participation_fee": FEE, "real_world_currency_per_point": RATE}
RULES = {"bot_delay": "fixed:seconds=2", "quiz": False}  # of the tables that tests play


def content(own: Plan, **changes: Any) -> dict[str, Any]:
    shipped = config(own)
    played = treatments.series(own, {**shipped, **RULES, "seed": "0", **changes}, shipped)
    return sealing.content_of(own, played, MONEY)


def sealed(own: Plan, when: str = "1970-01-01T00:00:00+00:00", **changes: Any) -> Seal:
    held = content(own, **changes)
    return Seal(plan="small", sealed=when, digest=sealing.digest_of(held), content=held)


def played(own: Plan, groups: int) -> Data:
    """Simulated groups of each treatment, as those of one session config."""
    setups = treatments.shipped_setups("commons_game", config(own))
    seats = {"people": ["noisy_person", "steward"], "bots": ["steward"]}
    parts = [
        analysis.simulated(setup.game, **seats, groups=groups, seed=at, treatment=name)
        for at, (name, setup) in enumerate(setups.items())
    ]
    data = analysis.joined(*parts)
    return replace(data, config=data.config.assign(session_config="small"))


# -- before the data ------------------------------------------------------------------------------


def sentences(text: str) -> list[str]:
    return [f"{one.wrong} {one.sentence}" for one in remarks(plan(text), ["commons_game"])]


def test_a_plan_says_what_it_lacks() -> None:
    found = sentences(SMALL.replace('people = "greedy,steward"', ""))
    assert [line.split(":")[0] for line in found] == [
        *("False sources", "False hypotheses", "False exclusions", "False stopping"),
        "False people",
    ]


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('"harvest"', '"harvests"', "harvests': no measure of groups; did you mean 'harvest'?"),
        ('"welch"', '"welsh"', "test = 'welsh': no such test; did you mean 'welch'?"),
        ("groups = 2", "groups = 3", "groups = 3: too few for 2 tests of family 'main'"),
    ],
)
def test_what_cannot_be_tested_is_named(old: str, new: str, sentence: str) -> None:
    text = TEXT if "groups" in old else TEXT.replace("groups = 2", "groups = 20")
    found = sentences(text.replace(old, new))
    assert any(line.startswith("True") and sentence in line for line in found), found


def test_a_test_of_two_treatments_is_not_of_three() -> None:
    third = '\n[treatments.rich]\nmeaning = "more"\nchanges = { capacity = 200.0 }\n'
    found = sentences(TEXT.replace("groups = 2", "groups = 20") + third)
    named = [line for line in found if "compares 2 treatments, not 3" in line]
    assert [line.split(".")[1] for line in named] == ["harvest"]  # the other names two


def test_groups_of_5_can_be_significant_once_and_not_four_times() -> None:
    # 2 / (10 over 5) = 0.0079: below 0.05 also for two tests, 0.0159
    assert not [
        line for line in sentences(TEXT.replace("groups = 2", "groups = 5")) if "few" in line
    ]
    # 2 / (8 over 4) = 0.0286: not below 0.05 for two, 0.0571
    assert [line for line in sentences(TEXT.replace("groups = 2", "groups = 4")) if "few" in line]


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
    text = TEXT.replace('governance = "per_step"', 'talk = "free", talk_when = "before"')
    own = plan(text.replace('test = "welch"', 'test = "permutation"\nunit = "session"'))
    setups = treatments.shipped_setups("commons_game", config(own))
    assert list(unsimulated(own, [setups])) == [
        "harvest: nobody talks in a simulation; in pool policies do as where nobody does",
        "points: compares sessions, for which policies cannot stand; it has no row",
    ]


LIMITED = """
[changes]
layers.power = { intensity = 1.0, limits = { member = { harvest = 1.0 } } }

[treatments.open]"""
VOTED = """
changes.rules.low = { meaning = "little" }
changes.rules.much = { meaning = "as one likes", changes.layers.power = { intensity = 0.0 } }
"""


def test_power_is_of_groups_that_choose_their_rule() -> None:
    """Under the limit both treatments are alike. Noisy people earn most without it and say so,
    stewards are bots and abstain: all groups that vote take more."""
    text = TEXT.replace("[treatments.open]", LIMITED)
    text = text.replace('changes = { governance = "per_step" }\n', VOTED)
    text = text.replace("greedy,steward", "noisy_person").replace(MEAN_HARVEST, "")
    own = plan(text)
    (setups,) = treatments.shipped_series("commons_game", config(own))
    assert powered(own, [setups], [3], repetitions=10)["power"].tolist() == [1.0]


def test_sessions_and_people_can_be_named_and_what_does_not_fit_is_said() -> None:
    many = TEXT.replace("groups = 2", "groups = 20")
    within = many.replace('test = "mann_whitney"', 'test = "wilcoxon"\nunit = "session"')
    stratified = many.replace('test = "mann_whitney"', 'test = "stratified"')
    for text in (within, stratified, many.replace('"welch"', '"welch"\nof = "people"')):
        wrong = [line for line in sentences(text) if line.startswith("True")]
        assert [line for line in wrong if "mean_points" not in line] == []
    between = many.replace('test = "mann_whitney"', 'test = "mann_whitney"\nunit = "session"')
    assert any("no test within units" in line for line in sentences(between))
    third = '\n[treatments.rich]\nmeaning = "more"\nchanges = { capacity = 200.0 }\n'
    assert any("by session two are compared" in line for line in sentences(stratified + third))


def test_where_treatments_differ_in_bots_the_check_points_to_people() -> None:
    own = plan(TEXT)
    differ = own.model_copy(
        update={
            "treatments": {
                **own.treatments,
                "pool": own.treatments["pool"].model_copy(update={"changes": {"bots": "greedy"}}),
            }
        }
    )
    said = [one.sentence for one in remarks(differ, ["commons_game"])]
    assert sum("treatments differ in bots" in sentence for sentence in said) == 2
    assert not [line for line in sentences(TEXT) if "differ in bots" in line]


# -- the tests ------------------------------------------------------------------------------------


def test_each_hypothesis_has_its_one_test_corrected_within_its_family() -> None:
    own = plan(TEXT)
    data = of_plan(played(own, 6), "small", own)
    table = hypotheses.tested([data], own, None)
    frame = measures.groups(data, ["harvest", "mean_points"])
    first = statistics.compare(statistics.units(frame, "harvest"), "mann_whitney")
    second = statistics.compare(
        statistics.units(frame, "mean_points"), "welch", treatments=["pool", "open"]
    )
    assert table["p"].tolist() == [first.p, second.p]
    assert table["effect"].tolist() == [first.effect, second.effect]
    both = statistics.corrected([first, second])
    assert table["p_corrected"].tolist() == [one.p_corrected for one in both]
    apart = plan(TEXT.replace('test = "welch"', 'test = "welch"\nfamily = "money"'))
    assert hypotheses.tested([data], apart, None)["p_corrected"].tolist() == [first.p, second.p]


def mixed(data: Data) -> Data:
    """The same groups in two sessions, each with half of those of both treatments."""
    frames: dict[str, Any] = {}
    for field in fields(data):
        frame = getattr(data, field.name)
        if isinstance(frame, pd.DataFrame):
            first, pool = frame["group"] <= 3, frame["session"] == "pool"
            sessions = pd.Series("s2", frame.index, dtype="str").mask(first, "s1")
            group = frame["group"] + 10 * pool.astype(frame["group"].dtype)
            frames[field.name] = frame.assign(session=sessions, group=group)
    return replace(data, **frames)


def test_sessions_and_people_are_tested_as_planned() -> None:
    text = TEXT.replace('test = "mann_whitney"', 'test = "stratified"')
    text = text.replace('test = "welch"', 'test = "permutation"\nunit = "session"')
    own = plan(text.replace('measure = "harvest"', 'measure = "harvest"\nof = "people"'))
    data = of_plan(mixed(played(own, 6)), "small", own)
    table = hypotheses.tested([data], own, None)
    people = measures.people(data, ["harvest"])
    people = people[people["person"].astype(bool)]
    within = statistics.stratified(statistics.units(people, "harvest"))
    sessions = statistics.units(
        measures.groups(data, ["mean_points"]), "mean_points", unit="session"
    )
    paired = statistics.paired(sessions, "permutation", treatments=["pool", "open"])
    assert table["p"].tolist() == [within.p, paired.p]
    assert table["effect"].tolist() == [within.effect, paired.effect]
    assert table["groups"].tolist() == ["open 6, pool 6", "pool 2, open 2"]


def test_what_cannot_be_tested_has_its_row_and_says_why() -> None:
    own = plan(TEXT)
    table = hypotheses.tested([of_plan(export(), "small", own)], own, None)
    assert table["p"].isna().all()
    assert all("not tested" in notes for notes in table["notes"])


IN_TURN = (
    SMALL
    + """
[[blocks]]
name = "fish"
meaning = "the commons"

[[blocks]]
name = "trust"
meaning = "another game"
session = "sanctions"
changes = { periods = 2, people_per_group = 2 }

[hypotheses.points]
meaning = "more is earned in the second part"
measure = "mean_points"
test = "welch"
block = "trust"
"""
)


def of_block(game: str, block: str) -> Data:
    """Three simulated groups of each treatment in a block of a session of several games."""
    given: dict[str, Any] = {"groups": 3, "people": ["random"], "bots": ["random"], "periods": 2}
    parts = [
        analysis.simulated(game, seed=at, treatment=name, **given)
        for at, name in enumerate(("open", "pool"))
    ]
    data = analysis.joined(*parts)
    frames: dict[str, Any] = {
        name: frame.assign(block=block)
        for name, frame in vars(data).items()
        if isinstance(frame, pd.DataFrame)
    }
    groups = frames["config"]["group"]
    config = frames["config"].assign(session_config="small", matching_group=groups)
    return replace(data, **{**frames, "config": config})


def test_a_hypothesis_about_the_block_of_another_game_is_tested_there() -> None:
    own = plan(IN_TURN)
    games = [of_block("commons_game", "fish"), of_block("sanctions", "trust")]
    kept = [of_plan(data, "small", own) for data in games]
    assert "not tested" in hypotheses.tested(kept[:1], own, None)["notes"].item()
    table = hypotheses.tested(kept, own, None)
    frame = measures.groups(games[1], ["mean_points"])
    alone = statistics.compare(statistics.units(frame, "mean_points"), "welch")
    assert table["p"].tolist() == [alone.p]


def test_other_sessions_are_left_out() -> None:
    own = plan(TEXT)
    data = played(own, 3)
    other = data.config["session"] == "pool"
    mixed = replace(
        data,
        config=data.config.assign(session_config=["other" if one else "small" for one in other]),
    )
    kept = of_plan(mixed, "small", own)
    assert set(kept.decisions["session"]) == set(kept.config["session"]) == {"open"}
    with pytest.raises(ConfigError, match="there is no session of 'elsewhere'"):
        of_plan(mixed, "elsewhere", own)


# -- deviations -----------------------------------------------------------------------------------


def lines(data: Data, own: Plan, now: dict[str, Any], seal: Seal | None) -> list[str]:
    table = deviations(of_plan(data, "small", own), own, now, seal)
    return [f"{about}: {what}" for about, what in table.itertuples(index=False)]


def test_who_does_what_was_sealed_deviates_in_groups_that_are_short_alone() -> None:
    own = plan(TEXT)
    assert lines(export(), own, content(own), sealed(own)) == [
        f"treatment {name}: 1 group played to the end, fewer than the 2 planned"
        for name in ("open", "pool")
    ]


def test_changed_keys_money_and_a_late_seal_are_told() -> None:
    own = plan(TEXT)
    data = export(periods=2)
    data = replace(data, config=data.config.assign(point_value=0.5))
    late = sealed(own, "2030-01-01T00:00:00+00:00")
    found = lines(data, own, content(own), late)
    assert "session plan1: treatment open: core.periods: planned 3, played 2" in found
    assert "session plan1: treatment pool: core.periods: planned 3, played 2" in found
    assert "session plan1: real_world_currency_per_point: 0.1 planned, 0.5 paid" in found
    assert found[0].startswith("seal: it was sealed 2030-01-01T00:00:00+00:00, after people had")


CHOSEN = """changes.rules.open = { meaning = "no pool" }
changes.rules.fed = { meaning = "a pool", changes = { governance = "per_step" } }
"""


def test_what_a_group_has_chosen_among_the_rules_of_the_plan_is_no_deviation() -> None:
    own = plan(TEXT.replace('changes = { governance = "per_step" }\n', CHOSEN))
    shipped = {**config(own), **RULES, "seed": "0"}
    setup = treatments.series(own, shipped, config(own))[0]["pool"]
    configs = export().config
    pool = configs["treatment"] == "pool"
    for rule, governance in (("fed", None), ("open", None), ("fed", "accumulating")):
        chosen = json.loads(json.dumps(setup.rules[rule]))
        if governance is not None:
            chosen["core"]["governance"] = governance
        written = {
            "rule": rule,
            "config": json.dumps(chosen),
            "rules": json.dumps(setup.rules),
            "options": setup.options.model_dump_json(),
        }
        for column, value in written.items():
            configs.loc[pool, column] = value
        found = lines(replace(export(), config=configs), own, content(own), sealed(own))
        line = 'core.governance: planned "per_step", played "accumulating"'
        keys = [one for one in found if "planned " in one and "played to the end" not in one]
        assert keys == ([f"session plan1: treatment pool: {line}"] if governance else [])


def test_a_plan_that_was_changed_after_it_was_sealed_is_told_and_the_sealed_one_is_tested() -> None:
    own = plan(TEXT)
    now = plan(TEXT.replace('"mann_whitney"', '"welch"'))
    found = lines(export(), own, content(now), sealed(own))
    assert found[0] == (
        'plan: is not as it was sealed: plan.hypotheses.harvest.test: sealed "mann_whitney", now '
        '"welch"'
    )
    data = of_plan(played(own, 4), "small", own)
    table = part.of_plan(data, now, content(now), sealed(own)).tables[0].frame
    assert table["test"].iloc[0].startswith("Mann-Whitney")


def test_a_group_that_began_with_too_few_people_is_named() -> None:
    own = plan(TEXT)
    data = export()
    seats = data.seats.copy()
    first = (seats["group"] == 1) & (seats["seat"] == 0)
    seats.loc[first, "occupant"] = "policy"
    found = lines(replace(data, seats=seats), own, content(own), sealed(own))
    assert any("1 group began with fewer than 2: plan1-1" in line for line in found), found


def test_what_the_manager_did_to_people_and_plays_is_told() -> None:
    own = plan(TEXT)
    data = export()
    outcomes = data.outcomes.copy()
    outcomes.loc[outcomes["participant"] == "alone", "status"] = "excluded"
    ended = data.events.iloc[:0].copy()
    for number, seat in enumerate((None, 1)):  # the second since a person left
        ended.loc[number, ["session", "group", "event", "seat"]] = ["plan1", 2, "ended", seat]
    events = pd.concat([data.events, ended], ignore_index=True)
    told = lines(replace(data, outcomes=outcomes, events=events), own, content(own), sealed(own))
    assert told[-2:] == [
        "session plan1: the manager excluded 1 participant: alone",
        "session plan1: the play of group 2 was ended by the manager",
    ]


# -- groups that are left out ---------------------------------------------------------------------

RULE = "Groups in which somebody left."


def gone(number: int, why: str) -> Excluded:
    return Excluded("open", number, "", why, "2026-11-02")


def test_groups_that_a_plan_excludes_are_out_of_its_tests_and_of_these_alone() -> None:
    own = plan(TEXT.replace("groups = 2", f'groups = 6\nexclusions = ["{RULE}"]'))
    data = of_plan(played(own, 6), "small", own)
    planned = part.of_plan(
        data, own, content(own), sealed(own), excluded=[gone(2, RULE), gone(5, "They laughed.")]
    )
    tables = {table.name: table.frame for table in planned.tables}
    frame = measures.groups(data, ["harvest"])
    left = frame[(frame["session"] != "open") | (frame["group"] != 2)]
    without, every = (
        statistics.compare(statistics.units(one, "harvest"), "mann_whitney")
        for one in (left, frame)
    )
    assert tables["hypotheses"]["groups"].iloc[0] == "open 5, pool 6"
    assert tables["hypotheses"]["p"].iloc[0] == without.p
    assert set(tables["hypotheses"]["status"]) == {"confirmatory"}
    assert tables["hypotheses_of_all"]["groups"].iloc[0] == "open 6, pool 6"
    assert tables["hypotheses_of_all"]["p"].iloc[0] == every.p
    assert set(tables["hypotheses_of_all"]["status"]) == {"exploratory"}
    assert tables["deviations"]["what"].iloc[-1] == (
        "group 5 is left out for a reason that the plan does not have: They laughed. "
        "(2026-11-02); it is in the tests of the hypotheses"
    )
    assert not tables["deviations"]["what"].str.contains("group 2").any()
    assert "By that 1 group is left out of the tests of hypotheses" in " ".join(planned.words)
    with pytest.raises(UnknownName, match="group 9 of session 'open': there is none"):
        part.of_plan(data, own, content(own), None, excluded=[gone(9, RULE)])


def test_where_nobody_is_left_out_the_hypotheses_are_tested_once() -> None:
    own = plan(TEXT)
    data = of_plan(played(own, 3), "small", own)
    unplanned = part.of_plan(data, own, content(own), None, excluded=[gone(1, "They laughed.")])
    assert [table.name for table in unplanned.tables] == ["hypotheses", "deviations"]
    assert unplanned.tables[0].frame["groups"].iloc[0] == "open 3, pool 3"


# -- the report -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seal", "status", "sentence"),
    [
        (True, "confirmatory", "The hypotheses below are confirmatory; everything else"),
        (False, "exploratory", "The plan was not sealed: everything in this report is exploratory"),
    ],
)
def test_the_report_says_what_is_confirmatory(seal: bool, status: str, sentence: str) -> None:
    own = plan(TEXT)
    data = of_plan(played(own, 3), "small", own)
    said = part.of_plan(data, own, content(own), sealed(own) if seal else None)
    page = report.files(data, plan=said)
    html = str(page["report.html"])
    assert sentence in html
    assert "Exploratory: what the plan names is tested at the head" in html
    assert "open: nothing but harvest. pool: a pool." in html
    assert html.index('id="plan"') < html.index('id="export"')
    table = pd.read_csv(_text(page["tables/hypotheses.csv"]))
    assert set(table["status"]) == {status}
    assert "tables/deviations.csv" in page


def test_a_report_without_a_plan_says_nothing_of_one() -> None:
    page = report.files(export())
    assert 'id="plan"' not in str(page["report.html"])
    assert "Exploratory" not in str(page["report.html"])
    assert "tables/hypotheses.csv" not in page


def _text(content: str | bytes) -> Any:
    from io import StringIO

    return StringIO(str(content))


def test_a_treatment_can_have_the_name_of_its_plan() -> None:
    own = plan(TEXT.replace("[treatments.pool]", "[treatments.small]").replace('"pool"', '"small"'))
    data = of_plan(played(own, 2), "small", own)
    assert data.treatments == ["open", "small"]
    assert data.groups["treatment"].value_counts().to_dict() == {"open": 2, "small": 2}


def test_the_main_measures_are_of_whom_the_first_hypothesis_is() -> None:
    """Harvest of people is not that of the group, in which a bot harvests as well."""
    text = TEXT.replace('"harvest"\ntest', '"harvest"\nof = "people"\ntest')
    own = plan(text)
    data = of_plan(played(own, 3), "small", own)
    planned = part.of_plan(data, own, content(own), None)
    with undrawn():
        files = report.files(data, plan=planned)
    table = pd.read_csv(StringIO(str(files["tables/tests.csv"])))
    main = table[table["family"] == "main"]
    assert list(zip(main["level"], main["measure"], strict=True)) == [("person", "harvest")]
    of_people = planned.tables[0].frame["effect"].iloc[0]
    assert main["effect"].item() == pytest.approx(of_people)
    assert "mean_points" in set(table.loc[table["family"] == "group", "measure"])


# -- looks before the end -------------------------------------------------------------------------


def looking(*looks: int, groups: int = 6) -> Plan:
    return plan(TEXT).model_copy(update={"looks": looks, "groups": groups})


@pytest.mark.parametrize("looks", ["[6]", "[3, 3]", "[4, 2]", "[1, 3]"])
def test_looks_grow_and_come_before_the_end(looks) -> None:
    text = TEXT.replace("groups = 2", f"groups = 6\nlooks = {looks}")
    with pytest.raises(ConfigError, match=r"looks = .*: should grow, from 2 to less than"):
        plan(text)


def test_the_level_of_a_look_is_what_is_left_of_the_share_of_a_hypothesis() -> None:
    """3 of 6 groups are half; two hypotheses of one family have .025 each, of which half the groups
    have 4 (1 - Phi(2.4977 / .70711))."""
    own = looking(3)
    data = of_plan(played(own, 3), "small", own)
    look = taken(data, own)
    assert look is not None
    assert (look.stated, look.shares) == (True, (0.5,))
    z = norm.isf(0.025 / 4) / 0.5**0.5
    assert look.by_family["main"] == pytest.approx(4 * norm.sf(z))
    last = taken(of_plan(played(own, 6), "small", own), own)
    assert last is not None
    assert last.shares == (0.5, 1.0)
    assert last.by_family["main"] == levels([0.5, 1.0], 0.025, "obrien_fleming")[-1]
    assert taken(data, looking()) is None


def test_a_look_that_nobody_stated_is_a_deviation_and_a_stated_one_is_none() -> None:
    for looks, expected in (((4,), True), ((3,), False)):
        own = looking(*looks)
        data = of_plan(played(own, 3), "small", own)
        table = deviations(data, own, content(own), None)
        assert ("looks" in set(table["about"])) == expected
        assert not table["what"].str.contains("fewer than the 6 planned").any()


@pytest.mark.parametrize("spending", ["obrien_fleming", "pocock"])
def test_the_interval_of_a_look_leaves_out_0_just_where_its_test_decides(spending) -> None:
    """6 of 12 groups: by Pocock most of .05 / 2 is left of each, by O'Brien and Fleming little."""
    own = looking(6, groups=12).model_copy(update={"spending": spending})
    data = of_plan(played(own, 6), "small", own)
    look = taken(data, own)
    assert look is not None
    level = look.by_family["main"]
    made = part.of_plan(data, own, content(own), None).tables[0].frame.set_index("hypothesis")
    units = statistics.units(measures.groups(data, ["mean_points"]), "mean_points")
    names = ["pool", "open"]
    result = statistics.compare(units, "welch", treatments=names, level=1 - level)
    assert made.loc["points", ["low", "high"]].tolist() == [result.low, result.high]
    assert made.loc["points", "confidence"] == 1 - level
    for row in made.to_dict("records"):
        if pd.notna(row["low"]):
            assert (row["low"] > 0 or row["high"] < 0) == (row["p"] <= row["level"])
    wide = statistics.compare(units, "welch", treatments=names)
    assert result.high - result.low > wide.high - wide.low


def test_an_early_look_at_which_nothing_could_be_decided_has_no_interval() -> None:
    """Three against three: the least p of a test of ranks is .1, the level .0031."""
    own = looking(3)
    made = part.of_plan(of_plan(played(own, 3), "small", own), own, content(own), None)
    row = made.tables[0].frame.set_index("hypothesis").loc["harvest"]
    assert row[["low", "high"]].isna().all()
    assert "whatever the values" in row["notes"]


def test_the_head_says_of_which_confidence_the_interval_is() -> None:
    own = looking(6, groups=12)
    data = of_plan(played(own, 6), "small", own)
    planned = part.of_plan(data, own, content(own), None)
    with undrawn():
        page = str(report.files(data, plan=planned)["report.html"])
    confidence = 100 * (1 - planned.tables[0].frame["level"].iloc[0])
    assert f"{confidence:.4g}% interval" in page[: page.index("</header>")]


def test_the_head_has_the_means_the_unit_and_one_measure_of_size() -> None:
    """The first hypothesis is of mean points; of two treatments there is no epsilon squared."""
    own = plan(TEXT)
    data = of_plan(played(own, 3), "small", own)
    planned = part.of_plan(data, own, content(own), None)
    with undrawn():
        files = report.files(data, plan=planned)
    page = str(files["report.html"])
    screen = page[: page.index("</header>")]
    [(level, measure), *_] = planned.measures
    means = pd.read_csv(StringIO(str(files["tables/measures_by_treatment.csv"])))
    own_means = means[(means["level"] == level) & (means["measure"] == measure)]
    assert len(own_means) == 2
    for row in own_means.index:
        assert f'<tr data-row="{row}">' in screen
    assert f"{worded(measure).capitalize()}, {own_means['unit'].iloc[0]}." in screen
    assert "Cliff&#39;s delta" in screen
    assert "epsilon squared" not in screen


def test_the_report_has_the_level_beside_p_and_the_check_names_all() -> None:
    own = looking(3)
    made = part.of_plan(of_plan(played(own, 3), "small", own), own, content(own), None)
    table = made.tables[0].frame
    assert list(table.columns).index("level") == list(table.columns).index("p_corrected") + 1
    assert table["level"].nunique() == 1
    assert any("Look 1: 3 of 6 groups of each treatment" in words for words in made.words)
    said = " ".join(one.sentence for one in remarks(own, ["commons_game"]))
    assert "looks: 3 groups of each treatment at level 0.0031; 6 groups of each" in said
