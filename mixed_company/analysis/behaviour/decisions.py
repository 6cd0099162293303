"""The decisions in an export that models can explain, and the reasons why they cannot explain the
rest.

Every group is replayed from its configuration, its seed and the actions that were sent, so the
engine provides the situation of each decision. A model can explain a decision if the person made
it, had a choice, and had decided before.

In a repeated block, each person is followed from play to play (`follow`). A play among strangers
may last only one period, so the period before a decision can be in the person's previous play, with
other people. The models take those people's actions as the others' last actions, because a person
who meets strangers can only expect them to do what other people did before. Periods are numbered
across all plays of a block.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from mixed_company.analysis import again
from mixed_company.analysis.behaviour.model import field_of
from mixed_company.analysis.behaviour.panel import GRID, Faced, Panel, faced, last_actions, state_of
from mixed_company.analysis.data import GROUP, SEAT, Data
from mixed_company.analysis.declared import game_of
from mixed_company.analysis.measures.plays import by_people
from mixed_company.engine.contract.errors import ConfigError, EngineError
from mixed_company.engine.contract.space import Array, Arrays
from mixed_company.engine.game import Game
from mixed_company.engine.play.episode import Episode

FIRST = "the first one"
NOT_OWN = "the person did not make this decision"
NO_CHOICE = "nothing to choose"
PERSON = [*SEAT, "participant"]


@dataclass(frozen=True)
class Decisions:
    """People's decisions in one action field.

    keys      one row per decision in the panel: treatment, session, group, seat, participant,
              period
    panel     situations and decisions, in the same order; None if there is no decision
    left_out  one row, with the reason (`why`), per decision in a person's seat that is not in the
              panel
    order     the treatments in the order of the data
    """

    keys: pd.DataFrame
    panel: Panel | None
    left_out: pd.DataFrame
    order: Sequence[str]


def decided(data: Data, field: str | None = None, grid: int = GRID) -> Decisions:
    """Return the decisions of all people in an action field, by default the first one.

    Amounts are moved to the nearest of `grid` points. Raises UnknownName for an unknown field,
    ConfigError if the game has no models or the grid fewer than 2 points.
    """
    if grid < 2:
        raise ConfigError(f"grid = {grid}: should be at least 2")
    name = field_of(data.game_id, field)
    treatment = data.groups.set_index(GROUP)["treatment"].to_dict()
    included: list[dict[str, Any]] = []
    excluded: list[dict[str, Any]] = []
    configs = data.config.set_index(GROUP)[["config", "seed"]].to_dict("index")
    needed = [*PERSON, "period", "reward", *again.columns(data.decisions)]
    chosen = by_people(data.decisions, data.config)
    decisions = data.decisions[needed].assign(chosen=chosen)
    for key, rows in decisions.groupby(GROUP, sort=True):
        group_rows = rows.sort_values(["period", "seat"], kind="stable")
        group_rows = group_rows.assign(treatment=treatment.get(key, ""))
        entries = _of_group(group_rows, configs.get(key), name)
        included += [row for row in entries if "faced" in row]
        excluded += [row for row in entries if "faced" not in row]
    follow(data, included)
    included.sort(key=lambda row: [row[part] for part in (*PERSON, "period")])
    columns = ["treatment", *PERSON, "period"]
    keys = pd.DataFrame(included, columns=columns)
    left_out = pd.DataFrame(excluded, columns=[*columns, "why"])
    panel = _panel(name, grid, keys, included) if included else None
    return Decisions(keys, panel, left_out, data.treatments)


def _panel(name: str, grid: int, keys: pd.DataFrame, entries: list[dict[str, Any]]) -> Panel:
    person = keys.groupby(PERSON, sort=True).ngroup().to_numpy()
    first = np.diff(person, prepend=-1) > 0
    reasons = [
        FIRST if opening or row["begins"] else "" if _open(row["faced"]) else NO_CHOICE
        for opening, row in zip(first.tolist(), entries, strict=True)
    ]
    situations = [row["faced"] for row in entries]
    actions = [row["action"] for row in entries]
    points = [row["reward"] for row in entries]
    return Panel.of(name, grid, situations, actions, points, person.tolist(), reasons)


def _open(situation: Faced) -> bool:
    return situation.high > situation.low


def _of_group(rows: pd.DataFrame, config: Any, name: str) -> list[dict[str, Any]]:
    """Return one entry per decision in a person's seat: the situation, or the reason (`why`) it is
    missing."""
    people = rows["participant"] != ""
    columns = ["treatment", *PERSON, "period"]
    entries: list[Any] = rows.loc[people, columns].to_dict("records")
    try:
        played = list(_played(rows, config, name, people.to_numpy()))
    except EngineError as error:
        return [{**entry, "why": f"the play cannot be computed: {error}"} for entry in entries]
    by_person = rows.loc[people, "chosen"].tolist()
    return [
        {**entry, **decision} if chosen else {**entry, "why": NOT_OWN}
        for entry, decision, chosen in zip(entries, played, by_person, strict=True)
    ]


def _played(rows: pd.DataFrame, config: Any, name: str, wanted: Array) -> Iterator[dict[str, Any]]:
    """Yield the situation, the action and the points of each row flagged in `wanted`. Raises
    EngineError."""
    if config is None:
        raise ConfigError("it has no configuration")
    game = game_of(config["config"])
    if game.sight.order is not None:
        raise ConfigError("its seats decide in turn, but the models assume simultaneous decisions")
    periods = _complete(rows, game.seats)
    shape = (periods, game.seats)
    wanted, rewards = wanted.reshape(shape), rows["reward"].to_numpy().reshape(shape)
    records = rows.to_dict("records")
    episode = Episode(game, int(config["seed"]))
    situations: dict[int, Faced] = {}

    def handed_out() -> Iterator[list[dict[Any, Any]]]:
        for period in range(periods):
            situations.clear()
            seats, state = np.flatnonzero(wanted[period]).tolist(), state_of(episode)
            situations.update({seat: faced(episode, name, seat, state) for seat in seats})
            yield records[period * game.seats : (period + 1) * game.seats]

    for period in again.played(episode, handed_out()):
        if not np.allclose(period.rewards, rewards[period.number], rtol=1e-6, atol=1e-6):
            raise ConfigError(f"the points of period {period.number} do not follow from the rules")
        after = state_of(episode)
        for seat, situation in situations.items():
            yield {
                "faced": situation,
                "action": float(period.used[name][seat]),
                "reward": float(period.rewards[seat]),
                "begins": period.number == 0,
                "after": After(seat, after, *last_actions(episode, name, seat, after)),
            }


def _complete(rows: pd.DataFrame, seats: int) -> int:
    """Return the number of periods. Raises ConfigError if a row is missing or repeated."""
    periods = int(rows["period"].max()) + 1
    expected = np.indices((periods, seats)).reshape(2, -1)
    places = rows[["period", "seat"]].to_numpy(dtype=np.int64).T
    if places.shape != expected.shape or (places != expected).any():
        complete = rows.groupby("period")["seat"].apply(
            lambda column: sorted(column) == list(range(seats))
        )
        wrong = [period for period in range(periods) if not complete.get(period, False)]
        raise ConfigError(f"period {wrong[0]} does not have one row per seat")
    return periods


# -- people who are followed from play to play ---------------------------------------------------


class After(NamedTuple):
    """The situation at the end of a period, as a seat sees it.

    state       state after the period
    others      mean of the others' actions, as shown; NaN: not shown
    own_action  action of the seat; NaN: not in the state
    """

    seat: int
    state: Arrays
    others: float
    own_action: float


def follow(data: Data, entries: Sequence[dict[str, Any]]) -> None:
    """Give groups that exchange people the same number, and join each person's decisions in all
    plays of a repeated block; `entries` is changed in place.

    `entries` come from `behaviour.decisions`: the session, group, seat, participant and period of
    each decision, its situation (`faced`), the end of its period (`after`), and whether it is the
    first of its play (`begins`).
    """
    named = replace(data, names={})  # a custom name can cover several blocks
    config = data.config.assign(unit=named.by_unit(data.config[GROUP])["group"].to_numpy())
    if "play" not in config:
        units = config.set_index(GROUP)["unit"].to_dict()
        for entry in entries:
            entry["group"] = units[entry["session"], entry["group"]]
        return
    groups: dict[Any, Any] = config.set_index(GROUP)[["block", "play", "unit"]].to_dict("index")
    people: dict[tuple[str, str, str], list[dict[str, Any]]] = {}
    for entry in entries:
        block = groups[entry["session"], entry["group"]]["block"]
        people.setdefault((entry["session"], entry["participant"], block), []).append(entry)
    for decisions in people.values():
        _join(decisions, groups)


def _join(decisions: list[dict[str, Any]], groups: dict[Any, Any]) -> None:
    """Join a person's decisions in one block."""

    def play(entry: dict[str, Any]) -> int:
        return int(groups[entry["session"], entry["group"]]["play"])

    decisions.sort(key=lambda entry: (play(entry), entry["period"]))
    plays = [play(entry) for entry in decisions]
    lengths = [entry["faced"].game.horizon for entry in decisions]
    seat, unit = (
        decisions[0]["seat"],
        groups[decisions[0]["session"], decisions[0]["group"]]["unit"],
    )
    for number, entry in enumerate(decisions):
        follows = bool(number) and plays[number - 1] == plays[number] - 1
        if entry["begins"] and follows and _amounts(entry["faced"].game):
            entry["faced"] = _continued(entry["faced"], decisions[number - 1]["after"])
            entry["begins"] = False
        entry |= {"group": unit, "seat": seat}
        entry["period"] += plays[number] * lengths[number]


def _amounts(game: Game[Any]) -> bool:
    """Return whether all actions before the second stage are amounts. Choices have no mean, so in
    games with choices, the first decision of every play is not explained."""
    return all(field.kind != "choice" for field in game.declaration.actions if not field.stage)


def _continued(situation: Faced, before: After) -> Faced:
    """Return the situation at the start of a play as if the previous play had gone on. It assumes
    that everyone else repeats the mean action of the people that the person met before.
    """
    state = dict(situation.state)
    for field in situation.game.declaration.actions:
        if not field.stage and field.name in state:
            actions = before.state[field.name]
            state[field.name] = np.full(actions.shape, np.delete(actions, before.seat).mean())
            state[field.name][situation.seat] = actions[before.seat]
    return replace(situation, state=state, others=before.others, own_action=before.own_action)
