"""Let policies play without a server, and return the tables of an export. This is useful for power
analysis, and for trying out an analysis before there are any data.

    data = simulated("commons_game", people=["conditional_cooperator"], bots=["greedy"],
                     groups=20, seed=1, archetype="lab")

If a setup has rules to vote on, groups vote first, as their policies prefer (`table.leanings`).

Plays are the same as on the server. Values that only a server knows (times, participants' quizzes)
are empty, and the manifest says `rehearsed`. `mixed rehearse` plays on the pages and produces a
complete export.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from mixed_company import engine, policies
from mixed_company.analysis.data import Data
from mixed_company.analysis.types import array_of
from mixed_company.engine import solutions
from mixed_company.engine.contract.chance import play_seeds
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.game import Game
from mixed_company.engine.play.episode import Episode
from mixed_company.engine.play.period import Period
from mixed_company.experiment.simulated_people import SimulatedGroup, bots_beside, drawn_person
from mixed_company.policies.policy import Policy
from mixed_company.policies.rollout import Fault, rollout
from mixed_company.table import leanings
from mixed_company.table.export import (
    Row,
    columns,
    group_id,
    pair_rows,
    period_row,
    seat_rows,
    spread,
    tables,
)
from mixed_company.table.setup import Setup


@dataclass(frozen=True)
class Player:
    """A player that is not a policy with an id, for example a model of behaviour.

    name     its name in the tables
    policy   function that makes its policy for a play; it gets the episode and the growing list of
             steps so far
    """

    name: str
    policy: Callable[[Episode, Sequence[Period]], Policy]


def simulated(
    game: str | Game[Any] | Setup,
    people: Sequence[str | Player],
    bots: Sequence[str | Player] = (),
    *,
    groups: int,
    seed: int,
    treatment: str = "simulated",
    people_per_group: int | None = None,
    **parameters: Any,
) -> Data:
    """Let groups of policies play; `people` are the policies in place of people, which are the
    first seats.

    Each of `people` is a policy id (with parameters, as in `policies.make`) or, if groups do not
    vote on rules, a Player. With `people_per_group`, `people` is a population with equal shares,
    and the people of every group are drawn from it (`experiment.simulated_people`); without it,
    each policy has one seat.

    `bots` take the remaining seats, in rotation. `parameters` are passed to `engine.make`;
    `treatment` replaces the name of the session config. As on the server, groups are numbered from
    1, and if a policy fails, the default is played. In that case, `decided_by` says so, and a
    `policy_fault` event has the reason. The same arguments always produce the same tables. Raises
    UnknownName or ConfigError.
    """
    resolved = _made(game, parameters)
    size = len(people) if people_per_group is None else people_per_group
    rest = bots_beside(size, bots, resolved.seats)
    setup = leanings.prepared(game, _names(people)) if isinstance(game, Setup) else None
    games = [resolved] if setup is None else setup.games
    rows: dict[str, list[Row]] = {name: [] for played in games for name in tables(played)}
    for group, group_seed in enumerate(play_seeds(seed, np.arange(groups)).tolist(), 1):
        base = {"session": treatment, "group": group, "treatment": treatment}
        base["group_id"] = group_id(treatment, group)
        first = people
        if people_per_group is not None:
            first = [drawn_person(people, group_seed, number) for number in range(size)]
        played = group_rows(setup or resolved, first, rest, int(group_seed), base)
        for name, listed in played.items():
            rows[name] += listed
    frames: dict[str, Any] = {
        name: frame_of(name, games, records) for name, records in rows.items()
    }
    rehearsed = {"people": _names(people), "bots": _names(bots), "seed": seed}
    manifest = {"session_configs": [treatment], "rehearsed": rehearsed}
    return Data(resolved.id, **frames, manifest=manifest)


def group_rows(
    game: Game[Any] | Setup,
    people: Sequence[str | Player],
    bots: Sequence[str | Player],
    seed: int,
    base: Row,
) -> dict[str, list[Row]]:
    """Return a group's rows, by table; if a Setup has several rules, everyone votes first.

    `people` take people's places, which are the first seats, and `bots` all others. `base` has the
    session, group and treatment. Raises UnknownName or ConfigError.
    """
    seated, played = SimulatedGroup(_names(people), _names(bots)), _made(game, {})
    events, about = list[Row](), Row()
    if isinstance(game, Setup) and game.rules:
        played, events, about = _chosen(game, seated, seed)
    rows: dict[str, list[Row]] = {name: [] for name in tables(played)}
    rows["events"] = [_event({**base, "period": 0}, event) for event in events]
    players = [_player(player, played) for player in (*people, *bots)]
    _play(played, players, len(people), seed, base, rows)
    identity = _identity(played, seated, seed, base["treatment"])
    rows["config"] = [{**base, **identity, **about}]
    return rows


def _made(game: str | Game[Any] | Setup, parameters: Mapping[str, Any]) -> Game[Any]:
    """Return the game; for a setup, return the game before the group chooses a rule. Raises
    UnknownName, ConfigError."""
    if isinstance(game, str):
        return engine.make(game, **parameters)
    if parameters:
        raise ConfigError(
            f"{', '.join(parameters)}: cannot be set, because the game has already been made"
        )
    return game.game if isinstance(game, Setup) else game


def _chosen(setup: Setup, seated: SimulatedGroup, seed: int) -> tuple[Game[Any], list[Row], Row]:
    """Return the game under the rule that the group chooses, the events in the vote, and the
    group's entries in `config`."""
    rule, votes = seated.chosen(setup, seed)
    who = ["person"] * len(seated.people) + list(seated.bots)
    chosen = {"event": "chosen", "rule": rule, "votes": votes, "occupants": who}
    voting = setup.options.model_dump(include={"rules_bots", "rules_tie"})
    options = _options(seated, **voting)
    about = {"rule": rule, "rules": json.dumps(setup.rules), "options": options}
    return setup.chosen(rule).game, [{"event": "choosing"}, chosen], about


