"""Participants: one row each, and how many there are in each treatment.

Everyone who opened the session's link is counted, whatever stage they reached.
"""

from __future__ import annotations

from typing import Any

import pandas as pd

from mixed_company.analysis.data import GROUP, Data
from mixed_company.analysis.notes import places

NO_TREATMENT = "no group formed"

STAGES = {
    "finished": "played to the end",
    "playing": "is in a group that has not finished",
    "left in play": "had dropped out when the game ended",
    "ended early": "played until the game was stopped early",
    "let go": "played until the manager dismissed this participant",
    "excluded": "was excluded by the manager",
    "released": "was released without a group",
    "lobby": "was last seen in the lobby",
    "quiz failed": "did not pass the quiz",
    "quiz": "was last seen in the quiz, after at least one attempt",
    "no consent": "refused consent",
    "instructions": "was last seen in the instructions, before submitting the quiz",
}
"""Stages that participants can reach, with descriptions."""

_OF_STATUS = {
    "finished": "finished",
    "seated": "playing",
    "waiting": "lobby",
    "ended": "ended early",
    "quiz_failed": "quiz failed",
    "no_consent": "no consent",
}
_COUNTED = {
    "finished": "finished",
    "still_playing": "playing",
    "left_in_play": "left in play",
    "ended_early": "ended early",
    "let_go": "let go",
    "excluded": "excluded",
    "released": "released",
    "left_in_lobby": "lobby",
    "quiz_failed": "quiz failed",
    "left_in_quiz": "quiz",
    "no_consent": "no consent",
    "left_in_instructions": "instructions",
}
LEFT = tuple(name for name in _COUNTED if name not in ("finished", "still_playing", "ended_early"))
"""Columns of `taking_part` that count participants who did not stay until their game ended."""


def _stage(status: str, ungrouped: bool, attempts: Any) -> str:
    """Return the stage that a participant reached, one of STAGES."""
    if status == "left":
        return "lobby" if ungrouped else "left in play"
    if status == "released":
        return "released" if ungrouped else "let go"
    if status == "arriving":
        return "quiz" if not pd.isna(attempts) and attempts > 0 else "instructions"
    return _OF_STATUS.get(status, status)


def participants(data: Data) -> pd.DataFrame:
    """Return one row per participant, in the order of the export.

    treatment     the group's treatment; without a group, the assigned treatment or, if all groups
                  of the session have the same treatment, this treatment. A person who played an
                  earlier block keeps the treatment, although no group of it reached this block
    stage         the stage that the participant reached, one of STAGES
    dropouts      number of times the participant lost the seat because of absence
    takeovers     number of these dropouts after which a policy took the seat
    returns       number of times the participant returned to the seat
    and from `outcomes`: points, paid_points, payment, quiz_attempts, disconnections, bot_share
    """
    table = data.arrived.merge(_changes(data.seats), on=[*GROUP, "participant"], how="left")
    groups = data.groups.astype({"treatment": "str"})
    of_group = groups.set_index(GROUP)["treatment"].to_dict()
    pairs = groups[["session", "treatment"]].drop_duplicates()
    of_session = pairs.drop_duplicates("session", keep=False).set_index("session")["treatment"]
    groups_before = table.groupby(["session", "participant"])["group"].transform("count")
    parted = table["group"].isna() & (groups_before > 0)
    labels = [
        f"{name}, {block}" if block else str(name)
        for name, block in zip(table["treatment"], table["block"].fillna(""), strict=True)
    ]
    assignments = [
        label if label in data.treatments or between else ""
        for label, between in zip(labels, parted & (table["treatment"] != ""), strict=True)
    ]
    table["treatment"] = [
        of_group.get((session, group), assigned or of_session.get(session, NO_TREATMENT))
        for session, group, assigned in zip(
            table["session"], table["group"], assignments, strict=True
        )
    ]
    rows = zip(table["status"], table["group"].isna(), table["quiz_attempts"], strict=True)
    table["stage"] = [_stage(str(status), missing, attempts) for status, missing, attempts in rows]
    counts = ["dropouts", "takeovers", "returns"]
    table[counts] = table[counts].fillna(0).astype(int)
    return table[
        [
            *("treatment", "session", "group", "seat", "participant", "label", "stage", "status"),
            *("points", "paid_points", "payment", "quiz_attempts", *counts),
            *("disconnections", "bot_share"),
        ]
    ]


