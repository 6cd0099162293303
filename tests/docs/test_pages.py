"""Tests of the documents as pages: links, headings, lists, and the navigation of docs/index.md."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

import pytest

from docs import pages, site
from tests.project import ROOT

PATHS = pages.paths()


def read(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def bad_links(path: str, text: str, read: Callable[[str], str] = read) -> list[str]:
    """Return a page's links that are broken on GitHub or on the site."""
    faults = []
    links = pages.links(text)
    links += [inner for link in links for inner in pages.links(link.text)]
    for link in links:
        file, anchor = pages.target(path, link.target)
        if not link.local:
            continue
        if file != path and not (ROOT / file).exists():
            faults.append(f"{path} links to {link.target}, which does not exist")
        elif anchor and (anchor, anchor) not in pages.anchors(text if file == path else read(file)):
            faults.append(f"{path} links to {link.target}, which no heading has")
    return faults


def bad_headings(text: str) -> list[str]:
    """Return faulty headings: only the first may have level 1, and no level may be skipped."""
    levels = [level for level, _ in pages.headings(text)]
    faults = [] if levels[:1] == [1] else ["does not begin with a heading of the first level"]
    faults += ["has several headings of the first level"] if levels.count(1) > 1 else []
    later = zip(levels, pages.headings(text)[1:], strict=False)
    skips = [name for before, (level, name) in later if level > before + 1]
    return faults + [f"{name}: skips a level" for name in skips]


def bad_lists(text: str) -> list[str]:
    """Return lines that only GitHub treats as part of a list, because the site needs four
    spaces."""
    faults, before, fence = [], "", ""
    for number, line in enumerate(text.splitlines(), 1):
        begins = re.match(r" *(`{3,}|~{3,})", line)
        if not fence:
            item = re.match(r" {1,3}([-*+]|\d+\.) ", line)
            after_gap = not before and re.match(r" {1,3}\S", line)
            paragraph = re.match(r" {4}(?![-*+] |\d+\. )\S", before)
            after_paragraph = paragraph and re.match(r"([-*+]|\d+\.) ", line)
            faults += [f"line {number}: {line}"] if item or after_gap or after_paragraph else []
            fence = begins[1] if begins else ""
        elif begins and begins[1] == fence:
            fence = ""
        before = line
    return faults


def listed(index: str) -> Counter[str]:
    """Return how often each page appears in the navigation."""
    whole = [entry.path for entry in pages.entries(index) if not entry.anchor]
    return Counter([pages.INDEX, *whole])


@pytest.mark.parametrize("path", PATHS)
def test_every_link_leads_to_a_file_or_a_heading(path: str) -> None:
    assert not bad_links(path, read(path))


@pytest.mark.parametrize(
    "text",
    [
        "[x](no_such.md)",
        "![x](no_such.png)",
        "[two\nlines](no_such.md#a)",
        "[![x](no_such.webp)](commons.png)",
        "[x](#none)",
        "# A `b` c\n\n[x](#a-b)",
        "# B & c\n\n[x](#b--c)",  # only GitHub's anchor
        "# B & c\n\n[x](#b-c)",  # only the site's anchor
        "# B\n\n# B\n\n[x](#b-1)",
        "[x](agents.md#no-such-heading)",
        "- `code` [x](../no_such.py)",
    ],
)
def test_a_link_that_leads_nowhere_is_found(text: str) -> None:
    assert len(bad_links("docs/x.md", text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "`[x](no_such.md)`",
        "```\n[x](no_such.md)\n```",
        "1. a\n\n    ```python\n    x[i](no_such)\n    ```\n\nb",
        "[x](https://example.org/a#b) and [y](index.md) and [z](../README.md#try-it)",
        "# A `b_c`: d\n\n[x](#a-b_c-d)",
        "# [A](index.md) b\n\n[x](#a-b)",
        "a[0] (b)",
    ],
)
def test_other_texts_have_no_broken_link(text: str) -> None:
    assert not bad_links("docs/x.md", text)


@pytest.mark.parametrize("path", PATHS)
def test_headings_and_lists_are_the_same_on_the_site(path: str) -> None:
    assert not bad_headings(read(path))
    assert not bad_lists(read(path))


