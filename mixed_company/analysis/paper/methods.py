"""Write the Methods of a paper from a plan's content and its seal, as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

from mixed_company.analysis.paper import over_space
from mixed_company.analysis.paper.notation import plain
from mixed_company.analysis.paper.rules import played, setup_of, with_choices
from mixed_company.analysis.planned.looks import levels_in_words
from mixed_company.analysis.report.parts import worded
from mixed_company.experiment.comparisons import counted, groups_of, listed, quantity
from mixed_company.experiment.hypothesis import Hypothesis
from mixed_company.experiment.plan import Plan
from mixed_company.experiment.sealing import Seal, different
from mixed_company.experiment.showing import block_steps, matched, steps
from mixed_company.experiment.showing_told import told
from mixed_company.experiment.simulated_people import bots_in_words, prize_points
from mixed_company.experiment.space import Space
from mixed_company.table.options import Options
from mixed_company.table.setup import Setup

Content = Mapping[str, Any]


def paragraphs(
    content: Content, seal: Seal | None, when: str, why_not: str, manifest: Mapping[str, Any]
) -> Iterator[str]:
    """Yield the paragraphs of the Methods.

    content   content of the sealed plan or, without a seal, of the plan's file
    when      when it was sealed, relative to the data (`planned.status.arrival`)
    why_not   why no result is confirmatory (`planned.status.reason`)
    manifest  the export's manifest, which names the software and the treatments that were assigned
              by hand
    """
    plan = Plan.model_validate(content["plan"])
    yield "# Methods"
    yield f"## Design\n\n{_design(plan, content)}"
    if plan.space is None:
        yield "\n".join(
            f"- {name}: {plain(part.meaning)}" for name, part in plan.treatments.items()
        )
        yield from _differences(plan, content)
    else:
        yield over_space.variables(plan.space)
    yield "## Rules"
    yield from played(_rules(plan, content), plan.space)
    yield f"## Procedure\n\n{_assigned(plan, manifest)} {_paid(plan, content['money'])}"
    yield from _by_treatment(plan, content, "Time and pay", partial(_timed, plan))
    yield from _by_treatment(
        plan, content, "Pages that a participant sees, in order", partial(_pages, plan)
    )
    yield from _by_treatment(plan, content, _WORDS, _told)
    yield from _simulated(manifest)
    yield f"## Hypotheses and tests\n\n{_tests(plan)}"
    yield "\n".join(_hypothesis(name, planned, plan) for name, planned in plan.hypotheses.items())
    yield f"## Sample size, stopping and exclusions\n\n{_sample(plan)}"
    yield f"## Registration\n\n{_sealed(seal, '' if manifest.get('rehearsed') else when, why_not)}"
    yield f"## Software\n\n{_software(manifest)}"
    if plan.sources:
        yield "## Sources of the design\n\n" + "\n".join(
            f"- {plain(source)}" for source in plan.sources
        )


def _rules(plan: Plan, content: Content) -> dict[str, Mapping[str, Mapping[str, Any]]]:
    """Return every treatment's rules, by block. If there is only one block, its name is empty."""
    return dict(content["blocks"]) if plan.blocks else {"": content["treatments"]}


def _design(plan: Plan, content: Content) -> str:
    """Describe how many groups there are and how large they are, block by block if there are
    several."""
    title, treatments = plain(plan.title).rstrip("."), counted(len(plan.treatments), "treatment")
    sample = f"The experiment had {treatments}, with {plan.groups} groups planned for each."
    if plan.space is not None:
        sample = over_space.drawn(plan.space, plan.groups)
    sentences = [f"{title}. {sample}"]
    for block, rules in _rules(plan, content).items():
        sizes = {name: (_size(rule),) for name, rule in rules.items()}
        where = _where(plan, block)
        for (size,), names in _together(sizes, plan.space):
            of = "" if not names else f" of {names}" if plan.space is None else f" at {names}"
            text = f"each group{of} {size}"
            sentences.append(f"{where}{text}." if where else f"{text[0].upper()}{text[1:]}.")
    return " ".join(sentences)


