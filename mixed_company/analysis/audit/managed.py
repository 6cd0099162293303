"""What was done at a table beside its rules, by the manager or as somebody left: is it right?

given_back   a seat that was handed to a policy waits for its person again
awaited, met   the others wait for who has left, and no more (`analysis.audit.awaited`)
excluded     the same as released, without pay; it stands before its `released`
released     the part of a person ended: `outcomes` has the status, and whoever followed is a policy
ended        the play ended, since the person on `seat` left if there is one: nothing is played
             after it, `outcomes` has the status
paused, resumed   in turn; the play's clock stood still meanwhile, so no other time is touched
extended     more time for a decision: `analysis.audit.clock` counts with it
message      a text; of that nothing follows
"""

from __future__ import annotations

import json
from typing import Any

from mixed_company.analysis.audit.awaited import AWAITED, check_ended
from mixed_company.analysis.audit.group import LENGTHENS, Group
from mixed_company.analysis.audit.rows import Findings
from mixed_company.table.export import Row

__all__ = ["BESIDE", "MANAGED", "check_managed"]

MANAGED = (
    *("given_back", "released", "excluded", "ended"),
    *("paused", "resumed", "extended", "message"),
)
"""The events of a manager, but `handed`, which is one of seats (`analysis.audit.happened`)."""


BESIDE = (*MANAGED, *AWAITED)
"""All of this module's events."""


def check_managed(group: Group, rows: list[Row], findings: Findings) -> None:
    """Each of these events agrees with the other tables, and with those before it."""
    paused, ended = False, False
    for row in rows:
        event, key = row["event"], f"period {row['period']}"
        if ended:
            findings.tell("events", row["row"], f"{key}: {event} after the play was ended")
        if event in ("paused", "resumed"):
            if (event == "resumed") != paused:
                findings.tell("events", row["row"], f"{key}: {event} twice in a row")
            paused = event == "paused"
        ended |= event == "ended"
        _detail(row, findings)
        if event in ("given_back", "released", "excluded", *AWAITED):
            _of_person(group, row, findings)
        elif event == "ended":
            _last(group, row, findings)
            check_ended(group, row, list(group.tables["events"].records()), findings)
    for seat in {row["seat"] for row in rows if row["event"] == "released"}:
        later = group.occupancies.get(seat, [])[-1:]
        if later and later[0]["occupant"] == "person":
            what = f"seat {seat}: its person was released, and has it still"
            findings.tell("seats", later[0]["row"], what)


def _of_person(group: Group, row: Row, findings: Findings) -> None:
    seat = row["seat"]
    first = group.occupancies.get(seat, [{"occupant": "nobody"}])[0]["occupant"]
    rule = "is a seat that never had a person"
    findings.rule(first == "person", "events", row["row"], "seat", seat, rule)


def _last(group: Group, row: Row, findings: Findings) -> None:
    """The play is ended in the period that would have been next."""
    given = ("events", row["row"], "period", row["period"])
    findings.value(*given, group.periods)
    rule = "ended a play that was over by its rules"
    right = group.replay.ended is None
    findings.rule(right, "events", row["row"], "event", row["event"], rule)


_SAYS = {"resumed": "stood_ms", **dict.fromkeys(LENGTHENS, "extra_ms")}


def _detail(row: Row, findings: Findings) -> None:
    """What an event says: a time, a text, or nothing."""
    try:
        detail: Any = json.loads(row["detail"]) if row["detail"] else {}
    except (ValueError, RecursionError):
        detail = None
    name = _SAYS.get(row["event"])
    if name is not None:
        ms = detail.get(name) if isinstance(detail, dict) else None
        right = type(ms) is int and (ms >= 0 or row["event"] == "met") and set(detail) == {name}
    elif row["event"] == "message":
        right = isinstance(detail, dict) and isinstance(detail.get("text"), str)
    else:
        right = detail == {}
    rule = f"is not what {row['event']} says"
    findings.rule(right, "events", row["row"], "detail", row["detail"], rule)
