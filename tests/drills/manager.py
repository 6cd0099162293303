"""Manager who runs sessions over REST, as on the board, and waits until the board shows the
changes."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from typing import Any

import requests

from tests.door.harness import Server

__all__ = ["address", "board", "direct", "first_seat_beside", "no_group_plays", "taken_over"]

PATIENCE_SECONDS = 60
LOOK_SECONDS = 1.0


def address(server: Server, code: str) -> str:
    """Return the URL of a session's board."""
    return f"{server.url}/SessionBoard/{code}"


def board(server: Server, code: str) -> dict[str, Any]:
    """Return the whole board of a session."""
    url = f"{server.url}/api/session_board/{code}"
    shown: dict[str, Any] = requests.get(url, timeout=PATIENCE_SECONDS).json()
    return shown


def direct(server: Server, code: str, kind: str, **more: Any) -> None:
    """Send a command to a session. Raise RuntimeError if it is rejected."""
    url = f"{server.url}/api/session_board/{code}"
    answer = requests.post(url, json={"kind": kind, "id": kind, **more}, timeout=PATIENCE_SECONDS)
    if answer.status_code != 200:
        raise RuntimeError(f"{kind}: {answer.text}")


def first_seat_beside(server: Server, code: str, participant: str) -> tuple[int, int]:
    """Return a participant's group and the first seat in it that belongs to another person, or else
    the participant's seat.

    Raise RuntimeError if that play is over.
    """
    for group in board(server, code)["groups"]:
        people = [seat for seat in group["seats"] if "participant" in seat]
        if participant in [seat["participant"] for seat in people]:
            people.sort(key=lambda seat: seat["participant"] == participant)
            return int(group["group"]), int(people[0]["seat"])
    raise RuntimeError(f"{code}: the play of {participant} is over already")


async def taken_over(server: Server, sessions: Sequence[str], left: Collection[str]) -> None:
    """Wait until stand-ins have taken all seats that people left, in groups that are still
    playing."""
    while True:
        boards = [await asyncio.to_thread(board, server, code) for code in sessions]
        waited_for = [
            seat
            for shown in boards
            for group in shown["groups"]
            for seat in group["seats"]
            if seat.get("participant") in left and seat["occupant"] == "person"
        ]
        if not waited_for:
            return
        await asyncio.sleep(LOOK_SECONDS)


async def no_group_plays(server: Server, sessions: Sequence[str]) -> None:
    """Wait until all plays are over, including plays that people have left."""
    while any([(await asyncio.to_thread(board, server, code))["groups"] for code in sessions]):
        await asyncio.sleep(LOOK_SECONDS)
