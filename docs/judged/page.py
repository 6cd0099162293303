"""Tables and text of docs/judged.md."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import fill

from docs.judged.chains import Chain
from docs.judged.judging import (
    CHANCE,
    CONSTANT,
    IMITATION,
    MOVES,
    MOVING,
    POLICY,
    SAME_GIFT,
    SOURCE,
    STAYING,
    Judged,
    beside,
    seen,
)
from docs.judged.reading import GIFTS, People
from docs.played import contributions
from mixed_company.policies import populations

WIDTH = 100

HEAD = """# Populations judged on people they have not seen

A population is a list of types of people, with the share of each type. This page reports how well
populations predict people whose data were not used to build them. It also reports whether
predictions are better if people can move from one type to another (*types that move*) than if they
keep their type (*types that stay*). `python -m docs.judged --data DIR` writes the page. If the data
are missing, the command says where to get them.

**People.** 134 people played ten periods: Andreozzi, Ploner and Saral (2020), "The stability of
conditional cooperation", Scientific Reports 10, 13610. The data are from the authors' repository
`seyhunsaral/stabilitycondcoop` (CC BY 4.0) and are not included in this project. In every period,
each person had a different partner. Each person could give 0, 50 or 100, and also stated a reply to
each of these gifts in case the partner moved first. The page is about these replies: three per
person and period, 4,020 in total.

**Method.** We fit a model to three of the six sessions and use it to predict replies in the
other three. So the people whose replies are predicted never met the people used for fitting. We do
this for all 20 ways to divide the sessions. The score is the log likelihood per reply. It is
computed from the joint probability of a person's ten reply tables; earlier tables are evidence of
the person's type. The intervals are 95% t intervals over the six sessions, computed from each
person's mean score over the divisions. They are rough, because there are only six sessions.

"""

MODELS = f"""
- `{CHANCE}`: every reply is equally likely. `{CONSTANT}`: the observed frequencies of the replies
  to each gift, the same for everyone in every period.
- *{STAYING}*, *{MOVES}*: types whose replies, shares and rates are fitted to one half of the
  sessions. BIC chooses the number of types, up to six. If a person moves to another type, the new
  type applies from the next period on.
- This project's populations: how their types reply to a partner who always gives 0, 10 or 20 of 20,
  rounded to the nearest of the three gifts. The shares come from the population's file. Only one
  number is fitted: the share of random replies. Without it, a single deviation from the type would
  have probability 0.
- `{MOVING}`: the same shares, with fitted rates at which people change type.
- *{IMITATION}*: the probabilities depend on the gift, on the person's last choice, and on the
  period, and are otherwise the same for everyone. There is a coefficient for each pair of gift and
  last choice, and a trend for each gift. *{SAME_GIFT}*: the same, but with the person's last reply
  to the same gift instead of the person's last choice. The models with types use all earlier
  replies of a person as evidence; imitation uses only the last one.

The shares in populations with punishers come from games with punishment, but the people here could
not punish.

"""


def classes(people: People) -> str:
    """Return a table of the authors' classes by period."""
    names = {"cond-coop": "conditional cooperators", "selfish": "selfish"}
    names |= {"humped": "hump-shaped", "other": "other"}
    lines = ["\n## How people's types change\n\n"]
    lines.append("The table shows how many people are in each of the authors' classes:\n\n")
    lines.append(f"| period | {' | '.join(names.values())} |\n|{'---|' * (len(names) + 1)}\n")
    for period, row in people.classes.iterrows():
        lines.append(f"| {period} | {' | '.join(str(row[name]) for name in names)} |\n")
    return "".join(lines)


def scores(judgements: Mapping[str, Judged], people: People) -> str:
    """Return the table of held-out likelihoods, best first."""
    lines = ["## Held-out likelihood\n\n"]
    lines.append("| model | types | per reply | better than chance | better than a constant |\n")
    lines.append("|---|---|---|---|---|\n")
    ranked = sorted(judgements, key=lambda name: -judgements[name].scores.mean())
    for name in ranked:
        model = judgements[name]
        few, many = model.types
        types = str(few) if few == many else f"{few} to {many}"
        to_chance = model.scores.mean() - judgements[CHANCE].scores.mean()
        gain = "" if name == CONSTANT else interval(*beside(model, judgements[CONSTANT], people))
        cells = [_name(name), types, f"{model.scores.mean():.3f}", f"{to_chance:.3f}", gain]
        lines.append(f"| {' | '.join(cells)} |\n")
    return "".join(lines) + MODELS


