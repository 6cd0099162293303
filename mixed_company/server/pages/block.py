"""The page between two blocks: which part this is, and what is other in it.

It is the first page of the app of a later block (`server.blocks.apps`), and shown where a plan says
what follows; then the lobby comes. Of a game that was not played before, the instructions follow;
of one that was, the parts of them that people have not read are shown here.
"""

from __future__ import annotations

from typing import Any

from mixed_company.language import gettext as _
from mixed_company.server.blocks.apps import game_of
from mixed_company.server.blocks.way import carry, earlier
from mixed_company.server.pages import blocks
from mixed_company.server.pages.conduct import paragraphs
from mixed_company.server.pages.shared import Shared
from mixed_company.server.treatments import planned_of

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
        screens = cls.rules(player) if planned.known else []
        read = _sections(cls.rules(_last_of_game(player))) if planned.known else []
        now = _sections(screens)
        lines = paragraphs(planned.instructions.get(player.treatment, ""))
        if not lines and planned.known:
            lines = [_same() if now == read else _different()]
        return {
            **cls.frame(player),
            "title": blocks.part_of(planned),
            "lines": [*lines, blocks.company(planned)],
            "new_title": _("New in the instructions"),
            "new": _new(now, read),
            "again": _("Show the instructions again"),
            "screens": screens,
        }


def _last_of_game(player: Any) -> Any:
    """The player of the same participant in the last block of the same game."""
    game = game_of(player.get_folder_name())
    return [one for one in earlier(player) if game_of(one.get_folder_name()) == game][-1]


def _sections(screens: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The parts of the instructions, wherever they stand."""
    return [part for screen in screens for part in screen["sections"]]


def _new(now: list[dict[str, Any]], read: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What of the instructions people have not read: sentences, and tables."""
    lines = {line for part in read for line in part["lines"]}
    tables = [part["table"] for part in read]
    unread = [
        {
            **part,
            "lines": [line for line in part["lines"] if line not in lines],
            "table": [] if part["table"] in tables else part["table"],
        }
        for part in now
    ]
    return [part for part in unread if part["lines"] or part["table"]]


def _same() -> str:
    return _("The rules are the same as before.")


def _different() -> str:
    return _("Some rules are different from before. The instructions say which hold now.")
