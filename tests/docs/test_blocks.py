"""Tests that run the examples of all documents. `blocks.py` says how a document marks them."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from docs.pages import paths
from tests.docs.blocks import Block, blocks, wrong_mark
from tests.docs.pages import AFTER, BEFORE, save_export
from tests.docs.running import Page
from tests.project import ROOT, shipped

BLOCKS = {document: blocks(document) for document in paths()}
TESTS = {path: (ROOT / path).read_text("utf-8") for path in shipped("tests") if path[-3:] == ".py"}
SLOW = ("docs/analysis.md", "docs/framework.md", "docs/tutorial.md")
QUICK = [
    document
    for document, content in BLOCKS.items()
    if any(block.is_run and not block.is_long for block in content)
]
LONG = [document for document, content in BLOCKS.items() if any(block.is_long for block in content)]


@pytest.fixture(scope="module")
def export(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return the content of an export with two treatments of the commons."""
    path = tmp_path_factory.mktemp("export") / "export.zip"
    save_export(path)
    return path.read_bytes()


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, export: bytes) -> Iterator[Page]:
    """Yield a page in a folder with links to the project, and with an export."""
    page = Page(tmp_path, monkeypatch)
    Path("export.zip").write_bytes(export)
    yield page
    page.close()


def run(page: Page, content: list[Block], long: bool = False) -> None:
    """Run the blocks of a document in order. Run long ones only if `long` is true."""
    for block in content:
        if block.is_run and (long or not block.is_long):
            page.run(block)


def run_document(page: Page, document: str, patch: pytest.MonkeyPatch, long: bool) -> None:
    """Set up what a document needs, run it, and check what it leaves behind."""
    if document in BEFORE:
        BEFORE[document](page.names, patch)
    run(page, BLOCKS[document], long)
    if document in AFTER:
        AFTER[document](page.names)


@pytest.mark.parametrize(
    "document",
    [pytest.param(name, marks=pytest.mark.long if name in SLOW else ()) for name in QUICK],
)
def test_the_examples_of_a_document_work(page, monkeypatch, document):
    run_document(page, document, monkeypatch, long=False)


@pytest.mark.long
@pytest.mark.parametrize("document", LONG)
def test_the_long_examples_of_a_document_work(page, monkeypatch, document):
    run_document(page, document, monkeypatch, long=True)


def test_every_mark_has_what_it_needs():
    content = [block for page in BLOCKS.values() for block in page]
    assert len(content) > 190
    assert [why for block in content if (why := wrong_mark(block, TESTS))] == []


def unsorted(text: str) -> bool:
    """Return whether `make check` would reject the import order."""
    command = [sys.executable, "-m", "ruff", "check", "--select", "I", "--quiet", "-"]
    done = subprocess.run(command, cwd=ROOT, input=text, capture_output=True, text=True)
    return done.returncode != 0


def test_bots_in_the_documents_have_sorted_imports():
    saved = [block for page in BLOCKS.values() for block in page if block.value.endswith(".py")]
    bots = [block for block in saved if block.mark == "file"]
    assert len(bots) > 2
    assert [block.place for block in bots if unsorted(block.text)] == []
    assert unsorted("import sys\nimport os\n")


def test_every_document_with_something_to_check_has_examples():
    assert {*BEFORE, *AFTER} <= {*QUICK, *LONG}


# -- faults ----------------------------------------------------------------------------------


def fenced(text: str, language: str = "", mark: str = "") -> str:
    """Return a block of a document."""
    return f"\nWords.\n\n{mark}\n```{language}\n{text}\n```\n"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (fenced("1 / 0", "python"), "division by zero"),
        (fenced("print(3)", "python") + "\n```\n4\n```\n", "page.md:9: prints\n3\ninstead of\n4"),
        (fenced("print(3)", "python") + fenced("4", "", "<!-- output -->"), "instead of\n4"),
        (fenced("4", "", "<!-- output -->"), "no earlier block was run"),
        (fenced("x games", "", "<!-- output: mixed games -->"), "instead of\nx games"),
        (fenced("mixed play commons_game --seed x"), "exit code 2\n"),
        (fenced("mixed show no_such_game"), "exit code 2\n"),
        (fenced("make coffee"), "the Makefile has no coffee"),
        (fenced("curl https://your.server"), "curl cannot be run; mark it as an excerpt"),
        (fenced("a table of figures"), "a cannot be run; mark it as an excerpt"),
        (fenced("server {}", "nginx"), "nginx cannot be run; mark it as an excerpt"),
        (fenced("1 + 1", "{r, echo=FALSE}"), "{r, echo=FALSE} cannot be run"),
        (fenced("title = ", "toml"), "Invalid value"),
        (fenced("groups = -3", "toml"), "greater than or equal to 1"),
        (fenced("{3}", "json"), "Expecting property name"),
    ],
)
def test_a_block_that_does_not_do_what_it_says_is_detected(page, text, why):
    with pytest.raises(Exception) as raised:  # noqa: PT011  of Python, TOML, JSON or the block
        run(page, blocks("page.md", text))
    assert why in str(raised.value)
    excerpt = re.sub("\n(<!--.*?-->)?\n```", "\n<!-- excerpt: for this test only -->\n```", text)
    run(page, blocks("page.md", excerpt)[:1])


@pytest.mark.parametrize(
    ("mark", "why"),
    [
        ("excerpt", "page.md:5: an excerpt needs a reason of 3 words"),
        ("excerpt: too slow", "page.md:5: an excerpt needs a reason of 3 words"),
        ("run by tests/docs/test_hosts.py", "tests/docs/test_hosts.py does not name this document"),
        ("run by tests/no_such_file.py", "tests/no_such_file.py does not name this document"),
        ("file", "page.md:5: the file needs a path"),
        ("excerpt: needs a language model", None),
        ("exerpt: needs a language model", "the mark exerpt is unknown"),
    ],
)
def test_a_mark_without_its_reason_is_detected(mark, why):
    [block] = blocks("page.md", fenced("1 / 0", "python", f"<!-- {mark} -->"))
    content = wrong_mark(block, TESTS)
    assert content is None if why is None else why in str(content)


def test_one_mark_excuses_a_page_of_figures_but_not_its_code():
    text = "<!-- excerpts: measured on one machine -->" + fenced("3 ms") + fenced("1 / 0", "python")
    assert [block.is_run for block in blocks("page.md", text)] == [False, True]


def test_the_output_of_a_long_block_is_long_too():
    text = fenced("print(1)", "python", "<!-- long -->") + "\n```\n1\n```\n" + fenced("print(2)")
    assert [block.is_long for block in blocks("page.md", text)] == [True, True, False]
    [block] = blocks("page.md", fenced("x", mark="<!-- long output: mixed games -->"))
    assert (block.is_long, block.mark, block.value) == (True, "output", "mixed games")


def test_a_block_without_an_end_is_detected():
    with pytest.raises(ValueError, match="line 3: the block has no end"):
        blocks("page.md", "Words.\n\n```\nmixed games\n")


def test_blocks_share_names_variables_and_files(page):
    saved = fenced('title = "x"', "", "<!-- file: new/a.txt -->")
    shell = fenced("people=greedy,steward\nmixed play commons_game --policies $people > play.jsonl")
    python = "from pathlib import Path\nlines = Path('play.jsonl').read_text().splitlines()"
    printed = fenced("print(len(lines) > 10, Path('new/a.txt').read_text())", "python")
    text = saved + shell + fenced(python, "python") + printed
    run(page, blocks("page.md", text + '\n```\nTrue title = "x"\n\n```\n'))
