"""Findings on one session config, from the point of view of the people in the session."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from mixed_company.engine.contract.errors import EngineError
from mixed_company.experiment.comparisons import abridged, counted
from mixed_company.experiment.plan import Plan
from mixed_company.experiment.showing import (
    lasting,
    lengths,
    longest_minutes,
    practice,
    whole_minutes,
)
from mixed_company.experiment.showing_pay import UNKNOWN, paid_by_play, terms_of
from mixed_company.experiment.simulated_people import SimulatedPeople, bots_in_words
from mixed_company.experiment.treatments import games_of, plan_of, shipped_series
from mixed_company.server.preflight import Finding, go, look, pay, stop
from mixed_company.server.preflight.words import of_words
from mixed_company.table.disclosing import bots_enter, disclosure
from mixed_company.table.options import STATUSES, Options
from mixed_company.table.setup import Setup

PAID = 16
"""Number of a space's treatments for which pay is simulated."""

CARRIED = 992
"""Number of people that one server has been tested with (docs/developers/figures.md, crowd)."""


def of_session(
    config: Mapping[str, Any], people: int, budget: float | None, simulated: str = ""
) -> Iterator[Finding]:
    """Yield findings on a session config that includes all defaults, for this number of people.

    `budget` is an amount in the session's currency. `simulated` names policies that play in place
    of people, separated by commas; by default, the policies in the plan, or the session's bots.
    """
    games = games_of(config)
    if not games:
        yield stop("No app in app_sequence is a game of this project.")
    for game_id in games:
        yield from _of_game(game_id, config, people, budget, simulated)


def _of_game(
    game_id: str, config: Mapping[str, Any], people: int, budget: float | None, simulated: str
) -> Iterator[Finding]:
    try:
        series = shipped_series(game_id, config)
    except EngineError as error:
        yield stop(f"The session cannot be created: {error}.")
        return
    sizes = {name: setup.options.people_per_group for name, setup in series[0].items()}
    plan = plan_of(config)
    plan = plan.simulated_by(simulated) if plan else None
    if plan is not None and plan.space is not None:
        yield from _of_space(plan, series, config, people, budget)
        return
    if len(sizes) > 1:
        yield _blocks(sizes, people)
    yield from _mixed(sum(sizes.values()), plan.matching_groups if plan else 1, people)
    parts: list[pay.Expected | None] = []
    for name in sizes:
        blocks = [setups[name] for setups in series]
        members = people * sizes[name] // sum(sizes.values())
        where = f"Treatment {name}: " if len(sizes) > 1 else ""
        parts.append(_expected(plan, name, blocks, simulated, config, members))
        for finding in _of_treatment(plan, blocks, parts[-1], members):
            yield replace(finding, sentence=f"{where}{finding.sentence}")
    if plan is not None:
        yield from (look(sentence) for sentence in plan.people_apart)
    estimated = [part for part in parts if part is not None]
    if len(estimated) == len(parts):
        amount = budget or series[0][name].options.budget or None
        yield pay.of_budget(estimated, people, amount)


def _blocks(sizes: Mapping[str, int], people: int) -> Finding:
    """Return a finding on whether all treatments will have the same number of groups."""
    block = sum(sizes.values())
    if people % block:
        return stop(
            f"{people} people cannot form the same number of groups in each of {len(sizes)} "
            f"treatments: one group per treatment requires {block} people."
        )
    return go(f"{len(sizes)} treatments with {people // block} groups each.")


def _mixed(block: int, matching: int, people: int) -> Iterator[Finding]:
    """Yield a finding if the people cannot form complete matching groups for later blocks."""
    if matching > 1 and people % (block * matching):
        yield look(
            f"{people} people cannot form complete matching groups (matching_groups = {matching}) "
            f"of "
            f"{block * matching}: in later blocks, bots fill the empty places."
        )


def _expected(
    plan: Plan | None,
    treatment: str,
    blocks: Sequence[Setup],
    named: str,
    config: Mapping[str, Any],
    people: int,
) -> pay.Expected | None:
    """Return people's expected pay, or None if the plan does not name simulated people.

    Without a plan, simulated people are the policies in `named`, or the session's bots. Raises
    UnknownName or ConfigError.
    """
    if plan is None:
        (setup,) = blocks
        seated = SimulatedPeople.seated(named or setup.options.bots, setup)
        paid = [seated.paid(setup, terms_of(setup, config)) if seated else None]
    else:
        paid = paid_by_play(plan, treatment, blocks, config)
        blocks = plan.by_play(blocks)
    estimated = [amounts for amounts in paid if amounts is not None]
    if len(estimated) < len(paid):
        return None
    return pay.expected(
        blocks, estimated, config, people, plan is not None and plan.pay_blocks == "one"
    )


