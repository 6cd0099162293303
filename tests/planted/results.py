"""Results for a part of the code, kept in a file, and printed as a table with the survivors."""

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

`make mutants` writes this page; [reliability.md](../reliability.md) explains the method. `faults`
counts all possible faults, and `tried` counts the faults in the sample. A fault has `timed out` if
it makes a test run forever. A fault is `not covered` if no test runs its line. `interval` is the
95% confidence interval for the share of all faults that the tests would find. Below the table, each
section lists the faults in the sample that survived; if a fault has no visible effect, the reason
is given.
"""
FOUND = ("found", "timeout")


@dataclass
class Results:
    """Outcome of each fault, by its key."""

    faults: int = 0
    command: str = ""
    outcomes: dict[str, Outcome] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> Results:
        """Read the results from a file, or return empty ones if it does not exist."""
        return cls(**json.loads(path.read_text("utf-8"))) if path.exists() else cls()

    def write(self, path: Path) -> None:
        """Write the results to a file."""
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(vars(self), indent=1, ensure_ascii=False), "utf-8")

    def keep(self, keys: Collection[str]) -> None:
        """Drop the outcomes of faults that no longer exist."""
        self.faults = len(keys)
        self.outcomes = {key: value for key, value in self.outcomes.items() if key in keys}

    def survivors(self) -> list[str]:
        """Return the keys of the faults that no test found."""
        return [key for key, outcome in self.outcomes.items() if outcome not in (*FOUND, "unfit")]


def reasons() -> dict[str, str]:
    """Return the reasons why a fault does not need to be found, by its key."""
    table: dict[str, str] = tomllib.loads(REASONS.read_text("utf-8"))
    return table


def document(rooms: dict[str, Results]) -> str:
    """Return the results as Markdown. Leave out parts without results."""
    tried = {name: results for name, results in rooms.items() if results.outcomes}
    listed = [line for room in tried.items() for line in _listed(*room)]
    return "\n".join([HEAD, *_table(tried), *listed])


def _table(rooms: dict[str, Results]) -> Iterable[str]:
    yield (
        "| part | faults | tried | found | timed out | survived | not covered | found, % "
        "| interval |"
    )
    yield "|---|---|---|---|---|---|---|---|---|"
    for name, results in rooms.items():
        counts = Counter(results.outcomes.values())
        planted = len(results.outcomes) - counts["unfit"]
        found_count = counts["found"] + counts["timeout"]
        between = binomtest(found_count, planted).proportion_ci(method="wilson")
        limits = f"{100 * between.low:.1f} to {100 * between.high:.1f}"
        whole = planted + counts["unfit"] == results.faults
        yield (
            f"| {name} | {results.faults} | {planted} | {counts['found']} | {counts['timeout']} "
            f"| {counts['survived']} | {counts['passed by']} | {100 * found_count / planted:.1f} "
            f"| {'all' if whole else limits} |"
        )


def _listed(name: str, results: Results) -> Iterable[str]:
    explained = reasons()
    yield f"\n## {name}\n\n`{results.command}`\n"
    for key in results.survivors():
        passed = " (no test runs it)" if results.outcomes[key] == "passed by" else ""
        why = f": {explained[key]}" if key in explained else ""
        yield f"- `{key.replace('`', chr(39))}`{passed}{why}"
