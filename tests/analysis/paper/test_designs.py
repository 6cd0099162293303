"""Papers about plans with a seal, looks and blocks, and papers regenerated from their folders."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from mixed_company import files
from mixed_company.analysis import paper
from mixed_company.analysis.report import excluded
from mixed_company.analysis.writing import save
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.experiment import reading, sealing, treatments
from mixed_company.experiment.plan import Plan
from mixed_company.experiment.sealing import Seal
from mixed_company.table.setup import session_config
from tests.analysis.planned.made import TEXT, content, plan, played
from tests.analysis.report.made import undrawn
from tests.project import ROOT

BLOCKS = ROOT / "tests/analysis/audit/two_blocks.toml"
OF_BLOCKS = """
[hypotheses.between]
meaning = "With talk, more is contributed in the second play."
measure = "contribution"
test = "welch"
block = "second"
direction = "higher"

[hypotheses.within]
meaning = "People contribute less in the second play."
measure = "contribution"
test = "wilcoxon"
blocks = ["first", "second"]
direction = "lower"
"""


def text_of(
    study: paper.Study, export: Path, folder: Path, again: bool = True, faulty: bool = True
) -> str:
    """Make the folder of a paper, regenerate it from its own files, compare all bytes, and return
    the text.

    faulty   False: ignore the export's faults, because simulated groups are not a plan's sessions
    """
    data = folder.with_suffix(".zip")
    with undrawn():
        collected = paper.collected(study, export, data)
        if not faulty:
            source = replace(collected.original, count=0, problems=())
            collected = replace(collected, original=source)
        with files.prepared(folder) as place:
            assert place is not None
            names = {**paper.made(collected, data), paper.DATA: data.read_bytes()}
            files.written(folder, place, names)
        if again:
            assert paper.again(folder, folder.with_name("second")) == 0
    return (folder / "paper.md").read_text("utf-8")


def simulated(study: Plan, groups: int, path: Path) -> Path:
    save(played(study, groups), path)
    return path


def small(text: str = TEXT, seal: bool = True) -> paper.Study:
    study = plan(text)
    when = "1970-01-01T00:00:00+00:00"
    return paper.Study(
        "small", content(study), Seal.of("small", when, content(study)) if seal else None
    )


@pytest.fixture(scope="module")
def sealed(tmp_path_factory):
    """Make the paper folder of a sealed plan. Return its study and the folder."""
    study, place = small(), tmp_path_factory.mktemp("sealed")
    export = simulated(study.plan, 2, place / "a.zip")
    text_of(study, export, place / "paper", again=False, faulty=False)
    return study, place / "paper"


def test_the_sealed_plan_is_the_plan_of_a_study_whatever_its_file_says_now():
    study = small()
    now = content(plan(TEXT.replace("mann_whitney", "welch")))
    assert replace(study, content=now).plan == study.plan
    assert replace(study, content=now, seal=None).plan == plan(
        TEXT.replace("mann_whitney", "welch")
    )


def test_the_paper_of_a_sealed_plan(sealed):
    study, folder = sealed
    assert study.seal is not None
    words = (folder / "paper.md").read_text("utf-8")
    assert f"Its digest (sha256) is {study.seal.digest}" in words
    assert "before the first participant was assigned to a treatment" in words
    assert "**harvest** (confirmatory)." in words
    assert paper.read(folder).seal == study.seal


def test_the_paper_names_its_export_and_the_verdict_on_its_seals(sealed):
    folder = sealed[1]
    digest = hashlib.sha256(folder.with_name("a.zip").read_bytes()).hexdigest()
    source = f"Export: sha256 {digest}; sealed without a key, so anybody who changes the file can"
    words = (folder / "paper.md").read_text("utf-8")
    methods, results = words.split("# Results")
    assert source in methods
    assert source in results
    assert source in (folder / "report.html").read_text("utf-8")


def test_the_digest_of_a_folder_is_that_of_the_lines_of_sha256sum(sealed):
    folder = sealed[1]
    names = ["data.zip", "seal.json", "study.json"]
    contents = {name: (folder / name).read_bytes() for name in names}
    lines = "".join(f"{hashlib.sha256(contents[name]).hexdigest()}  {name}\n" for name in names)
    digest = hashlib.sha256(lines.encode()).hexdigest()
    assert f"Their digest is {digest}" in (folder / "paper.md").read_text("utf-8")
    for name in names:
        changed = {**contents, name: contents[name] + b"\n"}
        assert paper.digest_of(changed) != digest


def test_the_script_prints_the_digest_and_names_other_files(sealed, tmp_path, monkeypatch, capsys):
    """The files are not regenerated here; `make test-long` does that."""
    folder = sealed[1]
    files_made = {
        str(file.relative_to(folder)): file.read_bytes()
        for file in folder.rglob("*")
        if file.is_file()
    }
    monkeypatch.setattr(paper, "made", lambda of, data: files_made)
    copy = tmp_path / "paper"
    shutil.copytree(folder, copy)
    assert paper.again(copy, copy / "second") == 0
    digest = f"digest: {paper.digest_of(files_made)}"
    assert capsys.readouterr().out.splitlines()[1:] == [digest]
    (copy / "tables" / "hypotheses_final.csv").write_text("p\n0.001\n", "utf-8")
    (copy / "notes").mkdir()
    (copy / "notes" / "a.txt").write_text("", "utf-8")
    assert paper.again(copy, copy / "second") == 1
    assert capsys.readouterr().out.splitlines()[:3] == [
        "not a file of the paper: notes",
        "not a file of the paper: tables/hypotheses_final.csv",
        f"{len(files_made)} of {len(files_made)} files are the same.",
    ]
    with pytest.raises(ConfigError, match="should not be the paper's own folder"):
        paper.again(copy, copy)


def test_a_folder_without_its_export_says_so_and_other_entries_are_refused(sealed, tmp_path):
    folder = tmp_path / "paper"
    shutil.copytree(sealed[1], folder)
    study = json.loads((folder / "study.json").read_text("utf-8"))
    (folder / "study.json").write_text(json.dumps({**study, "original": {}}), "utf-8")
    with undrawn():
        words = str(paper.made(paper.read(folder), folder / "data.zip")["paper.md"])
    assert "`study.json` does not say which export the data come from." in words
    (folder / "study.json").write_text(json.dumps({**study, "original": {"changed": 0}}), "utf-8")
    with pytest.raises(ConfigError, match=r"study.json: original: .*'changed'"):
        paper.read(folder)


def test_a_value_that_does_not_follow_from_the_play_is_a_fault_of_the_export(sealed, tmp_path):
    """The hashes are recomputed, so no file or seal is faulty. Simulated groups have other
    faults."""
    study, data = sealed[0], played(sealed[0].plan, 2)
    stocks = data.periods["after_stock"] * 0.3
    export = tmp_path / "a.zip"
    save(replace(data, periods=data.periods.assign(after_stock=stocks)), export)
    changed, original = (
        paper.collected(study, file, tmp_path / "data.zip").original.count
        for file in (export, sealed[1].with_name("a.zip"))
    )
    assert changed == original + 12  # the stock after each of three periods in four groups


def test_an_export_that_says_it_has_no_personal_data_is_refused_if_it_has(sealed, tmp_path):
    """Such a file used to be copied into the folder."""
    study, data = sealed[0], played(sealed[0].plan, 2)
    about = {**data.manifest, "anonymous": True, "replaced": [], "left_out": []}
    personal = replace(data, manifest=about, outcomes=data.outcomes.assign(label="Jane Doe"))
    save(personal, tmp_path / "a.zip")
    with pytest.raises(ConfigError, match="but contains values that are not codes"):
        paper.collected(study, tmp_path / "a.zip", tmp_path / "data.zip")
    assert not (tmp_path / "data.zip").exists()


def test_an_anonymous_export_with_faults_is_written_again(sealed, tmp_path):
    """A file that the manifest does not name may hold personal data, so it is not copied."""
    study, folder = sealed
    export = tmp_path / "a.zip"
    shutil.copy(folder / "data.zip", export)
    with zipfile.ZipFile(export, "a") as archive:
        archive.writestr("names.txt", "Jane Doe")
    paper.collected(study, export, tmp_path / "data.zip")
    with zipfile.ZipFile(tmp_path / "data.zip") as archive:
        assert "names.txt" not in archive.namelist()
        assert "commons_game/outcomes.csv" in archive.namelist()


def test_a_session_under_another_name_is_a_deviation_of_the_paper(sealed, tmp_path):
    """This session is missing from the data in the folder."""
    study, data = sealed[0], played(sealed[0].plan, 2)
    text = study.seal.of_text[0]
    other = {"session_config": "again", "participants": 0, "plan": {"name": "again", "plan": text}}
    sessions = {**data.manifest["sessions"], "other": other}
    save(replace(data, manifest={**data.manifest, "sessions": sessions}), tmp_path / "a.zip")
    words = text_of(study, tmp_path / "a.zip", tmp_path / "paper", again=False)
    assert "session other: was made from this plan's text under the name 'again'" in words
    assert paper.read(tmp_path / "paper").others["other"]["plan"]["name"] == "again"


def test_a_file_that_differs_when_the_paper_is_made_again_is_named(
    sealed, tmp_path, monkeypatch, capsys
):
    """The files are not regenerated here; `make test-long` does that."""
    study, folder = sealed
    files_made = {
        str(file.relative_to(folder)): file.read_bytes()
        for file in folder.rglob("*")
        if file.is_file()
    }
    changed = {**files_made, "paper.md": b"another text"}
    for contents, code, line in (
        (files_made, 0, f"{len(files_made)} of {len(files_made)} files are the same."),
        (changed, 1, "differs: paper.md"),
    ):
        monkeypatch.setattr(
            paper, "made", lambda of, data, files=contents: files if of.seal == study.seal else {}
        )
        assert paper.again(folder, tmp_path / f"second {code}") == code
        assert capsys.readouterr().out.splitlines()[0] == line


def test_a_seal_with_a_changed_digest_of_a_treatment_is_refused(sealed, tmp_path):
    study, folder = sealed
    assert study.seal is not None
    changed = study.seal.model_copy(update={"treatments": {"open": "0", "pool": "1"}})
    assert not changed.is_whole
    shutil.copytree(folder, tmp_path / "paper")
    (tmp_path / "paper" / paper.SEAL).write_text(changed.model_dump_json(), "utf-8")
    with pytest.raises(ConfigError, match="its hash does not match its content"):
        paper.read(tmp_path / "paper")


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"plan": None}, "should contain a string, plan, and the objects content, "),
        ({"others": [1]}, "should contain a string, plan, and the objects content, "),
        ({"original": {"problems": 5}}, "original: 'int' object is not iterable"),
        ({"original": {"problems": [1]}}, "original: should contain a whole number, count, and"),
        ({"original": {"count": "x"}}, "original: should contain a whole number, count, and"),
        ({"others": {"a": 1}}, "others: should contain an object for each session"),
        ({"content": {}}, "content: not in the form of a seal: 'plan'"),
        ({"content": {"plan": {}}}, r"content\.plan\.\w+: is missing"),
    ],
)
def test_a_study_of_another_form_is_refused(sealed, tmp_path, changes, rule):
    _, folder = sealed
    study = json.loads((folder / paper.STUDY).read_text("utf-8"))
    (tmp_path / paper.STUDY).write_text(json.dumps({**study, **changes}), "utf-8")
    with pytest.raises(ConfigError, match=f"study.json: {rule}"):
        paper.read(tmp_path)


@pytest.mark.long
def test_the_paper_of_a_look(tmp_path):
    """The level of the first of two looks replaces the correction."""
    study = small(TEXT.replace("groups = 2", "groups = 6\nlooks = [3]"), seal=False)
    export = simulated(study.plan, 3, tmp_path / "a.zip")
    words = text_of(study, export, tmp_path / "paper")
    assert "Interim tests: after 3 groups per treatment (obrien fleming)." in words
    assert "Look 1: 3 groups of each treatment; looks are planned at 3, 6." in words
    assert "The result is not significant at the 0.00" in words


def test_the_paper_of_blocks(tmp_path):
    """The rehearsal has two groups per treatment and two blocks. The data have no personal data, so
    the groups that could talk have no journal."""
    text = BLOCKS.read_text("utf-8") + OF_BLOCKS
    study = reading.from_text(text, BLOCKS.name)
    base = session_config("sanctions", "sanctions", "lab", display_name="", bots="random")
    shipped = treatments.session_config(BLOCKS.stem, study, [base])
    series = treatments.shipped_series("sanctions", shipped)
    money = {"participation_fee": 2.0, "real_world_currency_per_point": 0.016}
    sealed = sealing.content_of(study, series, money)
    export = BLOCKS.with_suffix(".zip")
    words = text_of(paper.Study(BLOCKS.stem, sealed, None), export, tmp_path / "paper", again=False)
    assert words.index("**The data are simulated") < words.index("# Methods")
    assert "In each period of `sanctions` in block second, a player decides on" in words
    assert "In talk, second, 2 groups played 2 of 2 periods; none ended early." in words
    within = "between first and second, within groups of silence and talk together."
    assert f"{within} Expected: lower in second than in first." in words
    assert "Contribution of all seats (points) was on average" in words
    assert "in first (4 groups" in words
    assert "Wilcoxon signed-rank test, exact (first 4, second 4)" in words
    assert "\n\nOf 8 groups, 4 were replayed from configuration, seed and journal, " in words
    without = "4 groups have no journal here, so only their decisions were replayed under the rules"
    page = (tmp_path / "paper" / "report.html").read_text("utf-8")
    assert f" {without}; " in words.partition("## Data quality")[2]
    assert f" {without}; " in page.partition("Audit of the game: 8 groups, ")[2]


def changed(export: Path, path: Path, name: str, change: Callable[[bytes], bytes]) -> Path:
    """Write an export with one changed file, without recomputing hashes."""
    with zipfile.ZipFile(export) as before, zipfile.ZipFile(path, "w") as after:
        for file in before.namelist():
            content = before.read(file)
            after.writestr(file, change(content) if file == name else content)
    return path


def without_pool(content: bytes) -> bytes:
    about = json.loads(content)
    about["created"] = [*about["sessions"], "lost"]
    return json.dumps(about).encode()


EDITED = "was changed after it was written: its sha256 is not the one in the manifest"
RAGGED = re.compile(r"seats.csv, line \d+: 2 values for \d+ columns; the row is left out")
ABSENT = "sessions on this server that are missing from the file: lost"


OUT = '''session = "open"
group = 1
when = "before"
why = """The projector failed.

