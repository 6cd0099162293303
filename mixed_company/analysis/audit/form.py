"""Check that a group's configuration has every key, and that its numbers are written as a server
writes them. For a missing key, programs would use a default, and comparisons would be skipped."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from mixed_company.analysis.audit.described import writes_the_same
from mixed_company.analysis.audit.rows import Findings
from mixed_company.analysis.audit.way import seats_in, seed_of
from mixed_company.experiment.digests import read
from mixed_company.table.export import Row


def check_form(row: Row, game: Any, manifest: Mapping[str, Any], findings: Findings) -> None:
    """Report missing keys, and numbers and flags in another form, in a group's row in `config`."""
    written, configuration = read(row["config"]), game.config.model_dump(mode="json")
    other = "is not written as a server writes it, for example 3.0 instead of 3"
    rules = [
        *(f"does not have {key}" for key in _lacking(row, written, configuration, manifest)),
        *(f"{key} {other}" for key in _inexact(written, configuration)),
    ]
    for rule in rules:
        findings.rule(False, "config", row["row"], "config", row["config"], rule)


def _lacking(
    row: Row, written: Any, configuration: Any, manifest: Mapping[str, Any]
) -> Iterator[str]:
    """Yield each missing key of a group's configuration. Releases have different keys, so in an
    export of another release, only the seed and the number of seats must be there; the number also
    under every rule that the group could choose."""
    if writes_the_same(manifest):
        yield from _absent(written, configuration)
    elif seed_of(row["config"]) is None:
        yield "identity.seed"
    elif seats_in(row["config"]) is None:
        yield "core.seats"
    for name, rules in read(row.get("rules", "")).items():
        if seats_in(json.dumps(rules)) is None:
            yield f"core.seats under the rule {name}"


def _absent(written: Any, configuration: Mapping[str, Any], path: str = "") -> Iterator[str]:
    for key, value in configuration.items():
        place = f"{path}.{key}".strip(".")
        if not isinstance(written, Mapping) or key not in written:
            yield place
        elif isinstance(value, Mapping):
            yield from _absent(written[key], value, place)


def _inexact(written: Any, configuration: Any, path: str = "") -> Iterator[str]:
    """Yield each whole number or flag of the configuration that is written in an unusual form,
    because programs may read it as a different value."""
    if isinstance(written, Mapping) and isinstance(configuration, Mapping):
        for key in written.keys() & configuration.keys():
            yield from _inexact(written[key], configuration[key], f"{path}.{key}".strip("."))
    elif isinstance(configuration, int) and type(written) is not type(configuration):
        yield path
