"""What came of the faults of a room, kept in a file, and as a table with the survivors."""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from scipy.stats import binomtest

from tests.planted.trying import Outcome

REASONS = Path(__file__).with_name("reasons.toml")
HEAD = """# Faults that no test finds

Written by `make mutants`; [reliability.md](../reliability.md) says how. Of the faults that can be
planted so many were tried; `by time` are found by a play that does not end; no test comes by the
lines of those that are passed by. Between the last two numbers lies the share of all faults that
would be found, in 95 of 100 samples.
"""
FOUND = ("found", "timeout")


@dataclass
class Results:
    """Key of a fault -> what came of it."""

    faults: int = 0
    command: str = ""
    outcomes: dict[str, Outcome] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> Results:
        """Those of a file; none if there is no file yet."""
        return cls(**json.loads(path.read_text("utf-8"))) if path.exists() else cls()

    def write(self, path: Path) -> None:
        """Keep them."""
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(vars(self), indent=1, ensure_ascii=False), "utf-8")

    def keep(self, keys: Collection[str]) -> None:
        """There are these faults, and no others any more."""
        self.faults = len(keys)
        self.outcomes = {key: came for key, came in self.outcomes.items() if key in keys}

    def survivors(self) -> list[str]:
        """The faults that no test found."""
        return [key for key, outcome in self.outcomes.items() if outcome not in (*FOUND, "unfit")]


def reasons() -> dict[str, str]:
    """Key of a fault -> why it need not be found."""
    table: dict[str, str] = tomllib.loads(REASONS.read_text("utf-8"))
    return table


def document(rooms: dict[str, Results]) -> str:
    """All of it as Markdown; of a room into which nothing was planted nothing."""
    tried = {name: results for name, results in rooms.items() if results.outcomes}
    listed = [line for room in tried.items() for line in _listed(*room)]
    return "\n".join([HEAD, *_table(tried), *listed])


def _table(rooms: dict[str, Results]) -> Iterable[str]:
    yield "| room | faults | tried | found | by time | survived | passed by | found, % | between |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for name, results in rooms.items():
        counts = Counter(results.outcomes.values())
        planted = len(results.outcomes) - counts["unfit"]
        found = counts["found"] + counts["timeout"]
        between = binomtest(found, planted).proportion_ci(method="wilson")
        limits = f"{100 * between.low:.1f} to {100 * between.high:.1f}"
        whole = planted + counts["unfit"] == results.faults
        yield (
            f"| {name} | {results.faults} | {planted} | {counts['found']} | {counts['timeout']} "
            f"| {counts['survived']} | {counts['passed by']} | {100 * found / planted:.1f} "
            f"| {'all' if whole else limits} |"
        )


def _listed(name: str, results: Results) -> Iterable[str]:
    known = reasons()
    yield f"\n## {name}\n\n`{results.command}`\n"
    for key in results.survivors():
        passed = " (no test comes by)" if results.outcomes[key] == "passed by" else ""
        why = f": {known[key]}" if key in known else ""
        yield f"- `{key.replace('`', chr(39))}`{passed}{why}"
