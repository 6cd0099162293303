"""Damaged exports: each fault is reported, and the rest is read."""

from __future__ import annotations

import json
import re
import zipfile
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from mixed_company import analysis, engine
from mixed_company.analysis.data import Data
from mixed_company.analysis.reading import participants, tables_of
from mixed_company.engine.contract.errors import ConfigError, EngineError, UnknownName
from tests.analysis.audit.faults import contents_of as contents
from tests.analysis.audit.faults import deleted, doubled, edited, planted, written
from tests.analysis.audit.rehearsed import EXPORT

FRAMES = ("decisions", "periods", "pairs", "seats", "events", "outcomes", "config")


def lab(game: str = "commons_game", **changes) -> Data:
    options = {"people": ["random"], "bots": ["random"], "groups": 2, "seed": 1}
    return analysis.simulated(game, **{**options, "archetype": "lab_0_7", **changes})


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("good") / "good.zip"
    analysis.save(lab(), path)
    return path


def told(data: Data) -> list[str]:
    return [str(problem) for problem in data.problems]


# -- good exports ---------------------------------------------------------------------------------


@pytest.mark.few(1)
@pytest.mark.parametrize("game", engine.game_ids())
def test_saved_data_are_read_back_to_the_last_digit(tmp_path, game):
    data = lab(game)
    analysis.save(data, tmp_path / "export.zip")
    again = analysis.load(tmp_path / "export.zip")
    assert again.problems == ()
    for name in FRAMES:
        frame, copy = getattr(data, name), getattr(again, name)
        assert (frame is None) == (copy is None), name
        if frame is not None:
            pd.testing.assert_frame_equal(copy, frame)
    assert again.groups.equals(data.groups)
    assert again.manifest["rehearsed"] == {"people": ["random"], "bots": ["random"], "seed": 1}
    assert again.manifest["games"] == {game: engine.find(game).version}
    assert again.manifest["sessions"] == {
        "simulated": {"session_config": "simulated", "participants": 2}
    }


def test_the_same_data_give_the_same_bytes(tmp_path):
    for name in ("one.zip", "two.zip"):
        analysis.save(lab(), tmp_path / name)
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()


def test_an_unpacked_or_rezipped_export_can_be_read_too(tmp_path, good):
    with zipfile.ZipFile(good) as zipped:
        zipped.extractall(tmp_path / "unpacked")
    by_hand = {f"my export/{name}": text for name, text in contents(good).items()}
    by_hand["__MACOSX/my export/._manifest.json"] = b"?"
    for path in (tmp_path / "unpacked", written(tmp_path / "hand.zip", by_hand)):
        data = analysis.load(path)
        assert data.problems == ()
        pd.testing.assert_frame_equal(data.decisions, lab().decisions)


def test_an_export_of_several_games_needs_the_name_of_one(tmp_path, good):
    analysis.save(lab("sanctions"), tmp_path / "other.zip")
    first, second = contents(good), contents(tmp_path / "other.zip")
    manifests = [json.loads(files["manifest.json"]) for files in (first, second)]
    for key in ("tables", "games"):
        manifests[0][key] |= manifests[1][key]
    codebook = first["codebook.csv"] + second["codebook.csv"].partition(b"\n")[2]
    both = second | first
    both |= {"manifest.json": json.dumps(manifests[0]).encode(), "codebook.csv": codebook}
    path = written(tmp_path / "both.zip", both)
    with pytest.raises(ConfigError, match="Its games are: commons_game, sanctions"):
        analysis.load(path)
    assert analysis.load(path, "sanctions").pairs is not None
    assert analysis.load(path, game="commons_game").problems == ()
    with pytest.raises(UnknownName, match=r"game = 'sanction'.*; did you mean 'sanctions'?"):
        analysis.load(path, "sanction")


def test_joined_exports_have_the_latest_time_in_any_time_zone():
    times = ["2026-11-28T09:00:00+09:00", "2026-11-28T01:00:00+00:00"]
    parts = [replace(lab(treatment=time), manifest={"made": time}) for time in times]
    assert analysis.joined(*parts).manifest["made"] == times[1]


def test_joined_exports_say_that_some_are_rehearsals():
    real = replace(lab(treatment="real"), manifest={"sessions": {"real": {"participants": 2}}})
    both = analysis.joined(real, lab())
    assert both.manifest["rehearsed"] == {"people": ["random"], "bots": ["random"], "seed": 1}
    assert list(both.manifest["sessions"]) == ["real"]


