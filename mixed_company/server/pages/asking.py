"""Texts about a session's questions (`table.questions`), for scripts, notes on payment and
instructions."""

from __future__ import annotations

import json
from html import escape
from typing import Any

import orjson

from mixed_company.language import gettext as _
from mixed_company.language import spoken
from mixed_company.server.pages.texts import counted, exact
from mixed_company.table.items import Item
from mixed_company.table.options import Options


def described(items: list[Item]) -> list[dict[str, Any]]:
    """Return the data that a script needs to draw these questions, in the current language."""
    return [
        {
            **{key: getattr(item, key) for key in ("name", "type", "least", "most", "required")},
            **{key: getattr(item, key) for key in ("step", "length")},
            "text": item.worded(spoken()),
            "options": item.listed(spoken()) if item.type == "choice" else (),
            "note": pay_note(item),
        }
        for item in items
    ]


def in_play(options: Options, seat: int) -> str:
    """Return the questions on a seat's play page, as an HTML attribute; empty if there are none."""
    items = [item for item in options.questions if item.in_play and item.asked_of(seat)]
    return attribute(described(items)) if items else ""


def attribute(data: Any) -> str:
    """Return data as escaped JSON for an HTML attribute."""
    return escape(json.dumps(data))


def in_script(data: Any) -> str:
    """Return data as JSON for a script element; a tag in the data cannot close the element."""
    return orjson.dumps(data).decode().replace("<", "\\u003c")


def pay_note(item: Item) -> str:
    """Return a sentence about how an answer is paid; empty if it is not paid."""
    if item.pay == "within" and not item.margin:
        return counted(
            "You win {n} point if your answer is exactly right.",
            "You win {n} points if your answer is exactly right.",
            item.prize,
        )
    if item.pay == "within":
        return counted(
            "You win {n} point if your answer is off by at most {margin}.",
            "You win {n} points if your answer is off by at most {margin}.",
            item.prize,
            margin=exact(item.margin or 0.0),
        )
    if item.pay == "binarised":
        largest = (item.most or 0.0) - (item.least or 0.0)
        return counted(
            "You can win {n} point. The closer your answer is, the more likely you are to win. If "
            "it is exactly right, you win for sure. If it is off by {half}, your chance of winning "
            "is 75%. If it is off by {all}, you never win.",
            "You can win {n} points. The closer your answer is, the more likely you are to win. If "
            "it is exactly right, you win for sure. If it is off by {half}, your chance of winning "
            "is 75%. If it is off by {all}, you never win.",
            item.prize,
            half=exact(largest / 2),
            all=exact(largest),
        )
    return ""


def sentences(options: Options) -> list[str]:
    """Return the instructions' sentences about questions during play."""
    items = [item for item in options.questions if item.in_play]
    if not items:
        return []
    lines = [
        _(
            "You are also asked questions before you decide. No other player sees your answers, "
            "and your answers do not affect the game."
        )
    ]
    paid = [item for item in items if item.pay != "none"]
    quoted = _("\N{LEFT DOUBLE QUOTATION MARK}{question}\N{RIGHT DOUBLE QUOTATION MARK} {note}")
    lines += [
        quoted.format(question=escape(item.worded(spoken())), note=pay_note(item)) for item in paid
    ]
    if any(item.pay == "binarised" for item in paid):
        lines.append(
            _(
                "So it is best to give the number that you really expect on average. Chance then "
                "decides whether you win."
            )
        )
    if paid:
        lines.append(_("At the end you see what your answers earned, together with your points."))
    return lines
