"""Generator of docs/populations.md: the populations included here, compared with published data.

python -m docs.populations
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from docs import planted
from mixed_company import engine, policies
from mixed_company.engine.contract.chance import play_seeds
from mixed_company.engine.contract.space import Array
from mixed_company.policies import populations
from mixed_company.policies.bench import Bench
from mixed_company.policies.populations import Last, Spread

HERE = Path(__file__).parent
PLAYS, PERIODS, SEED = 2000, 10, 1
GAME: dict[str, Any] = {"archetype": "unsanctioned", "periods": PERIODS}

HEAD = """# Populations

Made by `python -m docs.populations`. Everything in the table of measures is simulated.

A single policy gives a group of people who are all alike, and real groups are not. A **population**
is a file: types of people, the share of each type, and the numbers in which people of a type
differ. Who sits down is drawn, type and numbers, when the seat is first asked, from the chance of
that seat in that play: every group is another one, and the same seed gives the same people.

`population:NAME` stands wherever a policy is named, and `population:FILE.toml` for a file of your
own, named from the folder in which the server or the command runs:

```
mixed rehearse sanctions_two_people --groups 20 \\
    --simulated population:fischbacher_gaechter_2010 --output rehearsal.zip
people=population:fischbacher_gaechter_2010
mixed power sanctions --measure contribution --groups 8,16 \\
    --treatment four simulated=$people,$people,$people,$people archetype=unsanctioned \\
    --treatment two simulated=$people,$people bots=fixed archetype=unsanctioned
mixed calibrate export.zip --output own.toml
```

`population:NAME@7` is a population as it might be as well: its shares and numbers are drawn from
their errors, where it has some, by the seed 7 (`mixed_company.policies.populations.uncertain` says
how), and its people then from these. `mixed power --uncertain` does so for every simulated study,
with the same population in all treatments: its power is the mean over what the population might be.
Without it populations are taken to be what their files say, which is too sure of a small pilot.

An export names the file, not what is in it: keep a file of your own beside the data, since
`mixed check` asks it again.

## What is here

No number is without its source; where a study has no such number, the file says `ours`. Errors of
shares (`share_error`) are those of counted people, sqrt(q (1 - q) / n), as if drawn one by one.
There is no population of the commons, the vote or gem mining: we know no published shares of types
in games of these forms. Calibrate one from data (below).
"""

MEASURES = f"""
## Beside published data

{PLAYS:,} groups of four of each population, {PERIODS} periods, `sanctions` as `unsanctioned`, an
endowment of 20, seed {SEED}; beside `noisy_person`. Contributions in percent of the endowment. What
they do does not depend on the return of the public good.

"""

PUBLISHED = """
| published, without sanctions | first period | mean | last period: nothing given |
|---|---|---|---|
| Ledyard (1995), Handbook of Experimental Economics: a survey | 40 to 60 | | |
| Fehr and Gaechter (2000), American Economic Review 90(4): strangers, 10 periods | | 19 | |
| the same: partners, 10 periods | | 38 | |
| Fehr and Schmidt (1999), Quarterly Journal of Economics 114(3), table II: 12 studies | | | 73 |

We copied these from the studies as we know them; look them up before you cite them.

"""


def listed(name: str) -> str:
    """Return the section of a population, with a table of its types."""
    described, _ = populations.read(name)
    lines = [f"\n### {name}\n\n{described.sentence} Of `{described.game}`. {described.source}.\n\n"]
    lines.append(
        "| type | share | from | policy | begins with | numbers |\n|---|---|---|---|---|---|\n"
    )
    for kind in described.types:
        numbers = "; ".join(f"{key}: {_drawn(value)}" for key, value in kind.parameters.items())
        first = "as the policy does" if kind.first is None else f"{_drawn(kind.first)} of the range"
        cells = [kind.name, f"{100 * kind.share:.1f} %", kind.source, f"`{kind.policy}`", first]
        lines.append(f"| {' | '.join([*cells, numbers])} |\n")
    return "".join(lines)


def _drawn(value: float | Spread) -> str:
    if not isinstance(value, Spread):
        return f"{value:g}"
    source = f" ({value.source})" if value.source else ""
    if value.low is not None:
        return f"{value.low:g} to {value.high:g}{source}"
    return f"{value.mean:g}, sd {value.sd:g}{source}"


def contributions(spec: str) -> Array:
    """Return the contributions (periods, plays, seats) of groups of a policy, as shares of the
    endowment."""
    game = engine.make("sanctions", **GAME)
    seeds = play_seeds(SEED, np.arange(PLAYS))
    bench = Bench(game, [(policies.make(spec, game), np.ones(game.seats, dtype=np.bool_))])
    state, seen = game.reset(seeds)
    amounts = [after["contribution"] for after, _ in bench.play(seeds, state, seen)]
    return np.asarray(np.stack(amounts) / game.core.endowment)


def with_last(name: str, kinds: tuple[str, ...], share: float) -> str:
    """Return the row of a population in which some types stop in the last period."""
    described, _ = populations.read(name)
    types = tuple(
        kind.model_copy(update={"last": Last(share=share)}) if kind.name in kinds else kind
        for kind in described.types
    )
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "last.toml"
        file.write_text(populations.text(described.model_copy(update={"types": types})), "utf-8")
        row = measured(name, contributions(f"population:{file}"))
    stopped = f"the same; of {' and '.join(kinds)}, {100 * share:.0f} % stop in the last period"
    return row.replace(f"`{name}`", stopped, 1)


def measured(name: str, shares: Array) -> str:
    """Return a row: the start, decay and end of contributions, and differences between people."""
    course, people = shares.mean(axis=(1, 2)), shares.mean(axis=0)
    numbers = [course[0], course[4], course[-1], course.mean(), people.std(), people.mean(1).std()]
    last = (shares[-1] == 0).mean()
    cells = [f"{100 * number:.1f}" for number in (*numbers, last)]
    return f"| `{name}` | {' | '.join(cells)} |\n"


NOTES = """
**Decay** is there because conditional cooperators follow a mean in which free riders are, not
because anybody learns. It ends on a level, and fewer give nothing in the last period than in
published data.

