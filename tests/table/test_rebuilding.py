"""Rebuilding a table from its setup and its journal, at any length of the journal."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from mixed_company import engine, policies
from mixed_company.engine.contract.errors import LogError
from mixed_company.policies.policy import ask_at
from mixed_company.table import answers
from mixed_company.table.journal import Entry
from mixed_company.table.options import Options
from mixed_company.table.protocol import Message
from mixed_company.table.rebuilding import rebuilt
from mixed_company.table.setup import Setup
from mixed_company.table.table import Table

SECOND = 1000
IN_TURN = {"timing": "sequential"}
QUESTIONS: list[dict[str, Any]] = [
    {"name": "mood", "text": "Mood?", "every": 2, "type": "slider", "least": 0, "most": 9},
    {
        "name": "bots",
        "text": "Bots?",
        "every": 1,
        "type": "number",
        "required": False,
        "about": "bots",
        "pay": "within",
        "margin": 1,
        "prize": 3,
    },
]
HABITS: dict[str, dict[str, Any]] = {
    "answers": {},
    "clock": {"pace": "clock", "decision_seconds": 5.0},
    "leave": {"dropout": "reduced", "agents": {"may_leave": True}},
    "turns": {"agents": IN_TURN},
    "leave turns": {"agents": {**IN_TURN, "may_leave": True}, "dropout": "reduced"},
    "questions": {"questions": QUESTIONS},
}
"""Variants of tables: how a period ends, and what happens to the seats of people who leave."""


def pairs() -> Iterator[Any]:
    """Yield every game with every habit. In `make test`, yield each game once and each habit
    once."""
    usual = {"commons_game": list(HABITS), "gem_mining": ["leave turns"]}
    for game_id in engine.game_ids():
        for habits, changes in HABITS.items():
            if engine.find(game_id).own_timing and "timing" in changes.get("agents", {}):
                continue
            often = habits in usual.get(game_id, ["answers"])
            yield pytest.param(game_id, habits, marks=() if often else pytest.mark.long)


def setup(game_id: str, agents: dict[str, Any] | None = None, **options: Any) -> Setup:
    fields = engine.find(game_id).Core.model_fields
    length = {"turns" if "turns" in fields else "periods": 7}
    game = engine.make(game_id, archetype="lab", agents=agents or {}, **length)
    chosen = {"bot_delay": "fixed:seconds=2", "decision_seconds": 9.0, "grace_seconds": 20.0}
    config = game.config.model_dump(mode="json")
    return Setup(config=config, options=Options(**{**chosen, "bots": "random", **options}))


def everything(table: Table, now: int) -> dict[str, Any]:
    """Return a table's whole state at a moment."""
    table.advance(now)
    table.take_rows()
    data: dict[str, Any] = json.loads(table.to_json())
    return {**data, "entries": 0}


def stored(rows: list[Entry]) -> list[Entry]:
    """Return entries as they are read from a database."""
    written: list[Entry] = json.loads(json.dumps(rows))
    return written


def played(setup: Setup, seed: int) -> list[tuple[list[Entry], str, int]]:
    """Let people come, decide, go silent and come back at random. Return all entries so far, the
    table, and the time after each message."""
    rng = np.random.default_rng(seed)
    table = Table.open(setup, [0, 2], seed=seed, now=0)
    policy = policies.make("random", table.game)
    journal: list[Entry] = []
    steps, now, away = [], 0, {0: 0, 2: 0}
    for number in range(50):
        now += int(rng.integers(0, 6 * SECOND))
        seat = int(rng.choice([0, 2]))
        if rng.random() < 0.08:
            away[seat] = now + int(rng.integers(10, 40)) * SECOND
        if now >= away[seat]:
            say(table, policy, seat, now, number, rng)
        else:
            table.advance(now)
        journal += stored(table.take_rows())
        steps.append((list(journal), table.to_json(), now))
    return steps


def say(
    table: Table, policy: Any, seat: int, now: int, number: int, rng: np.random.Generator
) -> None:
    table.hear(seat, now)
    for name in [item["name"] for item in QUESTIONS if table.options.questions]:
        about = {"question": name, "value": int(rng.integers(5))}
        table.reply(seat, Message("answer", f"{name} {number}", table.episode.period, **about), now)
    if rng.random() < 0.7 and not table.out(seat):
        action = dict(ask_at(table.episode, policy, seat, {}).action)
        table.act(seat, Message("act", f"m{number}", table.episode.period, action), now)


@pytest.mark.few(2)
@pytest.mark.parametrize(("game_id", "habits"), list(pairs()))
def test_a_table_can_be_rebuilt_at_any_message(game_id, habits):
    settings = setup(game_id, **HABITS[habits])
    steps = played(settings, seed=7)
    kinds = {entry["kind"] for entry in steps[-1][0]}
    assert kinds >= {"start", "seat", "period", "act", "heard", "seen"}
    assert ("answered" in kinds) == (habits == "questions")
    for journal, text, now in steps[::3]:
        again = rebuilt(settings, journal)
        assert again.entries == len(journal) + len(again.rows)
        assert everything(again, now) == everything(Table.from_json(settings, text), now)


