"""The files that describe an export's tables are compared with the files that this release would
write."""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from mixed_company import analysis
from mixed_company.analysis.audit import NOTES, audits
from mixed_company.analysis.audit.described import PARTLY
from mixed_company.analysis.files import ExportError
from mixed_company.analysis.reading import CHANGED, tables_of
from tests.analysis.audit.faults import contents_of, dropped, edited, planted, written
from tests.analysis.audit.rehearsed import export

Files = dict[str, bytes]


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return export(tmp_path_factory.mktemp("good"))


def found(path: Path) -> list[str]:
    return [str(problem) for problem in analysis.check(path) if problem.kind not in NOTES]


def changed(good: Path, bad: Path, change: Callable[[Files], None]) -> list[str]:
    """Return the faults found in the export after its files are changed."""
    files = contents_of(good)
    change(files)
    return found(written(bad, files))


def replaced(name: str, old: bytes, new: bytes) -> Callable[[Files], None]:
    def change(files: Files) -> None:
        assert old in files[name]
        files[name] = files[name].replace(old, new)

    return change


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("codebook.md", b"contribution", b"gift"),
        ("codebook.csv", b"on the play's clock", b"on another clock"),
        ("read.R", b"rows\n}", b"rows[-1, ]\n}"),
        ("read.do", b"destring", b"drop if 0\ndestring"),
        ("datapackage.json", b"sha256:", b"sha256:0"),
    ],
)
def test_a_changed_description_of_the_tables_is_named(good, tmp_path, name, old, new):
    problems = changed(good, tmp_path / "bad.zip", replaced(name, old, new))
    assert problems == [f"{name}: not what this release writes for these tables"]


def test_the_data_of_one_session_config_have_no_columns_of_other_games(tmp_path):
    """A server's tables have the columns of all its games. Without peer points, the commons has no
    pairs, so no such table."""
    parts = [
        analysis.simulated(
            "commons_game", ["steward"] * 4, groups=1, seed=1, periods=2, treatment=name, peer=name
        )
        for name in ("punishment", "none")
    ]
    path = tmp_path / "saved.zip"
    analysis.save(analysis.joined(*parts), path)
    whole = analysis.load(path)
    for part, has_pairs in zip(parts, (True, False), strict=True):
        alone = whole.of_session_config(part.config["session_config"].iloc[0])
        assert {*alone.decisions} == {*part.decisions}
        assert (alone.pairs is not None) == has_pairs
        analysis.save(alone, path)
        assert found(path) == []


@pytest.mark.parametrize(
    ("column", "value", "line"),
    [
        ("waited", 1, ": has the column waited, which is not a column of this release"),
        ("play", 1, ", play: no release writes this column; it is left out"),
        ("play", "x", ", play: no release writes this column; it is left out"),
    ],
)
def test_an_added_column_is_named_although_the_codebook_has_it(good, tmp_path, column, value, line):
    """`analysis.save` writes a codebook for the columns that it is passed. Analysis itself adds a
    column `play`, so it does not read or save one; the test renames another column."""
    data, path = tables_of(good), tmp_path / "saved.zip"
    analysis.save(data, path)
    before = found(path)
    analysis.save(replace(data, config=data.config.assign(new_column=value)), path)
    files = {
        name: content.replace(b"new_column", column.encode())
        for name, content in contents_of(path).items()
    }
    written(path, files)
    after = found(planted(path, path, "config", lambda rows: None, remade=True))
    assert f"sanctions/config.csv{line}" in set(after) - set(before)
    assert "play" not in analysis.load(path).config


def test_a_file_that_no_manifest_names_and_a_missing_one_are_named(good, tmp_path):
    def change(files: Files) -> None:
        files["sanctions/payments.csv"] = b"participant,payment\nabc,900\n"
        del files["read.R"]

    assert changed(good, tmp_path / "bad.zip", change) == [
        "sanctions/payments.csv: does not belong in an export, and the manifest does not name it",
        "read.R: is missing",
    ]


