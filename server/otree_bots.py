"""oTree's own bots for the shared pages: what an app's `tests.py` needs (`otree test`).

In oTree 6.0.15 `call_live_method` is handed an async generator function: nothing happens until
somebody runs through what it returns. `run` does, and `play` asserts that the table moved.
"""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Callable, Iterator
from typing import Any

from otree.api import Bot, Submission

from server import clock, pages, storage
from server.group import seated
from table.table import Table

__all__ = ["PlayerBot", "call_live_method"]

STEP_MS = 3000
SLOWEST_BOT_MS = 3_600_000
_names = itertools.count()


class PlayerBot(Bot):
    """The bot of every app."""

    def play_round(self) -> Iterator[Any]:
        return _steps(self)


def _steps(bot: Any) -> Iterator[Any]:
    """The submissions of one participant, from the instructions to the results."""
    setup = pages.setup_of(bot.player)
    yield pages.Instructions
    if setup.options.quiz:
        questions = pages.questions(setup)
        right = {question["name"]: question["right"] for question in questions}
        yield pages.Quiz, {"quiz_answers": json.dumps(right)}
    if bot.participant._current_page_name == "Lobby":
        yield Submission(pages.Lobby, check_html=False)
    yield Submission(pages.Play, check_html=False)
    assert storage.load(bot.player.group).episode.done, "the play was left before it was over"
    assert bot.player.status == "finished", bot.player.status


def call_live_method(
    method: Callable[..., Any], page_class: Any, group: Any, **_context: Any
) -> None:
    """What happens on the live pages of every app: meet in the lobby, play all periods."""
    people = [player.id_in_group for player in group.get_players()]
    if page_class.__name__ == "Lobby":
        for person in people:
            run(method, person, {"kind": "sync"})
    elif page_class.__name__ == "Play":
        _play(method, people, group)


def run(method: Callable[..., Any], person: int, message: dict[str, Any]) -> list[Any]:
    """Call the live method and run through everything it sends."""

    async def drain() -> list[Any]:
        return [reply async for reply in method(person, message)]

    return asyncio.run(drain())


def _step_ms(table: Table, now: int) -> int:
    """How far the clock may be put on without missing the end of a period."""
    left = STEP_MS if table.deadline_ms is None else table.deadline_ms - now
    return min(max(left, 1), STEP_MS)


def _play(method: Callable[..., Any], people: list[int], group: Any) -> None:
    """Everybody does the game's default each period; the clock runs so that bots answer at once."""
    for person in people:
        run(method, person, {"kind": "sync"})
    table = storage.load(group)
    seats = {person: seat for seat, person in seated(table).items()}
    for period in range(table.game.horizon):
        episode = storage.load(group).episode
        for person in people:
            action = episode.allowed(seats[person]).default_action()
            message = {
                "kind": "act",
                "id": f"otree bot {next(_names)}",
                "period": period,
                "action": action,
            }
            run(method, person, message)
        for _ in range(SLOWEST_BOT_MS // STEP_MS):
            if storage.load(group).episode.period > period:
                break
            clock.put_on(_step_ms(storage.load(group), clock.now_ms()))
            for person in people:
                run(method, person, {"kind": "alive"})
        moved = storage.load(group).episode
        assert moved.period == period + 1, f"period {period} was not settled"
        if moved.done:
            return
