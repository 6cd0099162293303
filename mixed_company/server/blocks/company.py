"""Groups expected in later blocks.

The plan's matching (`experiment.assignment`) derives them from the first block's groups in the
database.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from otree.common import get_models_module

from mixed_company.experiment.assignment import Place, group_in, holds, position_of
from mixed_company.experiment.planned import Planned
from mixed_company.server import clock
from mixed_company.server.blocks.apps import game_of, number_of
from mixed_company.server.blocks.way import earlier, is_later, sequence_of
from mixed_company.server.treatments import planned_of
from mixed_company.table.meeting import Companies


def together(parts: Iterable[Companies | None]) -> Companies:
    """Merge the expected groups from several sources; sources that are None are ignored."""
    present = [part for part in parts if part is not None]
    listed = dict.fromkeys(company for part in present for company in part.companies)
    seats = {key: seat for part in present for key, seat in part.seats.items()}
    still_open = frozenset(key for part in present for key in part.open)
    return Companies(tuple(listed), seats, still_open)


def companies(player: Any) -> Companies | None:
    """Return the groups expected in this block, among everyone who is mixed with a player's group.

    People who left in this block or an earlier one are not expected. Returns None in the first
    block and in sessions without a plan.
    """
    planned = planned_of(player.subsession)
    if planned is None or not is_later(player):
        return None
    sequence = [app for app in sequence_of(player.session) if game_of(app)]
    apps = [get_models_module(app) for app in sequence[: planned.number]]
    first = apps[0].Player.objects_first(participant_id=player.participant_id)
    if first.seat < 0:
        return Companies()
    groups, index = _mixed(apps[0], first, planned)
    by_group: dict[int, list[int]] = {}
    seats = {}
    for place, seat, participant in _placed(apps[0], groups, planned.setups[first.treatment]):
        key = _expected(apps, participant)
        if key is not None:
            by_group.setdefault(_group_of(place, planned, first.treatment, index), []).append(key)
            seats[key] = seat
    kept = seats if planned.course.roles == "kept" else {}
    still_open = frozenset(seats) if _forms(apps[0], first, len(groups), planned) else frozenset()
    return Companies(tuple(map(tuple, by_group.values())), kept, still_open)


def _forms(app: Any, first: Any, groups: int, planned: Planned) -> bool:
    """Return whether more people can join a first-block group that is mixed with the player's
    group.

    `groups` is the number of groups in this matching group that have formed so far.
    """
    if groups >= planned.course.matching_groups:
        return False
    now, patience_s = clock.wall_ms(), 60 * planned.slot_minutes
    return any(
        other.seat < 0 and holds(other.status, False, (now - other.assigned_ms) / 1000, patience_s)
        for other in app.Player.objects_filter(
            subsession_id=first.subsession_id, treatment=first.treatment
        )
    )


def matching_group(members: Sequence[Any]) -> int | str:
    """Return the number of the members' matching group; empty if the session has only one play.

    A matching group consists of first-block groups with people who are mixed later; its number is
    the lowest of those groups' numbers in the session.
    """
    player = members[0]
    planned = planned_of(player.subsession)
    if planned is None or not planned.blocks:
        return ""
    first = (earlier(player) or [player])[0]
    app = get_models_module(first.get_folder_name())
    return number_of(app.Group.objects_first(id=_mixed(app, first, planned)[0][0]))


def _mixed(app: Any, first: Any, planned: Planned) -> tuple[list[int], int]:
    """Return the first-block groups in a player's matching group, and the matching group's index.

    Groups are database ids in the order in which the groups formed; the index counts from 0 within
    the treatment.
    """
    formed = app.Group.objects_filter(
        subsession_id=first.subsession_id, treatment=first.treatment
    ).order_by("id_in_subsession")
    ids = [group.id for group in formed]
    size = planned.course.matching_groups
    index = ids.index(first.group_id) // size
    return ids[index * size : (index + 1) * size], index


def _placed(app: Any, groups: Sequence[int], setup: Any) -> Iterator[tuple[Place, int, int]]:
    """Yield the place, seat and participant of everyone who started in these groups."""
    whole = setup.options.people_per_group, setup.game.seats
    for index, group_id in enumerate(groups):
        members = [
            player for player in app.Player.objects_filter(group_id=group_id) if player.seat >= 0
        ]
        taken = [player.seat for player in members]
        for player in sorted(members, key=lambda player: player.seat):
            place = Place(index, position_of(player.seat, taken, *whole))
            yield place, player.seat, player.participant_id


def _group_of(place: Place, planned: Planned, treatment: str, which: int) -> int:
    course = planned.course
    return group_in(
        planned.number - 1,
        place,
        course.matching,
        course.matching_groups,
        planned.sizes[treatment],
        roles=course.roles,
        seed=planned.seed,
        which=f"{treatment} {which}",
    )


def _expected(apps: Sequence[Any], participant: int) -> int | None:
    """Return the participant's player id in the last app; None if the person will not play."""
    *before, here = [app.Player.objects_first(participant_id=participant) for app in apps]
    on_the_way = all(player.status in ("finished", "seated", "arriving") for player in before)
    return here.id if on_the_way and here.status in ("arriving", "waiting") else None
