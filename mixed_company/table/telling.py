"""A play in words, for whoever reads text: the rules and the field names of a game, and what a
view shows. It needs no server.

    rules(game, seat)            the numbers of the game, what is decided, what is seen
    seen(game, view)             what a view (`table.view`, as JSON) shows now
    asked(game, view)            what is to be done now; empty: nothing

For the commons with 100 fish, of a seat that earned 2 points in the period before:

    Period 2 of 10. You have 2 points.
    What you see now: stock (fish): 84; harvest: you 2, player 2: 4
    Your last period gave you 2 points; you did: harvest 2.

Values that are not shown are left out. Seats are players, counted from 1, as on the pages.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from mixed_company.engine.contract.space import Field
from mixed_company.engine.game import Game

__all__ = ["asked", "rules", "seen"]

View = Mapping[str, Any]

_ELSEWHERE = ("period", "seat", "ended")
"""What is told in other words."""


def rules(game: Game[Any], seat: int) -> str:
    """The numbers of a game, as policies know them, and its fields."""
    fields = type(game.core).model_fields
    own = game.core.model_dump(mode="json")
    lines = [
        f"The game is {game.id.replace('_', ' ')}: {game.seats} players, {game.horizon} periods. "
        f"You are player {seat + 1}.",
        "Its numbers:",
        *(
            f"- {name}: {_number(value)} ({fields[name].description})"
            for name, value in own.items()
            if fields[name].description
        ),
        "What you decide in a period:",
        *(f"- {_named(field)}" for field in game.declaration.actions),
        "What you are shown:",
        *(f"- {_named(field)}" for field in game.declaration.observations),
    ]
    return "\n".join(lines)


def _named(field: Field) -> str:
    unit = f" ({field.unit})" if field.unit else ""
    return f"{field.name}: {field.meaning}{unit}"


def seen(game: Game[Any], view: View) -> str:
    """What a view shows."""
    seat = next(one["seat"] for one in view["seats"] if one["you"])
    lines = [f"Period {view['period'] + 1} of {game.horizon}. You have {_number(view['points'])}"]
    lines[0] += " points."
    shown = [
        f"{field.name}{_unit(field)}: {words}"
        for field in game.declaration.observations
        if field.name not in _ELSEWHERE
        and (words := _value(game, field, view["observation"][field.name], seat))
    ]
    lines.append(f"What you see now: {'; '.join(shown)}")
    if view["last"] is not None:
        lines.append(_last(game, view["last"]))
    lines += _occupants(view)
    lines += _talk(view, seat)
    return "\n".join(lines)


def asked(game: Game[Any], view: View) -> str:
    """What is to be done now; empty: nothing."""
    left = view["remaining_ms"]
    until = "" if left is None else f" You have {left / 1000:.0f} s."
    if view["phase"] == "talk":
        return f"The group talks now: you can write, or say that you are done.{until}"
    if view["phase"] != "decide":
        return ""
    limits = [
        f"{field.name} from {_number(ends[0])} to {_number(ends[1])}"
        for field in game.declaration.actions
        if not isinstance((ends := view["limits"][field.name])[0], list)
    ]
    return f"Decide now: {', '.join(limits) or 'as the schema says'}.{until}"


def _unit(field: Field) -> str:
    return f" ({field.unit})" if field.unit else ""


def _number(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    return "no end" if value is None else str(value)


def _value(game: Game[Any], field: Field, value: Any, seat: int) -> str:
    """A field's value; of one number per seat, whose it is. Empty: it is not shown."""
    if not isinstance(value, list):
        return "" if value is None else _choice(field, value)
    if field.shape == (game.seats,) and not field.common:
        named = [
            f"{'you' if other == seat else f'player {other + 1}'} {_choice(field, own)}"
            for other, own in enumerate(value)
            if own is not None
        ]
        return ", ".join(named)
    if field.names and field.shape[-1] == len(field.names):
        value = _one_hot(field, value)
    return "; ".join(_rows(value)) if value else ""


def _choice(field: Field, value: Any) -> str:
    if field.names and not field.shape and field.kind == "choice":
        return field.names[int(value) - int(field.low)].replace("_", " ")
    return _number(value)


def _one_hot(field: Field, value: list[Any]) -> Any:
    """What the last axis stands for, in place of it."""
    if isinstance(value[0], list):
        return [_one_hot(field, own) for own in value]
    return field.names[value.index(max(value))].replace(" ", "_")


def _rows(value: list[Any]) -> Iterator[str]:
    if not any(isinstance(own, list) for own in value):
        yield " ".join("-" if own is None else _number(own) for own in value)
        return
    for own in value:
        yield from _rows(own if isinstance(own, list) else [own])


def _last(game: Game[Any], last: View) -> str:
    known = {field.name: field for field in game.declaration.actions}
    done = ", ".join(f"{name} {_choice(known[name], own)}" for name, own in last["used"].items())
    who = "" if last["by"] in ("person", "policy") else " (nobody decided for you in time)"
    return f"Your last period gave you {_number(last['reward'])} points; you did: {done}{who}."


_OCCUPANTS = {"person": "a person", "policy": "a computer program", "nobody": "gone"}


def _occupants(view: View) -> Iterator[str]:
    """Who is on the seats of the others, where people are shown that."""
    known = [
        f"player {one['seat'] + 1} is {_OCCUPANTS[one['occupant']]}"
        for one in view["seats"]
        if not one["you"] and "occupant" in one
    ]
    if known:
        yield f"Who plays: {', '.join(known)}."


def _talk(view: View, seat: int) -> Iterator[str]:
    """What was written in this period and, as it may have been after the decision, the last."""
    for one in (view.get("talk") or {}).get("messages", ()):
        if one["period"] < view["period"] - 1:
            continue
        who = "You" if one["seat"] == seat else f"Player {one['seat'] + 1}"
        kind = f" ({_OCCUPANTS[one['occupant']]})" if "occupant" in one else ""
        yield f"{who}{kind} wrote: {one['text']}"
