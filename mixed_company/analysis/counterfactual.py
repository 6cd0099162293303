"""Compute how many points the others in a group would have earned with a policy in a person's
place.

    held = counterfactual(analysis.load("export.zip"), "sustainable")
    print(by_treatment(held.seats))

Each group is replayed once for every seat that a person held throughout, with the policy in that
seat. The seed (and thus every random draw) and the others' decisions are as recorded. The
policy sees the consequences of its own decisions.

The others' choices are held fixed, although these players might have responded differently to
another player. So the result is not a forecast. It is only the effect that a person's decisions
have on the others through the rules of the game. A fixed choice that is impossible in the changed
play is replaced by the nearest possible one and counted (`moved`). The changed play may continue
after the recorded one ended (`longer`). The others' further choices are then unknown, so the plays
are compared only up to that period.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, islice
from operator import itemgetter
from typing import Any

import numpy as np
import pandas as pd

from mixed_company import policies
from mixed_company.analysis.data import GROUP, Data
from mixed_company.analysis.statistics.intervals import of_mean
from mixed_company.engine.contract.errors import ActionError
from mixed_company.engine.game import Game
from mixed_company.engine.play.episode import Episode
from mixed_company.policies.policy import Action, Memory, Observation, Policy
from mixed_company.policies.rollout import Fault, rollout
from mixed_company.policies.sharing import Sharing
from mixed_company.table.export import sent_of

Records = list[dict[str, Any]]
"""The rows of `decisions` for one period, in seat order."""

TAKEN_OVER = "a policy decided in them for part of the play"
DAMAGED = "their group cannot be replayed"
FEW = 20_000
"""Maximum number of decisions that are replayed in this process rather than in worker processes."""


@dataclass(frozen=True)
class Counterfactual:
    """Result of replaying groups with a policy.

    seats     one row per person's seat: `session`, `group`, `unit` (lowest number of the
              treatment's groups that exchanged people with this one), `treatment`, `seat`;
              `others_had` and `others_would`, the total points of all other seats, as recorded and
              with the policy;
              `difference`, how many more points they would have had; `own_had`, `own_would`;
              `periods` compared, `moved`, `longer`
    left_out  reason why people's seats were left out -> number of seats
    faults    number of decisions for which the policy failed, so the default was played
    """

    seats: pd.DataFrame
    left_out: Counter[str] = field(default_factory=Counter)
    faults: Sequence[Fault] = ()


def counterfactual(
    data: Data,
    policy: str,
    *,
    progress: bool = False,
    workers: int = 1,
    scheduler: str | None = None,
) -> Counterfactual:
    """Replay each group once for each seat that people held throughout, with the policy in that
    seat.

    `workers` is the number of processes; `scheduler` is the address of a Dask cluster to use
    instead. Neither changes the result. Raises UnknownName if the policy does not exist,
    ConfigError if it cannot play the game.
    """
    treatments = data.groups.set_index(GROUP)["treatment"].astype(str).to_dict()
    games, seeds = data.games, data.config.set_index(GROUP)["seed"].to_dict()
    work, left_out = [], Counter[str]()
    groups: Any = data.decisions.groupby(GROUP, sort=False)
    for (session, group), decisions in groups:
        game = games.get((session, group))
        people = _people(decisions)
        periods = _periods(decisions, game)
        left_out[TAKEN_OVER] += len(people) - sum(people.values())
        if game is None or periods is None:
            left_out[DAMAGED] += sum(people.values())
            continue
        key = {"session": session, "group": group, "treatment": treatments[session, group]}
        seats = [seat for seat, alone in people.items() if alone]
        seed = int(seeds[session, group])
        work.append(_Group(key, game, seed, periods, seats, policy))
    few = len(data.decisions) <= FEW
    with Sharing(workers, scheduler, progress).here_if(few) as sharing:
        changed = sharing.gathered(
            _given_away, work, " seats", [len(group.seats) for group in work]
        )
    rows = [row for seat_rows, _ in changed for row in seat_rows]
    faults = [fault for _, seat_faults in changed for fault in seat_faults]
    table = pd.DataFrame(rows, columns=list(_COLUMNS))
    table.insert(2, "unit", data.by_unit(table)["group"])
    return Counterfactual(table, +left_out, faults)


_COLUMNS = (
    *("session", "group", "treatment", "seat", "others_had", "others_would", "difference"),
    *("own_had", "own_would", "periods", "moved", "longer"),
)


def _people(decisions: pd.DataFrame) -> dict[int, bool]:
    """Return, for each seat that a person held at any time, whether people held it throughout."""
    persons = (decisions["occupant"] == "person").groupby(decisions["seat"])
    return {int(seat): bool(is_person.all()) for seat, is_person in persons if is_person.any()}


def _periods(decisions: pd.DataFrame, game: Game[Any] | None) -> list[Records] | None:
    """Return the rows of each period; None if a row is missing."""
    ordered: Any = decisions.sort_values(["period", "seat"]).to_dict("records")
    periods = [list(rows) for _, rows in groupby(ordered, itemgetter("period"))]
    seats = 0 if game is None else game.seats
    whole = all([row["seat"] for row in rows] == list(range(seats)) for rows in periods)
    return periods if whole else None


@dataclass(frozen=True)
class _Group:
    """A recorded group, and the seats that the policy takes over, one seat per replay."""

    key: Mapping[str, Any]
    game: Game[Any]
    seed: int
    periods: Sequence[Records]
    seats: Sequence[int]
    policy: str


def _given_away(group: _Group) -> tuple[Records, list[Fault]]:
    """Return one row per seat that the policy takes, and the number of the policy's failures."""
    faults: list[Fault] = []
    rows = [{**group.key, "seat": seat, **_changed(group, seat, faults)} for seat in group.seats]
    return rows, faults


