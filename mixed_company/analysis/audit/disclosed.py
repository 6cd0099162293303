"""Check that the sentence about bots that people read matches the options and the language of their
treatment.

People see the sentence before the first block, and its wording depends on the release. If another
release made the export, the sentence must be the same for everyone in a treatment and must have the
right numbers. It must not be this release's sentence for other options. Exports without digests are
not checked. `options` checks the other pages against the options.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import pandas as pd

from mixed_company.analysis.audit.described import writes_the_same
from mixed_company.analysis.audit.options import check_consent, check_optional
from mixed_company.analysis.audit.rows import Findings, Rows, treatment_of
from mixed_company.analysis.audit.way import block_names, plan_of, seats_in
from mixed_company.experiment.digests import read
from mixed_company.table.disclosing import disclosures
from mixed_company.table.export import Row
from mixed_company.table.export.column import as_text
from mixed_company.table.export.participants import PARTICIPANTS
from mixed_company.table.options import recorded

_NUMBER = re.compile(r"\d+")


def check_disclosed(
    tables: Mapping[str, Rows], manifest: Mapping[str, Any], findings: Findings
) -> None:
    """Compare the sentence that each person read with the options and with other people's
    sentences."""
    config = list(tables["config"].records())
    if "outcomes" not in tables or not any(row.get("digest", "") for row in config):
        return
    people = list(tables["outcomes"].records())
    sentences: dict[Any, Counter[str]] = {}
    for row in people:
        if row["disclosure"] != "":
            sentences.setdefault(treatment_of(row), Counter())[row["disclosure"]] += 1
    alike = {treatment_of(row): row for row in reversed(config)}
    groups = {(row["session"], row["group"]): row for row in config}
    same = writes_the_same(manifest)
    for row in people:
        _check_told(row, sentences, findings)
        group = groups.get((row["session"], row["group"])) or alike.get(treatment_of(row))
        blocks = block_names(plan_of(manifest, row["session"])) or [""]
        if group is None:
            continue
        options = read(group["options"])
        _check_sentence(row, group, same, findings)
        check_optional(row, options, findings)
        is_first = row.get("block", "") == blocks[0]
        check_consent(row, is_first and options.get("consent", "") != "", findings)
        if is_first and row["group"] != "":
            _check_kind(row, options, findings)


def _check_told(row: Row, sentences: Mapping[Any, Counter[str]], findings: Findings) -> None:
    """Check that a person's sentence has a time and is the sentence that everyone in the treatment
    read."""
    sentence, line, key = row["disclosure"], ("outcomes", row["row"]), _key(row)
    timed = (sentence == "") == (row["disclosed_ms"] == "")
    rule = "does not match the sentence about bots"
    findings.rule(timed, *line, "disclosed_ms", row["disclosed_ms"], rule, key)
    if sentence != "":
        [(usual, _)] = sentences[treatment_of(row)].most_common(1)
        rule = "is not what the others in this treatment read"
        findings.rule(sentence == usual, *line, "disclosure", sentence, rule, key)


def _check_sentence(row: Row, group: Row, same: bool, findings: Findings) -> None:
    """Check that the sentence matches the group's options and number of seats."""
    sentence, seats = row["disclosure"], seats_in(group["config"])
    options = recorded(str(group["options"]))
    if sentence == "" or options is None or type(seats) is not int:
        return
    should, others, numbers = _sentences(str(group["options"]), seats)
    cell = ("outcomes", row["row"], "disclosure", sentence)
    if same or sentence in others or options.disclosure_text:
        findings.value(*cell, should, _key(row), "the options in config")
    else:
        right = sorted(_NUMBER.findall(sentence)) == numbers
        rule = "does not state the numbers of bots and seats that the options have"
        findings.rule(right, *cell, rule, _key(row))


@lru_cache(maxsize=256)
def _sentences(text: str, seats: int) -> tuple[str, frozenset[str], list[str]]:
    """Return three things: the sentence for these options, this release's sentences for all other
    options and languages, and the numbers in the first one."""
    options = recorded(text)
    assert options is not None  # noqa: S101  the caller has read them
    texts = {key: as_text(text) for key, text in disclosures(options, seats).items()}
    should = str(texts[options.disclosure, options.language])
    others = frozenset({*map(str, texts.values())} - {should})
    return should, others, sorted(_NUMBER.findall(should))


def _check_kind(row: Row, options: Mapping[str, Any], findings: Findings) -> None:
    """Check that a person who played read a sentence about bots if and only if the options require
    one."""
    kind, sentence = options.get("disclosure", "none"), row["disclosure"]
    rule, cell = f"but the options say: disclosure = {kind!r}", ("outcomes", row["row"])
    right = (sentence == "") == (kind == "none")
    findings.rule(right, *cell, "disclosure", sentence, rule, _key(row))


def check_first_pages(participants: pd.DataFrame, games: Sequence[Any], findings: Findings) -> None:
    """Check that nobody saw or answered a page before opening the link."""
    rows = Rows.of(PARTICIPANTS, participants)
    opened = {(row["session"], row["participant"]): row["first_seen_ms"] for row in rows.records()}
    for data in games:
        of_game = Findings(data.game_id)
        for row in Rows.of("outcomes", data.outcomes).records():
            first_ms = opened.get((row["session"], row["participant"]), "")
            for name in ("consented_ms", "assigned_ms", "disclosed_ms"):
                right = "" in (first_ms, row.get(name, "")) or first_ms <= row[name]
                rule = "is before first_seen_ms in participants"
                of_game.rule(
                    right, "outcomes", row["row"], name, row.get(name, ""), rule, _key(row)
                )
        findings.problems += of_game.problems


def _key(row: Row) -> str:
    return f"participant {row['participant']}"
