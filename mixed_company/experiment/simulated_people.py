"""Simulated people: policies in people's places.

`mixed plan`, `mixed power`, `mixed preflight` and `mixed rehearse` take them from one option,
`--simulated POLICY,POLICY`, and a plan from its key `people`. All of them use `SimulatedPeople` to
seat the policies, let them vote, pay them and report on them. Plays with the same seed have the
same random numbers in all treatments.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self, TypeVar

from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.play.episode import Episode
from mixed_company.policies.rollout import rollout
from mixed_company.table import leanings, ledger
from mixed_company.table.choosing import winner
from mixed_company.table.ledger import Stay, Terms
from mixed_company.table.options import policy_specs
from mixed_company.table.seating import policy_in_turn
from mixed_company.table.setup import Setup

__all__ = ["PLAYS", "Paid", "SimulatedPeople", "filled", "summed_up"]

PLAYS = 20
"""Number of plays that pay is estimated from; their seeds count up from 0."""

_Occupant = TypeVar("_Occupant")


def filled(
    people: Sequence[_Occupant], bots: Sequence[_Occupant], seats: int
) -> tuple[list[_Occupant], list[_Occupant]]:
    """Return the people and the bots of a group; bots take the other seats in turn.

    Raises ConfigError for no people or too many, and if there are no bots for the remaining seats.
    """
    if not 1 <= len(people) <= seats:
        raise ConfigError(f"people: {len(people)} named; name 1 to {seats}, one per seat")
    rest = seats - len(people)
    if rest and not bots:
        raise ConfigError(f"bots: none named for {rest} of {seats} seats")
    return list(people), [bots[number % len(bots)] for number in range(rest)]


@dataclass(frozen=True)
class SimulatedPeople:
    """Policies of a group: those in people's places, which are the first seats, and bots."""

    people: Sequence[str]
    bots: Sequence[str]

    @classmethod
    def seated(cls, named: str, setup: Setup) -> Self | None:
        """Seat comma-separated policies, in turn, in people's places, and seat the setup's bots.

        None if no policy is named. Raises UnknownName or ConfigError for a policy that cannot play.
        """
        specs = policy_specs(named)
        if not specs:
            return None
        for spec in specs:
            setup.policy(spec)
        people = [policy_in_turn(specs, turn) for turn in range(setup.options.people_per_group)]
        return cls(*filled(people, setup.options.bot_list, setup.game.seats))

    @classmethod
    def as_bots(cls, setup: Setup) -> Self:
        """Seat the setup's bots in all seats, including people's places."""
        seats = range(setup.game.seats)
        return cls([policy_in_turn(setup.options.bot_list, turn) for turn in seats], [])

    def __str__(self) -> str:
        bots = f"bots: {_counted(self.bots)}" if self.bots else "no bots"
        return f"Simulated people: {_counted(self.people)}; {bots}."

    def chosen(self, setup: Setup, seed: int) -> tuple[str, list[str]]:
        """Return the rule that the group chooses in the play with this seed, and each seat's vote.

        People vote as their policies wish, even if bots abstain.
        """
        votes = [leanings.wish(setup, spec, seed, seat) for seat, spec in enumerate(self.people)]
        for seat, spec in enumerate(self.bots, len(votes)):
            votes.append(leanings.vote(setup, spec, seed, seat))
        return winner(list(setup.rules), votes, setup.options.rules_tie, seed), votes

    def paid(self, setup: Setup, terms: Terms) -> Paid:
        """Return the pay of the people in PLAYS plays under every rule."""
        amounts, periods = {}, {}
        for rule in setup.rules or [""]:
            ruled = setup.chosen(rule) if rule else setup
            plays = [self._play(ruled, terms, seed) for seed in range(PLAYS)]
            amounts[rule], periods[rule] = zip(*plays, strict=True)
        chosen = [""] * PLAYS
        if setup.rules:
            ready = leanings.prepared(setup, self.people)
            chosen = [self.chosen(ready, seed)[0] for seed in range(PLAYS)]
        return Paid(self, amounts, periods, chosen)

    def _play(self, setup: Setup, terms: Terms, seed: int) -> tuple[list[float], int]:
        """Return each person's pay for a play, in money, and the number of its periods."""
        lasting, points = 0, [0.0] * setup.game.seats
        policies = [setup.policy(spec) for spec in (*self.people, *self.bots)]
        for period in rollout(Episode(setup.game, seed), policies):
            points = [sum(pair) for pair in zip(points, period.rewards.tolist(), strict=True)]
            lasting += 1
        stays = [
            Stay("finished", seated=True, points=earned) for earned in points[: len(self.people)]
        ]
        return [float(ledger.total(ledger.ledger(terms, stay))) for stay in stays], lasting


def _counted(specs: Sequence[str]) -> str:
    """Return the policies, separated by commas, with the number of seats if a policy has
    several."""
    counts = Counter(specs)
    return ", ".join(f"{spec} ({n} seats)" if n > 1 else spec for spec, n in counts.items())


@dataclass(frozen=True)
class Paid:
    """Pay of simulated people for PLAYS plays under each rule that groups can choose.

    If groups choose none, there is one rule without a name.

    people   the simulated people
    amounts  rule -> by play, the pay of each person, in money
    periods  rule -> the number of periods of each play
    chosen   the rule that the policies choose in each play
    """

    people: SimulatedPeople
    amounts: Mapping[str, Sequence[Sequence[float]]]
    periods: Mapping[str, Sequence[int]]
    chosen: Sequence[str]

    @property
    def least(self) -> float:
        """Smallest pay under any rule, in money."""
        return min(amount for plays in self.amounts.values() for paid in plays for amount in paid)

    @property
    def most(self) -> float:
        """Largest pay under any rule, in money."""
        return max(amount for plays in self.amounts.values() for paid in plays for amount in paid)

    @property
    def mean(self) -> float:
        """Mean pay under the rules that the policies choose, in money."""
        plays = [self.amounts[rule][number] for number, rule in enumerate(self.chosen)]
        return statistics.fmean(amount for amounts in plays for amount in amounts)


def summed_up(blocks: Sequence[Paid], fee: float, one_is_paid: bool) -> tuple[float, float, float]:
    """Return the smallest, mean and largest pay for all blocks, or for the block that is drawn.

    `fee` is paid once; the pay of the first block contains it.
    """
    fees = [fee, *[0.0] * (len(blocks) - 1)]
    lows = [paid.least - part for paid, part in zip(blocks, fees, strict=True)]
    means = [paid.mean - part for paid, part in zip(blocks, fees, strict=True)]
    highs = [paid.most - part for paid, part in zip(blocks, fees, strict=True)]
    if one_is_paid:
        return fee + min(lows), fee + statistics.fmean(means), fee + max(highs)
    return fee + sum(lows), fee + sum(means), fee + sum(highs)
