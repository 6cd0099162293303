"""Pages of the documentation: links, headings, and the list of all pages in docs/index.md.

The site (`docs.site`) and the link tests use these functions. Paths are relative to the project
folder.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from posixpath import normpath

__all__ = [
    "INDEX",
    "OUTSIDE",
    "Entry",
    "Link",
    "anchors",
    "entries",
    "headings",
    "links",
    "paths",
    "plain",
    "target",
]

ROOT = Path(__file__).resolve().parents[1]
INDEX = "docs/index.md"
OUTSIDE = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")
"""Pages of the site that are outside docs/."""

_FENCE = re.compile(r"^( *)(`{3,}|~{3,})[^\n]*\n.*?(?:^\1\2[`~]* *$|\Z)", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"(?<!`)(`+)(?!`)(?:(?!\n\n).)+?(?<!`)\1(?!`)", re.DOTALL)
_LINK = re.compile(r"\[(?P<text>(?:[^\[\]]|!\[[^\]]*\]\([^()\s]*\))*)\]\((?P<target>[^()\s]+)\)")
_HEADING = re.compile(r"^(#{1,6}) +(.+?) *#*$", re.MULTILINE)
_GROUP = re.compile(r"- (?P<name>\w[\w ]*): ")


@dataclass(frozen=True)
class Link:
    """Link on a page: its text, its target as written, and its position in the page."""

    text: str
    target: str
    start: int
    end: int

    @property
    def local(self) -> bool:
        """True if the target is within the project."""
        return "://" not in self.target and not self.target.startswith("mailto:")


@dataclass(frozen=True)
class Entry:
    """Link in docs/index.md, with its place in the navigation.

    kind     heading of its section
    group    word before the colon that begins its item; empty: none
    path     page to which it links
    anchor   heading to which it links; empty: the whole page
    """

    kind: str
    group: str
    text: str
    path: str
    anchor: str


def paths(root: Path = ROOT) -> list[str]:
    """Return the paths of all pages."""
    inside = sorted(path.relative_to(root).as_posix() for path in (root / "docs").rglob("*.md"))
    return [*OUTSIDE, *inside]


def plain(text: str) -> str:
    """Return a page with its code replaced by spaces, so positions do not change."""
    for pattern in (_FENCE, _CODE):
        text = pattern.sub(lambda code: re.sub(r"[^\n]", " ", code[0]), text)
    return text


def links(text: str) -> list[Link]:
    """Return the links and images of a page, except those in code, in order.

    If the text of a link is an image, `links(link.text)` returns it.
    """
    code = plain(text)
    return [
        Link(match["text"], match["target"], *match.span())
        for match in _LINK.finditer(_without_fences(text))
        if code[match.start("target")] != " "
    ]


def headings(text: str) -> list[tuple[int, str]]:
    """Return the level and text of every heading on a page."""
    prose = _without_fences(text)
    return [(len(match[1]), match[2]) for match in _HEADING.finditer(prose)]


def anchors(text: str) -> Iterator[tuple[str, str]]:
    """Yield each heading's anchors on a page: GitHub's and the site's."""
    used: dict[str, int] = {}
    for _, heading in headings(text):
        words = re.sub(r"[`*]|\]\([^)]*\)|\[", "", heading).strip().lower()
        github = re.sub(r"[^\w -]", "", words).replace(" ", "-")
        ascii_only = unicodedata.normalize("NFKD", words).encode("ascii", "ignore").decode()
        site = re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", ascii_only).strip())
        again = used[github] = used.get(github, -1) + 1
        yield (f"{github}-{again}", f"{site}_{again}") if again else (github, site)


def target(page: str, link: str) -> tuple[str, str]:
    """Return the path and anchor that a relative link on a page points to."""
    path, _, anchor = link.partition("#")
    return (normpath(str(PurePosixPath(page).parent / path)) if path else page), anchor


def entries(text: str) -> Iterator[Entry]:
    """Yield the pages that docs/index.md lists, in order."""
    for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        kind, _, body = section.partition("\n")
        for item in re.findall(r"^- .*\n?(?:^  .*\n?)*", body, flags=re.MULTILINE):
            group = _GROUP.match(item)
            for link in links(item):
                path, anchor = target(INDEX, link.target)
                name = " ".join(link.text.split())
                yield Entry(kind.strip(), group["name"] if group else "", name, path, anchor)


def _without_fences(text: str) -> str:
    return _FENCE.sub(lambda code: re.sub(r"[^\n]", " ", code[0]), text)
