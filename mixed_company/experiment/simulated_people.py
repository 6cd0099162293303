"""Simulated people: policies in place of people.

`mixed plan`, `mixed power`, `mixed preflight` and `mixed rehearse` share the `--simulated
POLICY,POLICY` option; a plan has the `people` key. They all use `SimulatedPeople` to draw the
policies, let them vote, pay them and report on them.

A list of policies is a population with equal shares: for each person in each group, a policy is
drawn from it using the seed. So simulated people have the same distribution in all treatments, no
matter how many of them a group has. Plays with the same seed use the same random numbers in all
treatments.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self, TypeVar

from mixed_company.engine.contract import chance
from mixed_company.engine.contract.arrays import spread
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.game import Game
from mixed_company.engine.play.episode import Episode
from mixed_company.policies.bench import totals
from mixed_company.policies.populations import judged
from mixed_company.policies.rollout import rollout
from mixed_company.policies.spec import parts, policy_specs
from mixed_company.table import leanings, ledger
from mixed_company.table.choosing import winner
from mixed_company.table.ledger import Stay, Terms
from mixed_company.table.setup import Setup

PLAYS = 20
"""Number of plays used to estimate pay; their seeds count up from 0."""

_Occupant = TypeVar("_Occupant")


def bots_beside(people: int, bots: Sequence[_Occupant], seats: int) -> list[_Occupant]:
    """Return the bots for the seats that people do not take, one per seat, in rotation.

    Raises ConfigError if there are no people or too many, or if seats remain but `bots` is empty.
    """
    if not 1 <= people <= seats:
        raise ConfigError(f"people: {people} per group; should be 1 to {seats}, one per seat")
    rest = seats - people
    if rest and not bots:
        raise ConfigError(f"bots: no policies are named for {rest} of {seats} seats")
    return [bots[number % len(bots)] for number in range(rest)]


def bots_in_words(people: int, bots: str, seats: int) -> str:
    """Return the names of the bots that have seats beside this number of people.

    `bots` is a comma-separated list; policies that the rotation does not reach are left out.

    >>> bots_in_words(2, "greedy, steward, fixed", 4), bots_in_words(1, "greedy,steward", 4)
    ('greedy, steward', 'greedy (2 seats), steward')
    >>> bots_in_words(1, "greedy", 4)
    'greedy'
    """
    beside = bots_beside(people, policy_specs(bots), seats)
    return beside[0] if len(set(beside)) == 1 else _counted(beside)


def drawn_person(population: Sequence[_Occupant], seed: int, number: int) -> _Occupant:
    """Return the population member that plays the person with this `number`, counted from 0.

    The seed determines the member; all members are equally likely.
    """
    drawn = float(chance.stream(seed, "simulated person", number).uniform())
    return population[int(drawn * len(population))]


def for_stages(named: str, setup: Setup) -> list[str]:
    """Return the policies named by comma-separated specs, as they apply in a setup.

    Without peer points, the policy that would assign them (`b` in `a+b`) is left out, so that a
    plan can name the same people for treatments with and without peer points.
    """
    specs = policy_specs(named)
    return specs if setup.game.stages.several else [parts(spec)[0] for spec in specs]


@dataclass(frozen=True)
class SimulatedGroup:
    """The policies in one group: those that take people's places (the first seats), and the
    bots."""

    people: Sequence[str]
    bots: Sequence[str]

    def chosen(self, setup: Setup, seed: int) -> tuple[str, list[str]]:
        """Return the rule that the group chooses in the play with this seed, and each seat's vote.

        Simulated people vote as their policies do, even if the session's bots abstain.
        """
        votes = [leanings.wish(setup, spec, seed, seat) for seat, spec in enumerate(self.people)]
        for seat, spec in enumerate(self.bots, len(votes)):
            votes.append(leanings.vote(setup, spec, seed, seat))
        return winner(list(setup.rules), votes, setup.options.rules_tie, seed), votes


@dataclass(frozen=True)
class SimulatedPeople:
    """Population that every group's people are drawn from.

    population   policies with equal shares; a policy that is listed twice has two shares
    size         number of people per group
    bots         policies in the other seats
    """

    population: tuple[str, ...]
    size: int
    bots: Sequence[str]

    @classmethod
    def seated(cls, named: str, setup: Setup) -> Self | None:
        """Return the population for comma-separated policies in a setup, with the setup's bots.

        Return None if no policy is named. Raises UnknownName or ConfigError for a policy that
        cannot play.
        """
        specs = policy_specs(named)
        if not specs:
            return None
        for spec in specs:
            setup.policy(spec)
        people = setup.options.people_per_group
        return cls(
            tuple(specs), people, bots_beside(people, setup.options.bot_list, setup.game.seats)
        )

    def __str__(self) -> str:
        return self.in_groups_of([self.size])

    def in_groups_of(self, sizes: Sequence[int]) -> str:
        """Describe the simulated people in groups that differ only in their number of people."""
        few, many = min(sizes), max(sizes)
        number = f"{few}" if few == many else f"{few} to {many}"
        bots = f"bots: {_counted(self.bots)}" if self.bots else "no bots"
        people = f"Simulated people: {number} per group, each {self._described()}; {bots}."
        return " ".join([people, *self._judged()])

    def _judged(self) -> list[str]:
        """Return how well each population predicts people, if its file reports this."""
        sentences = {spec: judged(spec) for spec in self.population}
        return [f"{spec}: {sentence}" for spec, sentence in sentences.items() if sentence]

    def _described(self) -> str:
        """Describe the population: its policies and their shares."""
        counts, whole = Counter(self.population), len(self.population)
        if len(counts) == 1:
            return self.population[0]
        if len(counts) == whole:
            return f"drawn from {', '.join(counts)} (equal shares)"
        parts = (f"{spec} ({count} of {whole})" for spec, count in counts.items())
        return f"drawn from {', '.join(parts)}"

    def person(self, seed: int, number: int) -> str:
        """Return the policy that plays the person with this number (`drawn_person`)."""
        return drawn_person(self.population, seed, number)

    def group(self, seed: int) -> SimulatedGroup:
        """Return the group for the play with this seed."""
        return SimulatedGroup([self.person(seed, n) for n in range(self.size)], self.bots)

    def paid(self, setup: Setup, terms: Terms) -> Paid:
        """Return the pay of the people in PLAYS plays under every rule."""
        amounts, prizes, periods = {}, {}, {}
        for rule in setup.rules or [""]:
            ruled = setup.chosen(rule) if rule else setup
            points, periods[rule] = self._played(ruled)
            amounts[rule] = [[_amount(terms, earned) for earned in group] for group in points]
            won = prize_points(ruled)
            prizes[rule] = [[_amount(terms, earned, won) for earned in group] for group in points]
        chosen = [""] * PLAYS
        if setup.rules:
            ready = leanings.prepared(setup, self.population)
            chosen = [self.group(seed).chosen(ready, seed)[0] for seed in range(PLAYS)]
        return Paid(self, amounts, prizes, periods, chosen)

    def _played(self, setup: Setup) -> tuple[list[list[float]], list[int]]:
        """Return each person's points in PLAYS plays, and the number of periods in each play.

        The plays are a batch, unless seats decide in turn.
        """
        if setup.game.config.agents.timing == "sequential":
            plays = [self._in_turn(setup, seed) for seed in range(PLAYS)]
            return [points for points, _ in plays], [periods for _, periods in plays]
        groups = [self.group(seed) for seed in range(PLAYS)]
        seated = [[*group.people, *group.bots] for group in groups]
        points, periods = totals(setup.game, seated, setup.policy, range(PLAYS))
        return [earned[: self.size] for earned in points], periods

    def _in_turn(self, setup: Setup, seed: int) -> tuple[list[float], int]:
        """Return each person's points in a play, and the number of periods in it."""
        lasting, points, group = 0, [0.0] * setup.game.seats, self.group(seed)
        policies = [setup.policy(spec) for spec in (*group.people, *group.bots)]
        for period in rollout(Episode(setup.game, seed), policies):
            points = [sum(pair) for pair in zip(points, period.rewards.tolist(), strict=True)]
            lasting += 1
        return points[: self.size], lasting


