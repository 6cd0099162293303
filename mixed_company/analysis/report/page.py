"""The report as one page: what a researcher reads, in that order, results first."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from mixed_company.analysis.report import annexes, results
from mixed_company.analysis.report.contents import Contents
from mixed_company.analysis.report.head import first, tables, title
from mixed_company.analysis.report.markup import Html, Piece, filled, section
from mixed_company.analysis.report.parts import Shown

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


def page(contents: Contents) -> Html:
    """One HTML that needs no other file and no network."""
    chosen, annexed = _sections(contents)
    main, looked_up = (
        [section(name, heading, make(contents)) for name, heading, make in sections]
        for sections in (chosen, annexed)
    )
    return filled(
        "page.html",
        title=title(contents),
        head=first(contents),
        sections=[own[:2] for own in chosen],
        annexes=[own[:2] for own in annexed],
        groups=[(annexes.place_of(group), group.name) for group in contents.groups],
        main=main,
        annexed=[*looked_up, *(annexes.of_group(contents, group) for group in contents.groups)],
        player=contents.player,
        style=_beside(".css"),
        script=_beside(".js"),
    )


def _beside(suffix: str) -> str:
    return Path(__file__).with_name(f"report{suffix}").read_text(encoding="utf-8")


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
