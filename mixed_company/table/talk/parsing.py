"""Parsing of the messages that a page sends when people talk.

{"kind": "say", "id": "u9", "text": "Take two each", "to": null}      freely worded
{"kind": "say", "id": "u9", "sentence": 2, "to": 3}                   from the list, to a seat
{"kind": "report", "id": "u10", "message": 17}                        report of a message
{"kind": "done", "id": "u11", "period": 3}                            ready to go on
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mixed_company.engine.contract.errors import short

KINDS = ("say", "report", "done")


@dataclass(frozen=True)
class Content:
    """Content of a talk message, apart from its kind and id.

    text, sentence   the text, or its place in the list
    to               seat that should get it; None for all seats that it can reach
    number           number of the reported message
    """

    text: str | None = None
    sentence: int | None = None
    to: int | None = None
    number: int = -1


def content_of(kind: str, data: Mapping[str, Any]) -> Content | str:
    """Return the content of a message of one of KINDS, or why it is invalid."""
    if kind == "done":
        return Content() if "period" in data else "period: is missing"
    if kind == "report":
        number = data.get("message")
        if number is None or not _is_whole(number):
            return f"message = {short(number)}: {_WHOLE}"
        return Content(number=number)
    text, sentence, to = data.get("text"), data.get("sentence"), data.get("to")
    if (text is None) == (sentence is None):
        return "text, sentence: set exactly one of the two"
    if text is not None and not isinstance(text, str):
        return f"text = {short(text)}: should be a string"
    for name, value in (("sentence", sentence), ("to", to)):
        if value is not None and not _is_whole(value):
            return f"{name} = {short(value)}: {_WHOLE}"
    return Content(text, sentence, to)


_WHOLE = "should be a whole number"


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**9
