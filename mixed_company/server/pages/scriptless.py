"""Pages without scripts, for programs that read and submit forms. A session with `scriptless` shows
them to participants with `plain=1` in their link. These are the usual pages without their scripts;
live pages become forms, which reload while the participant waits. A decision goes through the same
checks and into the same journal as a decision sent over a socket.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Mapping
from html import escape
from typing import Any

from mixed_company.server.open.arrivals import PLAIN, parameters_of
from mixed_company.server.open.open_table import OpenTable
from mixed_company.server.outside import words
from mixed_company.server.pages import wording
from mixed_company.table.protocol import Message, Refusal, parse
from mixed_company.table.setup import Setup

_SCRIPT = re.compile(r"<script\b.*?</script>", re.DOTALL)


def is_plain(setup: Setup, player: Any) -> bool:
    """Return whether a person has pages without scripts."""
    return setup.options.scriptless and parameters_of(player).get(PLAIN) == "1"


def without_scripts(page: str) -> str:
    """Return the HTML of a page without its scripts."""
    return _SCRIPT.sub("", page)


def waiting(title: str, line: str) -> dict[str, Any]:
    """Return the variables of a page that reloads until the wait is over."""
    return {"title": title, "lines": [line], "fields": [], "hidden": [], "waits": True}


def decision(opened: OpenTable, seat: int, view: Mapping[str, Any]) -> dict[str, Any]:
    """Return the variables of a play page: what a seat sees, and the form for its decision."""
    shown, play = words.with_words(opened.table, seat, view), wording.play()
    lines = [escape(line) for line in f"{shown['text']}\n{shown['asked']}".splitlines() if line]
    page = {"title": play["decide"], "lines": lines, "fields": [], "hidden": [], "waits": False}
    if view["phase"] == "over":
        return {**page, "title": play["over"]}
    if view.get("to_confirm"):
        return page
    if view["phase"] != "decide" or view.get("decision") is not None:
        return {**page, "title": wording.lobby()["title"], "waits": True}
    rules = shown["schema"]["properties"]
    only = {name: rule["minimum"] for name, rule in rules.items() if _has_one_value(rule)}
    fields = [_field(name, rule) for name, rule in rules.items() if name not in only]
    hidden = {"decision_id": secrets.token_hex(8), "decision_period": view["period"], **only}
    sent = [{"name": name, "value": value} for name, value in hidden.items()]
    return {**page, "fields": fields, "hidden": sent}


def _has_one_value(rule: Mapping[str, Any]) -> bool:
    return "minimum" in rule and rule["minimum"] == rule.get("maximum")


def _field(name: str, rule: Mapping[str, Any]) -> dict[str, Any]:
    """Return a field of the form, from the JSON Schema of one value in an action."""
    ends = [f"{end} {rule[end]:g}" for end in ("minimum", "maximum") if end in rule]
    label = f"{rule['description']}: {', '.join(ends)}" if ends else rule["description"]
    return {
        "name": name,
        "label": escape(label),
        "options": rule.get("enum", ()),
        "kind": 'type="number" step="1"' if rule["type"] == "integer" else 'inputmode="decimal"',
    }


def message_of(table: Any, seat: int, form: Mapping[str, Any]) -> Message | Refusal:
    """Return the message that a submitted play page represents."""
    if table.to_confirm(seat):
        return parse({"kind": "ready", "id": secrets.token_hex(8)})
    names = [field.name for field in table.game.declaration.actions]
    action = {name: _value(form[name]) for name in names if form.get(name, "") != ""}
    period = _value(form.get("decision_period"))
    sent = {"kind": "act", "id": form.get("decision_id"), "period": period, "action": action}
    return parse(sent)


def _value(text: Any) -> Any:
    """Return a field's JSON value; text that is not JSON stays text."""
    try:
        return json.loads(str(text))
    except (ValueError, RecursionError):
        return str(text)


def taken(opened: OpenTable, seat: int, message: Message | Refusal) -> str:
    """Handle a message at a table, in its loop; return the reason if it is refused."""
    if isinstance(message, Refusal):
        return message.reason
    replies = [reply for place, reply in opened.take(seat, message) if place == seat]
    return next((str(reply["reason"]) for reply in replies if reply["kind"] == "refused"), "")
