"""Tests of the help page: it lists every command and needs no library, and each command has
help."""

from __future__ import annotations

import shlex
import subprocess
import sys
import tomllib
import types

import pytest

from mixed_company.__main__ import main, parser_of
from mixed_company.cli import commands
from mixed_company.cli.command import Group, find, names, page, sentence
from tests.project import ROOT

WIDTH = 95


def lines_of(text: str) -> dict[str, str]:
    """Return the line for each command: the lines of the page that are indented by two spaces."""
    lines = [line for line in text.splitlines() if line.startswith("  ") and line[2] != " "]
    return {line.split()[0]: line for line in lines}


def test_the_page_lists_every_command_once_under_its_purpose():
    text = page()
    assert set(lines_of(text)) == set(names())
    assert len(names()) >= 17
    for name in names():
        assert text.count(f"\n  {name} ") == 1
        assert lines_of(text)[name].endswith(sentence(find(name)))
    headings = [group.value for group in Group]
    assert [line for line in text.splitlines() if line in headings] == headings
    assert max(map(len, text.splitlines())) <= WIDTH


def test_a_new_command_is_on_the_page(tmp_path, monkeypatch):
    source = '"""Greets."""\nfrom mixed_company.cli.command import Group\n'
    source += 'GROUP, EXTRA, EXAMPLES = Group.PLAY, "", ("mixed greet",)\n'
    source += 'def configure(parser): ...\ndef run(chosen): print("hello"); return 0\n'
    (tmp_path / "greet.py").write_text(source)
    monkeypatch.setattr(commands, "__path__", [*commands.__path__, str(tmp_path)])
    try:
        assert lines_of(page())["greet"].split() == ["greet", "Greets."]
        assert main(["greet"]) == 0
    finally:
        sys.modules.pop("mixed_company.cli.commands.greet", None)


@pytest.mark.parametrize("arguments", [["--help"], ["-h"], []])
def test_help_prints_the_page(capsys, arguments):
    assert main(arguments) == (0 if arguments else 2)
    assert capsys.readouterr().out == page() + "\n"


@pytest.mark.parametrize("name", names())
def test_every_command_has_a_description_and_a_valid_example(name, capsys):
    command = find(name)
    assert isinstance(command, types.ModuleType)
    assert sentence(command).endswith(".")
    assert len(sentence(command)) > 20
    assert command.GROUP in Group
    assert command.EXAMPLES
    with pytest.raises(SystemExit) as ended:
        main([name, "--help"])
    assert ended.value.code == 0
    shown = capsys.readouterr().out
    assert sentence(command) in shown
    for example in command.EXAMPLES:
        assert example in shown
        words = shlex.split(example.split(" > ")[0].split(" | ")[0])
        assert words[:2] in (["mixed", name], ["mixed", "play"])
        parser_of(words[1], find(words[1])).parse_intermixed_args(words[2:])


WITHOUT = """
import sys

sys.path.insert(0, {root!r})
sys.modules.update(dict.fromkeys({libraries!r}))
from mixed_company.__main__ import main
sys.exit(main(sys.argv[1:]))
"""


HELPED = """
for name in sys.argv[1:]:
    try:
        main([name, "--help"])
    except SystemExit as ended:
        assert ended.code == 0, name
"""


def without(libraries: list[str], *arguments: str, source: str = WITHOUT) -> tuple[int, str, str]:
    """Return the exit code, output and errors of a command that runs without these libraries."""
    process = subprocess.run(
        [sys.executable, "-c", source.format(root=str(ROOT), libraries=libraries), *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    return process.returncode, process.stdout, process.stderr


def test_the_page_needs_no_library():
    libraries = ["numpy", "scipy", "pydantic", "otree", "torch", "pandas", "onnxruntime", "tqdm"]
    assert without(libraries, "--help") == (0, page() + "\n", "")


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("library", "extra", "arguments"),
    [
        ("pandas", "analysis", ["check", "export.zip"]),
        ("pandas", "analysis", ["report", "export.zip"]),
        ("statsmodels", "analysis", ["power", "sanctions", "--measure", "x", "--treatment", "a"]),
        ("pandas", "analysis", ["measures"]),
        ("requests", "rehearsal", ["rehearse", "commons", "--people", "greedy"]),
        ("sqlalchemy", "server", ["serve", "--servers", "2"]),
    ],
)
def test_a_missing_library_is_reported_with_the_extra_that_installs_it(library, extra, arguments):
    assert without([library], *arguments) == (
        2,
        "",
        f"mixed {arguments[0]} needs {library}, which is not installed: "
        f'pip install ".[{extra}]" in the project folder\n',
    )


def test_a_library_outside_all_extras_is_reported_by_its_name():
    code, shown, errors = without(["tqdm"], "tournament", "commons_game")
    assert (code, shown) == (2, "")
    assert errors == "mixed tournament needs tqdm, which is not installed: pip install tqdm\n"


def test_every_extra_is_one_of_the_package():
    package = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert {find(name).EXTRA for name in names()} - {""} <= set(package["optional-dependencies"])


def test_help_of_a_command_needs_none_of_its_libraries():
    source = WITHOUT.replace("sys.exit(main(sys.argv[1:]))", HELPED)
    libraries = ["pandas", "otree", "torch", "tqdm", "numpy"]
    code, shown, errors = without(libraries, *names(), source=source)
    assert (code, errors) == (0, "")
    for name in names():
        assert f"usage: mixed {name} " in shown


def test_a_missing_part_of_the_project_is_not_a_library_to_install():
    code, _, errors = without(["mixed_company.engine"], "games")
    assert code == 1
    assert "ModuleNotFoundError" in errors


def test_a_misspelt_command_is_reported_with_the_nearest_name(capsys):
    assert main(["tournement"]) == 2
    assert capsys.readouterr().err == (
        "command 'tournement': unknown; did you mean 'tournament'?\n"
    )


def test_ctrl_c_causes_no_traceback(monkeypatch, capsys):
    def interrupted(_):
        raise KeyboardInterrupt

    monkeypatch.setattr(find("games"), "run", interrupted)
    assert main(["games"]) == 130
    assert capsys.readouterr().err == ""


def test_the_help_of_an_option_names_its_default():
    text = " ".join(parser_of("tournament", find("tournament")).format_help().split())
    assert "--plays PLAYS plays per mix (default: 1000)" in text
    assert "--policies POLICIES policies separated by commas, or `all` (default: all)" in text
    assert text.count("(default: ") == 3  # for those that have one, including the seed
