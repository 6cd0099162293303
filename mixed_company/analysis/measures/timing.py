"""Time that people took to decide, and decisions that they did not make.

Only sessions on a server have times; simulated plays have none.
"""

from __future__ import annotations

from mixed_company.analysis.measures.declaring import measure
from mixed_company.analysis.measures.plays import Plays, Values


@measure("group", "person", "period", unit="ms", higher_is="slower")
def decision_time(plays: Plays, by: list[str]) -> Values[float]:
    """Mean time a person took to decide.

    The time runs from the start of the period on the server to the arrival of the decision there,
    so it includes the network delay in both directions. With a clock, the last key press counts.

    Formula: mean of `received_ms` - `shown_ms` over decisions by people; a turn without a key press
    has no time.

    Missing: no person decided, or there are no times.

    Source: Rubinstein (2007), Economic Journal 117(523).
    """
    return plays.mean_where(_taken(plays), _answered(plays), by)


@measure("group", "person", "period", unit="ms", higher_is="slower")
def median_decision_time(plays: Plays, by: list[str]) -> Values[float]:
    """Median time a person took to decide. It is less sensitive to pauses than the mean.

    Formula: median of `received_ms` - `shown_ms` over decisions by people; a turn without a key
    press has no time.

    Missing: no person decided, or there are no times.

    Source: Rubinstein (2007), Economic Journal 117(523).
    """
    taken = _taken(plays)[_answered(plays)]
    return taken.groupby([plays.decisions.loc[taken.index, key] for key in by]).median()


@measure("person", unit="periods", higher_is="more data", untested="it is a count")
def decided(plays: Plays, by: list[str]) -> Values[float]:
    """Number of periods in which the person decided or, in a seat without a person, the policy.

    Formula: number of decisions that count.

    Missing: no period was played.

    Source: counted.
    """
    counts = plays.own.groupby([plays.decisions[key] for key in by]).sum()
    return counts.astype("float64")


@measure("group", "person", "period", unit="share", higher_is="less attentive")
def defaulted(plays: Plays, by: list[str]) -> Values[float]:
    """Share of a person's periods in which time ran out and the default was played.

    With a clock, this is the share of turns in which no key was pressed, which is also a choice.

    Formula: number of decisions in seats with a person with `decided_by` = default / number of
    decisions there with `decided_by` = default or person.

    Missing: the seat had no person.

    Source: counted.
    """
    late = plays.decisions["decided_by"] == "default"
    late &= plays.decisions["occupant"] == "person"
    return plays.share(late, late | _answered(plays), by)


def _answered(plays: Plays) -> Values[bool]:
    return plays.decisions["decided_by"] == "person"


def _taken(plays: Plays) -> Values[float]:
    rows = plays.decisions
    return rows["received_ms"].astype("float64") - rows["shown_ms"].astype("float64")
