"""What is said of the blocks of a session to people, who read of its parts."""

from __future__ import annotations

from typing import Any

from mixed_company.experiment.planned import Planned
from mixed_company.language import gettext as _
from mixed_company.server.blocks.apps import game_of
from mixed_company.server.blocks.way import reached_by
from mixed_company.server.pages.guide import Section, guide_of
from mixed_company.server.pages.texts import counted, number, section
from mixed_company.server.paying import paid_number
from mixed_company.server.treatments import planned_of

__all__ = ["about", "company", "drawn", "earned", "headed", "part_of", "title"]


def part_of(planned: Planned) -> str:
    """Which part of the session this is."""
    return _("Part {n} of {all}").format(n=planned.number, all=len(planned.blocks))


def about(planned: Planned | None) -> list[Section]:
    """What the instructions say of blocks: how many, with whom, and what is paid."""
    if planned is None or not planned.blocks:
        return []
    many = len(planned.blocks)
    lines = [
        counted(
            "This session has {n} part.",
            "This session has {n} parts. Before each of them you are told what changes.",
            many,
        )
    ]
    with_whom = {
        "partners": _("You are in the same group in all parts."),
        "strangers": _("For each part the groups are drawn anew."),
        "perfect_strangers": _("In no part you meet a person whom you have met before."),
    }[planned.course.matching]
    paid = {
        "all": _("What you earn in all parts is paid."),
        "one": _("At the end one of the parts is drawn for you. What you earn in it is paid."),
    }[planned.course.pay_blocks]
    return [
        section("", [*lines, with_whom], screen="about"),
        section("", [paid], screen="pays"),
    ]


def company(planned: Planned) -> str:
    return {
        "partners": _("You are in the same group as before."),
        "strangers": _("The groups have been drawn anew."),
        "perfect_strangers": _("You meet no person whom you have met before."),
    }[planned.course.matching]


def title(planned: Planned | None, between: bool) -> dict[str, str]:
    """What stands above the results between two blocks."""
    if planned is None or not between:
        return {}
    over = _("Part {n} of {all} is over")
    return {"title": over.format(n=planned.number, all=len(planned.blocks))}


def earned(player: Any, planned: Planned | None) -> list[dict[str, str]]:
    """The points of each part, at the end; nothing where there is one play."""
    if planned is None or not planned.blocks:
        return []
    players = [one for one in reached_by(player.participant) if one.seat >= 0]
    rows = []
    for one in players:
        own = planned_of(one.subsession)
        if own is not None:
            digits = guide_of(game_of(one.get_folder_name())).digits
            rows.append((_("Part {n}"), own.number, number(one.points, digits)))
            if one.question_points:
                line = _("Part {n}, answers to questions")
                rows.append((line, own.number, number(one.question_points)))
    return [{"name": name.format(n=n), "sum": points} for name, n, points in rows]


def headed(player: Any, planned: Planned | None, between: bool) -> str:
    """Of which part the last page shows the points and what happened; empty: there is one play."""
    if planned is None or not planned.blocks or between or player.seat < 0:
        return ""
    return part_of(planned)


def drawn(player: Any, planned: Planned | None) -> str:
    """Which part is paid, where it is one; empty: all are, or there are none."""
    paid = None if planned is None or not planned.blocks else paid_number(player, planned)
    if paid is None:
        return ""
    if not paid:
        return _("The part that was drawn for you was not played, so no points are paid.")
    return _("Part {n} was drawn for you: its points are paid.").format(n=paid)
