"""Check that `outcomes` has no values of pages that the session's options leave out (consent, the
quiz, attention, comments, parameters of the link), and that the first pages are in order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mixed_company.analysis.audit.rows import Findings
from mixed_company.files import parsed
from mixed_company.policies.spec import policy_specs
from mixed_company.table.export import Row

_OF_PAGES = {
    "quiz": ("quiz_attempts", "quiz_log"),
    "attention": ("hidden_ms", "hidden_times", "idle_ms"),
    "comments": ("comments",),
}
"""Option -> columns that are empty or 0 if the option is off."""


def check_optional(row: Row, options: Mapping[str, Any], findings: Findings) -> None:
    """Check a person's row in `outcomes` against the options of the block."""
    key, line = f"participant {row['participant']}", ("outcomes", row["row"])
    for option, columns in _OF_PAGES.items():
        for name in columns if options.get(option) is False else ():
            value = row.get(name, "")
            rule = f"but the options say: {option} = False"
            findings.rule(value in ("", 0, "[]"), *line, name, value, rule, key)
    kept = policy_specs(str(options.get("panel_parameters", "")))
    text = row.get("parameters", "")
    named, rule = _parameters(text), "is not a JSON object of parameters without repeated keys"
    findings.rule(text == "" or named is not None, *line, "parameters", text, rule, key)
    rule = "has parameters that the options do not list (panel_parameters)"
    findings.rule({*(named or ())} <= {*kept}, *line, "parameters", text, rule, key)


def _parameters(text: str) -> dict[str, Any] | None:
    """Return the parameters in a person's link; None if they cannot be read."""
    try:
        named = parsed(text)
    except (ValueError, RecursionError):
        return None
    return named if isinstance(named, dict) else None


def check_consent(row: Row, requested: bool, findings: Findings) -> None:
    """Check a person's consent and the times of the pages that follow.

    People are asked for consent before the first block if the options have a text for it; then it
    is `requested`.
    """
    key, line = f"participant {row['participant']}", ("outcomes", row["row"])
    answer, answered_ms = row.get("consented", ""), row.get("consented_ms", "")
    cell = (*line, "consented", answer)
    findings.rule(requested or answer == "", *cell, "but nobody was asked for consent here", key)
    right = answer in ("", "yes", "no") and (not requested or row["group"] == "" or answer == "yes")
    findings.rule(right, *cell, "is not possible for a person who played", key)
    right = (answer == "") == (answered_ms == "")
    findings.rule(right, *line, "consented_ms", answered_ms, "does not match the answer", key)
    right = (answer == "no") == (row["status"] == "no_consent")
    findings.rule(right, *line, "status", row["status"], f"but consented is {answer!r}", key)
    for earlier, later in (("consented_ms", "assigned_ms"), ("assigned_ms", "disclosed_ms")):
        times = row.get(earlier, ""), row.get(later, "")
        right = "" in times or times[0] <= times[1]
        findings.rule(right, *line, earlier, times[0], f"is later than {later}", key)
