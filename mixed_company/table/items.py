"""A question that people are asked in a session, as a session config or a file says it: an item.

    Item(name="mood", text="How do you feel?", when="after", type="slider", least=0, most=100)
    problem(item, 101)     "please enter a number from 0 to 100"; None: the answer can be kept

The `questions` of a session are a list of items (`table.questions`). Numbers and positions are
kept as they are answered; a choice is kept as the position of an option, from 1.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import Any, Literal, Self

from pydantic import model_validator

from mixed_company.engine.contract.config import Section, parameter
from mixed_company.engine.contract.errors import nearest
from mixed_company.language import SOURCE, codes, decimals
from mixed_company.language import gettext as _

__all__ = ["ABOUT_BOTS", "LONGEST_TEXT", "WHEN", "Item", "Value", "in_language", "problem"]

LONGEST_TEXT = 5_000
"""So many characters an answer can have."""

WHEN = ("before", "after", "end")
"""When a page of questions is shown: before the lobby, after the play, and as the last of all."""

ABOUT_BOTS = ("bots", "bot")
_BELONGS: dict[str, tuple[str, ...]] = {
    "action": ("others_mean", "others_choosing", "seat_action"),
    "choice": ("others_choosing",),
    "seat": ("seat_action", "bot"),
}
"""The keys that say more of what a question is about."""

Value = int | float | str
"""An answer: a number, a text, or of a choice the position of the option, from 1."""

About = Literal["", "others_mean", "others_choosing", "seat_action", "stock", "bots", "bot"]
Texts = str | dict[str, str]
Options = tuple[str, ...] | dict[str, tuple[str, ...]]

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,39}")
_NUMBERS = ("number", "slider")
_KEPT = "\n\t"
_LARGEST = 1e15
"""No number that is answered is beyond: up to it, whole numbers are exact in tables."""


class Item(Section):
    """A question. See the module's docstring."""

    name: str = parameter(..., "what its answers are called in the data")
    text: Texts = parameter(..., "what is asked; or by language, {code: text}")
    when: Literal["", "before", "after", "end"] = parameter(
        "", "on a page before the lobby, after the play, or as the last before the results"
    )
    periods: tuple[int, ...] = parameter((), "in these periods, before deciding; counted from 0")
    every: int = parameter(0, "every so many periods, from the first on", ge=0)
    type: Literal["number", "slider", "choice", "text"] = parameter(..., "how it is answered")
    least: float | None = parameter(None, "number, slider: the least answer")
    most: float | None = parameter(None, "number, slider: the highest answer")
    step: float = parameter(1.0, "number, slider: between two answers; 0: any", ge=0)
    options: Options = parameter((), "choice: the options; or by language, {code: options}")
    length: int = parameter(500, "text: characters at most", ge=1, le=LONGEST_TEXT)
    required: bool = parameter(True, "is it to be answered to go on")
    about: About = parameter(
        "",
        "what is true, known when the period is over: the mean of an action of the other seats; "
        "how many of them choose one option; the action of one seat; the stock; how many of the "
        "others are computer programs; is one seat one: 100 or 0",
    )
    action: str = parameter("", "about others_mean, others_choosing, seat_action: the action field")
    choice: int | None = parameter(None, "about others_choosing: the option, as in the data")
    seat: int | None = parameter(
        None, "about seat_action, bot: the seat; it is not asked itself", ge=0
    )
    pay: Literal["none", "binarised", "within"] = parameter(
        "none",
        "binarised: a prize, likelier the closer the answer is; within: a prize if it is off by no "
        "more than margin",
    )
    prize: float = parameter(0.0, "points that can be won", unit="points", ge=0)
    margin: float | None = parameter(None, "pay within: so much an answer may be off", ge=0)

    @model_validator(mode="after")
    def _whole(self) -> Self:
        for check in (_check_name, _check_when, _check_type, _check_belief, _check_pay):
            check(self)
        return self

    @property
    def in_play(self) -> bool:
        """Is it asked within periods?"""
        return not self.when

    @property
    def numeric(self) -> bool:
        return self.type in _NUMBERS

    def asked_in(self, period: int) -> bool:
        """Is it asked in this period?"""
        return period in self.periods or (self.every > 0 and period % self.every == 0)

    def asked_of(self, seat: int) -> bool:
        """Is it asked of who sits there? Nobody is asked about oneself."""
        return self.seat is None or self.seat != seat

    def worded(self, language: str) -> str:
        """What is asked, in a language."""
        return str(in_language(self.text, language))

    def listed(self, language: str) -> tuple[str, ...]:
        """The options of a choice, in a language."""
        return tuple(in_language(self.options, language))

    def written(self, value: Value) -> str:
        """An answer as a text for tables: of a choice the option, in the first of its languages."""
        if self.type == "choice":
            options = self.options
            first = next(iter(options.values())) if isinstance(options, dict) else options
            return first[int(value) - 1]
        if isinstance(value, float) and value == int(value):
            return str(int(value))
        return str(value)


def in_language(given: Any, language: str) -> Any:
    """What is given for all languages, or of what is given by language that of this one."""
    if not isinstance(given, dict):
        return given
    return given.get(language, given.get(SOURCE, next(iter(given.values()))))


# -- an answer --------------------------------------------------------------------------------


def problem(item: Item, value: Any) -> str | None:
    """Why an answer cannot be kept, for the person who gave it; None: it can."""
    if item.type == "text":
        return _text_problem(item, value)
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if item.type == "choice":
        options = item.listed(SOURCE)
        right = number and isinstance(value, int) and 1 <= value <= len(options)
        return None if right else _("please choose one of the answers")
    if not number or not abs(value) <= _LARGEST or _beyond(item, value):  # NaN is not either
        return _range(item)
    return _step_problem(item, value)