**End effects** beyond this decay, of people who know that the period is the last, are what
`last` of a type is for: `last = { share = 0.7 }` has 70 % of its people do the least then,
`amount = 1` the most. The populations here have none: the studies they are from state no such share
by type. The row with a `last` shows what it does; its 70 % are ours, chosen so that about as many
give nothing at the end as in Fehr and Schmidt's table, which it therefore does not explain.

**Restart**: people begin a new play, such as the next block of a session, with what they begin
with, whatever was before, since no policy remembers an earlier play. So a restart takes them from
the column of period 10 back to that of period 1, and undoes the whole of the decay. Andreoni
(1988), Journal of Public Economics 37(3), saw contributions of partners go up again after a
surprise restart; we have no number of his of which we are sure, so how far is not compared.

## From your own data

`mixed calibrate EXPORT --output own.toml` fits types to the people of an export (of one treatment),
by their decisions about the game's first action. Where that is an amount (commons, sanctions):

- who always did the least that was possible is of one type, who always did the most of another;
- all others are of one of 1 to 3 types (`--types`), each a straight line of what the others did
  last, with noise, as in `conditional_cooperation` ([behaviour.md](behaviour.md)), and with an
  intercept that differs normally from person to person: a finite mixture by maximum likelihood, the
  number of types by BIC; so are slopes that differ within types, where BIC tells that they do;
- what they begin with is taken from their first decisions.

Where people choose (a mine, a step), each type is a model of [behaviour.md](behaviour.md), and a
precision that differs from person to person, its logarithm being normal: a finite mixture again.
Types are added one by one, of the model that helps most, as long as BIC gets smaller. The models
are those that a policy can follow by what a seat sees:

| game | model and policy | needs |
|---|---|---|
| `gem_mining` | `quantal_response` | chances of mines and workers at them shown, as in `lab` |
| | `reinforcement_learning` | own mine and gems of last period shown |
| `punishment_vote` | `quantal_response_reach` | sight (`vision` of 1 or more) |

In gem mining nobody has gone anywhere in the first period: quantal response is then as if nobody
else were there, reinforcement goes to any mine. In the vote no seat sees what harm the others have
done to it, so no policy learns from its points there. What these models do not say is in no such
population: one whose models predict no better than `uniform` (`mixed contest EXPORT`) is of no use,
whatever its errors.

The searches for types that explain more than 5,000 decisions are shared between all cores
(`--workers`), or on a Dask cluster (`--scheduler ADDRESS`); the file is the same. With fewer, other
processes would take longer to begin.

The file has a standard error beside each share and number (`share_error`, `mean_error`,
`sd_error`), robust to whatever ties a group together; that of what people begin with takes them as
independent. Where none can be had (the likelihood is flat in some direction, there is one group, a
noise is as small as it may be) there is none.

`straight_line`, the policy of fitted types, does what was fitted; where it sees nobody it does what
it began with. Amounts and intercepts are in the unit of the action, so a fitted population is of
the parameters of that treatment. Somebody who happened to do the least throughout, though on a
line, is counted among those who always do. Plays from such a population are as sure as its
estimates; `population:own.toml@7` draws others from their errors. Those of the means of a type hang
together (`correlation`), those of shares as shares do; all others are drawn by themselves.
"""


def main() -> None:
    """Write the document."""
    text = HEAD + "".join(listed(name) for name in populations.names()) + MEASURES
    heads: tuple[str, ...] = ("population", "period 1", "period 5", f"period {PERIODS}", "mean")
    heads += ("sd of people", "sd of groups", "last period: nothing given")
    text += f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}\n"
    for name in populations.names("sanctions"):
        text += measured(name, contributions(f"population:{name}"))
        if name == "fischbacher_gaechter_2010":
            text += with_last(name, ("conditional cooperator", "hump-shaped"), 0.7)
    text += (
        measured("noisy_person", contributions("noisy_person"))
        + PUBLISHED.rstrip()
        + "\n"
        + NOTES
        + planted.recovered()
    )
    (HERE / "populations.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