## Hypotheses

**harvest** (confirmatory). *p* < .001."""
'''


@pytest.fixture(scope="module")
def edited(sealed, tmp_path_factory) -> str:
    """Return the paper of an export in which two files were edited."""
    study, folder = sealed
    place = tmp_path_factory.mktemp("edited")
    rows = changed(
        *(folder.with_name("a.zip"), place / "a.zip", "commons_game/seats.csv"),
        lambda content: content + b"x,y\n",
    )
    export = changed(rows, place / "b.zip", "manifest.json", without_pool)
    (place / "out.toml").write_text(f"[[exclude]]\n{OUT}", "utf-8")
    study = replace(study, excluded=excluded.read(place / "out.toml"))
    return text_of(study, export, place / "paper")


def test_the_faults_of_the_export_come_after_changed_treatments(edited):
    """The data in the folder are rewritten, so they have none of these faults."""
    listing = edited.partition("## Deviations from the plan")[2].partition("## Quality")[0]
    first = [line for line in listing.splitlines() if line.startswith("- ")]
    faults = [line.startswith("- export: ") for line in first]
    start = faults.index(True)
    assert all("treatment" in line for line in first[:start])
    assert all(faults[start : start + 4])
    assert f"- export: commons_game/seats.csv: {EDITED}" in first
    assert RAGGED.search(listing)
    assert f"- export: {ABSENT}" in first
    assert "has problems, which are listed under deviations. Every group was replayed" in edited


def test_a_changed_export_confirms_nothing(edited):
    assert "**harvest** (confirmatory)" not in edited
    assert "**harvest** (exploratory)." in edited
    assert "The export does not pass mixed check, so no result is confirmatory." in edited


def test_a_plan_is_sealed_before_the_people_of_the_sessions_in_the_export(edited, sealed):
    assert "before the first participant of the sessions in the export was assigned" in edited
    assert "before the first participant was assigned to a treatment" not in edited


def test_reasons_of_several_lines_are_one_line_without_formatting(edited):
    """The script reads the reason from excluded.csv and produces the same bytes."""
    reason = r"The projector failed. ## Hypotheses \*\*harvest\*\* (confirmatory). \*p\* \< .001."
    assert f"kept in the tests; reason: {reason} (decided: before)" in edited
    assert edited.count("\n## Hypotheses\n") == 1
