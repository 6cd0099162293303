"""Verdicts of `mixed check` on each planted fault: found, admitted or missed.

python -m tests.analysis.audit.verdicts        writes docs/faults.md
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from textwrap import fill
from unittest.mock import patch

from docs.dating import dated
from mixed_company import analysis
from mixed_company.analysis import reading
from mixed_company.analysis.audit import NOTES, PRINCIPLE, UNKNOWN, sealed
from mixed_company.analysis.gathering import Gathered
from mixed_company.engine.contract.errors import EngineError
from tests.analysis.audit.catalogue import catalogue
from tests.analysis.audit.faults import contents_of
from tests.analysis.audit.planting import KEY, Fault, packed, tables_of

__all__ = ["DOCUMENT", "Outcome", "all_tried", "document", "tried"]

DOCUMENT = Path(__file__).resolve().parents[3] / "docs/faults.md"


@dataclass(frozen=True)
class Outcome:
    """Verdict on a fault: found, admitted (UNKNOWN lists it) or missed. `by_key` says whether the
    fault can be found with the key.
    """

    fault: Fault
    verdict: str
    by_key: bool


def tried(good: Path, bad: Path, planted: Sequence[Fault]) -> Iterator[Outcome]:
    """Plant these faults one at a time, and yield the verdict on each."""
    files, read = contents_of(good), _remembering(reading.at_once)
    for fault in planted:
        manifest = json.loads(files["manifest.json"])
        tables = tables_of(files, manifest)
        fault.plant(tables, manifest)
        packed(bad, files, tables, manifest)
        try:
            with patch.object(reading, "at_once", read):
                detected = any(problem.kind not in NOTES for problem in analysis.check(bad))
        except EngineError:  # `mixed check` prints it
            detected = True
        verdict = "found" if detected else "admitted" if fault.about in UNKNOWN else "missed"
        yield Outcome(fault, verdict, _by_key(bad))


Read = Callable[[Sequence[str], bytes, Mapping[str, str], Sequence[str]], Gathered | None]


def _remembering(read: Read) -> Read:
    """Return a function that reads each table only once, because a fault leaves most tables
    unchanged."""
    tables: dict[object, Gathered | None] = {}

    def at_once(
        header: Sequence[str], content: bytes, types: Mapping[str, str], keys: Sequence[str]
    ) -> Gathered | None:
        file = (content, *types.items())
        if file not in tables:
            tables[file] = read(header, content, types, keys)
        table = tables[file]
        return table and replace(table, frame=table.frame.copy())

    return at_once


def _by_key(bad: Path) -> bool:
    """Return whether the fault can be found with the key."""
    try:
        return bool(sealed.looked_at(bad, KEY).problems)
    except EngineError:
        return True


def all_tried(folder: Path) -> Iterator[Outcome]:
    """Plant all faults of the catalogue, and yield the verdict on each."""
    for good, planted in catalogue(folder):
        yield from tried(good, folder / "bad.zip", planted)


def document(outcomes: list[Outcome]) -> str:
    """Return the text of docs/faults.md: a row per kind, and the faults that can be found only with
    the key."""
    kinds = list(dict.fromkeys(outcome.fault.kind for outcome in outcomes))
    counts = Counter((outcome.fault.kind, outcome.verdict) for outcome in outcomes)
    by_key = Counter(outcome.fault.kind for outcome in outcomes if outcome.by_key)
    principle = fill(f"{PRINCIPLE} The faults on this page are examples.", 100)
    lines = [_HEAD.format(principle=principle)]
    lines += ["| kind | planted | found | admitted | missed | found with the key |"]
    lines += ["|---|---|---|---|---|---|"]
    verdicts = ("found", "admitted", "missed")
    for kind in kinds:
        numbers = [counts[kind, verdict] for verdict in verdicts]
        lines.append(f"| {kind} | {' | '.join(map(str, [sum(numbers), *numbers, by_key[kind]]))} |")
    sums = [sum(counts[kind, verdict] for kind in kinds) for verdict in verdicts]
    lines.append(f"| all | {' | '.join(map(str, [sum(sums), *sums, sum(by_key.values())]))} |")
    lines += ["", "Admitted (not found without the key):", ""]
    for kind in kinds:
        admitted = [
            o.fault.name for o in outcomes if o.fault.kind == kind and o.verdict == "admitted"
        ]
        lines += [f"- {kind}: {', '.join(admitted)}"] if admitted else []
    unknown = (
        "`mixed check` cannot verify the following values (`mixed_company.analysis.audit.UNKNOWN`):"
    )
    lines += ["", unknown, ""]
    lines += ["| name | value that cannot be verified |", "|---|---|"]
    lines += [f"| `{name}` | {why} |" for name, why in UNKNOWN.items()]
    return "\n".join(lines) + "\n"


_HEAD = """# Planted faults

{principle}

`python -m tests.analysis.audit.verdicts` writes this page, and `make test-long` checks that the
results are still the same. Each fault is planted on its own in one of five exports, and then
`mixed check` checks that export. When a fault is planted, row counts, hashes and the chain of
`seals.csv` are recomputed, but the seal is not, because that would need the key
([seals](analysis.md#seals)). A fault is *admitted* if `mixed check` does not find it and the last
table lists it. A fault that only a note names does not count as found.

- *Without a prefix*: two sessions of the commons in which people leave and return, and in which
  bots talk.
- *Two blocks*: two rehearsed sessions of a plan with two treatments, two blocks and questions. In
  every table, values are changed, emptied and swapped, and rows are left out, repeated and swapped.
  Names are swapped, and entries of the manifest are replaced or removed.
- *Peer points*: a session of the commons in which people and bots punish and reward each other,
  with shuffled names. Faults are planted in the points columns, in several tables at once so
  that they still agree, and in the journal's entries for the second stage.
- Two more exports have a session of which a copy is planted, and an imported table of strangers.
"""


def main() -> None:
    """Write docs/faults.md."""
    with tempfile.TemporaryDirectory() as folder:
        outcomes = list(all_tried(Path(folder)))
    DOCUMENT.write_text(dated(document(outcomes)), encoding="utf-8")
    missed = [
        f"{o.fault.kind}: {o.fault.name} ({o.fault.about})"
        for o in outcomes
        if o.verdict == "missed" or not o.by_key
    ]
    print(*missed, sep="\n", file=sys.stderr)


if __name__ == "__main__":
    main()