@pytest.mark.parametrize("twin", ["Sanctions/Outcomes.csv", "Manifest.json"])
def test_names_that_differ_only_in_case_are_refused(good, tmp_path, twin):
    bad = written(tmp_path / "bad.zip", {**contents_of(good), twin: b"false"})
    with pytest.raises(ExportError, match=rf"(?i){twin} is in the zip twice"):
        analysis.check(bad)


def test_two_files_of_one_name_are_refused(good, tmp_path):
    twin = "sanctions/outcomes.csv"
    bad = written(tmp_path / "bad.zip", contents_of(good))
    with zipfile.ZipFile(bad, "a") as zipped, pytest.warns(UserWarning, match="Duplicate name"):
        zipped.writestr(twin, b"false")
    with pytest.raises(ExportError, match=f"{twin} is in the zip twice"):
        analysis.load(bad)


def test_descriptions_of_another_version_are_not_compared_and_a_note_says_so(good, tmp_path):
    files = contents_of(good)
    manifest = json.loads(files["manifest.json"])
    manifest["software"]["mixed_company"] = "0.8.0"
    files |= {"manifest.json": json.dumps(manifest).encode(), "read.R": b"stop()\n"}
    problems = analysis.check(written(tmp_path / "old.zip", files))
    assert [str(problem) for problem in problems if problem.kind == "unknown"] == [
        "codebooks, data package and scripts were not compared with the tables, because another "
        "version of this project made the export"
    ]


def test_a_folder_can_have_files_that_are_not_of_the_export(good, tmp_path):
    with zipfile.ZipFile(good) as zipped:
        zipped.extractall(tmp_path / "export")
    (tmp_path / "export/notes.txt").write_text("mine", encoding="utf-8")
    assert found(tmp_path / "export") == []


ZIPPED_AGAIN = (
    "the zip has an unusual layout, so different programs may read different files from "
    "it; if somebody zipped it again, unpack it and check the folder"
)


def test_files_outside_the_folder_of_an_export_are_named(good, tmp_path):
    files = {f"true/{name}": content for name, content in contents_of(good).items()}
    others = ["__MACOSX/true/._manifest.json", "false/export/sanctions/outcomes.csv"]
    bad = written(tmp_path / "bad.zip", {**files, **dict.fromkeys(others, b"false")})
    assert found(bad) == [
        *(
            f"{name}: does not belong in an export, and the manifest does not name it"
            for name in others
        ),
        ZIPPED_AGAIN,
    ]


def test_a_zip_that_was_made_again_is_named_and_its_folder_passes(good, tmp_path):
    with zipfile.ZipFile(good) as zipped:
        zipped.extractall(tmp_path / "export")
    again = shutil.make_archive(str(tmp_path / "again"), "zip", tmp_path, "export")
    assert found(Path(again)) == [ZIPPED_AGAIN]
    assert found(tmp_path / "export") == []


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda text: text.replace(b"{", b'{"made": "2020-01-01", ', 1), "'made' appears twice"),
        (lambda text: text.replace(b"{", b'{"license": "\\ud800", ', 1), "surrogates not allowed"),
        (lambda text: text.decode().encode("utf-16"), "it is not UTF-8 text"),
        (lambda text: text.decode().encode("utf-8-sig"), "Unexpected UTF-8 BOM"),
    ],
    ids=["a key twice", "half a character", "UTF-16", "byte order mark"],
)
def test_a_manifest_that_programs_read_differently_is_refused(good, tmp_path, change, reason):
    files = contents_of(good)
    files["manifest.json"] = change(files["manifest.json"])
    with pytest.raises(ExportError, match=reason):
        analysis.check(written(tmp_path / "bad.zip", files))


