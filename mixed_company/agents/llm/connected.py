"""Players of a model on seats of a server."""

from __future__ import annotations

from typing import Any

from mixed_company.agents import client
from mixed_company.agents.llm.player import GiveUp, Players

__all__ = ["play"]

Json = dict[str, Any]


async def play(url: str, name: str, key: str, players: Players, seats: int | None = None) -> None:
    """Play whatever comes, until the process is ended. Raises `agents.client.Refused`."""

    async def decide(game: Json, view: Json) -> Json:
        try:
            return await players.decide(game, view)
        except GiveUp as given_up:
            raise client.GiveUp(str(given_up)) from None

    await client.play(url, name, key, decide, players.talk, seats)
