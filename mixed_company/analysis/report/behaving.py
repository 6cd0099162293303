"""Which model of behaviour predicts groups best that it has not seen, by treatment.

The contest of `analysis.behaviour.predicted`. It takes the longer the more was decided, so without
being asked for it is held up to `MOST` decisions alone. That is a number and no time, so that the
same export gives the same report.
"""

from __future__ import annotations

import pandas as pd

from mixed_company.analysis import behaviour
from mixed_company.analysis.data import Data
from mixed_company.analysis.games import find

__all__ = ["MOST", "contest", "why_none"]

MOST = 10_000
"""Decisions on people's seats up to which the contest is always held: the 7,200 of the vote's
sample took 9 s of a processor."""
COLUMNS = [
    *("treatment", "model", "decisions", "groups", "score", "score_se", "gain", "gain_se", "best"),
    *("to_best", "low", "high", "reason"),
]


def contest(data: Data, asked_for: bool = False) -> pd.DataFrame:
    """Return a row per treatment and model, the best first; none where no contest is held.

    score     mean log chance of a decision of the groups that were held out
    gain      what that is above pure chance
    to_best   the score less that of the best model, on the same decisions; 95% interval by t over
              groups
    """
    if why_none(data, asked_for):
        return pd.DataFrame(columns=COLUMNS)
    frame = behaviour.predicted(data)
    frame = frame.rename(columns={"to_best_low": "low", "to_best_high": "high"})
    order = {name: place for place, name in enumerate(data.treatments)}
    frame = frame.assign(place=frame["treatment"].astype(str).map(order))
    frame = frame.sort_values(["place", "score"], ascending=[True, False], kind="stable")
    return frame[COLUMNS].reset_index(drop=True)


def why_none(data: Data, asked_for: bool = False) -> str:
    """Return a sentence on why no contest is held; empty: it is."""
    without = find(data.game_id).no_model
    if without:
        return f"No model of behaviour is fitted to this game: {without}."
    number = int((data.decisions["participant"] != "").sum())
    if not number:
        return "No decision of people is there to be predicted."
    if number > MOST and not asked_for:
        return (
            f"People made {number} decisions. To predict so many takes minutes, and is done only "
            "where it is asked for (--contest)."
        )
    return ""
