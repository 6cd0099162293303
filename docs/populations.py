"""Generator for docs/populations.md: the included populations, compared with published data.

python -m docs.populations
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from docs import planted
from docs.dating import dated
from docs.played import (
    COMMONS,
    COUNTED,
    COUNTED_STOCKS,
    PERIODS,
    PLAYS,
    PUNISHED,
    SEED,
    contributions,
    punished,
    stocks,
)
from mixed_company import policies
from mixed_company.engine.contract.space import Array
from mixed_company.policies import populations
from mixed_company.policies.populations import Last, Spread

HERE = Path(__file__).parent

HEAD = """# Populations

A population describes groups of people of different types, for bots or simulations. `python -m
docs.populations` writes this page; the numbers in its comparison and recovery tables are simulated.

With a single policy, all people are alike, but people in real groups differ. A **population** is a
file that lists types of people, the share of each type, and the parameters in which people of a
type differ. For each seat and play, a person's type and parameters are drawn with the seat's random
numbers. Every group is therefore different, and the same seed gives the same people.

Use `population:NAME` wherever a policy is named. For your own file, use `population:FILE.toml`,
with a path relative to the folder in which you run the server or the command:

<!-- excerpt: forty people play on a real server -->
```
mixed rehearse sanctions_two_people --groups 20 \\
    --simulated population:fischbacher_gaechter_2010 --output rehearsal.zip
people=population:fischbacher_gaechter_2010
mixed power sanctions --measure contribution --groups 8,16 \\
    --treatment four simulated=$people people_per_group=4 archetype=unsanctioned \\
    --treatment two simulated=$people people_per_group=2 bots=fixed archetype=unsanctioned
mixed calibrate rehearsal.zip --output own.toml
```

`population:NAME@7` first draws the shares and parameters from their standard errors, with seed
7 (`mixed_company.policies.populations.uncertain` says how), and then draws the people. `mixed power
--uncertain` does this for every simulated study, with the same population in all treatments. The
power is then averaged over possible populations. Without `--uncertain`, the numbers in the file are
taken as exact, which is too optimistic for a small pilot.

**Types that move.** A person can change type with experience:

<!-- excerpt: part of a population file -->
```toml
[[types.moves]]
to = "free rider"
rate = 0.06
```

After each period, a person of the preceding type becomes a free rider with probability
0.06, and otherwise keeps the type. A type's rates sum to at most 1; `rate_error` is a standard
error, and `source` says where a rate comes from. Shares refer to the first period. Each person
has parameters for every type from the start, and plays as the new type from the next decision on.

An export contains the name of a population file, not its content. Keep your own file together with
the data, because `mixed check` needs it.

## Populations included

