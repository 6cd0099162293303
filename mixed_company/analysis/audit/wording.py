"""The result of an audit as lines of text, and the faults in the export that a report or paper is
based on.

    checked    all faults that `mixed check` finds if it is given no plans, and its audits
    of_data    the audits of the games that a report is about
    of_files   faults in the export's files and seals, found without replaying groups
    sentences  how much these audits compared, and what they could not check

A paper's data are in a new file, without personal data and with new hashes. So only the original
export can show faults in its files and seals.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from mixed_company.analysis.audit import NOTES, Audit, audits
from mixed_company.analysis.audit.rows import CODED_ONLY
from mixed_company.analysis.audit.sealed import Sealed, looked_at
from mixed_company.analysis.data import Data, Problem
from mixed_company.experiment.comparisons import counted
from mixed_company.files import one_line
from mixed_company.table.export.archive import MANIFEST, code_hash
from mixed_company.table.export.participants import PARTICIPANTS
from mixed_company.table.export.sealing import key_id

SHOWN = 20
"""Default maximum number of problems listed, in total or for a group and table."""

_ANONYMOUS = (
    "without personal data: the people behind the codes and any omitted texts cannot be checked, "
    "but payments are checked"
)
_WITHOUT_JOURNAL = (
    "{groups} {have} no journal here, so only {their} decisions were replayed under the rules; "
    "seats, times, events and messages could not be checked"
)
_IMPORTED = (
    "{groups} {were} imported from a table of another experiment, so {they} {have} no journal. "
    "{Their} decisions were replayed under the rules of the configuration in the export, and all "
    "points follow from them; whether the treatments, the decisions and the table's map are right "
    "was not checked"
)
_ONE = {"have": "has", "were": "was", "they": "it", "their": "its", "Their": "Its"}
"""Words about several groups, and the same words about a single group."""


def is_fault(problem: Problem) -> bool:
    """Return whether a problem is a fault in the export, not just a note."""
    return problem.kind not in NOTES


def wrong(audit: Audit) -> list[Problem]:
    """Return the problems that are faults in the export."""
    return list(filter(is_fault, audit.problems))


def noted(problems: Iterable[Problem]) -> Iterator[str]:
    """Yield a line for each problem. Problems that are not faults are marked as notes."""
    for problem in problems:
        yield str(problem) if is_fault(problem) else f"note: {problem}"


def compared(audit: Audit) -> str:
    """Return clauses that say how much was compared and what was found. They are used in all
    output from audits. "Numbers" are all values that follow from other values in the export."""
    size = f"{counted(audit.groups, 'group')}, {counted(audit.periods, 'period')}"
    size = size if audit.game else counted(audit.people, "person")
    faults = len(wrong(audit))
    outcome = f"problems: {faults}" if faults else "everything matches"
    verb = "is" if audit.others == 1 else "are"
    groups = counted(audit.others, "group")
    beside = f"; {groups} {verb} from other sessions" if audit.others else ""
    return f"{size}, {counted(audit.numbers, 'number')} compared; {outcome}{beside}"


def sentences(audits: Sequence[Audit]) -> list[str]:
    """Return the lines of `mixed check` about how much was compared and what could not be checked,
    as sentences for a report or paper. If there are several games, each sentence names its game."""
    several = len(audits) > 1
    return [
        one_line(f"In {audit.game}: {line}." if several else f"{line[0].upper()}{line[1:]}.")
        for audit in audits
        for line in (compared(audit), *_unchecked(audit))
    ]


def lines(audit: Audit, limit: int) -> Iterator[str]:
    """Return lines with the counts and what could not be checked, then the differences by group and
    table, then the notes. `limit` is the maximum number of lines per group and table; 0 means no
    limit."""
    return map(one_line, _lines(audit, limit))


def _lines(audit: Audit, limit: int) -> Iterator[str]:
    yield f"{audit.game or PARTICIPANTS}: {compared(audit)}"
    yield from _unchecked(audit)
    faults = wrong(audit)
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
    """Yield the verdict on the file's seals."""
    yield one_line(f"seals: {sealed.verdict}")
    yield from map(str, sealed.problems)
    if sealed.absent:
        yield f"note: {absent(sealed.absent)}"


def absent(sessions: Iterable[str]) -> str:
    """Return a phrase that names the sessions missing from the export."""
    return one_line(
        f"sessions on this server that are missing from the file: {', '.join(sessions)}"
    )


def _unchecked(audit: Audit) -> Iterator[str]:
    """Yield lines about other code, and about values that could not be checked. They are used in
    all output from audits."""
    faults = wrong(audit)
    if audit.made_by:
        verdict = "the differences may come from that" if faults else "it produces the same numbers"
        if audit.otherwise and not faults:
            verdict += ", but bots decide differently"
        yield f"made by different code ({audit.made_by:.12}; this is {code_hash():.12}): {verdict}"
    yield from _policies(audit)
    if audit.without_journal:
        yield _of_groups(audit.without_journal, _WITHOUT_JOURNAL)
    if audit.imported:
        yield _of_groups(audit.imported, _IMPORTED)
    if audit.anonymous:
        yield _ANONYMOUS


def _of_groups(number: int, sentence: str) -> str:
    """Return a sentence about this many groups."""
    words = _ONE if number == 1 else {word: word for word in _ONE}
    return sentence.format(groups=counted(number, "group"), **words)


