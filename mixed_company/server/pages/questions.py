"""Pages of questions before and after the play.

A page submits one JSON object, name -> [answer, milliseconds since it was given]. The server checks
the object using the same rules as the page. A player's `answers` holds `given`, name -> [answer,
time]; `shown`, the time at which each page was first shown; and `refused`, the reasons why a page
was shown again. Times are from the machine's clock.
"""

from __future__ import annotations

import json
from typing import Any

from mixed_company.language import Words
from mixed_company.language import gettext as _
from mixed_company.server import clock
from mixed_company.server.blocks.way import goes_on, has_come
from mixed_company.server.pages import asking, wording
from mixed_company.server.pages.handed_in import handed_in
from mixed_company.server.pages.shared import Shared, setup_of
from mixed_company.server.treatments import planned_of
from mixed_company.table.items import Item, problem
from mixed_company.table.pay import is_paid
from mixed_company.table.questions import items_at


def _words(when: str) -> Words:
    return {
        **wording.play(),
        "title": _("Some questions about you") if when == "end" else _("Some questions"),
        "look_again": _("Please check the marked questions."),
    }


class _Questions(Shared):
    """Page of questions that are asked at stage `when`."""

    template_name = "mixed/Questions.html"
    step = "results"
    when = ""
    form_model = "player"
    form_fields = ["handed_answers"]

    @classmethod
    def items(cls, player: Any) -> list[Item]:
        return items_at(setup_of(player).options, cls.when, player.seat)

    @classmethod
    def is_displayed(cls, player: Any) -> bool:
        plays = player.seat >= 0 and is_paid(player.status, seated=True)
        return bool(plays and cls.items(player))

    @classmethod
    def vars_for_template(cls, player: Any) -> dict[str, Any]:
        kept = json.loads(player.answers)
        kept.setdefault("shown", {}).setdefault(cls.when, clock.now_ms())
        player.answers = json.dumps(kept)
        answered, items, words = kept.get("given", {}), cls.items(player), _words(cls.when)
        data = {
            "items": asking.described(items),
            "given": {item.name: answered[item.name][0] for item in items if item.name in answered},
            "refused": kept.get("refused", {}),
            "texts": words,
        }
        shown = {"title": words["title"], "asking": asking.attribute(data)}
        return {**cls.frame(player), **shown}

    @classmethod
    def error_message(cls, player: Any, values: dict[str, Any]) -> str | None:
        kept, refused = json.loads(player.answers), dict[str, str]()
        answered, now = kept.setdefault("given", {}), clock.now_ms()
        shown = kept.get("shown", {}).get(cls.when, now)
        sent = handed_in(values["handed_answers"])
        for item in cls.items(player):
            value, ago_ms = _answer(sent.get(item.name))
            why = None if value is None else problem(item, value)
            if value is None and item.required:
                why = _words(cls.when)["unanswered"]
            if why is not None:
                refused[item.name] = why
            elif value is None:
                answered.pop(item.name, None)
            elif answered.get(item.name, [None])[0] != value:
                answered[item.name] = [value, max(now - ago_ms, shown)]
        kept["refused"] = refused
        player.answers = json.dumps(kept)
        return _words(cls.when)["look_again"] if refused else None

    @staticmethod
    def before_next_page(player: Any, timeout_happened: bool) -> None:
        player.handed_answers = ""


def _answer(pair: Any) -> tuple[Any, int]:
    """Return a submitted answer, or None, and the number of milliseconds since it was given."""
    if not isinstance(pair, list) or len(pair) != 2 or pair[0] in (None, ""):
        return None, 0
    value, ago_ms = pair
    right = isinstance(ago_ms, int) and not isinstance(ago_ms, bool)
    return value, max(ago_ms, 0) if right else 0


class QuestionsBefore(_Questions):
    """Page of questions before people meet their group."""

    step = "lobby"
    when = "before"

    @classmethod
    def is_displayed(cls, player: Any) -> bool:
        return bool(player.status == "arriving" and cls.items(player))


class QuestionsAfter(_Questions):
    """Page of questions right after the play."""

    when = "after"


class Questionnaire(_Questions):
    """Page of final questions before the results; in a session with blocks, only after the last
    block."""

    when = "end"

    @classmethod
    def is_displayed(cls, player: Any) -> bool:
        over = has_come(player) and not goes_on(player, planned_of(player.subsession))
        return over and super().is_displayed(player)
