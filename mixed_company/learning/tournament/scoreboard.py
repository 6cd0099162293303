"""Results as tables: every mix (CSV), and the standing of every policy (CSV and Markdown)."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mixed_company import policies
from mixed_company.engine.game import Game
from mixed_company.learning.tournament.means import Mean, Measured, mean
from mixed_company.learning.tournament.mixes import Mix
from mixed_company.learning.tournament.summary import Standing
from mixed_company.policies.spec import parse

__all__ = ["Origin", "marked", "mixes_csv", "summary_csv", "summary_markdown", "told_the_solution"]

MARK = "\\*"


@dataclass(frozen=True)
class Origin:
    """What a tournament followed from."""

    game: Game[Any]
    archetype: str
    seed: int
    plays: int

    def columns(self) -> dict[str, Any]:
        """The same in every row of a table."""
        return {
            "game": self.game.id,
            "version": self.game.version,
            "archetype": self.archetype,
            "seed": self.seed,
            "plays": self.plays,
        }


def told_the_solution(policy: str, game: Game[Any]) -> bool:
    """Does a policy know more than a person in its seat could work out?"""
    return policies.find(parse(policy)[0], game.id).told_the_solution


def mixes_csv(origin: Origin, measures: Mapping[Mix, Measured]) -> str:
    """A row for each mix."""
    return _csv([_mix_row(origin, mix, measure) for mix, measure in measures.items()])


def _mix_row(origin: Origin, mix: Mix, measure: Measured) -> dict[str, Any]:
    row = {
        **origin.columns(),
        "focal": mix.focal,
        "field": mix.field,
        "focal_told_the_solution": told_the_solution(mix.focal, origin.game),
        "field_told_the_solution": told_the_solution(mix.field, origin.game),
        **_interval("points", measure.points),
    }
    for name, sample in {"focal_points": measure.own, "field_points": measure.others}.items():
        row |= _interval(name, measure.points if mix.alone else mean(sample))
    none = Mean(math.nan, math.nan, math.nan)
    return {
        **row,
        **_interval("gain", none if mix.alone else mean(measure.gain)),
        **_measures(measure),
        "faults": measure.faults,
        "config": origin.game.config.model_dump_json(),
    }


def summary_csv(origin: Origin, standings: Sequence[Standing]) -> str:
    """A row for each policy."""
    return _csv(
        [
            {
                **origin.columns(),
                "policy": standing.policy,
                "told_the_solution": told_the_solution(standing.policy, origin.game),
                **_interval("alone_points", standing.alone.points),
                **{f"alone_{name}": value for name, value in _measures(standing.alone).items()},
                **_interval("among_others_points", standing.among_others),
                **_interval("gain", standing.gain),
                "exploits": standing.exploits,
                "exploited_by": standing.exploited_by,
                "best_reply": standing.best_reply,
                "config": origin.game.config.model_dump_json(),
            }
            for standing in standings
        ]
    )


def summary_markdown(origin: Origin, standings: Sequence[Standing]) -> str:
    """The table that is shown; a star marks what was told the solution."""
    heads = (
        "policy",
        "alone: points",
        "% of best",
        "Gini",
        "periods",
        "among others: points",
        "more than its field",
        "exploits most",
        "exploited most by",
        "best reply to it",
    )
    lines = [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
    lines += [f"| {' | '.join(_cells(origin, standing))} |" for standing in standings]
    marks = any(told_the_solution(standing.policy, origin.game) for standing in standings)
    note = f"\n\n{MARK} was told the solution of the game." if marks else ""
    return "\n".join(lines) + note + "\n"


def _cells(origin: Origin, standing: Standing) -> list[str]:
    alone = standing.alone
    best = Mean(*(100 * number for number in alone.efficiency))
    return [
        marked(standing.policy, origin.game),
        _shown(alone.points),
        _number(best.value),
        _number(alone.gini.value, 2),
        _number(alone.periods.value),
        _shown(standing.among_others),
        _shown(standing.gain),
        *(_code(name) for name in (standing.exploits, standing.exploited_by)),
        "itself" if standing.best_reply == standing.policy else _code(standing.best_reply),
    ]


def marked(policy: str, game: Game[Any]) -> str:
    """A policy's name, with a star if it was told the solution."""
    return _code(policy) + (MARK if told_the_solution(policy, game) else "")


def _code(name: str) -> str:
    return f"`{name}`" if name else ""


def _number(value: float, digits: int = 1) -> str:
    return "" if math.isnan(value) else f"{round(value, digits) + 0.0:.{digits}f}"


def _shown(estimate: Mean) -> str:
    """A mean and half its interval."""
    half = (estimate.high - estimate.low) / 2
    return (
        _number(estimate.value) if math.isnan(half) else f"{_number(estimate.value)} ± {half:.1f}"
    )


def _measures(measure: Measured) -> dict[str, Any]:
    return {
        **_interval("efficiency", measure.efficiency),
        **_interval("gini", measure.gini),
        **_interval("periods", measure.periods),
    }


def _interval(name: str, estimate: Mean) -> dict[str, float]:
    return {name: estimate.value, f"{name}_low": estimate.low, f"{name}_high": estimate.high}


def _csv(rows: Sequence[Mapping[str, Any]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(rows[0])
    writer.writerows([_cell(value) for value in row.values()] for row in rows)
    return text.getvalue()


def _cell(value: Any) -> Any:
    """Numbers to the last digit; what is not known is empty."""
    if isinstance(value, float):
        return "" if math.isnan(value) else repr(value)
    return value
