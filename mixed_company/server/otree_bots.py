"""oTree's own bots for the shared pages, which each app's `tests.py` uses (`otree test`).

In oTree 6.0.15, `call_live_method` gets an async generator function, which does nothing until
somebody iterates over its result. `run` does this, and `play` asserts that the table has advanced.
"""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Callable, Iterator
from typing import Any

from otree.api import Bot, Submission

from mixed_company.engine.contract.chance import generator
from mixed_company.experiment.showing import practice_periods
from mixed_company.server.blocks import way
from mixed_company.server.open.group import seated
from mixed_company.server.open.practices import practices
from mixed_company.server.open.tables import tables
from mixed_company.server.pages import blocks, pages, play, questions, quiz, shared
from mixed_company.server.treatments import planned_of
from mixed_company.table import voting
from mixed_company.table.items import Item
from mixed_company.table.questions import drawn, items_in
from mixed_company.table.setup import Setup
from mixed_company.table.table import Table

STEP_MS = 3000
MOST_PASSES = 1200
"""Maximum number of clock steps in a period. They add up to an hour, which is longer than the
slowest bot takes.
"""

_names = itertools.count()


class PlayerBot(Bot):
    """Bot that all apps use."""

    def play_round(self) -> Iterator[Any]:
        return _steps(self)


def _steps(bot: Any) -> Iterator[Any]:
    """Yield one participant's submissions, from the instructions to the results."""
    setup = shared.setup_of(bot.player)
    if way.is_planned(bot.player):
        if blocks.NextBlock.is_displayed(bot.player):
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
    assert tables.settled(bot.player).episode.done, "the page was left before the play was over"
    assert bot.player.status == "finished", bot.player.status
    if goes_on and pages.Results.is_displayed(bot.player):
        yield Submission(pages.Results, check_html=False)


def _read(bot: Any, setup: Setup) -> Iterator[Any]:
    """Yield the submissions of the pages before the lobby."""
    yield pages.Instructions
    if setup.options.quiz:
        right = {question["name"]: question["right"] for question in quiz.questions(bot.player)}
        yield quiz.Quiz, {"quiz_answers": json.dumps(right)}
    if setup.options.practice_periods:
        yield Submission(play.Practice, check_html=False)
        assert bot.player.practised_periods == practice_periods(setup)


def _answers(page: Any, player: Any) -> Iterator[Any]:
    """Yield the submission for a page of questions, with random valid answers, if the page is
    shown.
    """
    items = page.items(player)
    if items:
        rng = generator(0, f"answers of {player.participant.code}")
        handed = {item.name: [drawn(item, rng), 0] for item in items}
        yield page, {"handed_answers": json.dumps(handed)}


def call_live_method(
    method: Callable[..., Any], page_class: Any, group: Any, **_context: Any
) -> None:
    """Play the live pages that every app has: meet in the lobby, and play all periods."""
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
    """Call the live method and collect everything it sends."""

    async def drain() -> list[Any]:
        return [reply async for reply in method(person, message)]

    return asyncio.run(drain())


def _practise(method: Callable[..., Any], player: Any) -> None:
    """Send the game's default action until the practice is over."""
    table = practices.of(player).table
    (seat,) = table.people
    run(method, player.id_in_group, {"kind": "sync"})
    while not table.parted(seat):
        run(method, player.id_in_group, _default(table, seat))


def _default(table: Table, seat: int) -> dict[str, Any]:
    """Return the message with the default action."""
    episode = table.episode
    return {
        "kind": "act",
        "id": f"otree bot {next(_names)}",
        "period": episode.period,
        "action": episode.allowed(seat).default_action(),
    }


def _play(method: Callable[..., Any], people: list[int], group: Any) -> None:
    """Send everyone's default action in each period, and advance the clock until the bots
    answer.
    """
    player = group.get_players()[0]
    for person in people:
        run(method, person, {"kind": "sync"})
        run(method, person, {"kind": "ready", "id": f"otree bot {next(_names)}"})
    seats = {person: seat for seat, person in seated(tables.settled(player)).items()}
    passes = 0
    while not (table := tables.settled(player)).episode.done:
        period, passes = table.episode.period, passes + 1
        for person in people:
            for message in list(_due(tables.settled(player), seats[person])):
                run(method, person, message)
        table, opened = tables.settled(player), tables.of(player)
        if table.episode.period > period:  # by more than one if bots play among themselves
            passes = 0
            continue
        assert passes < MOST_PASSES, (
            f"period {period} was not settled: seats {table.waiting()} have not decided; it "
            f"started at {table.started_ms}, the time is {opened.now_ms()}, and the deadline is "
            f"{table.deadline_ms}"
        )
        opened.put_on(_step_ms(table, opened.now_ms()))
        for person in people:
            run(method, person, {"kind": "alive"})


def _due(table: Table, seat: int) -> Iterator[dict[str, Any]]:
    """Yield all messages that the person in a seat can currently send."""
    period, name = table.episode.period, f"otree bot {next(_names)}"
    if table.parted(seat):
        return
    if voting.is_open(table) and not voting.has_voted(table, seat):
        yield {"kind": "choose", "id": name, "rule": next(iter(table.setup.rules))}
    elif table.talk is not None and table.talking and seat not in table.talk.done:
        yield {"kind": "done", "id": name, "period": period}
    elif table.started_ms is not None and not table.talking and seat not in table.decided:
        for item in items_in(table.options, seat, period):
            yield _answer(item, seat, period)
        yield _default(table, seat)


def _answer(item: Item, seat: int, period: int) -> dict[str, Any]:
    """Return a reproducible message that answers a question asked in a period."""
    name = f"{item.name} in period {period} in seat {seat}"
    about = {"question": item.name, "value": drawn(item, generator(0, name))}
    return {"kind": "answer", "id": name, "period": period, **about}


def _step_ms(table: Table, now: int) -> int:
    """Return a clock step that does not skip the beginning or end of a period."""
    begun = table.started_ms is not None
    end = table.deadline_ms if begun else table.ready_ms
    if end is None or table.talking or (table.vote is not None and not begun):
        return STEP_MS
    return min(max(end - now, 1), STEP_MS)