def _where(plan: Plan, block: str) -> str:
    """Return the beginning of a sentence about every play of a block; empty if there are none."""
    repeats = {planned.name: planned.repeat for planned in plan.blocks}
    if repeats.get(block, 1) > 1:
        return f"In each of the {repeats[block]} plays of block {block}, "
    return f"In block {block}, " if block else ""


def _together(
    by_treatment: Mapping[str, Sequence[str]], space: Space | None
) -> Iterator[tuple[Sequence[str], str]]:
    """Yield each line with the names of the treatments that share it; no names: all treatments.

    Points of a space share lines that differ only in numbers, which become ranges.
    """
    same: dict[tuple[str, ...], list[str]] = {}
    for name, lines in by_treatment.items():
        key = tuple(lines if space is None else map(over_space.pattern, lines))
        same.setdefault(key, []).append(name)
    for names in same.values():
        shared = by_treatment[names[0]]
        if space is not None:
            columns = zip(*(by_treatment[name] for name in names), strict=True)
            shared = [over_space.combined(column) for column in columns]
        called = listed(names) if space is None else over_space.points_of(space, names)
        yield shared, "" if len(same) == 1 else called


def _size(rule: Mapping[str, Any]) -> str:
    """Describe a treatment's game and seats."""
    core, options = rule["core"], rule["options"]
    periods, unit = (core["turns"], "turn") if "turns" in core else (core["periods"], "period")
    people, seats = options["people_per_group"], core["seats"]
    bots = ""
    if people < seats:
        bots = f", and bots ({bots_in_words(people, options['bots'], seats)}) in the others"
    disclosed = f"; disclosure of bots: {options['disclosure']}"
    return (
        f"can play up to {counted(periods, unit)} of `{rule['game']}` (rules version "
        f"{rule['version']}), with people in {people} of {counted(seats, 'seat')}{bots}{disclosed}"
    )


def _differences(plan: Plan, content: Content) -> Iterator[str]:
    """Yield lists of the keys that differ between treatments, with their values. They compare each
    treatment with the first, and the pairs that hypotheses compare."""
    for block, rules in _rules(plan, content).items():
        first, *others = rules
        where = f" in block {block}" if block else ""
        pairs = [(first, other) for other in others]
        for hypothesis in plan.hypotheses.values():
            if not hypothesis.blocks and hypothesis.block == block:
                pairs += pairwise(plan.compared(hypothesis))
        unique: dict[frozenset[str], tuple[str, str]] = {}
        for pair in pairs:
            unique.setdefault(frozenset(pair), pair)
        for before, other in unique.values():
            both = with_choices(rules[before]), with_choices(rules[other])
            lines = list(different(*both, (before, other)))
            if lines:
                heading = f"Differences in the configuration of {before} and {other}{where}:"
                yield "\n".join([f"{heading}\n", *(f"- {plain(line)}" for line in lines)])


def _assigned(plan: Plan, manifest: Mapping[str, Any]) -> str:
    """Describe how people are assigned to treatments, as planned and by hand
    (`treatment_order`)."""
    if len(plan.treatments) == 1:
        return "All groups have the same treatment, so there is no assignment to treatments."
    how = _ASSIGNED[plan.assignment]
    sessions = manifest.get("sessions", {}).items()
    plans = {code: about.get("plan", {}) for code, about in sessions}
    by_hand = {code: plan["by_hand"] for code, plan in plans.items() if plan.get("by_hand")}
    if not by_hand:
        return how
    fixed = "; ".join(
        plain(f"session {code}: {', '.join(order)}") for code, order in by_hand.items()
    )
    text = f"the treatments of successive groups were set by hand, without randomisation: {fixed}."
    if len(by_hand) == len(sessions):
        return f"{text[0].upper()}{text[1:]}"
    return f"{how} In {counted(len(by_hand), 'session')}, however, {text}"


