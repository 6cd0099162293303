"""The seats that a measure covers: people, or all seats, bots included."""

from __future__ import annotations

ALL_SEATS = "all seats"


def quantity(measure: str, of: str) -> str:
    """Return a measure with the seats that it covers; `of` is the level: `group` or that of people.

    >>> quantity("harvest", "people"), quantity("harvest", "group"), quantity("bot_share", "group")
    ('harvest of people', 'harvest of all seats', 'bot_share of the group')
    """
    return f"{measure} of {seats_of(measure, of)}"


def seats_of(measure: str, of: str) -> str:
    """Return the seats that a measure covers.

    The names of some measures of groups say that they are about people, bots, or the difference.
    """
    if of != "group":
        return "people"
    named = measure.startswith(("people_", "bot_")) or measure.endswith("_gap")
    return "the group" if named else ALL_SEATS
