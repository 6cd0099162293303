"""The report as one page: what a researcher reads, in that order, results first."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from analysis.report import annexes, results
from analysis.report.contents import Contents
from analysis.report.head import first, tables, title
from analysis.report.markup import Piece, section, text
from analysis.report.parts import Shown
from files import standing_alone

__all__ = ["page", "shown"]

Section = tuple[str, str, Callable[[Contents], list[Piece]]]
_PLAN: Section = ("plan", "The plan", results.plan)
_RESULTS: tuple[Section, ...] = (
    ("measures", "Main measures by treatment", results.main),
    ("courses", "By period", results.courses),
    ("individuals", "People", results.individuals),
    ("further", "Further measures", results.further),
    ("people", "Who took part", results.people),
    ("quality", "Data quality", results.quality),
)
_ANNEXES: tuple[Section, ...] = (
    ("tests", "Means and tests in full", annexes.tests),
    ("participants", "Participants", annexes.participants),
    ("export", "The export", annexes.export),
    ("codebook", "What the measures are", annexes.codebook),
    ("problems", "Problems, and what was left out", annexes.problems),
    ("groups", "The groups", annexes.groups),
)


def page(contents: Contents) -> str:
    """One HTML that needs no other file and no network."""
    chosen = _RESULTS if contents.plan is None else (_PLAN, *_RESULTS)
    body = [
        first(contents),
        _contents(contents, chosen),
        *(section(name, heading, make(contents)) for name, heading, make in chosen),
        '<h2 id="annexes" class="page">Annexes</h2>',
        *(section(name, heading, make(contents)) for name, heading, make in _ANNEXES),
        *(annexes.of_group(contents, group) for group in contents.groups),
    ]
    parts = {"TITLE": text(title(contents)), "BODY": "\n".join(body), "PLAYER": contents.player}
    return standing_alone(Path(__file__).with_name("report.html"), **parts)


def shown(contents: Contents) -> list[Shown]:
    """The tables that stand before the annexes and have rows, in order."""
    chosen = _RESULTS if contents.plan is None else (_PLAN, *_RESULTS)
    parts = [part for _, _, make in chosen for part in make(contents) if isinstance(part, Shown)]
    return [own for own in (*tables(contents), *parts) if own.places]


def _contents(contents: Contents, chosen: tuple[Section, ...]) -> str:
    """Links to all sections, and to every group."""
    links, looked_up = (
        "".join(f'<li><a href="#{name}">{heading}</a></li>' for name, heading, _ in sections)
        for sections in (chosen, _ANNEXES)
    )
    groups = "".join(
        f'<li><a href="#{annexes.place_of(group)}">{text(group.name)}</a></li>'
        for group in contents.groups
    )
    return (
        f'<nav aria-label="Contents"><ol>{links}</ol><p>Annexes</p><ol>{looked_up}</ol>'
        f'<details><summary>Groups</summary><ul class="groups">{groups}</ul></details></nav>'
    )
