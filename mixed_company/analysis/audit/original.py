"""Faults of the export that a report or a paper is made from, in the words of `mixed check`.

    checked   all faults that `mixed check` finds without plans
    of_files  the faults of its files and seals, without replaying groups

The data of a paper are a new file, without personal data and with new hashes. So faults of files
and seals can only be found in the original export.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from mixed_company.analysis.audit import audits
from mixed_company.analysis.audit.sealed import looked_at
from mixed_company.analysis.audit.wording import absent, lines, seals, wrong
from mixed_company.analysis.data import Data, Problem

SHOWN = 20
"""Maximum number of problems that are listed."""


@dataclass(frozen=True)
class Original:
    """Result of checking an export.

    count     number of its faults
    problems  the first of them
    changed   whether it was changed after the server wrote it
    absent    sessions of the server that are not in it
    """

    count: int = 0
    problems: tuple[str, ...] = ()
    changed: bool = False
    absent: tuple[str, ...] = ()

    @property
    def listed(self) -> tuple[str, ...]:
        """The first problems, followed by the number of others."""
        others = self.count - len(self.problems)
        more = (f"... and {others} more problems; mixed check lists them",) if others else ()
        return (*self.problems, *more)

    @property
    def words(self) -> list[str]:
        """Lines for the output of a command, before its results; empty without faults."""
        head = [f"problems of the export: {self.count}"] if self.count else []
        notes = [f"note: {absent(self.absent)}"] if self.absent else []
        return [*head, *self.listed, *notes]

    def without(
        self, columns: Collection[str], words: Collection[str], code: Callable[[str], str]
    ) -> Original:
        """Return this result without personal data.

        columns   columns with personal data; their problems are reduced to the position in the file
        words     codes of participants, to be replaced by `code`
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
"""Default for data without an export."""


def checked(
    path: str | Path, key: bytes = b"", progress: bool = False
) -> tuple[list[str], Original]:
    """Check a whole export. Return the lines that `mixed check` prints, and the result.

    With the `key` of the server, its seal is checked too. Raises as `audit.check` does.
    """
    done, sealed = audits(path, progress=progress), looked_at(path, key)
    text = [line for audit in done for line in lines(audit, SHOWN)]
    faults = [fault for audit in done for fault in wrong(audit)]
    result = _of(faults, sealed.problems, sealed.absent)
    return [*text, *seals(sealed)], result


def of_files(path: str | Path, games: Iterable[Data], key: bytes = b"") -> Original:
    """Return the faults of an export's files and seals. `games` are the data loaded from it. Raises
    ExportError."""
    sealed = looked_at(path, key)
    faults = [problem for data in games for problem in data.problems if problem.kind == _CHANGED]
    return _of(faults, sealed.problems, sealed.absent)


_CHANGED = "damaged"
"""Kind of the problems of a file that was changed after it was written."""


def _of(faults: Sequence[Problem], seals: Sequence[Problem], absent: Sequence[str]) -> Original:
    # a fault of the manifest is a problem of every game
    of_files = [*(fault for fault in faults if fault.kind == _CHANGED), *seals]
    words = list(dict.fromkeys(map(str, (*of_files, *faults))))  # files first
    return Original(len(words), tuple(words[:SHOWN]), bool(of_files), tuple(absent))