def _of_treatment(
    plan: Plan | None,
    blocks: Sequence[Setup],
    expected: pay.Expected | None,
    people: int,
) -> Iterator[Finding]:
    """Yield findings on all people in a session or treatment, block by block."""
    yield _groups(blocks[0], people)
    yield from _of_course(plan, blocks)
    if expected is None:
        yield look(f"The pay is {UNKNOWN} (set some with --simulated).")
    else:
        yield from pay.of_pay(expected)


def _of_course(plan: Plan | None, blocks: Sequence[Setup], timed: bool = True) -> Iterator[Finding]:
    """Yield findings on a participant's path through the session, block by block; `timed` includes
    the length of the plays.
    """
    names = plan.block_names if plan else [""]
    findings: dict[Finding, list[str]] = {}
    for number, (name, setup) in enumerate(zip(names, blocks, strict=True)):
        minutes = _minutes(setup) if timed else ()
        for finding in (*minutes, *_of_setup(setup, later=number > 0)):
            findings.setdefault(finding, []).append(name)
    for finding, affected in findings.items():
        which = "All blocks" if affected == names else f"Block {', '.join(affected)}"
        where = f"{which}: " if len(names) > 1 else ""
        yield replace(finding, sentence=f"{where}{finding.sentence}")
    if timed and (len(blocks) > 1 or blocks[0].rules):
        yield go(f"In all: {lasting(plan.by_play(blocks) if plan else blocks)}.")
    yield from _practices(blocks)
    yield from _links([setup.options for setup in blocks])
    yield _return(blocks[0].options)


