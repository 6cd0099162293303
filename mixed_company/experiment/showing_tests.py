"""Text on a plan's hypotheses, their tests, and the rules for looks, exclusions and stopping."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mixed_company.experiment.comparisons import Rules, cautions
from mixed_company.experiment.covered import quantity
from mixed_company.experiment.hypothesis import Hypothesis
from mixed_company.experiment.plan import Plan


def tests_shown(plan: Plan, blocks: Sequence[Rules]) -> Iterator[str]:
    """Yield lines on the hypotheses and their tests before there is any data. `blocks` are the
    rules of all treatments (`comparisons.of_series`).
    """
    sentences = cautions(plan, blocks)
    yield "\nHypotheses" if plan.hypotheses else "\nNo hypotheses"
    for name, hypothesis in plan.hypotheses.items():
        measure = quantity(hypothesis.measure, hypothesis.of)
        test = f"{measure}, {hypothesis.test}: {_compared(plan, hypothesis)}"
        expected = plan.expectation(hypothesis) or "no direction"
        line = f"  {name} ({hypothesis.family}): {hypothesis.meaning}"
        yield f"{line} [{test}; expected: {expected}]"
        yield from (f"    {sentence}." for sentence in sentences[name])
    yield f"\nLevel of the tests: {plan.alpha:g}, corrected within each family by Holm"
    if plan.looks:
        counts = ", ".join(map(str, (*plan.looks, plan.groups)))
        yield f"Looks at {counts} groups of each treatment, alpha spent by {plan.spending}"
    yield from (f"Excluded: {rule}" for rule in plan.exclusions)
    yield f"Stopping: {plan.stopping or 'no rule'}"


def _compared(plan: Plan, hypothesis: Hypothesis) -> str:
    """List the treatments and blocks that a hypothesis compares, in order for a trend test."""
    names = list(plan.compared(hypothesis))
    compared = f"variable {hypothesis.variable}" if hypothesis.variable else ", ".join(names)
    if hypothesis.test == "jonckheere":
        compared = f"trend in the order {', then '.join(names)}"
    compared += f"; block {hypothesis.block}" if hypothesis.block else ""
    compared += f"; blocks {', '.join(hypothesis.blocks)}" if hypothesis.blocks else ""
    return compared
