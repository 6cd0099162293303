"""Text describing a participant's path through a session, with durations and pay by treatment."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mixed_company.experiment.blocks import Block
from mixed_company.experiment.comparisons import counted, of_series
from mixed_company.experiment.plan import Plan
from mixed_company.experiment.showing_design import space_shown, tests_shown
from mixed_company.experiment.showing_pay import (
    paid_by_play,
    paid_in,
    pay_over_points,
    pay_shown,
    sums_shown,
)
from mixed_company.experiment.showing_told import last_of_game, told
from mixed_company.experiment.simulated_people import bots_in_words
from mixed_company.table.options import Options
from mixed_company.table.setup import Setup
from mixed_company.table.voting import READ_MS

_AFTER_PROMISE = {
    "bots": "then bots fill the group",
    "extend": "then the same time again, then bots fill the group",
    "release": "then released with pay",
}


def lines(
    plan: Plan,
    series: Sequence[Mapping[str, Setup]],
    config: Mapping[str, Any],
    treatment: str = "",
) -> Iterator[str]:
    """Yield the lines that describe a plan, treatment by treatment and block by block
    (`experiment.treatments.series`). `config` is its session config, with fee and rate.

    A plan with a space has many treatments, so its space is described instead. `treatment` selects
    one treatment to describe.
    """
    if treatment:
        yield from _treatment(plan, treatment, series, config)
        return
    setups = series[0]
    group_people = sum(setup.options.people_per_group for setup in setups.values())
    yield plan.title
    yield from (f"  by {name}" for name in plan.authors)
    yield from (f"  after {source}" for source in plan.sources)
    groups = counted(plan.groups, "group")
    people = f"{groups} per treatment: {counted(plan.groups * group_people, 'person')}"
    yield f"\n{counted(len(setups), 'treatment')}, {people}. Assignment: {_how(plan)}"
    yield f"Session config {plan.session}; changes in all treatments: {_changed(plan.changes)}"
    if plan.blocks:
        yield matched(plan)
    if plan.space is not None:
        yield from space_shown(plan.space)
        yield lengths(plan, series)
        yield from pay_over_points(plan, series, config)
    else:
        for name in setups:
            yield from _treatment(plan, name, series, config)
        yield from (f"\n{sentence}" for sentence in plan.people_apart)
    yield from tests_shown(plan, of_series(series))


def _treatment(
    plan: Plan, name: str, series: Sequence[Mapping[str, Setup]], config: Mapping[str, Any]
) -> Iterator[str]:
    """Yield lines about the course and pay of a treatment."""
    setup, treatment = series[0][name], plan.treatments[name]
    yield f"\nTreatment {name}: {treatment.meaning}"
    yield f"  changes: {_changed(treatment.changes)}"
    if plan.blocks:
        yield from _in_blocks(plan, name, [block[name] for block in series], config)
    else:
        yield from (f"  {number}. {step}" for number, step in enumerate(steps(setup), 1))
        yield from (f"  {line}" for line in told([setup]))
        paid = paid_in(plan, name, setup, config)
        yield from (f"  {line}" for line in pay_shown(setup, paid, config))


def lengths(plan: Plan, series: Sequence[Mapping[str, Setup]]) -> str:
    """Describe the shortest and the longest treatment."""
    by_minutes = dict[float, str]()
    for name in plan.treatments:
        setups = [setups[name] for setups in series]
        minutes = [longest_minutes(setup) for setup in setups]
        by_minutes.setdefault(sum(math.inf if m is None else m for m in minutes), lasting(setups))
    shortest, longest = by_minutes[min(by_minutes)], by_minutes[max(by_minutes)]
    if shortest == longest:
        return f"All treatments: {shortest}"
    return f"Shortest treatment: {shortest}; longest treatment: {longest}"


def _changed(changes: Mapping[str, Any]) -> str:
    """Format the changes as a list. Changes that the steps describe are listed by name only."""
    named = ("questions", "rules")
    listed = [key if key in named else f"{key} {value}" for key, value in changes.items()]
    return ", ".join(listed) or "none"


def steps(setup: Setup) -> Iterator[str]:
    """Yield a line for each page that a participant sees, with the time it can take."""
    yield from _before(setup)
    if setup.options.people_per_group > 1:
        people, promise = setup.options.people_per_group, f"at most {_promise(setup)}"
        yield f"lobby, until {people} people have arrived: {promise}"
    yield from _played(setup)
    yield from _after(setup)


def _before(setup: Setup, consent: bool = True) -> Iterator[str]:
    options = setup.options
    if options.consent and consent:
        yield "consent"
    yield f"instructions, in {options.language!r}"
    if options.quiz:
        tries = f"at most {options.quiz_tries} times" if options.quiz_tries else "until it is right"
        yield f"quiz, {tries}"
    if options.practice_periods:
        bots = bots_in_words(1, options.practice_bots, setup.game.seats)
        yield f"{practice(setup)}, alone with bots ({bots}), unpaid"
    yield from _asked_at(options, "before")


def _promise(setup: Setup) -> str:
    options = setup.options
    return f"{options.lobby_seconds:g} s, {_AFTER_PROMISE[options.lobby_outcome]}"


def _played(setup: Setup, repeat: int = 1) -> Iterator[str]:
    """Yield lines about the play, or a block's `repeat` plays, with the questions and votes just
    before and after it."""
    if setup.rules:
        yield _vote(setup.options)
    yield _play(setup, repeat)
    yield from _asked_at(setup.options, "after")


def _after(setup: Setup) -> Iterator[str]:
    options = setup.options
    if options.comments:
        yield "comments"
    yield from _asked_at(options, "end")
    yield "results, with the payment"


def _vote(options: Options) -> str:
    """Describe the vote on the play's rule."""
    names = ", ".join(options.rules)
    duration = (
        f"at most {options.rules_seconds:g} s" if options.rules_seconds else "without a limit"
    )
    tie = {"first": "the first of the tied rules", "drawn": "one of them is drawn"}
    bots = {"abstain": "bots abstain", "policy": "bots vote by their policy"}
    how = f"{bots[options.rules_bots]}; in a tie: {tie[options.rules_tie]}"
    return f"group vote on the rule for its play ({names}), by majority, {duration}; {how}"


