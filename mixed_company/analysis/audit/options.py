"""Check a session's options, read from its groups' rows in `config`, and the values they rule out.

Invalid options are left out, so that later checks can rely on the others. `outcomes` has no values
from pages that the options leave out (consent, the quiz, attention, comments, parameters of the
link), and the first pages are in order.

The sentence that people read about bots matches their treatment's options and language.
People see it before the first block, and its wording depends on the release. If another release
made the export, the sentence must be the same for everyone in a treatment and must have the right
numbers. It must not be this release's sentence for other options. Exports without digests are not
checked.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from mixed_company.analysis.audit.described import is_of_this_release, writes_the_same
from mixed_company.analysis.audit.rows import Findings, Rows, treatment_of
from mixed_company.analysis.audit.way import block_names, first_blocks, plan_of, seats_in
from mixed_company.analysis.data import Problem
from mixed_company.experiment.digests import has_server, read
from mixed_company.files import parsed
from mixed_company.policies.spec import policy_specs
from mixed_company.table.disclosing import disclosures
from mixed_company.table.export import Row
from mixed_company.table.export.column import as_text
from mixed_company.table.export.describing import file_of
from mixed_company.table.options import Options, problems_in, recorded

_MOST = 1e12
"""The largest amount allowed in a payment option; with larger amounts, cents could not be computed
exactly."""

_APART = ("questions", "rules")
"""Options that are checked elsewhere: questions, the rules that groups choose from, and bots. A
simulation without pages writes these in a different form."""


def options_of(row: Row) -> dict[str, Any]:
    """Return the session's valid options for people and bots; empty if they cannot be read."""
    valid, _ = _parted(str(row["options"]))
    return dict(valid)


class OptionsOf:
    """Lookup of a person's options by the row in `outcomes`: the group's options, or else the
    options of a group with the same treatment, or else the options that all groups of the session
    share."""

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


def check_options(row: Row, manifest: Mapping[str, Any], findings: Findings) -> None:
    """Report invalid options, and missing options if this release made the export. Exports from
    earlier releases are not checked, because those releases had different rules."""
    options, cell = read(row["options"]), ("config", row["row"], "options", row["options"])
    findings.rule(bool(options), *cell, "is not a JSON object with options")
    optional = {*options, *Options.unwritten()}
    absent = [name for name in Options.model_fields if name not in optional]
    if writes_the_same(manifest) and has_server(options):
        findings.rule(not absent, *cell, f"lacks the options {', '.join(absent)}")
    elif absent and is_of_this_release(manifest) and has_server(options):
        message = f"options: {', '.join(absent)} are missing, so their defaults were used"
        note = Problem("unknown", message, file_of(findings.game, "config"), row["session"])
        findings.problems += [note] if note not in findings.problems else []
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
    """Return the errors in these options, under the rules of this release."""
    problems = problems_in(options)
    if problems:
        return problems
    return tuple(
        f"{name} = {amount}: should be at most {_MOST:.0e}"
        for name, amount in options.items()
        if name.startswith("pay_") and amount > _MOST
    )


# -- values of optional pages ------------------------------------------------------------------


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
    """Check a person's consent.

    People are asked for consent before the first block if the options have a text for it; in that
    case it is `requested`.
    """
    key, line = f"participant {row['participant']}", ("outcomes", row["row"])
    answer, answered_ms = row.get("consented", ""), row.get("consented_ms", "")
    cell = (*line, "consented", answer)
    findings.rule(requested or answer == "", *cell, "but nobody was asked for consent here", key)
    right = answer in ("", "yes", "no") and (not requested or row["group"] == "" or answer == "yes")
    findings.rule(right, *cell, "is impossible for a person who played", key)
    right = (answer == "") == (answered_ms == "")
    findings.rule(right, *line, "consented_ms", answered_ms, "does not match the answer", key)
    right = (answer == "no") == (row["status"] == "no_consent")
    findings.rule(right, *line, "status", row["status"], f"but consented is {answer!r}", key)


# -- the sentence about bots ---------------------------------------------------------------------


_NUMBER = re.compile(r"\d+")


def check_disclosed(
    tables: Mapping[str, Rows], manifest: Mapping[str, Any], findings: Findings
) -> None:
    """Compare the sentence that each person read with the options and with other people's
    sentences."""
    config = list(tables["config"].records())
    if "outcomes" not in tables or "disclosed_ms" not in tables["outcomes"].columns:
        return  # an export from a release before 0.8
    people = list(tables["outcomes"].records())
    sentences: dict[Any, Counter[str]] = {}
    for row in people:
        if row["disclosure"] != "":
            sentences.setdefault(treatment_of(row), Counter())[row["disclosure"]] += 1
    alike = {treatment_of(row): row for row in reversed(config)}
    groups = {(row["session"], row["group"]): row for row in config}
    same, first = writes_the_same(manifest), first_blocks(people, manifest)
    for row in people:
        _check_told(row, sentences, findings)
        group = groups.get((row["session"], row["group"])) or alike.get(treatment_of(row))
        blocks = block_names(plan_of(manifest, row["session"])) or [""]
        options = read(group["options"]) if group else {}
        if group is None or not has_server(options):
            continue
        _check_sentence(row, group, same, findings)
        check_optional(row, options, findings)
        is_first = row.get("block", "") == blocks[0]
        check_consent(row, is_first and options.get("consent", "") != "", findings)
        # people read the sentence before the first block of each game
        block = row.get("block", "")
        if row["group"] != "" and block == first.get(row["session"], block):
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
        rule = "differs from what the others in this treatment read"
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
        rule = "does not state the numbers of bots and seats in the options"
        findings.rule(right, *cell, rule, _key(row))


@lru_cache(maxsize=256)
def _sentences(text: str, seats: int) -> tuple[str, frozenset[str], list[str]]:
    """Return the sentence for these options, this release's sentences for all other options and
    languages, and the numbers in the first sentence."""
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


def _key(row: Row) -> str:
    return f"participant {row['participant']}"