def _of_space(
    plan: Plan,
    series: Sequence[Mapping[str, Setup]],
    config: Mapping[str, Any],
    people: int,
    budget: float | None,
) -> Iterator[Finding]:
    """Yield findings on a plan with a space. A finding that several treatments share is yielded
    once, and pay is simulated for PAID of the treatments.
    """
    yield _filled(plan, series[0], people)
    blocks = {name: [setups[name] for setups in series] for name in series[0]}
    findings: dict[Finding, list[str]] = {}
    for name in blocks:
        for finding in _of_course(plan, blocks[name], timed=False):
            findings.setdefault(finding, []).append(name)
    yield go(f"{lengths(plan, series)}.")
    for finding, names in findings.items():
        where = "" if len(names) == len(blocks) else f"Treatments {abridged(names)}: "
        yield replace(finding, sentence=f"{where}{finding.sentence}")
    chosen = list(blocks)[:: math.ceil(len(blocks) / PAID)]
    share = max(people // len(chosen), 1)
    parts = [_expected(plan, name, blocks[name], "", config, share) for name in chosen]
    estimated = [part for part in parts if part is not None]
    if len(estimated) < len(parts):
        yield look(f"The pay is {UNKNOWN} (set some with --simulated).")
        return
    yield pay.over_treatments(estimated)
    amount = budget or series[0][chosen[0]].options.budget or None
    yield pay.of_budget(estimated, people, amount)


def _filled(plan: Plan, setups: Mapping[str, Setup], people: int) -> Finding:
    """Return a finding on how many of a space's treatments get a group in the session."""
    sizes = [setup.options.people_per_group for setup in setups.values()]
    block, count = sum(sizes), len(sizes)
    whole = f"one group in each of {count} treatments requires {block} people"
    if people < max(sizes):
        return stop(f"{people} people cannot form a group of {max(sizes)}.")
    if people > CARRIED * setups[next(iter(setups))].options.parts:
        return stop(f"{people} people: one server has been tested with {CARRIED} people.")
    if plan.assignment == "balanced" and people < block:
        return stop(
            f"{people} people: assignment = 'balanced' mixes the places of all groups, and "
            f"{whole}, so people would wait for others who never arrive. Use 'by_group'."
        )
    if people % block == 0:
        return go(f"{people} people: {whole}.")
    number = people * count // block
    form = (
        "1 group forms; its treatment is"
        if number == 1
        else f"{number} groups form; their treatments are"
    )
    return look(
        f"{people} people: {whole}. About {form} drawn from the session's seed, independently of "
        f"other sessions. Use one session for all people, or name the treatments of each session "
        f"in "
        "`treatment_order`."
    )


def _of_setup(setup: Setup, later: bool) -> Iterator[Finding]:
    """Yield findings on one play. `later` is true for any block but the first."""
    yield from _vote(setup)
    yield from _who_leaves(setup.options)
    yield from _about_bots(setup, later)
    yield from of_words(setup)


def _groups(setup: Setup, people: int) -> Finding:
    options, size, seats = setup.options, setup.options.people_per_group, setup.game.seats
    if people % size:
        return stop(f"{people} people cannot form complete groups: people_per_group is {size}.")
    if people < size * options.parts:
        return stop(
            f"{people} people cannot form a group in each part: people_per_group times parts is "
            f"{size * options.parts}."
        )
    beside = "one person per seat"
    if size < seats:
        beside = f"each group with {counted(seats - size, 'bot')} "
        beside += f"({bots_in_words(size, options.bots, seats)})"
    size_words = f"{people} people in groups of {size}, {beside}"
    if people > CARRIED * options.parts:
        return stop(f"{size_words}: one server has been tested with {CARRIED} people. Use `parts`.")
    return go(f"{size_words}.")


def _minutes(setup: Setup) -> Iterator[Finding]:
    minutes, options = longest_minutes(setup), setup.options
    seconds = options.decision_seconds
    if minutes is None:
        yield look("Decisions have no time limit: a group waits for its slowest person.")
        return
    how = "lasts" if options.by_clock and not options.talk_apart else "lasts at most"
    parts = f"{setup.game.horizon} periods, {seconds:g} s per decision"
    parts += f", {options.talk_seconds:g} s for each time to talk" if options.talk_apart else ""
    yield go(f"The play {how} {whole_minutes(minutes)}: {parts}.")
    if setup.options.dropout == "pause":
        longer = setup.options.pause_seconds + seconds
        yield look(
            f"It takes up to {longer:.0f} s more each time a person drops out (dropout pause)."
        )


def _practices(blocks: Sequence[Setup]) -> Iterator[Finding]:
    """Yield findings on the practice of each game, which precedes the game's first block."""
    firsts = {setup.game.id: setup for setup in reversed(blocks)}
    for setup in blocks:
        if setup.options.practice_periods and firsts[setup.game.id] is setup:
            which = f" of {setup.game.id}" if len(firsts) > 1 else ""
            yield go(f"Before the play{which}, there is a {practice(setup)}.")


def _vote(setup: Setup) -> Iterator[Finding]:
    if setup.rules and not setup.options.rules_seconds:
        yield look("The vote on the rule has no time limit: a group waits for its slowest person.")


def _who_leaves(options: Options) -> Iterator[Finding]:
    grace, limit = options.grace_seconds, options.decision_seconds
    follows = {
        "bot": "a bot takes the seat",
        "reduced": "the others continue without that person",
        "pause": f"the others wait {options.pause_seconds:g} s, then a bot takes the seat",
        "end": "the game ends for the whole group, with pay",
    }[options.dropout]
    yield go(f"A person who is silent for {grace:g} s counts as having left: {follows}.")
    if options.dropout == "end" and grace < 60:
        yield look(f"A connection lost for {grace:g} s ends the game for the whole group.")
    if not limit and grace > 600:
        yield look(
            f"Without a time limit, a group waits {grace / 60:.0f} minutes for a person who has "
            f"left."
        )


def _about_bots(setup: Setup, later: bool) -> Iterator[Finding]:
    """Yield findings on bots that take over people's seats, and on what people are told about
    bots.
    """
    options, entry = setup.options, bots_enter(setup.options, later)
    line = disclosure(options, setup.game.seats)
    is_alone = options.people_per_group == setup.game.seats
    if entry:
        yield look(entry)
    elif is_alone:
        yield go("No bots play, unless the manager hands a seat to one.")
    if line:
        yield go(f"People are told about bots: {line}")
    elif entry or not is_alone:
        yield look(
            "People are not told about bots (disclosure = none): has your ethics board agreed to "
            "that?"
        )


_GAP = re.compile(r"\{(\w+)\}")


def _ways_to_end(options: Options) -> list[str]:
    """Return the statuses that people can have at the end of a session with these options."""
    never = {
        "quiz_failed": not (options.quiz and options.quiz_tries and options.quiz_failed == "end"),
        "no_consent": not options.consent,
        "excluded": True,  # excluded people are not sent to a link
    }
    return [status for status in STATUSES if not never.get(status)]


def _return(options: Options) -> Finding:
    """Return a finding on how people can come back to their seats."""
    allowed = options.return_by_label
    if allowed == "always":
        return look(
            "Anybody who knows a person's label or panel ID can take that person's seat "
            "(return_by_label = always)."
        )
    where = " or, in a room with a label file, with the label" if allowed == "room" else ""
    return go(
        f"People can come back in the browser where they started, with a personal link{where} "
        f"(return_by_label = {allowed})."
    )


def _links(blocks: Sequence[Options]) -> Iterator[Finding]:
    """Yield findings on whether the session has a link for every way that a person's participation
    can end."""
    options = blocks[-1]
    links = options.completion_links
    ends = {way for options in blocks for way in _ways_to_end(options)}
    without = [status for status in STATUSES if status in ends and status not in links]
    if not links:
        yield look(
            "People are not sent to a link at the end (completion_links): fine in a laboratory."
        )
    elif without:
        yield look(
            f"There is no link for people whose part ends as {', '.join(without)} "
            f"(completion_links)."
        )
    else:
        yield go("There is a link for every way in which a person's part can end.")
    unknown = [name for link in links.values() for name in _GAP.findall(link)]
    unknown = [name for name in unknown if name not in (*options.panel, "label", "code")]
    if unknown:
        yield stop(f"completion_links: {{{unknown[0]}}} is not a known placeholder.")
    insecure = [status for status, link in links.items() if link.startswith("http://")]
    if insecure:
        yield look(f"The link for {', '.join(insecure)} does not use https.")