# -- files that are not exports -------------------------------------------------------------------


def test_a_file_that_is_not_an_export_is_refused_with_the_reason(tmp_path, good):
    with pytest.raises(analysis.ExportError, match=r"nowhere\.zip: there is no such file"):
        analysis.load(tmp_path / "nowhere.zip")
    (tmp_path / "text.zip").write_text("hello")
    with pytest.raises(
        EngineError, match="not an export: neither a zip file nor an unpacked export"
    ):
        analysis.load(tmp_path / "text.zip")
    (tmp_path / "folder").mkdir()
    with pytest.raises(analysis.ExportError, match=r"there is no manifest\.json in it"):
        analysis.load(tmp_path / "folder")
    files = contents(good)
    for manifest, reason in (
        (b"{", r"manifest\.json cannot be read"),
        (b"[]", r"manifest\.json lists no tables"),
        (b'{"format": 1, "tables": {}}', r"manifest\.json names no game"),
        (files["manifest.json"].replace(b'"format": 1', b'"format": 2'), "written in format 2"),
    ):
        path = written(tmp_path / "bad.zip", {**files, "manifest.json": manifest})
        with pytest.raises(analysis.ExportError, match=reason):
            analysis.load(path)


def test_another_format_is_refused_with_the_version_that_made_it(tmp_path, good):
    files = contents(good)
    manifest = {**json.loads(files["manifest.json"]), "format": 2}
    for software, maker in (({"mixed_company": "9.8"}, "mixed-company 9.8"), (3, "mixed-company")):
        text = json.dumps({**manifest, "software": software}).encode()
        bad = written(tmp_path / "bad.zip", {**files, "manifest.json": text})
        with pytest.raises(analysis.ExportError) as error:
            analysis.load(bad)
        assert str(error.value).endswith(
            "reads format 1. Use the version of the project that made the export, " + maker
        )


def test_a_truncated_zip_is_reported_as_such(tmp_path, good):
    whole = good.read_bytes()
    (tmp_path / "half.zip").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(analysis.ExportError, match=r"incomplete: the end of the zip.*is missing"):
        analysis.load(tmp_path / "half.zip")


# -- damaged exports ------------------------------------------------------------------------------


