"""Sentences on how the treatments that a plan compares differ, what this means for its tests, and
which seats a measure covers: people, or all seats, bots included.

A test compares entire treatments: their bots, what people are told about bots, and their rules.
Simulated people do not react to anything that people are told.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from typing import Any

from mixed_company.experiment.hypothesis import Hypothesis
from mixed_company.experiment.plan import Plan
from mixed_company.experiment.sealing import different
from mixed_company.experiment.space import Space
from mixed_company.experiment.treatments import rules_of
from mixed_company.table.setup import Setup

BOTS_INCLUDED = (
    "treatments differ in their bots, and this group measure includes bots, so a difference can "
    "be due to the bots"
)
POINTS_FOLLOW = (
    "treatments differ in their bots, and people's points also depend directly on what bots do, "
    "so a difference can be due to the bots"
)
HARVEST_FOLLOWS = (
    "treatments differ in their bots, and the harvest also depends directly on what bots leave, so "
    "a difference can be due to the bots"
)
ALL_SEATS = "all seats"


def quantity(measure: str, of: str) -> str:
    """Return the name of a measure with the seats that it covers; `of` is its level, `group` or
    `people`.

    >>> quantity("harvest", "people"), quantity("harvest", "group"), quantity("bot_share", "group")
    ('harvest of people', 'harvest of all seats', 'bot_share of the group')
    """
    return f"{measure} of {seats_of(measure, of)}"


def seats_of(measure: str, of: str) -> str:
    """Return the seats that a measure covers.

    Some group measures say in their names that they are about people, bots, or the difference
    between the two. Other group measures have one value for the group, such as its stock, and not
    one for each seat.

    >>> seats_of("stock_share", "group"), seats_of("collapsed", "group")
    ('the group', 'the group')
    """
    if of != "group":
        return "people"
    named = not _includes_bots(measure, of) or any(part in measure for part in _OF_GROUP)
    return "the group" if named else ALL_SEATS


_OF_GROUP = ("stock", "collapsed", "survived", "efficiency", "gini")
"""Parts of the names of measures that have no value for an individual seat."""


def _includes_bots(measure: str, of: str) -> bool:
    """Return whether a measure covers the decisions of bots as well as of people."""
    named = measure.startswith(("people_", "bot_")) or measure.endswith("_gap")
    return of == "group" and not named


def follows(measure: str) -> bool:
    """Return whether a measure of people depends directly on what others in the group do, as points
    do, and not only on the people's own decisions.

    >>> [follows(name) for name in ("points_per_period", "harm_suffered", "punishment_assigned")]
    [True, True, False]
    """
    earned = "points" in measure and not measure.endswith(("_assigned", "_per_point"))
    return earned or measure.endswith(("_received", "_suffered"))


def from_bots(plan: Plan, hypothesis: Hypothesis) -> str:
    """Return a sentence about differences that bots cause directly: BOTS_INCLUDED for a measure of
    all seats, POINTS_FOLLOW for people's points, HARVEST_FOLLOWS for their harvest (but not for
    what they request); empty if treatments do not differ in bots."""
    names = plan.compared(hypothesis)
    bots = [_bots_of({**plan.changes, **plan.treatments[name].changes}) for name in names]
    if all(others == bots[0] for others in bots):
        return ""
    if _includes_bots(hypothesis.measure, hypothesis.of):
        return BOTS_INCLUDED
    if "harvest" in hypothesis.measure and not hypothesis.measure.endswith("harvest_share"):
        return HARVEST_FOLLOWS
    return POINTS_FOLLOW if follows(hypothesis.measure) else ""


def _bots_of(changes: Mapping[str, Any]) -> tuple[Any, Any] | None:
    """Return the keys that determine a treatment's bots; None if people take all seats."""
    people = changes.get("people_per_group")
    if people is not None and people == changes.get("seats"):
        return None
    return changes.get("bots"), people


Rules = Mapping[str, Mapping[str, Any]]
"""Rules of the treatments in a block, by name (`experiment.treatments.rules_of`)."""

MOST_LISTED = 12
"""Maximum number of treatments that a sentence lists in full."""

_COMPANY = ("people_per_group", "bots")
_TOLD = ("disclosure", "disclosure_text")


def of_series(series: Sequence[Mapping[str, Setup]]) -> list[Rules]:
    """Return the rules of all treatments, block by block."""
    return [{name: rules_of(setup) for name, setup in setups.items()} for setups in series]