def prize_points(setup: Setup) -> float:
    """Return the maximum points that a person can win with answers in a play."""
    return sum(
        item.prize
        for period in range(setup.game.horizon)
        for item in setup.options.questions
        if item.pay != "none" and item.asked_in(period)
    )


def points_per_period(setup: Setup) -> float:
    """Return the maximum points that a seat can earn in a period, under any rule; infinite if a
    component of the points has no upper limit."""
    return max(spread(game.declaration.components)[1] for game in _games(setup))


def adds_up(setup: Setup) -> bool:
    """Return whether `points_per_period` adds up the largest values of several components. A seat
    may be unable to reach all of these in the same period.
    """
    earning = [
        [part for part in game.declaration.components if part.high > 0] for game in _games(setup)
    ]
    return any(len(parts) > 1 for parts in earning)


def _games(setup: Setup) -> list[Game[Any]]:
    """Return the game under each rule that groups can choose."""
    return [setup.chosen(rule).game for rule in setup.rules] or [setup.game]


def _amount(terms: Terms, points: float, answers: float = 0.0) -> float:
    """Return a person's pay for a whole play, in money."""
    stay = Stay("finished", seated=True, points=points, answers=answers)
    return float(ledger.total(ledger.ledger(terms, stay)))


def _counted(specs: Sequence[str]) -> str:
    """Return the policies as a comma-separated list; a policy with several seats is followed by
    their number.
    """
    counts = Counter(specs)
    return ", ".join(f"{spec} ({n} seats)" if n > 1 else spec for spec, n in counts.items())


