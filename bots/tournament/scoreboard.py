"""Results as tables: every mix (CSV), and the standing of every policy (CSV and Markdown)."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import bots
from bots.spec import parse
from bots.tournament.means import Mean, Measured, mean
from bots.tournament.mixes import Mix
from bots.tournament.summary import Standing
from engine.game import Game

__all__ = ["Told", "marked", "mixes_csv", "summary_csv", "summary_markdown", "told_the_solution"]

MARK = "\\*"


@dataclass(frozen=True)
class Told:
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
    return bots.find(parse(policy)[0], game.id).told_the_solution


def mixes_csv(told: Told, found: Mapping[Mix, Measured]) -> str:
    """A row for each mix."""
    return _csv([_mix_row(told, mix, each) for mix, each in found.items()])


def _mix_row(told: Told, mix: Mix, each: Measured) -> dict[str, Any]:
    row = {
        **told.columns(),
        "focal": mix.focal,
        "field": mix.field,
        "focal_told_the_solution": told_the_solution(mix.focal, told.game),
        "field_told_the_solution": told_the_solution(mix.field, told.game),
        **_interval("points", each.points),
    }
    for name, sample in {"focal_points": each.own, "field_points": each.others}.items():
        row |= _interval(name, each.points if mix.alone else mean(sample))
    none = Mean(math.nan, math.nan, math.nan)
    return {
        **row,
        **_interval("gain", none if mix.alone else mean(each.gain)),
        **_measures(each),
        "faults": each.faults,
        "config": told.game.config.model_dump_json(),
    }


def summary_csv(told: Told, standings: Sequence[Standing]) -> str:
    """A row for each policy."""
    return _csv(
        [
            {
                **told.columns(),
                "policy": each.policy,
                "told_the_solution": told_the_solution(each.policy, told.game),
                **_interval("alone_points", each.alone.points),
                **{f"alone_{name}": value for name, value in _measures(each.alone).items()},
                **_interval("among_others_points", each.among_others),
                **_interval("gain", each.gain),
                "exploits": each.exploits,
                "exploited_by": each.exploited_by,
                "best_reply": each.best_reply,
                "config": told.game.config.model_dump_json(),
            }
            for each in standings
        ]
    )


def summary_markdown(told: Told, standings: Sequence[Standing]) -> str:
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
    lines += [f"| {' | '.join(_cells(told, each))} |" for each in standings]
    marks = any(told_the_solution(each.policy, told.game) for each in standings)
    note = f"\n\n{MARK} was told the solution of the game." if marks else ""
    return "\n".join(lines) + note + "\n"


def _cells(told: Told, each: Standing) -> list[str]:
    alone = each.alone
    best = Mean(*(100 * number for number in alone.efficiency))
    return [
        marked(each.policy, told.game),
        _shown(alone.points),
        _number(best.value),
        _number(alone.gini.value, 2),
        _number(alone.periods.value),
        _shown(each.among_others),
        _shown(each.gain),
        *(_code(name) for name in (each.exploits, each.exploited_by)),
        "itself" if each.best_reply == each.policy else _code(each.best_reply),
    ]


def marked(policy: str, game: Game[Any]) -> str:
    """A policy's name, with a star if it was told the solution."""
    return _code(policy) + (MARK if told_the_solution(policy, game) else "")


def _code(name: str) -> str:
    return f"`{name}`" if name else ""


def _number(value: float, digits: int = 1) -> str:
    return "" if math.isnan(value) else f"{round(value, digits) + 0.0:.{digits}f}"


def _shown(each: Mean) -> str:
    """A mean and half its interval."""
    half = (each.high - each.low) / 2
    return _number(each.value) if math.isnan(half) else f"{_number(each.value)} ± {half:.1f}"


def _measures(each: Measured) -> dict[str, Any]:
    return {
        **_interval("efficiency", each.efficiency),
        **_interval("gini", each.gini),
        **_interval("periods", each.periods),
    }


def _interval(name: str, each: Mean) -> dict[str, float]:
    return {name: each.value, f"{name}_low": each.low, f"{name}_high": each.high}


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
