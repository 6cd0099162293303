"""Texts about the rules that a group votes on: before, during and after the vote."""

from __future__ import annotations

from html import escape
from typing import Any

from mixed_company.language import Words, forms
from mixed_company.language import gettext as _
from mixed_company.server.pages.texts import Screen, exact, section
from mixed_company.table.setup import Setup


def sections(setup: Setup) -> list[dict[str, Any]]:
    """Return the instructions' section about the vote; empty if the group does not vote."""
    where: Screen = "decides"
    if setup.rule:
        chosen = escape(setup.options.rules[setup.rule].meaning)
        return [section(_("The rule that your group has chosen"), [chosen], screen=where)]
    if not setup.rules:
        return []
    rules = [escape(rule.meaning) for rule in setup.options.rules.values()]
    listed = [
        _("Option {n}: {meaning}").format(n=n, meaning=meaning)
        for n, meaning in enumerate(rules, 1)
    ]
    lines = [
        _("Before the game begins, your group votes on which rule to use. These are the options:"),
        *listed,
        _("Anything that an option does not mention stays as described here."),
        _(
            "Each player has one vote or can abstain. Your group plays by the option that "
            "gets the most votes."
        ),
        _tie(setup),
    ]
    if setup.options.rules_seconds:
        line = _(
            "You have {s} seconds to vote. If you do not choose an option in that time, you "
            "abstain."
        )
        lines.append(line.format(s=exact(setup.options.rules_seconds)))
    return [section(_("Your group chooses a rule"), lines, screen=where)]


def _tie(setup: Setup) -> str:
    if setup.options.rules_tie == "drawn":
        return _(
            "If several options tie for the most votes, or nobody votes, one of them is "
            "drawn at random."
        )
    return _(
        "If several options tie for the most votes, or nobody votes, your group plays by "
        "whichever of them is listed first."
    )


def words(setup: Setup) -> Words:
    """Return the texts about the vote on the play page."""
    if not setup.rules:
        return {}
    return {
        "choose_title": _("Which rule should your group play by?"),
        "choose_lead": _(
            "Each player has one vote. Your group plays by the option that gets the most votes."
        ),
        "choose_tie": _tie(setup),
        "choose_abstain": _("I abstain"),
        "choose_send": _("Vote"),
        "choose_again": _("Change my vote"),
        "choose_saved": _("Your vote is saved. You can change it until the vote ends."),
        "choose_none": _("You have not voted yet."),
        "chosen_title": _("Your group has chosen"),
        "chosen_votes": forms("{n} vote", "{n} votes"),
    }


def notes(setup: Setup) -> list[str]:
    """Return the sentence on the results page that says which rule was chosen."""
    if not setup.rule:
        return []
    line = _("Your group has chosen: {meaning}")
    return [line.format(meaning=escape(setup.options.rules[setup.rule].meaning))]


def sent(setup: Setup) -> dict[str, Any]:
    """Return the rules in order and the chosen rule, for the play page."""
    rules = setup.options.rules if setup.rules else {}
    return {
        "rules": [{"name": name, "meaning": rule.meaning} for name, rule in rules.items()],
        "rule": setup.rule,
    }
