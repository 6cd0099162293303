"""The annexes of a report: what few read, and all that can be looked up; a page per group."""

from __future__ import annotations

from mixed_company.analysis.report import markup
from mixed_company.analysis.report.contents import Contents, Group
from mixed_company.analysis.report.markup import Html, Piece, paragraph, section
from mixed_company.analysis.report.results import any_value

__all__ = [
    "codebook",
    "export",
    "groups",
    "of_group",
    "participants",
    "place_of",
    "problems",
    "tests",
]


def tests(contents: Contents) -> list[Piece]:
    """Means with their intervals; every test with all that belongs to it."""
    means, table = (contents.tables[name] for name in ("measures_by_treatment", "tests"))
    if len(contents.treatments) < 2:
        return [markup.table(means)]
    columns = ["family", "measure", "effect_name", *_FULL]
    own = [name for name in columns if any_value(table.frame, name)]
    return [markup.table(means), markup.table(table, columns=own)]


_FULL = (
    *("effect", "low", "high", "standardised", "test", "statistic", "p", "p_corrected"),
    *("correction", "left_out", "notes"),
)


def participants(contents: Contents) -> list[Piece]:
    """Everybody, with flags and what they look at."""
    table = contents.tables["participants"]
    return [
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


def export(contents: Contents) -> list[Piece]:
    """What the file says of itself."""
    return [markup.table(contents.tables[name]) for name in ("export", "treatments", "files")]


def problems(contents: Contents) -> list[Piece]:
    """What was wrong, and what was left out."""
    words = (
        "What is named here is left out only where it cannot be computed; the rest is analysed. "
        "A group that never started has no measures; a participant who was in no group counts "
        "among those who arrived."
    )
    tables = contents.tables
    shown = ("problems", "left_out", "without_value", "unknown")
    return [paragraph(words), *(markup.table(tables[name]) for name in shown)]


def codebook(contents: Contents) -> list[Piece]:
    """What the measures are."""
    return [markup.table(contents.tables["measures"])]


def groups(contents: Contents) -> list[Piece]:
    """All of them, in a table."""
    return [markup.table(contents.tables["groups"])]


# -- a group ---------------------------------------------------------------------------------------


def place_of(group: Group) -> str:
    """The id of its section."""
    return f"group-{group.row}"


def of_group(contents: Contents, group: Group) -> Html:
    """Its page."""
    tables, place = contents.tables, place_of(group)
    own = tables["groups"].frame.iloc[group.row]
    measured = {
        name: contents.rows(name, own["session"], own["group"])
        for name in ("measures_groups", "measures_people", "problems")
    }
    named = ["session", "group", "treatment"]
    of_group = [column for column in tables["measures_groups"].frame.columns if column not in named]
    of_people = [
        column for column in tables["measures_people"].frame.columns if column not in named
    ]
    of_group, of_people = (
        [column for column in names if any_value(tables[name].frame.iloc[measured[name]], column)]
        for name, names in (("measures_groups", of_group), ("measures_people", of_people))
    )
    about = [column for column in tables["groups"].frame.columns if column not in named[:2]]
    parts = [
        *(paragraph(words, "bad") for words in group.problems),
        markup.table(tables["groups"], [group.row], about, upright=True, title="The group"),
        *([markup.drawing(group.figure)] if group.figure else []),
        *([markup.replay(group.name, place, group.replay)] if group.replay else []),
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


def _answers(contents: Contents, session: str, group: int) -> list[Piece]:
    """What its people answered to questions, where they did."""
    if "answers" not in contents.tables:
        return []
    content = contents.tables["answers"]
    rows = contents.rows("answers", session, group)
    names = [name for name in content.frame.columns if name not in ("session", "group")]
    return [markup.table(content, rows, names, title="Answers to questions")] if rows else []