def test_entries_of_the_manifest_that_no_release_writes_are_named(good, tmp_path):
    def change(files: Files) -> None:
        manifest = json.loads(files["manifest.json"])
        [first, *_] = manifest["sessions"].values()
        manifest["ethics"] = "approved"
        first["plan"]["preregistered"] = first["preregistered"] = "2020-01-01"
        first |= {"total": 9.0, "apps": ["sanctions", "sanctions_2", "survey"]}
        manifest["rehearsed"]["told"] = manifest["sealed"]["by"] = "a university"
        files["manifest.json"] = json.dumps(manifest).encode()

    [code, *_] = json.loads(contents_of(good)["manifest.json"])["sessions"]
    keys = ["ethics", "rehearsed.told", "sealed.by"]
    keys += [f"sessions.{code}.preregistered", f"sessions.{code}.plan.preregistered"]
    problems = changed(good, tmp_path / "bad.zip", change)
    assert problems[:-1] == [  # the last is the sum of payments
        *(f"manifest.json: {key}: no release writes this key" for key in keys),
        f"manifest.json: sessions: {code}: total: an export has this only if the session has one "
        f"app",
    ]


def test_payments_without_parts_are_a_fault(good, tmp_path):
    def change(rows: list[list[str]]) -> None:
        for row in rows[1:]:
            for index, name in enumerate(rows[0]):
                if name.startswith("pay_") or name == "waited_ms":
                    row[index] = ""
                if name == "payment":
                    row[index] = "99.0"

    bad = planted(good, tmp_path / "bad.zip", "outcomes", change, remade=True)
    message = "payments could not be checked, because the parts are missing"
    assert any(line.endswith(message) for line in found(bad))


def test_cells_that_say_two_things_are_named(good, tmp_path):
    def change(rows: list[list[str]]) -> None:
        index = rows[0].index("options")
        rows[1][index] = '{"bots":["greedy"],' + rows[1][index][1:]

    bad = planted(good, tmp_path / "bad.zip", "config", change, remade=True)

    def twice(rows: list[list[str]]) -> None:
        index = rows[0].index("entry")
        entry = next(row for row in rows if '"text":' in row[index])
        entry[index] = '{"text":"false",' + entry[index][1:]

    problems = found(planted(bad, bad, "journal", twice, remade=True))
    assert any("options: the key 'bots' appears twice" in problem for problem in problems)
    assert any("should be a JSON object without repeated keys" in problem for problem in problems)


@pytest.mark.parametrize(
    ("table", "column", "value", "problem"),
    [
        ("config", "rehearsed", "True", "'True' should be 1 or 0, as releases since 0.8.0"),
        ("periods", "period", "\N{ARABIC-INDIC DIGIT ZERO}", "is not a whole number"),
        ("periods", "period", "0_0", "'0_0' is not a whole number"),
        ("outcomes", "payment", "3.4_8", "'3.4_8' is not a number"),
    ],
)
def test_values_that_other_programs_read_differently_are_named(
    good: Path, tmp_path: Path, table: str, column: str, value: str, problem: str
) -> None:
    bad = planted(good, tmp_path / "bad.zip", table, edited(1, column, value), remade=True)
    assert any(problem in line for line in found(bad))


@pytest.mark.parametrize("entry", [{"rows": 1, "sha256": "0" * 64}, 5])
def test_the_tables_of_other_games_are_compared_with_the_manifest(good, tmp_path, entry):
    files = contents_of(good)
    manifest = json.loads(files["manifest.json"])
    manifest["games"]["gem_mining"] = "1"
    manifest["tables"]["gem_mining/outcomes.csv"] = entry
    files |= {"manifest.json": json.dumps(manifest).encode(), "gem_mining/outcomes.csv": b"x\n1\n"}
    bad = written(tmp_path / "bad.zip", files)
    problems = [str(problem) for problem in audits(bad, "sanctions")[0].problems]
    assert f"gem_mining/outcomes.csv: {CHANGED}" in problems
    assert str(PARTLY) in problems


