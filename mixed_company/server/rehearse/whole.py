"""A complete rehearsal: every group in its sessions, and one export at the end."""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count, groupby
from pathlib import Path
from typing import Any, NamedTuple

from requests import RequestException
from tqdm import tqdm
from websocket import WebSocketException

from mixed_company.engine.contract.chance import check_seed
from mixed_company.engine.contract.errors import ConfigError, UnknownName, nearest
from mixed_company.experiment import plan as experiment
from mixed_company.experiment.planned import Planned, planned_blocks
from mixed_company.experiment.showing_pay import described, people_in
from mixed_company.experiment.simulated_people import SimulatedPeople
from mixed_company.experiment.treatments import plan_of
from mixed_company.server.archive import REHEARSED
from mixed_company.server.gate.limits import VARIABLE
from mixed_company.server.rehearse.person import Person
from mixed_company.server.rehearse.server import Server, ServerError
from mixed_company.server.sessions import refusal_of
from mixed_company.server.treatments import NONE
from mixed_company.table.setup import Setup, resolve
from settings import SESSION_CONFIG_DEFAULTS, SESSION_CONFIGS


class Part(NamedTuple):
    """Block of a session: a group's setup and simulated people, by treatment. A session without a
    plan has one treatment, which has no name.
    """

    setups: Mapping[str, Setup]
    people: Mapping[str, SimulatedPeople]


@dataclass(frozen=True)
class Plan:
    """Plan of a rehearsal of one session.

    config    the session config, as in settings.py
    changes   keys that were changed
    parts     blocks of the session, in order
    arrivals  treatments of people who arrive together, in order; these people fill whole groups
    seed      seed of the session, of people's policies and of their random decisions
    speed     people's thinking time
    described  sentences about the simulated people
    mixing    number of arrivals in groups that are mixed in later blocks
    """

    config: Mapping[str, Any]
    changes: Mapping[str, Any]
    parts: Sequence[Part]
    arrivals: Sequence[Sequence[str]]
    seed: int
    speed: str
    described: Sequence[str] = ()
    mixing: int = 1

    @property
    def periods(self) -> int:
        """Total number of periods, over all groups and blocks."""
        people = Counter(name for arriving in self.arrivals for name in arriving)
        return sum(
            part.setups[name].game.horizon * count // part.people[name].size
            for name, count in people.items()
            for part in self.parts
        )


def plan(
    name: str, groups: int, simulated: str, seed: int, speed: str, changes: Mapping[str, Any]
) -> Plan:
    """Return a checked plan of a rehearsal, before anything starts. `simulated` names policies,
    separated by commas; the seed determines which policy each person gets. By default, the plan's
    policies are used. `groups` is the number of groups per treatment. `changes` holds keys of the
    session config that were changed. Bots take as much time as people unless the config says
    otherwise. Raises UnknownName or ConfigError.
    """
    config = _config(name)
    defaults = {**SESSION_CONFIG_DEFAULTS, **config}
    for key in changes:
        if key == "seed":
            raise ConfigError("seed: set it with --seed")
        if key not in defaults:
            raise UnknownName(f"{key}: {name} has no such key{nearest(key, defaults)}")
    if groups < 1:
        raise ConfigError(f"groups = {groups}: should be at least 1")
    experiment_plan = plan_of(config)
    timed = experiment_plan and any(
        "bot_delay" in part.changes for part in experiment_plan.treatments.values()
    )
    whole: dict[str, Any] = {} if timed else {"bot_delay": speed}
    whole |= {**changes, "seed": str(check_seed(seed))}
    if experiment_plan is not None:
        return _of_plan(experiment_plan, config, whole, groups, simulated, seed, speed)
    setup, _ = resolve(str(config["app_sequence"][0]), {**defaults, **whole}, config)
    people = SimulatedPeople.seated(simulated, setup)
    if people is None:
        raise ConfigError(f"simulated = {simulated!r}: should name at least one policy")
    parts = [Part({NONE: setup}, {NONE: people})]
    arrivals = [[NONE] * people.size] * groups
    return Plan(config, whole, parts, arrivals, seed, speed, [str(people)])


def plans(
    sessions: int,
    name: str,
    groups: int,
    simulated: str,
    seed: int,
    speed: str,
    changes: Mapping[str, Any],
) -> list[Plan]:
    """Return the plans of several sessions that differ only in their seeds, which count up from
    `seed`.

    Raises UnknownName or ConfigError.
    """
    if sessions < 1:
        raise ConfigError(f"sessions = {sessions}: should be at least 1")
    return [
        plan(name, groups, simulated, seed + number, speed, changes) for number in range(sessions)
    ]


def _of_plan(
    experiment_plan: experiment.Plan,
    config: Mapping[str, Any],
    changes: Mapping[str, Any],
    groups: int,
    simulated: str,
    seed: int,
    speed: str,
) -> Plan:
    """Return an experiment's rehearsal, in which people arrive in the order of their slots."""
    blocks = planned_blocks(
        experiment_plan, {**SESSION_CONFIG_DEFAULTS, **config, **changes}, config
    )
    experiment_plan = experiment_plan.simulated_by(simulated)
    parts = [Part(block.setups, _seated(experiment_plan, block)) for block in blocks]
    arrivals = [blocks[0].slots_of(number) for number in range(groups)]
    mixing = experiment_plan.matching_groups
    if experiment_plan.assignment == "by_group":  # nobody waits until all groups have arrived
        arrivals = [list(group) for slots in arrivals for _, group in groupby(slots)]
        mixing *= len(experiment_plan.treatments)
    sentences = described(
        experiment_plan, [block.setups for block in blocks if not block.continues]
    )
    return Plan(config, changes, parts, arrivals, seed, speed, sentences, mixing)


