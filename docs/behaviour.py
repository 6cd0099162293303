"""Generator of docs/behaviour.md: every model of behaviour, and how well fits recover it.

python -m docs.behaviour
"""

from __future__ import annotations

import inspect
import math
from pathlib import Path
from typing import Any

import pandas as pd

from mixed_company import engine
from mixed_company.analysis import behaviour, games
from mixed_company.analysis.behaviour.estimates import Per
from mixed_company.analysis.behaviour.model import PER_PARAMETER
from mixed_company.analysis.games import Trial

HERE = Path(__file__).parent
GAMES = games.having(lambda entry: not entry.no_model)
SEED = 1
PEOPLE, TREATMENTS = (2, 5), (10, 6)
"""Repetitions and groups of the fits per person and per treatment."""


def trials() -> list[tuple[str, Trial]]:
    """Return (game id, trial) for every trial that a game declares, sorted by model."""
    declared = [(game, trial) for game in engine.game_ids() for trial in games.find(game).trials]
    return sorted(declared, key=lambda pair: pair[1].model)


WITHOUT = "".join(
    f" No model is of `{game}`: {games.find(game).no_model}."
    for game in games.having(lambda entry: entry.no_model)
)

HEAD = f"""# Models of behaviour

Made by `python -m docs.behaviour`. Everything in the tables below is simulated: no person decided
anything here.

How do people decide? Three simple families give an answer each, with a few numbers that differ from
person to person: people do as the others did (conditional cooperation), they prefer what earns more
and err (quantal response), or they do again what has paid (reinforcement learning). The numbers are
those under which what somebody did is likeliest (maximum likelihood).

```python
from mixed_company import analysis
from mixed_company.analysis import behaviour

data = analysis.simulated("sanctions", ["noisy_person"] * 4, groups=5, seed=1, archetype="lab")
print(behaviour.models("sanctions"))
behaviour.fitted(data, "conditional_cooperation")        # one row per person
behaviour.fitted(data, "quantal_response", per="treatment")
behaviour.compared(data)                                 # all models on the same decisions
behaviour.predicted(data)                                # who predicts groups held out best
```

`data` may be any `analysis.Data`. What somebody faced (the state, what he or she could do and was
shown) is recomputed by playing the group again from its configuration, seed and the actions sent.

## What is explained

Decisions a person made: not those of bots, and not the default of somebody who was too late. The
first decision of each person is left out of all models alike, since two of them need one before it;
so is one without a choice, such as a contribution of somebody who holds nothing. What is left out
is counted (`left_out`) and named (`left_out_because`). A group whose rows are incomplete or do not
give the points that are in the table is left out whole, by name; so is one whose seats decide in
turn.{WITHOUT}

Amounts are explained as they are by conditional cooperation, and by all others as the nearest of 11
points between the least and the most a seat could do (`grid=21` for 21). A density of an amount is
no chance of a point, so `compared` takes the chance of the same points from all models, and adds
`uniform`, under which every point is as likely: what a model has to beat.

`predicted`, and `mixed contest EXPORT`, let models predict people they were not fitted to: the
groups of a treatment are dealt into folds, each model is fitted to all but one (its people taken to
be alike) and gives the chance of what the people of that one did. `score` is the mean log chance of
a decision, `gain` what it is above pure chance, both with errors by groups; `best` has the highest
of those that say something about all decisions. `to_best` is how far the others are from it on the
same decisions, with a 95 % interval by t over groups. The command ends with a sentence for each
treatment: which predicts best, how many times as likely as pure chance it makes what people did
(exp of `gain`), and which are not told apart from it.
Fits are shared between all cores (`--workers`), or on a Dask cluster (`--scheduler ADDRESS`), where
there are more than 20,000 decisions.

A fit needs {PER_PARAMETER} decisions per parameter, and somebody who did not always do the same;
else the row is empty and says why in `reason`. `at_bound` names what lies at the end of what it can
be: it has no standard error. What the data say nothing about is empty and named.

Standard errors are those of the Hessian per person; per treatment they are robust to whatever ties
the decisions of a group together (`errors="hessian"` for the others). Intervals are 95 %, estimate
and error (Wald). All people of a treatment are taken to be alike in a fit per treatment; if they
are not, its numbers are of nobody.

## The models
"""


