"""Plays in words: views as text."""

from __future__ import annotations

from typing import Any

import pytest

from mixed_company import engine
from mixed_company.engine.contract import space
from mixed_company.table import telling
from mixed_company.table import view as shown
from mixed_company.table.options import Options
from mixed_company.table.protocol import Message
from mixed_company.table.setup import Setup
from mixed_company.table.table import Table
from tests.table.talk.tables import say


def table(
    game_id: str = "commons_game", chosen: dict[str, Any] | None = None, **changes: Any
) -> Table:
    game = engine.make(game_id, archetype="lab", **changes)
    defaults: dict[str, Any] = {"bots": "random", "bot_delay": "instant", "people_per_group": 2}
    options = Options(**{**defaults, **(chosen or {})})
    opened = Table.open(
        Setup(config=game.config.model_dump(mode="json"), options=options), [0, 1], 7, 0
    )
    for seat in (0, 1):
        opened.hear(seat, 0)
    return opened


def words(opened: Table, seat: int, now: int = 0) -> tuple[str, str]:
    view = shown.view(opened, seat, now).to_json()
    return telling.seen(opened.game, view), telling.asked(opened.game, view)


def test_a_period_of_the_commons_in_words() -> None:
    """Seat 0 takes 2 of 50 fish, and each fish is worth a point."""
    opened = table(periods=10)
    assert words(opened, 0)[1] == (
        "Decide now: harvest from 0 to 12, contribution from 0 to 0. You have 45 s."
    )
    for seat, harvest in ((0, 2.0), (1, 4.0)):
        message = Message("act", "a", 0, {"harvest": harvest, "contribution": 0.0})
        opened.act(seat, message, 1000)
    seen, _ = words(opened, 0, 1000)
    first, second, third = seen.split("\n")
    assert first == "Period 2 of 10. You have 2 points."
    assert "harvest (fish): you 2, player 2 4, player 3" in second
    assert third == "Your last period gave you 2 points; you did: harvest 2, contribution 0."


def test_the_rules_are_described_line_by_line() -> None:
    game = engine.make("commons_game", archetype="lab", periods=10)
    lines = telling.rules(game, 1).split("\n")
    head, numbers, decided, shown_to = (
        "The game is commons game: 4 players, 10 periods. You are player 2.",
        *("Its numbers:", "What you decide in a period:", "What you are shown:"),
    )
    assert [line for line in lines if not line.startswith("- ")] == [
        *(head, numbers, decided, shown_to)
    ]
    declaration = game.declaration
    assert lines[lines.index(decided) + 1 : lines.index(shown_to)] == [
        f"- {field.name}: {field.meaning} ({field.unit})" for field in declaration.actions
    ]
    assert "- seats: 4 (number of seats)" in lines
    vote = telling.rules(engine.make("punishment_vote", taboo=["A", "B"]), 0)
    assert "- taboo: ['A', 'B'] (" in vote
    named = [line.split(":")[0] for line in lines[lines.index(shown_to) + 1 :]]
    assert named == [f"- {field.name}" for field in declaration.observations]


def test_a_chosen_option_is_described_by_its_name() -> None:
    opened = table("punishment_vote")
    for seat in (0, 1):
        opened.act(seat, Message("act", "a", 0, {"action": 6}), 1000)
    assert "you did: action noop." in words(opened, 0, 1000)[0]


def test_a_waiting_person_has_nothing_to_do() -> None:
    opened = table()
    message = Message("act", "a", 0, {"harvest": 1.0, "contribution": 0.0})
    opened.act(0, message, 1000)
    assert words(opened, 0, 1000)[1] == ""


def test_the_task_is_described_with_its_time_if_there_is_a_limit() -> None:
    timeless = table(chosen={"decision_seconds": 0.0})
    assert words(timeless, 0)[1] == "Decide now: harvest from 0 to 12, contribution from 0 to 0."
    talking = table(chosen={"talk": "free", "talk_seconds": 30.0})
    task = "The group talks now: you can write, or say that you are done. You have 20 s."
    assert words(talking, 0, 10_000)[1] == task


def test_a_person_who_did_not_decide_in_time_is_told_so() -> None:
    opened = table(chosen={"decision_seconds": 9.0, "line_seconds": 0.0})
    opened.advance(9000)
    last = words(opened, 0, 9000)[0].split("\n")[2]
    assert last.endswith("harvest 0, contribution 0 (nobody decided for you in time).")


def test_messages_are_described_for_this_period_and_the_last() -> None:
    view = {**shown.view(table(), 0, 0).to_json(), "period": 2}
    messages = [{"period": period, "seat": 1, "text": f"in {period}"} for period in range(3)]
    seen = telling.seen(table().game, {**view, "talk": {"messages": messages}})
    assert seen.split("\n")[2:] == ["Player 2 wrote: in 1", "Player 2 wrote: in 2"]


def test_hidden_values_are_not_described() -> None:
    layers = {"information": {"intensity": 1.0, "hide": ["stock"]}}
    opened = table(layers=layers)
    assert "stock" not in words(opened, 0)[0]


def test_occupants_are_described_only_if_people_see_them() -> None:
    talk = {"talk": "free", "talk_when": "always", "talk_seconds": 0.0}
    opened, silent = (table(chosen={**talk, "disclosure": kind}) for kind in ("labels", "possible"))
    for playing in (opened, silent):
        say(playing, 0, 1000, "Two each?")
    named = "player 3 is a computer program, player 4 is a computer program."
    assert f"Who plays: player 2 is a person, {named}" in words(opened, 0, 1000)[0]
    assert f"Who plays: player 1 is a person, {named}" in words(opened, 1, 1000)[0]
    assert "Player 1 (a person) wrote: Two each?" in words(opened, 1, 1000)[0]
    assert "You wrote: Two each?" in words(opened, 0, 1000)[0]
    assert "Who plays" not in words(silent, 0, 1000)[0]
    assert "Player 1 wrote: Two each?" in words(silent, 1, 1000)[0]


@pytest.mark.parametrize("game_id", engine.game_ids())
def test_every_shown_field_is_described_in_every_game(game_id: str) -> None:
    opened = table(game_id)
    view = shown.view(opened, 1, 0).to_json()
    seen, _ = words(opened, 1)
    layout = {field.name for field in opened.game.declaration.observations}
    shown_fields = {name for name, value in view["observation"].items() if value not in (None, [])}
    for name in (layout & shown_fields) - {"period", "seat", "ended"}:
        assert name in seen
    assert telling.rules(opened.game, 1).startswith(f"The game is {game_id.replace('_', ' ')}")
    assert space.from_json(opened.game.declaration.observations, view["observation"])
