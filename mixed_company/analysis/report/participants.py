"""Who took part: one row per participant, and their numbers by treatment.

Nobody is left out: whoever arrived is counted, however far he or she came.
"""

from __future__ import annotations

from typing import Any

import pandas as pd

from mixed_company.analysis.data import Data

__all__ = [
    "NO_TREATMENT",
    "participants",
    "stages",
    "taking_part",
    "treatment_of_sessions",
    "treatments",
]

NO_TREATMENT = "no group formed"

STAGES = {
    "finished": "played to the end",
    "playing": "sat in a group whose play was not over",
    "left in play": "had left when the play ended",
    "ended early": "played until the manager ended the play",
    "let go": "played until the manager ended this person's part",
    "released": "was released without a group",
    "lobby": "was last seen in the lobby",
    "quiz": "was last seen in the quiz, after at least one attempt",
    "instructions": "was last seen in the instructions, before the quiz was handed in",
}
"""How far a participant came."""

_OF_STATUS = {
    "finished": "finished",
    "seated": "playing",
    "waiting": "lobby",
    "ended": "ended early",
}
_COUNTED = {
    "finished": "finished",
    "still_playing": "playing",
    "left_in_play": "left in play",
    "ended_early": "ended early",
    "let_go": "let go",
    "released": "released",
    "left_in_lobby": "lobby",
    "left_in_quiz": "quiz",
    "left_in_instructions": "instructions",
}


def treatment_of_sessions(data: Data) -> dict[str, str]:
    """The treatment of each session whose groups are all of one.

    A participant who was never in a group counts to it.
    """
    names: dict[str, set[str]] = {}
    for session, name in zip(data.groups["session"], data.groups["treatment"], strict=True):
        names.setdefault(str(session), set()).add(str(name))
    return {session: next(iter(own)) for session, own in names.items() if len(own) == 1}


def stages(outcomes: pd.DataFrame) -> list[str]:
    """How far each participant came, one of STAGES."""
    rows = zip(outcomes["status"], outcomes["group"].isna(), outcomes["quiz_attempts"], strict=True)
    return [_stage(str(status), bool(alone), attempts) for status, alone, attempts in rows]


def _stage(status: str, alone: bool, attempts: Any) -> str:
    if status == "left":
        return "lobby" if alone else "left in play"
    if status == "released":
        return "released" if alone else "let go"
    if status == "arriving":
        return "quiz" if not pd.isna(attempts) and attempts > 0 else "instructions"
    return _OF_STATUS.get(status, status)


def participants(data: Data) -> pd.DataFrame:
    """One row per participant, in the order of the export.

    treatment     that of the group; of who was in none, that he or she was assigned to, else that
                  of the session
    stage         how far he or she came, one of STAGES
    dropouts      how often the seat went to somebody else because the person was away
    takeovers     how often it went to a policy
    returns       how often the person came back to it
    and from `outcomes`: points, paid_points, payment, quiz_attempts, disconnections, bot_share
    """
    table = data.outcomes.reset_index(drop=True).copy()
    of_group = _by(data.groups, ["session", "group"], "treatment")
    of_session = treatment_of_sessions(data)
    assigned = [own if own in data.treatments else "" for own in table["treatment"]]
    table["treatment"] = [
        of_group.get((session, group), own or of_session.get(str(session), NO_TREATMENT))
        for session, group, own in zip(table["session"], table["group"], assigned, strict=True)
    ]
    table["stage"] = stages(table)
    changes = _changes(data.seats)
    keys = list(zip(table["session"], table["participant"], strict=True))
    for name in ("dropouts", "takeovers", "returns"):
        table[name] = [changes.get(key, {}).get(name, 0) for key in keys]
    return table[
        [
            *("treatment", "session", "group", "seat", "participant", "label", "stage", "status"),
            *("points", "paid_points", "payment", "quiz_attempts", "dropouts", "takeovers"),
            *("returns", "disconnections", "bot_share"),
        ]
    ]


def _by(frame: pd.DataFrame, keys: list[str], value: str) -> dict[Any, Any]:
    columns = [frame[key] for key in keys]
    return dict(zip(zip(*columns, strict=True), frame[value], strict=True))


def _changes(seats: pd.DataFrame) -> dict[tuple[str, str], dict[str, int]]:
    """Of each participant, how often the seat changed hands."""
    changes: dict[tuple[str, str], dict[str, int]] = {}
    for row in seats.to_dict("records"):
        own = changes.setdefault(
            (row["session"], row["participant"]), {"dropouts": 0, "takeovers": 0, "returns": 0}
        )
        left = row["reason"] == "dropout"
        own["dropouts"] += left
        own["takeovers"] += left and row["occupant"] == "policy"
        own["returns"] += row["reason"] == "returned"
    return changes


def treatments(data: Data) -> pd.DataFrame:
    """One row per treatment, in their order.

    stands_for   what its groups have, in full
    people       who sat in one of its groups at any time
    """
    groups = data.groups.groupby("treatment", observed=True)
    sat = data.seats.loc[data.seats["occupant"] == "person", ["session", "group", "participant"]]
    of_group = data.groups[["session", "group", "treatment"]].astype({"treatment": "str"})
    people = sat.merge(of_group, on=["session", "group"])
    of = people.groupby("treatment")["participant"].nunique()
    rows = [
        {
            "treatment": name,
            "stands_for": "; ".join(data.names.get(str(name), [str(name)])),
            "sessions": own["session"].nunique(),
            "groups": len(own),
            "people": int(of.get(str(name), 0)),
        }
        for name, own in groups
    ]
    return pd.DataFrame(rows, columns=["treatment", "stands_for", "sessions", "groups", "people"])


def taking_part(data: Data) -> pd.DataFrame:
    """One row per treatment: how many came how far, and what they were paid.

    arrived                       all participants of its sessions
    grouped                       sat in a group
    finished ... left_in_instructions   how far they came; these add up to `arrived`
    dropped_out, taken_over, returned   participants to whom that happened at least once
    quiz_attempts_mean, _max      of those who handed in the quiz
    payment_mean, _min, _max      of those who finished, in the session's currency
    points_mean, _min, _max       of those who finished
    """
    people = participants(data)
    order = [*data.treatments, NO_TREATMENT]
    own = {name: people[people["treatment"] == name] for name in order}
    rows = [{"treatment": name, **_counts(some)} for name, some in own.items() if len(some)]
    return pd.DataFrame(rows)


def _counts(people: pd.DataFrame) -> dict[str, Any]:
    finished = people[people["stage"] == "finished"]
    attempts = people["quiz_attempts"][people["quiz_attempts"] > 0]
    return {
        "arrived": len(people),
        "grouped": int(people["group"].notna().sum()),
        **{name: int((people["stage"] == stage).sum()) for name, stage in _COUNTED.items()},
        "dropped_out": int((people["dropouts"] > 0).sum()),
        "taken_over": int((people["takeovers"] > 0).sum()),
        "returned": int((people["returns"] > 0).sum()),
        "quiz_attempts_mean": attempts.mean() if len(attempts) else None,
        "quiz_attempts_max": attempts.max() if len(attempts) else None,
        **_range("payment", finished["payment"]),
        **_range("points", finished["points"]),
    }


def _range(name: str, values: pd.Series[Any]) -> dict[str, Any]:
    some = values.dropna().astype(float)
    return {
        f"{name}_{kind}": getattr(some, kind)() if len(some) else None
        for kind in ("mean", "min", "max")
    }