def of_content(content: Mapping[str, Any]) -> list[Rules]:
    """Return the rules of all treatments in a sealed plan, block by block."""
    return list(content.get("blocks", {"": content["treatments"]}).values())


def unread(plan: Plan, blocks: Sequence[Rules], with_power: bool = False) -> dict[str, str]:
    """Return sentences, by hypothesis, about treatments between which simulated people differ by
    chance, or which differ in what people are told about bots; policies cannot read this.
    `with_power` adds what simulated power means in that case.
    """
    if plan.space is not None:
        return _unread_in_space(plan, plan.space)
    sentences = {}
    for name, hypothesis, rules in _compared(plan, blocks):
        alike = _alike(plan, hypothesis, rules)
        if sentence := alike or unread_in(rules):
            explained = with_power and (alike or _is_told_only(rules))
            power = MEANING_OF_POWER[bool(plan.expectation(hypothesis))] if explained else ""
            sentences[name] = f"{sentence}{power}"
    return sentences


def _alike(plan: Plan, hypothesis: Hypothesis, rules: Rules) -> str:
    """Return a sentence about treatments that are the same in a hypothesis's block, also in the
    policies in place of people; empty if they are not."""
    number = plan.block_names.index(hypothesis.block) + 1
    people = {plan.people_of(name, number) for name in rules}
    if not hypothesis.block or differing_keys(rules) or len(people) > 1:
        return ""
    return (
        f"Treatments {listed(rules)} have the same rules in block {hypothesis.block}, and policies "
        "remember nothing from earlier blocks, so differences between simulated people are due to "
        "chance"
    )


def _unread_in_space(plan: Plan, space: Space) -> dict[str, str]:
    """Return sentences, by hypothesis, about variables that change what people are told about
    bots."""
    return {
        name: (
            f"Variable {hypothesis.variable} changes what people are told about bots, but "
            f"policies cannot read this, so simulated people do not react to it"
        )
        for name, hypothesis in plan.hypotheses.items()
        if {*space.variables[hypothesis.variable].keys_of(hypothesis.variable)} & set(_TOLD)
    }


MEANING_OF_POWER = {
    False: "; power is then the false-positive rate",
    True: (
        "; power is then the false-positive rate in the expected direction, which is half the "
        "rate in "
        "both"
    ),
}
"""Expected direction -> what power means if simulated people cannot differ."""


def unread_in(rules: Rules) -> str:
    """Return a sentence about treatments that differ in what people are told about bots; empty if
    they do not."""
    keys = set(differing_keys(rules))
    if not keys & set(_TOLD):
        return ""
    if _is_told_only(rules):
        return (
            f"Treatments {listed(rules)} differ only in what people are told about bots, but "
            f"policies cannot read this, so differences between simulated people are due to chance"
        )
    return (
        f"Treatments {listed(rules)} also differ in what people are told about bots, but policies "
        f"cannot read this, so simulated people do not react to it"
    )


def _is_told_only(rules: Rules) -> bool:
    """Return whether treatments differ in what people are told about bots, and in nothing else."""
    keys = set(differing_keys(rules))
    return bool(keys) and keys <= set(_TOLD)


def cautions(plan: Plan, blocks: Sequence[Rules]) -> dict[str, list[str]]:
    """Return sentences on how to interpret each hypothesis, given its treatments and its measure:
    about results that bots cause directly, about the treatments in a comparison of blocks, and the
    sentences from `differing`.
    """
    sentences = {
        name: [f"{caution[0].upper()}{caution[1:]}"] if caution else []
        for name, hypothesis in plan.hypotheses.items()
        for caution in [from_bots(plan, hypothesis)]
    }
    for name, hypothesis in plan.hypotheses.items():
        if hypothesis.blocks and len(plan.treatments) > 1:
            sentences[name].append(f"Blocks are compared within {groups_of(plan, hypothesis)}")
    for name, hypothesis, rules in _compared(plan, blocks):
        sentences[name] += _of_design(hypothesis, rules)
    return sentences


def groups_of(plan: Plan, hypothesis: Hypothesis) -> str:
    """Name the treatments that are covered by a comparison of two blocks."""
    names = list(plan.compared(hypothesis))
    return f"groups of {listed(names)}{' together' if len(names) > 1 else ' only'}"


