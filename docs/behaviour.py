"""Generator for docs/behaviour.md: every behaviour model, and how well its parameters are
recovered.

python -m docs.behaviour
"""

from __future__ import annotations

import inspect
import math
from importlib import import_module
from pathlib import Path
from typing import Any

import pandas as pd

from docs.dating import dated
from mixed_company import analysis, engine
from mixed_company.analysis import behaviour, games
from mixed_company.analysis.behaviour.estimates import Per
from mixed_company.analysis.behaviour.model import PER_PARAMETER
from mixed_company.analysis.behaviour.punishing import LEAST_GROUPS, PER_TERM
from mixed_company.analysis.games import Trial

HERE = Path(__file__).parent
GAMES = games.having(lambda entry: not entry.no_model)
SEED = 1
PLAYS = 30
PEOPLE, TREATMENTS = (2, 5), (10, 6)
"""(repetitions, groups) for the fits per person, and for the fits per treatment."""


def trials() -> list[tuple[str, Trial]]:
    """Return (game id, trial) for all trials that games declare, sorted by model."""
    declared = [(game, trial) for game in engine.game_ids() for trial in games.find(game).trials]
    return sorted(declared, key=lambda pair: pair[1].model)


WITHOUT = "".join(
    f" There is no model for `{game}`: {games.find(game).no_model}."
    for game in games.having(lambda entry: entry.no_model)
)

HEAD = f"""# Models of behaviour

This page explains how to fit simple models to people's decisions, how to compare the models'
predictions, and how well a fit recovers known values. `python -m docs.behaviour` writes this page;
all numbers in its tables come from simulations.

There are three families of models. Under conditional cooperation, people do what the others did.
Under quantal response, people prefer actions that earn more, but make errors. Under reinforcement
learning, people repeat actions that have paid off. Each model has a few parameters, which differ
from person to person and are estimated by maximum likelihood.

<!-- long -->
```python
from mixed_company import analysis
from mixed_company.analysis import behaviour

data = analysis.simulated("sanctions", ["noisy_person"] * 4, groups=5, seed=1, archetype="lab")
print(behaviour.models("sanctions"))
behaviour.fitted(data, "conditional_cooperation")  # one row per person
behaviour.fitted(data, "quantal_response", per="treatment")
behaviour.compared(data)  # all models on the same decisions
behaviour.predicted(data)  # how well models predict held-out groups
```

`data` can be any `analysis.Data`. The state, the possible actions and the observation at each
decision are recomputed by replaying the group from its configuration, its seed and the actions
sent.

## Which decisions are used

The models explain people's decisions, not decisions by bots or defaults used for people who ran out
of time. The following are also left out:

- each person's first decision, in all models, because two of them need an earlier one. In a
  [repeated block](plans.md#several-plays-in-a-row), people are followed from play to play, so this
  is only the first decision in the block;
- decisions without alternatives, such as the contribution of a person who has no points;
- whole groups whose rows are incomplete or do not reproduce the points in the table, listed by
  name;
- groups in which seats take turns to decide.{WITHOUT}

The columns `left_out` and `left_out_because` give the number of omitted decisions and the reason.

Models of conditional cooperation explain exact amounts. All other models round an amount to the
nearest of 11 points between the lowest and the highest possible amount (`grid=21` uses 21 points).
The density of an amount cannot be compared with the probability of a point, so `compared` uses the
probabilities of the same points for all models. It adds `uniform`, a baseline in which every point
is equally likely.

## Fits and errors

A fit needs {PER_PARAMETER} decisions per parameter, and the decisions must not all be the same.
Otherwise the row is empty except for the `reason`. `at_bound` names estimates at a limit of their
range, which have no standard error. Parameters that the data do not identify are left empty and
listed by name.

Standard errors per person come from the Hessian. Standard errors per treatment are robust to
dependence within groups (unless you set `errors="hessian"`). Intervals are 95% Wald intervals. A
fit per treatment assumes that all people in the treatment are alike; if they differ, its estimates
do not describe any of them.

## Predictions for held-out groups

With `predicted` and `mixed contest EXPORT`, models predict the decisions of people whose data were
not used for fitting. The groups of a treatment are divided into folds. Each model is fitted to all
folds except one, as if people were alike, and predicts the decisions in the remaining fold.

| column | meaning |
|---|---|
| `score`, `score_se` | mean log probability of a decision, and its standard error over groups |
| `gain`, `gain_se` | `score` minus the score of pure chance, and its standard error over groups |
| `best` | flags the model with the highest `score` among those that explain all decisions |
| `to_best` | `score` minus the best score on the same decisions; 95% t interval over groups |

The command ends with a sentence for each treatment. The sentence names the best model, says how
many times as likely the decisions are under this model as under pure chance (exp of `gain`), and
lists the models that cannot be distinguished from it. If there are more than 20,000 decisions, the
fits are distributed over all cores (`--workers`) or a Dask cluster (`--scheduler ADDRESS`).

## The models

<!-- excerpts: formulas of the models -->
"""