def _beyond(item: Item, value: float) -> bool:
    least, most = item.least, item.most
    return (least is not None and value < least) or (most is not None and value > most)


def _range(item: Item) -> str:
    least, most = (
        "" if end is None else decimals(f"{end:.12g}") for end in (item.least, item.most)
    )
    if least and most:
        return _("please enter a number from {least} to {most}").format(least=least, most=most)
    if least:
        return _("please enter a number, at least {least}").format(least=least)
    if most:
        return _("please enter a number, at most {most}").format(most=most)
    return _("please enter a number")


def _step_problem(item: Item, value: float) -> str | None:
    if not item.step:
        return None
    steps = (value - (item.least or 0.0)) / item.step
    if not math.isfinite(steps) or abs(steps - round(steps)) <= 1e-6:
        return None
    line = _("please enter a number in steps of {step}")
    return line.format(step=decimals(f"{item.step:.12g}"))


def _text_problem(item: Item, value: Any) -> str | None:
    if not isinstance(value, str):
        return _("please write a text")
    if len(value) > item.length:
        return _("please write at most {n} characters").format(n=item.length)
    unwritable = any(ord(sign) < 32 and sign not in _KEPT for sign in value)
    if unwritable or any(0xD800 <= ord(sign) < 0xE000 or ord(sign) == 127 for sign in value):
        return _("this text has a sign that cannot be kept")
    return None


# -- what is wrong with an item --------------------------------------------------------------


def _check_name(item: Item) -> None:
    if _NAME.fullmatch(item.name) is None:
        raise ValueError(
            f"name = {item.name!r:.60}: begins with a letter and has letters, digits and _, 40 at "
            "most"
        )
    for key in ("text", "options"):
        given = getattr(item, key)
        texts = given if isinstance(given, dict) else {SOURCE: given}
        for code, text in texts.items():
            if code not in codes():
                raise ValueError(f"{key} = {code!r}: unknown language{nearest(code, codes())}")
            lines = [text] if isinstance(text, str) else text
            if not all(line.strip() for line in lines):
                raise ValueError(f"{key} = {text!r:.60}: should not be empty")


def _check_when(item: Item) -> None:
    given = [key for key in ("when", "periods", "every") if getattr(item, key)]
    if len(given) != 1:
        named = " and ".join(given) or "none"
        raise ValueError(
            f"when = {item.when!r}: one of when ({', '.join(WHEN)}), periods and every says when "
            f"it is asked; given: {named}"
        )
    if any(period < 0 for period in item.periods):
        raise ValueError(f"periods = {list(item.periods)}: are counted from 0")


_OF_TYPES = {
    "least": _NUMBERS,
    "most": _NUMBERS,
    "step": _NUMBERS,
    "options": ("choice",),
    "length": ("text",),
}


def _check_type(item: Item) -> None:
    for key, types in _OF_TYPES.items():
        if key in item.model_fields_set and item.type not in types:
            value, named = getattr(item, key), " and ".join(types)
            if value != type(item).model_fields[key].default:
                raise ValueError(f"{key} = {value!r}: is for {named}, not {item.type}")
    if item.type == "slider" and None in (item.least, item.most):
        raise ValueError("type = 'slider': needs least and most")
    if item.least is not None and item.most is not None and item.least >= item.most:
        raise ValueError(f"least = {item.least}: should be below most, {item.most}")
    if item.type == "choice":
        given = item.options
        counts = {len(own) for own in (given.values() if isinstance(given, dict) else [given])}
        if len(counts) != 1 or min(counts) < 2:
            raise ValueError("options: two or more, as many in every language")


def _check_belief(item: Item) -> None:
    if not item.about:
        _check_unset(item, _BELONGS, "has a meaning only with about")
        if item.pay != "none":
            raise ValueError(f"pay = {item.pay!r}: nothing says which answer is right; set about")
        return
    if not item.numeric:
        raise ValueError(f"about = {item.about!r}: is answered by a number or a slider")
    if not item.in_play and item.about not in ABOUT_BOTS:
        raise ValueError(f"about = {item.about!r}: is asked within periods: set periods or every")
    if item.when == "before":
        raise ValueError(f"about = {item.about!r}: is known of a group, which comes later")
    for key, kinds in _BELONGS.items():
        value = getattr(item, key)
        if (item.about in kinds) != (value not in ("", None)):
            named = " or ".join(map(repr, kinds))
            raise ValueError(f"{key} = {value!r}: belongs to about = {named}, and only to it")


def _check_pay(item: Item) -> None:
    if item.pay == "none":
        return _check_unset(item, ("prize", "margin"), "has a meaning only with pay")
    if not item.in_play:
        raise ValueError(f"pay = {item.pay!r}: answers are paid within periods: set periods, every")
    if not item.prize:
        raise ValueError("prize = 0: what can be won, in points, should be above 0")
    if (item.pay == "within") != (item.margin is not None):
        raise ValueError(f"margin = {item.margin!r}: belongs to pay = 'within', and only it")
    if item.pay == "binarised" and None in (item.least, item.most):
        raise ValueError("pay = 'binarised': follows from the largest error: set least and most")
    return None


def _check_unset(item: Item, keys: Iterable[str], why: str) -> None:
    for key in keys:
        value = getattr(item, key)
        if value != type(item).model_fields[key].default:
            raise ValueError(f"{key} = {value!r}: {why}")