_ASSIGNED = {
    "balanced": (
        "Participants were randomised to treatments within sessions, in balanced blocks: a block "
        "has the places for one group from every treatment, in an order drawn from the session's "
        "seed, and a participant takes the next free place when the instructions are first shown. "
        "Groups form among participants with the same treatment."
    ),
    "by_group": (
        "Groups were randomised to treatments within sessions, in balanced blocks: a block has one "
        "group from every treatment, in an order drawn from the session's seed. Participants fill "
        "one group after another, in the order in which they first see the instructions."
    ),
    "arrival": (
        "Participants were assigned to treatments in the order of arrival, one group after "
        "another, without randomisation."
    ),
}


def _paid(plan: Plan, money: Mapping[str, float]) -> str:
    fee, rate = money["participation_fee"], money["real_world_currency_per_point"]
    points = f"{rate:g} for each point, including points won as prizes"
    blocks = f" {matched(plan)}" if plan.blocks else ""
    return f"The pay is {fee:.2f} for taking part, and {points}.{blocks}"


_WORDS = "Texts that people read, and bots that take people's seats"


def _by_treatment(
    plan: Plan,
    content: Content,
    title: str,
    lines: Callable[[str, Sequence[Setup], int], Iterator[str]],
) -> Iterator[str]:
    """Yield a list for each treatment in each block. Treatments that have the same lines share a
    list.

    `lines` takes a treatment, its setups in all blocks, and the number of the block, counted from
    1.
    """
    blocks = _rules(plan, content)
    for number, (block, rules) in enumerate(blocks.items(), 1):
        of_treatments = {
            name: tuple(lines(name, [setup_of(other[name]) for other in blocks.values()], number))
            for name in rules
        }
        for shared, names in _together(of_treatments, plan.space):
            where = f" in block {block}" if block else ""
            of = f" ({names})" if names else ""
            numbered = (f"{place}. {plain(line)}" for place, line in enumerate(shared, 1))
            yield "\n".join([f"{title}{of}{where}:\n", *numbered])


def _pages(plan: Plan, treatment: str, setups: Sequence[Setup], number: int) -> Iterator[str]:
    return block_steps(plan, treatment, setups, number) if plan.blocks else steps(setups[0])


def _told(_treatment: str, setups: Sequence[Setup], number: int) -> Iterator[str]:
    return told(setups, number, advice=False)


def _timed(plan: Plan, _treatment: str, setups: Sequence[Setup], number: int) -> Iterator[str]:
    """Yield lines about the time for a decision, prizes for answers, and terms of payment."""
    setup = setups[number - 1]
    seconds = setup.options.decision_seconds
    yield f"a decision takes at most {seconds:g} s" if seconds else "decisions have no time limit"
    if prizes := prize_points(setup):
        block = plan.block(number)
        plays = 1 if block is None else block.repeat
        in_all = f", {plays * prizes:g} in the {plays} plays of the block" if plays > 1 else ""
        yield f"answers to questions can win up to {prizes:g} additional points per play{in_all}"
    yield from _terms(setup.options)


def _terms(options: Options) -> Iterator[str]:
    """Yield a line for each term of payment that is in force, besides the fee and the rate."""
    if options.pay_floor:
        yield f"at least {options.pay_floor:g} points are paid"
    if options.pay_cap:
        yield f"at most {options.pay_cap:g} points are paid"
    if options.pay_waiting:
        yield f"each minute in the lobby is paid {options.pay_waiting:g}"
    if options.fee_pro_rata:
        yield "a person who left is paid only the fee's share for the periods they played"
    for status, share in options.fee_shares.items():
        yield f"with the status {status}, the share of the fee that is paid is {share:g}"
    if options.pay_rounding > _CENT:
        yield f"the total payment is rounded up to a multiple of {options.pay_rounding:g}"


_CENT = 0.01
"""The usual step that payments are rounded to."""


