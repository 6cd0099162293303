"""The seats that a measure covers: people, or all seats, bots included."""

from __future__ import annotations

from mixed_company.experiment.plan import Hypothesis, Plan

BOTS_INCLUDED = (
    "treatments differ in bots, and this measure of groups includes bots, so a difference can come "
    "from the bots"
)
ALL_SEATS = "all seats"


def quantity(measure: str, of: str) -> str:
    """Return a measure with the seats that it covers; `of` is its level, `group` or `people`.

    >>> quantity("harvest", "people"), quantity("harvest", "group"), quantity("bot_share", "group")
    ('harvest of people', 'harvest of all seats', 'bot_share of the group')
    """
    return f"{measure} of {seats_of(measure, of)}"


def seats_of(measure: str, of: str) -> str:
    """Return the seats that a measure covers.

    Some measures of groups have names which say that they are about people, about bots, or about
    the difference between them.
    """
    if of != "group":
        return "people"
    named = measure.startswith(("people_", "bot_")) or measure.endswith("_gap")
    return "the group" if named else ALL_SEATS


def bots_included(plan: Plan, hypothesis: Hypothesis) -> bool:
    """Return whether the warning BOTS_INCLUDED applies: the compared treatments differ in bots, and
    the measure covers all seats."""
    if seats_of(hypothesis.measure, hypothesis.of) != ALL_SEATS:
        return False
    keys = ("bots", "people_per_group")
    changes = [plan.treatments[name].changes for name in plan.compared(hypothesis)]
    return any(change.get(key) != changes[0].get(key) for change in changes for key in keys)
