"""The report as one page: what a researcher reads, in that order."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.audit import NOTES
from analysis.report import markup
from analysis.report.compared import alone, hopeless
from analysis.report.contents import Contents, Group
from analysis.report.flags import flagged
from analysis.report.markup import paragraph, section, text
from analysis.report.parts import shown
from files import standing_alone

__all__ = ["page"]

SHOWN = 20
"""So many differences stand at the head; all of them are in the table of problems."""


def page(contents: Contents) -> str:
    """One HTML that needs no other file and no network."""
    body = [_head(contents)]
    body += [section(name, title, make(contents)) for name, title, make in _sections(contents)]
    body += [_group(contents, group) for group in contents.groups]
    parts = {"TITLE": text(_title(contents)), "BODY": "\n".join(body), "PLAYER": contents.player}
    return standing_alone(Path(__file__).with_name("report.html"), **parts)


# -- the head --------------------------------------------------------------------------------------


def _title(contents: Contents) -> str:
    return f"Report: {contents.data.game_id.replace('_', ' ')}"


def _head(contents: Contents) -> str:
    links = "".join(
        f'<li><a href="#{name}">{title}</a></li>' for name, title, _ in _sections(contents)
    )
    groups = "".join(
        f'<li><a href="#{_place(group)}">{text(group.name)}</a></li>' for group in contents.groups
    )
    warning = "Simulated: policies in people's places." if contents.rehearsed else ""
    return (
        f"<header><h1>{text(_title(contents))}</h1>"
        f"{paragraph(warning, 'warning') if warning else ''}{paragraph(_summary(contents))}"
        f"{_audit(contents)}</header>\n"
        f'<nav aria-label="Contents"><ol>{links}</ol>'
        f'<details><summary>Groups</summary><ul class="groups">{groups}</ul></details></nav>'
    )


def _summary(contents: Contents) -> str:
    data = contents.data
    sessions = len({*data.outcomes["session"], *data.config["session"]})
    counts = {
        "sessions": sessions,
        "treatments": len(contents.treatments),
        "groups": len(data.groups),
        "participants": len(data.outcomes),
        "decisions": len(data.decisions),
    }
    sentence = ", ".join(f"{name}: {number}" for name, number in counts.items())
    file = f"File: {contents.file}. " if contents.file else ""
    return f"{file}{sentence[0].upper()}{sentence[1:]}."


def _audit(contents: Contents) -> str:
    audit, problems = contents.audit, contents.tables["problems"]
    sentence = (
        f"Audit: groups played again: {audit.groups}; periods: {audit.periods}; numbers compared: "
        f"{audit.numbers}; "
    )
    wrong = [int(row) for row in problems.frame.index[~problems.frame["kind"].isin(NOTES)]]
    if not wrong:
        return paragraph(f"{sentence}no difference.", "good")
    first = markup.table(problems, wrong[:SHOWN], title="The first problems")
    return paragraph(f"{sentence}problems: {len(wrong)}.", "bad") + first


# -- sections --------------------------------------------------------------------------------------


def _export(contents: Contents) -> list[str]:
    return [markup.table(contents.tables[name]) for name in ("export", "files")]


def _people(contents: Contents) -> list[str]:
    drawn = contents.figures.get("who")
    table = markup.table(contents.tables["who"], upright=True)
    return [table, markup.drawing(drawn)] if drawn else [table]


def _flags(contents: Contents) -> list[str]:
    people = contents.tables["participants"].frame
    words = (
        "A flag says where to look. Nobody is excluded: every participant and every decision is in "
        "all numbers of this report, flagged or not. "
        f"Participants: {len(people)}; with a flag or more: {flagged(people)}."
    )
    table = contents.tables["participants"]
    return [
        paragraph(words),
        markup.table(contents.tables["flags"]),
        markup.table(table, columns=[*_WHO, "flags"]),
        markup.table(
            table, columns=["participant", *_LOOKED_AT], title=_LOOKED_AT_TITLE, note=_LOOKED
        ),
    ]


_WHO = ["participant", "label", "treatment", "session", "group", "seat", "stage", "points"]
_WHO += ["paid_points", "payment"]
_LOOKED_AT = ["quiz_attempts", "decided", "defaulted", "median_decision_time", "different"]
_LOOKED_AT += ["dropouts", "takeovers", "returns", "disconnections", "bot_share"]
_LOOKED_AT_TITLE = "What the flags look at, for each participant"
_LOOKED = (
    "Defaulted: share of the periods in the seat in which the time ran out. Median decision time: "
    "ms. Different: different decisions among those that the person made. Bot share: share of the "
    "periods that a policy decided."
)


def _plan(contents: Contents) -> list[str]:
    if contents.plan is None:
        return []
    kind = "good" if contents.plan.confirmatory else "warning"
    first, *others = contents.plan.words
    parts = [paragraph(contents.plan.title), paragraph(first, kind), *map(paragraph, others)]
    return [*parts, *(markup.table(table) for table in contents.plan.tables)]


def _measures(contents: Contents) -> list[str]:
    parts = []
    if contents.plan is not None:
        parts.append(paragraph(_EXPLORATORY))
    if len(contents.treatments) < 2:
        words = "All groups are of one treatment: there is nothing to compare, and no test is made."
        parts.append(paragraph(words))
    means = contents.tables["measures_by_treatment"].frame
    if {"main"} & {*means.loc[means["level"] == "person", "family"]}:
        parts.append(paragraph(_PEOPLE_FIRST))
    parts += _family(contents, "main", "Main measures")
    parts += _sessions(contents)
    parts += [
        markup.drawing(figure) for figure in contents.figures.values() if figure.name != "who"
    ]
    parts += _family(contents, "group", "Further measures of groups")
    parts += _family(contents, "person", "Measures of people")
    return parts


def _family(contents: Contents, family: str, title: str) -> list[str]:
    """Means and tests of measures that belong together."""
    means, tests = (contents.tables[name] for name in ("measures_by_treatment", "tests"))
    rows = [_where(table.frame, "family", family) for table in (means, tests)]
    columns = [name for name in means.frame.columns if name not in ("family", "level")]
    parts = [f"<h3>{title}</h3>", markup.table(means, rows[0], columns, title=f"{title}: means")]
    if len(contents.treatments) > 1:
        own = _of_tests(tests.frame, rows[1])
        parts.append(markup.table(tests, rows[1], own, title=f"{title}: tests"))
        least = hopeless(tests.frame.iloc[rows[1]])
        if least is not None:
            parts.append(paragraph(_HOPELESS.format(least=shown(least)), "warning"))
    if family == "main" and len(contents.treatments) > 2:
        for table in (contents.tables["pairs"], contents.tables["trends"]):
            every = list(range(len(table.frame)))
            parts.append(markup.table(table, columns=_of_tests(table.frame, every)))
    return parts


def _sessions(contents: Contents) -> list[str]:
    """Treatments by session, and a warning where nothing can tell them apart."""
    table = contents.tables["sessions"]
    names = alone(table.frame)
    if len(contents.treatments) < 2 or not names:
        return [markup.table(table)]
    words = _ALONE.format(names="; ".join(names))
    return [markup.table(table), paragraph(words, "warning")]


_EXPLORATORY = (
    "Exploratory: what the plan names is tested at the head of this report, and nowhere else."
)
_PEOPLE_FIRST = (
    "Treatments differ in the bots that sit in their groups. The main measures are therefore those "
    "of people, averaged over the people of a group; measures of groups, further below, count what "
    "bots do as well."
)
_HOPELESS = (
    "No values could make any of these tests significant after the correction: with so few groups "
    "the smallest corrected p is {least}. Fewer measures, chosen beforehand, or more groups could."
)
_ALONE = (
    "One session only: {names}. Nothing tells what is of the treatment from what is of the "
    "session; where sessions differ, tests find an effect of the treatment too often. Spread "
    "treatments over sessions; with several sessions each, compare them with unit=session."
)


def _where(frame: pd.DataFrame, column: str, value: str) -> list[int]:
    return [int(row) for row in frame.index[frame[column] == value]]


_TESTED = ["measure", "first", "second", "effect_of", "effect", "low", "high", "p", "p_corrected"]
_TESTED += ["test"]
_TESTED += ["statistic", "left_out", "notes"]


def _of_tests(frame: pd.DataFrame, rows: list[int]) -> list[str]:
    """What of the tests is on the page: what has a value; all else is in the CSV."""
    return [name for name in _TESTED if name in frame and _any(frame[name].iloc[rows])]


def _types(contents: Contents) -> list[str]:
    if contents.tables["types"].frame.empty:
        return [paragraph("No measure of this game tells types of people, or nobody is of one.")]
    return [markup.table(contents.tables["types"])]


def _problems(contents: Contents) -> list[str]:
    words = (
        "What is named here is left out only where it cannot be computed; the rest is analysed. "
        "A group that never started has no measures; a participant who was in no group counts "
        "among those who arrived."
    )
    tables = contents.tables
    shown = ("problems", "left_out", "without_value", "unknown")
    return [paragraph(words), *(markup.table(tables[name]) for name in shown)]


def _codebook(contents: Contents) -> list[str]:
    return [markup.table(contents.tables["measures"])]


def _groups(contents: Contents) -> list[str]:
    return [markup.table(contents.tables["groups"])]


Section = tuple[str, str, Callable[[Contents], list[str]]]
_SECTIONS: tuple[Section, ...] = (
    ("export", "The export", _export),
    ("people", "Who took part", _people),
    ("quality", "Data quality", _flags),
    ("measures", "Measures by treatment", _measures),
    ("types", "Types of people", _types),
    ("codebook", "What the measures are", _codebook),
    ("problems", "Problems, and what was left out", _problems),
    ("groups", "The groups", _groups),
)
_OF_PLAN = ("plan", "The plan", _plan)


def _sections(contents: Contents) -> tuple[Section, ...]:
    return _SECTIONS if contents.plan is None else (_OF_PLAN, *_SECTIONS)


# -- a group ---------------------------------------------------------------------------------------


def _place(group: Group) -> str:
    return f"group-{group.row}"


def _group(contents: Contents, group: Group) -> str:
    tables, place = contents.tables, _place(group)
    own = tables["groups"].frame.iloc[group.row]
    measured = {
        name: _rows(tables[name].frame, own["session"], own["group"])
        for name in ("measures_groups", "measures_people", "problems")
    }
    named = ["session", "group", "treatment"]
    of_group = [column for column in tables["measures_groups"].frame.columns if column not in named]
    of_people = [
        column for column in tables["measures_people"].frame.columns if column not in named
    ]
    of_group, of_people = (
        [column for column in names if _any(tables[name].frame[column].iloc[measured[name]])]
        for name, names in (("measures_groups", of_group), ("measures_people", of_people))
    )
    about = [column for column in tables["groups"].frame.columns if column not in named[:2]]
    parts = [
        *(paragraph(words, "bad") for words in group.problems),
        markup.table(tables["groups"], [group.row], about, upright=True, title="The group"),
        *([markup.drawing(group.figure)] if group.figure else []),
        _replay(group, place),
        markup.table(
            tables["measures_groups"],
            measured["measures_groups"],
            of_group,
            upright=True,
            title="Measures of the group",
        ),
        markup.table(
            tables["measures_people"],
            measured["measures_people"],
            of_people,
            upright=True,
            title="Measures of its seats",
        ),
        *_answers(contents, own["session"], own["group"]),
    ]
    return section(place, group.name, parts, "page")


def _answers(contents: Contents, session: str, group: int) -> list[str]:
    """What its people answered to questions, where they did."""
    if "answers" not in contents.tables:
        return []
    content = contents.tables["answers"]
    rows = _rows(content.frame, session, group)
    names = [name for name in content.frame.columns if name not in ("session", "group")]
    return [markup.table(content, rows, names, title="Answers to questions")] if rows else []


def _any(values: pd.Series[Any]) -> bool:
    """Is there a value among these? What has none is not shown for a group."""
    return bool((values.notna() & (values.astype(object) != "")).any())


def _rows(frame: pd.DataFrame, session: str, group: int) -> list[int]:
    own = (frame["session"] == session) & (frame["group"] == group)
    return [int(row) for row in frame.index[own.fillna(value=False)]]


def _replay(group: Group, place: str) -> str:
    if not group.replay:
        return ""
    return (
        f'<div class="replay"><button type="button" hidden data-replay="{place}-data" '
        f'data-title="Replay of {text(group.name)}" aria-controls="{place}-replay" '
        f'aria-expanded="false">Play this group</button>'
        f"<noscript><p>The replay needs JavaScript.</p></noscript>"
        f'<div id="{place}-replay"></div></div>'
        f'<script type="text/plain" id="{place}-data">{group.replay}</script>'
    )
