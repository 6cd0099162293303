"""Imported plays: points calculated by hand, seats, periods, matching, and the export's
manifest."""

from __future__ import annotations

import json

import pytest

from mixed_company import analysis, engine
from mixed_company.analysis.audit import audited
from mixed_company.analysis.data import GROUP
from mixed_company.analysis.planned.tested import of_plan
from mixed_company.analysis.reading import tables_of
from mixed_company.analysis.report.participants import treatments
from mixed_company.engine.contract.errors import ConfigError
from tests.analysis.audit.faults import edited, planted
from tests.analysis.importing.tables import MAP, STRANGERS, STRANGERS_MAP, TABLE, done


def test_points_are_computed_from_the_actions(tmp_path):
    data = done(tmp_path).data
    # 20 - 20 + 0.75 * 20 = 15; 20 - 0 + 15 = 35; 20 - 10 + 0.75 * 30 = 32.5; 20 - 20 + 22.5 = 22.5
    assert data.decisions["reward"].tolist() == [15.0, 35.0, 32.5, 22.5]
    assert data.outcomes[["participant", "points"]].values.tolist() == [["a", 47.5], ["b", 57.5]]
    assert data.decisions["period"].tolist() == [0, 0, 1, 1]
    assert data.periods["ended"].tolist() == ["", "horizon"]


def test_values_are_translated_by_table_scale_and_offset(tmp_path):
    letters = TABLE.replace(",20,", ",H,").replace(",10,", ",M,").replace(",0,", ",L,")
    named = '{ column = "give", values = { L = 0, M = 10, H = 20 } }'
    by_name = done(tmp_path, letters, MAP.replace('"give"', named)).data
    scaled = '{ column = "give", scale = 0.5, offset = 5 }'
    by_scale = done(tmp_path, TABLE, MAP.replace('"give"', scaled)).data
    assert by_name.decisions["sent_contribution"].tolist() == [20.0, 0.0, 10.0, 20.0]
    assert by_scale.decisions["sent_contribution"].tolist() == [15.0, 5.0, 10.0, 15.0]


def test_a_table_with_semicolons_may_have_decimal_commas(tmp_path):
    table = TABLE.replace(",", ";").replace("10;", "2,5;")
    assert done(tmp_path, table).data.decisions["sent_contribution"].tolist()[2] == 2.5


def test_seats_follow_a_column_of_roles(tmp_path):
    table = "group,period,person,first,give\n1,1,a,0,5\n1,1,b,1,10\n"
    described = MAP.replace(
        'person = "person"',
        'person = "person"\nseat = { column = "first", values = { 1 = 0, 0 = 1 } }',
    )
    data = done(tmp_path, table, described).data
    assert data.decisions[["seat", "participant"]].values.tolist() == [[0, "b"], [1, "a"]]


def test_seats_alone_name_the_people(tmp_path):
    table = TABLE.replace(",a,", ",1,").replace(",b,", ",2,")
    data = done(tmp_path, table, MAP.replace('person = "person"', 'seat = "person"')).data
    assert data.outcomes["participant"].tolist() == ["session-1-0", "session-1-1"]


def test_treatments_differ_in_their_configuration(tmp_path):
    table = (
        "group,period,person,kind,give\n1,1,a,low,20\n1,1,b,low,0\n2,1,c,high,20\n2,1,d,high,0\n"
    )
    described = MAP.replace('person = "person"', 'person = "person"\ntreatment = "kind"')
    described += '[treatments.low]\nname = "control"\n[treatments.high]\nchanges = { mpcr = 0.9 }\n'
    data = done(tmp_path, table, described).data
    assert data.treatments == ["control", "high"]
    # 0.75 * 20 = 15 and 0.9 * 20 = 18 for the person who gives everything
    assert data.decisions["reward"].tolist() == [15.0, 35.0, 18.0, 38.0]


PUNISHED = """group,period,person,give,to1,to2,to3
1,1,a,20,0,1,2
1,1,b,10,0,0,1
1,1,c,0,0,0,0
"""


