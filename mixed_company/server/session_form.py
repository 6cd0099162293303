"""Form that creates a session: keys in groups, with choices, units and help.

The form is built from the schema that checks the keys (`table.manual`). The keys that researchers
change first are visible; all others are collapsed under the titles of their groups. An error is a
sentence next to its field. Texts are escaped here because oTree's templates do not escape.

    /session_form/NAME     GET: the fields as HTML, for the admin

The fields cannot change while the server runs, so they are rendered once, when the config is first
chosen. The page that lists the configs does not contain them, because the fields of all configs
took 1.5 seconds and 1.7 MB each time.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from html import escape
from typing import Any

from otree import settings
from otree.session import SESSION_CONFIGS_DICT
from otree.templating import render
from otree.views import cbv
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from mixed_company.engine.contract.errors import nearest, short
from mixed_company.experiment.treatments import games_of
from mixed_company.table.manual import Group, Key, groups
from mixed_company.table.setup import resolve

_OTREE = Group(
    "Money",
    (
        Key("participation_fee", "payment for taking part", "currency", first=True),
        Key(
            "real_world_currency_per_point",
            "payment for each point",
            "currency",
            "at least 0",
            first=True,
        ),
    ),
)

_FIRST = "Changed most often"


@dataclass(frozen=True)
class Described:
    """One key of a session config as a page shows it; all texts are HTML.

    label     name of the key in words
    control   form field
    changed   whether its value differs from the session config's
    first     whether it is one of the keys that researchers change first
    """

    name: str
    label: str
    value: str
    meaning: str
    unit: str
    rule: str
    control: str
    changed: bool
    first: bool


def _groups(config: Mapping[str, Any]) -> list[Group]:
    """Return the groups of keys: the keys of the first app that has a game, and the payment."""
    games = games_of(config)
    return [*(groups(games[0]) if games else ()), _OTREE]


def fields(config: Any) -> list[dict[str, Any]]:
    """Return the form of a session config as HTML.

    The fields that researchers change first come first, then all others, collapsed under the titles
    of their groups.
    """
    groups = described(config, config)
    first = [row for group in groups for row in group["rows"] if row.first]
    shown = [{"title": _FIRST, "rows": first, "folded": False}]
    for group in groups:
        rest = [row for row in group["rows"] if not row.first]
        shown += [{"title": group["title"], "rows": rest, "folded": True}] if rest else []
    return shown


def as_shipped(shipped: Mapping[str, Any]) -> dict[str, Any]:
    """Return a session config with the values that a session gets if nothing is changed."""
    values = dict(shipped)
    for game_id in games_of(shipped):
        values |= resolve(game_id, shipped, shipped)[1]
    return values


def described(config: Any, shipped: Any) -> list[dict[str, Any]]:
    """Return all keys that can be edited, in groups, and whether `shipped` has different values."""
    editable = config.editable_fields()
    listed = _groups(config)
    listed_names = {key.name for group in listed for key in group.keys}
    rest = tuple(Key(name, "") for name in editable if name not in listed_names)
    shown = []
    for group in [*listed, *([Group("Other", rest)] if rest else [])]:
        rows = [_row(config, shipped, key) for key in group.keys if key.name in editable]
        shown.append({"title": escape(group.title), "rows": rows})
    return [group for group in shown if group["rows"]]


def _row(config: Any, shipped: Any, key: Key) -> Described:
    value = config[key.name]
    return Described(
        escape(key.name),
        escape(key.name.replace("_", " ").capitalize()),
        escape(_written(value)),
        escape(key.meaning),
        escape(settings.REAL_WORLD_CURRENCY_CODE if key.unit == "currency" else key.unit),
        escape(key.rule),
        _control(config.html_field_name(key.name), key, value),
        key.name != "seed" and value != shipped.get(key.name),
        key.first,
    )


def _written(value: Any) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _control(name: str, key: Key, value: Any) -> str:
    """Return a key's form field: a list of choices, a checkbox, or a field for a number or a
    string.
    """
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
    """Return a session's changes, for lists of sessions: `capacity 80, periods 20`. Only keys that
    somebody chose are named, not values that follow from an archetype.
    """
    named = [key.name for group in _groups(config) for key in group.keys if key.name != "seed"]
    different = [name for name in named if name in shipped and config.get(name) != shipped[name]]
    return ", ".join(f"{name} {_written(config[name]) or 'none'}"[:60] for name in different)


# -- refusals -------------------------------------------------------------------------------------

_LINE = re.compile(r"^(?:core\.)?(\w+)[\w.\[\]]* = (.*)$", re.S)
_PREFIX = "Failed to create session: "


def unreadable(config: Any, form: Mapping[str, Any]) -> dict[str, str]:
    """Return the form fields that should be numbers but are not, with the reason. oTree converts
    these fields before a session is checked, and would fail without a message.
    """
    refused = {}
    for name in config.editable_fields():
        value, text = config[name], str(form.get(config.html_field_name(name), "")).strip()
        if isinstance(value, bool | str) or not text:
            continue
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            refused[name] = f"{text[:40]}: should be a number"
        elif isinstance(value, int) and number != int(number):
            refused[name] = f"{text[:40]}: should be a whole number"
    return refused


def refusals(error: str) -> tuple[dict[str, str], list[str]]:
    """Return an error's lines by field, and the lines that do not belong to a field."""
    by_field, others = {}, []
    for line in error.removeprefix(_PREFIX).split("\n"):
        match = _LINE.match(line)
        if match is not None:
            by_field[match[1]] = match[2]
        elif line.strip():
            others.append(line)
    return by_field, others


class SessionForm(cbv.AdminView):
    """Fields of the config named in the address; 404 for an unknown name."""

    async def get(self, _request: Request, name: str) -> Response:
        if name not in SESSION_CONFIGS_DICT:
            hint = nearest(name, SESSION_CONFIGS_DICT)
            return PlainTextResponse(f"session config {short(name)}{hint}\n", status_code=404)
        return Response(_fields_of(name), media_type="text/html")


@cache
def _fields_of(name: str) -> bytes:
    context = {"name": name, "groups": fields(SESSION_CONFIGS_DICT[name])}
    html: bytes = render("mixed/SessionForm.html", context).body
    return html


ROUTES = [Route("/session_form/{name}", SessionForm, name="SessionForm")]
"""Route that `server.mends` adds to oTree."""
