"""The pages around the rules: consent before them, comments after the play.

Both are shown only where the session has them: `consent` is a text, or names a file with one;
`comments` is a switch.
"""

from __future__ import annotations

from html import escape
from typing import Any

from mixed_company.server import clock
from mixed_company.server.blocks.way import goes_on, has_come, is_planned, players_of
from mixed_company.server.pages import texts
from mixed_company.server.pages.shared import Shared, setup_of
from mixed_company.server.treatments import planned_of
from mixed_company.table.pay import is_paid

__all__ = ["MOST_COMMENTS", "Comments", "Consent", "paragraphs"]

MOST_COMMENTS = 5_000
"""So many characters of a comment are kept."""


def paragraphs(text: str) -> list[str]:
    """The paragraphs of a text, as HTML: a line with nothing on it parts two."""
    lines = [line.strip() for line in text.splitlines()]
    joined = "\n".join(lines).split("\n\n")
    return [escape(" ".join(part.split())) for part in joined if part.strip()]


class Consent(Shared):
    """What people agree to, before anything else; who does not, is done."""

    template_name = "mixed/Consent.html"
    step = "consent"
    form_model = "player"
    form_fields = ["consented"]

    @staticmethod
    def is_displayed(player: Any) -> bool:
        """Who was barred in a game before is barred in this one, too."""
        if player.status == "arriving":
            before = players_of(player.participant)
            if any(other.status == "excluded" for other in before):
                player.status = "excluded"
        wanted = setup_of(player).options.consent and not is_planned(player)
        return bool(wanted) and player.status == "arriving"

    @classmethod
    def vars_for_template(cls, player: Any) -> dict[str, Any]:
        text = setup_of(player).options.consent
        return {**cls.frame(player), "consent": texts.consent(), "paragraphs": paragraphs(text)}

    @staticmethod
    def error_message(player: Any, values: dict[str, Any]) -> str | None:
        return None if values["consented"] in ("yes", "no") else texts.consent()["choose"]

    @staticmethod
    def before_next_page(player: Any, timeout_happened: bool) -> None:
        player.consented_ms = float(clock.now_ms())
        if player.consented == "no":
            player.status = "no_consent"


class Comments(Shared):
    """What people want to say, before they see what they are paid."""

    template_name = "mixed/Comments.html"
    step = "results"
    form_model = "player"
    form_fields = ["comments"]

    @staticmethod
    def is_displayed(player: Any) -> bool:
        over = has_come(player) and not goes_on(player, planned_of(player.subsession))
        asked_for = setup_of(player).options.comments and over
        return bool(asked_for and player.seat >= 0 and is_paid(player.status, seated=True))

    @classmethod
    def vars_for_template(cls, player: Any) -> dict[str, Any]:
        return {**cls.frame(player), "comments": texts.comments(), "most": MOST_COMMENTS}

    @staticmethod
    def before_next_page(player: Any, timeout_happened: bool) -> None:
        player.comments = (player.comments or "")[:MOST_COMMENTS]
