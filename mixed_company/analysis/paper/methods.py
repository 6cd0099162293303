"""The Methods of a paper, from the content of a plan and its seal, as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mixed_company.analysis.paper.notation import listed
from mixed_company.analysis.report.parts import worded
from mixed_company.analysis.statistics.result import counted
from mixed_company.experiment.plan import Hypothesis, Plan
from mixed_company.experiment.sealing import Seal, different
from mixed_company.experiment.showing import steps
from mixed_company.table.options import Options
from mixed_company.table.setup import Setup

__all__ = ["paragraphs"]

Content = Mapping[str, Any]


def paragraphs(
    content: Content, seal: Seal | None, confirmatory: bool, manifest: Mapping[str, Any]
) -> Iterator[str]:
    """Yield the paragraphs.

    content       of the plan that was sealed or, without a seal, of the plan in its file
    confirmatory  whether it was sealed before the first participant arrived
    manifest      of the export, for the software
    """
    plan = Plan.model_validate(content["plan"])
    yield "# Methods"
    yield f"## Design\n\n{_design(plan, content)}"
    yield "\n".join(f"- {name}: {part.meaning}" for name, part in plan.treatments.items())
    yield from _differences(plan, content)
    yield f"## Procedure\n\n{_assigned(plan)} {_paid(content['money'])}"
    yield from _procedures(plan, content)
    yield f"## Hypotheses and tests\n\n{_tests(plan)}"
    yield "\n".join(_hypothesis(name, planned, plan) for name, planned in plan.hypotheses.items())
    yield f"## Sample size, stopping and exclusions\n\n{_sample(plan)}"
    yield f"## Registration\n\n{_sealed(seal, confirmatory)}"
    yield f"## Software\n\n{_software(manifest)}"
    if plan.sources:
        yield "## Sources of the design\n\n" + "\n".join(f"- {source}" for source in plan.sources)


def _rules(plan: Plan, content: Content) -> dict[str, Mapping[str, Mapping[str, Any]]]:
    """Return the rules of every treatment, by block; the name of a single block is empty."""
    return dict(content["blocks"]) if plan.blocks else {"": content["treatments"]}


def _design(plan: Plan, content: Content) -> str:
    """Return the number and size of groups, for each block if there are several."""
    title, treatments = plan.title.rstrip("."), counted(len(plan.treatments), "treatment")
    sentences = [
        f"{title}. The experiment had {treatments}, with {plan.groups} groups planned of each."
    ]
    for block, rules in _rules(plan, content).items():
        by_size: dict[str, list[str]] = {}
        for name, rule in rules.items():
            by_size.setdefault(_size(rule), []).append(name)
        where = f"In block {block}, " if block else ""
        for size, names in by_size.items():
            of = "" if len(by_size) == 1 else f" of {listed(names)}"
            text = f"each group{of} {size}"
            sentences.append(f"{where}{text}." if where else f"{text[0].upper()}{text[1:]}.")
    return " ".join(sentences)


def _size(rule: Mapping[str, Any]) -> str:
    """Describe the game and the seats of a treatment."""
    core, options = rule["core"], rule["options"]
    periods, unit = (core["turns"], "turn") if "turns" in core else (core["periods"], "period")
    people, seats = options["people_per_group"], core["seats"]
    bots = f", and bots ({options['bots']}) in the others" if people < seats else ""
    disclosed = f"; disclosure of bots: {options['disclosure']}"
    return (
        f"played {counted(periods, unit)} of `{rule['game']}` (rules version {rule['version']}), "
        f"with people in {people} of {counted(seats, 'seat')}{bots}{disclosed}"
    )


def _differences(plan: Plan, content: Content) -> Iterator[str]:
    """Yield the keys in which each treatment differs from the first, with their values."""
    for block, rules in _rules(plan, content).items():
        first, *others = rules
        where = f" in block {block}" if block else ""
        for other in others:
            lines = list(different(rules[first], rules[other], (first, other)))
            if lines:
                heading = f"Differences in the configuration of {first} and {other}{where}:"
                yield "\n".join([f"{heading}\n", *(f"- {line}" for line in lines)])


def _assigned(plan: Plan) -> str:
    if plan.assignment == "arrival":
        return "Groups were assigned to treatments in the order of arrival, without randomisation."
    return (
        "Groups were randomised to treatments in balanced blocks: each block had one group of "
        "every treatment, in an order drawn from the session's seed."
    )


def _paid(money: Mapping[str, float]) -> str:
    fee, rate = money["participation_fee"], money["real_world_currency_per_point"]
    return f"Participants received {fee:.2f} for taking part, and {rate:g} for each point."


def _procedures(plan: Plan, content: Content) -> Iterator[str]:
    """Yield the pages of a participant in order, once for treatments that have the same."""
    for block, rules in _rules(plan, content).items():
        same: dict[tuple[str, ...], list[str]] = {}
        for name, rule in rules.items():
            same.setdefault(tuple(steps(_setup(rule))), []).append(name)
        for pages, names in same.items():
            where = f" in block {block}" if block else ""
            of = "" if len(same) == 1 else f" of {listed(names)}"
            heading = f"Pages of a participant{of}{where}, in order:"
            yield "\n".join([f"{heading}\n", *(f"{n}. {page}" for n, page in enumerate(pages, 1))])


def _setup(rule: Mapping[str, Any]) -> Setup:
    """Return the setup that a seal describes (`experiment.treatments.rules_of`)."""
    config = {key: value for key, value in rule.items() if key not in _BESIDE}
    identity = {key: rule[key] for key in ("game", "version")}
    votes = rule.get("rules", {}).items()
    rules = {name: {"identity": identity, **chosen} for name, chosen in votes}
    options = Options.model_validate(rule["options"])
    return Setup(config={"identity": identity, **config}, options=options, rules=rules)


_BESIDE = ("game", "version", "options", "rules")


def _tests(plan: Plan) -> str:
    if not plan.hypotheses:
        return "The plan has no hypotheses."
    return (
        f"Each hypothesis has one two-sided test, at the level {plan.alpha:g}. P values are "
        "corrected within a family of hypotheses (Holm). Everything else is exploratory."
    )


def _hypothesis(name: str, hypothesis: Hypothesis, plan: Plan) -> str:
    people = ", averaged over the people of a group" if hypothesis.of == "people" else ""
    where = f", in block {hypothesis.block}" if hypothesis.block else ""
    compared: Sequence[str] = hypothesis.blocks or plan.compared(hypothesis)
    return (
        f"- {name}: {hypothesis.meaning.rstrip('.')}. Measure: {worded(hypothesis.measure)}{people}"
        f". Test: `{hypothesis.test}`, between {listed(list(compared))}{where}. Independent "
        f"unit: {hypothesis.unit}. Family: {hypothesis.family}."
    )


def _sample(plan: Plan) -> str:
    sentences = [f"The plan has {plan.groups} groups of each treatment."]
    if plan.looks:
        looks = ", ".join(map(str, plan.looks))
        sentences.append(f"Interim tests: after {looks} groups of each ({worded(plan.spending)}).")
    sentences.append(f"Stopping: {plan.stopping or 'no rule.'}")
    rules = [f"Exclusion: {rule}" for rule in plan.exclusions]
    return " ".join([*sentences, *(rules or ["The plan has no rule for excluding data."])])


def _sealed(seal: Seal | None, confirmatory: bool) -> str:
    if seal is None:
        return "The plan was not sealed, so no result is confirmatory."
    when = "before" if confirmatory else "after"
    return (
        f"The plan was sealed {seal.sealed}, {when} the first participant arrived. The sha256 of "
        f"its content is {seal.digest}; `seal.json` has both."
    )


def _software(manifest: Mapping[str, Any]) -> str:
    versions = manifest.get("software", {})
    listing = ", ".join(f"{name} {version}" for name, version in versions.items())
    code = manifest["code"]
    return f"Sessions ran with {listing}. The sha256 of their rules and policies is {code}."
