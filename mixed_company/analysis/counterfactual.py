"""What the others in a group would have had with a policy in the place of a person.

    held = counterfactual(analysis.load("export.zip"), "sustainable")
    print(by_treatment(held.seats))

Each group is played again once for each seat that a person had all the time, with that seat given
to the policy: the seed, so all chance, and what the others sent are those of the record. The
policy sees what comes of its own decisions.

What it rests on: others' choices are held. They would have answered another person otherwise, so
this is what the decisions of a person did to the others by the rules of the game alone, and no
forecast. A held choice that cannot be made in the changed play is moved to the nearest that can
be, and counted (`moved`). Where the changed play would have gone on after the recorded one was
over, nobody knows what others would have done then: it is compared up to there (`longer`).
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

__all__ = ["Counterfactual", "by_treatment", "counterfactual"]

Records = list[dict[str, Any]]
"""The rows of `decisions` of one period, in the order of seats."""

TAKEN_OVER = "a policy decided on them for some time"
DAMAGED = "their group cannot be played again"
FEW = 20_000
"""Groups of so few decisions are played again in this process."""


@dataclass(frozen=True)
class Counterfactual:
    """What became of it.

    seats     one row per person's seat: `session`, `group`, `treatment`, `seat`; `others_had` and
              `others_would`, the points of all other seats together, and `difference`, what they
              would have had more; `own_had`, `own_would`; `periods` compared, `moved`, `longer`
    left_out  why seats of people were left out -> how many
    faults    decisions in which the policy failed: the default was played for it
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
    """Play each group again, with each seat of a person given to the policy, one at a time.

    `workers` are processes that play them, `scheduler` is the address of a Dask cluster that does;
    whoever plays them, they are the same.
    Raises UnknownName or ConfigError for a policy that is not there, or does not fit the game.
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
        changed = sharing.gathered(_given_away, work, " seats", [len(own.seats) for own in work])
    rows = [row for own, _ in changed for row in own]
    faults = [fault for _, own in changed for fault in own]
    return Counterfactual(pd.DataFrame(rows, columns=list(_COLUMNS)), +left_out, faults)


_COLUMNS = (
    *("session", "group", "treatment", "seat", "others_had", "others_would", "difference"),
    *("own_had", "own_would", "periods", "moved", "longer"),
)


def _people(decisions: pd.DataFrame) -> dict[int, bool]:
    """Return for each seat of a person whether it was a person all the time."""
    persons = (decisions["occupant"] == "person").groupby(decisions["seat"])
    return {int(seat): bool(own.all()) for seat, own in persons if own.any()}


def _periods(decisions: pd.DataFrame, game: Game[Any] | None) -> list[Records] | None:
    """Return the rows of each period; None: some are missing."""
    ordered: Any = decisions.sort_values(["period", "seat"]).to_dict("records")
    periods = [list(rows) for _, rows in groupby(ordered, itemgetter("period"))]
    seats = 0 if game is None else game.seats
    whole = all([row["seat"] for row in rows] == list(range(seats)) for rows in periods)
    return periods if whole else None


@dataclass(frozen=True)
class _Group:
    """A group as it was played, and the seats that are given to the policy, one at a time."""

    key: Mapping[str, Any]
    game: Game[Any]
    seed: int
    periods: Sequence[Records]
    seats: Sequence[int]
    policy: str


def _given_away(own: _Group) -> tuple[Records, list[Fault]]:
    """Return a row for each of the seats, and where the policy failed."""
    faults: list[Fault] = []
    rows = [{**own.key, "seat": seat, **_changed(own, seat, faults)} for seat in own.seats]
    return rows, faults


def _changed(own: _Group, seat: int, faults: list[Fault]) -> dict[str, Any]:
    """Play with the policy on the seat, and compare with the record; `faults` grow."""
    game, periods = own.game, own.periods
    episode = Episode(game, own.seed)
    sent = [sent_of(game, rows) for rows in periods]
    others = [one for one in range(game.seats) if one != seat]
    held = {one: _Held(episode, one, sent) for one in others}
    seated = [
        held[one] if one in held else policies.make(own.policy, game) for one in range(game.seats)
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
        "moved": sum(own.moved for own in held.values()),
        "longer": not episode.done,
    }


def _leaving(periods: Sequence[Records]) -> dict[int, list[int]]:
    """Return the seats that left, by period."""
    out: set[int] = set()
    leaving: dict[int, list[int]] = {}
    for number, rows in enumerate(periods):
        absent = {seat for seat, row in enumerate(rows) if row["decided_by"] == "absent"}
        leaving[number] = sorted(absent - out)
        out |= absent
    return leaving


class _Held(Policy):
    """Sends what was sent on a seat, or the nearest that can be."""

    id = "held"
    games = ()
    source = "mixed_company.analysis.counterfactual"

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
            action = allowed.nearest(action)
        return action, memory


def by_treatment(seats: pd.DataFrame, level: float = 0.95) -> pd.DataFrame:
    """Return means of the points of others, with and without the policy, by treatment.

    Columns: `treatment`, `groups`, `seats`, means of `others_had`, `others_would` and `difference`,
    and the t interval of that, `low` and `high`, over groups. A group counts once, by the mean over
    its seats, since seats of a group are not independent.
    """
    columns, rows = ["others_had", "others_would", "difference"], []
    for treatment, group_seats in seats.groupby("treatment", sort=False):
        means = group_seats.groupby(GROUP)[columns].mean()
        low, high = of_mean(means["difference"].to_numpy(), level)
        counts: dict[str, Any] = {"groups": len(means), "seats": len(group_seats)}
        averages: dict[str, Any] = {name: float(means[name].mean()) for name in columns}
        rows.append({"treatment": treatment, **counts, **averages, "low": low, "high": high})
    return pd.DataFrame(rows)