@pytest.mark.parametrize(
    "text", ["A text.", "## A", "# A\n\n# B", "# A\n\n### B", "# A\n\n## B\n\n#### C\n"]
)
def test_a_wrong_heading_is_found(text: str) -> None:
    assert len(bad_headings(text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "1. a\n   - b",
        "1. a\n\n   b",
        "1. a\n\n   ```\n   b\n   ```",
        "- a\n\n  | b |\n  |---|",
        "1. a\n\n    b\n2. c",
    ],
)
def test_a_list_that_the_site_shows_differently_is_found(text: str) -> None:
    assert len(bad_lists(text)) >= 1


def test_lists_with_four_spaces_are_right() -> None:
    text = "1. a\n   b\n    - c\n      d\n\n    ```\n  e\n    ```\n\n2. f\n\n```\n\n  g\n```"
    assert not bad_lists(text)


def test_every_page_is_in_the_navigation_once() -> None:
    assert listed(read(pages.INDEX)) == Counter(PATHS)
    kinds = dict.fromkeys(entry.kind for entry in pages.entries(read(pages.INDEX)))
    assert list(kinds) == ["Tutorials", "How to", "Reference", "Background"]


def test_a_page_that_is_missing_or_listed_twice_is_found() -> None:
    index = read(pages.INDEX)
    assert listed(index.replace("(talk.md)", "(board.md)")) != Counter(PATHS)
    assert listed(index.replace("[talk](talk.md)", "talk")) != Counter(PATHS)
    assert listed(f"{index}\n- [again](talk.md)\n") != Counter(PATHS)


def test_the_navigation_is_the_list_of_the_index() -> None:
    index = (
        "# Documents\n\nText with [a link](x.md).\n\n"
        "## Tutorials\n\n- [first steps](../README.md): try\n\n"
        "## How to\n\n- Bots: [add a\n  bot](../CONTRIBUTING.md#a-bot), [agents](agents.md), text\n"
        "- [talk](talk.md)\n"
    )
    assert site.navigation(index) == [
        {"Start": "index.md"},
        {"Tutorials": [{"First steps": "readme.md"}]},
        {
            "How to": [
                {"Bots": [{"Add a bot": "heading:contributing.md#a-bot"}, "agents.md"]},
                "talk.md",
            ]
        },
    ]


@pytest.mark.parametrize(
    ("path", "text", "shown"),
    [
        ("docs/talk.md", "[a](../README.md#try-it)", "[a](readme.md#try-it)"),
        ("README.md", "[a](docs/talk.md) [b](SECURITY.md)", "[a](talk.md) [b](security.md)"),
        ("README.md", "[![a](docs/vote.webp)](docs/vote.png)", "[![a](vote.webp)](vote.png)"),
        ("docs/developers/tests.md", "[a](../../CONTRIBUTING.md)", "[a](../contributing.md)"),
        ("docs/talk.md", "[a](#the-data) [b](https://c.d)", "[a](#the-data) [b](https://c.d)"),
        ("README.md", "[the licence](LICENSE)", "the licence (`LICENSE`)"),
        ("README.md", "[`LICENSE`](LICENSE)", "`LICENSE`"),
        ("docs/talk.md", "[LICENSE](../LICENSE)", "`LICENSE`"),
        ("docs/hosts.md", "[a](hosts/nginx.conf)", "[a](hosts/nginx.conf)"),
        ("docs/talk.md", "`[a](../README.md)`", "`[a](../README.md)`"),
    ],
)
def test_links_lead_to_pages_of_the_site(path: str, text: str, shown: str) -> None:
    assert site.rewritten(text, path) == shown


def test_files_lead_to_the_repository_if_the_project_has_one() -> None:
    text = site.rewritten("[a](../LICENSE) [b](talk.md)", "docs/x.md", "https://c.d/e")
    assert text == "[a](https://c.d/e/blob/main/LICENSE) [b](talk.md)"


def test_reference_comes_before_background_in_the_search() -> None:
    assert site.rank("docs/sessions.md") > site.rank("docs/talk.md") > site.rank("docs/stakes.md")
    assert {path for path in site.RANK if "." in path} <= set(PATHS)
