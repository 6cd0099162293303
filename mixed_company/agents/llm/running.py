"""Implementation of the `mixed agents` command."""

from __future__ import annotations

import asyncio
import json
import os
from argparse import Namespace
from pathlib import Path
from typing import Any

from mixed_company import engine
from mixed_company.agents.client import Refused, play
from mixed_company.agents.llm.calls import Budget, Calls, Recorded
from mixed_company.agents.llm.model import Chat, Model, ModelError
from mixed_company.agents.llm.offline import AGENT, Instructions, Outcome, played, summary
from mixed_company.agents.llm.player import Players
from mixed_company.agents.llm.stub import MOODS, Stub
from mixed_company.agents.llm.treatment import read
from mixed_company.engine.contract.errors import ConfigError, nearest
from mixed_company.table.given import read as given_of
from mixed_company.table.options import Options


def run_stub(mood: str, port: int) -> int:
    """Run a stub server until it is stopped."""
    if mood not in MOODS:
        raise ConfigError(f"mood = {mood}: should be one of {', '.join(MOODS)}")
    with Stub(mood, port) as stub:
        print(f"{stub.base_url} answers {mood}; stop it with Ctrl-C", flush=True)
        try:
            stub.ended.wait()
        except KeyboardInterrupt:
            return 0
    return 0


def run_llm(chosen: Namespace, instructions: Instructions) -> int:
    """Run models in seats. Return 1 if none of their answers was usable, or if more than

    `most_defaults` of the decisions were defaults.

    `instructions` is for plays without a server. Raises ConfigError, OSError.
    """
    if not chosen.model:
        raise ConfigError("--model: is missing")
    if not chosen.offline and not os.environ.get("AGENT_KEY"):
        raise ConfigError("AGENT_KEY: not set; it should be the server's key for this name")
    if chosen.replay and Path(chosen.replay).resolve() == Path(chosen.calls).resolve():
        raise ConfigError(f"--calls: {chosen.calls} is the file to replay; name another file")
    if not 0 <= chosen.most_defaults <= 1:
        raise ConfigError(f"--most-defaults: {chosen.most_defaults:g} should be from 0 to 1")
    if chosen.money and not chosen.price_in and not chosen.price_out:
        raise ConfigError("--money: set --price-in and --price-out too, or use --tokens instead")
    model, calls = _model(chosen), Calls(Path(chosen.calls), chosen.keep_prompts)
    prices = chosen.price_in, chosen.price_out
    budget = Budget(chosen.money, chosen.tokens, chosen.minutes, *prices)
    players = Players(model, read(chosen.prompt), calls, budget, chosen.seconds)
    try:
        asyncio.run(_run(chosen, players, instructions))
    except KeyboardInterrupt:
        pass
    finally:
        calls.close()
        failed = [row["error"] for row in calls.rows if row["error"]]
        why = f"; {len(failed)} of them failed, the last: {failed[-1]}" if failed else ""
        used = f"{budget.tokens_used} tokens, {budget.spent:.4f} spent"
        print(f"{len(calls.rows)} calls, {used}: {chosen.calls}{why}")
    limit = chosen.most_defaults
    if players.share > limit:
        print(f"{players.share:.0%} of the decisions were defaults, more than {limit:.0%}")
        return 1
    return 1 if failed and len(failed) == len(calls.rows) else 0


def _model(chosen: Namespace) -> Model:
    if chosen.replay:
        return Recorded(Path(chosen.replay), chosen.model)
    try:
        return Chat(chosen.model, chosen.base_url)
    except ModelError as error:
        raise ConfigError(str(error)) from None


async def _run(chosen: Namespace, players: Players, instructions: Instructions) -> None:
    if chosen.offline:
        await _offline(chosen, players, instructions)
        return
    key, decide, talk = os.environ["AGENT_KEY"], players.decide, players.talk
    limits = chosen.seats, chosen.plays
    try:
        await play(chosen.server, chosen.name, key, decide, talk, *limits, players.refused)
    except Refused as refused:
        raise ConfigError(f"{chosen.server}: {refused}") from None


async def _offline(chosen: Namespace, players: Players, instructions: Instructions) -> None:
    """Play without a server, and print each play."""
    pairs = dict(pair.partition("=")[::2] for pair in chosen.options)
    session = {key: value for key, value in pairs.items() if key in Options.model_fields}
    core = engine.find(chosen.offline).Core
    rules = {key: value for key, value in pairs.items() if key not in session}
    for key in rules:
        if key not in core.model_fields:
            names = [*core.model_fields, *Options.model_fields]
            raise ConfigError(f"{key}: unknown key{nearest(key, names)}")
    game = engine.make(chosen.offline, archetype=chosen.archetype, **given_of(core, rules))
    options = {"bots": AGENT, **session}
    plays = []
    for seed in range(chosen.seed, chosen.seed + (chosen.plays or 1)):
        plays.append(await played(game, seed, players, instructions, f"play {seed}", **options))
        players.by_place.clear()
        Path(chosen.output).write_text(json.dumps(plays, indent=1), encoding="utf-8")
        print(_line(plays[-1]))
    outcomes = [Outcome(**play["measures"]) for play in plays if "measures" in play]
    if outcomes:
        means = (f"{name} {value:.4g}" for name, value in summary(outcomes).items())
        among = ", including default decisions" if any(play["faults"] for play in plays) else ""
        print(f"mean of {len(outcomes)}{among}: {', '.join(means)}")


def _line(play: dict[str, Any]) -> str:
    points = ", ".join(f"{earned:.4g}" for earned in play["points"])
    line = f"{play['play']}: {len(play['periods'])} periods, {play['ending']}; points {points}"
    faults = [fault["detail"] for fault in play["faults"]]
    return f"{line}; {len(faults)} default decisions, the last: {faults[-1]}" if faults else line
