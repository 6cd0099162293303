"""A table where people and policies talk can be rebuilt from its entries so far."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mixed_company import engine, policies
from mixed_company.engine.contract.errors import LogError
from mixed_company.policies.policy import Policy
from mixed_company.policies.talk import Saying, Talk
from mixed_company.table.journal import Entry
from mixed_company.table.options import Options
from mixed_company.table.rebuilding import rebuilt
from mixed_company.table.setup import Setup
from mixed_company.table.table import Table
from tests.table.talk.tables import done, report
from tests.table.talk.tables import say as say_something
from tests.table.test_rebuilding import SECOND, everything, say, stored

TALKS: list[dict[str, Any]] = [
    {"talk": "free", "talk_seconds": 8.0, "talk_blocklist": ("fool",)},
    {"talk": "free", "talk_seconds": 8.0, "talk_with": "one", "talk_per_minute": 2},
    {"talk": "free", "talk_when": "before", "talk_seconds": 60.0},
    {"talk": "free", "talk_when": "always", "talk_seconds": 0.0},
    {"talk": "free", "talk_when": "always", "talk_seconds": 4.0, "dropout": "reduced"},
    {"talk": "list", "talk_sentences": ("I take 2", "I take 9"), "talk_seconds": 8.0},
    {"talk": "free", "talk_seconds": 8.0, "agents": {"timing": "sequential"}},
    {"talk": "free", "talk_when": "always", "talk_seconds": 0.0, "pace": "clock"},
]


def setup(agents: dict[str, Any] | None = None, **options: Any) -> Setup:
    roles = dict(agents or {})
    if options.get("dropout") == "reduced":
        roles["may_leave"] = True
    game = engine.make("commons_game", archetype="lab", agents=roles, periods=7)
    chosen = {"bot_delay": "people", "decision_seconds": 9.0, "grace_seconds": 20.0}
    chosen["bots"] = "promises_and_keeps,promises_and_breaks"
    config = game.config.model_dump(mode="json")
    return Setup(config=config, options=Options(**{**chosen, **options}))


def talk(table: Table, seat: int, now: int, number: int, rng: np.random.Generator) -> None:
    """Let a person write, report or get ready, at random."""
    draw = rng.random()
    to = int(rng.choice([0, 1, 2, 3])) if table.options.talk_with == "one" else None
    if draw < 0.4 and table.options.talk == "list":
        say_something(table, seat, now, sentence=int(rng.integers(0, 3)), id=f"s{number}", to=to)
    elif draw < 0.4:
        text = str(rng.choice(["Two each", "You fool", "", "I take 3"]))
        say_something(table, seat, now, text, id=f"s{number}", to=to)
    elif draw < 0.6:
        report(table, seat, now, int(rng.integers(0, 5)), f"r{number}")
    elif draw < 0.8:
        done(table, seat, now)


def played(setup: Setup, seed: int) -> list[tuple[list[Entry], str, int]]:
    rng = np.random.default_rng(seed)
    table = Table.open(setup, [0, 2], seed=seed, now=0)
    policy = policies.make("random", table.game)
    journal: list[Entry] = []
    steps, now, away = [], 0, {0: 0, 2: 0}
    for number in range(70):
        now += int(rng.integers(0, 4 * SECOND))
        seat = int(rng.choice([0, 2]))
        if rng.random() < 0.06:
            away[seat] = now + int(rng.integers(10, 40)) * SECOND
        if now >= away[seat]:
            talk(table, seat, now, number, rng)
            if not table.talking:
                say(table, policy, seat, now, number, rng)
        else:
            table.advance(now)
        journal += stored(table.take_rows())
        steps.append((list(journal), table.to_json(), now))
    return steps


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "habits", TALKS, ids=lambda habits: "-".join(map(str, habits.values()))[:40]
)
def test_a_table_that_talks_can_be_rebuilt_at_any_message(habits):
    settings = setup(**habits)
    steps = played(settings, seed=7)
    kinds = {entry["kind"] for entry in steps[-1][0]}
    assert kinds >= {"start", "seat", "act", "message"}
    for journal, text, now in steps[::3]:
        again = rebuilt(settings, journal)
        assert again.entries == len(journal) + len(again.rows)
        assert everything(again, now) == everything(Table.from_json(settings, text), now)
    last, text, now = steps[-1][0], steps[-1][1], steps[-1][2]
    for written, snapshot, _ in steps[::7]:
        again = rebuilt(settings, last[len(written) :], snapshot)
        assert everything(again, now) == everything(Table.from_json(settings, text), now)


@pytest.mark.parametrize("habits", TALKS[1:2], ids=["one"])
def test_a_table_continues_from_a_journal_that_was_cut_anywhere(habits):
    settings = setup(**habits)
    journal, _, _now = played(settings, seed=9)[-1]
    for length in range(1 + settings.game.seats, len(journal), 4):
        again = rebuilt(settings, journal[:length])
        missing = stored(again.take_rows())
        assert journal[:length] + missing == journal[: length + len(missing)]


def test_a_message_that_the_policy_did_not_write_is_detected():
    settings = setup(**TALKS[0])
    journal, _, _ = played(settings, seed=7)[-1]
    place = next(n for n, row in enumerate(journal) if row.get("policy_id") and "text" in row)
    wrong = [*journal[:place], {**journal[place], "text": "I will take 99."}, *journal[place + 1 :]]
    with pytest.raises(LogError, match="in the replay it is"):
        rebuilt(settings, wrong)


def failing(monkeypatch: pytest.MonkeyPatch, answer: Any) -> None:
    def speak(_policy: Policy, _talk: Talk, _seen: Any, _rng: Any) -> Any:
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(policies.find("promises_and_keeps", "commons_game"), "say", speak)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (ValueError("no idea"), "ValueError: no idea"),
        ("just a text", "'just a text': not a valid message"),
        (Saying(text=7), "not a valid message"),  # type: ignore[arg-type]
    ],
)
def test_a_policy_that_failed_says_nothing_and_stays_silent_when_rebuilt(
    monkeypatch: pytest.MonkeyPatch, answer: Any, words: str
) -> None:
    settings = setup(talk="free", talk_seconds=8.0, bots="promises_and_keeps", bot_delay="instant")
    failing(monkeypatch, answer)
    table = Table.open(settings, [0], seed=7, now=0)
    table.hear(0, 0)
    table.advance(9 * SECOND)
    journal = stored(table.take_rows())
    faults = [entry for entry in journal if entry.get("event") == "talk_fault"]
    assert [fault["seat"] for fault in faults] == [1, 2, 3]
    assert words in faults[0]["detail"]
    assert not [entry for entry in journal if entry["kind"] == "message"]
    monkeypatch.undo()
    assert everything(rebuilt(settings, journal), 9 * SECOND) == everything(table, 9 * SECOND)