def _asked_at(options: Options, when: str) -> Iterator[str]:
    names = [item.name for item in options.questions if item.when == when]
    if names:
        yield f"questions: {', '.join(names)}"


# -- blocks ---------------------------------------------------------------------------------------


def matched(plan: Plan) -> str:
    """Describe how people are grouped from block to block, and which blocks are paid."""
    how = plan.matching.replace("_", " ")
    if plan.matching != "partners":
        how += f" among {plan.matching_groups} groups"
    paid = "all are paid" if plan.pay_blocks == "all" else "one, drawn for each person, is paid"
    many = len(plan.plays)
    plays = f" with {many} plays" if many > len(plan.blocks) else ""
    return f"{counted(len(plan.blocks), 'block')}{plays}: {how}, seats {plan.roles}; {paid}."


def _in_blocks(
    plan: Plan, name: str, setups: Sequence[Setup], config: Mapping[str, Any]
) -> Iterator[str]:
    """Yield lines about the course of a treatment, block by block."""
    paid = paid_by_play(plan, name, setups, config)
    places = [play.number for play in plan.plays]
    for number, (block, setup) in enumerate(zip(plan.blocks, setups, strict=True), start=1):
        yield f"  Block {block.name}{_times(block)}: {block.meaning}"
        varied = plan.treatments[name].blocks.get(block.name)
        changes = {**block.changes, **({} if varied is None else varied.changes)}
        yield f"    changes: {_changed(changes)}"
        listed = block_steps(plan, name, setups, number)
        yield from (f"    {place}. {step}" for place, step in enumerate(listed, start=1))
        yield from (f"    {line}" for line in told(setups, number))
        shown = pay_shown(setup, paid[places.index(number)], config, number)
        yield from (f"    {line}" for line in shown)
    in_all = [lasting(plan.by_play(setups))]
    known_pay = [pay for pay in paid if pay is not None]
    if len(known_pay) == len(paid):
        in_all.append(sums_shown(plan, known_pay, float(config["participation_fee"])))
    yield f"  In all: {'; '.join(in_all)}"


def block_steps(plan: Plan, treatment: str, setups: Sequence[Setup], number: int) -> Iterator[str]:
    """Yield a line for each page of a treatment's block. `setups` has the setup of each of its
    blocks; `number` is the block's number, from 1."""
    block, setup = plan.blocks[number - 1], setups[number - 1]
    yield from (f"app {app}" for app in block.apps)
    again = last_of_game(setups, number) is not None
    if number > 1:
        instruction = plan.instruction_of(number, plan.treatments[treatment].blocks)
        yield f"instruction on changes: {_announced(instruction, again)}"
    if again:
        yield from _asked_at(setup.options, "before")
    else:
        yield from _before(setup, consent=number == 1)
    if setup.options.people_per_group > 1:
        others = "; again before each of its other plays" if block.repeat > 1 else ""
        yield f"{_lobby(setup, number)}{others}"
    yield from _played(setup, block.repeat)
    yield from _after(setup) if number == len(setups) else ["results of the block"]


def _announced(instruction: str, again: bool) -> str:
    """Describe the page before a later block. `again`: an earlier block has the same game."""
    quoted = f'"{" ".join(instruction.split())}"' if instruction else ""
    if not again:
        return quoted or "none"
    line = quoted or "whether the rules are the same as before"
    return f"{line}, and what is new in the instructions"


