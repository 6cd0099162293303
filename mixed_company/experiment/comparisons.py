"""Sentences on how the treatments that a plan compares differ, and on the consequences for its
tests.

A test compares whole treatments: their bots, what people are told about bots, and their rules.
Simulated people do not react to what people are told.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from mixed_company.experiment.plan import Hypothesis, Plan
from mixed_company.experiment.sealing import different
from mixed_company.experiment.treatments import rules_of
from mixed_company.table.setup import Setup

__all__ = ["Rules", "differing", "listed", "of_content", "of_series", "told_only"]

Rules = Mapping[str, Mapping[str, Any]]
"""Rules of the treatments of a block, by name (`experiment.treatments.rules_of`)."""

_COMPANY = ("people_per_group", "bots")
_TOLD = ("disclosure", "disclosure_text")


def of_series(series: Sequence[Mapping[str, Setup]]) -> list[Rules]:
    """Return the rules of all treatments, block by block."""
    return [{name: rules_of(setup) for name, setup in setups.items()} for setups in series]


def of_content(content: Mapping[str, Any]) -> list[Rules]:
    """Return the rules of all treatments in a sealed plan, block by block."""
    return list(content.get("blocks", {"": content["treatments"]}).values())


def told_only(plan: Plan, blocks: Sequence[Rules]) -> dict[str, str]:
    """Return sentences, by hypothesis, on treatments between which simulated people cannot
    differ."""
    sentences = {}
    for name, _, rules in _compared(plan, blocks):
        keys = _keys(rules)
        if keys and set(keys) <= set(_TOLD):
            sentences[name] = (
                f"{listed(rules)} differ only in what people are told about bots, which "
                "policies cannot read: differences between simulated people are due to chance, and "
                "power is the rate of false findings"
            )
    return sentences


def differing(plan: Plan, blocks: Sequence[Rules]) -> Iterator[str]:
    """Yield sentences on hypotheses whose treatments differ in several respects at once, or in the
    number of people over which a measure is averaged."""
    unread = told_only(plan, blocks)
    for name, hypothesis, rules in _compared(plan, blocks):
        if name in unread:
            yield f"hypotheses.{name}: {unread[name]}"
        confounded = [pair for pair in pairwise(rules) if _respects(rules, pair) > 1]
        if confounded:
            keys = _keys({treatment: rules[treatment] for treatment in confounded[0]})
            yield (
                f"hypotheses.{name}: {listed(confounded[0])} differ in {listed(keys)} at once, "
                "so a difference between them cannot be attributed to one of these keys"
            )
        sizes = {key: rule["options"]["people_per_group"] for key, rule in rules.items()}
        if _is_unequal(hypothesis) and len(set(sizes.values())) > 1:
            people = listed(f"{size} in {key}" for key, size in sizes.items())
            yield (
                f"hypotheses.{name}.measure = {hypothesis.measure!r}: is averaged over the people "
                f"of a group, {people}: means over fewer people vary more, so treatments differ in "
                "spread by design; of the tests, only 'welch' allows for this"
            )


def _compared(plan: Plan, blocks: Sequence[Rules]) -> Iterator[tuple[str, Hypothesis, Rules]]:
    """Yield the hypotheses that compare treatments, with the rules of these treatments."""
    for name, hypothesis in plan.hypotheses.items():
        if not hypothesis.blocks:
            rules = blocks[plan.block_names.index(hypothesis.block)]
            yield name, hypothesis, {key: rules[key] for key in plan.compared(hypothesis)}


def _respects(rules: Rules, pair: Sequence[str]) -> int:
    """Return the number of respects in which two treatments differ, out of bots, statements about
    bots, and rules."""
    keys = _keys({name: rules[name] for name in pair})
    return len({(key in _COMPANY, key in _TOLD) for key in keys})


def _keys(rules: Rules) -> list[str]:
    """Return the keys in which treatments differ, without `bots` if a treatment has people in all
    seats."""
    first, *others = rules.values()
    lines = [line for other in others for line in different(first, other, ("", ""))]
    paths = dict.fromkeys(line.split(":")[0] for line in lines)
    keys = [path.removeprefix("options.").removeprefix("core.") for path in paths]
    full = any(
        rule["options"]["people_per_group"] == rule["core"]["seats"] for rule in rules.values()
    )
    return [key for key in keys if key != "bots" or not full]


def _is_unequal(hypothesis: Hypothesis) -> bool:
    """Return whether the measure varies more in groups with fewer people and the test does not
    allow for this."""
    is_mean = hypothesis.of == "people" or hypothesis.measure.startswith("people_")
    return is_mean and hypothesis.test != "welch"


def listed(names: Iterable[str]) -> str:
    """Return names as a list in words.

    >>> listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])
    ('a', 'a and b', 'a, b and c')
    """
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
