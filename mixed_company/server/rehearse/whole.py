"""A whole rehearsal: every group of a session, and the file of its export at the end."""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from requests import RequestException
from tqdm import tqdm
from websocket import WebSocketException

from mixed_company.engine.contract.chance import check_seed
from mixed_company.engine.contract.errors import ConfigError, UnknownName, nearest
from mixed_company.experiment import plan as experiment
from mixed_company.experiment.planned import Planned, planned_blocks
from mixed_company.experiment.simulated_people import SimulatedPeople
from mixed_company.experiment.treatments import plan_of
from mixed_company.server.archive import REHEARSED
from mixed_company.server.gate.limits import VARIABLE
from mixed_company.server.rehearse.person import Person
from mixed_company.server.rehearse.server import Server, ServerError
from mixed_company.server.sessions import refusal_of
from mixed_company.server.treatments import NONE
from mixed_company.table.options import policy_specs
from mixed_company.table.setup import Setup, resolve
from settings import SESSION_CONFIG_DEFAULTS, SESSION_CONFIGS

__all__ = ["Plan", "plan", "rehearsed"]


class Part(NamedTuple):
    """A block of a session: the setup and the policies of a group, by treatment.

    A session without a plan has one treatment, without a name. People arrive in the order of their
    policies.
    """

    setups: Mapping[str, Setup]
    people: Mapping[str, SimulatedPeople]


@dataclass(frozen=True)
class Plan:
    """What is rehearsed.

    config   the session config, as it is in settings.py
    changes  what is changed in it
    parts    the blocks of the session, which are played one after the other
    arrivals  the people who arrive together, as treatments in their order; they fill groups
    seed     of the session, and of what people decide by chance
    speed    how long people think
    """

    config: Mapping[str, Any]
    changes: Mapping[str, Any]
    parts: Sequence[Part]
    arrivals: Sequence[Sequence[str]]
    seed: int
    speed: str

    @property
    def periods(self) -> int:
        """Return the number of periods of all groups together, in all blocks of their sessions."""
        people = Counter(name for arriving in self.arrivals for name in arriving)
        return sum(
            part.setups[name].game.horizon * count // len(part.people[name].people)
            for name, count in people.items()
            for part in self.parts
        )

    @property
    def described(self) -> list[str]:
        """Return sentences that say which policies are on the seats, in the first block."""
        return [
            f"Treatment {name}. {people}" if name != NONE else str(people)
            for name, people in self.parts[0].people.items()
        ]


def plan(
    name: str, groups: int, simulated: str, seed: int, speed: str, changes: Mapping[str, Any]
) -> Plan:
    """Check everything by name before anything starts.

    `simulated` are policies by commas, one per person of a group. The groups of a plan have their
    size: there policies take turns, and without any those that the plan names sit there. `groups`
    are those of each treatment. `changes` are keys of the session config. Bots take the time that
    people take, unless told otherwise. Raises UnknownName or ConfigError.
    """
    config = _config(name)
    known = {**SESSION_CONFIG_DEFAULTS, **config}
    for key in changes:
        if key in ("seed", "people_per_group"):
            raise ConfigError(f"{key}: follows from --seed and --simulated")
        if key not in known:
            raise UnknownName(f"{key}: {name} has no such key{nearest(key, known)}")
    if groups < 1:
        raise ConfigError(f"groups = {groups}: at least 1")
    own = plan_of(config)
    timed = own and any("bot_delay" in part.changes for part in own.treatments.values())
    whole: dict[str, Any] = {} if timed else {"bot_delay": speed}
    whole |= {**changes, "seed": str(check_seed(seed))}
    if own is not None:
        return _of_plan(own, config, whole, groups, simulated, seed, speed)
    whole["people_per_group"] = len(policy_specs(simulated)) or 1
    setup, _ = resolve(str(config["app_sequence"][0]), {**known, **whole}, config)
    people = SimulatedPeople.seated(simulated, setup)
    if people is None:
        raise ConfigError(f"simulated = {simulated!r}: at least one policy")
    arrivals = [[NONE] * len(people.people)] * groups
    return Plan(config, whole, [Part({NONE: setup}, {NONE: people})], arrivals, seed, speed)


