"""The report as one page: the first screen, the results, the annexes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from mixed_company.analysis import measures
from mixed_company.analysis.audit import NOTES
from mixed_company.analysis.audit.wording import sentences, wrong
from mixed_company.analysis.data import Data
from mixed_company.analysis.games import find
from mixed_company.analysis.importing import provenance
from mixed_company.analysis.report import (
    annexes,
    blind,
    collected,
    markup,
    over_space,
    parts,
    results,
)
from mixed_company.analysis.report.contents import Contents
from mixed_company.analysis.report.markup import Html, Piece, paragraph, section
from mixed_company.analysis.report.participants import head_count
from mixed_company.analysis.report.parts import Shown, filled, stated, worded
from mixed_company.analysis.statistics.effects import SHARES, unitless
from mixed_company.analysis.statistics.intervals import OF_MEAN
from mixed_company.experiment.comparisons import listed, quantity

MOST_PROBLEMS = 20
"""Maximum number of problems on the first screen. The table of problems lists them all."""
MOST_TOLD = 6
"""Maximum number of treatments with names that are explained on the first screen."""

Section = tuple[str, str, Callable[[Contents], list[Piece]]]


def _listed(*names: str) -> Callable[[Contents], list[Piece]]:
    """Return a function that makes a section from whole tables."""
    return lambda contents: [Shown(contents.tables[name]) for name in names]


_RESULTS: tuple[Section, ...] = (
    ("plan", "The plan", results.plan),
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
    ("export", "The export", _listed("export", "treatments", "files")),
    ("codebook", "Definitions of measures", _listed("measures")),
    ("problems", "Problems, and what was left out", annexes.problems),
    ("groups", "The groups", annexes.all_groups),
)
_NOT_BLIND = ("people", "quality", "participants", "export", "problems", "groups")
"""Sections that a blind report leaves out."""


def page(contents: Contents) -> Html:
    """Return the report as an HTML page, which needs no other file and no network."""
    result_sections, annex_sections = _chosen(contents, _RESULTS), _chosen(contents, _ANNEXES)
    main, annexed = (
        [section(name, heading, make(contents)) for name, heading, make in sections]
        for sections in (result_sections, annex_sections)
    )
    word = "Blind report" if contents.blind else "Report"
    title = f"{word}: {contents.data.game_id.replace('_', ' ')}"
    return markup.render(
        "page.html",
        title=title,
        head=_first(contents, title),
        sections=[listed[:2] for listed in result_sections],
        annexes=[listed[:2] for listed in annex_sections],
        groups=[(annexes.place_of(group), group.name) for group in contents.groups],
        main=main,
        annexed=[*annexed, *(annexes.of_group(contents, group) for group in contents.groups)],
        player=contents.player,
        games=contents.games,
        style=_beside(".css"),
        script=_beside(".js"),
    )


def shown(contents: Contents) -> list[Shown]:
    """Return the nonempty tables before the annexes, in order."""
    pieces = [piece for *_, make in _chosen(contents, _RESULTS) for piece in make(contents)]
    tables = [piece for piece in pieces if isinstance(piece, Shown)]
    return [listed for listed in (*_head_tables(contents), *tables) if listed.places]


def _chosen(contents: Contents, sections: tuple[Section, ...]) -> list[Section]:
    """Return the sections that this report has."""
    omitted = (*(() if contents.plan else ("plan",)), *(_NOT_BLIND if contents.blind else ()))
    return [listed for listed in sections if listed[0] not in omitted]


def _beside(suffix: str) -> str:
    return Path(__file__).with_name(f"report{suffix}").read_text(encoding="utf-8")


# -- the first screen: question, sample, and the result of the main measure ------------------------


def _first(contents: Contents, title: str) -> Html:
    above = [paragraph(_question(contents), "question")]
    if contents.blind:
        words = paragraph(blind.words(contents.data), "warning")
        above = [words, paragraph(f"Left out: {blind.LEFT_OUT}."), *above]
    if contents.plan is not None and contents.plan.problems:
        above.insert(0, paragraph(_faults(contents.plan.problems, contents.blind), "warning"))
    if contents.rehearsed:
        people = [] if contents.blind else collected.simulated_people(contents.data)
        sentences = ["Simulated: policies played in place of people.", *people]
        above.insert(0, paragraph(" ".join(sentences), "warning"))
    if contents.data.imported:
        above.insert(0, paragraph(provenance(contents.data.manifest), "warning"))
    if _has_space(contents):
        left, right = over_space.first_screen(contents.tables, contents.figures)
    else:
        left = [markup.table(listed) for listed in _head_tables(contents)]
        right = [markup.drawing(figure) for figure in contents.of("groups_")[:1]]
    right += [paragraph(_summary(contents)), *map(paragraph, contents.sources), _audit(contents)]
    return markup.head(title, above, (left, right), _first_problems(contents))


def _has_space(contents: Contents) -> bool:
    return contents.plan is not None and contents.plan.over_space


def _faults(problems: Sequence[str], blind: bool) -> str:
    """Return the problems in the export. A blind report leaves them out, because they name
    groups."""
    sentence = "The export has problems"
    return f"{sentence}." if blind else f"{sentence}: {'; '.join(problems)}."


def _question(contents: Contents) -> str:
    """Return the plan's question or, without a plan, a sentence about the comparison."""
    if contents.plan is not None:
        meaning = contents.plan.question
        return f"{contents.plan.title}. {stated(meaning)}" if meaning else contents.plan.title
    tests = contents.tables["tests"].frame
    if tests.empty:
        return "No measure has a value."
    measure = worded(_measure(tests.iloc[0]))
    names = contents.treatments
    if len(names) < 2:
        return f"This report describes {measure} under {names[0]}." if names else "No group played."
    return f"This report compares {measure} between {listed(names)}."


