"""The page between two blocks: which part this is, and what is other in it.

It is the first page of the app of a later block (`server.blocks.apps`), and shown where a plan says
what follows; then the lobby comes. Of a game that was not played before, the instructions follow.
"""

from __future__ import annotations

from typing import Any

from language import gettext as _
from server.blocks.way import carry
from server.pages import blocks
from server.pages.conduct import paragraphs
from server.pages.shared import Shared
from server.treatments import planned_of

__all__ = ["NextBlock"]


class NextBlock(Shared):
    """Which part begins, and what changes."""

    template_name = "mixed/NextBlock.html"
    step = "instructions"

    @staticmethod
    def hurry(_player: Any) -> bool:
        """Whoever reads goes on to the lobby."""
        return True

    @staticmethod
    def is_displayed(player: Any) -> bool:
        """What somebody has from the block before is brought along here."""
        carry(player)
        return bool(player.subsession.plan) and player.status == "arriving"

    @classmethod
    def vars_for_template(cls, player: Any) -> dict[str, Any]:
        planned = planned_of(player.subsession)
        assert planned is not None  # noqa: S101  else it is not displayed
        same = _("The rules are the same as before.") if planned.known else ""
        lines = paragraphs(planned.instruction) or [line for line in [same] if line]
        return {
            **cls.frame(player),
            "title": blocks.part_of(planned),
            "lines": [*lines, blocks.company(planned)],
            "again": _("Show the instructions again"),
            "screens": cls.rules(player) if planned.known else [],
        }
