"""The list of session configs leaves out plans and apps with an error, and nothing else."""

from __future__ import annotations

import shutil
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import settings
from mixed_company import engine
from mixed_company.__main__ import main
from mixed_company.engine.contract.errors import ConfigError, UnknownName
from mixed_company.experiment import treatments
from mixed_company.server.preflight.whole import looked_at
from mixed_company.server.sessions import session_configs
from tests.project import ROOT

RIGHT = "commons_governance"
WRONG = "plans/wrong.toml"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a playable plan and one with an unknown key."""
    plans = tmp_path / "plans"
    plans.mkdir()
    right = (ROOT / "plans" / f"{RIGHT}.toml").read_text("utf-8")
    (plans / f"{RIGHT}.toml").write_text(right, "utf-8")
    (plans / "wrong.toml").write_text("colour = 1\n" + right, "utf-8")
    (tmp_path / "settings.py").touch()
    monkeypatch.chdir(tmp_path)
    return plans


@pytest.fixture
def listed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the session configs of this folder into the settings."""
    monkeypatch.setattr(settings, "SESSION_CONFIGS", session_configs())


def names() -> list[str]:
    return [config["name"] for config in session_configs()]


def test_an_invalid_plan_is_left_out_and_named_and_all_others_are_listed(folder, caplog):
    configs = names()
    [line] = caplog.messages
    (folder / "wrong.toml").unlink()
    assert configs == names()
    assert RIGHT in configs
    assert line.startswith(f"{WRONG} is omitted, but all other sessions are available: ")
    assert "colour = 1: unknown key" in line
    assert [record.levelname for record in caplog.records] == ["ERROR"]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda file: file.write_bytes(b"\xff"), "not UTF-8 text"),
        (lambda file: file.mkdir(), "cannot be read: Is a directory"),
        (lambda file: file.symlink_to("nowhere"), "cannot be read: No such file or directory"),
        (
            lambda file: file.rename(file.with_name("Big plan.toml")),
            "may contain only lower-case letters, digits",
        ),
    ],
)
def test_a_file_that_is_not_a_plan_affects_no_other(folder, caplog, change, sentence):
    file = folder / "wrong.toml"
    if "lower-case letters" not in sentence:
        file.unlink()
    change(file)
    assert RIGHT in names()
    assert sentence in caplog.text


TWO_BLOCKS = """
[[blocks]]
name = "one"
meaning = "first"

[[blocks]]
name = "two"
meaning = "second"
apps_before = "{app}"
"""


@pytest.mark.parametrize(
    ("app", "sentence"),
    [
        ("no_such_app", "there is no folder no_such_app with an __init__.py"),
        ("datetime", "there is no folder datetime with an __init__.py"),
        ("json", "not an oTree app: its __init__.py has no C"),
        ("unlike_app", "not an oTree app: its __init__.py has no page_sequence"),
        ("broken_app", "broken_app/__init__.py: line 1: "),
    ],
)
def test_a_plan_with_an_app_that_would_stop_otree_affects_no_other(
    folder, monkeypatch, caplog, app, sentence
):
    (folder.parent / "broken_app").mkdir()
    (folder.parent / "broken_app" / "__init__.py").write_text("class C(:", "utf-8")
    (folder.parent / "unlike_app").mkdir()
    unlike = "from otree.api import *\nclass C: pass\nclass Player: pass\n"
    (folder.parent / "unlike_app" / "__init__.py").write_text(unlike, "utf-8")
    monkeypatch.syspath_prepend(folder.parent)
    text = (folder / f"{RIGHT}.toml").read_text("utf-8").replace("test =", 'block = "one"\ntest =')
    (folder / "wrong.toml").write_text(text + TWO_BLOCKS.format(app=app), "utf-8")
    assert [name for name in names() if name in (RIGHT, "wrong")] == [RIGHT]
    assert sentence in caplog.text