def _of_plan(
    own: experiment.Plan,
    config: Mapping[str, Any],
    changes: Mapping[str, Any],
    groups: int,
    simulated: str,
    seed: int,
    speed: str,
) -> Plan:
    """Return the rehearsal of an experiment: all arrive in the order of their slots."""
    blocks = planned_blocks(own, {**SESSION_CONFIG_DEFAULTS, **config, **changes}, config)
    own = own.simulated_by(simulated)
    parts = [Part(block.setups, _seated(own, block)) for block in blocks]
    arrivals = [blocks[0].slots_of(number) for number in range(groups)]
    return Plan(config, changes, parts, arrivals, seed, speed)


def _seated(own: experiment.Plan, planned: Planned) -> dict[str, SimulatedPeople]:
    """Return the simulated people of a block, by treatment. Raises ConfigError, UnknownName."""
    seated: dict[str, SimulatedPeople] = {}
    for name, setup in planned.setups.items():
        people = SimulatedPeople.seated(own.people_of(name, planned.number), setup)
        if people is None:
            raise ConfigError(
                f"people: the plan names none for treatment {name!r}; give --simulated"
            )
        seated[name] = people
    return seated


def _config(name: str) -> dict[str, Any]:
    configs = {str(config["name"]): dict(config) for config in SESSION_CONFIGS}
    if name not in configs:
        raise refusal_of(name, configs)
    return configs[name]


def rehearsed(chosen: Plan) -> tuple[bytes, list[str]]:
    """Return the file of the export, and the errors of policies. Raises ServerError."""
    first = chosen.parts[0].people
    names = [spec for own in first.values() for spec in own.people]
    who = {"people": list(dict.fromkeys(names)), "seed": chosen.seed}
    if NONE in first:
        who["people"] = names
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
    """Return the server's variables: who plays, and that policies may be faster than people."""
    return {REHEARSED: json.dumps(who), VARIABLE: "messages_per_second=10000, pages_at_once=1000"}


def _session(server: Server, chosen: Plan) -> dict[str, str]:
    people = sum(map(len, chosen.arrivals))
    changes = {**chosen.changes, "quiz_tries": 0}  # policies try until they are right
    answer = server.create(str(chosen.config["name"]), people, **changes)
    if answer.status_code != 200:
        raise ServerError(answer.text[:2000])
    session: dict[str, str] = answer.json()
    return session


def _played(chosen: Plan, link: str) -> list[Person]:
    """Let people arrive in order, so that the groups are certain, and play at the same time."""
    numbers, everybody = count(), list[Person]()
    playing: list[Future[None]] = []
    with (
        ThreadPoolExecutor(sum(map(len, chosen.arrivals))) as threads,
        tqdm(total=chosen.periods, unit=" periods") as bar,
    ):
        for arriving in chosen.arrivals:
            slots = [(name, arriving[:at].count(name)) for at, name in enumerate(arriving)]
            people = [_person(chosen, link, *slot, next(numbers)) for slot in slots]
            waits = []
            for person in people:  # who has arrived waits, and answers, while the next one arrives
                person.arrive()
                waits.append(threads.submit(person.leave_lobby))
            for wait in waits:
                wait.result()
            meters = [_unheard if turn else _counting(bar) for _, turn in slots]
            playing += [
                threads.submit(person.play, meter)
                for person, meter in zip(people, meters, strict=True)
            ]
            everybody += people
        for future in playing:
            future.result()
    return everybody


def _person(chosen: Plan, link: str, treatment: str, turn: int, number: int) -> Person:
    """Return the person with this turn in a group, from 0, of a treatment."""
    blocks = [
        (part.setups[treatment], part.people[treatment].people[turn]) for part in chosen.parts
    ]
    return Person(link, blocks, chosen.seed, number, chosen.speed)


def _counting(bar: Any) -> Any:
    """Return a function that moves the bar on by the periods of one group."""
    seen = 0

    def moved(period: int) -> None:
        nonlocal seen
        bar.update(period - seen)
        seen = period

    return moved


def _unheard(period: int) -> None:
    """Do nothing: one person of a group moves the bar."""
