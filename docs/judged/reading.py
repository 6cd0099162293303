"""Reply tables of people: Andreozzi, Ploner and Saral (2020), Scientific Reports 10, 13610.

There are two people, who can each give 0, 50 or 100. In every period, each person states a gift as
first mover (`uc`) and a reply to each possible gift from a first mover (`ccL`, `ccM`, `ccH`).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from mixed_company.engine.contract.space import Array

FILE = "conditional_cooperation_2020.csv"
GIFTS = (0, 50, 100)
QUESTIONS = ("ccL", "ccM", "ccH")
MISSING = f"""{{path}}: is missing.
The data are in the authors' repository seyhunsaral/stabilitycondcoop (data/csv/subjects.csv,
CC BY 4.0). Save the file as {FILE} in an empty folder, and pass the folder:
    python -m docs.judged --data DIR"""


@dataclass(frozen=True)
class People:
    """Reply tables of P people in T periods.

    replies      (T, P, 3) number of the gift in reply to each gift
    gifts        (T, P) number of the gift as first mover
    actions      (T, P) number of the gift that was played: as first mover, or in reply
    session      (P,) session of each person
    classes      number of people by period and class of the authors
    """

    replies: Array
    gifts: Array
    actions: Array
    session: Array
    classes: pd.DataFrame


def read(folder: Path) -> People:
    """Read the reply tables. Raises FileNotFoundError with a message that says where to get the
    data."""
    path = folder / FILE
    if not path.exists():
        raise FileNotFoundError(MISSING.format(path=path))
    frame = pd.read_csv(path).sort_values(["period", "subject_unq"])
    people, periods = frame["subject_unq"].nunique(), frame["period"].nunique()
    numbers = np.searchsorted(GIFTS, frame[[*QUESTIONS, "uc", "action"]].to_numpy())
    by_period = numbers.reshape(periods, people, 5)
    classes = pd.crosstab(frame["period"], frame["cond_class_narrow"])
    session = frame["session_unq"].to_numpy()[:people]
    replies, gifts, actions = by_period[..., :3], by_period[..., 3], by_period[..., 4]
    return People(replies, gifts, actions, session, classes)
