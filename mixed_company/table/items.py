"""Item: a question for people, as written in a session config or a file.

    Item(name="mood", text="How do you feel?", when="after", type="slider", least=0, most=100)
    problem(item, 101)     "please enter a number from 0 to 100"; None if the answer is valid

The `questions` of a session are a list of items (`table.questions`). Numbers and slider positions
are stored as answered; a choice is stored as the position of its option, from 1.
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

LONGEST_TEXT = 5_000
"""Maximum length of an answer, in characters."""

WHEN = ("before", "after", "end")
"""Pages of questions: before the lobby, after the play, and before the results."""

ABOUT_BOTS = ("bots", "bot")
_BELONGS: dict[str, tuple[str, ...]] = {
    "action": ("others_mean", "others_choosing", "seat_action"),
    "choice": ("others_choosing",),
    "seat": ("seat_action", "bot"),
}
"""Keys that specify what a question is about."""

Value = int | float | str
"""Answer: a number, a string or, for a choice, the option's position, from 1."""

About = Literal["", "others_mean", "others_choosing", "seat_action", "stock", "bots", "bot"]
Texts = str | dict[str, str]
Options = tuple[str, ...] | dict[str, tuple[str, ...]]

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,39}")
_NUMBERS = ("number", "slider")
_KEPT = "\n\t"
_LARGEST = 1e15
"""Largest number in an answer; whole numbers up to this size are stored exactly in tables."""


class Item(Section):
    """Question for people. See the module's docstring."""

    name: str = parameter(..., "name of its answers in the data")
    text: Texts = parameter(..., "the question, or one text per language, {code: text}")
    when: Literal["", "before", "after", "end"] = parameter(
        "",
        "page with the question: before the lobby, after the play, or last before the results; "
        "set exactly one of when, periods and every",
    )
    periods: tuple[int, ...] = parameter(
        (), "periods in which it is asked before the decision, counted from 0"
    )
    every: int = parameter(0, "ask it in every n-th period, starting with the first", ge=0)
    type: Literal["number", "slider", "choice", "text"] = parameter(..., "how it is answered")
    least: float | None = parameter(None, "number, slider: the lowest answer")
    most: float | None = parameter(None, "number, slider: the highest answer")
    step: float = parameter(1.0, "number, slider: step between answers; 0: any number", ge=0)
    options: Options = parameter(
        (), "choice: the options, or options per language, {code: options}"
    )
    length: int = parameter(500, "text: maximum number of characters", ge=1, le=LONGEST_TEXT)
    required: bool = parameter(True, "whether people must answer before they can continue")
    about: About = parameter(
        "",
        "the truth that the question is about, known when the period is over: the other seats' "
        "mean action; how many of them choose one option; one seat's action; the stock; how "
        "many of the others are computer programs; or whether one seat is a program: 100 or 0",
    )
    action: str = parameter("", "about others_mean, others_choosing, seat_action: the action field")
    choice: int | None = parameter(None, "about others_choosing: the option, as in the data")
    seat: int | None = parameter(
        None, "about seat_action, bot: the seat; its person is not asked", ge=0
    )
    pay: Literal["none", "binarised", "within"] = parameter(
        "none",
        "binarised: a prize that is more likely the closer the answer is; within: a prize if the "
        "error is at most margin",
    )
    prize: float = parameter(0.0, "points that can be won", unit="points", ge=0)
    margin: float | None = parameter(None, "pay within: largest error that still wins", ge=0)

    @model_validator(mode="after")
    def _whole(self) -> Self:
        for check in (_check_name, _check_when, _check_type, _check_belief, _check_pay):
            check(self)
        return self

    @property
    def in_play(self) -> bool:
        """True if the item is asked during periods."""
        return not self.when

    @property
    def numeric(self) -> bool:
        return self.type in _NUMBERS

    def asked_in(self, period: int) -> bool:
        """Return whether the item is asked in this period."""
        return period in self.periods or (self.every > 0 and period % self.every == 0)

    def asked_of(self, seat: int) -> bool:
        """Return whether the person in this seat is asked.

        People are not asked about their own seats.
        """
        return self.seat is None or self.seat != seat

    def worded(self, language: str) -> str:
        """Return the text of the question in a language."""
        return str(in_language(self.text, language))

    def listed(self, language: str) -> tuple[str, ...]:
        """Return the options of a choice in a language."""
        return tuple(in_language(self.options, language))

    def written(self, value: Value) -> str:
        """Return an answer as a string for tables; a choice is written in its first language."""
        if self.type == "choice":
            options = self.options
            first = next(iter(options.values())) if isinstance(options, dict) else options
            return first[int(value) - 1]
        if isinstance(value, float) and value == int(value):
            return str(int(value))
        return str(value)


def in_language(texts: Any, language: str) -> Any:
    """Return the text in a language; if there is none, in English; if there is none either, the
    first.

    A text without languages is returned unchanged.
    """
    if not isinstance(texts, dict):
        return texts
    return texts.get(language, texts.get(SOURCE, next(iter(texts.values()))))


# -- an answer --------------------------------------------------------------------------------


