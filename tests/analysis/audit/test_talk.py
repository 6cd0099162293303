"""The audit recomputes policies' messages, and checks the form of people's messages."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from mixed_company import analysis
from mixed_company.analysis.audit import NOTES, audited
from mixed_company.analysis.audit.asked import SILENT
from mixed_company.analysis.data import Data
from mixed_company.table.answers import Recalled
from mixed_company.table.directives import Directive
from mixed_company.table.seating import play_seed
from mixed_company.table.setup import Setup
from mixed_company.table.table import Table
from tests.analysis.audit.tables import START, _act, exported, opened, setup
from tests.table.talk.tables import done, report, say

BOTS = "promises_and_keeps,promises_and_breaks"
FREE = {"talk": "free", "talk_seconds": 8.0, "talk_blocklist": ("fool",)}
TALKS: dict[str, dict[str, Any]] = {
    "periods": FREE,
    "before": {**FREE, "talk_when": "before", "talk_seconds": 30.0},
    "always": {**FREE, "talk_when": "always", "talk_seconds": 0.0},
    "first seconds": {**FREE, "talk_when": "always", "talk_seconds": 4.0},
    "one": {**FREE, "talk_with": "one", "disclosure": "labels"},
    "often": {**FREE, "talk_per_minute": 1, "talk_when": "always", "talk_seconds": 0.0},
    "list": {"talk": "list", "talk_sentences": ("I take 1", "I take 9"), "talk_seconds": 8.0},
    "turns": {**FREE, "agents": {"timing": "sequential"}},
    "clock": {**FREE, "talk_when": "before", "pace": "clock"},
    "pause": {**FREE, "dropout": "pause", "pause_seconds": 5.0},
}

OFTEN = ("always", "list", "turns")
"""Cases in `make test`: talk during decisions, talk from a list, and seats that decide in turn."""


def played(setup: Setup, number: int, silent: float = 0.06) -> Table:
    """Play with people who write, report, get ready, decide and go silent at random, and a manager
    who gives a seat to a bot.
    """
    chance = random.Random(number)
    now = START + 1000 * number
    table = opened(setup, 2, number, now)
    away: set[int] = set()
    for second in range(250):
        now += 400 + chance.randrange(1200)
        for seat in table.people:
            if chance.random() < silent:
                away ^= {seat}
            if seat in away or table.over:
                continue
            table.hear(seat, now)
            if chance.random() < 0.3:
                _talk(table, seat, now, chance, second)
            elif chance.random() < 0.5:
                _act(table, seat, now, chance, f"{second} {seat}")
        if second % 60 == 40:
            table.manage(Directive("stand_in", f"h{second}", table.people[0]), now)
        if second % 60 == 55:
            table.manage(Directive("give_back", f"g{second}", table.people[0]), now)
    return table


def _talk(table: Table, seat: int, now: int, chance: random.Random, second: int) -> None:
    options = table.options
    to = chance.randrange(4) if options.talk_with == "one" else None
    name = f"t{second}"
    if chance.random() < 0.2:
        report(table, seat, now, chance.randrange(9), name)
    elif chance.random() < 0.3:
        done(table, seat, now)
    elif options.talk == "list":
        say(table, seat, now, sentence=chance.randrange(2), to=to, id=name)
    else:
        say(table, seat, now, chance.choice(["=1+1", "You fool", "Two each"]), to=to, id=name)


def data(name: str, **more: Any) -> Data:
    chosen = {"periods": 6, "bots": BOTS, "decision_seconds": 6.0, "grace_seconds": 10.0}
    settings = setup(**{**chosen, **TALKS[name], **more})
    return exported(settings, [played(settings, number) for number in (1, 2)])


def wrong(data: Data) -> list[str]:
    return [str(problem) for problem in audited(data).problems if problem.kind not in NOTES]


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in OFTEN else pytest.mark.long) for name in TALKS]
)
def test_an_export_of_talking_people_and_policies_is_valid(name: str) -> None:
    export = data(name, bot_delay="people")
    assert export.messages is not None
    assert {"person", "policy"} <= set(export.messages["occupant"])
    assert wrong(export) == []


@pytest.fixture(scope="module")
def good() -> Data:
    export = data("periods")
    assert wrong(export) == []
    return export


def first(data: Data, occupant: str) -> Any:
    assert data.messages is not None
    return data.messages.index[data.messages["occupant"] == occupant][0]


Change = Callable[[pd.DataFrame, Data], pd.DataFrame]


def set_to(occupant: str, column: str, value: Any) -> Change:
    def change(frame: pd.DataFrame, data: Data) -> pd.DataFrame:
        frame[column] = frame[column].astype(object)
        frame.loc[first(data, occupant), column] = value
        return frame

    return change


def moved(occupant: str, by: int) -> Change:
    def change(frame: pd.DataFrame, data: Data) -> pd.DataFrame:
        frame.loc[first(data, occupant), "at_ms"] += by
        return frame

    return change


CHANGES: dict[str, Change] = {
    "a false message": set_to("policy", "text", "I will take 99."),
    "another time": moved("policy", 1),
    "another seat": set_to("policy", "seat", 0),
    "no such seat": set_to("policy", "seat", 7),
    "for one alone": set_to("policy", "to", 2),
    "from a list": set_to("policy", "sentence", 0),
    "a person for a policy": set_to("policy", "occupant", "person"),
    "another policy": set_to("policy", "policy_id", "promises_and_breaks:excess=9"),
    "one is gone": lambda frame, export: frame.drop(index=first(export, "policy")),
    "one too many": lambda frame, export: pd.concat(
        [frame, frame.loc[[first(export, "policy")]]], ignore_index=True
    ),
    "a policy for a person": set_to("person", "occupant", "policy"),
    "too long": set_to("person", "text", "a" * 201),
    "unprintable": set_to("person", "text", "a\nb"),
    "blocked without a cause": set_to("person", "blocked", None),
    "out of time": moved("person", 3_600_000),
    "before the play": moved("person", -3_600_000),
    "reported by its writer": set_to("person", "reported_by", "0 2"),
    "of another person": set_to("person", "participant", "x"),
    "of another period": set_to("person", "period", 5),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_planted_fault_is_found(good: Data, name: str) -> None:
    assert good.messages is not None
    changed = CHANGES[name](good.messages.copy(), good)
    assert wrong(replace(good, messages=changed)), name


def test_a_missing_message_table_is_found_if_policies_spoke(good: Data) -> None:
    assert any(
        "messages.csv: missing: " in problem for problem in wrong(replace(good, messages=None))
    )


@pytest.mark.parametrize("event", ["talk", "talk_over", "talk_done"])
def test_a_missing_or_moved_talk_event_is_found(good: Data, event: str) -> None:
    rows = good.events.index[good.events["event"] == event]
    gone = good.events.drop(index=rows[0])
    if event != "talk_done":
        assert wrong(replace(good, events=gone))
        late = good.events.copy()
        late.loc[rows[1], "at_ms"] += 7
        assert wrong(replace(good, events=late))


def test_a_session_without_talk_has_no_messages(good: Data) -> None:
    settings = setup(periods=3, bots=BOTS, decision_seconds=6.0)
    silent = exported(settings, [played(settings, 1, silent=0.0)])
    assert silent.messages is None
    assert wrong(silent) == []
    export = replace(silent, messages=good.messages)
    assert any(
        "messages.csv" in problem and "this row should not exist" in problem
        for problem in wrong(export)
    )


def test_messages_are_saved_and_read_back(good: Data, tmp_path: Path) -> None:
    analysis.save(good, tmp_path / "talk.zip")
    again = analysis.load(tmp_path / "talk.zip")
    assert again.messages is not None
    assert good.messages is not None
    assert again.messages["text"].tolist() == good.messages["text"].tolist()
    assert wrong(again) == []
    silent = replace(good, messages=None)
    analysis.save(silent, tmp_path / "silent.zip")
    assert analysis.load(tmp_path / "silent.zip").messages is None


def test_a_replay_has_the_messages_at_their_times(good: Data) -> None:
    from mixed_company.analysis.report import replays

    assert good.messages is not None
    shown = replays.messages(good.of_group("s", 1))
    messages = good.messages[good.messages["group"] == 1]
    assert [message["text"] for message in shown] == messages["text"].tolist()
    began = good.seats.loc[good.seats["group"] == 1, "at_ms"].min()
    assert shown[0]["seconds"] == round((messages["at_ms"].iloc[0] - began) / 1000, 1)
    assert replays.messages(replace(good.of_group("s", 1), messages=None)) == []


def test_a_message_that_a_policy_failed_to_write_is_counted() -> None:
    settings = setup(periods=2, bots=BOTS, **TALKS["always"])
    table = Table.open(settings, [0], play_seed(settings.config["identity"]["seed"], 1), START)
    failed = {"kind": "event", "event": "talk_fault", "period": 1, "seat": 1, "detail": "late"}
    table.recalled = Recalled([failed] * 99)  # as many entries as the play could have
    table.hear(0, START)
    for period in (0, 1):
        _act(table, 0, START + 5000 * (period + 1), random.Random(period), f"{period}")
    audit = audited(exported(settings, [table]))
    assert audit.problems == ()
    assert audit.unasked[SILENT] == 1