def head_count(rows: pd.DataFrame) -> int:
    """Return the number of participants. With blocks, each of them has one row per block."""
    return len(rows[["session", "participant"]].drop_duplicates())


def unopened(data: Data) -> str:
    """Return a sentence about places that nobody opened; empty if there are none."""
    return f"{places(len(data.unopened)).capitalize()}." if data.unopened else ""


def _changes(seats: pd.DataFrame) -> pd.DataFrame:
    """Count how often the occupant of each participant's seat changed, by group."""
    dropped = seats["reason"] == "dropout"
    changes = seats[[*GROUP, "participant"]].assign(
        dropouts=dropped,
        takeovers=dropped & (seats["occupant"] == "policy"),
        returns=seats["reason"] == "returned",
    )
    return changes.groupby([*GROUP, "participant"], as_index=False).sum()


def treatments(data: Data) -> pd.DataFrame:
    """Return one row per treatment, in their order.

    stands_for   full description of its groups' configuration
    plays        number of plays, only if a block is repeated; each play has its own groups
    people       number of people who were in one of its groups at any time
    """
    groups = data.groups.groupby("treatment", observed=True)
    table = groups.agg(sessions=("session", "nunique"), groups=("group", "size"))
    table.index = table.index.astype("str")
    sat = data.seats.loc[data.seats["occupant"] == "person", [*GROUP, "participant"]]
    people = sat.merge(data.groups[[*GROUP, "treatment"]].astype({"treatment": "str"}), on=GROUP)
    once = people.drop_duplicates(["treatment", "session", "participant"])
    counts = once.groupby("treatment").size()
    if "play" in data.config:
        table["plays"] = pd.Series(data.plays)
    table["people"] = counts.reindex(table.index, fill_value=0).astype(int)
    meanings = ["; ".join(data.names.get(name, [name])) for name in table.index]
    table.insert(0, "stands_for", meanings)
    return table.rename_axis("treatment").reset_index()


def taking_part(data: Data) -> pd.DataFrame:
    """Return how many participants reached each stage, and their payments, one row per treatment.

    arrived                       participants of its sessions who opened the link
    grouped                       participants who joined a group
    finished ... left_in_instructions   participants by last stage; these add up to `arrived`
    dropped_out, taken_over, returned   participants to whom this happened at least once
    quiz_attempts_mean, _max      over participants who submitted the quiz
    payment_mean, _min, _max      over participants who finished, in the session's currency
    points_mean, _min, _max       over participants who finished
    """
    people = _once(participants(data))
    by_treatment = dict(iter(people.groupby("treatment", sort=False)))
    others = [name for name in by_treatment if name != NO_TREATMENT]
    names = dict.fromkeys((*data.treatments, *others, NO_TREATMENT))
    order = [name for name in names if name in by_treatment]
    return pd.DataFrame([{"treatment": name, **_counts(by_treatment[name])} for name in order])


def _once(people: pd.DataFrame) -> pd.DataFrame:
    """Return one row per participant and treatment, with sums over the plays of a repeated block
    and with the last stage."""
    keys = ["treatment", "session", "participant"]
    if not people.duplicated(keys).any():
        return people
    sums = ("points", "dropouts", "takeovers", "returns")
    how = {
        **dict.fromkeys(sums, "sum"),
        "group": "first",
        "stage": "last",
        "quiz_attempts": "max",
        "payment": "last",
    }
    return people.groupby(keys, sort=False, as_index=False).agg(how)


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
        **_summary("quiz_attempts", attempts, ("mean", "max")),
        **_summary("payment", finished["payment"].astype(float), ("mean", "min", "max")),
        **_summary("points", finished["points"].astype(float), ("mean", "min", "max")),
    }


def _summary(name: str, values: pd.Series[Any], kinds: tuple[str, ...]) -> dict[str, Any]:
    valid = values.dropna()
    return {f"{name}_{kind}": getattr(valid, kind)() if len(valid) else None for kind in kinds}
