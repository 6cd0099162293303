"""Plain-text descriptions of games and views, for policies that read text.

They need no server.

    numbers(game)                the game's numbers, with their meanings
    rules(game, seat)            the game's numbers, actions and observations
    seen(game, view)             the content of a view (`table.view`, as JSON)
    asked(game, view)            the seat's current task; empty if there is none

For example, in the commons with 100 fish, for a seat that earned 2 points in the previous period:

    Period 2 of 10. You have 2 points.
    What you see now: stock (fish): 84; harvest: you 2, player 2: 4
    Your last period gave you 2 points; you did: harvest 2.

Values that are not shown are left out. Seats are called players and counted from 1, as on pages.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from mixed_company.engine.contract.space import Field
from mixed_company.engine.game import Game

View = Mapping[str, Any]

_ELSEWHERE = ("period", "seat", "ended")
"""Fields that this module describes in its own words."""


def rules(game: Game[Any], seat: int) -> str:
    """Return a game's parameters, under the names that policies use, and its fields."""
    periods = "you are not told how many periods"
    values = numbers(game)
    if game.told_horizon is None:
        values = {name: number for name, number in values.items() if name != "periods"}
    else:
        periods = f"{game.told_horizon} periods"
    lines = [
        f"The game is {game.id.replace('_', ' ')}: {game.seats} players, {periods}. "
        f"You are player {seat + 1}.",
        "Its numbers:",
        *(f"- {name}: {value} ({meaning})" for name, (value, meaning) in values.items()),
        "What you decide in a period:",
        *(f"- {named(field)}{_when(field)}" for field in game.declaration.actions),
        "What you are shown:",
        *(f"- {named(field)}" for field in game.declaration.observations),
    ]
    return "\n".join(lines)


def numbers(game: Game[Any]) -> dict[str, tuple[str, str]]:
    """Return the value and meaning of every number of a game, by name."""
    fields = type(game.core).model_fields
    return {
        name: ("empty" if value is None else _number(value), str(fields[name].description))
        for name, value in game.core.model_dump(mode="json").items()
        if fields[name].description
    }


def named(field: Field) -> str:
    """Return the name of a field with its meaning and unit."""
    unit = f" ({field.unit})" if field.unit else ""
    return f"{field.name}: {field.meaning}{unit}"


def seen(game: Game[Any], view: View) -> str:
    """Return the content of a view in words."""
    seat = next(chair["seat"] for chair in view["seats"] if chair["you"])
    of_all = "" if game.told_horizon is None else f" of {game.told_horizon}"
    lines = [f"Period {view['period'] + 1}{of_all}. You have {_number(view['points'])}"]
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
    """Return the seat's current task; empty if there is none."""
    left = view["remaining_ms"]
    until = "" if left is None else f" You have {left / 1000:.0f} s."
    if view["phase"] == "talk":
        return f"The group talks now: you can write, or say that you are done.{until}"
    if view["phase"] != "decide":
        return ""
    stage = view["observation"].get("stage", 0)
    limits = [
        f"{field.name} {_range(field, ends)}{_for_whom(field, ends)}"
        for field in game.declaration.actions
        if field.stage == stage and not isinstance((ends := view["limits"][field.name])[0], list)
    ]
    return f"Decide now: {', '.join(limits) or 'as the schema says'}.{until}"


def _when(field: Field) -> str:
    return ", once you see what the others decided" if field.stage else ""


def _range(field: Field, ends: list[Any]) -> str:
    low, high = _number(ends[0]), _number(ends[1])
    return f"either {low} or {high}" if field.ends_only else f"from {low} to {high}"


def _for_whom(field: Field, ends: list[Any]) -> str:
    """Return a phrase about the players who may get points; empty for all other fields."""
    if not field.stage or len(ends) < 3:
        return ""
    players = ", ".join(f"player {place + 1}" for place in ends[2])
    return f" for each of {players or 'nobody'}, in the order of all players"


def _unit(field: Field) -> str:
    return f" ({field.unit})" if field.unit else ""


def _number(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    return "no end" if value is None else str(value)


def _value(game: Game[Any], field: Field, value: Any, seat: int) -> str:
    """Return a field's value as text, player by player if it is per seat; empty if it is not
    shown."""
    if not isinstance(value, list):
        return "" if value is None else _choice(field, value)
    if field.shape == (game.seats,) and not field.common:
        named = [
            f"{'you' if other == seat else f'player {other + 1}'} {_choice(field, amount)}"
            for other, amount in enumerate(value)
            if amount is not None
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
    """Replace one-hot vectors on the last axis by their names."""
    if isinstance(value[0], list):
        return [_one_hot(field, part) for part in value]
    return field.names[value.index(max(value))].replace(" ", "_")


def _rows(value: list[Any]) -> Iterator[str]:
    if not any(isinstance(part, list) for part in value):
        yield " ".join("-" if part is None else _number(part) for part in value)
        return
    for part in value:
        yield from _rows(part if isinstance(part, list) else [part])


def _last(game: Game[Any], last: View) -> str:
    fields = {field.name: field for field in game.declaration.actions}
    done = ", ".join(
        f"{name} {_choice(fields[name], value)}" for name, value in last["used"].items()
    )
    who = "" if last["by"] in ("person", "policy") else " (nobody decided for you in time)"
    return f"Your last period gave you {_number(last['reward'])} points; you did: {done}{who}."


_OCCUPANTS = {"person": "a person", "policy": "a computer program", "nobody": "gone"}


def _occupants(view: View) -> Iterator[str]:
    """Yield a sentence about who occupies the other seats, if people can see this."""
    occupants = [
        f"player {chair['seat'] + 1} is {_OCCUPANTS[chair['occupant']]}"
        for chair in view["seats"]
        if not chair["you"] and "occupant" in chair
    ]
    if occupants:
        yield f"Who plays: {', '.join(occupants)}."


def _talk(view: View, seat: int) -> Iterator[str]:
    """Yield the messages from this period and the previous one, because some arrive after a
    decision."""
    for message in (view.get("talk") or {}).get("messages", ()):
        if message["period"] < view["period"] - 1:
            continue
        author = "You" if message["seat"] == seat else f"Player {message['seat'] + 1}"
        kind = f" ({_OCCUPANTS[message['occupant']]})" if "occupant" in message else ""
        yield f"{author}{kind} wrote: {message['text']}"