Every number has a source; `ours` marks numbers that the study does not state. Standard errors of
shares (`share_error`) assume that people are independent: sqrt(q (1 - q) / n). There is no
population for the vote or gem mining, because we do not know of any published type shares in such
games. [Calibrate one from data](#from-your-own-data).

With [peer points](peer_points.md), a type can have two policies, joined by `+`: one for the
decision and one for the points, as in `conditional_cooperator+punishes_below_average`. Without peer
points, the second policy is not used, and people make the same decisions.

**`herrmann_thoeni_gaechter_2008`**. We counted these types in the study's published data. We had
data from 8 of its sessions, in Athens, Boston, Chengdu, Istanbul, Samara (3) and Zurich: 49 groups
of four, or 196 of its 1,120 people, over 10 periods with punishment. The data files are in the
public repository `ArchitectPhoenix/VCMS`. These sessions are not a random sample of the study. We
classified people as follows:

- Contributions: for each person, we fitted a line to contributions and the others' averages in the
  period before. A person whose line stays above half the endowment is a cooperator. If the line
  stays below, the person is a low contributor, and if it rises from below to above, a reciprocator.
  This is the classification of Kurzban and Houser (2005). All other people are `other`.
- Punishment: people who assigned no points have the type `never punishes`. All others punish
  those below the group's average or are antisocial, depending on where most of their points went.
- 27 people had little reason to punish: over all periods, the below-average people in their
  groups fell short of the average by less than half an endowment (our limit). Another 5 people
  divided their points equally. We left out these 32 people, so 164 remain.
- `points` is the logarithm of a person's points per endowment of distance from the average. For
  antisocial people, this is the distance above the average.

We chose the policies: cooperators and low contributors follow `fixed`, at their means. Nobody in
this population changes a contribution after being punished. It therefore cannot show whether
punishment raises contributions, and a study of this question needs other assumptions.

**`fischbacher_gaechter_2010_punishing`** divides each type of `fischbacher_gaechter_2010` by how
these 164 people punish, with the same shares in each type. This is our assumption, because Weber,
Weisel and Gaechter (2018) found that conditional cooperators and free riders punish alike.

**`fischbacher_gaechter_2010_moving`** has the shares of `fischbacher_gaechter_2010`, and moves
whose rates were fitted to the replies of 134 people over ten periods (Andreozzi, Ploner and Saral
2020). It predicts held-out people better than the same types without moves. Its last period is
closer to published data, but its mean contribution falls even further short. The rates apply to
partners who change every period. [judged.md](judged.md) judges this and every other population of
the sanctions game, and each file states its result (`judged`). We have no such data for the
commons, so `van_klingeren_2020` is not judged.

**`van_klingeren_2020`** is for the commons. We counted these types in the published data from the
study (its author's repository `FijnandaVanKlingeren/Playing-Nice-in-the-Sandbox-[...]`). We used
the 20 groups of four without any heterogeneity: 80 people, over 40 periods. They chose efforts of 0
to 50, and their catch was proportional to the effort and the stock, which grew by a quarter in each
period. If everyone chooses an effort of 30, the stock does not change.

- Types are determined by a line in the others' last efforts, as above, but the threshold is an
  effort of 30 instead of half the endowment: cooperators stay at or below it, takers stay above it,
  and reciprocators rise from below to above. Stock and efforts fell during the play, so some
  reciprocators may have responded to the stock instead of the others.
- `effort` is a person's mean effort, as a multiple of 30.
- We chose the policies. `constant_effort` takes a fixed share of the stock, as an effort did in the
  study. If all seats follow it at an effort of 1, they bring the stock to its optimal size.
  Reciprocators take as much as the others took, without a bias: in the data, their efforts were
  0.6% of the range above the others' last mean. Their first harvest suits the initial stock of
  `lab`. For another stock, write your own file.
- The rules differ: growth is proportional to the stock in the study, and logistic in `lab`.
"""

MEASURES = f"""
## Compared with published data

The table shows {PLAYS:,} groups of four from each population and of `noisy_person`, in {PERIODS}
periods of `sanctions` (`unsanctioned`), with an endowment of 20 and seed {SEED}. Contributions are
percentages of the endowment. They do not depend on the return on the public good.

"""

PUBLISHED = """
| published, without sanctions | first period | mean | last period: gave nothing |
|---|---|---|---|
| Ledyard (1995), Handbook of Experimental Economics: a survey | 40 to 60 | | |
| Fehr and Gaechter (2000), American Economic Review 90(4): strangers, 10 periods | | 19 | |
| the same: partners, 10 periods | | 38 | |
| Fehr and Schmidt (1999), Quarterly Journal of Economics 114(3), table II: 12 studies | | | 73 |

We quote these numbers from memory, so look them up before you cite them.

"""


def listed(name: str) -> str:
    """Return the section of a population, with a table of its types."""
    described, _ = populations.read(name)
    about = f"{described.sentence} Game: `{described.game}`. Source: {described.source}."
    if described.judged:
        about += f"\n\n{described.judged} See [judged.md](judged.md)."
    lines = [f"\n### {name}\n\n{about}\n\n"]
    lines.append(
        "| type | share | from | policy | first action | numbers |\n|---|---|---|---|---|---|\n"
    )
    for kind in described.types:
        numbers = "; ".join(f"{key}: {_drawn(value)}" for key, value in kind.parameters.items())
        first = "set by the policy" if kind.first is None else f"{_drawn(kind.first)} of the range"
        cells = [kind.name, f"{100 * kind.share:.1f}%", kind.source, f"`{kind.policy}`", first]
        lines.append(f"| {' | '.join([*cells, numbers])} |\n")
    moves = [(kind.name, move) for kind in described.types for move in kind.moves]
    if moves:
        lines.append("\n| people of type | move to | per period | source |\n|---|---|---|---|\n")
    for name, move in moves:
        lines.append(f"| {name} | {move.to} | {100 * move.rate:.1f}% | {move.source} |\n")
    return "".join(lines)


def _drawn(value: float | Spread) -> str:
    if not isinstance(value, Spread):
        return f"{value:g}"
    source = f" ({value.source})" if value.source else ""
    if value.low is not None:
        return f"{value.low:g} to {value.high:g}{source}"
    scale = "logarithm " if value.log else ""
    return f"{scale}{value.mean:g}, sd {value.sd:g}{source}"


def _has_punishers(name: str) -> bool:
    return policies.find(f"population:{name}", "sanctions").stage is None


def with_last(name: str, kinds: tuple[str, ...], share: float) -> str:
    """Return a row for a population in which some types stop contributing in the last period."""
    described, _ = populations.read(name)
    types = tuple(
        kind.model_copy(update={"last": Last(share=share)}) if kind.name in kinds else kind
        for kind in described.types
    )
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "last.toml"
        file.write_text(populations.text(described.model_copy(update={"types": types})), "utf-8")
        row = measured(name, contributions(f"population:{file}"))
    stopping = f"{100 * share:.0f}% of the {' and '.join(kinds)} types"
    stopped = f"the same, but {stopping} stop in the last period"
    return row.replace(f"`{name}`", stopped, 1)


def measured(name: str, shares: Array) -> str:
    """Return a row for a population: contributions at the start, later and at the end, and
    differences between people."""
    course, people = shares.mean(axis=(1, 2)), shares.mean(axis=0)
    numbers = [course[0], course[4], course[-1], course.mean(), people.std(), people.mean(1).std()]
    last = (shares[-1] == 0).mean()
    cells = [f"{100 * number:.1f}" for number in (*numbers, last)]
    return f"| `{name}` | {' | '.join(cells)} |\n"


NOTES = """
**Decay.** Without moves, contributions fall because conditional cooperators follow a mean that
includes free riders, not because anyone learns. They stay above zero, and fewer people give
nothing in the last period than in published data. With moves, people also become free riders.

**End effects.** A type's `last` sets how its people decide when they know that a period is the
last. With `last = { share = 0.7 }`, 70% of them choose the lowest amount in that period; with
`amount = 1`, they choose the highest. The included populations have no `last`, because their
sources report no such share by type. The row for 70% shows the effect of `last`. We chose 70% to
match the share of people who give nothing at the end in Fehr and Schmidt's table, so this row
fits the table by design and does not explain it.

**Restart.** In a new play, such as the next block of a session, people start again from their first
action, because no policy remembers an earlier play. A restart therefore undoes the decay
completely: contributions return from their level in period 10 to their level in period 1. Andreoni
(1988), Journal of Public Economics 37(3), found that partners' contributions rose again after a
surprise restart. We could not verify any number in that paper, so we do not compare the size of the
effect.

## From your own data

`mixed calibrate EXPORT --output own.toml` fits types to the people in one treatment of an export,
using their decisions about the game's first action.

**Amounts** (commons, sanctions):

- People who always chose the lowest possible amount are one type, and people who always chose the
  highest amount are another.
- All others belong to one of up to three types (`--types`), estimated as a finite mixture by
  maximum likelihood. Each type is a straight line in the others' last actions with noise, as in
  `conditional_cooperation` ([behaviour.md](behaviour.md)). Intercepts differ normally from person
  to person. BIC chooses the number of types, and whether slopes also differ within types.
- A line is named after its actions when all others choose the lowest or the highest amount, as
  shares of the range: `conditional` or `contrary` if it rises or falls by 0.3 or more
  from one end to the other; otherwise `low`, `middle` or `high`, depending on the third that
  contains its mean, as in `conditional contribution` or `low harvest`.
- The command needs at least 8 people, at least 4 of whom follow lines.
- First actions are taken from people's first decisions.

**Types that change** (`--moving`, amounts): a hidden Markov model. In each period, a person has one
of these types, and between periods the person can change to any other:

- *the least* and *the most*: people who choose the lowest or highest possible amount for as long as
  they have this type. These types are included if at least two people made this choice twice in a
  row.
- up to three lines (`--types`), as above, with the same slope for all people of a type. First
  actions are part of the likelihood.

A rate is kept only if it lowers BIC. BIC also decides whether people move: the command prints BIC
with and without moves, and writes the better model to the file. `--moving` is an option because it
changes the meaning of types: without it, people who always choose the lowest amount are a type;
with it, anyone can become one of them. The command needs three periods, and at least as many people
as there are parameters for a line, a constant type and their moves (9, or 15 with lines only).
In the model, a person deviates by the same number of standard deviations from every line, but a
bot draws a new deviation for every line. In a simulation with 80 people, 8 periods and
a rate of 0.12, the command found a rate of 0.127 with an error of 0.014, and no other move.

**Choices** (a mine, a step): each type is a model of [behaviour.md](behaviour.md). Its precision is
lognormal across people, so this is a finite mixture too. Types are added as long as BIC decreases,
each time with the model that lowers it most. The command uses only models that a policy can follow
from a seat's observation:

| game | model and policy | needs |
|---|---|---|
| `gem_mining` | `quantal_response` | the mines' chances and their workers are shown, as in `lab` |
| | `reinforcement_learning` | a seat's own mine and gems of the last period are shown |
| `punishment_vote` | `quantal_response_reach` | sight (`vision` of 1 or more) |

In the first period of gem mining, nobody has chosen a mine yet. Quantal response then decides as if
nobody else were there, and reinforcement learning chooses a mine at random. In the vote, policies
do not learn from their points, because seats do not see how much harm others did to them. A
population is only as good as its models. If they predict no better than `uniform` (`mixed contest
EXPORT`), the population is useless, even if its standard errors are small.

Above 5,000 decisions, the search for types is spread over all cores (`--workers`) or a Dask
cluster (`--scheduler ADDRESS`). The resulting file is the same.

The file has standard errors of shares and parameters (`share_error`, `mean_error`, `sd_error`),
robust to dependence within groups. Only the errors of first actions assume that people are
independent. An error is missing if it cannot be computed because the likelihood is flat in some
direction, there is only one group, or a noise parameter is at its minimum.

- `straight_line`, the policy of fitted types, follows the fitted line. If it cannot see the others'
  actions, it repeats its first action.
- Amounts and intercepts are in the unit of the action, so a fitted population can be used only with
  that treatment's parameters.
- A person of a line type who happened to choose the lowest amount throughout counts as a person who
  always chooses it.
- Simulated plays are only as reliable as the estimates. `population:own.toml@7` draws new
  estimates from their errors: a type's means jointly (`correlation`), the shares so that they
  still sum to 1, and all other estimates independently.
"""


def main() -> None:
    """Write the document."""
    text = HEAD + "".join(listed(name) for name in populations.names()) + MEASURES
    heads: tuple[str, ...] = ("population", "period 1", "period 5", f"period {PERIODS}", "mean")
    heads += ("sd across people", "sd across groups", "last period: gave nothing")
    text += f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}\n"
    for name in populations.names("sanctions"):
        text += measured(name, contributions(f"population:{name}"))
        if name == "fischbacher_gaechter_2010":
            text += with_last(name, ("conditional cooperator", "hump-shaped"), 0.7)
    text += (
        measured("noisy_person", contributions("noisy_person"))
        + PUBLISHED
        + PUNISHED.lstrip()
        + "".join(map(punished, filter(_has_punishers, populations.names("sanctions"))))
        + COUNTED
        + COMMONS.lstrip()
        + "".join(
            stocks(name, archetype)
            for name in sorted({*populations.names()} - {*populations.names("sanctions")})
            for archetype in ("lab", "open_access")
        )
        + COUNTED_STOCKS.rstrip()
        + "\n"
        + NOTES
        + planted.recovered()
    )
    (HERE / "populations.md").write_text(dated(text), encoding="utf-8")


if __name__ == "__main__":
    main()
