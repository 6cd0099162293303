"""Pages with a single message, for people who are not in a game, such as a welcome or a message
that the session is full or that something failed.

A page about a failure is in the language of the participant's previous page. For people who are not
participants, it is in the language of their browser. It reveals nothing about the server's
internals. An administrator also sees the sentence that a program would get.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any
from urllib.parse import parse_qsl

from otree.templating import render
from starlette.responses import Response

from mixed_company.language import SOURCE, codes, speaking, spoken
from mixed_company.language import gettext as _
from mixed_company.server.pages import texts

MOST_REMEMBERED = 20_000
SECONDS = {503: 3, 429: 3}
"""Times after which a page retries automatically, by status."""
AGAIN = (408, 429)
_PEOPLE = ("p", "InitializeParticipant", "OutOfRangeNotification", "join", "room", "room_ping")
_languages: OrderedDict[str, str] = OrderedDict()


def notice(
    words: Mapping[str, str],
    link: str = "",
    button: str = "",
    *,
    sentence: str = "",
    form: Sequence[tuple[str, str]] | None = None,
    seconds: int = 0,
) -> Response:
    """Return the page, in the current language.

    words     `title`, `lead` and perhaps `what_to_do`
    link      target of the button; empty for no button
    button    label of the button
    sentence  additional sentence for the administrator
    form      names and values that the button posts to the link; if it is None, the button only
              follows the link
    seconds   time after which the page presses the button automatically; 0 means never
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


def remember(code: str, language: str) -> None:
    """Remember a participant's language."""
    _languages[code] = language
    _languages.move_to_end(code)
    if len(_languages) > MOST_REMEMBERED:
        _languages.popitem(last=False)


def failure(status: int, sentence: str, scope: Mapping[str, Any], form: bytes = b"") -> bytes:
    """Return the page for a status and a sentence.

    scope   ASGI scope of the request
    form    body of the submitted form, if any, which the page can resend
    """
    again = status >= 500 or status in AGAIN
    with speaking(_language(scope)):
        page = notice(
            _words(status),
            _address(scope) if again else "",
            _("Try again"),
            sentence="" if _is_of_people(scope["path"]) else sentence,
            form=_fields(form) if scope["method"] == "POST" else None,
            seconds=SECONDS.get(status, 0),
        )
    return bytes(page.body)


def _words(status: int) -> dict[str, str]:
    if status == 404:
        return texts.gone()
    if status == 503:
        lead = _("Your progress is saved. This page will try again automatically.")
        return {"title": _("One moment, please"), "lead": lead, "what_to_do": ""}
    if status == 429:
        lead = _("The server is very busy. This page will try again automatically.")
        return {"title": _("One moment, please"), "lead": lead, "what_to_do": ""}
    return _went_wrong(status)


def _went_wrong(status: int) -> dict[str, str]:
    lead = _("This page could not be shown. Your progress is saved.")
    if status == 413:
        lead = _("This page sent more data than the server accepts.")
    elif status < 500:
        lead = _("The server did not accept the data from this page.")
    return {
        "title": _("Something went wrong"),
        "lead": lead,
        "what_to_do": _(
            "Please load the page again. If that does not help, tell the person who invited you."
        ),
    }


def _is_of_people(path: str) -> bool:
    return path.split("/")[1] in _PEOPLE


def _language(scope: Mapping[str, Any]) -> str:
    """Return the language of the participant's previous page, or else the language that the browser
    prefers.
    """
    parts = scope["path"].split("/")
    language = _languages.get(parts[2]) if len(parts) > 2 else None
    if language is not None:
        return language
    if not _is_of_people(scope["path"]):
        return SOURCE
    wanted = dict(scope["headers"]).get(b"accept-language", b"").decode("latin-1")
    named = [part.partition(";")[0].strip()[:2].lower() for part in wanted.split(",")]
    return next((name for name in named if name in codes()), SOURCE)


def _address(scope: Mapping[str, Any]) -> str:
    query = scope["query_string"].decode("latin-1")
    return str(scope["path"]) + (f"?{query}" if query else "")


def _fields(form: bytes) -> list[tuple[str, str]]:
    return parse_qsl(form.decode("utf-8", "replace"), keep_blank_values=True)
