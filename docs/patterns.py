"""Generator for docs/patterns.md: the patterns in `analysis.patterns` in new plays, with a graph by
period.

    python -m docs.patterns
"""

from __future__ import annotations

import os
from pathlib import Path

from docs.dating import dated
from mixed_company.analysis import patterns, report

HERE = Path(__file__).resolve().parent
GROUPS, SEED = 20, 1

INTRODUCTION = """# Classic patterns, from policies

This page reproduces known results from the literature with policies. All results are **simulated**:
policies play in place of people. They show that the games, measures and tests work together and
that the incentives match those in the literature. They say nothing about people.

`mixed patterns` prints the tables, for any number of groups and any seed. See
[policies.md](policies.md) for the policies and [measures.md](measures.md) for the measures.
`python -m docs.patterns` writes this page.

"""


def main() -> None:
    parts = [INTRODUCTION]
    for game in patterns.with_pattern():
        pattern = patterns.pattern(game)
        data = patterns.played(game, GROUPS, SEED, os.cpu_count() or 1)
        files = report.files(data)
        picture = HERE / f"pattern_{game}.svg"
        picture.write_text(str(files[f"figures/period_{pattern.course}.svg"]))
        parts += [f"{line}\n" for line in patterns.described(data, SEED)]
        words = f"{pattern.course.replace('_', ' ')} by period and treatment"
        parts.append(f"![{words}]({picture.name})\n\n")
    (HERE / "patterns.md").write_text(dated("".join(parts).rstrip() + "\n"))


if __name__ == "__main__":
    main()