def _policies(audit: Audit) -> Iterator[str]:
    """Yield lines about decisions that could not be verified by asking policies again."""
    if audit.otherwise:
        values = counted(sum(audit.otherwise.values()), "value")
        decisions = counted(audit.recomputed, "decision")
        yield (
            f"with this code, bots decide differently: {values} in {decisions} "
            f"({'; '.join(sorted(audit.otherwise))}); only the code that made the export can "
            "verify them"
        )
    for why, count in sorted(audit.unasked.items()):
        yield (
            f"{count} of the bots' decisions, votes or messages could not be verified by asking "
            f"the policies again, {why}"
        )


# -- faults, for reports and papers --------------------------------------------------------------


@dataclass(frozen=True)
class Original:
    """Result of checking an export.

    count     number of its faults
    problems  the first problems
    absent    sessions on the server that are missing from the export
    digest    sha256 of the file or, if the export is a folder, of the manifest; empty if unknown
    seals     verdict on its seals, with the id of the key used to check them
    personal  whether it has personal data although its manifest says it has none
    """

    count: int = 0
    problems: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    digest: str = ""
    seals: str = ""
    personal: bool = False

    @property
    def sources(self) -> list[str]:
        """Sentence that identifies the export and says whether its seals were checked; empty if
        there is no export."""
        return [f"Export: sha256 {self.digest}; {self.seals}."] if self.digest else []

    @property
    def listed(self) -> tuple[str, ...]:
        """The first problems, and how many more there are."""
        others = self.count - len(self.problems)
        more = (f"... and {others} more problems; `mixed check` lists them all",) if others else ()
        return (*self.problems, *more)

    @property
    def words(self) -> list[str]:
        """Lines that a command prints before its results; empty if there are no faults."""
        head = [f"problems in the export: {self.count}"] if self.count else []
        notes = [f"note: {absent(self.absent)}"] if self.absent else []
        return [*head, *self.listed, *notes]

    def without(
        self, columns: Collection[str], words: Collection[str], code: Callable[[str], str]
    ) -> Original:
        """Return this result without personal data.

        columns   columns with personal data; for problems in them, only the position in the file is
                  kept
        words     participants' codes, which are replaced by `code`
        """
        codes = "|".join(map(re.escape, sorted(filter(None, words), key=len, reverse=True)))
        pattern = re.compile(rf"(?<!\w)(?:{codes})(?!\w)" if codes else r"(?!)")
        problems = []
        for text in self.problems:
            where = text.partition(": ")[0]
            hidden = where.rpartition(", ")[2] in columns
            public = f"{where}: differs" if hidden else text
            problems.append(pattern.sub(lambda match: code(match[0]), public))
        return replace(self, problems=tuple(problems))


UNCHECKED = Original()
"""Default for data that are not from an export."""


class Checked(NamedTuple):
    """A checked export: the lines about its tables and about its seals, the result, and the
    audits."""

    tables: list[str]
    seals: list[str]
    original: Original
    audits: Sequence[Audit]


def checked(
    path: str | Path,
    key: bytes = b"",
    progress: bool = False,
    *,
    game: str | None = None,
    limit: int = SHOWN,
) -> Checked:
    """Check an export or, with `game`, only the tables of that game.

    With the server's `key`, also check its seal. `limit` is that of `lines`. Raises the same errors
    as `audit.check`.
    """
    done, sealed = audits(path, game, progress=progress), looked_at(path, key)
    text = [line for audit in done for line in lines(audit, limit)]
    faults = [fault for audit in done for fault in wrong(audit)]
    return Checked(text, list(seals(sealed)), _of(path, key, faults, sealed), done)


def of_data(done: Iterable[Audit], games: Iterable[Data]) -> list[Audit]:
    """Return the audit of each game in the data, without problems in other sessions. The counts
    cover all sessions of the export; `others` says how many groups are not in the data."""
    by_game = {audit.game: audit for audit in done}
    chosen = []
    for data in games:
        audit = by_game[data.game_id]
        sessions = {"", *data.manifest.get("sessions", ()), *data.config["session"]}
        problems = [fault for fault in audit.problems if fault.session in sessions]
        others = audit.groups - len(data.games)
        chosen.append(replace(audit, problems=problems, others=others))
    return chosen


def of_files(path: str | Path, games: Iterable[Data], key: bytes = b"") -> Original:
    """Return the faults in an export's files and seals. `games` holds the data loaded from it.
    Raises ExportError."""
    faults = [problem for data in games for problem in data.problems if problem.kind == _CHANGED]
    return _of(path, key, faults, looked_at(path, key))


_CHANGED = "damaged"
"""The kind of problem reported for a file that was changed after it was written."""


def _of(path: str | Path, key: bytes, faults: Sequence[Problem], sealed: Sealed) -> Original:
    # a fault in the manifest is reported for every game
    of_files = [*(fault for fault in faults if fault.kind == _CHANGED), *sealed.problems]
    words = list(dict.fromkeys(map(str, (*of_files, *faults))))  # files first
    verdict = f"{sealed.verdict}; checked with the key {key_id(key)}" if key else sealed.verdict
    personal = any(getattr(fault, "should", None) == CODED_ONLY for fault in faults)
    first = tuple(words[:SHOWN])
    return Original(len(words), first, tuple(sealed.absent), sha256_of(path), verdict, personal)


def sha256_of(path: str | Path) -> str:
    """Return the sha256 of an export's file or, if the export is a folder, of its manifest."""
    file = Path(path) / MANIFEST if Path(path).is_dir() else Path(path)
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()
