"""Blocks, which pages call parts: the page between two blocks, and texts for the results.

`NextBlock` says which part comes next and what changes. It is the first page of a later block's app
(`server.blocks.apps`), and appears if the plan announces the next part. The lobby comes next; if
the game is new, its full instructions come before the lobby. If the game was played before, this
page shows only new paragraphs, and paragraphs that no longer apply.
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


class NextBlock(Shared):
    """Page that announces the next part and what changes."""

    template_name = "mixed/NextBlock.html"
    step = "instructions"

    @staticmethod
    def hurry(_player: Any) -> bool:
        """Move the reader on to the lobby."""
        return True

    @staticmethod
    def is_displayed(player: Any) -> bool:
        """Carry data over from the previous block, and show the page to people who arrive."""
        carry(player)
        planned = planned_of(player.subsession)
        announced = planned is not None and not planned.continues
        return bool(announced and player.status == "arriving")

    @classmethod
    def vars_for_template(cls, player: Any) -> dict[str, Any]:
        planned = planned_of(player.subsession)
        assert planned is not None  # noqa: S101  the page is only displayed in a planned block
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
            "new": _only(now, read),
            "gone_title": _("No longer in the instructions"),
            "gone": _only(read, now),
            "again": _("Show the instructions again"),
            "screens": screens,
        }


def _last_of_game(player: Any) -> Any:
    """Return the participant's player in the last block that played the same game."""
    game = game_of(player.get_folder_name())
    return [past for past in earlier(player) if game_of(past.get_folder_name()) == game][-1]


def _sections(screens: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the sections on all screens of the instructions."""
    return [part for screen in screens for part in screen["sections"]]


def _only(shown: list[dict[str, Any]], other: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the sentences and tables that are in these instructions but not in others."""
    lines = {line for part in other for line in part["lines"]}
    tables = [part["table"] for part in other]
    parts = [
        {
            **part,
            "lines": [line for line in part["lines"] if line not in lines],
            "table": [] if part["table"] in tables else part["table"],
        }
        for part in shown
    ]
    return [part for part in parts if part["lines"] or part["table"]]


def _same() -> str:
    return _("The rules are the same as before.")


def _different() -> str:
    return _("Some rules have changed. The instructions explain the rules that apply now.")


# -- texts about parts ----------------------------------------------------------------------


def part_of(planned: Planned) -> str:
    """Return the title of a part of the session, such as "Part 2 of 3"."""
    return _("Part {n} of {all}").format(n=planned.part_number, all=len(planned.part_names))


def company(planned: Planned) -> str:
    """Return a sentence that says who is in the group during this part."""
    return {
        "partners": _("You are in the same group as before."),
        "strangers": _("New groups have been formed at random."),
        "perfect_strangers": _("You will not play with anyone you have already played with."),
    }[planned.course.matching]


def title(planned: Planned | None, between: bool) -> dict[str, str]:
    """Return the title of the results between two blocks; empty otherwise."""
    if planned is None or not between:
        return {}
    over = _("Part {n} of {all} is over")
    return {"title": over.format(n=planned.part_number, all=len(planned.part_names))}


def earned(player: Any, planned: Planned | None) -> list[dict[str, str]]:
    """Return the points from each part, for the last page; empty for a session with only one
    play.
    """
    if planned is None or not planned.blocks:
        return []
    rows = []
    for n, players in _by_part(player).items():
        digits = guide_of(game_of(players[0].get_folder_name())).digits
        points = sum(play.points for play in players)
        rows.append((_("Part {n}"), n, number(points, digits)))
        answers = sum(play.question_points for play in players)
        if answers:
            rows.append((_("Part {n}, answers to questions"), n, number(answers)))
    return [{"name": name.format(n=n), "sum": points} for name, n, points in rows]


def _by_part(player: Any) -> dict[int, list[Any]]:
    """Return the participant's players who have a seat, by the number of their part."""
    parts = dict[int, list[Any]]()
    for play in reached_by(player.participant):
        planned = planned_of(play.subsession)
        if planned is not None and play.seat >= 0:
            parts.setdefault(planned.part_number, []).append(play)
    return parts


def points_of_part(player: Any) -> float:
    """Return a participant's points in all plays of this part so far, including this one."""
    planned = planned_of(player.subsession)
    if planned is None or not planned.continues:
        return float(player.points)
    return float(sum(play.points for play in _by_part(player)[planned.part_number]))


def headed(player: Any, planned: Planned | None, between: bool) -> str:
    """Return the title of the part on the last page; empty for a session with only one play."""
    if planned is None or not planned.blocks or between or player.seat < 0:
        return ""
    return part_of(planned)


def drawn(player: Any, planned: Planned | None) -> str:
    """Return a sentence about which part is paid; empty if all parts are paid or the session has no
    parts."""
    paid = None if planned is None or not planned.blocks else paid_number(player, planned)
    if paid is None:
        return ""
    if not paid:
        return _("The part drawn for you was not played, so you are not paid for any points.")
    return _("Part {n} was drawn for you, so you are paid for your points from that part.").format(
        n=paid
    )
