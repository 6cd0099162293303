"""Base class of all pages: a common appearance, one language, and the frame with the progress
bar.

If the response to a POST is a page, the browser asks on Reload or Back whether to submit the form
again. The response to a rejected page is therefore a redirect to the same page, which then shows
the reason once. Reasons are kept only in memory: after a restart, the page is shown without one.
"""

from __future__ import annotations

from collections import OrderedDict
from html import escape
from typing import Any

from otree.api import Page
from otree.i18n import core_gettext
from otree.views.abstract import MockForm

from mixed_company.language import Words, gettext, speaking, spoken
from mixed_company.server import treatments
from mixed_company.server.blocks.way import again, is_later
from mixed_company.server.open.tables import tables
from mixed_company.server.pages import (
    choosing,
    instructions,
    money,
    notice,
    scriptless,
    texts,
    wording,
)
from mixed_company.server.pages.guide import Guide, guide_of
from mixed_company.server.treatments import planned_of
from mixed_company.table.setup import Setup

MOST_KEPT = 20_000

_reasons: OrderedDict[str, tuple[int, str]] = OrderedDict()


def keep_reason(code: str, page: int, reason: str) -> None:
    """Store the reason why a participant's page was rejected; `page` is the page's index."""
    _reasons[code] = page, reason
    _reasons.move_to_end(code)
    if len(_reasons) > MOST_KEPT:
        _reasons.popitem(last=False)


def take_reason(code: str, page: int) -> str:
    """Remove and return the reason why a participant's page was rejected; empty if there is
    none."""
    of_page, reason = _reasons.pop(code, (page, ""))
    return reason if of_page == page else ""


def guide(setup: Setup) -> Guide:
    """Return the guide of a setup's game."""
    return guide_of(setup.config["identity"]["game"])


def words_of(setup: Setup) -> Words:
    """Return the texts of the play page, which the replay at the end also uses."""
    game, play = guide(setup).texts(setup.game.core), wording.play()
    if setup.game.told_horizon is None:
        play["period"] = play["period_alone"]
    return {**play, **choosing.words(setup), **game}


def setup_of(player: Any) -> Setup:
    """Return a person's setup: the treatment's setup, or the setup with the group's chosen rule."""
    setup = treatments.setup_of(player)
    return tables.of(player).table.setup if setup.rules and player.seat >= 0 else setup


class Shared(Page):
    """Base class of all pages, which look the same and get all texts from one source."""

    step = ""
    plain_template = ""
    """Template without scripts, for participants who have such pages; if it is empty, the usual
    template is used.
    """
    use_blank_layout = True
    _form_data: Any = None

    def inner_dispatch(self, request: Any) -> Any:
        """Respond in the session's language."""
        language = setup_of(self.player).options.language
        notice.remember(self.participant.code, language)
        with speaking(language):
            return super().inner_dispatch(request)

    @staticmethod
    def hurry(_player: Any) -> bool:
        """Handle "Advance slowest participants" for a person on this page; by default, do nothing.

        Returns whether the person moves on to the next page, as if its time were up.
        """
        return False

    @classmethod
    def frame(cls, player: Any) -> dict[str, Any]:
        setup = setup_of(player)
        words = texts.shared()
        names = ["consent", "instructions", "quiz", "practice", "lobby", "play", "results"]
        skipped = {
            "consent": not setup.options.consent or is_later(player),
            "quiz": not setup.options.quiz or again(player),
            "practice": not setup.options.practice_periods or again(player),
            "lobby": setup.options.people_per_group == 1,
        }
        shown = [name for name in names if not skipped.get(name)]
        return {
            "game_title": gettext(guide(setup).title),
            "game_id": setup.config["identity"]["game"],
            "words": words,
            "plain": scriptless.is_plain(setup, player),
            "steps": [{"name": words[f"step_{name}"], "here": name == cls.step} for name in shown],
        }

    @classmethod
    def rules(cls, player: Any) -> list[dict[str, Any]]:
        """Return the instructions by screen: the game's own sections, then the shared ones."""
        setup = setup_of(player)
        rate, fee = money.equation(player.session), money.fee(player.session, setup.options)
        shared = instructions.sections(setup, rate, fee)
        of_game = guide(setup).sections(setup.game, setup.options)
        blocks = instructions.about(planned_of(player.subsession))
        return instructions.screens([*of_game, *shared, *blocks])

    @classmethod
    def vars_for_template(cls, player: Any) -> dict[str, Any]:
        return cls.frame(player)

    def get_form_or_mockform(self) -> Any:
        """Return the form, or the reason why the page has just been rejected."""
        reason = take_reason(self.participant.code, self._index_in_pages)
        return MockForm(reason) if reason else super().get_form_or_mockform()

    def render_page(self, context: dict[str, Any]) -> Any:
        """Return the page or, after a rejection, a redirect to it (`server.pages.shared`)."""
        if self._form_data is not None:  # a POST
            reason = context["form"].non_field_error or core_gettext("Please fix the errors.")
            keep_reason(self.participant.code, self._index_in_pages, str(reason))
            return self._redirect_to_page_the_user_should_be_on()
        page = super().render_page(context)
        body = framed(page.body.decode(), spoken())
        return type(page)(scriptless.without_scripts(body) if context.get("plain") else body)

    def get_template_name(self) -> str:
        """Return the template without scripts if the page has one and the person needs it."""
        if self.plain_template and scriptless.is_plain(setup_of(self.player), self.player):
            return self.plain_template
        return str(super().get_template_name())


def framed(page: str, language: str) -> str:
    """Return the HTML of a page with its language, such as `en`, for screen readers.

    oTree 6.0.15 does not set a language. It also makes the form around the page a landmark, and all
    other landmarks would be nested inside it.
    """
    page = page.replace("<html>", f'<html lang="{escape(language)}">', 1)
    return page.replace('role="form"', "", 1)