def verdicts(judgements: Mapping[str, Judged], people: People) -> str:
    """Return sentences about moves, imitation, and populations that predict no better than a
    constant."""
    fitted = beside(judgements[MOVES], judgements[STAYING], people)
    shipped = beside(judgements[MOVING], judgements[SOURCE], people)
    worse = [f"`{name}`" for name in judgements if _worse(name, judgements, people)]
    moves = (
        f"**Do types move?** Fitted types that move score {by(*fitted)} than fitted "
        f"types that stay. `{MOVING}` scores {by(*shipped)} than `{SOURCE}`, whose types stay. "
        "Its file contains the rates fitted to all 134 people, except rates less than two "
        "standard errors from zero."
    )
    constant = (
        "**Not better than a constant** (the interval includes zero or is below it): "
        f"{', '.join(worse) or 'none'}. Their files say so under the key `judged`."
    )
    imitated = f"**Does imitation predict better?** {compared(judgements, people)}"
    return "\n\n".join(fill(text, WIDTH) for text in (moves, imitated, constant)) + "\n"


def compared(judgements: Mapping[str, Judged], people: People) -> str:
    """Return sentences that compare the imitation with other models."""
    names = (CONSTANT, STAYING, MOVES)
    parts = [by(*beside(judgements[IMITATION], judgements[name], people)) for name in names]
    same = by(*beside(judgements[SAME_GIFT], judgements[MOVES], people))
    others = ("than a constant", f"than {STAYING}", f"than {MOVES}")
    gains = [f"{part} {other}" for part, other in zip(parts, others, strict=True)]
    return (
        f"Given a person's last choice, imitation scores {gains[0]}, {gains[1]}, and "
        f"{gains[2]}. Given the last reply to the same gift, which is not known during a play, it "
        f"scores {same} than {MOVES}."
    )


def _worse(name: str, judgements: Mapping[str, Judged], people: People) -> bool:
    if name not in populations.names("sanctions"):
        return False
    return beside(judgements[name], judgements[CONSTANT], people)[1] <= 0


def by(mean: float, low: float, high: float) -> str:
    """Return how much better or worse a prediction is, with an interval in the same direction."""
    direction, sign = ("better", 1) if mean > 0 else ("worse", -1)
    least, greatest = sorted((sign * low, sign * high))
    sure = "" if low * high > 0 else "; the difference is not significant"
    return f"{abs(mean):.3f} {direction} (95% {least:.3f} to {greatest:.3f}{sure})"


def interval(mean: float, low: float, high: float) -> str:
    """Return a difference and its interval."""
    return f"{mean:.3f} ({low:.3f} to {high:.3f})"


def courses(judgements: Mapping[str, Judged], people: People) -> str:
    """Return the table of mean replies, replies at both ends, the last period and the spread."""
    lines = [
        "\n## Trend, extremes and spread\n\n",
        "The table shows predictions for the held-out people, in per cent: the mean reply, the\n",
        "shares of 0 and 100 among all replies, the share of reply tables that give\n",
        "nothing whatever the other person gives, and the standard deviation of people's mean\n",
        "replies over all periods. The two imitation models need the previous choices, so they\n",
        "cannot predict a whole play.\n\n",
        "| model | period 1 | period 5 | period 10 | replies of 0 | of 100 | nothing, period 1 | ",
        "nothing, period 10 | sd across people |\n|---|---|---|---|---|---|---|---|---|\n",
    ]
    rows = [("**people**", *seen(people))]
    rows += [
        (_name(name), model.course, model.spread)
        for name, model in judgements.items()
        if model.course is not None and model.spread is not None
    ]
    for name, course, spread in rows:
        mean, none, every, nothing = course.T
        numbers = [mean[0], mean[4], mean[-1], none.mean(), every.mean(), nothing[0], nothing[-1]]
        cells = [f"{100 * number:.1f}" for number in (*numbers, spread)]
        lines.append(f"| {name} | {' | '.join(cells)} |\n")
    return "".join(lines)


