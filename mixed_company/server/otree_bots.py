"""oTree's own bots for the shared pages: what an app's `tests.py` needs (`otree test`).

In oTree 6.0.15 `call_live_method` is handed an async generator function: nothing happens until
somebody runs through what it returns. `run` does, and `play` asserts that the table moved.
"""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from otree.api import Bot, Submission

from mixed_company.engine.contract.chance import generator
from mixed_company.server.blocks import way
from mixed_company.server.open.group import seated
from mixed_company.server.open.practices import practices
from mixed_company.server.open.tables import tables
from mixed_company.server.pages import blocks, instructions, pages, play, questions, quiz, shared
from mixed_company.server.treatments import planned_of
from mixed_company.table import voting
from mixed_company.table.items import Item
from mixed_company.table.questions import drawn, items_in
from mixed_company.table.setup import Setup
from mixed_company.table.table import Table

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
    setup = shared.setup_of(bot.player)
    if way.is_planned(bot.player):
        yield blocks.NextBlock
    elif setup.options.consent:
        yield pages.Consent, {"consented": "yes"}
    if not way.again(bot.player):
        yield from _read(bot, setup)
    yield from _answers(questions.QuestionsBefore, bot.player)
    if bot.participant._current_page_name == "Lobby":
        yield Submission(play.Lobby, check_html=False)
    yield Submission(play.Play, check_html=False)
    yield from _answers(questions.QuestionsAfter, bot.player)
    goes_on = way.goes_on(bot.player, planned_of(bot.player.subsession))
    if setup.options.comments and not goes_on:
        yield pages.Comments, {"comments": ""}
    if not goes_on:
        yield from _answers(questions.Questionnaire, bot.player)
    assert tables.settled(bot.player).episode.done, "the play was left before it was over"
    assert bot.player.status == "finished", bot.player.status
    if goes_on:
        yield Submission(pages.Results, check_html=False)


def _read(bot: Any, setup: Setup) -> Iterator[Any]:
    """What comes before the lobby."""
    yield pages.Instructions
    if setup.options.quiz:
        right = {own["name"]: own["right"] for own in quiz.questions(bot.player)}
        yield quiz.Quiz, {"quiz_answers": json.dumps(right)}
    if setup.options.practice_periods:
        yield Submission(play.Practice, check_html=False)
        assert bot.player.practised_periods == instructions.periods_of(setup)


def _answers(page: Any, player: Any) -> Iterator[Any]:
    """A page of questions, if it is shown: any answers that can be kept."""
    items = page.items(player)
    if items:
        rng = generator(0, f"answers of {player.participant.code}")
        handed = {item.name: [drawn(item, rng), 0] for item in items}
        yield page, {"handed_answers": json.dumps(handed)}


def call_live_method(
    method: Callable[..., Any], page_class: Any, group: Any, **_context: Any
) -> None:
    """What happens on the live pages of every app: meet in the lobby, play all periods."""
    people = [player.id_in_group for player in group.get_players()]
    if page_class.__name__ == "Lobby":
        for person in people:
            run(method, person, {"kind": "sync"})
    elif page_class.__name__ == "Practice":
        for player in group.get_players():
            _practise(method, player)
    elif page_class.__name__ == "Play":
        _play(method, people, group)


def run(method: Callable[..., Any], person: int, message: dict[str, Any]) -> list[Any]:
    """Call the live method and run through everything it sends."""

    async def drain() -> list[Any]:
        return [reply async for reply in method(person, message)]

    return asyncio.run(drain())


def _step_ms(table: Table, now: int) -> int:
    """How far the clock may be put on without missing the beginning or the end of a period."""
    end = table.ready_ms if table.started_ms is None else table.deadline_ms
    return STEP_MS if end is None or table.talking else min(max(end - now, 1), STEP_MS)


def _practise(method: Callable[..., Any], player: Any) -> None:
    """Do the game's default until the practice is over."""
    table = practices.of(player).table
    (seat,) = table.people
    run(method, player.id_in_group, {"kind": "sync"})
    while not table.parted(seat):
        run(method, player.id_in_group, _default(table, seat))


def _default(table: Table, seat: int) -> dict[str, Any]:
    """The message that decides what is done where nothing is chosen."""
    episode = table.episode
    return {
        "kind": "act",
        "id": f"otree bot {next(_names)}",
        "period": episode.period,
        "action": episode.allowed(seat).default_action(),
    }


def _answer(item: Item, period: int) -> dict[str, Any]:
    """The message that answers a question of a period."""
    value = drawn(item, generator(0, f"answer {next(_names)}"))
    about = {"question": item.name, "value": value}
    return {"kind": "answer", "id": f"otree bot {next(_names)}", "period": period, **about}


def _vote(method: Callable[..., Any], people: list[int], player: Any) -> None:
    """Everybody votes for the first rule, if there is a vote; then the clock runs until the play
    begins."""
    table = tables.settled(player)
    if not voting.is_held(table):
        return
    for person in people:
        rule = next(iter(table.setup.rules))
        run(method, person, {"kind": "choose", "id": f"otree bot {next(_names)}", "rule": rule})
    for _ in range(SLOWEST_BOT_MS // STEP_MS):
        if tables.settled(player).started_ms is not None:
            return
        tables.of(player).put_on(STEP_MS)
        for person in people:
            run(method, person, {"kind": "alive"})
    raise AssertionError("the vote was not over")


def _play(method: Callable[..., Any], people: list[int], group: Any) -> None:
    """Everybody does the game's default each period; the clock runs so that bots answer at once."""
    for person in people:
        run(method, person, {"kind": "sync"})
        run(method, person, {"kind": "ready", "id": f"otree bot {next(_names)}"})
    player = group.get_players()[0]
    table = tables.settled(player)
    seats = {person: seat for seat, person in seated(table).items()}
    _vote(method, people, player)
    _wait(_begun, player, method, people)
    while not (episode := tables.settled(player).episode).done:
        period = episode.period
        for person in people if table.talking else ():
            done = {"kind": "done", "id": f"otree bot {next(_names)}", "period": period}
            run(method, person, done)
        _wait(_talked, player, method, people)
        for person in people:
            for item in items_in(table.options, seats[person], period):
                run(method, person, _answer(item, period))
            run(method, person, _default(table, seats[person]))
        _wait(partial(_settled, period), player, method, people)
        # more than one where all people are out: bots among themselves wait for nobody
        table = tables.settled(player)
        assert table.episode.period > period, (
            f"period {period} was not settled: seats {table.waiting()} have not decided; begun at "
            f"{table.started_ms}, it is {tables.of(player).now_ms()}, until {table.deadline_ms}"
        )


def _begun(table: Table) -> bool:
    return table.started_ms is not None or table.talking


def _talked(table: Table) -> bool:
    return not table.talking


def _settled(period: int, table: Table) -> bool:
    return table.episode.period > period


def _wait(
    there: Callable[[Table], bool], player: Any, method: Callable[..., Any], people: list[int]
) -> None:
    """Put the clock on until something has come, or the slowest bot would have answered."""
    for _ in range(SLOWEST_BOT_MS // STEP_MS):
        table = tables.settled(player)
        if there(table):
            return
        opened = tables.of(player)
        opened.put_on(_step_ms(table, opened.now_ms()))
        for person in people:
            run(method, person, {"kind": "alive"})
