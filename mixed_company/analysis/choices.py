"""Decisions that people made themselves.

Every decision that a person sent is a choice. If a clock ends the periods, sending nothing is also
a choice, because pressing no key means staying put. If a period waits for answers, a default played
after a timeout is not a choice. A policy's decision in a person's seat is never a choice.
"""

from __future__ import annotations

import pandas as pd

from mixed_company.analysis.data import GROUP
from mixed_company.analysis.treatments import described


def on_clock(rows: pd.DataFrame, config: pd.DataFrame) -> pd.Series[bool]:
    """Return, for each row (with session and group), whether a clock ends the group's periods."""
    paces = [(described(text) or {}).get("pace") for text in config["options"]]
    clocked = pd.MultiIndex.from_frame(config.loc[[pace == "clock" for pace in paces], GROUP])
    return pd.Series(pd.MultiIndex.from_frame(rows[GROUP]).isin(clocked), rows.index)


def by_people(decisions: pd.DataFrame, config: pd.DataFrame) -> pd.Series[bool]:
    """Return, for each row of `decisions`, whether it is a person's choice."""
    idle = (decisions["decided_by"] == "default") & (decisions["occupant"] == "person")
    return (decisions["decided_by"] == "person") | (idle & on_clock(decisions, config))