def _names(players: Sequence[str | Player]) -> list[str]:
    return [player.name if isinstance(player, Player) else player for player in players]


def _player(named: str | Player, game: Game[Any]) -> Player:
    if isinstance(named, Player):
        return named
    return Player(named, lambda episode, steps: policies.make(named, game))


def _play(
    game: Game[Any],
    players: Sequence[Player],
    people: int,
    seed: int,
    base: Row,
    rows: Mapping[str, list[Row]],
) -> None:
    """Let one group play, and add its rows."""
    episode = engine.Episode(game, seed)
    steps: list[Period] = []
    who = [_occupant(base, seat, player.name, seat < people) for seat, player in enumerate(players)]
    seat_policies = [player.policy(episode, steps) for player in players]
    points = [0.0] * game.seats
    before = episode.state_record()
    faults: list[Fault] = []
    for step in rollout(episode, seat_policies, faults=faults):
        steps.append(step)
        line = step.to_json()
        period = {**base, "period": line["period"]}
        by = _otherwise(step, faults)
        later = _later(game, who, step, faults)
        rows["decisions"] += [
            {**period, **who[seat], **by.get(seat, {}), **later.get(seat, {}), **row}
            for seat, row in enumerate(seat_rows(game, line))
        ]
        rows["events"] += [_fault(period, fault) for fault in faults]
        faults.clear()
        judged = solutions.judge(game, before, line["state"])
        rows["periods"].append({**period, **period_row(game, line, judged)})
        if "pairs" in rows:
            rows["pairs"] += [{**period, **row} for row in pair_rows(game, line)]
        rows["events"] += [_event(period, event) for event in step.events]
        points = [sum(pair) for pair in zip(points, line["rewards"], strict=True)]
        before = line["state"]
    ending = {"event": "ending", "detail": str(episode.reason)}
    rows["events"].append(_event({**base, "period": episode.period}, ending))
    for seat, occupant in enumerate(who):
        rows["seats"].append(_occupancy(base, occupant, episode.period))
        if seat < people:
            rows["outcomes"].append(_outcome(base, occupant, points[seat]))


