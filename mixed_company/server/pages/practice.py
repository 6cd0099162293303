"""The page on which a person practises, before the lobby: the play page, with a banner.

It is shown where the session has a practice (`practice_periods`); what is played there, and that
nothing of it counts, says `table.practice`.
"""

from __future__ import annotations

import json
from typing import Any

from mixed_company.language import Words
from mixed_company.language import gettext as _
from mixed_company.server import live
from mixed_company.server.blocks.way import again
from mixed_company.server.open.practices import practices
from mixed_company.server.pages.pages import Play, stage_vars
from mixed_company.server.pages.practising import banner, periods_of
from mixed_company.server.pages.shared import setup_of, words_of
from mixed_company.table.setup import Setup

__all__ = ["Practice"]


def _words(setup: Setup) -> Words:
    """The words of the play page, but for what would not be true in a practice."""
    over = _("The practice is over")
    return {
        **words_of(setup),
        "saved": _("Connected"),
        "over": over,
        "out": over,
        "over_said": _("The practice is over."),
        "out_said": _("The practice is over."),
        "out_ended": "",
        "to_results": _("Go on"),
    }


class Practice(Play):
    """Some periods of the game, alone with bots."""

    template_name = "mixed/Practice.html"
    step = "practice"
    form_fields: list[str] = []

    @staticmethod
    def hurry(_player: Any) -> bool:
        """Whoever practises goes on to the lobby."""
        return True

    @staticmethod
    def is_displayed(player: Any) -> bool:
        has_one = setup_of(player).options.practice_periods and not again(player)
        return bool(has_one and player.status == "arriving")

    @staticmethod
    def live_method(player: Any, data: Any) -> dict[int, Any]:
        return live.practice(player, data)

    @classmethod
    def vars_for_template(cls, player: Any) -> dict[str, Any]:
        setup = setup_of(player)
        own = {"attentive": False, "talk": None, "asks": "", "play": _words(setup)}
        own["practice"] = banner(setup)
        return {**super().vars_for_template(player), **own}

    @classmethod
    def js_vars(cls, player: Any) -> dict[str, Any]:
        setup = setup_of(player)
        (seat,) = practices.of(player).table.people
        shown = stage_vars(setup.practice, seat)
        return {**shown, "periods": periods_of(setup), "texts": _words(setup)}

    @staticmethod
    def error_message(player: Any, values: dict[str, Any]) -> str | None:
        table = practices.of(player).table
        left = player.status != "arriving" or table.parted(*table.people)
        return None if left else _("The practice is not over yet.")

    @staticmethod
    def before_next_page(player: Any, timeout_happened: bool) -> None:
        practised = practices.end(player)
        player.practised_periods = practised.periods
        player.practice_log = json.dumps(practised.decisions)
