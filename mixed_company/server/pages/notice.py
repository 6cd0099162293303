"""A page that says one thing to people who are on no page of a game: welcome, full, failed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from otree.templating import render
from starlette.responses import Response

from mixed_company.language import spoken

__all__ = ["notice"]


def notice(
    words: Mapping[str, str],
    link: str = "",
    button: str = "",
    *,
    sentence: str = "",
    form: Sequence[tuple[str, str]] | None = None,
    seconds: int = 0,
) -> Response:
    """Return the page, in the present language.

    words     `title`, `lead` and perhaps `what_to_do`
    link      where the button leads; empty: there is none
    button    what stands on the button
    sentence  one more, for the administrator
    form      names and values that the button sends to the link; None: it only follows the link
    seconds   after these the page presses the button itself; 0: never
    """
    fields = [{"name": escape(name), "value": escape(value)} for name, value in form or ()]
    shown = {
        "language": spoken(),
        "title": words["title"],
        "lead": words["lead"],
        "what_to_do": words.get("what_to_do", ""),
        "sentence": escape(sentence),
        "link": escape(link),
        "button": button,
        "seconds": seconds,
        "sends": form is not None,
        "fields": fields,
    }
    page: Response = render("mixed/Notice.html", shown)
    return page
