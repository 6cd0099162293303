"""Many external agents in one process, each with its own connection and seat.

AGENT_KEY=... python -m tests.crowd.agents ws://127.0.0.1:8000/agents NAME 200
"""

from __future__ import annotations

import asyncio
import os
import sys

from mixed_company.agents.client import middle, play


async def crowd(url: str, name: str, count: int) -> None:
    """Play until the process ends."""
    key = os.environ["AGENT_KEY"]
    await asyncio.gather(*(play(url, name, key, middle, seats=1) for _ in range(count)))


if __name__ == "__main__":
    asyncio.run(crowd(sys.argv[1], sys.argv[2], int(sys.argv[3])))
