"""Command that writes docs/judged.md, the population with moves, or the policy that imitates
people; see `docs.judged`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from docs.dating import dated
from docs.judged import chains, judging, page, reading, shipped
from mixed_company.policies import populations

PAGE = Path(__file__).parents[1] / "judged.md"


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the page, the population file or the policy. Return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m docs.judged")
    parser.add_argument("--data", type=Path, required=True, help="folder with the data of people")
    parser.add_argument("--population", type=Path, help="write the population with moves instead")
    parser.add_argument("--policy", type=Path, help="write the imitation to this folder instead")
    chosen = parser.parse_args(arguments)
    try:
        people = reading.read(chosen.data)
    except FileNotFoundError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    if chosen.population:
        text = populations.text(judging.moving(people))
        chosen.population.write_text(text, encoding="utf-8")
        return 0
    if chosen.policy:
        shipped.write(people, chosen.policy)
        return 0
    judgements = judging.judged(people)
    parts = [
        page.HEAD,
        page.scores(judgements, people),
        page.verdicts(judgements, people),
        page.courses(judgements, people),
        page.last_periods(people),
        page.classes(people),
        page.fitted_types(chains.fitted(people.replies, moves=True)),
        page.NOTES,
    ]
    PAGE.write_text(dated("".join(parts)), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