def _seated(experiment_plan: experiment.Plan, planned: Planned) -> dict[str, SimulatedPeople]:
    """Return a block's simulated people, by treatment. Raises ConfigError or UnknownName."""
    seated: dict[str, SimulatedPeople] = {}
    for name, setup in planned.setups.items():
        people = people_in(experiment_plan, name, setup, planned.part_number)
        if people is None:
            raise ConfigError(
                f"people: the plan names no policies for treatment {name!r}; set --simulated"
            )
        seated[name] = people
    return seated


def _config(name: str) -> dict[str, Any]:
    configs = {str(config["name"]): dict(config) for config in SESSION_CONFIGS}
    if name not in configs:
        raise refusal_of(name, configs)
    return configs[name]


def rehearsed(*sessions: Plan) -> tuple[bytes, list[str]]:
    """Play sessions on one server; return one export file for all of them, and the policies'
    errors.

    Raises ServerError.
    """
    with (
        tempfile.TemporaryDirectory(prefix="rehearsal-") as place,
        Server(Path(place) / "project", variables=_variables(_who(sessions))) as server,
    ):
        try:
            created = [_session(server, chosen) for chosen in sessions]
            links = [session["session_wide_url"] for session in created]
            people = _played(list(zip(sessions, links, strict=True)))
            faults = [fault for person in people for fault in person.faults]
            return server.archive(*(session["code"] for session in created)), faults
        except (RequestException, WebSocketException, ServerError, ConnectionError) as error:
            raise ServerError(f"{error}\nThe server says:\n{server.log()[-4000:]}") from None


def _who(sessions: Sequence[Plan]) -> dict[str, Any]:
    """Return the manifest's entry about a rehearsal. It lists the policies that played in place of
    people, a description of each, and the seed, or one seed per session.
    """
    first, seeds = sessions[0], [chosen.seed for chosen in sessions]
    populations = [people.population for part in first.parts for people in part.people.values()]
    every = [spec for population in populations for spec in population]
    return {
        "people": list(populations[0] if len(set(populations)) == 1 else dict.fromkeys(every)),
        "described": list(first.described),
        "seed": seeds if len(seeds) > 1 else seeds[0],
    }


def _variables(who: Mapping[str, Any]) -> dict[str, str]:
    """Return the server's environment variables: policies, and limits for clients that are faster
    than people.
    """
    return {REHEARSED: json.dumps(who), VARIABLE: "messages_per_second=10000, pages_at_once=1000"}


def _session(server: Server, chosen: Plan) -> dict[str, str]:
    people = sum(map(len, chosen.arrivals))
    changes = {
        **chosen.changes,
        "quiz_tries": 0,
    }  # because policies retry until their answers are right
    answer = server.create(str(chosen.config["name"]), people, **changes)
    if answer.status_code != 200:
        raise ServerError(answer.text[:2000])
    session: dict[str, str] = answer.json()
    return session


def _played(sessions: Sequence[tuple[Plan, str]]) -> list[Person]:
    """Let people arrive in order, which makes their groups reproducible, and play in parallel. Each
    plan comes with the link to its session. The people in a session arrive while groups from
    earlier sessions play.
    """
    everybody = list[Person]()
    playing: list[Future[None]] = []
    threads_needed = sum(len(arriving) for chosen, _ in sessions for arriving in chosen.arrivals)
    with (
        ThreadPoolExecutor(threads_needed) as threads,
        tqdm(total=sum(chosen.periods for chosen, _ in sessions), unit=" periods") as bar,
    ):
        for chosen, link in sessions:
            for arriving, people in _opened(chosen, link):
                turns = [arriving[:index].count(name) for index, name in enumerate(arriving)]
                _arrive(people, threads)
                meters = [_unheard if turn else _counting(bar) for turn in turns]
                playing += [
                    threads.submit(person.play, meter)
                    for person, meter in zip(people, meters, strict=True)
                ]
                everybody += people
        for future in playing:
            future.result()
    return everybody


def _opened(chosen: Plan, link: str) -> Iterator[tuple[Sequence[str], list[Person]]]:
    """Yield the treatments of people who arrive together, and the people. People in groups that
    will be mixed open the link at the same time, because the server then expects them.
    """
    numbers = count()
    for first in range(0, len(chosen.arrivals), chosen.mixing):
        waves = chosen.arrivals[first : first + chosen.mixing]
        yield from [
            (arriving, [_person(chosen, link, name, next(numbers)) for name in arriving])
            for arriving in waves
        ]


def _arrive(people: Sequence[Person], threads: ThreadPoolExecutor) -> None:
    """Let people arrive one after another, and wait until all of them have left the lobby."""
    waits = []
    # a person who has arrived waits and answers while the next one arrives
    for person in people:
        person.arrive()
        waits.append(threads.submit(person.leave_lobby))
    for wait in waits:
        wait.result()


def _person(chosen: Plan, link: str, treatment: str, number: int) -> Person:
    """Return the person with this number in the session, who plays in a treatment."""
    blocks = [
        (part.setups[treatment], part.people[treatment].person(chosen.seed, number))
        for part in chosen.parts
    ]
    return Person(link, blocks, chosen.seed, number, chosen.speed)


def _counting(bar: Any) -> Any:
    """Return a function that advances the progress bar by the periods that a group has played."""
    seen = 0

    def moved(period: int) -> None:
        nonlocal seen
        bar.update(period - seen)
        seen = period

    return moved


def _unheard(period: int) -> None:
    """Ignore progress, because another person in the group advances the progress bar."""