def _measure(row: pd.Series[Any]) -> str:
    """Return the name of the measure in a hypothesis or test, with the seats that the measure
    covers."""
    if "of" in row:
        return f"{row['measure']} of {row['of']}"
    return quantity(row["measure"], row["level"])


def _head_tables(contents: Contents) -> list[Shown]:
    """Return the tables of the treatments and of the main measure or, with a space, the table of
    effects."""
    if _has_space(contents):
        return [over_space.shown(contents.tables)]
    return [treated(contents), *_means_of_plan(contents), *_answer(contents)]


def treated(contents: Contents) -> Shown:
    """Return the table of treatments, with a note that explains their names.

    In a column, the explanations would be broken within words and push the test off the first
    screen.
    """
    treatments = contents.tables["treatments"]
    if contents.blind:
        return Shown(treatments)
    frame = treatments.frame[treatments.frame["stands_for"] != treatments.frame["treatment"]]
    meanings = frame["stands_for"].astype(str).str.removesuffix(".")
    sentences = [f"{name}: {text}" for name, text in zip(frame["treatment"], meanings, strict=True)]
    if len(sentences) > MOST_TOLD:
        sentences = ["Their names are explained in the annex on the export"]
    note = f"{'. '.join(sentences)}." if sentences else ""
    columns = filled(treatments.frame, ("treatment", "sessions", "groups", "plays", "people"))
    return Shown(treatments, columns=columns, note=note)


_MEAN = ("groups", "mean", "low", "high")
_TESTED = ("effect", "unbiased_effect", "low", "high", "standardised", "p", "p_corrected")


def _means_of_plan(contents: Contents) -> list[Shown]:
    """Return the means, by treatment, of the measure in the plan's first hypothesis."""
    if contents.plan is None or contents.tables["hypotheses"].frame.empty:
        return []
    first = contents.tables["hypotheses"].frame.iloc[0]
    means = contents.tables["hypotheses_means"]
    rows = [int(row) for row in means.frame.index[means.frame["hypothesis"] == first["hypothesis"]]]
    note = f"Means over the tested units. Low, high: 95% interval of the mean. {OF_MEAN}"
    title = f"Means of {worded(_measure(first))}"
    return [Shown(means, rows, ("treatment", *_MEAN), title=title, note=note)] if rows else []


