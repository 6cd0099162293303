"""The sanctions game by name, and the words of its play page."""

from __future__ import annotations

from gettext import gettext as _

from engine.games.sanctions import SanctionsCore

__all__ = ["TITLE", "texts"]

TITLE = _("Giving and trusting")


def texts(core: SanctionsCore) -> dict[str, str]:
    """Words of the stage, the decision card and the ledger."""
    return {
        "contribution_request": _("How many points do you contribute?"),
        "keeps": _("You keep {kept} points."),
        "kept": _("Kept"),
        "production": _("From the common good")
        if core.production == "public_good"
        else _("Own production"),
        "synergy": _("Share of the synergy"),
        "others": _("Part in the others"),
        "sanctions": _("Sanctions and rewards"),
        "remembered_of_you": _("remembered of you, on average"),
        "compared": _("expected: {b}")
        if core.signal == "baseline"
        else _("your last contribution: {b}"),
        "below": _("below it"),
        "above": _("not below it"),
        "nothing_remembered": _("nothing yet"),
        "would_be": _("Then {average} would be remembered of you on average."),
        "network": _("Lost and gained last period: an arrow goes to whose points change")
        if core.form == "additive"
        else _(
            "Lost and gained last period, in % of one's earnings: an arrow goes to whose change"
        ),
        "network_text": _("Last period: {pairs}."),
        "pair_text": _("you through {player} {received}, {player} through you {given}"),
        "gives": _("gains"),
        "takes": _("loses"),
        "trust": _("Trust in %: who (row) trusts whom (column)"),
        "trusts": _("trusts"),
        "received": _("you through them"),
        "given": _("they through you"),
        "contributed": _("contributed"),
        "average": _("remembered"),
        "own_series": _("your contribution"),
        "mean_series": _("average of all"),
        "expected_line": _("expected"),
    }
