"""The blocks of a session, which people know as its parts: the page between two, and the results.

`NextBlock` says which part this is, and what is other in it. It is the first page of the app of a
later block (`server.blocks.apps`), and shown where a plan says what follows; then the lobby comes.
Of a game that was not played before, the instructions follow; of one that was, the parts of them
that people have not read are shown here.
"""

from __future__ import annotations

from typing import Any

from mixed_company.experiment.planned import Planned
from mixed_company.language import gettext as _
from mixed_company.server.blocks.apps import game_of
from mixed_company.server.blocks.way import carry, earlier, reached_by
from mixed_company.server.pages.guide import guide_of
from mixed_company.server.pages.shared import Shared
from mixed_company.server.pages.texts import number, paragraphs
from mixed_company.server.paying import paid_number
from mixed_company.server.treatments import planned_of

__all__ = ["NextBlock", "company", "drawn", "earned", "headed", "part_of", "title"]


class NextBlock(Shared):
    """Which part begins, and what changes."""

    template_name = "mixed/NextBlock.html"
    step = "instructions"

    @staticmethod
    def hurry(_player: Any) -> bool:
        """Let a reader go on to the lobby."""
        return True

    @staticmethod
    def is_displayed(player: Any) -> bool:
        """Show the page to people who arrive; carry over what they have from the block before."""
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
            "title": part_of(planned),
            "lines": [*lines, company(planned)],
            "new_title": _("New in the instructions"),
            "new": _new(now, read),
            "again": _("Show the instructions again"),
            "screens": screens,
        }


def _last_of_game(player: Any) -> Any:
    """Return the player of the same participant in the last block of the same game."""
    game = game_of(player.get_folder_name())
    return [past for past in earlier(player) if game_of(past.get_folder_name()) == game][-1]


def _sections(screens: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the parts of the instructions of all screens."""
    return [part for screen in screens for part in screen["sections"]]


def _new(now: list[dict[str, Any]], read: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the sentences and tables of the instructions that people have not read."""
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


# -- what is said of parts ----------------------------------------------------------------------


def part_of(planned: Planned) -> str:
    """Return which part of the session this is."""
    return _("Part {n} of {all}").format(n=planned.number, all=len(planned.blocks))


def company(planned: Planned) -> str:
    """Say with whom people play in this part."""
    return {
        "partners": _("You are in the same group as before."),
        "strangers": _("The groups have been drawn anew."),
        "perfect_strangers": _("You meet no person whom you have met before."),
    }[planned.course.matching]


def title(planned: Planned | None, between: bool) -> dict[str, str]:
    """Return what stands above the results between two blocks."""
    if planned is None or not between:
        return {}
    over = _("Part {n} of {all} is over")
    return {"title": over.format(n=planned.number, all=len(planned.blocks))}


def earned(player: Any, planned: Planned | None) -> list[dict[str, str]]:
    """Return the points of each part, at the end; nothing where there is one play."""
    if planned is None or not planned.blocks:
        return []
    players = [player for player in reached_by(player.participant) if player.seat >= 0]
    rows = []
    for player in players:
        part = planned_of(player.subsession)
        if part is not None:
            digits = guide_of(game_of(player.get_folder_name())).digits
            rows.append((_("Part {n}"), part.number, number(player.points, digits)))
            if player.question_points:
                line = _("Part {n}, answers to questions")
                rows.append((line, part.number, number(player.question_points)))
    return [{"name": name.format(n=n), "sum": points} for name, n, points in rows]


def headed(player: Any, planned: Planned | None, between: bool) -> str:
    """Return the part that the last page is about; empty: there is one play."""
    if planned is None or not planned.blocks or between or player.seat < 0:
        return ""
    return part_of(planned)


def drawn(player: Any, planned: Planned | None) -> str:
    """Say which part is paid, where it is one; empty: all are, or there are none."""
    paid = None if planned is None or not planned.blocks else paid_number(player, planned)
    if paid is None:
        return ""
    if not paid:
        return _("The part that was drawn for you was not played, so no points are paid.")
    return _("Part {n} was drawn for you: its points are paid.").format(n=paid)
