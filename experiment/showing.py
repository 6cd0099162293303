"""What will happen to a participant, in order, with durations and pay, by treatment; as text."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import bots
from bots.rollout import rollout
from engine.play.episode import Episode
from experiment.plan import Plan
from experiment.treatments import seats_of
from table import ledger
from table.ledger import Stay, Terms
from table.options import Options, policy_specs
from table.setup import Setup

__all__ = ["amounts", "lines", "steps"]

PLAYS = 20

_AFTER_PROMISE = {
    "bots": "then bots fill the group",
    "extend": "then as long once more, then bots fill the group",
    "release": "then released with pay",
}


def lines(plan: Plan, setups: Mapping[str, Setup], config: Mapping[str, Any]) -> Iterator[str]:
    """The plan, treatment by treatment; `config` is its session config, with fee and rate."""
    block = sum(setup.options.people_per_group for setup in setups.values())
    yield plan.title
    yield from (f"  by {name}" for name in plan.authors)
    yield from (f"  after {source}" for source in plan.sources)
    people = f"{plan.groups} groups of each: {plan.groups * block} people"
    yield f"\n{len(setups)} treatments, {people}. Assignment: {_how(plan)}"
    for name, setup in setups.items():
        own = plan.treatments[name]
        yield f"\nTreatment {name}: {own.meaning}"
        changed = ", ".join(f"{key} {value}" for key, value in own.changes.items())
        yield f"  changes: {changed or 'none'}"
        yield from (f"  {number}. {step}" for number, step in enumerate(steps(setup), 1))
        yield f"  pay: {_pay(plan, name, setup, config)}"
    yield from _words(plan)


def steps(setup: Setup) -> Iterator[str]:
    """The pages that a participant goes through, with how long each can take."""
    options, game = setup.options, setup.game
    if options.consent:
        yield "consent"
    yield f"instructions, in {options.language!r}"
    if options.quiz:
        tries = f"at most {options.quiz_tries} times" if options.quiz_tries else "until it is right"
        yield f"quiz, {tries}"
    if options.practice_periods:
        periods = min(options.practice_periods, game.horizon)
        yield f"practice of {periods} periods alone with bots, unpaid, without a limit of time"
    if options.people_per_group > 1:
        promise = f"at most {options.lobby_seconds:g} s, {_AFTER_PROMISE[options.lobby_outcome]}"
        yield f"lobby, until {options.people_per_group} people are there: {promise}"
    yield _play(setup, options)
    if options.comments:
        yield "comments"
    yield "results, with what is paid"


def _play(setup: Setup, options: Options) -> str:
    game, seconds = setup.game, options.decision_seconds
    others = game.seats - options.people_per_group
    talk = _talk(options)
    who = f"{options.people_per_group} of {game.seats} seats are people's"
    who += f", {others} have {options.bots}" if others else ""
    if not seconds:
        return f"play of {game.horizon} periods without a limit of time{talk}; {who}"
    turns = game.seats if game.config.agents.timing == "sequential" else 1
    minutes = game.horizon * turns * seconds / 60
    if options.talk_apart:
        times = game.horizon if options.talk_when == "periods" else 1
        minutes += times * options.talk_seconds / 60
    most = "" if options.by_clock and not options.talk_apart else "at most "
    return f"play of {game.horizon} periods, {most}{minutes:.0f} minutes{talk}; {who}"


def _talk(options: Options) -> str:
    """When people talk, with how long that can take; empty: they do not."""
    seconds = f"{options.talk_seconds:g} s"
    when = {"before": f"before it, {seconds}", "periods": f"before each of them, {seconds}"}
    always = f"in the first {seconds} of each" if options.talk_seconds else "all the time"
    how = "free" if options.talk == "free" else "by sentences of a list"
    return f", with talk {when.get(options.talk_when, always)}, {how}" if options.talks else ""


def _pay(plan: Plan, name: str, setup: Setup, config: Mapping[str, Any]) -> str:
    if not policy_specs(plan.people_of(name)):
        return "not known: `people` names no policies that stand for people"
    terms = Terms.of(
        float(config["participation_fee"]),
        float(config["real_world_currency_per_point"]),
        setup.options.model_dump(),
    )
    paid = amounts(*seats_of(plan, name, setup.options, setup.game.seats), setup, terms)
    low, mean, high = min(paid), statistics.fmean(paid), max(paid)
    return (
        f"{low:.2f} to {high:.2f}, {mean:.2f} in the mean of {PLAYS} plays of "
        f"{plan.people_of(name)}; {float(config['participation_fee']):.2f} of it for taking part"
    )


def amounts(
    people: Sequence[str], others: Sequence[str], setup: Setup, terms: Terms
) -> list[float]:
    """What people would be paid, in money: PLAYS times those of a group. `people` sit first."""
    game, paid = setup.game, list[float]()
    policies = [bots.make(spec, game) for spec in (*people, *others)]
    for seed in range(PLAYS):
        points = [0.0] * game.seats
        for period in rollout(Episode(game, seed), policies):
            points = [sum(pair) for pair in zip(points, period.rewards.tolist(), strict=True)]
        stays = [Stay("finished", seated=True, points=own) for own in points[: len(people)]]
        paid += [float(ledger.total(ledger.ledger(terms, stay))) for stay in stays]
    return paid


def _how(plan: Plan) -> str:
    if plan.assignment == "arrival":
        return "by arrival, one group after the other."
    return "balanced blocks, drawn from the seed of each session."


def _words(plan: Plan) -> Iterator[str]:
    yield "\nHypotheses" if plan.hypotheses else "\nNo hypotheses"
    for name, own in plan.hypotheses.items():
        compared = ", ".join(plan.compared(own))
        yield f"  {name} ({own.family}): {own.meaning} [{own.measure}, {own.test}: {compared}]"
    yield f"\nLevel of the tests: {plan.alpha:g}, corrected within each family by Holm"
    yield from (f"Excluded: {rule}" for rule in plan.exclusions)
    yield f"Stopping: {plan.stopping or 'no rule'}"
