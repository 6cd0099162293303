"""The definition of the measure on a report's first screen."""

from __future__ import annotations

from mixed_company.analysis import measures
from mixed_company.analysis.data import Data
from mixed_company.analysis.games import find
from mixed_company.analysis.report.parts import shown, worded


def defined(data: Data, measure: str) -> str:
    """Return the meaning of a measure. For an efficiency, add its value if nobody contributes,
    because a share of the optimum can look high even in a group that does nothing."""
    described = measures.described(data.game_id)
    meanings = described.loc[described["measure"] == measure, "meaning"]
    if meanings.empty:
        return ""
    return f"{worded(measure).capitalize()}: {meanings.iloc[0]}{_floor(data, measure)}"


def _floor(data: Data, measure: str) -> str:
    contribution = find(data.game_id).contribution
    if measure != "efficiency" or contribution is None or contribution.nobody is None:
        return ""
    shares = [
        contribution.nobody(game) for game in {id(g): g for g in data.games.values()}.values()
    ]
    if not shares:
        return ""
    low, high = shown(min(shares)), shown(max(shares))
    range_of_shares = low if low == high else f"{low} to {high}"
    return f" If nobody contributes, it is already {range_of_shares}."