@pytest.mark.parametrize("change", ["removed", "renamed", "of another type"])
def test_a_column_that_the_codebook_describes_wrongly_is_named(good, tmp_path, change):
    """The payment is still a number, because the release declares it as one."""
    files = contents_of(good)
    codebook = files["codebook.csv"].decode().splitlines(keepends=True)
    start = "sanctions,outcomes,payment,"
    [line] = [line for line in codebook if line.startswith(start)]
    changed = {
        "removed": "",
        "renamed": line.replace(",payment,", ",pledge,", 1),
        "of another type": line.replace(",real,", ",text,", 1),
    }[change]
    assert changed != line
    text = "".join(changed if other == line else other for other in codebook)
    files["codebook.csv"] = text.encode()
    problems = found(written(tmp_path / "bad.zip", files))
    assert any("outcomes" in problem and "payment" in problem for problem in problems)


@pytest.mark.parametrize("column", ["group_id", "treatment"])
def test_a_missing_column_of_config_is_named(good, tmp_path, column):
    files = contents_of(good)
    files["sanctions/config.csv"] = dropped(files["sanctions/config.csv"], column)
    codebook = files["codebook.csv"].decode().splitlines(keepends=True)
    kept = [line for line in codebook if not line.startswith(f"sanctions,config,{column},")]
    assert len(kept) == len(codebook) - 1
    files["codebook.csv"] = "".join(kept).encode()
    problems = found(written(tmp_path / "bad.zip", files))
    assert any("config" in problem and column in problem for problem in problems)


def test_rows_and_lists_of_the_wrong_type_are_named(good, tmp_path):
    def change(files: Files) -> None:
        manifest = json.loads(files["manifest.json"])
        manifest["tables"]["sanctions/decisions.csv"]["rows"] = []
        for session in manifest["sessions"].values():
            session["apps"] = "a survey"
            session["plan"]["parts"] = {"base": 99}
            session["groups"]["prison"] = 500
        manifest |= {"imported": {"table": "old.csv"}, "codes": "of this server"}
        files["manifest.json"] = json.dumps(manifest).encode()

    problems = "\n".join(changed(good, tmp_path / "bad.zip", change))
    for words in (
        "decisions.csv: 64 rows, but the manifest says []",
        "apps = 'a survey': ",
        "parts = {'base': 99}: ",
        "groups: prison: not a game in the export",
        "imported: no session was imported",
        "codes: an export has this only if it has no personal data",
    ):
        assert words in problems, problems


def test_treatments_in_another_order_than_the_plans_are_named(good, tmp_path):
    """The seal of an export does not depend on the order of keys."""

    def change(files: Files) -> None:
        manifest = json.loads(files["manifest.json"])
        for session in manifest["sessions"].values():
            plan = session["plan"]
            plan["treatments"] = dict(reversed(plan["treatments"].items()))
        files["manifest.json"] = json.dumps(manifest).encode()

    problems = changed(good, tmp_path / "bad.zip", change)
    assert any("plan: its order does not match its treatments" in line for line in problems)


def test_a_configuration_of_another_form_is_named(good, tmp_path):
    def change(rows: list[list[str]]) -> None:
        index = rows[0].index("config")
        for row in rows[1:]:
            row[index] = json.dumps({**json.loads(row[index]), "core": [[]]})

    bad = planted(good, tmp_path / "bad.zip", "config", change, remade=True)
    assert any("cannot be replayed" in line for line in found(bad))


def test_nobody_waits_without_arriving(good, tmp_path):
    change = edited(1, "arrived_ms_1", "")
    bad = planted(good, tmp_path / "bad.zip", "participants", change, remade=True, game="")
    fault = "is empty, but outcomes has waited_ms = "
    assert any("arrived_ms_1: participant" in line and fault in line for line in found(bad))


@pytest.mark.parametrize("column", ["pay_2", "seat_2"])
def test_a_column_of_a_later_block_must_not_be_missing(tmp_path, column):
    """In the rehearsed export, everybody reached the second block."""

    def change(rows):
        place = rows[0].index(column)
        for row in rows:
            del row[place]

    bad = planted(
        export(tmp_path),
        tmp_path / "bad.zip",
        "participants",
        change,
        remade=True,
        game="",
    )
    [line] = [line for line in found(bad) if "lacks the columns" in line]
    assert f"lacks the columns {column}, although" in line