def _answer(contents: Contents) -> list[Shown]:
    """Return a transposed table of the main measure: its test or, if there is only one treatment,
    its mean."""
    names = contents.treatments
    columns: Sequence[str] = _MEAN
    if contents.plan is not None:
        table, columns = (
            contents.tables["hypotheses"],
            ("groups", *_TESTED, "level", "result", "notes"),
        )
    elif len(names) < 2:
        table = contents.tables["measures_by_treatment"]
    else:
        table = contents.tables["tests"]
        columns = ("block", "groups", *(f"mean {name}" for name in names), *_TESTED)
    if table.frame.empty:
        return []
    row = table.frame.iloc[[0]]
    units = [shown.value(shown.places[0], "unit") for shown in _means_of_plan(contents)]
    if "unit" in row and not units:
        units = [row["unit"].iloc[0]]
    unit = "".join(f", {unit}" for unit in units)
    title = f"{worded(_measure(row.iloc[0])).capitalize()}{unit}"
    words = [defined(contents.data, str(row["measure"].iloc[0]))]
    words += [f"{results.note(row)} Standardised: {_unitless(row)}."] if "p" in row else []
    note = " ".join(filter(None, words))
    return [Shown(table, [0], filled(row, columns), upright=True, title=title, note=note)]


def _unitless(row: pd.DataFrame) -> str:
    """Return the name of the unitless effect of a test."""
    if row["effect_name"].isin(SHARES).any():
        return str(row["effect_name"].iloc[0])
    return unitless(str(row["test"].iloc[0]), 2)


def _summary(contents: Contents) -> str:
    data = contents.data
    file = f"File: {contents.file}. " if contents.file else ""
    return (
        f"{file}Sessions: {len({*data.outcomes['session'], *data.config['session']})}, "
        f"{_treatments(contents)}, groups{_counted_in(data)}: {len(data.groups)}, "
        f"participants: {head_count(data.arrived)}, decisions: {len(data.decisions)}."
    )


def _counted_in(data: Data) -> str:
    """Return the words for the number of groups if a group counts several times."""
    if not blind.in_blocks(data) and "play" not in data.config:
        return ""
    return " (counted in each play)" if "play" in data.config else " (counted in each block)"


def _treatments(contents: Contents) -> str:
    """Return the number of treatments that have a group or, with a space, the number of points that
    have a group."""
    if _has_space(contents):
        return f"points: {contents.data.config['treatment'].nunique()}"
    return f"treatments: {len(contents.treatments)}"


def _audit(contents: Contents) -> Html:
    kind = "bad" if any(map(wrong, contents.audits)) else "good"
    subject = "game" if len(contents.audits) == 1 else "games"
    return paragraph(f"Audit of the {subject}: {' '.join(sentences(contents.audits))}", kind)


def _first_problems(contents: Contents) -> list[Html]:
    """Return the first problems, without notes.

    A blind report shows none, because problems name groups and their treatments.
    """
    if contents.blind:
        return []
    problems = contents.tables["problems"]
    rows = [int(row) for row in problems.frame.index[~problems.frame["kind"].isin(NOTES)]]
    first = Shown(problems, rows[:MOST_PROBLEMS], title="The first problems")
    return [markup.table(first)] if rows else []


def defined(data: Data, measure: str) -> str:
    """Return the meaning of a measure. For an efficiency, add its value if nobody contributes,
    because a share of the optimum can look high even in a group that does nothing."""
    described = measures.described(data.game_id)
    meanings = described.loc[described["measure"] == measure, "meaning"]
    if meanings.empty:
        return ""
    return f"{worded(measure).capitalize()}: {meanings.iloc[0]}{_floor(data, measure)}"


def _floor(data: Data, measure: str) -> str:
    contribution = find(data.game_id).contribution
    if measure != "efficiency" or contribution is None or contribution.nobody is None:
        return ""
    shares = [
        contribution.nobody(game) for game in {id(g): g for g in data.games.values()}.values()
    ]
    if not shares:
        return ""
    low, high = parts.shown(min(shares)), parts.shown(max(shares))
    range_of_shares = low if low == high else f"{low} to {high}"
    return f" If nobody contributes, it is already {range_of_shares}."
