"""Comparison of an export with the sealed plans of the project in which it is checked.

The manifest has the digest of every treatment, which `digests` compares with what was played. Here
the same digests are compared with `plans/NAME.seal.json`, so that nobody who has the seal can be
shown treatments that have traded names. A rehearsal has other thinking times and is not compared.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mixed_company.analysis.audit.way import plan_of
from mixed_company.analysis.data import Problem
from mixed_company.analysis.files import opened
from mixed_company.experiment.digests import parts_of
from mixed_company.experiment.sealing import path_of, sealed
from mixed_company.table.export.archive import MANIFEST

__all__ = ["not_as_sealed"]


def not_as_sealed(path: str | Path, folder: Path) -> list[Problem]:
    """Return the treatments of each session that are not those of its plan's seal in this folder.

    Empty for plans without a seal, and for exports from earlier releases. Raises ConfigError for a
    changed seal.
    """
    manifest = opened(path).manifest
    sessions = manifest.get("sessions")
    if manifest.get("rehearsed") or not isinstance(sessions, Mapping):
        return []
    return [
        Problem("differs", f"sessions: {session}: plan: {message}", MANIFEST, str(session))
        for session in sessions
        for message in _broken(plan_of(manifest, session) or {}, folder)
    ]


def _broken(plan: Mapping[str, Any], folder: Path) -> list[str]:
    name, digests = plan.get("name"), plan.get("digests")
    if not isinstance(name, str) or not isinstance(digests, Mapping):
        return []
    if Path(name).name != name or (seal := sealed(name, folder)) is None:
        return []
    promised = parts_of(seal.content)["digests"]
    return [
        f"treatment {treatment} is not as sealed in {path_of(name, folder)}"
        for treatment in dict.fromkeys((*promised, *digests))
        if promised.get(treatment) != digests.get(treatment)
    ]
