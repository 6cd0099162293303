"""Can the session on the board begin? What `mixed preflight` looks at, of the session as it is."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from typing import Any

from otree import settings
from otree.models import Session

from mixed_company.server.open.going_on import with_database
from mixed_company.server.open.tables import tables
from mixed_company.server.preflight import Finding, whole

__all__ = ["findings"]

EVERYWHERE = "0.0.0.0"  # noqa: S104  where it is served to others

_one_at_a_time = asyncio.Lock()


async def findings(code: str) -> list[dict[str, str]] | str:
    """{verdict, sentence} of each thing; or why that is not looked at now.

    Bots play some plays for it, beside the loop: not while people play.
    """
    if any(not opened.table.over for opened in tables):
        return "people play: look before they do, or run `mixed preflight` elsewhere"
    session = await with_database(lambda: _config(code))
    if session is None:
        return f"session {code}: there is no such session"
    config, people = session
    async with _one_at_a_time:
        connected = tables.agents.connected
        listed = await asyncio.to_thread(_looked_at, config, people, connected)
    return [{"verdict": one.verdict.value, "sentence": one.sentence} for one in listed]


def _config(code: str) -> tuple[dict[str, Any], int] | None:
    session = Session.objects_first(code=code)
    return None if session is None else (dict(session.config), session.num_participants)


def _looked_at(config: dict[str, Any], people: int, connected: Mapping[str, int]) -> list[Finding]:
    people *= int(config.get("parts", 1))
    return whole.findings(
        settings, config, people, None, EVERYWHERE, os.environ, connected=connected
    )
