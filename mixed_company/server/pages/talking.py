"""Texts about talk: the card on the play page, and the instructions."""

from __future__ import annotations

from typing import Any

from mixed_company.language import Words, forms
from mixed_company.language import gettext as _
from mixed_company.server.pages.rules import begun
from mixed_company.server.pages.texts import exact
from mixed_company.table.setup import Setup
from mixed_company.table.talk.among import can_write, partners


def words() -> Words:
    """Return the texts of the card; the page fills in `{...}`."""
    return {
        "title": _("Talk"),
        "recorded": _("All messages are recorded."),
        "message": _("Your message"),
        "sentence": _("Choose a sentence"),
        "to": _("To"),
        "send": _("Send"),
        "sending": _("Sending..."),
        "go_on": _("I am ready to continue"),
        "gone_on": _(
            "You are ready. The game goes on when everybody is ready or when the time is up."
        ),
        "talk_first": _("First, there is time to talk. Then you make your decision."),
        "closed": _("Nobody can write messages right now."),
        "silent": _("You can read messages here, but you cannot write any."),
        "nothing": _("There are no messages yet."),
        "from_to": _("{player} to {other}"),
        "report": _("Report"),
        "report_of": _("Report this message from {player}: {text}"),
        "reported": _("Reported"),
        "left": forms("{n} character left", "{n} characters left"),
    }


def setting(setup: Setup, seat: int) -> dict[str, Any]:
    """Return the data that a seat's card needs only once."""
    options, game = setup.options, setup.game
    return {
        "writes": can_write(game, options, seat),
        "sentences": options.talk_sentences,
        "length": options.talk_length,
        "one": options.talk_with == "one",
        "partners": partners(game, options, seat),
        "texts": words(),
    }


def sentences(setup: Setup) -> list[str]:
    """Return the instructions' sentences about when and how a group talks; empty if it does not
    talk.
    """
    options = setup.options
    if not options.talks:
        return []
    seconds = exact(options.talk_seconds)
    early = _("The time to talk ends early if everybody is ready to continue.")
    when = {
        "before": [_("You can talk for {s} seconds before the game begins."), early],
        "periods": [_("You can talk for {s} seconds before each period."), early],
        "stages": [
            _("You can talk for {s} seconds in each period, before you assign points."),
            early,
        ],
        "always": [_("You can talk in the first {s} seconds of each period.")],
    }[options.talk_when]
    if options.talk_when == "always" and not options.talk_seconds:
        when = [_("You can talk during the game.")]
    how = _("You can write anything you like, up to {n} characters per message.")
    if options.talk == "list":
        how = _("You choose your messages from a list of sentences.")
    reach = {
        "all": _("All players can read all messages."),
        "neighbours": _("Your neighbours can read your messages."),
        "one": _("Each message goes to one player of your choice. No other player can read it."),
    }[options.talk_with]
    lines = [line.format(s=seconds) for line in when]
    lines += [how.format(n=options.talk_length), reach, *_roles(setup)]
    named = _("Names are not shown, only player numbers. All messages are recorded.")
    return [*lines, named]


def _roles(setup: Setup) -> list[str]:
    roles = setup.options.talk_roles
    if not roles:
        return []
    listed = ", ".join(begun(_(role)) for role in roles)
    return [_("Only players in these roles can send messages: {roles}.").format(roles=listed)]