def last_periods(people: People) -> str:
    """Return a table of the shares of people and bots that give nothing in the last period."""
    gave = 100 * (people.gifts[-1] == 0).mean()
    tables = 100 * (people.replies[-1] == 0).all(axis=1).mean()
    lines = [
        "\n## The last period compared with published data\n\n",
        "The table shows the percentage of players who give nothing in period 10 of the public\n",
        "good, in 2,000 groups of four from each population\n",
        "([populations.md](populations.md#compared-with-published-data)), in 2,000 groups of the\n",
        "policy that imitates these people, and among people.\n\n",
        "| | gives nothing in the last period |\n|---|---|\n",
    ]
    imitated = contributions(POLICY)
    course = [100 * imitated[period].mean() for period in (0, 4, -1)]
    specs = {name: f"population:{name}" for name in populations.names("sanctions")}
    ends = {name: contributions(spec)[-1] for name, spec in specs.items()} | {POLICY: imitated[-1]}
    for name, last in ends.items():
        lines.append(f"| `{name}` | {100 * (last == 0).mean():.1f} |\n")
    lines.append(f"| these people, as first movers | {gave:.1f} |\n")
    lines.append(f"| these people, whatever the other player gives | {tables:.1f} |\n")
    lines.append(
        "| Fehr and Schmidt (1999), table II: 12 studies, as quoted in populations.md | 73 |\n"
    )
    first = [50 * people.gifts[period].mean() for period in (0, -1)]
    lines.append(
        f"\nGroups of `{POLICY}` give {course[0]:.1f}% of the endowment in period 1, "
        f"{course[1]:.1f}% in\nperiod 5 and {course[2]:.1f}% in period 10. The policy always "
        f"acts as a second mover. As\nfirst movers, these people gave {first[0]:.1f}% in period 1 "
        f"and {first[1]:.1f}% in period 10.\n"
    )
    return "".join(lines)


def fitted_types(chain: Chain) -> str:
    """Return the tables of moving types, fitted to all people."""
    replies = " | ".join(f"mean reply to {gift}" for gift in GIFTS)
    count = len(chain.start)
    lines = [
        "\n## The types that move\n\n",
        "These types were fitted to all 134 people. Rates are probabilities per period.\n\n",
        f"| type | share in period 1 | in period 10 | {replies} | ",
        " | ".join(f"to {number + 1}" for number in range(count)),
        f" |\n|{'---|' * (6 + count)}\n",
    ]
    last = chain.shares(10)[-1]
    for number in range(count):
        means = 50 * (chain.replying[number] @ range(3))
        cells = [f"{100 * chain.start[number]:.0f}%", f"{100 * last[number]:.0f}%"]
        cells += [f"{mean:.0f}" for mean in means]
        cells += [f"{rate:.3f}" for rate in chain.rates[number]]
        lines.append(f"| {number + 1} | {' | '.join(cells)} |\n")
    return "".join(lines)


def _name(name: str) -> str:
    return f"*{name}*" if name in (STAYING, MOVES, IMITATION, SAME_GIFT) else f"`{name}`"


NOTES = f"""
## What this does not show

- **Restarts.** These people played only once. In a new play, every population draws new people,
  using the shares from the first period.
- **Thinking times.** These data contain no times.
  [reliability.md](reliability.md#sources-of-the-bots-times) compares the bots' times with two
  published experiments.
- **Other games.** We have no data on people under this project's rules. The rates of `{MOVING}`
  were fitted to people who met a different partner in every period. In fixed groups, people may
  change type at different rates.
- **Play in groups.** This page judges replies, not play in groups.
  [populations.md](populations.md#compared-with-published-data) compares group contributions with
  published data: if types move, the last period is closer to these data, but the mean over all
  periods is further below them. Bots also do not make the random replies that the models on this
  page allow for.
- **Imitation.** `{POLICY}` ([trained.md](trained.md#a-policy-that-imitates-people)) is
  *{IMITATION}*, fitted to all 134 people. In a play, it replies to the mean contribution of the
  others instead of to a single partner. Its seats have no types; they differ only in the
  contributions that they drew earlier.
- **Your own data.** `mixed calibrate export.zip --moving --output own.toml` reports BIC for types
  that move and types that stay ([populations.md](populations.md#from-your-own-data)).
"""
