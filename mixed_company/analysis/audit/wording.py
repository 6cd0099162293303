"""The result of an audit as lines of text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mixed_company.analysis.audit import NOTES, Audit
from mixed_company.analysis.audit.sealed import Sealed
from mixed_company.analysis.data import Problem
from mixed_company.files import one_line
from mixed_company.table.export.archive import code_hash
from mixed_company.table.export.participants import PARTICIPANTS

SHOWN = 20
"""Default for the maximum number of problems listed: in all, or for a group and table."""

_ANONYMOUS = (
    "without personal data: the people behind the codes and any omitted texts cannot be checked; "
    "everything else is checked, including payments"
)
_WITHOUT_JOURNAL = (
    "have no journal here, so only their decisions were replayed by the rules; seats, times, "
    "events and messages could not be checked"
)
_IMPORTED = (
    "were imported from a table of another experiment, so they have no journal. Their decisions "
    "were replayed by the rules of the configuration in the export, and all points follow from "
    "them; whether the table's map is right was not checked"
)


def is_fault(problem: Problem) -> bool:
    """Return whether a problem is a fault of the export and not only a note."""
    return problem.kind not in NOTES


def wrong(audit: Audit) -> list[Problem]:
    """Return the problems that are faults of the export."""
    return list(filter(is_fault, audit.problems))


def noted(problems: Iterable[Problem]) -> Iterator[str]:
    """Yield a line for each problem. Problems that are not faults are marked as notes."""
    for problem in problems:
        yield str(problem) if is_fault(problem) else f"note: {problem}"


def compared(audit: Audit) -> str:
    """Return the sentence that says how much was compared and what was found. All outputs of an
    audit use it. "Numbers" are all values that follow from other values of the export."""
    counted = f"{audit.groups} groups, {audit.periods} periods"
    counted = counted if audit.game else f"{audit.people} people"
    faults = len(wrong(audit))
    outcome = f"problems: {faults}" if faults else "everything matches"
    return f"{counted}, {audit.numbers} numbers compared; {outcome}"


def lines(audit: Audit, limit: int) -> Iterator[str]:
    """Return lines with the counts and whether other code made the export, then the differences by
    group and table, then the notes. `limit` is the maximum number of lines per group and table; 0
    means no limit."""
    return map(one_line, _lines(audit, limit))


def _lines(audit: Audit, limit: int) -> Iterator[str]:
    faults = wrong(audit)
    yield f"{audit.game or PARTICIPANTS}: {compared(audit)}"
    if audit.made_by:
        verdict = "the differences may come from that" if faults else "it gives the same numbers"
        if audit.otherwise and not faults:
            verdict += ", but bots decide differently"
        yield f"made by other code ({audit.made_by:.12}; this is {code_hash():.12}): {verdict}"
    yield from _policies(audit)
    if audit.without_journal:
        yield f"{audit.without_journal} groups {_WITHOUT_JOURNAL}"
    if audit.imported:
        yield f"{audit.imported} groups {_IMPORTED}"
    if audit.anonymous:
        yield _ANONYMOUS
    blocks: dict[tuple[str, int | None, str], list[Problem]] = {}
    for problem in faults:
        table = problem.where.partition(",")[0]
        blocks.setdefault((problem.session, problem.group, table), []).append(problem)
    for block in blocks.values():
        shown = limit or len(block)
        yield from map(str, block[:shown])
        if len(block) > shown:
            yield f"... and {len(block) - shown} more of this group in this table (--limit 0: all)"
    yield from noted(problem for problem in audit.problems if not is_fault(problem))


def seals(sealed: Sealed) -> Iterator[str]:
    """Yield the verdict on the seals of the whole file."""
    yield one_line(f"seals: {sealed.verdict}")
    yield from map(str, sealed.problems)
    if sealed.absent:
        yield f"note: {absent(sealed.absent)}"


def absent(sessions: Iterable[str]) -> str:
    """Return a phrase that names the sessions missing from the export."""
    return one_line(
        f"sessions on this server that are missing from the file: {', '.join(sessions)}"
    )


def _policies(audit: Audit) -> Iterator[str]:
    """Yield lines about decisions that could not be verified by asking policies again."""
    if audit.otherwise:
        values = sum(audit.otherwise.values())
        yield (
            f"{values} values, in {audit.recomputed} decisions of bots, differ from what the bots "
            f"decide with this code ({'; '.join(sorted(audit.otherwise))}); only the code that "
            "made the export can verify them"
        )
    for why, count in sorted(audit.unasked.items()):
        yield (
            f"{count} of the bots' decisions or messages could not be verified by asking the "
            f"policies again, {why}"
        )
