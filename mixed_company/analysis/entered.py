"""Groups in which bots took people's seats."""

from __future__ import annotations

import pandas as pd

from mixed_company.analysis.data import GROUP, Data
from mixed_company.analysis.treatments import described

_COLUMNS = ("treatment", "session", "group", "planned_bots", "from_start", "during_play")


def bots_entered(data: Data) -> pd.DataFrame:
    """Return one row per group in which a bot took a person's seat, in data order.

    planned_bots   number of seats that the session reserves for bots
    from_start     number of other seats that a bot had from the start, because people were missing
    during_play    number of seats that a bot took over from a person
    """
    policies = data.seats[data.seats["occupant"] == "policy"]
    seated = policies["reason"] == "seated"
    left = policies["reason"].isin(("dropout", "handed"))
    seats, started, taken = (
        rows.groupby(GROUP)["seat"].nunique().to_dict()
        for rows in (data.seats, policies[seated], policies[left])
    )
    options = data.config.set_index(GROUP)["options"].to_dict()
    rows = []
    for treatment, *group in data.groups[["treatment", *GROUP]].itertuples(index=False):
        key = tuple(group)
        people = (described(options[key]) or {}).get("people_per_group")
        if not isinstance(people, int):
            continue
        bots = seats.get(key, people) - people
        row = (treatment, *key, bots, started.get(key, 0) - bots, taken.get(key, 0))
        if max(row[-2:]) > 0:
            rows.append(row)
    return pd.DataFrame(rows, columns=list(_COLUMNS))
