"""Check whether an export truly records the plays that it claims to contain.

    problems = analysis.check("export.zip")         a list of all differences; empty if the export
                                                    is correct
    mixed check export.zip                          the same as text, on the command line

The table of every group is rebuilt from its configuration, its seed and its journal, as a server
does after a crash. Every value of every table is compared exactly:

    form       every entry of the manifest has the right type and is within range
               (`experiment.manifest`)
    files      row counts and sha256 match the manifest, and columns match the codebook (`reading`)
    described  codebooks, data package and scripts match the tables, and there are no other files
    order      every row is present exactly once and in the right place
    group      the journal itself, and `decisions`, `periods`, `pairs`, `seats`, `events` and
               `messages`, match what the rebuilt table writes (`again`)
    asked      when asked again, policies make the recorded decisions and write the recorded
               messages
    people     participants' points, within cap and floor, how their participation ended, and how
               many messages, questions and answers each person has
    lists      the logs of the quiz, the practice and the manager's actions, which `outcomes` stores
               as JSON
    before     nobody continued without passing the quiz; consent and exclusions agree with their
               records
    options    the session's options are valid; values from optional pages, such as consent,
               exist only if the options include the page; the sentence about bots matches
               the options
    money      every part of each payment, computed as on the server; the session total
    answers    the question that each answer belongs to, its error and its points; nobody continued
               without answering the required questions
    copies     no group or imported session is a copy of another
    clocks     wall-clock times agree with each other; a note on each play that stops although the
               server should have continued it
    blocks     in sessions with several blocks: the matching and the seats in each block, and the
               block that is paid
    manifest   every entry that a server writes is present; everybody in an imported session has a
               group, and its payoff counts are possible; if the export is anonymous, it has codes
               in place of people, and no texts
    digests    the digest of every treatment matches what was played, and the plan's digest follows
               from these
    assigned   the treatments of groups and people match the plan's slots, which were assigned
               in order and only while they were free
    seated     all groups of a session have the same session seed, and people have the seats that it
               gives them in order of arrival
    participants  each participant's row follows from the tables of all games
    times      notes on people whose times before, in and after each play contradict each other, or
               who waited for longer than a lobby keeps anybody
    sealed     groups have not changed since they were written, and none is missing
    sessions   values that all groups of a session share; each group's seed, which follows from the
               session's; the rules version, also in the manifest; nobody is in two sessions

Exports from earlier releases, exports without people's texts, and imported tables have no journals.
For these, the audit replays the decisions under the rules. It checks only the numbers that follow
from them, such as the correct values of beliefs. In an imported group, it also compares all other
values with those that an import writes (`analysis.importing.rows`).

**Limits.** If somebody changed a table and rewrote the manifest to match, the audit finds the
change if other values or the journal then no longer match. `PRINCIPLE` says why it cannot find
other changes, `UNKNOWN` lists them, and docs/faults.md shows which of many planted faults it finds.
If a server sealed the export, the server's key reveals every change except an invented play.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from mixed_company.analysis.audit.answers import check_answers, check_unseated_answers
from mixed_company.analysis.audit.asked import check_otherwise
from mixed_company.analysis.audit.assigned import check_assigned
from mixed_company.analysis.audit.before import check_before
from mixed_company.analysis.audit.clocks import check_walls, note_overdue
from mixed_company.analysis.audit.copies import Copies
from mixed_company.analysis.audit.described import (
    PARTLY,
    check_entries,
    check_files,
    check_others,
    is_of_this_release,
)
from mixed_company.analysis.audit.digests import check_digests
from mixed_company.analysis.audit.group import Group, arranged, check_rows
from mixed_company.analysis.audit.manifest import check_anonymous, check_imported, check_manifest
from mixed_company.analysis.audit.money import check_money, shares_of
from mixed_company.analysis.audit.options import check_disclosed, options_of
from mixed_company.analysis.audit.order import by_group
from mixed_company.analysis.audit.participants import check_participants
from mixed_company.analysis.audit.people import check_counted, check_outcomes
from mixed_company.analysis.audit.rows import Difference, Findings, Rows
from mixed_company.analysis.audit.sealed import looked_at
from mixed_company.analysis.audit.seated import check_arrivals, check_seats, check_seeds
from mixed_company.analysis.audit.sessions import (
    check_codes,
    check_config,
    check_people,
    check_sessions,
    check_versions,
)
from mixed_company.analysis.audit.unknown import PRINCIPLE, UNKNOWN
from mixed_company.analysis.audit.way import gone_on
from mixed_company.analysis.data import Data, Problem
from mixed_company.analysis.files import opened
from mixed_company.analysis.plays import as_exported
from mixed_company.analysis.reading import participants, tables_of
from mixed_company.policies.sharing import watched
from mixed_company.table.export import OPTIONAL, TABLES
from mixed_company.table.export.archive import code_hash

__all__ = ["NOTES", "PRINCIPLE", "UNKNOWN", "Audit", "Difference", "audited", "audits", "check"]

NOTES = ("unfinished", "left", "unopened", "interrupted", "unknown")
"""Kinds of problems that count as notes, because they are not faults in the tables."""


@dataclass(frozen=True)
class Audit:
    """The result of auditing one game's tables: how much was compared, and which values differ.

    game      id of the game; empty for the `participants` table, which has `people` rows
    made_by   hash of the code that made the export, if that code is not the installed one; else
              empty. Other code is not a fault, because it can produce the same numbers
    anonymous  whether the manifest says that the export contains no personal data
    recomputed number of decisions that policies were asked to make again
    otherwise  policy and its installed version -> number of values for which this version differs
               from the release that made the export; not a fault
    unasked    reason why policies could not be asked again -> number of affected decisions
    journals  number of groups that were rebuilt from their journals
    without_journal  number of groups without a journal, for which only decisions were replayed
    imported  number of groups that were imported from a table; they have no journal either
    others    number of groups in sessions that are not in the data that a report is about
    """

    game: str
    groups: int
    periods: int
    numbers: int
    problems: Sequence[Problem]
    made_by: str = ""
    anonymous: bool = False
    people: int = 0
    recomputed: int = 0
    otherwise: Mapping[str, int] = field(default_factory=dict)
    unasked: Mapping[str, int] = field(default_factory=dict)
    journals: int = 0
    without_journal: int = 0
    imported: int = 0
    others: int = 0


def check(path: str | Path, game: str | None = None, key: bytes = b"") -> list[Problem]:
    """Return all problems in an export, for one game or for all games (see the module's docstring).

    If `key` is the key of the server that made the export, the seal is checked too. Problems of the
    kinds in NOTES are not faults. Raises ExportError if the export cannot be read, UnknownName if
    the game is not in it.
    """
    problems = [problem for audit in audits(path, game) for problem in audit.problems]
    return [*problems, *looked_at(path, key).problems]


def audits(path: str | Path, game: str | None = None, progress: bool = False) -> list[Audit]:
    """Return the audits of all games in an export, or of a single game. If all games are audited
    and the export has a `participants` table, that table's audit comes last. `progress` shows a
    bar. Raises the same errors as `check`."""
    export = opened(path)
    games = [tables_of(path, game_id) for game_id in (export.games if game is None else [game])]
    audited_games = [
        audited(data, [other for other in games if other is not data], progress) for data in games
    ]
    if len(games) < len(export.games):
        of_files = [*check_entries(export), *check_others(export, games), PARTLY]
        return _with_problems(audited_games, of_files)
    frame, problems = participants(path)
    audited_games = _with_problems(audited_games, check_files(export, games, frame))
    if frame is None:
        return audited_games
    findings = Findings("", problems=list(problems))
    check_participants(frame, games, findings)
    check_arrivals(frame, games, findings)
    people = len(frame) - len({place for data in games for place in data.unopened})
    whole = Audit("", 0, 0, findings.numbers, findings.problems, people=people)
    return [*audited_games, whole]


def _with_problems(audits: Sequence[Audit], problems: Sequence[Problem]) -> list[Audit]:
    """Return the audits, with these problems added to the last audit."""
    *rest, last = audits
    return [*rest, replace(last, problems=(*last.problems, *problems))]


def audited(data: Data, others: Sequence[Data] = (), progress: bool = False) -> Audit:
    """Audit all tables of a game. Problems found while reading come first. `others` holds the
    export's other games, which are needed to audit sessions with blocks of several games.
    `progress` shows a bar."""
    data = as_exported(data)
    made_by = str(data.manifest.get("code", ""))
    made_by = "" if made_by == code_hash() else made_by
    same_release = is_of_this_release(data.manifest)
    findings = Findings(data.game_id, other_code=bool(made_by), same_release=same_release)
    tables = _rows(data, (*TABLES, *OPTIONAL))
    beside = {other.game_id: _rows(other, ("config", "outcomes")) for other in others}
    check_sessions(tables["config"], data.manifest, findings)
    check_manifest(tables["config"], data.manifest, findings)
    check_digests(tables["config"], data.manifest, findings)
    check_imported(tables, data.manifest, findings)
    played = {data.game_id: tables, **beside}
    whole = set(data.manifest.get("games", ())) <= set(played)
    check_assigned(played, data.manifest, findings, whole)
    check_seeds(played, findings)
    check_seats(tables, data.games, data.manifest, findings)
    anonymous = data.manifest.get("anonymous") is True
    leaves_out = anonymous and data.manifest.get("left_out") != []
    if anonymous:
        check_anonymous(tables, data.manifest, findings)
    check_versions(tables["config"], data.game_id, data.manifest, findings)
    if "outcomes" in tables:
        check_people(tables["outcomes"], data.manifest, findings)
        check_codes(played, findings)
        check_before(played, data.manifest, findings, whole)
        shares = {part.game_id: shares_of(part) for part in (data, *others)}
        check_money(played, shares, data.manifest, findings, whole)
        check_counted(tables, findings)
        check_unseated_answers(tables, findings)
        check_disclosed(tables, data.manifest, findings)
    rows = {(row["session"], row["group"]): row for row in tables["config"].records()}
    split = _split(tables, list(rows), findings)
    periods, copies, onward = 0, Copies(), gone_on(played, data.manifest)
    games = data.games
    for key, game in watched(games.items(), "Audit", progress):
        findings.session, findings.group = key
        group_tables = {
            name: tables[name].take(places.get(key, [])) for name, places in split.items()
        }
        group = arranged(rows[key], options_of(rows[key]), game, group_tables, findings, leaves_out)
        periods += group.periods
        check_config(rows[key], game, data.manifest, findings)
        copies.check(group, findings)
        _check_group(group, onward, findings)
        note_overdue(group, data.manifest, findings)
    copies.check_sessions(findings)
    check_otherwise(findings)
    problems = (*data.problems, *findings.problems)
    return Audit(
        *(data.game_id, len(games), periods, findings.numbers, problems, made_by, anonymous),
        recomputed=findings.recomputed,
        otherwise=dict(findings.otherwise),
        unasked=dict(findings.unasked),
        journals=findings.journals,
        without_journal=findings.without_journal,
        imported=findings.imported,
    )


def _rows(data: Data, names: Sequence[str]) -> dict[str, Rows]:
    return {
        name: Rows.of(name, frame)
        for name in names
        if (frame := getattr(data, name)) is not None and name not in data.unread
    }


_OF_PEOPLE = ("outcomes", "answers")
"""Tables with their rows ordered by participant."""


def _split(
    tables: dict[str, Rows], groups: list[Any], findings: Findings
) -> dict[str, dict[Any, list[int]]]:
    """Return the positions of each group's rows in every table."""
    return {
        name: by_group(rows, groups, findings, ordered=name not in _OF_PEOPLE)
        for name, rows in tables.items()
        if name != "config"
    }


def _check_group(group: Group, onward: set[Any], findings: Findings) -> None:
    check_rows(group, findings)
    check_outcomes(group, findings)
    check_walls(group, findings)
    check_answers(group, onward, findings)
