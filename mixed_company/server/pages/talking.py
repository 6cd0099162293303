"""Texts about talk: the card on the play page, and the instructions."""

from __future__ import annotations

from typing import Any

from mixed_company.language import Words, forms
from mixed_company.language import gettext as _
from mixed_company.server.pages.rules import begun
from mixed_company.server.pages.texts import exact
from mixed_company.table.setup import Setup
from mixed_company.table.talk.among import can_write, partners

__all__ = ["sentences", "setting", "words"]


def words() -> Words:
    """Return the texts of the card; the page fills in `{...}`."""
    return {
        "title": _("Talk"),
        "recorded": _("What is written here is recorded."),
        "message": _("Your message"),
        "sentence": _("Choose a sentence"),
        "to": _("To"),
        "send": _("Send"),
        "sending": _("Sending ..."),
        "go_on": _("I am ready to go on"),
        "gone_on": _("You are ready. It goes on when everybody is, or when the time is up."),
        "talk_first": _("First you can talk with the others. You decide when that is over."),
        "closed": _("At present nobody can write."),
        "silent": _("You can read what is written here, and not write."),
        "nothing": _("Nothing has been written yet."),
        "from_to": _("{player} to {other}"),
        "report": _("Report"),
        "report_of": _("Report this message of {player}: {text}"),
        "reported": _("Reported"),
        "left": forms("{n} character left", "{n} characters left"),
    }


def setting(setup: Setup, seat: int) -> dict[str, Any]:
    """Return the data that the card of a seat needs once."""
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
    """Return the sentences of the instructions on when and how a group talks; empty without
    talk."""
    options = setup.options
    if not options.talks:
        return []
    seconds = exact(options.talk_seconds)
    early = _("That ends early if everybody is ready to go on.")
    when = {
        "before": [_("Before the game begins you can talk for {s} seconds."), early],
        "periods": [_("Before each period you can talk for {s} seconds."), early],
        "always": [_("In the first {s} seconds of each period you can talk.")],
    }[options.talk_when]
    if options.talk_when == "always" and not options.talk_seconds:
        when = [_("You can talk while the game goes on.")]
    how = _("You write what you like, at most {n} characters at once.")
    if options.talk == "list":
        how = _("You choose what you say from a list of sentences.")
    reach = {
        "all": _("All players can read it."),
        "neighbours": _("Your neighbours can read it."),
        "one": _("Each message is for one player whom you choose; nobody else can read it."),
    }[options.talk_with]
    lines = [line.format(s=seconds) for line in when]
    lines += [how.format(n=options.talk_length), reach, *_roles(setup)]
    named = _("Nobody's name is shown, only the number of the player. What is written is recorded.")
    return [*lines, named]


def _roles(setup: Setup) -> list[str]:
    roles = setup.options.talk_roles
    if not roles:
        return []
    listed = ", ".join(begun(_(role)) for role in roles)
    return [_("Only these can write: {roles}.").format(roles=listed)]