def test_a_plan_can_have_apps_of_other_projects(folder, monkeypatch):
    app = folder.parent / "survey_app"
    app.mkdir()
    (app / "__init__.py").write_text(
        "from otree.api import *\nclass C: pass\nclass Player: pass\npage_sequence = []\n", "utf-8"
    )
    monkeypatch.syspath_prepend(folder.parent)
    text = (folder / f"{RIGHT}.toml").read_text("utf-8").replace("test =", 'block = "one"\ntest =')
    (folder / "wrong.toml").write_text(text + TWO_BLOCKS.format(app="survey_app"), "utf-8")
    assert "wrong" in names()


@pytest.mark.parametrize("fee", ['"much"', "nan", "-1.0", "true"])
def test_a_plan_whose_fee_would_stop_otree_affects_no_other(folder, caplog, fee):
    text = (folder / f"{RIGHT}.toml").read_text("utf-8")
    wrong = text.replace("[changes]", f"[changes]\nparticipation_fee = {fee}")
    (folder / "wrong.toml").write_text(wrong, "utf-8")
    assert [name for name in names() if name in (RIGHT, "wrong")] == [RIGHT]
    assert "participation_fee = " in caplog.text
    assert "should be a number that is at least 0" in caplog.text


def test_a_plan_that_makes_our_code_fail_affects_no_other(folder, monkeypatch, caplog):
    session_config = treatments.session_config

    def fail(name: str, *arguments: Any) -> object:
        if name == "wrong":
            raise KeyError("colour")
        return session_config(name, *arguments)

    (folder / "wrong.toml").write_text((folder / f"{RIGHT}.toml").read_text("utf-8"), "utf-8")
    monkeypatch.setattr(treatments, "session_config", fail)
    assert RIGHT in names()
    assert f"{WRONG} is omitted" in caplog.text
    assert "KeyError: 'colour'" in caplog.text


@pytest.fixture
def broken(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the gem_mining app fail while its sessions are read."""
    app = copied(tmp_path, folder, monkeypatch)
    (app / "sessions.py").write_text("SESSION_CONFIGS = [{'name': 1 / 0}]\n", "utf-8")


def copied(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of the gem_mining app, which the list of sessions reads instead."""
    (folder / "wrong.toml").unlink()
    for place in ("gem_mining", "_static/gem_mining"):
        shutil.copytree(ROOT / place, tmp_path / place)

    def copied_spec(name: str) -> object:
        if name == "gem_mining":
            return SimpleNamespace(submodule_search_locations=[str(tmp_path / name)])
        return find_spec(name)

    monkeypatch.setattr("mixed_company.server.sessions.find_spec", copied_spec)
    return tmp_path / "gem_mining"


@pytest.mark.usefixtures("broken")
def test_an_app_whose_sessions_fail_is_left_out_and_named(caplog):
    apps = {config["app_sequence"][0] for config in session_configs()}
    assert apps == set(engine.game_ids()) - {"gem_mining"}
    assert caplog.messages == [
        "gem_mining/sessions.py is omitted, but all other sessions are available: "
        "ZeroDivisionError: division by zero"
    ]


def without(path: Path, text: str | None) -> None:
    """Delete a file, or rename a value in it."""
    if text is None:
        path.unlink()
    else:
        path.write_text(path.read_text("utf-8").replace(text, f"un{text}"), "utf-8")


@pytest.mark.parametrize(
    ("file", "text", "expected"),
    [
        ("gem_mining/quiz.py", None, "gem_mining/quiz.py: is missing"),
        ("gem_mining/words.py", "TITLE", "gem_mining/words.py: has no TITLE"),
        ("gem_mining/stage.py", "def setting", "gem_mining/stage.py: line "),
        ("_static/gem_mining/stage.js", None, "_static/gem_mining/stage.js: is missing"),
    ],
)
def test_an_incomplete_app_is_left_out_and_named(
    tmp_path, folder, monkeypatch, caplog, file, text, expected
):
    copied(tmp_path, folder, monkeypatch)
    without(tmp_path / file, text)
    apps = {config["app_sequence"][0] for config in session_configs()}
    assert apps == set(engine.game_ids()) - {"gem_mining"}
    [line] = caplog.messages
    assert expected in line


def test_an_app_that_imports_a_missing_file_of_its_own_is_left_out_and_named(
    tmp_path, folder, monkeypatch, caplog
):
    app = copied(tmp_path, folder, monkeypatch)
    (app / "scenes.py").unlink()
    with (app / "quiz.py").open("a", encoding="utf-8") as quiz:
        quiz.write("\n\ndef heads() -> None:\n    from gem_mining.scenes import scenes\n")
    apps = {config["app_sequence"][0] for config in session_configs()}
    assert apps == set(engine.game_ids()) - {"gem_mining"}
    [line] = caplog.messages
    assert "gem_mining/scenes.py: is missing, but quiz.py imports it" in line


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def broken(:\n", "gem_mining/helper.py: line 1: "),
        ("\0", "gem_mining/helper.py: not Python source"),
        (b"# \xff\n", "gem_mining/helper.py: not Python source"),
    ],
    ids=["syntax", "null", "encoding"],
)
def test_a_broken_file_of_an_app_matters_only_if_the_app_imports_it(
    tmp_path, folder, monkeypatch, caplog, text, expected
):
    app = copied(tmp_path, folder, monkeypatch)
    (app / "helper.py").write_bytes(text if isinstance(text, bytes) else text.encode())
    assert {config["app_sequence"][0] for config in session_configs()} == set(engine.game_ids())
    assert caplog.messages == []
    with (app / "quiz.py").open("a", encoding="utf-8") as quiz:
        quiz.write("\n\nfrom gem_mining.helper import help_out\n")
    apps = {config["app_sequence"][0] for config in session_configs()}
    assert apps == set(engine.game_ids()) - {"gem_mining"}
    assert any(expected in line for line in caplog.messages)


