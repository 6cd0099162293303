"""The annexes of a report: reference tables, and one section per group."""

from __future__ import annotations

from mixed_company.analysis.report import groups, markup
from mixed_company.analysis.report.contents import Contents, Group
from mixed_company.analysis.report.markup import Html, Piece, paragraph, section
from mixed_company.analysis.report.parts import Shown, filled
from mixed_company.analysis.report.replays import packed


def tests(contents: Contents) -> list[Piece]:
    """Return the annex on tests: means with their intervals, and every test with all its
    numbers."""
    means, table = Shown(contents.tables["measures_by_treatment"]), contents.tables["tests"]
    if len(contents.treatments) < 2:
        return [means]
    return [means, Shown(table, columns=filled(table.frame, _FULL))]


_FULL = (
    *("family", "block", "measure", "effect_name", "effect", "low", "high", "standardised", "test"),
    *("statistic", "p", "p_corrected", "correction", "left_out", "notes"),
)


def participants(contents: Contents) -> list[Piece]:
    """Return the annex on participants, with their flags and the numbers behind the flags."""
    table = contents.tables["participants"]
    title = "The numbers behind the flags, for each participant"
    return [Shown(table, columns=_WHO), Shown(table, columns=_NUMBERS, title=title, note=_FLAGGED)]


_WHO = (
    *("participant", "label", "treatment", "session", "group", "seat", "stage", "points"),
    *("paid_points", "payment", "flags"),
)
_NUMBERS = (
    *("participant", "quiz_attempts", "decided", "defaulted", "median_decision_time"),
    *("different", "dropouts", "takeovers", "returns", "disconnections", "bot_share"),
)
_FLAGGED = (
    "Defaulted: share of periods in the seat in which time ran out. Median decision time: in ms. "
    "Different: number of distinct decisions by the person. Bot share: share of periods in which "
    "a policy decided."
)


def problems(contents: Contents) -> list[Piece]:
    """Return the annex on problems: problems in the data, and groups and measures that are left
    out."""
    words = (
        "Data listed here are left out only where a result cannot be computed from them; "
        "everything else is analysed. A group that never started has no measures. A participant "
        "who opened the link but has no group counts as having arrived."
    )
    names = ("problems", "left_out", "without_value", "unknown")
    return [paragraph(words), *(Shown(contents.tables[name]) for name in names)]


def all_groups(contents: Contents) -> list[Piece]:
    """Return the annex on groups: their table and, if groups have no sections, the reason."""
    table = Shown(contents.tables["groups"])
    number = len(table.places)
    if number <= groups.MOST_GROUPS:
        return [table]
    limit = f"With more than {groups.MOST_GROUPS} groups"
    words = f"{limit}, replays and measures of individual groups are left out."
    return [paragraph(words), table]


# -- a group ---------------------------------------------------------------------------------------


def place_of(group: Group) -> str:
    """Return the id of a group's section."""
    return f"group-{group.row}"


def of_group(contents: Contents, group: Group) -> Html:
    """Return a group's section. Its tables are packed, because there can be many groups."""
    place, table = place_of(group), contents.tables["groups"]
    columns = [str(name) for name in table.frame.columns if name not in ("session", "group")]
    parts: list[Piece] = [paragraph(words, "bad") for words in group.problems]
    if group.figure is not None:
        parts.append(markup.drawing(group.figure))
    if group.replay is not None:
        game = contents.games.index(group.replay.game)
        parts.append(markup.replay(group.name, place, group.replay.play, f"replay-game-{game}"))
    tables = [
        Shown(table, [group.row], columns, upright=True, title="The group"),
        _measures(contents, group, "measures_groups", "Measures of the group"),
        _measures(contents, group, "measures_people", "Measures of its seats"),
        *_answers(contents, group),
    ]
    content = packed("".join(map(markup.table, tables)))
    parts.append(markup.packed(f"{place}-tables", "Its measures and answers", content))
    return section(place, group.name, parts, "group")


def _measures(contents: Contents, group: Group, name: str, title: str) -> Shown:
    """Return a table of the measures that have a value for the group or its seats."""
    table, rows = contents.tables[name], contents.rows(name, group)
    return Shown(table, rows, contents.filled(name, group), upright=True, title=title)


def _answers(contents: Contents, group: Group) -> list[Shown]:
    """Return the table of a group's answers to questions; empty if there are none."""
    rows = contents.rows("answers", group) if "answers" in contents.tables else []
    if not rows:
        return []
    table = contents.tables["answers"]
    columns = [str(name) for name in table.frame.columns if name not in ("session", "group")]
    return [Shown(table, rows, columns, title="Answers to questions")]