def models() -> str:
    """Return a section for each model: docstring, source, parameters, games."""
    fields = {game: behaviour.models(game) for game in GAMES}
    lines = []
    for name in sorted({name for names in fields.values() for name in names}):
        games = [game for game, names in fields.items() if name in names]
        model = behaviour.find(name, games[0])
        sentence, _, rest = inspect.cleandoc(type(model).__doc__ or "").partition("\n")
        lines.append(f"\n### {name}\n\n{sentence} Of {', '.join(f'`{g}`' for g in games)}.\n")
        lines.append(f"\n```\n{rest.strip()}\n```\n\nSource: {model.source}.\n")
        if model.parameters:
            lines.append("\n| parameter | meaning | unit |\n|---|---|---|\n")
        for parameter in model.parameters:
            unit = "that of the action" if parameter.unit == "action" else parameter.unit
            lines.append(
                f"| `{parameter.name}` ({parameter.symbol}) | {parameter.meaning} | {unit} |\n"
            )
    return "".join(lines)


TABLE = """
## Recovery

People who decide by a model exactly, with the same numbers for all, are simulated, and the model is
fitted to them. `fits` are people, or treatments of {groups} groups; `none`: fits without an
estimate of the number (a play too short, not identified); `bound`: estimates at a bound; `covered`:
intervals that hold the true number, of those there are. About 95 % should; how far chance takes a
share from it depends on the number of fits. Seed {seed}.

`median` is beside `mean` because one person with an estimate at a bound can move a mean anywhere.

What to keep in mind. In 20 periods a person gives 19 decisions. That is enough for a slope and for
one precision, with wide intervals; it is too few for two numbers that can stand in for each other
(precision and learning rate, precision and future), so use these per treatment only. From few
decisions a noise comes out too small, and inertia too (the bias of Hurwicz 1950 for what depends on
its own past); their intervals per person hold the true number less often than they say.
"""


def recovered(per: Per, repetitions: int, groups: int) -> str:
    """Return the table of all trials."""
    head: tuple[str, ...] = ("model", "game", "number", "true", "median", "mean", "bias", "rmse")
    head += ("fits", "none", "bound", "covered")
    lines = [f"\n### Per {per}\n\n| {' | '.join(head)} |\n|{'---|' * len(head)}\n"]
    for game, trial in trials():
        table = behaviour.recovery(
            trial.model,
            game,
            [trial.truth],
            groups=groups,
            seed=SEED,
            repetitions=repetitions,
            per=per,
            **trial.settings,
        )
        lines += [_row(game, trial, row) for _, row in table.iterrows()]
    return "".join(lines)


def _row(game: str, trial: Trial, row: pd.Series[Any]) -> str:
    settings = ", ".join(f"{name}={value}" for name, value in trial.settings.items())
    numbers = [_number(row[name]) for name in ("true", "median", "mean", "bias", "rmse")]
    counts = [str(row[name]) for name in ("fits", "without", "at_bound")]
    held = f"{100 * row['coverage']:.0f} % of {row['intervals']}" if row["intervals"] else ""
    cells = [trial.model, f"`{game}` {settings}", f"`{row['parameter']}`"]
    return f"| {' | '.join([*cells, *numbers, *counts, held])} |\n"


def _number(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.3g}"


def main() -> None:
    text = HEAD + models() + TABLE.format(groups=TREATMENTS[1], seed=SEED)
    text += recovered("person", *PEOPLE) + recovered("treatment", *TREATMENTS)
    (HERE / "behaviour.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
