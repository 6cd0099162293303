"""Tests that all texts that people read can be translated."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mixed_company import engine
from tests.language import marked
from tests.project import ROOT

MANAGER = ("board", "session_form.js")
"""Scripts for the manager's pages, which are in English."""


def templates() -> Iterator[Path]:
    """Yield the pages of participants. Pages for administrators contain `{% ... %}`."""
    for path in (ROOT / "_templates/mixed").glob("*.html"):
        if "{%" not in path.read_text("utf-8") and path.name != "with_personal_data.html":
            yield path


def scripts() -> Iterator[Path]:
    for path in (ROOT / "_static").rglob("*.js"):
        if not path.name.startswith(MANAGER):
            yield path


def modules() -> Iterator[Path]:
    """Yield the modules that create sentences for people."""
    for game_id in engine.game_ids():
        for name in ("words", "instructions", "quiz", "results", "scenes", "stage"):
            yield ROOT / game_id / f"{name}.py"
    for name in ("texts", "rules", "plain", "results", "money", "instructions"):
        yield ROOT / "mixed_company/server/pages" / f"{name}.py"


def sources() -> Iterator[Path]:
    rooms = [f"mixed_company/{room}" for room in ("server", "table", "engine", "language")]
    for folder in (*rooms, *engine.game_ids()):
        yield from (ROOT / folder).rglob("*.py")


def faults(find: Callable[[str], list[str]], paths: Iterator[Path]) -> dict[str, list[str]]:
    faults_by_path = {
        path.relative_to(ROOT).as_posix(): find(path.read_text("utf-8")) for path in paths
    }
    assert len(faults_by_path) > 5
    return {name: wrong for name, wrong in faults_by_path.items() if wrong}


def test_pages_have_no_unmarked_words() -> None:
    assert faults(marked.in_template, templates()) == {}


def test_scripts_have_no_unmarked_words() -> None:
    assert faults(marked.in_script, scripts()) == {}


def test_all_texts_of_games_and_pages_are_marked() -> None:
    assert faults(marked.in_words, modules()) == {}


def test_nothing_is_translated_before_the_language_is_known() -> None:
    assert faults(marked.at_import, sources()) == {}


def test_nothing_is_translated_by_the_gettext_of_one_language() -> None:
    assert faults(marked.by_gettext, sources()) == {}


@pytest.mark.parametrize(
    ("find", "source"),
    [
        (marked.in_template, "<p>{{ words.title }} of the game</p>"),
        (marked.in_template, '<svg aria-label="The lake"></svg>'),
        (marked.in_script, 'node.textContent = "Saved";'),
        (marked.in_script, "node.textContent = `Period ${period}`;"),
        (marked.in_script, 'element("p", {class: "mc-note"}, "Saved")'),
        (marked.in_script, '{role: "img", "aria-label": "The map"}'),
        (marked.in_words, 'lines.append("You have two seconds.")'),
        (marked.in_words, 'lines.append(f"You have {seconds} seconds left.")'),
        (marked.at_import, 'TITLE = _("The lake")'),
        (marked.at_import, 'class A:\n    titles = {"a": gettext("The lake")}'),
        (marked.by_gettext, "from gettext import gettext as _"),
    ],
)
def test_a_planted_fault_is_found(find: Callable[[str], list[str]], source: str) -> None:
    assert find(source) != []


@pytest.mark.parametrize(
    ("find", "source"),
    [
        (marked.in_template, '<p class="mc quiet">{{ words.title }}&nbsp;</p><script>a b</script>'),
        (marked.in_script, "// node.textContent = `Saved`\nnode.textContent = texts.saved;"),
        (marked.in_script, 'element("p", {class: "mc-note mc-quiet"}, texts.saved, " ")'),
        (marked.in_words, 'def f():\n    "A sentence."\n    return _("You have {n} fish.")'),
        (marked.in_words, 'raise ValueError("no such thing")'),
        (marked.at_import, 'TITLE = translated("The lake")\ndef f(): return _("The lake")'),
    ],
)
def test_a_correct_source_has_no_fault(find: Callable[[str], list[str]], source: str) -> None:
    assert find(source) == []
