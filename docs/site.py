"""MkDocs hooks for the documentation site (`make site`, mkdocs.yml).

The navigation is the list in docs/index.md. README.md and the other pages in `docs.pages.OUTSIDE`
become pages too. A link to a file that is not on the site is replaced by the file's path.
"""

from __future__ import annotations

from posixpath import dirname, relpath
from typing import TYPE_CHECKING, Any

from docs import pages
from docs.requirements import declared

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.nav import Navigation
    from mkdocs.structure.pages import Page

__all__ = [
    "navigation",
    "on_config",
    "on_files",
    "on_nav",
    "on_page_markdown",
    "place",
    "rank",
    "rewritten",
]

RANK = {
    "Background": 0.3,
    "CONTRIBUTING.md": 2,
    "docs/codebook.md": 2,
    "docs/sessions.md": 2,
    "docs/upgrading.md": 0.3,
    "CHANGELOG.md": 0.1,
    pages.INDEX: 0.1,
}
"""Weight in the site's search, by kind of page or by page; all other pages have weight 1."""
Items = list[Any]
"""Navigation as in mkdocs.yml: paths, and titles with a path or further items."""
_HEADING = "heading:"
"""URL scheme that marks navigation items that lead to a heading, until page addresses are known."""


def place(path: str) -> str:
    """Return a project file's path on the site, or an empty string if it is not on the site."""
    if path in pages.OUTSIDE:
        return path.lower()
    on_site = path.startswith("docs/") and not path.endswith(".py")
    return path.removeprefix("docs/") if on_site and (pages.ROOT / path).is_file() else ""


def navigation(index: str) -> Items:
    """Return the navigation as in mkdocs.yml, from the text of docs/index.md.

    A page's title is its heading; for a page outside docs/, it is the text of its link.
    """
    items: Items = [{"Start": place(pages.INDEX)}]
    for entry in pages.entries(index):
        section = _section(items, entry.kind)
        section = _section(section, entry.group) if entry.group else section
        title, path = entry.text[0].upper() + entry.text[1:], place(entry.path)
        if entry.anchor:
            section.append({title: f"{_HEADING}{path}#{entry.anchor}"})
        else:
            section.append({title: path} if entry.path in pages.OUTSIDE else path)
    return items


def _section(items: Items, title: str) -> Items:
    """Return the items below a title. A missing title is added."""
    for item in items:
        if isinstance(item, dict) and isinstance(item.get(title), list):
            section: Items = item[title]
            return section
    items.append({title: []})
    return _section(items, title)


def rewritten(text: str, path: str, repository: str = "") -> str:
    """Return a page with its links adapted to the site.

    A link to a file that is not on the site leads to the repository; without a repository, the link
    becomes its text, followed by the path of the file.
    """
    for link in reversed(pages.links(text)):
        if link.local and not link.target.startswith("#"):
            text = text[: link.start] + _on_site(link, path, repository) + text[link.end :]
    return text


def _on_site(link: pages.Link, path: str, repository: str) -> str:
    file, anchor = pages.target(path, link.target)
    if not (pages.ROOT / file).exists():
        return f"[{link.text}]({link.target})"  # MkDocs reports the broken link
    if place(file):
        address = relpath(place(file), dirname(place(path)) or ".")
        return f"[{rewritten(link.text, path)}]({address}{'#' * bool(anchor)}{anchor})"
    if repository:
        return f"[{link.text}]({repository}/blob/main/{file})"
    if link.text.strip("`") in (file, link.target):
        return f"`{file}`"
    return f"{link.text} (`{file}`)"


def rank(path: str) -> float:
    """Return a page's weight in the search."""
    index = (pages.ROOT / pages.INDEX).read_text("utf-8")
    kinds = {entry.path: entry.kind for entry in pages.entries(index) if not entry.anchor}
    return RANK.get(path, RANK.get(kinds.get(path, ""), 1))


def on_config(config: MkDocsConfig) -> None:
    """Set the navigation, and the address of the repository if there is one."""
    config.nav = navigation((pages.ROOT / pages.INDEX).read_text("utf-8"))
    config.repo_url = declared().get("urls", {}).get("Repository")


def on_files(files: Files, config: MkDocsConfig) -> None:
    """Add the pages that are outside docs/."""
    from mkdocs.structure.files import File

    for name in pages.OUTSIDE:
        text = (pages.ROOT / name).read_text("utf-8")
        files.append(File.generated(config, place(name), content=text))


def on_nav(nav: Navigation, config: MkDocsConfig, files: Files) -> None:
    """Set the addresses of navigation items that lead to a heading."""
    waiting = list(nav.items)
    while waiting:
        item = waiting.pop()
        waiting += item.children or []
        if item.is_link and item.url.startswith(_HEADING):
            path, _, anchor = item.url.removeprefix(_HEADING).partition("#")
            item.url = f"{files.src_uris[path].url}#{anchor}"


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Return a page's text with its links adapted to the site, and set the page's rank in the
    search."""
    uri = page.file.src_uri
    path = next((name for name in pages.OUTSIDE if place(name) == uri), f"docs/{uri}")
    page.meta["search"] = {"boost": rank(path)}
    return rewritten(markdown, path, config.repo_url or "")
