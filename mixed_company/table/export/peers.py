"""Columns and values for peer points, and for the second stage of a period.

decisions    `income`, `received`; also who decided in the second stage, and when: `peer_by`, ...
pairs        `assigned`, `received`, and with shuffled names `shown_as`

Seats have the same numbers as elsewhere in an export. The exception is `sent_assign_0`, ..., which
number the other seats in the order in which the seat saw them. With `peer_names` = `shuffled`, that
is not the order of seats.

Values that a game keeps from one stage of a period to the next have no column, because they are
empty after the period.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from mixed_company.engine.contract.space import Field
from mixed_company.engine.game import Game
from mixed_company.engine.play.period import Decision
from mixed_company.table.export.column import OF_PLAY, UNIX, Column

_STATE = (
    *("income", "assigned", "received", "received_from"),
    *("peer_cost", "peer_received", "shown_as"),
)
"""State fields of peer points; their values are in the columns below and in reward components."""


def without_column(game: Game[Any]) -> frozenset[str]:
    """Return the state fields that do not have their own column."""
    if not game.stages.several:
        return frozenset()
    between = (field.name for field in game.stages.state(game.seats))
    return frozenset((*between, *(_STATE if game.peers is not None else ())))


def meaning(game: Game[Any], field: Field) -> str:
    """Return the meaning of an action field; with shuffled names, it mentions the order."""
    shuffled = game.peers is not None and game.peers.shuffles and bool(field.shape)
    return f"{field.meaning}, in the order shown" if shuffled else field.meaning


# -- columns --------------------------------------------------------------------------------------


def later_columns(game: Game[Any]) -> Iterator[Column]:
    """Yield the columns of `decisions` that say who decided in the second stage, and when."""
    for stage in game.stages.names[1:]:
        yield Column(f"{stage}_occupant", "text", _at(stage, "person, policy or nobody"))
        yield Column(
            f"{stage}_policy_id", "text", _at(stage, "policy in the seat; empty: a person")
        )
        yield Column(
            f"{stage}_by",
            "text",
            _at(stage, "person, policy, default (nobody decided in time) or absent"),
            levels=("person", "policy", "default", "absent"),
        )
        effect = "when the decision took effect"
        yield Column(f"{stage}_shown_ms", "whole", _at(stage, "when it began"), OF_PLAY)
        yield Column(f"{stage}_at_ms", "whole", _at(stage, effect), OF_PLAY)
        machine = f"{effect}, on the machine's clock"
        yield Column(f"{stage}_wall_ms", "whole", _at(stage, machine), UNIX)
        delay = "a bot's thinking time, as drawn; empty: a person"
        yield Column(f"{stage}_delay_ms", "whole", _at(stage, delay), "ms")


def _at(stage: str, text: str) -> str:
    return f"stage {stage}: {text}"


def of_seats(game: Game[Any]) -> list[Column]:
    """Return the columns of `decisions` for peer points."""
    if game.peers is None:
        return []
    low, high = (end * (game.seats - 1) for end in _ends(game))
    return [
        Column("income", "real", "earned before points were assigned", "points"),
        Column("received", "whole", "points received from the others", low=low, high=high),
    ]


def of_pairs(game: Game[Any]) -> list[Column]:
    """Return the columns of `pairs` for peer points."""
    if game.peers is None:
        return []
    low, high = _ends(game)
    to, by = "points assigned to the partner", "points received from the partner"
    listed = [
        Column("assigned", "whole", to, low=low, high=high),
        Column("received", "whole", by, low=low, high=high),
        Column(
            "partner_income",
            "real",
            "points the partner earned before points were assigned",
            "points",
        ),
    ]
    if game.peers.shuffles:
        place, last = "position in which the partner was shown to the seat, from 0", game.seats - 1
        listed.append(Column("shown_as", "whole", place, low=0, high=last))
    return listed


def _ends(game: Game[Any]) -> tuple[float, float]:
    """Return the fewest and the most points that one seat can assign to another."""
    [assign] = (field for field in game.declaration.actions if field.name == "assign")
    return float(assign.low), float(assign.high)


# -- values ---------------------------------------------------------------------------------------


def later_row(stage: str, shown_ms: Any, decision: Decision) -> dict[str, Any]:
    """Return who decided in the second stage, and when."""
    return {
        f"{stage}_occupant": decision.occupant,
        f"{stage}_policy_id": decision.policy_id or "",
        f"{stage}_by": decision.by,
        f"{stage}_shown_ms": shown_ms,
        f"{stage}_at_ms": decision.at_ms,
        f"{stage}_delay_ms": "" if decision.delay_ms is None else decision.delay_ms,
    }


def seat_row(game: Game[Any], state: Mapping[str, Any], seat: int) -> dict[str, Any]:
    """Return a seat's values by column, taken from the state after the period."""
    if game.peers is None:
        return {}
    return {"income": state["income"][seat], "received": state["received"][seat]}


def pair_row(game: Game[Any], state: Mapping[str, Any], seat: int, partner: int) -> dict[str, Any]:
    """Return a pair's values by column, taken from the state after the period."""
    if game.peers is None:
        return {}
    row = {
        "assigned": state["assigned"][seat][partner],
        "received": state["assigned"][partner][seat],
        "partner_income": state["income"][partner],
    }
    if game.peers.shuffles:
        row["shown_as"] = state["shown_as"][seat].index(partner)
    return row
