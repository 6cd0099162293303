"""What the log of a table keeps of a period: plain JSON, without what is `bulk`.

Config, seed and actions give again what is left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.contract import space
from engine.contract.space import Arrays, Field
from engine.game import Game
from engine.play.episode import Episode
from engine.play.period import Period
from table.seating import Seat

__all__ = ["answered", "credit", "period", "shown", "who"]

Row = dict[str, Any]


def who(decided: Row) -> Row:
    """Who decided on a seat in a period, from its decision; a stand-in may have sat down since."""
    policy_id = decided.get("policy_id")
    occupant = "policy" if policy_id else "nobody" if decided["by"] == "absent" else "person"
    return {
        "occupant": occupant,
        "policy_id": policy_id,
        "by": decided["by"],
        "received_ms": decided["at_ms"],
        "delay_ms": decided.get("delay_ms"),
    }


def answered(decided: Row) -> str:
    """person, policy, absent, or default: the person had the seat and did not decide in time."""
    by = who(decided)
    return "policy" if by["occupant"] == "policy" else str(by["by"])


def credit(chair: Seat, decided: Row, reward: float) -> None:
    """What was earned on a seat in a period is the person's, unless a policy decided.

    What was still owed to a person who has left is paid to that person.
    """
    occupant = who(decided)["occupant"]
    chair.seat_points += reward
    if occupant != "policy":
        chair.points += reward
        chair.periods += occupant == "person"


def period(episode: Episode, step: Period) -> Row:
    """The world after a period, and why the play ended with it."""
    return {
        "state": _without_bulk(episode.game.declaration.state, episode.state_record()),
        "observations": shown(episode.game, step.observations),
        "ended": step.reason,
    }


def shown(game: Game[Any], observations: Arrays) -> Row:
    """What all seats see."""
    return space.to_json(_without_bulk(game.declaration.observations, observations))


def _without_bulk(layout: Sequence[Field], values: Mapping[str, Any]) -> dict[str, Any]:
    bulk = {field.name for field in layout if field.bulk}
    return {name: value for name, value in values.items() if name not in bulk}
