"""Generator for the numbers in docs/classics.md, from short plays by each plan's simulated people.

    python -m docs.classics

Only the block below each `<!-- figures: PLAN -->` comment in the page is replaced.
"""

from __future__ import annotations

import re
from pathlib import Path

import settings
from docs.dating import dated, undated
from mixed_company import analysis
from mixed_company.analysis import measures
from mixed_company.experiment import reading, treatments
from mixed_company.experiment.showing_pay import people_in
from mixed_company.server.pages.peer_rules import sections
from mixed_company.table.setup import Setup

PAGE = Path(__file__).resolve().parent / "classics.md"
PLANS = PAGE.parents[1] / reading.FOLDER
GROUPS, SEED = 10, 1
_BLOCK = re.compile(r"(?<=<!-- figures: )(\w+)( -->\n\n).*?(?=\n\n<!-- end -->)", re.DOTALL)


def main() -> None:
    page = undated(PAGE.read_text("utf-8"))
    PAGE.write_text(dated(_BLOCK.sub(lambda match: match[1] + match[2] + block(match[1]), page)))


def block(name: str) -> str:
    """Return a plan's instructions about peer points and its simulated means, as Markdown."""
    quoted = "\n".join(f"> {sentence}" for sentence in instructions(name))
    return f"{quoted}\n\n{figures(name)}"


def instructions(name: str) -> list[str]:
    """Return the text about peer points that participants read in the plan's first treatment with
    them."""
    for setup in (setup for setups in _series(name) for setup in setups.values()):
        parts = sections(setup.game, setup.options)
        if parts:
            return [str(line) for part in parts for line in part["lines"]]
    return []


def _series(name: str) -> list[dict[str, Setup]]:
    config = next(entry for entry in settings.SESSION_CONFIGS if entry["name"] == name)
    return treatments.shipped_series(treatments.game_of(config), config)


def figures(name: str, groups: int = GROUPS, seed: int = SEED) -> str:
    """Return a table of a plan's measures in simulated groups, by treatment and block."""
    plan = reading.find(name, PLANS)
    tested = [item.measure for item in plan.hypotheses.values()]
    names = list(dict.fromkeys([*tested, "points_per_period"]))
    lines = [f"| treatment | {' | '.join(names)} |", "|---" * (len(names) + 1) + "|"]
    for number, setups in enumerate(_series(name), 1):
        within = plan.block_names[number - 1]
        for treatment, setup in setups.items():
            people = people_in(plan, treatment, setup, number)
            assert people is not None  # noqa: S101  shipped plans name people
            data = analysis.simulated(
                setup,
                people.population,
                people.bots,
                groups=groups,
                seed=seed,
                people_per_group=people.size,
            )
            means = measures.groups(data, set(names))[names].mean()
            values = " | ".join(f"{value:.2f}" for value in means)
            lines.append(f"| `{treatment}{', ' if within else ''}{within}` | {values} |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