def _simulated(manifest: Mapping[str, Any]) -> Iterator[str]:
    """Yield a list of the policies that a rehearsal put in place of people."""
    if described := manifest.get("rehearsed", {}).get("described", ()):
        yield "\n".join(
            ["Policies in place of people:\n", *(f"- {plain(line)}" for line in described)]
        )


def _tests(plan: Plan) -> str:
    if not plan.hypotheses:
        return "The plan has no hypotheses."
    if plan.looks:
        return (
            f"Each hypothesis has one two-sided test at every look. The alpha of a "
            f"family of hypotheses, {plan.alpha:g}, is divided equally among them, and each "
            f"hypothesis spends its share over the looks. A hypothesis is decided if its "
            f"uncorrected p is at most the level of the look ({levels_in_words(plan)}). "
            "Everything else is exploratory."
        )
    regression = "" if plan.space is None else f" {over_space.REGRESSION}"
    return (
        f"Each hypothesis has one two-sided test, at the {plan.alpha:g} level.{regression} P "
        f"values are corrected within a family of hypotheses (Holm); intervals are not corrected. "
        "Everything else is exploratory."
    )


def _hypothesis(name: str, hypothesis: Hypothesis, plan: Plan) -> str:
    unit = plan.unit_of(hypothesis)
    group = unit if unit == "matching group" else "group"
    people = f", averaged by {group}" if hypothesis.of == "people" else ""
    measure = f"{worded(quantity(hypothesis.measure, hypothesis.of))}{people}"
    where = f", in block {hypothesis.block}" if hypothesis.block else ""
    compared = list(hypothesis.blocks or plan.compared(hypothesis))
    between = f"between {listed(compared)}"
    if hypothesis.test == "jonckheere":
        between = f"for a trend in the order {', '.join(compared)}"
    if hypothesis.blocks and len(plan.treatments) > 1:
        between += f", within {groups_of(plan, hypothesis)}"
    if hypothesis.variable:
        between = f"variable {hypothesis.variable}"
    expected = plan.expectation(hypothesis) or "no direction"
    return (
        f"- {name}: {plain(hypothesis.meaning).rstrip('.')}. Measure: {measure}. "
        f"Test: `{hypothesis.test}`, {between}{where}. Expected: {expected}. Independent unit: "
        f"{unit}. Family: {hypothesis.family}."
    )


def _sample(plan: Plan) -> str:
    where = "of each treatment" if plan.space is None else "at each point of the space"
    sentences = [f"The plan has {counted(plan.groups, 'group')} {where}."]
    if plan.matching != "partners":
        sentences.append(
            f"Every {plan.matching_groups} of them exchange people and form one matching group."
        )
    if plan.looks:
        looks = ", ".join(map(str, plan.looks))
        sentences.append(
            f"Interim tests: after {looks} groups per treatment ({worded(plan.spending)})."
        )
    sentences.append(f"Stopping: {plain(plan.stopping or 'no rule').rstrip('.')}.")
    rules = [f"Exclusion: {plain(rule).rstrip('.')}." for rule in plan.exclusions]
    return " ".join([*sentences, *(rules or ["The plan has no exclusion rule."])])


def _sealed(seal: Seal | None, when: str, why_not: str) -> str:
    reason = f"{why_not[0].upper()}{why_not[1:]}, so no result is confirmatory." if why_not else ""
    if seal is None:
        return reason
    sentence = (
        f"The plan was sealed {', '.join(filter(None, (seal.sealed, when)))}. Its digest (sha256) "
        f"is {seal.digest}; `seal.json` contains both, and the content from which the digest is "
        f"computed."
    )
    return f"{sentence} {reason}".rstrip()


def _software(manifest: Mapping[str, Any]) -> str:
    versions = manifest.get("software", {})
    listing = ", ".join(f"{name} {version}" for name, version in versions.items())
    code, listing = plain(manifest["code"]), plain(listing)
    return (
        f"The export was made with {listing}. The sha256 of the code for its rules and policies is "
        f"{code}."
    )