def flipped(path: Path, bad: Path, name: str) -> Path:
    """Write the same zip with one byte of a member changed."""
    whole = bytearray(path.read_bytes())
    with zipfile.ZipFile(path) as zipped:
        entry = zipped.getinfo(name)
    whole[entry.header_offset + 30 + len(name) + entry.compress_size // 2] ^= 0xFF
    bad.write_bytes(whole)
    return bad


def without(path: Path, bad: Path, name: str) -> Path:
    return written(bad, {key: text for key, text in contents(path).items() if key != name})


@pytest.mark.parametrize("damage", [flipped, without])
def test_decisions_can_be_read_although_the_table_of_events_is_damaged(tmp_path, good, damage):
    data = analysis.load(damage(good, tmp_path / "bad.zip", "commons_game/events.csv"))
    [problem] = data.problems
    assert problem.kind == "damaged"
    assert problem.where == "commons_game/events.csv"
    assert "damaged" in problem.what or "missing" in problem.what
    assert data.unread == ("events",)
    assert data.events.empty
    assert list(data.events.columns) == list(lab().events.columns)
    pd.testing.assert_frame_equal(data.decisions, lab().decisions)
    assert data.groups.equals(lab().groups)


@pytest.mark.parametrize("damage", [flipped, without])
@pytest.mark.parametrize("table", ["decisions", "periods", "config"])
def test_without_the_decisions_nothing_can_be_analysed(tmp_path, good, damage, table):
    bad = damage(good, tmp_path / "bad.zip", f"commons_game/{table}.csv")
    with pytest.raises(analysis.ExportError, match=f"{table}.csv is .*nothing can be analysed"):
        analysis.load(bad)


def test_without_a_codebook_the_types_come_from_the_games(tmp_path, good):
    data = analysis.load(without(good, tmp_path / "bad.zip", "codebook.csv"))
    assert told(data) == ["codebook.csv: is missing; columns are read with this version's types"]
    pd.testing.assert_frame_equal(data.decisions, lab().decisions)


@pytest.mark.parametrize(
    ("column", "wrong", "kind"),
    [
        ("config,group", "text", "whole"),
        ("config,config", "whole", "text"),
        ("participants,began_ms_1", "text", "whole"),
        ("participants,assigned_time", "flag", "text"),
        ("seats,at_time", "whole", "text"),
    ],
)
def test_a_type_in_the_codebook_does_not_replace_the_type_of_a_known_column(
    tmp_path, column, wrong, kind
):
    files = contents(EXPORT)
    codebook = files["codebook.csv"].decode()
    changed = re.sub(rf"(?m)^([^,]*,{column}),{kind},", rf"\1,{wrong},", codebook)
    assert changed != codebook
    bad = written(tmp_path / "bad.zip", {**files, "codebook.csv": changed.encode()})
    data, (_, problems) = tables_of(bad, "sanctions"), participants(bad)
    table, name = column.split(",")
    lines = [problem for problem in map(str, (*data.problems, *problems)) if "codebook" in problem]
    folder = "" if table == "participants" else "sanctions/"
    fault = f"the codebook says {wrong}; read as {kind}"
    assert lines == [f"{folder}{table}.csv, {name}: {fault}"]


def test_an_unknown_time_is_compared_only_with_a_whole_number(tmp_path, good):
    def change(rows):
        for row, *cells in zip(rows, ["slept_ms", *"xy"], ["slept_time", *"zz"], strict=False):
            row += cells
        rows[3:] = []

    bad = planted(good, tmp_path / "bad.zip", "periods", change, remade=True)
    data = analysis.load(bad)
    assert data.periods[["slept_ms", "slept_time"]].values.tolist() == [["x", "z"], ["y", "z"]]


def test_a_table_that_was_changed_is_named_by_the_manifest(tmp_path, good):
    bad = planted(good, tmp_path / "bad.zip", "periods", deleted(2), remade=False)
    rows = len(lab().periods)
    assert told(analysis.load(bad)) == [
        f"commons_game/periods.csv: {rows - 1} rows, but the manifest says {rows}",
        "commons_game/periods.csv: was changed after it was written: its sha256 is not the one in "
        "the manifest",
    ]


def test_a_value_of_another_type_is_named_by_line_and_column_and_left_out(tmp_path, good):
    change = edited(3, "reward", "much")
    data = analysis.load(planted(good, tmp_path / "bad.zip", "decisions", change, remade=True))
    assert told(data) == [
        "commons_game/decisions.csv, line 4, reward: 'much' is not a number; read as missing"
    ]
    assert data.decisions["reward"].isna().tolist() == [
        row == 2 for row in range(len(lab().decisions))
    ]


def test_a_time_in_two_columns_must_agree(tmp_path, good):
    change = edited(1, "shown_time", "2023-11-14T22:13:20.000Z")
    path = planted(good, tmp_path / "bad.zip", "decisions", change, remade=True)
    data = analysis.load(path)
    assert told(data) == [
        "commons_game/decisions.csv, line 2, shown_time: 2023-11-14T22:13:20.000Z should be "
        "nothing, as in shown_ms"
    ]
    pd.testing.assert_frame_equal(data.decisions, lab().decisions)


@pytest.mark.parametrize("flags", ["10", ("True", "False")])
def test_flags_of_this_and_of_earlier_releases_are_read(tmp_path, good, flags):
    def change(rows):
        index = rows[0].index("rehearsed")
        assert rows[1][index] == "1"
        rows[1][index], rows[2][index] = flags

    data = analysis.load(planted(good, tmp_path / "bad.zip", "config", change, remade=True))
    assert data.config["rehearsed"].tolist() == [True, False]


def test_a_row_without_a_key_or_of_another_length_is_left_out_and_named(tmp_path, good):
    def change(rows):
        rows[2][rows[0].index("seat")] = "first"
        rows[3].append("more")

    data = analysis.load(planted(good, tmp_path / "bad.zip", "decisions", change, remade=True))
    assert told(data) == [
        "commons_game/decisions.csv, line 4: 29 values for 28 columns; the row is left out",
        "commons_game/decisions.csv, line 3, seat: 'first' is not a whole number; read as missing",
        "commons_game/decisions.csv, line 3: a row without a key; it is left out",
    ]
    assert data.decisions["seat"].dtype == "int64"
    assert data.decisions.index.tolist() == [0, *range(3, len(lab().decisions))]


def test_a_missing_column_is_named_and_has_no_values(tmp_path, good):
    def change(rows):
        index = rows[0].index("reward")
        for row in rows:
            del row[index]

    data = analysis.load(planted(good, tmp_path / "bad.zip", "decisions", change, remade=True))
    assert told(data) == ["commons_game/decisions.csv, reward: this column is missing"]
    assert data.decisions["reward"].isna().all()
    assert data.decisions["reward"].dtype == "float64"


def test_a_missing_key_column_makes_the_table_unreadable(tmp_path, good):
    def change(rows):
        rows[0][rows[0].index("participant")] = "who"

    data = analysis.load(planted(good, tmp_path / "bad.zip", "outcomes", change, remade=True))
    assert data.unread == ("outcomes",)
    assert "there is no column participant" in told(data)[0]


def test_a_table_saved_by_a_spreadsheet_with_a_byte_order_mark_is_read(tmp_path, good):
    files = contents(good)
    files["commons_game/periods.csv"] = b"\xef\xbb\xbf" + files["commons_game/periods.csv"]
    data = analysis.load(written(tmp_path / "bad.zip", files))
    assert [problem.what.partition(":")[0] for problem in data.problems] == [
        "was changed after it was written"
    ]
    pd.testing.assert_frame_equal(data.periods, lab().periods)


# -- groups that cannot be replayed -----------------------------------------------------------


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ("{", "config is not JSON"),
        ("[]", "not the configuration of a game"),
        (None, "the rules of commons_game installed here are version '1'"),
    ],
)
def test_a_group_with_unsupported_rules_is_left_out_and_named(tmp_path, good, config, message):
    text = lab().config["config"].iloc[0].replace('"version": "1"', '"version": "0"')
    change = edited(1, "config", text if config is None else config)
    data = analysis.load(planted(good, tmp_path / "bad.zip", "config", change, remade=True))
    [problem] = data.problems
    assert (problem.kind, problem.session, problem.group) == ("unplayable", "simulated", 1)
    assert problem.where == "commons_game/config.csv, line 2, config"
    assert "group 1 of session simulated cannot be replayed" in problem.what
    assert message in problem.what
    assert list(data.games) == [("simulated", 2)]
    assert data.groups["group"].tolist() == [1, 2]
    assert data.groups["periods"].tolist() == lab().groups["periods"].tolist()
    with pytest.raises(ConfigError):
        data.game("simulated", 1)