@pytest.mark.parametrize(
    ("table", "columns"),
    [
        (PUNISHED, '["to1", "to2", "to3"]'),
        # one column for each other seat: a to b and c, b to a and c, c to a and b
        (
            "group,period,person,give,to1,to2\n1,1,a,20,1,2\n1,1,b,10,0,1\n1,1,c,0,0,0\n",
            '["to1", "to2"]',
        ),
    ],
)
def test_points_to_others_are_columns_by_seat(tmp_path, table, columns):
    described = MAP.replace("mpcr = 0.75", 'mpcr = 0.5\npeer = "punishment"')
    described += f"assign = {{ columns = {columns} }}\n"
    data = done(tmp_path, table, described).data
    # incomes 20 - c + 0.5 * 30: 15, 25, 35; each point costs 1 and takes 3: a pays 3; b pays 1 and
    # loses 3; c loses 9
    assert data.decisions["reward"].tolist() == [12.0, 21.0, 26.0]
    assert data.decisions["peer_by"].tolist() == ["person"] * 3


MIXED = """group,period,person,kind,give,to1,to2
1,1,a,without,20,0,0
1,1,b,without,0,0,0
2,1,c,with,20,0,2
2,1,d,with,0,0,0
"""
MIXED_MAP = MAP.replace('person = "person"', 'person = "person"\ntreatment = "kind"') + (
    'assign = { columns = ["to1", "to2"] }\n[treatments.without]\n'
    '[treatments.with]\nchanges = { peer = "punishment" }\n'
)


def test_only_some_treatments_may_have_punishment(tmp_path):
    data = done(tmp_path, MIXED, MIXED_MAP).data
    # 0.75 * 20 = 15 and 35; with punishment, 2 points cost 2 and take 6
    assert data.decisions["reward"].tolist() == [15.0, 35.0, 13.0, 29.0]
    analysis.save(data, tmp_path / "export.zip")
    assert analysis.check(tmp_path / "export.zip") == []
    wrong = MIXED.replace("without,20,0,0", "without,20,0,1")
    with pytest.raises(ConfigError) as refusal:
        done(tmp_path, wrong, MIXED_MAP)
    assert str(refusal.value) == (
        "line 2: actions.assign = [0.0, 1.0]: should be 0, because treatment 'without' has no such "
        "action"
    )


def test_people_whose_names_repeat_in_every_session_are_counted_in_each(tmp_path):
    table = "session,group,period,person,give\n"
    table += "".join(
        f"{session},1,1,{person},20\n" for session in ("x", "y") for person in ("a", "b")
    )
    described = MAP.replace("[columns]", '[columns]\nsession = "session"')
    assert treatments(done(tmp_path, table, described).data)["people"].tolist() == [4]


def test_strangers_are_periods_of_one_block(tmp_path):
    result = done(tmp_path, STRANGERS, STRANGERS_MAP)
    config = result.data.config
    assert config["group"].tolist() == [1, 2, 2001, 2002]
    assert config["block"].tolist() == ["strangers_1"] * 2 + ["strangers_2"] * 2
    assert config["matching_group"].tolist() == [1] * 4  # all four people mix
    assert result.people == 4
    data = result.data.by_block()
    assert data.treatments == ["imported, strangers"]
    assert data.config["play"].tolist() == [0, 0, 1, 1]
    assert data.by_unit(data.config[GROUP])["group"].unique().tolist() == [1]


def test_plays_of_a_block_that_were_loaded_are_saved_under_their_names(tmp_path):
    data = done(tmp_path, STRANGERS, STRANGERS_MAP).data.by_block()
    analysis.save(data, tmp_path / "saved.zip")
    again = analysis.load(tmp_path / "saved.zip")
    assert again.config["play"].tolist() == [0, 0, 1, 1]
    assert again.by_unit(again.config[GROUP])["group"].unique().tolist() == [1]
    assert tables_of(tmp_path / "saved.zip").config["block"].unique().tolist() == [
        "strangers_1",
        "strangers_2",
    ]


def test_strangers_who_never_mix_are_separate_units(tmp_path):
    table = STRANGERS.replace("s,2,a,c", "s,2,a,b").replace("s,2,c,a", "s,2,c,d")
    table = table.replace("s,2,b,d", "s,2,b,a").replace("s,2,d,b", "s,2,d,c")
    config = done(tmp_path, table, STRANGERS_MAP).data.config
    assert config["matching_group"].tolist() == [1, 2, 1, 2]


def test_thinking_times_count_from_the_start_of_a_period(tmp_path):
    table = TABLE.replace("profit", "took")
    described = MAP.replace('person = "person"', 'person = "person"\nseconds = "took"')
    data = done(tmp_path, table, described).data
    assert data.decisions["received_ms"].tolist() == [15000, 35000, 32500, 22500]
    assert data.decisions["shown_ms"].tolist() == [0] * 4
    assert data.outcomes["reaction_ms"].tolist() == [23750.0, 28750.0]  # medians
    assert data.decisions["wall_ms"].isna().all()