def _changed(group: _Group, seat: int, faults: list[Fault]) -> dict[str, Any]:
    """Replay the group with the policy in the seat, and compare the result with the record. Append
    the policy's failures to `faults`."""
    game, periods = group.game, group.periods
    episode = Episode(game, group.seed)
    sent = [sent_of(game, rows) for rows in periods]
    others = [other for other in range(game.seats) if other != seat]
    held = {other: _Held(episode, other, sent) for other in others}
    seated = [
        held[other] if other in held else policies.make(group.policy, game)
        for other in range(game.seats)
    ]
    failed: list[Fault] = []
    steps = list(islice(rollout(episode, seated, _leaving(periods), failed), len(periods)))
    faults += [fault for fault in failed if fault.seat == seat]
    recorded = np.sum([[row["reward"] for row in rows] for rows in periods], axis=0)
    changed = np.sum([step.rewards for step in steps], axis=0)
    return {
        "others_had": float(recorded[others].sum()),
        "others_would": float(changed[others].sum()),
        "difference": float(changed[others].sum() - recorded[others].sum()),
        "own_had": float(recorded[seat]),
        "own_would": float(changed[seat]),
        "periods": len(steps),
        "moved": sum(policy.moved for policy in held.values()),
        "longer": not episode.done,
    }


def _leaving(periods: Sequence[Records]) -> dict[int, list[int]]:
    """Return the seats that dropped out, by period."""
    out: set[int] = set()
    leaving: dict[int, list[int]] = {}
    for number, rows in enumerate(periods):
        absent = {seat for seat, row in enumerate(rows) if row["decided_by"] == "absent"}
        leaving[number] = sorted(absent - out)
        out |= absent
    return leaving


class _Held(Policy):
    """Policy that repeats a seat's recorded decisions, or sends the nearest possible ones."""

    id = "held"
    games = ()
    source = "mixed_company.analysis.counterfactual"
    stage = None

    def __init__(
        self, episode: Episode, seat: int, sent: Sequence[Mapping[str, Sequence[Any]]]
    ) -> None:
        super().__init__(episode.game.core)
        self.episode, self.seat, self.sent, self.moved = episode, seat, sent, 0

    def act(
        self, observation: Observation, memory: Memory, rng: np.random.Generator
    ) -> tuple[Action, Memory]:
        allowed = self.episode.allowed(self.seat)
        whole = self.sent[self.episode.period]
        action = {name: values[self.seat] for name, values in whole.items()}
        try:
            allowed.plain(action)
        except ActionError:
            self.moved += 1
            possible = allowed.fitted(allowed.nearest(action)).items()
            action = {name: np.asarray(value).tolist() for name, value in possible}
        return action, memory


def by_treatment(seats: pd.DataFrame, level: float = 0.95) -> pd.DataFrame:
    """Return the others' mean points, with and without the policy, for each treatment.

    Columns: `treatment`, `groups`, `seats`, means of `others_had`, `others_would` and `difference`,
    and the t interval for the difference over groups, `low` and `high`. Each group counts once, as
    the mean over its seats, because seats in a group are not independent. Groups that exchanged
    people count as one.
    """
    columns, rows = ["others_had", "others_would", "difference"], []
    for treatment, group_seats in seats.groupby("treatment", sort=False):
        means = group_seats.groupby(["session", "unit"])[columns].mean()
        low, high = of_mean(means["difference"].to_numpy(), level)
        counts: dict[str, Any] = {"groups": len(means), "seats": len(group_seats)}
        averages: dict[str, Any] = {name: float(means[name].mean()) for name in columns}
        rows.append({"treatment": treatment, **counts, **averages, "low": low, "high": high})
    return pd.DataFrame(rows)