# -- unfinished sessions --------------------------------------------------------------------------


def test_unfinished_groups_and_groups_that_never_started_are_named(tmp_path):
    data = lab()
    second = data.decisions["group"] == 2
    last = data.periods["period"] == data.periods["period"].max()
    data = replace(
        data,
        decisions=data.decisions[~second],
        periods=data.periods[(data.periods["group"] == 1) & (data.periods["ended"] == "")],
        manifest={},
    )
    assert last.any()
    analysis.save(data, tmp_path / "export.zip")
    read = analysis.load(tmp_path / "export.zip")
    over = len(data.periods)
    assert [(problem.kind, problem.group) for problem in read.problems] == [
        ("unfinished", 1),
        ("unfinished", 2),
    ]
    assert told(read) == [
        f"group 1 of session simulated is still playing after {over} periods",
        "group 2 of session simulated never started",
    ]


def test_people_who_left_before_the_play_are_named(tmp_path):
    data = lab()
    nobody = {"session": "simulated", "points": 0.0, "paid_points": 0.0}
    more = [
        {**nobody, "participant": "a", "status": "arriving", "quiz_attempts": 3},
        {**nobody, "participant": "b", "status": "arriving", "quiz_attempts": 0},
        {**nobody, "participant": "c", "status": "waiting"},
        {**nobody, "participant": "d", "status": "left"},
        {**nobody, "participant": "e", "status": "released"},
    ]
    outcomes = pd.concat([data.outcomes, pd.DataFrame(more)], ignore_index=True)
    analysis.save(replace(data, outcomes=outcomes), tmp_path / "export.zip")
    read = analysis.load(tmp_path / "export.zip")
    assert {problem.kind for problem in read.problems} == {"left"}
    assert [problem.participant for problem in read.problems] == ["a", "b", "c", "d", "e"]
    assert told(read) == [
        "participant a of session simulated got no further than the quiz, which was submitted 3 "
        "times",
        "participant b of session simulated did not submit the quiz",
        "participant c of session simulated waits in the lobby",
        "participant d of session simulated left in the lobby",
        "participant e of session simulated was released without a group",
    ]
    assert len(read.decisions) == len(data.decisions)


def test_a_duplicate_group_in_config_is_still_one_group(tmp_path, good):
    path = planted(good, tmp_path / "bad.zip", "config", doubled(1), remade=True)
    assert list(tables_of(path).games) == [("simulated", 1), ("simulated", 2)]
