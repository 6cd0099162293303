"""A complete tournament: tables of all mixes and all standings, and pictures."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mixed_company import engine
from mixed_company import policies as bots
from mixed_company.engine.game import Game
from mixed_company.learning.tournament import pictures
from mixed_company.learning.tournament.batch import Mix, all_played, mixes, named, portions, unfit
from mixed_company.learning.tournament.means import (
    NOTHING,
    Measured,
    Standing,
    both_ways,
    csv_text,
    interval,
    markdown,
    mean,
    number,
    plus_minus,
    standings,
)
from mixed_company.policies.bench import check_together

MARK = "\\*"
HEADS = (
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


def tournament(
    game_id: str,
    archetype: str | None,
    policies: str,
    plays: int,
    seed: int = 0,
    workers: int = 1,
    scheduler: str | None = None,
    folder: Path | None = None,
    **sections: Any,
) -> dict[str, str]:
    """Play a tournament; return its files: name -> content.

    Finished plays are stored in `folder`, so the same tournament can resume later. Raises
    EngineError if it cannot be played.
    """
    game = engine.make(game_id, archetype=archetype, seed=seed, **sections)
    check_together(game)
    names = named(policies, game)
    for reason in unfit(game).values() if policies.strip() == "all" else ():
        print(f"left out: {reason}", file=sys.stderr)
    work = portions(game, mixes(names, game.seats), seed, plays)
    outcomes = both_ways(all_played(work, folder, workers, scheduler))
    tables = _Tables(game, archetype or "", seed, plays)
    ranked = standings(outcomes, names)
    order = [standing.policy for standing in ranked]
    stars = [name for name in names if tables.told_the_solution(name)]
    return {
        "mixes.csv": csv_text([tables.of_mix(*pair) for pair in outcomes.items()]),
        "summary.csv": csv_text([tables.of_policy(standing) for standing in ranked]),
        "summary.md": tables.summary(ranked),
        "exploitation.svg": pictures.exploitation(outcomes, order, stars),
        "returns.svg": pictures.returns(ranked, stars),
    }


@dataclass(frozen=True)
class _Tables:
    """Tables of a tournament, and the settings that determine it."""

    game: Game[Any]
    archetype: str
    seed: int
    plays: int

    def told_the_solution(self, policy: str) -> bool:
        """Return whether a policy knows more than a person in its seat could infer."""
        return any(kind.told_the_solution for kind in bots.kinds(policy, self.game.id))

    def of_mix(self, mix: Mix, measure: Measured) -> dict[str, Any]:
        """Return the row of a mix."""
        row = {
            **self._origin(),
            "focal": mix.focal,
            "field": mix.field,
            "focal_told_the_solution": self.told_the_solution(mix.focal),
            "field_told_the_solution": self.told_the_solution(mix.field),
            **interval("points", measure.points),
        }
        for name, sample in {"focal_points": measure.focal, "field_points": measure.others}.items():
            row |= interval(name, measure.points if mix.alone else mean(sample))
        return {
            **row,
            **interval("gain", NOTHING if mix.alone else mean(measure.gain)),
            **_group(measure),
            "faults": measure.faults,
            "config": self.game.config.model_dump_json(),
        }

    def of_policy(self, standing: Standing) -> dict[str, Any]:
        """Return the row of a policy."""
        return {
            **self._origin(),
            "policy": standing.policy,
            "told_the_solution": self.told_the_solution(standing.policy),
            **interval("alone_points", standing.alone.points),
            **{f"alone_{name}": value for name, value in _group(standing.alone).items()},
            **interval("among_others_points", standing.among_others),
            **interval("gain", standing.gain),
            "exploits": standing.exploits,
            "exploited_by": standing.exploited_by,
            "best_reply": standing.best_reply,
            "config": self.game.config.model_dump_json(),
        }

    def summary(self, ranked: Sequence[Standing]) -> str:
        """Return the table for display; a star marks policies that know the solution."""
        marks = any(self.told_the_solution(standing.policy) for standing in ranked)
        note = f"\n\n{MARK} knows the solution of the game." if marks else ""
        return markdown(HEADS, [self._cells(standing) for standing in ranked]) + note + "\n"

    def _origin(self) -> dict[str, Any]:
        """Return the columns that have the same value in every row."""
        return {
            "game": self.game.id,
            "version": self.game.version,
            "archetype": self.archetype,
            "seed": self.seed,
            "plays": self.plays,
        }

    def _cells(self, standing: Standing) -> list[str]:
        policy, alone = standing.policy, standing.alone
        return [
            _code(policy) + (MARK if self.told_the_solution(policy) else ""),
            plus_minus(alone.points),
            _of_best(alone),
            number(alone.gini.value, 2),
            number(alone.periods.value),
            plus_minus(standing.among_others),
            plus_minus(standing.gain),
            _code(standing.exploits),
            _code(standing.exploited_by),
            "itself" if standing.best_reply == policy else _code(standing.best_reply),
        ]


def _group(measure: Measured) -> Mapping[str, float]:
    """Return the whole group's results as columns."""
    return {
        **interval("efficiency", measure.efficiency),
        "efficiency_at_most": measure.at_most.value,
        **interval("gini", measure.gini),
        **interval("periods", measure.periods),
    }


def _of_best(measure: Measured) -> str:
    """Return the share of the best in %, or its bounds if the best is known only approximately."""
    ends = [number(100 * end.value) for end in (measure.efficiency, measure.at_most)]
    return " to ".join(dict.fromkeys(ends))


def _code(name: str) -> str:
    return f"`{name}`" if name else ""
