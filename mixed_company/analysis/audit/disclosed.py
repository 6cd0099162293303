"""Check that people were told about bots what the options of their treatment say.

The sentence itself depends on the release and the language, so it is compared among the people of
a treatment. It is shown before the first block. Exports from earlier releases are not checked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from mixed_company.analysis.audit.rows import Findings, Rows
from mixed_company.analysis.audit.way import block_names, plan_of
from mixed_company.experiment.digests import read
from mixed_company.table.export import Row

__all__ = ["check_disclosed"]


def check_disclosed(
    tables: Mapping[str, Rows], manifest: Mapping[str, Any], findings: Findings
) -> None:
    """Compare what each person was told about bots with the options and the other people."""
    groups = {(row["session"], row["group"]): row for row in tables["config"].records()}
    if "outcomes" not in tables or not any(row.get("digest", "") for row in groups.values()):
        return
    people = list(tables["outcomes"].records())
    sentences: dict[Any, Counter[str]] = {}
    for row in people:
        if row["disclosure"] != "":
            sentences.setdefault(_treatment(row), Counter())[row["disclosure"]] += 1
    for row in people:
        sentence, line = row["disclosure"], ("outcomes", row["row"])
        key = f"participant {row['participant']}"
        timed = (sentence == "") == (row["disclosed_ms"] == "")
        rule = "does not match the sentence about bots"
        findings.rule(timed, *line, "disclosed_ms", row["disclosed_ms"], rule, key)
        if sentence != "":
            [(usual, _)] = sentences[_treatment(row)].most_common(1)
            rule = "is not what the others in this treatment were told"
            findings.rule(sentence == usual, *line, "disclosure", sentence, rule, key)
        group = groups.get((row["session"], row["group"]))
        blocks = block_names(plan_of(manifest, row["session"])) or [""]
        if group is not None and row.get("block", "") == blocks[0]:
            kind = read(group["options"]).get("disclosure", "none")
            rule = f"but the options say: disclosure = {kind!r}"
            findings.rule(
                (sentence == "") == (kind == "none"), *line, "disclosure", sentence, rule, key
            )


def _treatment(row: Row) -> tuple[Any, ...]:
    return row["session"], row["treatment"], row.get("block", "")
