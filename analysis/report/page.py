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
    ("behaviour", "Behaviour", results.behaviour),
    ("regressions", "Regressions", results.regressions),
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
_BLIND = (
    "plan",
    "measures",
    "courses",
    "individuals",
    "behaviour",
    "regressions",
    "further",
    "tests",
    "codebook",
)
"""Sections of a blind report."""


def page(contents: Contents) -> str:
    """One HTML that needs no other file and no network."""
    chosen, annexed = _sections(contents)
    body = [
        first(contents),
        _contents(contents, chosen, annexed),
        *(section(name, heading, make(contents)) for name, heading, make in chosen),
        '<h2 id="annexes" class="page">Annexes</h2>',
        *(section(name, heading, make(contents)) for name, heading, make in annexed),
        *(annexes.of_group(contents, group) for group in contents.groups),
    ]
    parts = {"TITLE": text(title(contents)), "BODY": "\n".join(body), "PLAYER": contents.player}
    return standing_alone(Path(__file__).with_name("report.html"), **parts)


def shown(contents: Contents) -> list[Shown]:
    """The tables that stand before the annexes and have rows, in order."""
    chosen, _ = _sections(contents)
    parts = [part for _, _, make in chosen for part in make(contents) if isinstance(part, Shown)]
    return [own for own in (*tables(contents), *parts) if own.places]


def _sections(contents: Contents) -> tuple[list[Section], list[Section]]:
    """Those before the annexes, and these."""
    results = _RESULTS if contents.plan is None else (_PLAN, *_RESULTS)
    chosen, annexed = (
        [own for own in sections if not contents.blind or own[0] in _BLIND]
        for sections in (results, _ANNEXES)
    )
    return chosen, annexed


def _contents(contents: Contents, chosen: list[Section], annexed: list[Section]) -> str:
    """Links to all sections, and to every group."""
    links, looked_up = (
        "".join(f'<li><a href="#{name}">{heading}</a></li>' for name, heading, _ in sections)
        for sections in (chosen, annexed)
    )
    groups = "".join(
        f'<li><a href="#{annexes.place_of(group)}">{text(group.name)}</a></li>'
        for group in contents.groups
    )
    if groups:
        groups = f'<details><summary>Groups</summary><ul class="groups">{groups}</ul></details>'
    return (
        f'<nav aria-label="Contents"><ol>{links}</ol><p>Annexes</p><ol>{looked_up}</ol>'
        f"{groups}</nav>"
    )
