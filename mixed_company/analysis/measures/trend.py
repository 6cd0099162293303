"""How something of the decisions goes on over the periods: where it begins, ends, and leads.

Functions that measures are made of. Of a group, a period's value is the mean over its seats.
"""

from __future__ import annotations

from typing import Literal

from mixed_company.analysis.measures.lines import lines
from mixed_company.analysis.measures.plays import Plays, Values

__all__ = ["first", "last", "slope"]

End = Literal["min", "max"]


def first(plays: Plays, values: Values[float], by: list[str]) -> Values[float]:
    """The mean in the first period with a decision that counts."""
    return _at(plays, values, by, "min")


def last(plays: Plays, values: Values[float], by: list[str]) -> Values[float]:
    """The mean in the last period with a decision that counts."""
    return _at(plays, values, by, "max")


def slope(plays: Plays, values: Values[float], by: list[str]) -> Values[float]:
    """Change per period, by least squares through the means of the periods."""
    means = plays.mean_where(values, plays.counted(by), [*by, "period"])
    return lines(means.rename("y").reset_index(), by, x="period")["slope"]


def _at(plays: Plays, values: Values[float], by: list[str], which: End) -> Values[float]:
    where = plays.counted(by)
    periods = plays.decisions["period"].where(where)
    end = periods.groupby([plays.decisions[key] for key in by]).transform(which)
    return plays.mean_where(values, where & (periods == end), by)
