"""Amount of code that a reader must follow to understand one decision, and the cost of a step.

    python -m benchmarks.moves

The decision is the harvest of the second person at a table of the commons with two people and two
bots, which settles the period. The message reaches the open table, the person decides, the bots
answer, the period is settled, the views of both people are created, and the journal entries are
collected. The benchmark counts the files and functions of this project that take part (not
comprehensions), the moves (calls from one file into another), and all calls. For one person with
three bots, it counts the calls in each part of the path.

It counts the same harvest again with the server's part included, from the message that arrives at
the socket to the messages for both pages; the database is replaced by a list. It also traces a
plan's keys, from the text of the plan to the games of its treatments. For one key, it counts the
functions that hold its value, and the calls to them from other files.

For a step of the commons in one play (batch shape `()`), including its random draws, it prints the
median time and the calls to Python and C functions. PettingZoo's parallel step is shown as a
multiple of that time.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

from mixed_company import engine
from mixed_company.adapters.pettingzoo import Together
from mixed_company.experiment import reading, treatments
from mixed_company.server.sockets import Channel
from mixed_company.table.exchange import exchange
from mixed_company.table.options import Options
from mixed_company.table.protocol import Message
from mixed_company.table.setup import Setup
from mixed_company.table.table import Table
from settings import SESSION_CONFIG_DEFAULTS, SESSION_CONFIGS
from tests.loops import complete
from tests.server.test_open_table import Clock, Room

ROOT = str(Path(engine.__file__).resolve().parents[2])
PEOPLE, BOTS = (0, 1), "conditional_cooperator,noisy_person"
ALONE, THREE_BOTS = (0,), f"{BOTS},sustainable"
PARTS = {
    "Policy.act_rows": "rules of the policies",
    **dict.fromkeys(("answer", "_answered_together"), "asking the policies"),
    **dict.fromkeys(("Episode.allowed", "Ends.to_json", "Allowed.nearest"), "ranges of actions"),
    "_schedule": "scheduling their decisions",
    **dict.fromkeys(("Allowed.plain", "Table._why_not"), "checks of actions"),
    "Episode.step": "step of the engine",
    **dict.fromkeys(("period_entry", "log", "Decision.to_json", "Table.take_rows"), "journal"),
    **dict.fromkeys(("views", "seen_by_all", "View.to_json"), "views"),
    "Table.due": "next event",
}
"""Functions at which each part of the path begins. A part also includes the functions that these
call."""
HARVEST = {"harvest": 2.0, "contribution": 0.0}
STEPS, ROUNDS, PORTION = 1000, 9, 40


@dataclass
class Trail:
    """Record of a run: its functions as (file, name, line), the calls between files, all calls, and
    the calls in each part."""

    functions: set[tuple[str, str, int]] = field(default_factory=set)
    moves: int = 0
    calls: int = 0
    parts: Counter[str] = field(default_factory=Counter)

    @property
    def files(self) -> set[str]:
        return {file for file, _, _ in self.functions}


@contextmanager
def followed() -> Iterator[Trail]:
    """Record all calls in the `with` block."""
    trail = Trail()
    stack: list[str] = []
    parts = ["everything else"]

    def profile(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        trail.calls += event in ("call", "c_call")
        if event == "call":
            parts.append(PARTS.get(code.co_qualname, parts[-1]))
        trail.parts[parts[-1]] += event in ("call", "c_call")
        if event == "return" and len(parts) > 1:
            parts.pop()
        if event.startswith("c_") or not _ours(code.co_filename):
            return
        if code.co_filename == __file__:
            return
        if event == "call":
            trail.moves += bool(stack) and stack[-1] != code.co_filename
            stack.append(code.co_filename)
            if not code.co_name.startswith("<"):
                trail.functions.add((code.co_filename, code.co_name, code.co_firstlineno))
        elif stack:
            stack.pop()

    sys.setprofile(profile)
    try:
        yield trail
    finally:
        sys.setprofile(None)


def _ours(path: str) -> bool:
    """Return whether a source file belongs to the project itself, not to its tests or a library."""
    return path.startswith(ROOT) and not any(part in path for part in ("site-packages", "/tests/"))


def decision(people: Sequence[int] = PEOPLE, bots: str = BOTS) -> Trail:
    """Record the harvest that settles the second period."""
    game = engine.make("commons_game", archetype="lab_0_7")
    options = Options(bots=bots, bot_delay="instant", people_per_group=len(people))
    setup = Setup(config=game.config.model_dump(mode="json"), options=options)
    table = Table.open(setup, people, seed=7, now=0)
    for seat in people:
        table.hear(seat, 0)
    for seat in people:
        exchange(table, seat, Message("act", f"{seat}", 0, dict(HARVEST)), 1000, PORTION)
    *first, last = people
    for seat in first:
        exchange(table, seat, Message("act", "first", 1, dict(HARVEST)), 2000, PORTION)
    message = Message("act", "second", 1, dict(HARVEST))
    with followed() as trail:
        outcome = exchange(table, last, message, 3000, PORTION)
        for view in outcome.views.values():
            view.to_json()
        table.take_rows()
    if table.episode.period != 2:
        raise RuntimeError("the period was not settled")
    return trail


class _Web:
    """Stand-in for a browser, which accepts any text."""

    async def send_text(self, text: str) -> None:
        """Accept a text."""


def served() -> Trail:
    """Record the harvest that settles the first period, including the server."""
    room = Room(Clock(), bots=BOTS, bot_delay="instant", line_seconds=0)
    room.begin()
    room.act(0, "first")
    room.paper.save()
    channel = Channel(None, _Web())
    channel._join(room.table, 2)
    text = json.dumps({"kind": "act", "id": "last", "period": 0, "action": HARVEST})

    async def play() -> Trail:
        with followed() as trail:
            await channel.receive(text)
            room.paper.save()
        return trail

    trail = complete(play())
    if room.table.table.episode.period != 1:
        raise RuntimeError("the period was not settled")
    return trail


@contextmanager
def carried(value: float) -> Iterator[Trail]:
    """Record all functions in the `with` block that hold a value, by itself or in a container."""
    trail = Trail()

    def profile(frame: FrameType, event: str, result: Any) -> None:
        code, caller = frame.f_code, frame.f_back
        if event != "return" or not _ours(code.co_filename) or code.co_filename == __file__:
            return
        parts = [result, *frame.f_locals.values()]
        if not code.co_name.startswith("<") and _contains(parts, value, 3):
            trail.functions.add((code.co_filename, code.co_name, code.co_firstlineno))
            trail.moves += caller is not None and caller.f_code.co_filename != code.co_filename

    sys.setprofile(profile)
    try:
        yield trail
    finally:
        sys.setprofile(None)


def _contains(part: Any, value: float, depth: int) -> bool:
    """Return whether an object is a value or contains it, at most `depth` containers deep."""
    if type(part) is float:
        return part == value
    parts = part.values() if type(part) is dict else part if type(part) in (list, tuple) else ()
    return depth > 0 and any(_contains(inner, value, depth - 1) for inner in parts)


def planned(growth_rate: float | None = None) -> Trail:
    """Record how a plan's keys reach the games of its treatments. If a growth rate is given, record
    only the functions that hold it."""
    others = [config for config in SESSION_CONFIGS if config["name"] != "commons_governance"]
    text = (Path(ROOT) / "plans" / "commons_governance.toml").read_text(encoding="utf-8")
    if growth_rate is not None:
        text = text.replace("[changes]", f"[changes]\ngrowth_rate = {growth_rate}")
    with followed() if growth_rate is None else carried(growth_rate) as trail:
        plan = reading.from_text(text, "commons_governance.toml")
        config = treatments.session_config("commons_governance", plan, others)
        whole = {**SESSION_CONFIG_DEFAULTS, **config}
        [setups] = treatments.shipped_series("commons_game", whole)
        games = [setup.game for setup in setups.values()]
    if len(games) != len(plan.treatments):
        raise RuntimeError("a treatment has no game")
    if growth_rate not in (None, *(game.config.core.growth_rate for game in games)):
        raise RuntimeError("the key did not reach the games")
    return trail


def commons() -> engine.Game[Any]:
    """Return a commons game with governance in which plays do not end early."""
    return engine.make(
        "commons_game", archetype="governed", periods=10_000, terminate_on_collapse=False
    )


def microseconds(function: Callable[[], Any]) -> float:
    started = time.thread_time()
    for _ in range(STEPS):
        function()
    return 1e6 * (time.thread_time() - started) / STEPS


def stepping() -> tuple[Callable[[], Any], Callable[[], Any]]:
    """Return two functions that step the same game: in the engine, and through PettingZoo."""
    game = commons()
    state, _ = game.reset(0)
    amounts = {"harvest": np.full(game.seats, 2.0), "contribution": np.zeros(game.seats)}
    environment = Together(game)
    environment.reset(seed=0)
    actions = {agent: environment.action_space(agent).sample() for agent in environment.agents}

    def theirs() -> None:
        if not environment.agents:
            environment.reset(seed=0)
        environment.step(actions)

    return lambda: game.step(state, amounts, game.draw_chance(0, 0)), theirs


def main() -> None:
    trail = decision()
    print(f"a harvest that settles a period with two bots: {len(trail.files)} files, ", end="")
    print(f"{len(trail.functions)} functions, {trail.moves} moves between files, ", end="")
    print(f"{trail.calls} calls")
    alone = decision(ALONE, THREE_BOTS)
    print(f"one person with three bots: {alone.calls} calls")
    for part, calls in alone.parts.most_common():
        print(f"  {part:30}{calls:5}")
    counts = {"with the server's part": served(), "all keys of a plan": planned()}
    counts["one key of a plan"] = planned(0.4321)
    for name, counted in counts.items():
        print(f"{name}: {len(counted.files)} files, {len(counted.functions)} functions, ", end="")
        print(f"{counted.moves} moves")
    ours, theirs = stepping()
    with followed() as nothing:
        (lambda: None)()
    with followed() as step:
        ours()
    rounds = [(microseconds(ours), microseconds(theirs)) for _ in range(ROUNDS)]
    step_us = statistics.median(mine for mine, _ in rounds)
    ratio = statistics.median(other / mine for mine, other in rounds)
    print(f"a step of the commons, batch (): {step_us:.0f} us, {step.calls - nothing.calls} calls")
    print(f"PettingZoo's parallel step: {ratio:.1f} times that")


if __name__ == "__main__":
    main()