@dataclass(frozen=True)
class Paid:
    """Pay of simulated people for PLAYS plays under each rule that groups can choose.

    If groups do not choose a rule, there is one rule, with an empty name.

    people   the simulated people
    amounts  rule -> for each play, the pay of each person, in money, without prizes for answers
    prizes   the same, if answers win all prizes
    periods  rule -> the number of periods in each play
    chosen   the rule that the policies choose in each play
    """

    people: SimulatedPeople
    amounts: Mapping[str, Sequence[Sequence[float]]]
    prizes: Mapping[str, Sequence[Sequence[float]]]
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
        return self._mean(self.amounts)

    @property
    def mean_prize(self) -> float:
        """Mean amount, in money, that prizes add to the pay under these rules if answers win all
        prizes.
        """
        return self._mean(self.prizes) - self.mean

    def _mean(self, amounts: Mapping[str, Sequence[Sequence[float]]]) -> float:
        plays = [amounts[rule][number] for number, rule in enumerate(self.chosen)]
        return statistics.fmean(amount for paid in plays for amount in paid)


class PaidInAll(NamedTuple):
    """A person's smallest, mean and largest pay for all blocks, or for the block that is drawn.

    prize   mean amount that prizes add to the pay if answers win all prizes
    """

    lowest: float
    mean: float
    highest: float
    prize: float

    def __str__(self) -> str:
        return f"{self.lowest:.2f} to {self.highest:.2f}, {self.mean:.2f} on average"


def summed_up(blocks: Sequence[Paid], fee: float, one_is_paid: bool) -> PaidInAll:
    """Return the pay for all blocks or, if only one is paid, for the block that is drawn.

    `fee` is paid once; the pay for the first block includes it.
    """
    fees = [fee, *[0.0] * (len(blocks) - 1)]
    lows = [paid.least - part for paid, part in zip(blocks, fees, strict=True)]
    means = [paid.mean - part for paid, part in zip(blocks, fees, strict=True)]
    highs = [paid.most - part for paid, part in zip(blocks, fees, strict=True)]
    prizes = [paid.mean_prize for paid in blocks]
    if one_is_paid:
        mean, prize = fee + statistics.fmean(means), statistics.fmean(prizes)
        return PaidInAll(fee + min(lows), mean, fee + max(highs), prize)
    return PaidInAll(fee + sum(lows), fee + sum(means), fee + sum(highs), sum(prizes))
