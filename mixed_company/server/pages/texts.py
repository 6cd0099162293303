"""Texts of the shared pages. Every text goes through gettext, so a translation is a single file.

A game's names and texts are in its guide.
"""

from __future__ import annotations

from html import escape
from typing import Any, Literal

from mixed_company.language import decimals, ngettext
from mixed_company.language import gettext as _

Screen = Literal["about", "decides", "happens", "pays", "ends"]
"""Name of one of the instructions' screens. The names are in reading order."""


def number(value: float, digits: int = 1) -> str:
    """Format a result with `digits` digits after the point, or with none if they are all 0."""
    shown = f"{value:.{digits}f}".removesuffix("." + "0" * digits)
    return "0" if shown == "-0" else decimals(shown.replace("-", "\N{MINUS SIGN}"))


def periods_of(log: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return only the periods from the rows of a log."""
    return [row for row in log if row["kind"] == "period"]


def own_periods(log: list[dict[str, Any]], seat: int) -> list[dict[str, Any]]:
    """Return the periods of a log in which the person, rather than a stand-in, had the seat."""
    return [row for row in periods_of(log) if row["seats"][seat]["occupant"] == "person"]


def exact(value: float) -> str:
    """Format a number from the rules with all its digits."""
    return decimals(f"{value:.12g}".replace("-", "\N{MINUS SIGN}"))


def counted(
    singular: str, plural: str, value: float, digits: int | None = None, /, **gaps: Any
) -> str:
    """Return the text in the plural form that its number `{n}` requires, formatted by `exact` or
    `number`.
    """
    shown = exact(value) if digits is None else number(value, digits)
    size = value if digits is None else round(value, digits)
    return ngettext(singular, plural, size).format(n=shown, **gaps)


def per_player(value: Any) -> str:
    """Format a number from the rules, or the numbers of all players if they differ."""
    if not isinstance(value, tuple):
        return exact(value)
    parts = [
        _("{x} for Player {n}").format(x=exact(amount), n=n) for n, amount in enumerate(value, 1)
    ]
    return ", ".join(parts)


def paragraphs(text: str) -> list[str]:
    """Return the paragraphs of a text, separated by empty lines, as escaped HTML."""
    lines = [line.strip() for line in text.splitlines()]
    joined = "\n".join(lines).split("\n\n")
    return [escape(" ".join(part.split())) for part in joined if part.strip()]


def together(points: float, digits: int) -> str:
    """Return a sentence about the points that a group has earned."""
    return counted(
        "Your group earned {n} point together.",
        "Your group earned {n} points together.",
        points,
        digits,
    )


def earned(value: float, digits: int) -> str:
    """Return the caption below a number of points."""
    return ngettext("point earned", "points earned", round(value, digits))


def percent(share: float, digits: int | None = None) -> str:
    """Format a share such as 0.05 as 5%, by `exact` or `number`."""
    figure = exact(100 * share) if digits is None else number(100 * share, digits)
    return _("{p}%").format(p=figure)


def section(
    title: str,
    lines: list[str],
    table: list[dict[str, Any]] | None = None,
    *,
    screen: Screen = "happens",
) -> dict[str, Any]:
    """Return a section of the instructions: sentences, and perhaps a small table of {head, cells}.

    `screen` names the section's screen (`server.pages.instructions`). A section
    without a title is about the screen's own subject.
    """
    return {"title": title, "lines": lines, "table": table or [], "screen": screen}


def shared() -> dict[str, str]:
    """Return the texts that appear on every page."""
    return {
        "next": _("Next"),
        "instructions": _("Instructions"),
        "besides": _("More rules"),
        "questions": _("Questions"),
        "time": _("Time"),
        "payment": _("Payment"),
        "step_consent": _("Agree"),
        "company": _("Who is playing"),
        "absence": _("If somebody leaves"),
        "previous": _("Back"),
        "step_instructions": _("Read"),
        "step_quiz": _("Check"),
        "practice": _("Practice"),
        "step_practice": _("Practise"),
        "step_lobby": _("Wait"),
        "step_play": _("Play"),
        "step_results": _("Results"),
    }


def rate(count: int, money: str) -> str:
    """Return the value of `count` points; `money` is an amount as oTree formats it."""
    return counted("{n} point = {money}", "{n} points = {money}", count, money=money)


def quiz() -> dict[str, str]:
    return {
        "title": _("A few questions before you start"),
        "lead": _(
            "These questions check that you understand the rules. You can try as often as you like."
        ),
        "check": _("Check my answers"),
        "right": _("Right."),
        "missing": _("Please answer this question."),
        "look_again": _("Not quite. Please look at this one again."),
        "help": _("Hint:"),
        "answer_all": _("Please answer every question."),
        "wrong_some": _("Some answers are not right yet. See the notes below."),
        "rules": _("Show the instructions again"),
    }


def arrive() -> dict[str, str]:
    """Return the texts for a person who follows a link without a cookie."""
    return {
        "title": _("Welcome"),
        "lead": _("Press the button to take part."),
        "begin": _("Begin"),
    }


def quiz_lead(tries: int, used: int) -> str:
    """Return the lead of the quiz page; `tries` is the maximum number of attempts, or 0 if there is
    no limit.
    """
    if not tries:
        return quiz()["lead"]
    left = max(tries - used, 0)
    line = ngettext(
        "These questions check that you understand the rules. You can submit your answers {n} more "
        "time.",
        "These questions check that you understand the rules. You can submit your answers {n} more "
        "times.",
        left,
    )
    return line.format(n=left)


def consent() -> dict[str, str]:
    return {
        "title": _("Before you take part"),
        "agree": _("I agree to take part"),
        "refuse": _("I will not take part"),
        "choose": _("Please press one of the two buttons."),
    }


def comments() -> dict[str, str]:
    return {
        "title": _("One last question"),
        "lead": _("Is there anything you would like to tell us? You can leave this blank."),
    }


def full() -> dict[str, str]:
    """Return the texts for a person if a session has no free place."""
    return {
        "title": _("This session is full"),
        "lead": _("All places are taken, so you cannot take part this time."),
        "what_to_do": _("Please tell the person who invited you. You can close this page."),
        "finish": _("Finish"),
    }


def shut() -> dict[str, str]:
    """Return the texts for a person who arrives while admissions are stopped."""
    return {
        "title": _("This session is closed"),
        "lead": _("Nobody else can join at the moment."),
        "what_to_do": _("Please tell the person who invited you, or load this page again later."),
        "finish": _("Finish"),
    }


def elsewhere() -> dict[str, str]:
    """Return the texts for a person whose label was first used in another browser."""
    return {
        "title": _("You have already begun"),
        "lead": _("Your place is saved in the browser where you began."),
        "what_to_do": _(
            "Please open the link in that browser. If that is not possible, ask the person "
            "who invited you for your personal link."
        ),
        "finish": _("Finish"),
    }


def gone() -> dict[str, str]:
    """Return the texts for a person with a link to a deleted session."""
    return {
        "title": _("This link does not work"),
        "lead": _("The session is over, or part of the link is missing."),
        "what_to_do": _("Please ask the person who invited you for a new link."),
        "finish": _("Finish"),
    }