def test_an_app_without_pictures_in_its_instructions_can_be_played(
    tmp_path, folder, monkeypatch, caplog
):
    app = copied(tmp_path, folder, monkeypatch)
    (app / "scenes.py").unlink()
    apps = {config["app_sequence"][0] for config in session_configs()}
    assert (apps, caplog.messages) == (set(engine.game_ids()), [])


def asked(session: str) -> str:
    """Return preflight's error for a session."""
    with pytest.raises((ConfigError, UnknownName)) as refused:
        looked_at(settings, session, 4, None, "127.0.0.1", {})
    return str(refused.value)


def test_preflight_and_plan_check_refuse_an_invalid_plan_with_the_sentence_of_the_log(
    folder, monkeypatch, caplog, capsys
):
    monkeypatch.setattr(settings, "SESSION_CONFIGS", session_configs())
    refused = asked("wrong")
    sentence = refused[refused.index("colour = 1: unknown key") :]
    assert sentence in caplog.text
    assert main(["plan", "check", "wrong"]) == 2
    assert sentence in capsys.readouterr().err


def test_a_plan_that_only_the_list_refuses_is_refused_by_plan_check(folder, monkeypatch, capsys):
    text = (folder / f"{RIGHT}.toml").read_text("utf-8")
    (folder / "wrong.toml").write_text(text.replace("commons_four_people", "nowhere"), "utf-8")
    monkeypatch.setattr(settings, "SESSION_CONFIGS", session_configs())
    assert main(["plan", "check", "wrong"]) == 2
    assert "session = 'nowhere': no such session config" in capsys.readouterr().err


@pytest.mark.usefixtures("broken", "listed")
def test_preflight_names_an_app_that_could_have_the_session():
    assert "gem_mining/sessions.py: ZeroDivisionError" in asked("gems")


@pytest.mark.usefixtures("listed")
def test_an_unknown_session_is_refused_without_mentioning_invalid_plans():
    assert asked("comons") == "session config 'comons': unknown; did you mean 'commons'?"
