"""What an audit came to, as lines of text."""

from __future__ import annotations

from collections.abc import Iterator

from mixed_company.analysis.audit import NOTES, Audit
from mixed_company.analysis.audit.sealed import Sealed
from mixed_company.analysis.data import Problem
from mixed_company.table.export.archive import code_hash
from mixed_company.table.export.participants import PARTICIPANTS

__all__ = ["lines", "seals", "wrong"]


_ANONYMOUS = (
    "without personal data: whom the codes of people stand for, and what was written where it is "
    "left out, cannot be checked; all else is, payments among it"
)
_WITHOUT_JOURNAL = (
    "have no journal here: their decisions were played again by the rules; who sat where, times, "
    "events and talk could not be checked"
)


def wrong(audit: Audit) -> list[Problem]:
    """The problems that are faults of the tables."""
    return [problem for problem in audit.problems if problem.kind not in NOTES]


def lines(audit: Audit, limit: int) -> Iterator[str]:
    """The counts, and whether other code made it; then what differs, by group and table; then what
    is only to be known. `limit` is that of lines per group and table; 0: all of them."""
    faults = wrong(audit)
    counted = f"{audit.groups} groups, {audit.periods} periods"
    counted = counted if audit.game else f"{audit.people} people"
    counts = f"{counted}, {audit.numbers} numbers compared"
    outcome = f"problems: {len(faults)}" if faults else "all is right"
    yield f"{audit.game or PARTICIPANTS}: {counts}; {outcome}"
    if audit.made_by:
        verdict = "differences may come from that" if faults else "it gives the same numbers"
        if audit.otherwise and not faults:
            verdict += ", but bots decide otherwise"
        yield f"made by other code ({audit.made_by:.12}; this is {code_hash():.12}): {verdict}"
    yield from _policies(audit)
    if audit.without_journal:
        yield f"{audit.without_journal} groups {_WITHOUT_JOURNAL}"
    if audit.anonymous:
        yield _ANONYMOUS
    blocks: dict[tuple[str, int | None, str], list[Problem]] = {}
    for problem in faults:
        table = problem.where.partition(",")[0]
        blocks.setdefault((problem.session, problem.group, table), []).append(problem)
    for block in blocks.values():
        most = limit or len(block)
        yield from map(str, block[:most])
        if len(block) > most:
            yield f"... and {len(block) - most} more of this group in this table (--limit 0: all)"
    for problem in audit.problems:
        if problem.kind in NOTES:
            yield f"to be known: {problem}"


def seals(sealed: Sealed) -> Iterator[str]:
    """What seals show of the whole file."""
    yield f"seals: {sealed.verdict}"
    yield from map(str, sealed.problems)
    if sealed.absent:
        yield f"to be known: sessions of this server not in the file: {', '.join(sealed.absent)}"


def _policies(audit: Audit) -> Iterator[str]:
    """What could not be found out by asking policies again; nothing where all could."""
    if audit.otherwise:
        values = sum(audit.otherwise.values())
        yield (
            f"{values} values, in {audit.recomputed} decisions of bots, are not what they decide "
            f"by this code ({'; '.join(sorted(audit.otherwise))}): only with the code of the "
            "export it can be known if they did"
        )
    for why, count in sorted(audit.unasked.items()):
        yield f"{count} decisions of bots were not asked again, {why}"