def differing(plan: Plan, blocks: Sequence[Rules]) -> Iterator[str]:
    """Yield sentences about hypotheses with treatments that differ in several respects at once, in
    anything that simulated people cannot read, or in the number of people that a measure is
    averaged over.
    """
    of_simulated = unread(plan, blocks)
    for name, hypothesis, rules in _compared(plan, blocks):
        if name in of_simulated:
            yield f"hypotheses.{name}: {of_simulated[name]}"
        yield from (f"hypotheses.{name}: {line}" for line in _of_design(hypothesis, rules))


def _of_design(hypothesis: Hypothesis, rules: Rules) -> Iterator[str]:
    """Yield sentences about treatments that differ in several respects, or in the number of people
    that the measure is averaged over.
    """
    pairs = pairwise(rules) if hypothesis.test == "jonckheere" else combinations(rules, 2)
    confounded = [pair for pair in pairs if _respects(rules, pair) > 1]
    if confounded:
        others = len(confounded) - 1
        pair = "1 other pair" if others == 1 else f"{others} other pairs"
        keys = differing_keys({treatment: rules[treatment] for treatment in confounded[0]})
        yield (
            f"Treatments {listed(confounded[0])} differ in {listed(keys)} at once, so a difference "
            "between them cannot be attributed to one of these keys"
            + (f"; the same is true of {pair} of these treatments" if others else "")
        )
    sizes = {key: _people(rule) for key, rule in rules.items()}
    if _is_unequal(hypothesis) and len(set(sizes.values())) > 1:
        people = listed(f"{size} in {key}" for key, size in sizes.items())
        yield (
            f"The measure {hypothesis.measure} is averaged over the people of a group, {people}: "
            "means over fewer people vary more, so treatments differ in spread by design, and"
            " 'welch' is the only test that allows for this"
        )


def _compared(plan: Plan, blocks: Sequence[Rules]) -> Iterator[tuple[str, Hypothesis, Rules]]:
    """Yield the hypotheses that compare treatments, with the rules of these treatments.

    A hypothesis about a variable of a space does not compare two treatments.
    """
    for name, hypothesis in plan.hypotheses.items():
        if not hypothesis.blocks and not hypothesis.variable:
            rules = blocks[plan.block_names.index(hypothesis.block)]
            yield name, hypothesis, {key: rules[key] for key in plan.compared(hypothesis)}


def _respects(rules: Rules, pair: Sequence[str]) -> int:
    """Count the respects in which two treatments differ: bots, statements about bots, and rules."""
    keys = differing_keys({name: rules[name] for name in pair})
    return len({(key in _COMPANY, key in _TOLD) for key in keys})


def differing_keys(rules: Rules) -> list[str]:
    """Return the keys in which treatments differ, without `bots` if a treatment has people in all
    seats."""
    first, *others = rules.values() or [{}]
    lines = [line for other in others for line in different(first, other, ("", ""))]
    paths = dict.fromkeys(line.split(":")[0] for line in lines)
    keys = [path.removeprefix("options.").removeprefix("core.") for path in paths]
    full = any(_people(rule) == rule["core"].get("seats") for rule in rules.values())
    return [key for key in keys if key != "bots" or not full]


def _people(rule: Mapping[str, Any]) -> Any:
    """Return the number of people per group; None for plays that were not made for people."""
    return rule["options"].get("people_per_group")


def _is_unequal(hypothesis: Hypothesis) -> bool:
    """Return whether the measure varies more in groups with fewer people and the test does not
    allow for this."""
    is_mean = hypothesis.of == "people" or hypothesis.measure.startswith("people_")
    return is_mean and hypothesis.test != "welch"


def abridged(names: Sequence[str], separator: str = ", ") -> str:
    """Return names as a list in words, with at most MOST_LISTED of them written out.

    >>> abridged(["p001", "p002"]), abridged([f"p{number}" for number in range(20)])
    ('p001, p002', 'p0, p1, p2 and 17 others')
    """
    if len(names) <= MOST_LISTED:
        return separator.join(names)
    return f"{separator.join(names[:3])} and {len(names) - 3} others"


def counted(number: int, noun: str) -> str:
    """Return a number with its noun.

    >>> counted(1, "group"), counted(3, "group"), counted(1, "person"), counted(0, "person")
    ('1 group', '3 groups', '1 person', '0 people')
    """
    return f"{number} {noun if number == 1 else _PLURALS.get(noun, f'{noun}s')}"


_PLURALS = {"person": "people", "entry": "entries"}


def listed(names: Iterable[str]) -> str:
    """Return names as a list in words.

    >>> listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])
    ('a', 'a and b', 'a, b and c')
    """
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
