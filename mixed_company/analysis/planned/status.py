"""The status of a plan's tests: confirmatory, or the reason why they are not."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from mixed_company.analysis.audit.original import Original
from mixed_company.analysis.audit.way import plan_of
from mixed_company.analysis.data import Data
from mixed_company.experiment.sealing import Seal


def before_data(data: Data, seal: Seal) -> bool | None:
    """Return whether the plan was sealed before the first assignment to a treatment and before the
    first play. Return None if the data do not say when everybody with a slot or a group was
    assigned."""
    people = data.outcomes
    times = people["assigned_ms"].dropna()
    plays = data.seats["wall_ms"].dropna() if "wall_ms" in data.seats else times
    if any(not column.empty and int(column.min()) < seal.sealed_ms for column in (times, plays)):
        return False
    placed = people["group"].notna()
    if "slot" in people:
        placed |= people["slot"].notna()
    untimed = people["assigned_ms"].isna() & placed
    return None if times.empty or untimed.any() else True


def is_contradicted(data: Data, seal: Seal) -> bool:
    """Return whether only a play's time is before the seal, but all times of assignment are after
    it."""
    times = data.outcomes["assigned_ms"].dropna()
    late = not times.empty and int(times.min()) >= seal.sealed_ms
    return late and before_data(data, seal) is False


CONTRADICTED = (
    "a play has a time before the seal although people were assigned after it, because the "
    "machine's clock was set back or a time was changed"
)


def arrival(early: bool | None, absent: Sequence[str]) -> str:
    """Return a phrase that says when a plan was sealed. `early` is the result of `before_data`, and
    `absent` lists the sessions on the server that are missing from the export."""
    if early is None:
        return "but the data do not say when participants arrived"
    people = "participant of the sessions in the export" if absent else "participant"
    return f"{'before' if early else 'after'} the first {people} arrived"


def of_other_plans(data: Data, expected: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield each session whose plan has none of the `expected` digests, with the digest that it
    has, which is empty if the export has none."""
    for session in dict.fromkeys(data.config["session"]):
        digest = (plan_of(data.manifest, session) or {}).get("digest", "")
        if digest not in expected:
            yield str(session), str(digest)


def of_other_texts(data: Data, seal: Seal) -> list[str]:
    """Return the sessions that were not made from the sealed plan's text, or had its treatments in
    another order, and so had other hypotheses. Sessions may change keys of the plan; such changes
    are deviations.

    In exports from earlier releases, only the digest of the whole plan is known.
    """
    order = list(seal.content["plan"]["treatments"])
    others = []
    for session, _ in of_other_plans(data, seal.of_plan):
        entry = plan_of(data.manifest, session) or {}
        if entry.get("plan") not in seal.of_text or entry.get("order", order) != order:
            others.append(session)
    return others


def other_orders(data: Data, content: Mapping[str, Any], seal: Seal | None) -> dict[str, list[str]]:
    """Return the places in which the treatments' order differs from the sealed plan's, with that
    order, if the seal does not fix the order.

    content  current content of the plan's file (`experiment.sealing.content_of`)
    """
    if seal is None or seal.order:
        return {}
    places = {
        "its list of digests": dict.fromkeys(name.split(", ")[0] for name in seal.treatments),
        "its rules": seal.content["treatments"],
        "the plan's file": content["plan"]["treatments"],
    }
    for session in data.manifest.get("sessions") or {}:
        plan = plan_of(data.manifest, session) or {}
        listed = plan.get("order") or plan.get("treatments") or ()
        places[f"the manifest's entry for session {session}"] = listed
    sealed = list(seal.content["plan"]["treatments"])
    return {
        place: list(order)
        for place, order in places.items()
        if order and list(order) != sealed and sorted(order) == sorted(sealed)
    }


def reason(data: Data, seal: Seal | None, original: Original) -> str:
    """Return a clause that says why no test is confirmatory; empty if the tests are."""
    if data.rehearsed:
        return "the data come from a rehearsal"
    if seal is None:
        return "the plan was not sealed"
    early = before_data(data, seal)
    if early is None:
        return "the data do not say when participants arrived"
    if is_contradicted(data, seal):
        return CONTRADICTED
    if not early:
        return "the plan was sealed only after participants arrived"
    if original.count:
        return "the export does not pass mixed check"
    others = of_other_texts(data, seal)
    if others:
        subject = "session" if len(others) == 1 else "sessions"
        verb = "was" if len(others) == 1 else "were"
        return f"{subject} {', '.join(others)} {verb} not made from the sealed plan"
    return ""
