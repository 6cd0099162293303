"""A participant's path through the blocks of a session, one app after another.

A participant who has finished a block moves on to the next one. Anyone who left, was released or
excluded, or never got into a group takes no part in later blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mixed_company.experiment.planned import Planned
from mixed_company.server.blocks.apps import block_of
from mixed_company.server.keeping import storage
from mixed_company.server.treatments import planned_of
from mixed_company.table.options import STATUSES


def sequence_of(session: Any) -> Sequence[str]:
    """Return the apps of a session, in order."""
    return list(session.config["app_sequence"])


def players_of(person: Any) -> list[Any]:
    """Return a participant's players in this project's apps, in the order of play."""
    return _players_in(person, sequence_of(person.session))


def _players_in(person: Any, sequence: Sequence[str]) -> list[Any]:
    """Return a participant's players in these apps, if they belong to this project, in order."""
    apps = sorted(
        (app for app in storage.apps() if app.Player.get_folder_name() in sequence),
        key=lambda app: sequence.index(app.Player.get_folder_name()),
    )
    players = [app.Player.objects_first(participant_id=person.id) for app in apps]
    return [player for player in players if player is not None]


def reached_by(person: Any) -> list[Any]:
    """Return a participant's players in the blocks that the participant has reached, in order."""
    players = players_of(person)
    unfinished = (place for place, player in enumerate(players) if player.status != "finished")
    last = next(unfinished, len(players))
    return [player for place, player in enumerate(players) if place <= last or not is_later(player)]


def is_later(player: Any) -> bool:
    """Return whether this is a block after the first."""
    return block_of(player.get_folder_name()) > 1


def is_planned(player: Any) -> bool:
    """Return whether this is one of a plan's blocks after the first."""
    return is_later(player) and bool(player.subsession.plan)


def block_shown(player: Any) -> str:
    """Return the name of a player's block in exports; empty if the session has only one."""
    planned = planned_of(player.subsession)
    if planned is not None:
        return planned.block
    return str(block_of(player.get_folder_name())) if is_later(player) else ""


def part_of(player: Any) -> str:
    """Return the name of the plan's block, which its repeated plays share; otherwise
    `block_shown`.
    """
    planned = planned_of(player.subsession)
    return block_shown(player) if planned is None else planned.part


def repeats(player: Any) -> bool:
    """Return whether this is one of several plays of a plan's block."""
    planned = planned_of(player.subsession)
    return planned is not None and planned.round[1] > 1


def earlier(player: Any) -> list[Any]:
    """Return the participant's players in earlier blocks, in order."""
    if not is_later(player):
        return []
    sequence = sequence_of(player.session)
    return _players_in(player.participant, sequence[: sequence.index(player.get_folder_name())])


def has_come(player: Any) -> bool:
    """Return whether the participant has finished all blocks before this one."""
    return all(other.status == "finished" for other in earlier(player))


def present(session: Any) -> list[Any]:
    """Return everyone's players in a session, app by app. A participant with several blocks appears
    only in the current one, or in the one where the participant's part ended.
    """
    shown: dict[tuple[str, int], Any] = {}
    latest: dict[int, tuple[str, int]] = {}
    for app in sorted(storage.apps_of(session), key=lambda app: block_of(app.__name__)):
        for player in app.Player.objects_filter(session=session).order_by("id"):
            key, person = (app.__name__, player.id), player.participant_id
            if block_of(app.__name__) > 1:
                before = latest.get(person)
                if before is None or shown[before].status != "finished":
                    continue
                del shown[before]
            shown[key], latest[person] = player, key
    return list(shown.values())


def again(player: Any) -> bool:
    """Return whether this block of a plan plays the same game as an earlier block."""
    planned = planned_of(player.subsession)
    return planned is not None and is_later(player) and planned.known


def goes_on(player: Any, planned: Planned | None) -> bool:
    """Return whether a participant who has finished this block goes on to another one."""
    return planned is not None and player.status == "finished" and not planned.is_last


def carry(player: Any) -> None:
    """Copy the treatment and slot from the first block, and the status if the person's part ended
    earlier.
    """
    before = earlier(player)
    if not before:
        return
    first = before[0]
    if first.treatment:
        player.treatment, player.slot = first.treatment, first.slot
        player.assigned_ms = first.assigned_ms
    ended = [other.status for other in before if other.status in STATUSES]
    ended = [status for status in ended if status != "finished"]
    if ended and player.status == "arriving":
        player.status = ended[0]
