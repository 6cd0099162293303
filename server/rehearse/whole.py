"""A whole rehearsal: every group of a session, and the file of its export at the end."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from requests import RequestException
from tqdm import tqdm
from websocket import WebSocketException

import bots
from engine.contract.chance import check_seed
from engine.contract.errors import ConfigError, UnknownName, nearest
from server.archive import REHEARSED
from server.gate.limits import VARIABLE
from server.rehearse.person import Person
from server.rehearse.server import Server, ServerError
from settings import SESSION_CONFIG_DEFAULTS, SESSION_CONFIGS
from table.setup import Setup, resolve

__all__ = ["Plan", "plan", "rehearsed"]


@dataclass(frozen=True)
class Plan:
    """What is rehearsed.

    config   the session config, as it is in settings.py
    changes  what is changed in it
    setup    what follows from both: the game and the options
    groups   how many groups there are
    people   policies for the people of a group, in their order of arrival
    seed     of the session and of what people decide by chance
    speed    how long people think
    """

    config: Mapping[str, Any]
    changes: Mapping[str, Any]
    setup: Setup
    groups: int
    people: tuple[str, ...]
    seed: int
    speed: str


def plan(
    name: str, groups: int, people: str, seed: int, speed: str, changes: Mapping[str, Any]
) -> Plan:
    """Check everything by name before anything starts.

    `changes` are keys of the session config. Bots take the time that people take, unless told
    otherwise. Raises UnknownName or ConfigError.
    """
    config = _config(name)
    known = {**SESSION_CONFIG_DEFAULTS, **config}
    for key in changes:
        if key in ("seed", "people_per_group"):
            raise ConfigError(f"{key}: follows from --seed and --people")
        if key not in known:
            raise UnknownName(f"{key}: {name} has no such key{nearest(key, known)}")
    if groups < 1:
        raise ConfigError(f"groups = {groups}: at least 1")
    names = tuple(spec.strip() for spec in people.split(",") if spec.strip())
    if not names:
        raise ConfigError(f"people = {people!r}: at least one policy")
    whole = {
        "bot_delay": speed,
        **changes,
        "seed": str(check_seed(seed)),
        "people_per_group": len(names),
    }
    setup, _ = resolve(str(config["app_sequence"][0]), {**known, **whole}, config)
    for spec in names:
        bots.make(spec, setup.game)
    return Plan(config, whole, setup, groups, names, seed, speed)


def _config(name: str) -> dict[str, Any]:
    configs = {str(config["name"]): dict(config) for config in SESSION_CONFIGS}
    if name not in configs:
        raise UnknownName(f"session config {name!r}: unknown{nearest(name, configs)}")
    return configs[name]


def rehearsed(chosen: Plan) -> tuple[bytes, list[str]]:
    """The file of the export, and what policies did wrong. Raises ServerError."""
    who = {"people": list(chosen.people), "seed": chosen.seed}
    with (
        tempfile.TemporaryDirectory(prefix="rehearsal-") as place,
        Server(Path(place) / "project", variables=_variables(who)) as server,
    ):
        try:
            session = _session(server, chosen)
            people = _played(chosen, session["session_wide_url"])
            faults = [fault for person in people for fault in person.faults]
            return server.archive(session["code"]), faults
        except (RequestException, WebSocketException, ServerError) as error:
            raise ServerError(f"{error}\nThe server says:\n{server.log()[-4000:]}") from None


def _variables(who: Mapping[str, Any]) -> dict[str, str]:
    """Of the server: who plays, and that policies may be faster than people."""
    return {REHEARSED: json.dumps(who), VARIABLE: "messages_per_second=10000, pages_at_once=1000"}


def _session(server: Server, chosen: Plan) -> dict[str, str]:
    people = chosen.groups * len(chosen.people)
    changes = {**chosen.changes, "quiz_tries": 0}  # policies try until they are right
    answer = server.create(str(chosen.config["name"]), people, **changes)
    if answer.status_code != 200:
        raise ServerError(answer.text[:2000])
    session: dict[str, str] = answer.json()
    return session


def _played(chosen: Plan, link: str) -> list[Person]:
    """Groups arrive one after the other, so that who meets whom is certain, and play at once."""
    game, numbers, everybody = chosen.setup.game, count(), list[Person]()
    playing: list[Future[None]] = []
    with (
        ThreadPoolExecutor(chosen.groups * len(chosen.people)) as threads,
        tqdm(total=chosen.groups * game.horizon, unit=" periods") as bar,
    ):
        for _ in range(chosen.groups):
            people = [
                Person(link, game, bots.make(spec, game), chosen.seed, next(numbers), chosen.speed)
                for spec in chosen.people
            ]
            waits = []
            for person in people:  # who has arrived waits, and answers, while the next one arrives
                person.arrive()
                waits.append(threads.submit(person.leave_lobby))
            for wait in waits:
                wait.result()
            meters = [_counting(bar), *[_unheard] * (len(people) - 1)]
            playing += [
                threads.submit(person.play, meter)
                for person, meter in zip(people, meters, strict=True)
            ]
            everybody += people
        for future in playing:
            future.result()
    return everybody


def _counting(bar: Any) -> Any:
    """Moves the bar on by the periods of one group."""
    seen = 0

    def moved(period: int) -> None:
        nonlocal seen
        bar.update(period - seen)
        seen = period

    return moved


def _unheard(period: int) -> None:
    """One person of a group moves the bar."""
