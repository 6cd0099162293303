"""The form in which a session is created, and what an answer to it says: in groups, with choices,
units and help; a refusal in a sentence, beside the field that it is about.

Made from what checks the keys (`table.manual`). oTree's templates escape nothing: here it is done.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Any

from mixed_company import engine
from mixed_company.table.manual import Group, Key, groups
from mixed_company.table.setup import resolve

__all__ = [
    "Described",
    "as_shipped",
    "changes",
    "described",
    "fields",
    "refusals",
    "unreadable",
]

_OTREE = Group(
    "Money",
    (
        Key("participation_fee", "paid for taking part", "currency"),
        Key("real_world_currency_per_point", "paid for each point", "currency", "at least 0"),
    ),
)


@dataclass(frozen=True)
class Described:
    """One key of a session config as a page shows it; all texts are HTML.

    control   the field of the form
    changed   is it another value than that of the session config it started from
    """

    name: str
    value: str
    meaning: str
    unit: str
    rule: str
    control: str
    changed: bool


def _groups(config: Mapping[str, Any]) -> list[Group]:
    """The groups of the first app that is a game of ours; of others all that can be edited."""
    ours = [app for app in config["app_sequence"] if app in engine.game_ids()]
    return [*(groups(ours[0]) if ours else ()), _OTREE]


def fields(config: Any) -> list[dict[str, Any]]:
    """The form of a session config: titles with their fields; what is of no group stands last."""
    return described(config, config)


def as_shipped(shipped: Mapping[str, Any]) -> dict[str, Any]:
    """A session config with what its session would have if nothing were changed."""
    values = dict(shipped)
    for app in shipped["app_sequence"]:
        if app in engine.game_ids():
            values |= resolve(app, shipped, shipped)[1]
    return values


def described(config: Any, shipped: Any) -> list[dict[str, Any]]:
    """All keys that can be edited, in groups, and whether they differ from the `shipped` ones."""
    editable = config.editable_fields()
    listed = _groups(config)
    known = {key.name for group in listed for key in group.keys}
    rest = tuple(Key(name, "") for name in editable if name not in known)
    shown = []
    for group in [*listed, *([Group("Other", rest)] if rest else [])]:
        rows = [_row(config, shipped, key) for key in group.keys if key.name in editable]
        shown.append({"title": escape(group.title), "rows": rows})
    return [group for group in shown if group["rows"]]


def _row(config: Any, shipped: Any, key: Key) -> Described:
    value = config[key.name]
    return Described(
        escape(key.name),
        escape(_written(value)),
        escape(key.meaning),
        escape(key.unit),
        escape(key.rule),
        _control(config.html_field_name(key.name), key, value),
        key.name != "seed" and value != shipped.get(key.name),
    )


def _written(value: Any) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _control(name: str, key: Key, value: Any) -> str:
    """A choice as a choice, a flag as a box, a number as a number."""
    common = f'name="{escape(name)}" id="{escape(name)}" aria-describedby="{escape(name)}-help"'
    if isinstance(value, bool):
        return f'<input type="checkbox" {common}{" checked" if value else ""}>'
    if key.choices:
        options = "".join(
            f"<option{' selected' if choice == value else ''}>{escape(choice)}</option>"
            for choice in dict.fromkeys((*key.choices, *([value] if value else [])))
        )
        return f"<select {common}>{options}</select>"
    if isinstance(value, str):
        return f'<input type="text" {common} value="{escape(value)}">'
    step, number = ("1", str(value)) if isinstance(value, int) else ("any", str(float(value)))
    return f'<input type="number" step="{step}" required {common} value="{number}">'


def changes(config: Mapping[str, Any], shipped: Mapping[str, Any]) -> str:
    """What a session has that its session config has not, for lists: `capacity 80, periods 20`.

    Of a key that was given only: what follows from an archetype is not named.
    """
    named = [key.name for group in _groups(config) for key in group.keys if key.name != "seed"]
    different = [name for name in named if name in shipped and config.get(name) != shipped[name]]
    return ", ".join(f"{name} {_written(config[name]) or 'none'}"[:60] for name in different)


# -- refusals -------------------------------------------------------------------------------------

_LINE = re.compile(r"^(?:core\.)?(\w+)[\w.\[\]]* = (.*)$", re.S)
_PREFIX = "Failed to create session: "


def unreadable(config: Any, form: Mapping[str, Any]) -> dict[str, str]:
    """The fields of a form that are no numbers where they must be, each with why not."""
    refused = {}
    for name in config.editable_fields():
        value, text = config[name], str(form.get(config.html_field_name(name), "")).strip()
        if isinstance(value, bool | str) or not text:
            continue
        number = _number(text)
        if number is None:
            refused[name] = f"{text[:40]}: should be a number"
        elif isinstance(value, int) and number != int(number):
            refused[name] = f"{text[:40]}: should be a whole number"
    return refused


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def refusals(error: str) -> tuple[dict[str, str], list[str]]:
    """The lines of a refusal by the field that they are about, and the others."""
    by_field, others = {}, []
    for line in error.removeprefix(_PREFIX).split("\n"):
        match = _LINE.match(line)
        if match is not None:
            by_field[match[1]] = match[2]
        elif line.strip():
            others.append(line)
    return by_field, others
