"""The seats that a measure covers: people, or all seats, bots included."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mixed_company.experiment.hypothesis import Hypothesis
from mixed_company.experiment.plan import Plan

BOTS_INCLUDED = (
    "treatments differ in their bots, and this group measure includes bots, so a difference can "
    "come from the bots"
)
POINTS_FOLLOW = (
    "treatments differ in their bots, and people's points also depend directly on what bots do, "
    "so a difference can come from the bots"
)
HARVEST_FOLLOWS = (
    "treatments differ in their bots, and the harvest also depends directly on what bots leave, so "
    "a difference can come from the bots"
)
ALL_SEATS = "all seats"


def quantity(measure: str, of: str) -> str:
    """Return the name of a measure with the seats that it covers; `of` is its level, `group` or
    `people`.

    >>> quantity("harvest", "people"), quantity("harvest", "group"), quantity("bot_share", "group")
    ('harvest of people', 'harvest of all seats', 'bot_share of the group')
    """
    return f"{measure} of {seats_of(measure, of)}"


def seats_of(measure: str, of: str) -> str:
    """Return the seats that a measure covers.

    The names of some group measures say that they are about people, about bots, or about the
    difference between the two. Other group measures have one value for the group, such as its
    stock, and not one for each seat.

    >>> seats_of("stock_share", "group"), seats_of("collapsed", "group")
    ('the group', 'the group')
    """
    if of != "group":
        return "people"
    named = not _includes_bots(measure, of) or any(part in measure for part in _OF_GROUP)
    return "the group" if named else ALL_SEATS


_OF_GROUP = ("stock", "collapsed", "survived", "efficiency", "gini")
"""Parts of the names of measures that have no value for a single seat."""


def _includes_bots(measure: str, of: str) -> bool:
    """Return whether a measure covers the decisions of bots as well as of people."""
    named = measure.startswith(("people_", "bot_")) or measure.endswith("_gap")
    return of == "group" and not named


def follows(measure: str) -> bool:
    """Return whether a measure of people depends directly on what the others in the group do, as
    points do, and not only on people's decisions.

    >>> [follows(name) for name in ("points_per_period", "harm_suffered", "punishment_assigned")]
    [True, True, False]
    """
    earned = "points" in measure and not measure.endswith(("_assigned", "_per_point"))
    return earned or measure.endswith(("_received", "_suffered"))


def from_bots(plan: Plan, hypothesis: Hypothesis) -> str:
    """Return a sentence on differences that bots cause directly: BOTS_INCLUDED for a measure of all
    seats, POINTS_FOLLOW for people's points, HARVEST_FOLLOWS for their harvest (but not for what
    they request); empty if treatments do not differ in bots."""
    names = plan.compared(hypothesis)
    bots = [_bots_of({**plan.changes, **plan.treatments[name].changes}) for name in names]
    if all(others == bots[0] for others in bots):
        return ""
    if _includes_bots(hypothesis.measure, hypothesis.of):
        return BOTS_INCLUDED
    if "harvest" in hypothesis.measure and not hypothesis.measure.endswith("harvest_share"):
        return HARVEST_FOLLOWS
    return POINTS_FOLLOW if follows(hypothesis.measure) else ""


def _bots_of(changes: Mapping[str, Any]) -> tuple[Any, Any] | None:
    """Return the keys that determine a treatment's bots; None if people take all seats."""
    people = changes.get("people_per_group")
    if people is not None and people == changes.get("seats"):
        return None
    return changes.get("bots"), people
