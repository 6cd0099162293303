"""Comparison of an export with the plan of each session, in the folder in which it is checked.

The manifest has what a session took from its plan: the digest of its text, the money, the digest of
every treatment, and how people are assigned and go on from block to block. `digests` compares these
with what was played. Here they are compared with `plans/NAME.seal.json`, or without a seal with
`plans/NAME.toml`, whose text alone is compared, because a session can be created with other
settings. A rehearsal has other thinking times, so its treatments are not compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from mixed_company.analysis.audit.way import plan_of
from mixed_company.analysis.data import Problem
from mixed_company.analysis.files import opened
from mixed_company.experiment import reading
from mixed_company.experiment.blocks import Course
from mixed_company.experiment.digests import parts_of
from mixed_company.experiment.plan import Plan
from mixed_company.experiment.sealing import different, path_of, sealed
from mixed_company.table.export.archive import MANIFEST
from mixed_company.table.stored import digest_of

_KEYS = ("money", "assignment", *Course.model_fields)


def not_as_planned(path: str | Path, folder: Path, name: str = "") -> list[Problem]:
    """Return the entries of each session's plan that are not those of the plan in this folder, and
    a note for every plan that is not there.

    With `name`, only that plan is compared, and sessions must have it. Raises ConfigError for a
    changed seal and for a plan that cannot be read, UnknownName if there is no such plan.
    """
    manifest = opened(path).manifest
    plans = {
        str(session): plan
        for session in manifest.get("sessions") or {}
        if (plan := plan_of(manifest, session)) is not None
    }
    if name and name not in [plan.get("name") for plan in plans.values()]:
        return [Problem("differs", f"sessions: none has the plan {name!r}", MANIFEST)]
    problems, absent = [], dict[str, None]()
    for session, plan in plans.items():
        if name and plan.get("name") != name:
            continue
        planned = _planned(str(plan.get("name", "")), folder)
        if planned is None:
            absent[str(plan.get("name", ""))] = None
            continue
        for message in _differing(plan, *planned, bool(manifest.get("rehearsed"))):
            sentence = f"sessions: {session}: plan: {message}"
            problems.append(Problem("differs", sentence, MANIFEST, session))
    return [*problems, *(Problem("unknown", _absent(plan, folder)) for plan in absent)]


def _absent(name: str, folder: Path) -> str:
    seal = path_of(name, folder)
    return (
        f"neither {seal} nor {folder / name}.toml is here, so it cannot be known whether the "
        f"treatments, the money, the assignment and the matching of plan {name!r} were planned so"
    )


def _planned(name: str, folder: Path) -> tuple[dict[str, Any], list[str], str] | None:
    """Return what the manifest should have of a plan, the digests that its text can have, and where
    this is from; None if the plan is not in the folder."""
    if Path(name).name != name:
        return None
    if (seal := sealed(name, folder)) is not None:
        text = seal.content["plan"]
        again = Plan.trusted(text).model_dump(mode="json")  # with the keys of this release
        rule = f"as sealed in {path_of(name, folder)}"
        return parts_of(seal.content), [digest_of(text), digest_of(again)], rule
    if name not in reading.names(folder):
        return None
    plan = reading.find(name, folder)
    parts: dict[str, Any] = {"assignment": plan.assignment}
    if plan.blocks:
        parts |= {key: getattr(plan, key) for key in Course.model_fields}
    rule = f"as in {folder / name}.toml, which is not sealed: one of the two was changed"
    return parts, [digest_of(plan.model_dump(mode="json"))], rule


def _differing(
    plan: Mapping[str, Any], parts: Mapping[str, Any], texts: list[str], rule: str, rehearsed: bool
) -> Iterator[str]:
    """Yield a sentence for each entry of a manifest's plan that is not as planned."""
    if "digests" not in plan:  # of an earlier release
        return
    if plan.get("plan") not in texts:
        yield f"its text is not {rule}"
    planned = {key: parts[key] for key in _KEYS if key in parts}
    here = {key: plan.get(key) for key in planned}
    for line in different(planned, here, ("planned", "in the manifest")):
        yield f"{line}, which is not {rule}"
    promised, digests = parts.get("digests", {}), plan["digests"]
    for treatment in () if rehearsed else dict.fromkeys((*promised, *(promised and digests))):
        if promised.get(treatment) != digests.get(treatment):
            yield f"treatment {treatment} is not {rule}"