def _times(block: Block) -> str:
    return f", each of {block.repeat} plays" if block.repeat > 1 else ""


def lasting(setups: Sequence[Setup]) -> str:
    """Describe the maximum length of all plays combined, including votes, under any rule."""
    minutes = [longest_minutes(setup) for setup in setups]
    minutes += [_voting(setup.options) for setup in setups if setup.rules]
    if None in minutes:
        return "plays without a time limit"
    votes = ", votes included" if len(minutes) > len(setups) else ""
    return f"plays of {whole_minutes(sum(length or 0.0 for length in minutes))} at most{votes}"


def whole_minutes(minutes: float) -> str:
    """Return a maximum length in minutes, rounded up so that it never understates the time."""
    return counted(math.ceil(round(minutes, 6)), "minute")


def _voting(options: Options) -> float | None:
    """Return the maximum length of a vote and its result page, in minutes; None: no limit."""
    seconds = options.rules_seconds
    return (seconds + READ_MS / 1000) / 60 if seconds else None


def _lobby(setup: Setup, number: int) -> str:
    if number == 1:
        people = setup.options.people_per_group
        return f"lobby, until {people} people have arrived: at most {_promise(setup)}"
    seconds = f"{setup.options.lobby_seconds:g} s"
    return f"lobby, until the group is complete: at most {seconds}, then the block begins"


def _play(setup: Setup, repeat: int) -> str:
    game, options, minutes = setup.game, setup.options, longest_minutes(setup)
    periods = counted(game.horizon, "period")
    play = f"each of {repeat} plays: {periods}" if repeat > 1 else f"play of {periods}"
    people, others = options.people_per_group, game.seats - options.people_per_group
    talk = _talk(options)
    who = f"{'a person takes' if people == 1 else 'people take'} {people} of {game.seats} seats"
    bot = "a bot takes the other" if others == 1 else f"bots take the other {others}"
    who += f", {bot} ({bots_in_words(people, options.bots, game.seats)})" if others else ""
    within = [item.name for item in options.questions if item.in_play]
    who += f"; questions during the play: {', '.join(within)}" if within else ""
    if minutes is None:
        return f"{play} without a time limit{talk}; {who}"
    bound = "" if options.by_clock and not options.talk_apart else "at most "
    length = f"{bound}{whole_minutes(minutes)}"
    return f"{play}, {length}{talk}; {who}"


def longest_minutes(setup: Setup) -> float | None:
    """Return the maximum length of a play, including talk; None: no limit."""
    game, options = setup.game, setup.options
    if not options.decision_seconds:
        return None
    turns = game.seats if game.config.agents.timing == "sequential" else 1
    minutes = game.horizon * period_seconds(setup, turns) / 60
    if options.talk_apart:
        times = 1 if options.talk_when == "before" else game.horizon
        minutes += times * options.talk_seconds / 60
    return minutes


def period_seconds(setup: Setup, turns: int = 1) -> float:
    """Return the time for a period's decisions, in seconds, including all `turns` and, with peer
    points, the second stage.
    """
    options = setup.options
    later = options.peer_seconds or options.decision_seconds
    stages = len(setup.game.stages.names)
    return turns * options.decision_seconds + (stages - 1) * later


def practice(setup: Setup) -> str:
    """Describe the length of the practice, in periods and, if known, minutes."""
    periods, minutes = practice_periods(setup), practice_minutes(setup)
    lasts = f" (about {minutes:.1f} minutes)" if minutes else ""
    return f"practice of {counted(periods, 'period')} without a time limit{lasts}"


def practice_minutes(setup: Setup) -> float:
    """Return the length of the practice in minutes, if every decision takes the time allowed in the
    play; 0 if there is no practice or no time limit."""
    if not setup.options.decision_seconds:
        return 0.0
    return practice_periods(setup) * period_seconds(setup) / 60


def practice_periods(setup: Setup) -> int:
    """Return the number of practice periods, which is at most the length of the play."""
    return min(setup.options.practice_periods, setup.game.horizon)


def _talk(options: Options) -> str:
    """Describe when people talk, and for how long; empty if they do not."""
    seconds = f"{options.talk_seconds:g} s"
    when = {"before": f"before it, {seconds}", "periods": f"before each of them, {seconds}"}
    when["stages"] = f"between the two stages of each, {seconds}"
    always = f"in the first {seconds} of each" if options.talk_seconds else "all the time"
    how = "free" if options.talk == "free" else "by sentences from a list"
    return f", with talk {when.get(options.talk_when, always)}, {how}" if options.talks else ""


def _how(plan: Plan) -> str:
    if plan.assignment == "arrival":
        return "by arrival, one group after another."
    if plan.assignment == "by_group":
        return (
            "one group after another; each block has one group from every treatment, in an order "
            "drawn from the seed of each session."
        )
    return "balanced blocks, drawn from the seed of each session."
