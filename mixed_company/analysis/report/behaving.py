"""Compare how well models of behaviour predict held-out groups, by treatment.

This is the contest of `analysis.behaviour.predicted`. The contest takes longer with more decisions,
so by default it runs only up to `MOST` decisions. The limit is a number of decisions, not a time,
so the same export always produces the same report.
"""

from __future__ import annotations

import pandas as pd

from mixed_company.analysis import behaviour
from mixed_company.analysis.data import Data
from mixed_company.analysis.games import find

MOST = 5_000
"""Maximum number of people's decisions for which the contest always runs. 5,653 decisions in the
commons took 10 s of CPU time, a third of the time for the whole report."""
FAR = 10.0
"""Distance below pure chance, in mean log probability, at which a model all but rules out a few of
the decisions: e^-10 is 1 in 22,000."""
_FAR_OUTSIDE = (
    "some decisions are far from its predictions, as can happen if it was fitted to few decisions "
    "that hardly vary; the score and the interval depend only on these decisions"
)
COLUMNS = [
    *("treatment", "model", "decisions", "groups", "score", "score_se", "gain", "gain_se", "best"),
    *("to_best", "low", "high", "reason"),
]


def contest(data: Data, asked_for: bool = False) -> pd.DataFrame:
    """Return one row per treatment and model, with the best model first; no rows if there is no
    contest.

    score     mean log probability of a decision in the held-out groups
    gain      score minus the score of pure chance
    to_best   score minus the best model's score on the same decisions, with its 95% t interval over
              groups
    reason    why a model has no score, or one far below chance
    """
    if why_none(data, asked_for):
        return pd.DataFrame(columns=COLUMNS)
    frame = behaviour.predicted(data)
    frame = frame.rename(columns={"to_best_low": "low", "to_best_high": "high"})
    frame["reason"] = frame["reason"].mask(frame["gain"] < -FAR, _FAR_OUTSIDE)
    order = {name: place for place, name in enumerate(data.treatments)}
    frame = frame.assign(place=frame["treatment"].astype(str).map(order))
    frame = frame.sort_values(["place", "score"], ascending=[True, False], kind="stable")
    return frame[COLUMNS].reset_index(drop=True)


def why_none(data: Data, asked_for: bool = False) -> str:
    """Return a sentence that says why no contest runs; empty if it runs."""
    reason = find(data.game_id).no_model
    if reason:
        return f"No model of behaviour is fitted to this game: {reason}."
    number = int((data.decisions["participant"] != "").sum())
    if not number:
        return "There are no decisions by people to predict."
    if number > MOST and not asked_for:
        return (
            f"People made {number} decisions. Predicting that many takes a long time, so it is "
            f"done only on request (--contest)."
        )
    return ""