def models() -> str:
    """Return a section for each model: docstring, source, parameters, games."""
    fields = {game: behaviour.models(game) for game in GAMES}
    lines = []
    for name in sorted({name for names in fields.values() for name in names}):
        games = [game for game, names in fields.items() if name in names]
        model = behaviour.find(name, games[0])
        sentence, _, rest = inspect.cleandoc(type(model).__doc__ or "").partition("\n")
        lines.append(f"\n### {name}\n\n{sentence} Games: {', '.join(f'`{g}`' for g in games)}.\n")
        lines.append(f"\n```\n{rest.strip()}\n```\n\nSource: {model.source}.\n")
        if model.parameters:
            lines.append("\n| parameter | meaning | unit |\n|---|---|---|\n")
        for parameter in model.parameters:
            unit = "same as the action" if parameter.unit == "action" else parameter.unit
            lines.append(
                f"| `{parameter.name}` ({parameter.symbol}) | {parameter.meaning} | {unit} |\n"
            )
    return "".join(lines)


PUNISHING = """
## Who punishes whom

With [peer points](peer_points.md), `behaviour.punishing(data)` explains punishment instead of the
decision that precedes it. The result has one row per treatment, part and coefficient.
`mixed contest EXPORT` and the *Behaviour* section of a report show the same table.
`behaviour.punishing_pairs(data)` returns the pairs and terms for your own regressions. With
`compared="punisher"`, the other player is compared only with the punisher, as in Herrmann, Thoeni
and Gaechter (2008).

```
{about}
```

**How to read it.** If `below` is positive and `above` is not, players punish others who cooperate
less. A positive `above` indicates antisocial punishment. In the `whether` part, the exponential of
an effect is an odds ratio. Points are not assigned at random, so all effects are associations, not
causes. If people differ in how often they punish, effects on the odds are averages over people, and
they are smaller than the effects for a single person.

A treatment needs {groups} groups and {term} punishments per term. The `whether` part also needs
{term} pairs without punishment per term. Otherwise a single row gives the reason. If punishment
follows a rule without exceptions, such as the rule of a policy, the odds are not finite, and that
part is also left out. If there are fewer than 20 groups, a note says so, because p is then too
small.

Even with 30 groups, p is somewhat too small. In 20 simulated studies of 30 groups in which points
did not follow any rule, 18 of 200 coefficients had p < 0.05, although only 10 would be expected.

This example uses {plays} groups of `population:herrmann_thoeni_gaechter_2008`, with seed {seed}:

| part | coefficient | pairs | punishments | effect | low | high |
|---|---|---|---|---|---|---|
"""


def punishing() -> str:
    """Return the section about punishment, with an example."""
    people = ["population:herrmann_thoeni_gaechter_2008"] * 4
    rules: dict[str, Any] = {"archetype": "unsanctioned", "peer": "punishment", "periods": 10}
    data = analysis.simulated("sanctions", people, groups=PLAYS, seed=SEED, **rules)
    section = PUNISHING.format(
        about=inspect.cleandoc(
            import_module(behaviour.punishing.__module__).__doc__ or ""
        ).partition("\n\n")[2],
        groups=LEAST_GROUPS,
        term=PER_TERM,
        plays=PLAYS,
        seed=SEED,
    )
    for row in behaviour.punishing(data).to_dict("records"):
        numbers = " | ".join(f"{row[name]:.3g}" for name in ("effect", "low", "high"))
        counts = f"{row['pairs']} | {row['punishments']}"
        section += f"| {row['part']} | `{row['coefficient']}` | {counts} | {numbers} |\n"
    return section


TABLE = """
## Recovery

All simulated people decide exactly as a model says, with the same parameters, and the model is then
fitted to their decisions. About 95% of the intervals should contain the true value, apart from
chance variation due to the limited number of fits. The seed is {seed}.

| column | meaning |
|---|---|
| `fits` | number of people, or of treatments with {groups} groups |
| `none` | fits without an estimate (a play was too short, or the parameter is not identified) |
| `bound` | estimates at a bound |
| `covered` | share of intervals that contain the true value, and the number of intervals |

The table also shows the `median`, because a single estimate at a bound can shift the mean by any
amount.

In 20 periods, a person makes 19 usable decisions. These are enough to estimate a slope or a single
precision, with wide intervals. They are too few to estimate two parameters that can compensate for
each other (precision and learning rate, precision and future). Fit such models only per treatment.
With few decisions, noise and inertia are underestimated (for inertia this is the bias of Hurwicz
1950). Their intervals per person contain the true value less than 95% of the time.
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
    held = f"{100 * row['coverage']:.0f}% of {row['intervals']}" if row["intervals"] else ""
    cells = [trial.model, f"`{game}` {settings}", f"`{row['parameter']}`"]
    return f"| {' | '.join([*cells, *numbers, *counts, held])} |\n"


def _number(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.3g}"


def main() -> None:
    text = HEAD + models() + punishing() + TABLE.format(groups=TREATMENTS[1], seed=SEED)
    text += recovered("person", *PEOPLE) + recovered("treatment", *TREATMENTS)
    (HERE / "behaviour.md").write_text(dated(text), encoding="utf-8")


if __name__ == "__main__":
    main()
