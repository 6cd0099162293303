"""Check the digests of treatments and plans in `config` and in the manifest.

A treatment's digest is computed from its name, its block and the rules that its groups played; a
plan's digest is computed from its treatments' digests (`experiment.digests`). Exports from earlier
releases have no digests; neither do simulated or imported groups. Everywhere else, a missing digest
is a fault, because otherwise a comparison would be skipped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mixed_company.analysis.audit.described import writes_digests
from mixed_company.analysis.audit.promised import NO_ORDER
from mixed_company.analysis.audit.rows import Findings, Rows
from mixed_company.analysis.audit.way import block_names, can_be_read, plan_of
from mixed_company.analysis.data import Problem
from mixed_company.experiment.blocks import Course, blocks_of_plays, plays_of
from mixed_company.experiment.checking import MONEY
from mixed_company.experiment.digests import (
    has_server,
    label,
    of_plan,
    of_treatment,
    played_rules,
    read,
)
from mixed_company.policies.spec import policy_specs
from mixed_company.table.export import Row
from mixed_company.table.export.archive import MANIFEST


def check_digests(config: Rows, manifest: Mapping[str, Any], findings: Findings) -> None:
    """Compare the digests in `config` and in the manifest with the rules that were played."""
    rows = list(config.records())
    sessions = {row["session"] for row in rows}
    plans = {session: plan_of(manifest, session) or {} for session in sessions}
    for session in sorted({row["session"] for row in rows if _is_by_hand(row)}):
        if plans[session] and "order" not in plans[session] and not writes_digests(manifest):
            note = f"sessions: {session}: plan: order: is missing, so the export {NO_ORDER}"
            findings.problems.append(Problem("unknown", note, MANIFEST, session))
    expected = writes_digests(manifest) or any("digest" in row for row in rows)
    has_digests = any(row.get("digest", "") for row in rows)
    has_digests |= any("digests" in plan for plan in plans.values())
    if not has_digests and not (expected and not all(map(_is_alone, rows))):
        if not all(map(_is_alone, rows)):
            findings.problems.append(Problem("unknown", _WITHOUT, MANIFEST))
        return
    for row in rows:
        _check_group(row, plans[row["session"]], findings)
    for session in sorted(sessions):
        for message in (*_missing(plans[session], manifest), *_problems(plans[session])):
            whose = f"sessions: {session}: plan: {message}"
            findings.problems.append(Problem("differs", whose, MANIFEST, session))


_WITHOUT = (
    "treatments have no digests, as in releases before 0.9, so missing entries and tables, and "
    "wrong digests of plans, could not be detected"
)
_OF_PLAN = ("plan", "money", "digests", "assignment", "treatments")


def _missing(plan: Mapping[str, Any], manifest: Mapping[str, Any]) -> Iterator[str]:
    """Yield an error for every value that the plan's digest needs and its entry lacks."""
    keys = (*_OF_PLAN, "order") if writes_digests(manifest) else _OF_PLAN
    course = Course.model_fields if block_names(plan) else ()
    yield from (f"{key}: is missing" for key in (*keys, *course) if plan and key not in plan)


def _is_by_hand(row: Row) -> bool:
    """Return whether somebody specified the treatments of successive groups. If they were drawn
    instead, the draws follow from the order of the treatments, so another order is a fault."""
    return len({*policy_specs(str(read(row["options"]).get("treatment_order", "")))}) > 1


def _is_alone(row: Row) -> bool:
    """Return whether the group was played without a server."""
    return not has_server(read(row["options"]))


def _check_group(row: Row, plan: Mapping[str, Any], findings: Findings) -> None:
    key = f"session {row['session']}, group {row['group']}"
    digest = ""
    if not _is_alone(row):
        treatment, play = row.get("treatment", ""), row.get("block", "")
        block = str(blocks_of_plays(plan).get(play, play))
        digest, named = of_treatment(treatment, block, played_rules(row)), label(treatment, block)
        digests = plan.get("digests", {named: digest})
        promised = digests.get(named)
        rule = f"was not played as treatment {named!r} of the plan in the manifest"
        findings.rule(promised == digest, "config", row["row"], "treatment", named, rule, key)
        _check_assigned(row, plan, findings)
        _check_money(row, plan, findings)
    rule = "does not match this treatment and the rules that the group played"
    right = row.get("digest", "") == digest
    findings.rule(right, "config", row["row"], "digest", row.get("digest", ""), rule, key)


def _check_assigned(row: Row, plan: Mapping[str, Any], findings: Findings) -> None:
    """Check that the options for the number of people and the order of treatments match the
    manifest."""
    if "treatments" not in plan:
        return
    options = read(row["options"])
    key = f"session {row['session']}, group {row['group']}"
    cell = ("config", row["row"], "options", row["options"])
    right = plan["treatments"].get(row.get("treatment", "")) == options.get("people_per_group")
    findings.rule(right, *cell, "differs from the manifest in people_per_group", key)
    order = policy_specs(str(options.get("treatment_order", "")))
    rule = "differs from the manifest in treatment_order"
    findings.rule(order == list(plan.get("by_hand", ())), *cell, rule, key)


def _check_money(row: Row, plan: Mapping[str, Any], findings: Findings) -> None:
    """Check that the group has the plan's fee and exchange rate."""
    key, money = f"session {row['session']}, group {row['group']}", plan.get("money") or {}
    names = ("participation_fee", "point_value")
    for column, named in zip(names, MONEY, strict=True):
        if named in money:
            findings.value(
                "config", row["row"], column, row.get(column, ""), money[named], key, MANIFEST
            )


def _problems(plan: Mapping[str, Any]) -> list[str]:
    """Return the problems with a session's plan in the manifest; `plan` is empty if the session has
    none."""
    if not plan:
        return []
    problems = []
    if plan.get("digest") != of_plan(plan):
        problems.append("its digest does not match its parts, so somebody changed one of them")
    if "treatments" in plan and "digests" in plan:
        blocks = set(blocks_of_plays(plan).values()) or {""}
        expected = {label(name, block) for block in blocks for name in plan["treatments"]}
        if set(plan["digests"]) != expected:
            problems.append("its digests do not match its treatments")
    if "order" in plan and plan["order"] != list(plan.get("treatments", ())):
        problems.append("its order does not match its treatments")
    if "parts" in plan and not _are_repeated(plan["parts"], block_names(plan)):
        problems.append("its parts do not match its blocks")
    return [*problems, *_course(plan)]


def _are_repeated(parts: Sequence[str], plays: Sequence[str]) -> bool:
    """Return whether these blocks are the ones that were played, and at least one of them is
    repeated. In the manifest, a plan without repeated blocks has no parts."""
    counts = Counter(parts)
    expected = [play for block, number in counts.items() for play in plays_of(block, number)]
    return expected == [*plays] and len(counts) < len(parts)


def _course(plan: Mapping[str, Any]) -> Iterator[str]:
    """Yield an error if people cannot be matched from block to block as the plan says."""
    if block_names(plan) and can_be_read(plan):
        try:
            Course(**{key: plan[key] for key in Course.model_fields}).check_groups()
        except ValueError as error:
            yield str(error)