def test_a_table_can_be_rebuilt_from_any_snapshot_and_the_entries_after_it():
    settings = setup("commons_game")
    steps = played(settings, seed=8)
    journal, last, now = steps[-1]
    for written, text, _ in steps[::3]:
        again = rebuilt(settings, journal[len(written) :], text)
        assert everything(again, now) == everything(Table.from_json(settings, last), now)


def test_a_table_continues_from_a_journal_that_was_cut_anywhere():
    """Unwritten entries with the same time are written at that point."""
    settings = setup("sanctions")
    journal, _, now = played(settings, seed=9)[-1]
    for length in range(1 + settings.game.seats, len(journal), 4):
        again = rebuilt(settings, journal[:length])
        missing = stored(again.take_rows())
        assert journal[:length] + missing == journal[: length + len(missing)]
        assert everything(again, now)["episode"]


def test_a_policy_that_was_too_slow_stays_too_slow_when_rebuilt(monkeypatch):
    settings = setup("commons_game", bots="noisy_person", bot_delay="instant")
    monkeypatch.setattr(answers, "BUDGET_SECONDS", -1.0)
    table = Table.open(settings, [0], seed=7, now=0)
    for period in range(3):
        table.act(0, Message("act", f"{period}", period, {"harvest": 1, "contribution": 0}), period)
        table.hear(0, period)
        table.act(0, Message("act", f"{period}", period, {"harvest": 1, "contribution": 0}), period)
    journal = stored(table.take_rows())
    assert sum(entry.get("event") == "policy_fault" for entry in journal) >= 9
    monkeypatch.undo()
    assert everything(rebuilt(settings, journal), 3) == everything(table, 3)


def test_a_policy_that_was_in_time_does_not_become_too_slow_when_rebuilt(monkeypatch):
    settings = setup("commons_game", bots="noisy_person", bot_delay="instant")
    table = Table.open(settings, [0], seed=7, now=0)
    table.hear(0, 0)
    table.act(0, Message("act", "a", 0, {"harvest": 1, "contribution": 0}), 1)
    journal = stored(table.take_rows())
    monkeypatch.setattr(answers, "BUDGET_SECONDS", -1.0)
    assert everything(rebuilt(settings, journal), 1) == everything(table, 1)


def changed(entry: Entry) -> Entry:
    return {**entry, "action": {**entry["action"], "harvest": 0.125}}


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda rows: rows[1:], "should begin with the start"),
        (lambda rows: [], "should begin with the start"),
        (
            lambda rows: [changed(r) if r["kind"] == "act" else r for r in rows],
            "in the replay it is",
        ),
        (lambda rows: [r for r in rows if r["kind"] != "act"], "in the replay it is"),
        (lambda rows: [*rows, {**rows[-1], "at_ms": 10**12}], "the replay"),
    ],
)
def test_a_journal_that_contradicts_its_play_is_refused(damage, words):
    settings = setup("commons_game")
    journal, _, _ = played(settings, seed=7)[-1]
    rebuilt(settings, journal)
    with pytest.raises(LogError, match=words):
        rebuilt(settings, damage(journal))


def test_a_policy_that_fails_only_when_it_is_asked_again_keeps_its_decision(monkeypatch):
    chosen = setup("commons_game")
    table = Table.open(chosen, [0], seed=3, now=0)
    table.hear(0, 0)
    table.act(0, Message("act", "a", 0, {"harvest": 1, "contribution": 0}), 3 * SECOND)
    journal = stored(table.take_rows())
    journal = journal[: 1 + [entry["kind"] for entry in journal].index("period")]

    def act(*_: Any) -> Any:
        raise ValueError("no idea")

    monkeypatch.setattr(policies.find("random", "commons_game"), "act_within", act)
    again = rebuilt(chosen, journal)
    assert again.episode.period == 1
    assert {row["period"] for row in again.take_rows() if row["kind"] == "event"} == {1}


def test_the_last_sign_of_life_of_a_person_who_left_is_written():
    """The server hears from both at 5 s. Then seat 1 is silent, and a bot takes it 15 s later."""
    game = engine.make("commons_game", archetype="lab")
    options = Options(grace_seconds=15.0, decision_seconds=0.0, bots="steward")
    setup = Setup(config=game.config.model_dump(mode="json"), options=options)
    table = Table.open(setup, [0, 1], 7, 0)
    for second in (0, 5):
        for seat in (0, 1):
            table.hear(seat, second * SECOND)
    for second in range(10, 40, 5):
        table.hear(0, second * SECOND)
    rows = json.loads(json.dumps(table.take_rows()))
    left = next(row for row in rows if row["kind"] == "seat" and row["reason"] == "dropout")
    seen = [row["seats"] for row in rows[: rows.index(left)] if row["kind"] == "seen"]
    assert [1, 5 * SECOND] in [pair for pairs in seen for pair in pairs]
    assert rebuilt(setup, rows).seats[1].occupant == "policy"