def problem(item: Item, value: Any) -> str | None:
    """Return the reason why an answer is invalid, as a sentence for the person, or None if it is
    valid."""
    if item.type == "text":
        return _text_problem(item, value)
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if item.type == "choice":
        options = item.listed(SOURCE)
        right = number and isinstance(value, int) and 1 <= value <= len(options)
        return None if right else _("please choose one of the answers")
    if not number or not abs(value) <= _LARGEST or _beyond(item, value):  # also refuses NaN
        return _range(item)
    return _step_problem(item, value)


def _beyond(item: Item, value: float) -> bool:
    lowest, highest = item.least, item.most
    return (lowest is not None and value < lowest) or (highest is not None and value > highest)


def _range(item: Item) -> str:
    lowest, highest = (
        "" if end is None else decimals(f"{end:.12g}") for end in (item.least, item.most)
    )
    if lowest and highest:
        return _("please enter a number from {least} to {most}").format(least=lowest, most=highest)
    if lowest:
        return _("please enter a number that is at least {least}").format(least=lowest)
    if highest:
        return _("please enter a number that is at most {most}").format(most=highest)
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
        return _("please write an answer")
    if len(value) > item.length:
        return _("please write at most {n} characters").format(n=item.length)
    unwritable = any(ord(sign) < 32 and sign not in _KEPT for sign in value)
    if unwritable or any(0xD800 <= ord(sign) < 0xE000 or ord(sign) == 127 for sign in value):
        return _("this text contains a character that cannot be saved")
    return None


# -- validation of an item -------------------------------------------------------------------


def _check_name(item: Item) -> None:
    if _NAME.fullmatch(item.name) is None:
        raise ValueError(
            f"name = {item.name!r:.60}: should begin with a letter and contain at most 40 letters, "
            "digits and _"
        )
    for key in ("text", "options"):
        value = getattr(item, key)
        texts = value if isinstance(value, dict) else {SOURCE: value}
        for code, text in texts.items():
            if code not in codes():
                raise ValueError(f"{key} = {code!r}: unknown language{nearest(code, codes())}")
            lines = [text] if isinstance(text, str) else text
            if not all(line.strip() for line in lines):
                raise ValueError(f"{key} = {text!r:.60}: should not be empty")


def _check_when(item: Item) -> None:
    schedules = [key for key in ("when", "periods", "every") if getattr(item, key)]
    if len(schedules) != 1:
        named = " and ".join(schedules) or "none"
        raise ValueError(
            f"when = {item.when!r}: set exactly one of when ({', '.join(WHEN)}), periods and "
            f"every; given: {named}"
        )
    if any(period < 0 for period in item.periods):
        raise ValueError(f"periods = {list(item.periods)}: should not be negative")


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
                raise ValueError(f"{key} = {value!r}: applies to {named}, not {item.type}")
    if item.type == "slider" and None in (item.least, item.most):
        raise ValueError("type = 'slider': set least and most")
    if item.least is not None and item.most is not None and item.least >= item.most:
        raise ValueError(f"least = {item.least}: should be below most, {item.most}")
    if item.type == "choice":
        options = item.options
        counts = {
            len(listed) for listed in (options.values() if isinstance(options, dict) else [options])
        }
        if len(counts) != 1 or min(counts) < 2:
            raise ValueError("options: should be two or more, the same number in every language")


def _check_belief(item: Item) -> None:
    if not item.about:
        _check_unset(item, _BELONGS, "applies only with about")
        if item.pay != "none":
            raise ValueError(f"pay = {item.pay!r}: the right answer is undefined; set `about`")
        return
    if not item.numeric:
        raise ValueError(
            f"about = {item.about!r}: possible only in an item of type number or slider"
        )
    if not item.in_play and item.about not in ABOUT_BOTS:
        raise ValueError(
            f"about = {item.about!r}: can be asked only within periods; set periods or every"
        )
    if item.when == "before":
        raise ValueError(f"about = {item.about!r}: cannot be asked before the group is formed")
    for key, kinds in _BELONGS.items():
        value = getattr(item, key)
        if (item.about in kinds) != (value not in ("", None)):
            named = " or ".join(map(repr, kinds))
            raise ValueError(f"{key} = {value!r}: should be set if and only if about = {named}")


def _check_pay(item: Item) -> None:
    if item.pay == "none":
        return _check_unset(item, ("prize", "margin"), "applies only with pay")
    if not item.in_play:
        raise ValueError(
            f"pay = {item.pay!r}: only answers within periods are paid: set periods or every"
        )
    if not item.prize:
        raise ValueError("prize = 0: should be above 0 points if an answer is paid")
    if (item.pay == "within") != (item.margin is not None):
        raise ValueError(f"margin = {item.margin!r}: should be set if and only if pay = 'within'")
    if item.pay == "binarised" and None in (item.least, item.most):
        raise ValueError(
            "pay = 'binarised': depends on the largest possible error, so set least and most"
        )
    return None


def _check_unset(item: Item, keys: Iterable[str], why: str) -> None:
    for key in keys:
        value = getattr(item, key)
        if value != type(item).model_fields[key].default:
            raise ValueError(f"{key} = {value!r}: {why}")
