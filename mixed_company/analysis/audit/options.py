"""Valid and invalid options of a session, read from its groups' rows in `config`.

Invalid values are left out, so that later checks can rely on the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from mixed_company.analysis.audit.rows import Findings
from mixed_company.experiment.digests import read
from mixed_company.table.export import Row
from mixed_company.table.options import Options, problems_in

_MOST = 1e12
"""The largest amount in a payment option; with larger amounts, cents could not be computed
exactly."""

_APART = ("questions", "rules")
"""Options that are checked elsewhere: questions, the rules that groups choose from, and bots. A
simulation without pages writes these in a different form."""


def options_of(row: Row) -> dict[str, Any]:
    """Return the session's valid options for people and bots; empty if they cannot be read."""
    valid, _ = _parted(str(row["options"]))
    return dict(valid)


class OptionsOf:
    """Look-up of a person's options by the row in `outcomes`: those of the group, else those of a
    group with the same treatment, else those that all groups of the session share."""

    def __init__(self, groups: Iterable[Row]) -> None:
        self._by_key: dict[tuple[Any, ...], dict[str, Any]] = {}
        for group in groups:
            session, options = group["session"], options_of(group)
            self._by_key[session, group["group"]] = options
            self._by_key.setdefault((session, *_played(group)), options)
            shared = self._by_key.setdefault((session,), options)
            if shared != options:
                common = {key: value for key, value in shared.items() if options.get(key) == value}
                self._by_key[session,] = common

    def __call__(self, row: Row) -> Mapping[str, Any]:
        session = row["session"]
        keys: tuple[tuple[Any, ...], ...] = (
            (session, row["group"]),
            (session, *_played(row)),
            (session,),
        )
        return next((self._by_key[key] for key in keys if key in self._by_key), {})


def _played(row: Row) -> tuple[str, str]:
    return row.get("treatment", ""), row.get("block", "")


def check_options(row: Row, findings: Findings) -> None:
    """Report invalid options. Exports of earlier releases are not checked, because these had other
    rules."""
    options, cell = read(row["options"]), ("config", row["row"], "options", row["options"])
    findings.rule(bool(options), *cell, "is not a JSON object with options")
    for problem in _parted(str(row["options"]))[1] if row.get("digest", "") else ():
        key = f"session {row['session']}, group {row['group']}"
        findings.tell("config", row["row"], f"{key}: {problem}", column="options")


@lru_cache(maxsize=1_000)
def _parted(text: str) -> tuple[Mapping[str, Any], tuple[str, ...]]:
    """Return the valid options in a JSON string, and an error for each invalid option."""
    options = read(text)
    apart = options if "simulated" in options else _APART
    ours = {
        name: options[name]
        for name in Options.model_fields
        if name in options and name not in apart
    }
    problems = _problems(ours)
    wrong = [name for name in ours if _problems({name: ours[name]})] if problems else []
    return {name: value for name, value in options.items() if name not in wrong}, problems


def _problems(options: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the errors in these options, by the rules of this release."""
    problems = problems_in(options)
    if problems:
        return problems
    return tuple(
        f"{name} = {amount}: should be at most {_MOST:.0e}"
        for name, amount in options.items()
        if name.startswith("pay_") and amount > _MOST
    )