def test_times_that_the_table_lacks_are_empty(tmp_path):
    data = done(tmp_path).data
    assert data.decisions[["shown_ms", "received_ms"]].isna().all(axis=None)
    assert data.outcomes["reaction_ms"].isna().all()


def test_beliefs_are_answers_with_their_truth_and_error(tmp_path):
    table = TABLE.replace("profit", "expected")
    described = MAP.replace('person = "person"', 'person = "person"\nbelief = "expected"')
    data = done(tmp_path, table, described).data
    answers = data.answers.sort_values(["participant", "period"])
    # a expects 15 and 32.5 while b gives 0 and 20; b expects 35 and 22.5 while a gives 20 and 10
    assert answers["number"].tolist() == [15.0, 32.5, 35.0, 22.5]
    assert answers["truth"].tolist() == [0.0, 20.0, 20.0, 10.0]
    assert answers["error"].tolist() == [15.0, 12.5, 15.0, 12.5]
    assert data.outcomes["questions_answered"].tolist() == [2, 2]
    analysis.save(data, tmp_path / "export.zip")
    assert analysis.check(tmp_path / "export.zip") == []


def test_a_common_pool_is_replayed_with_its_stock(tmp_path):
    described = MAP.replace("sanctions", "commons_game").replace(
        MAP[MAP.index("archetype") : MAP.index("[columns]")], 'archetype = "lab"\n\n'
    )
    described = described.replace('contribution = "give"', 'harvest = "give"\ncontribution = 0')
    table = "group,period,person,give\n1,1,a,2\n1,1,b,3\n1,2,a,1\n1,2,b,4\n"
    data = done(tmp_path, table, described).data
    assert data.decisions["used_harvest"].tolist() == [2.0, 3.0, 1.0, 4.0]
    game = data.games["session", 1]
    episode = engine.Episode(game, int(data.config["seed"][0]))
    for harvest in ([2.0, 3.0], [1.0, 4.0]):
        episode.play_period({"harvest": harvest, "contribution": [0.0, 0.0]})
    assert data.periods["after_stock"].tolist()[-1] == episode.state_record()["stock"]


def test_the_manifest_says_that_the_data_were_imported(tmp_path):
    data = done(tmp_path).data
    assert data.imported
    assert data.manifest["citation"] == "An author (2001), a journal"
    assert data.manifest["license"] == "CC BY 4.0"
    about = data.manifest["imported"]
    assert about["columns"] == ["group", "period", "person", "give"]
    assert len(about["table_sha256"]) == len(about["map_sha256"]) == 64
    assert json.loads(data.config["options"][0]) == {"imported": True}


def test_the_export_is_read_and_audited_without_faults(tmp_path):
    for table, described in ((TABLE, MAP), (STRANGERS, STRANGERS_MAP)):
        analysis.save(done(tmp_path, table, described).data, tmp_path / "export.zip")
        assert analysis.check(tmp_path / "export.zip") == []
        data = analysis.load(tmp_path / "export.zip")
        assert not data.problems
        audit = audited(data)  # the audit of a report, with the names of blocks
        assert (audit.problems, audit.imported, audit.without_journal) == ((), len(data.config), 0)


def test_a_changed_action_of_an_imported_export_is_found(tmp_path):
    analysis.save(done(tmp_path).data, tmp_path / "good.zip")
    change = edited(1, "sent_contribution", "19.0")
    bad = planted(tmp_path / "good.zip", tmp_path / "bad.zip", "decisions", change, remade=True)
    assert any("used_contribution" in str(problem) for problem in analysis.check(bad))


def test_a_removed_mark_is_found(tmp_path):
    analysis.save(done(tmp_path).data, tmp_path / "good.zip")
    change = edited(1, "options", '{"pace": "answers"}')
    bad = planted(tmp_path / "good.zip", tmp_path / "bad.zip", "config", change, remade=True)
    problems = [str(problem) for problem in analysis.check(bad)]
    assert any("contradicts the manifest about whether" in problem for problem in problems)


def test_a_plan_is_not_reported_on_imported_data(tmp_path):
    with pytest.raises(ConfigError, match="were imported from a table of another experiment"):
        of_plan(done(tmp_path).data, "map", None)
