"""Hurdle model of who punishes whom, and by how much, with errors clustered by group.

    whether    log odds that i punishes j    = x b
    how much   points from i to j, if any      = x d, on average
    x          1, below, above, others, received, period

below      how far j's cooperation is below the others', or 0 if it is above; in tenths of the
           endowment or, in the commons, of the largest harvest
above      how far j's cooperation is above the others', or 0 if it is below
others     the cooperation that j's is compared with, in tenths
received   punishment points that i received in the previous period
period     period number

Each part has its own coefficients, so the decision to punish and the amount can depend on different
things. Only people's decisions about players who are still in the play count. The first period is
left out unless it is the only one, because nobody has received points before it.

The two parts come from Cragg (1971), Econometrica 39(5), 829-844; the distances come from Fehr and
Gaechter (2000), American Economic Review 90(4), who explain the points that j receives.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from mixed_company.analysis.data import GROUP, SEAT, Data
from mixed_company.analysis.games import find
from mixed_company.analysis.measures import cooperation, peers
from mixed_company.analysis.measures.plays import Plays
from mixed_company.analysis.statistics.regressing import FewClustersWarning, regression
from mixed_company.analysis.statistics.result import NoTest, chosen
from mixed_company.experiment.comparisons import counted

TERMS = ("below", "above", "others", "received", "period")
COMPARED = ("others", "punisher")
LEAST_GROUPS = 10
"""Minimum number of groups. With fewer groups, clustered errors are much too small."""
PER_TERM = 10
"""Minimum number of punishments, and of pairs without punishment, per term: Peduzzi, Concato,
Kemper, Holford and Feinstein (1996), Journal of Clinical Epidemiology 49(12)."""
COLUMNS = [
    *("treatment", "part", "coefficient", "pairs", "groups", "punishments"),
    *("effect", "se", "low", "high", "p", "notes"),
]
READING = (
    "Whether: change in the log odds that a player punishes another player; how much: change in "
    "the number of points for a player who is punished. Below, above: per tenth of the endowment "
    "(or of the largest harvest) by which the other player was less or more cooperative than the "
    "others. Others: per tenth that the others gave, or left. Received: per punishment point that "
    "the punisher received in the previous period. If below is positive and above is not, players "
    "punish "
    "those who cooperate less; a positive above is antisocial punishment. Errors are clustered by "
    "group; low, high: 95% interval."
)


def punishing(data: Data, compared: str = "others") -> pd.DataFrame:
    """Return one row per treatment, part of the model and coefficient; none if nobody was punished.

    compared   what j's cooperation is compared with: the mean of the `others`, or that of the
               `punisher`

    `notes` says why a part has no estimates, or warns if there are few groups. Raises UnknownName.
    """
    pairs = data.by_unit(punishing_pairs(data, compared))
    rows = [
        {"treatment": treatment, **row}
        for treatment in data.treatments
        for row in _of_treatment(pairs[pairs["treatment"] == treatment])
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def punishing_pairs(data: Data, compared: str = "others") -> pd.DataFrame:
    """Return the pairs that the model explains, with keys, treatment, `points`, `punishes` and
    terms."""
    chosen("compared", compared, COMPARED)
    columns = [*SEAT, "partner", "treatment", "points", "punishes", *TERMS]
    if not find(data.game_id).peer_points or data.pairs is None:
        return pd.DataFrame(columns=columns)
    plays = Plays(data)
    pairs = plays.once(peers.of_pairs)
    rows = plays.decisions[[*SEAT, "period"]].assign(
        mine=cooperation.of_decisions(plays),
        others=plays.of_others(cooperation.of_decisions(plays)),
        received=plays.before(peers.got(plays)),
        decides=plays.decisions.get("peer_by", "") == "person",
    )
    of_punisher = rows.drop(columns="others")
    of_target = rows.drop(columns=["received", "decides"])
    of_target = of_target.rename(columns={"seat": "partner", "mine": "theirs"})
    pairs = pairs.merge(of_punisher, on=[*SEAT, "period"])
    pairs = pairs.merge(of_target, on=[*GROUP, "partner", "period"])
    pairs = pairs[pairs["decides"] & pairs[["punished", "mine", "theirs"]].notna().all(axis=1)]
    if compared == "punisher":
        pairs = pairs.assign(others=pairs["mine"])
    more = 10 * (pairs["theirs"] - pairs["others"])
    index = pd.MultiIndex.from_frame(pairs[GROUP])
    return pairs.assign(
        treatment=plays.groups["treatment"].astype(str).reindex(index).to_numpy(),
        points=pairs["punished"],
        punishes=(pairs["punished"] > 0).astype("float64"),
        below=np.maximum(-more, 0.0),
        above=np.maximum(more, 0.0),
        others=10 * pairs["others"],
    )[columns].reset_index(drop=True)


def _of_treatment(pairs: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Yield the rows of both parts of the model for a treatment; no rows if there are no pairs."""
    if pairs.empty:
        return
    used = pairs.dropna(subset=_varying(pairs))
    punished = used[used["points"] > 0]
    for part, outcome, rows in (
        ("whether", "punishes", used),
        ("how much", "points", punished),
    ):
        counts = {
            "part": part,
            "pairs": len(rows),
            "groups": _groups(rows),
            "punishments": len(punished),
        }
        yield from ({**counts, **row} for row in _fitted(rows, outcome))


def _fitted(rows: pd.DataFrame, outcome: str) -> Iterator[dict[str, Any]]:
    """Yield one row per coefficient of a part, or a single row with the reason why there are
    none."""
    terms = _varying(rows)
    try:
        _check(rows, outcome, len(terms))
        with warnings.catch_warnings(), np.errstate(over="ignore"):
            warnings.simplefilter("ignore", FewClustersWarning)
            kind = "logit" if outcome == "punishes" else "ols"
            fit = regression(rows, f"{outcome} ~ {' + '.join(terms) or '1'}", kind=kind)
    except NoTest as refusal:
        yield {"coefficient": "", "notes": f"{refusal}"}
        return
    for name, result in fit.results.items():
        numbers = {key: getattr(result, key) for key in ("effect", "low", "high", "p")}
        error, notes = float(fit.fit.bse[name]), "; ".join(result.notes)
        yield {"coefficient": name.lower(), "se": error, **numbers, "notes": notes}


def _varying(rows: pd.DataFrame) -> list[str]:
    """Return the terms that differ between pairs; the others cannot be estimated."""
    return [name for name in TERMS if rows[name].nunique() > 1]


def _groups(rows: pd.DataFrame) -> int:
    return len(rows[GROUP].drop_duplicates())


def _check(rows: pd.DataFrame, outcome: str, terms: int) -> None:
    """Raise NoTest if there are too few groups, or too few punishments for this number of terms."""
    punishments, least = int(rows["punishes"].sum()), PER_TERM * max(terms, 1)
    if _groups(rows) < LEAST_GROUPS:
        raise NoTest(
            f"{counted(_groups(rows), 'group')} with such pairs; at least {LEAST_GROUPS} are needed"
        )
    for number, noun in ((punishments, "punishment"), (len(rows) - punishments, "unpunished pair")):
        if number < least and (noun == "punishment" or outcome == "punishes"):
            raise NoTest(
                f"{counted(number, noun)}; at least {least} are needed, {PER_TERM} for each term"
            )
