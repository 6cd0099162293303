"""The way of a participant through the blocks of a session: one app after the other.

Who has played a block to its end goes on to the next one. Who left, was released or barred, or never
came to a group, is in no later one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from server.blocks.apps import block_of
from server.keeping import storage

__all__ = ["earlier", "has_come", "is_later", "later", "players_of", "sequence_of"]


def sequence_of(session: Any) -> Sequence[str]:
    """The apps of a session, in order."""
    return list(session.config["app_sequence"])


def players_of(person: Any) -> list[Any]:
    """The players of a participant in our apps, in the order in which they are played."""
    sequence = sequence_of(person.session)
    apps = sorted(
        (app for app in storage.apps() if app.Player.get_folder_name() in sequence),
        key=lambda app: sequence.index(app.Player.get_folder_name()),
    )
    players = [app.Player.objects_first(participant_id=person.id) for app in apps]
    return [player for player in players if player is not None]


def is_later(player: Any) -> bool:
    """Is this a block after the first?"""
    return block_of(player.get_folder_name()) > 1


def earlier(player: Any) -> list[Any]:
    """The players of the same participant in the blocks before, in order."""
    own = block_of(player.get_folder_name())
    return [other for other in players_of(player.participant) if _block(other) < own]


def later(player: Any) -> list[Any]:
    """Those in the blocks that follow."""
    own = block_of(player.get_folder_name())
    return [other for other in players_of(player.participant) if _block(other) > own]


def has_come(player: Any) -> bool:
    """Has the participant come as far as this block: played all before it to the end?"""
    return all(other.status == "finished" for other in earlier(player))


def _block(player: Any) -> int:
    return block_of(player.get_folder_name())
