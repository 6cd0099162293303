"""A paper's folder is complete, has no personal data, and can be reproduced from its own files."""

from __future__ import annotations

import contextlib
import csv
import io
import os
import re
import runpy
import subprocess
import sys
import zipfile
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from mixed_company.__main__ import main
from mixed_company.analysis import load, paper, writing
from mixed_company.analysis.audit import NOTES, audits
from mixed_company.analysis.audit.wording import Original, compared
from mixed_company.analysis.reading import participants
from mixed_company.cli.commands.plan import load_plan
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.table.export import LEFT_OUT, Anonymous
from tests.analysis.report.made import undrawn
from tests.project import ROOT

PLAN = "gems_information"
SAMPLE = ROOT / "mixed_company/analysis/sample/gem_mining.zip"
WHY = "the projector failed"


def people(export: Path) -> list[dict[str, str]]:
    with zipfile.ZipFile(export) as archive:
        text = archive.read("participants.csv").decode()
    return list(csv.DictReader(io.StringIO(text)))


def written(place: Path) -> Path:
    """Write the folder of the sample's paper, with one excluded participant."""
    person = people(SAMPLE)[0]["participant"]
    (place / "out.csv").write_text(f"participant,why,when\n{person},{WHY},before\n", "utf-8")
    output = place / "paper"
    arguments = [PLAN, str(SAMPLE), "--output", str(output), "--exclude", str(place / "out.csv")]
    before = Path.cwd()
    os.chdir(ROOT)
    try:
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            assert main(["paper", *arguments]) == 0
    finally:
        os.chdir(before)
    (place / "printed.txt").write_text(printed.getvalue(), "utf-8")
    return output


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the folder with empty figures."""
    with undrawn():
        return written(tmp_path_factory.mktemp("paper"))


def test_the_exit_code_is_1_if_the_export_has_faults(tmp_path, monkeypatch):
    faults = []

    def collected(study, export, data, key, say):
        data.write_bytes(b"")
        return replace(study, original=Original(count=len(faults)))

    monkeypatch.setattr(paper, "collected", collected)
    monkeypatch.setattr(paper, "made", lambda *arguments, **options: {"paper.md": b""})
    monkeypatch.chdir(ROOT)
    command = ["paper", PLAN, str(SAMPLE), "--output", str(tmp_path / "paper")]
    assert main(command) == 0
    faults.append("a fault")
    assert main(command) == 1


def test_an_export_whose_outcomes_cannot_be_read_is_refused(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    bad = tmp_path / "bad.zip"
    with zipfile.ZipFile(SAMPLE) as before, zipfile.ZipFile(bad, "w") as after:
        for name in before.namelist():
            after.writestr(name, b"" if name.endswith("outcomes.csv") else before.read(name))
    assert main(["paper", PLAN, str(bad), "--output", str(tmp_path / "paper")]) == 2
    words = "gem_mining/outcomes.csv cannot be read, but a paper needs it"
    assert words in capsys.readouterr().err


@pytest.mark.long
def test_the_script_makes_the_same_bytes_from_the_folder_alone(tmp_path):
    """The script runs in another folder, without plans or settings."""
    folder = written(tmp_path)
    done = subprocess.run(
        [sys.executable, str(folder / "again.py"), "second"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    first = {file.relative_to(folder): file.read_bytes() for file in _files(folder)}
    second = tmp_path / "second"
    assert {file.relative_to(second): file.read_bytes() for file in _files(second)} == first
    digest = paper.digest_of({str(name): content for name, content in first.items()})
    assert done.stdout == f"{len(first)} of {len(first)} files are the same.\ndigest: {digest}\n"


def test_links_and_empty_folders_are_not_files_of_the_paper(tmp_path, monkeypatch, capsys):
    folder, other = tmp_path / "paper", tmp_path / "other"
    for name in ("paper/tables", "other", "paper/empty"):
        (tmp_path / name).mkdir(parents=True)
    for path in (folder / "data.zip", folder / "tables/who.csv", other / "who.csv"):
        path.write_bytes(b"")
    content = {"tables/who.csv": b""}
    monkeypatch.setattr(paper, "read", lambda place: None)
    monkeypatch.setattr(paper, "made", lambda study, data: content)

    def strangers() -> list[str]:
        code = paper.again(folder, folder / "second")
        lines = [line for line in capsys.readouterr().out.splitlines() if "not a file" in line]
        assert code == bool(lines)
        return [line.removeprefix("not a file of the paper: ") for line in lines]

    assert strangers() == ["empty"]
    (folder / "empty").rmdir()
    assert strangers() == []
    (folder / "final").symlink_to(other)
    (folder / "of_output").symlink_to(folder / "second")
    assert strangers() == ["final", "of_output"]
    (folder / "final").unlink()
    (folder / "of_output").unlink()
    (folder / "tables/who.csv").unlink()
    (folder / "tables").rmdir()
    (folder / "tables").symlink_to(other)
    assert strangers() == ["tables"]
    (folder / "second/tables/final.csv").write_bytes(b"")
    assert strangers() == ["second/tables/final.csv", "tables"]


@pytest.mark.parametrize(
    ("arguments", "rule"),
    [
        ([], "the following arguments are required: FOLDER"),
        (["second", "third"], "unrecognized arguments: third"),
        (["."], ".: should not be the paper's own folder or contain it"),
        ([".."], "..: should not be the paper's own folder or contain it"),
        (["../.."], "../..: should not be the paper's own folder or contain it"),
        (["data.zip"], "data.zip: is a file, not a folder"),
        (["second/deep"], "second/deep: its parent folder does not exist"),
    ],
)
def test_the_script_refuses_an_output_that_it_cannot_use(
    folder, monkeypatch, capsys, arguments, rule
):
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "argv", ["again.py", *arguments])
    before = set(folder.parent.rglob("*"))
    with pytest.raises(SystemExit) as ended:
        runpy.run_path("again.py", run_name="__main__")
    assert ended.value.code == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.endswith(f"{rule}\n")
    assert set(folder.parent.rglob("*")) == before


@pytest.mark.parametrize("missing", ["data.zip", "study.json"])
def test_the_script_refuses_a_folder_that_lacks_its_sources(
    folder, tmp_path, monkeypatch, capsys, missing
):
    for name in {"again.py", "data.zip", "study.json"} - {missing}:
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    monkeypatch.setattr(sys, "argv", ["again.py", str(tmp_path / "second")])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(tmp_path / "again.py"), run_name="__main__")
    assert ended.value.code == 2
    assert missing in capsys.readouterr().err
    assert not (tmp_path / "second").exists()


HOW = (
    "which is not installed: install mixed-company[analysis] in the version that paper.md states, "
    "and then the libraries in requirements.txt\n"
)


@pytest.mark.parametrize(("path", "library"), [("", "mixed_company"), (str(ROOT), "pandas")])
def test_the_script_says_how_to_install_what_it_needs(folder, tmp_path, path, library):
    """Without `site`, Python has only its own modules and those in PYTHONPATH."""
    done = subprocess.run(
        [sys.executable, "-S", str(folder / "again.py"), str(tmp_path / "second")],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (2, f"again.py needs {library}, {HOW}")


def test_the_script_names_a_library_that_is_missing_later(folder, tmp_path, monkeypatch, capsys):
    def again(*folders: Path) -> int:
        raise ModuleNotFoundError(name="matplotlib")

    monkeypatch.setattr(paper, "again", again)
    monkeypatch.setattr(sys, "argv", ["again.py", str(tmp_path / "second")])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(folder / "again.py"), run_name="__main__")
    assert ended.value.code == 2
    assert capsys.readouterr().err == f"again.py needs matplotlib, {HOW}"


def _files(folder: Path) -> list[Path]:
    return [file for file in sorted(folder.rglob("*")) if file.is_file()]


def test_the_folder_has_text_tables_figures_data_and_plan(folder):
    names = {str(file.relative_to(folder)) for file in _files(folder)}
    assert {"paper.md", "data.zip", "codebook.md", "study.json", "again.py"} <= names
    assert {"excluded.csv", "requirements.txt", "report.html"} <= names
    assert {"tables/hypotheses.csv", "paper/the_hypotheses.tex", "figures/who.pdf"} <= names
    text = (folder / "paper.md").read_text("utf-8")
    assert text.index("# Methods") < text.index("# Results") < text.index("# Figures")
    named = "kept in the tests, like all groups of participant "
    assert re.search(rf"{named}\w+; reason: {WHY} \(decided: before\)", text)
    assert "because the reason is not in the plan" in text
    assert "24 groups, 360 periods, " in text
    assert " numbers compared; everything matches" in text


def test_no_file_has_a_participant_code_and_the_data_are_whole(folder):
    codes = [row["participant"] for row in people(SAMPLE)]
    with zipfile.ZipFile(folder / "data.zip") as archive:
        contents = [archive.read(name) for name in archive.namelist()]
    contents += [file.read_bytes() for file in _files(folder) if file.suffix != ".zip"]
    for content in contents:
        assert not [code for code in codes if code.encode() in content]
    assert len(people(folder / "data.zip")) == len(codes)


def test_texts_that_an_anonymous_export_keeps_are_left_out_of_the_data(tmp_path, monkeypatch):
    """Such an export, made with `--anonymous --texts`, used to be copied."""
    data, export, words = load(SAMPLE), tmp_path / "texts.zip", "My name is Jane."
    options = data.config["options"].str.replace('"comments":false', '"comments":true')
    config = data.config.assign(options=options)
    data = replace(data, config=config, outcomes=data.outcomes.assign(comments=words))
    with monkeypatch.context() as patch:
        patch.setattr(writing, "Anonymous", partial(Anonymous, texts=True))
        writing.save_anonymous([data], participants(SAMPLE)[0], export, b"k")
    monkeypatch.chdir(ROOT)
    content = load_plan(PLAN).content
    study = paper.collected(paper.Study(PLAN, content, None), export, tmp_path / "data.zip")
    assert not study.original.count
    written = load(tmp_path / "data.zip")
    assert load(export).outcomes["comments"].eq(words).all()
    assert written.outcomes["comments"].eq(LEFT_OUT).all()
    assert "outcomes.comments" in written.manifest["left_out"]


@pytest.mark.long
def test_the_anonymous_data_are_correct_and_have_the_same_count_of_numbers(folder):
    """The check whether a cell is a code does not count as a comparison of numbers."""
    printed = (folder.parent / "printed.txt").read_text("utf-8")
    after = audits(folder / "data.zip")
    assert [p for audit in after for p in audit.problems if p.kind not in NOTES] == []
    assert all(compared(audit) in printed for audit in after)
    text = (folder / "paper.md").read_text("utf-8")
    counts = f"24 groups, 360 periods, {after[0].numbers} numbers compared; everything matches"
    assert counts in text
    assert f"Audit of the game: {counts}. " in (folder / "report.html").read_text("utf-8")


def test_a_simulated_paper_says_so_before_anything_else(folder):
    text = (folder / "paper.md").read_text("utf-8")
    assert text.index("**The data are simulated: policies played") < text.index("# Methods")
    assert "A rehearsal: policies played in place of people" in text


def test_a_plan_of_another_export_is_refused(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    output = tmp_path / "paper"
    assert main(["paper", "vote_effect", str(SAMPLE), "--output", str(output)]) == 2
    wrong = capsys.readouterr().err
    assert f"there is no session of 'vote_effect'; there are sessions of {PLAN!r}" in wrong
    assert not output.exists()


def test_a_folder_without_a_study_and_a_changed_seal_are_refused(tmp_path):
    with pytest.raises(ConfigError, match="not a folder written by"):
        paper.read(tmp_path)
    (tmp_path / "study.json").write_text('{"plan": "a", "content": {}}', "utf-8")
    seal = '{"plan": "a", "sealed": "2026-01-01T00:00:00+00:00", "digest": "0", "content": {}}'
    (tmp_path / "seal.json").write_text(seal, "utf-8")
    with pytest.raises(ConfigError, match="its hash does not match its content"):
        paper.read(tmp_path)