_NOBODY = {"occupant": "nobody", "policy_id": "", "decided_by": "absent"}


def _otherwise(step: Period, faults: Sequence[Fault]) -> dict[int, Row]:
    """Return `decided_by` and the occupant for seats where no occupant decided: seats where the
    default was played, and empty seats."""
    failed = [fault.seat for fault in faults if not fault.stage]
    defaults: dict[int, Row] = {seat: {"decided_by": "default"} for seat in failed}
    return defaults | dict.fromkeys(step.absent, _NOBODY)


def _later(
    game: Game[Any], who: Sequence[Row], step: Period, faults: Sequence[Fault]
) -> dict[int, Row]:
    """Return the columns that say who decided at later stages of the period, by seat; empty if
    there are no later stages."""
    decided: dict[int, Row] = {}
    for stage in game.stages.names[1:]:
        failed = {fault.seat for fault in faults if fault.stage == stage}
        for seat, row in enumerate(who):
            row = row | ({"decided_by": "default"} if seat in failed else {})
            row |= _NOBODY if seat in step.absent else {}
            by = {"by": row["decided_by"], "occupant": row["occupant"]}
            by["policy_id"] = row["policy_id"]
            decided.setdefault(seat, {}).update({f"{stage}_{key}": by[key] for key in by})
    return decided


def _fault(period: Row, fault: Fault) -> Row:
    failed = {"event": "policy_fault", "seat": fault.seat, "detail": fault.problem}
    return _event(period, failed | ({"stage": fault.stage} if fault.stage else {}))


def _occupant(base: Row, seat: int, name: str, person: bool) -> Row:
    kind = "person" if person else "policy"
    return {
        "seat": seat,
        "participant": f"{base['session']}-{base['group']}-{seat}" if person else "",
        "occupant": kind,
        "policy_id": "" if person else name,
        "decided_by": kind,
    }


def _occupancy(base: Row, who: Row, periods: int) -> Row:
    occupant = {key: value for key, value in who.items() if key != "decided_by"}
    return {**base, **occupant, "since_period": 0, "until_period": periods - 1, "reason": "seated"}


def _outcome(base: Row, who: Row, points: float) -> Row:
    return {
        **base,
        "seat": who["seat"],
        "participant": who["participant"],
        "status": "finished",
        "points": points,
        "seat_points": points,
        "paid_points": max(points, 0.0),
        "quiz_attempts": 0,
        "practised_periods": 0,
        "disconnections": 0,
        "bot_share": 0.0,
    }


def _event(period: Row, event: Mapping[str, Any]) -> Row:
    rest = {key: value for key, value in event.items() if key not in ("event", "seat")}
    return {
        **period,
        "event": event["event"],
        "seat": event.get("seat", ""),
        "detail": json.dumps(rest) if rest else "",
    }


def _identity(game: Game[Any], seated: SimulatedGroup, seed: int, treatment: str) -> Row:
    identity = game.config.identity
    return {
        "seed": seed,
        "rehearsed": True,
        "session_config": treatment,
        "game": identity.game,
        "version": identity.version,
        "config": json.dumps(game.config.model_dump(mode="json")),
        "options": _options(seated),
        "software": "{}",
    }


def _options(seated: SimulatedGroup, **voting: str) -> str:
    """Return the players and the group's votes, as JSON."""
    return json.dumps({"simulated": seated.people, "bots": seated.bots, **voting})


def frame_of(name: str, games: Sequence[Game[Any]], rows: Sequence[Row]) -> pd.DataFrame:
    """Return the rows with the columns and types that an export has for groups that play these
    games."""
    declared = spread(column for game in games for column in columns(name, game))
    return pd.DataFrame(
        {
            label: array_of(label, [row.get(label) for row in rows], column.type)
            for label, column in declared.items()
        }
    )
