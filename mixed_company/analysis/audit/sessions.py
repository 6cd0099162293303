"""Check values that all groups of a session share, and the manifest's entries about sessions."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from mixed_company.analysis.audit.form import check_form
from mixed_company.analysis.audit.options import check_options, options_of
from mixed_company.analysis.audit.people import check_unseated
from mixed_company.analysis.audit.rows import Findings, Rows, person_of
from mixed_company.analysis.audit.way import block_names, rows_of, session_in
from mixed_company.analysis.data import Problem, rehearsed_seeds
from mixed_company.analysis.reading import place
from mixed_company.engine.contract.chance import play_seeds
from mixed_company.experiment.comparisons import counted
from mixed_company.experiment.digests import has_server, read
from mixed_company.experiment.manifest import course
from mixed_company.files import parsed
from mixed_company.table.export import Row
from mixed_company.table.export.archive import MANIFEST
from mixed_company.table.seating import block_and_number, group_number, play_seed

_SHARED = (
    "rehearsed",
    "session_config",
    "participation_fee",
    "point_value",
    "game",
    "version",
    "software",
)
_PLAYED = ("config", "options", "rules")
"""Columns that have the same value in all groups of a treatment."""


def _read(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def check_sessions(config: Rows, manifest: Mapping[str, Any], findings: Findings) -> None:
    """Check that a session's groups are numbered without gaps and have the same configuration."""
    rows = list(config.records())
    sessions: dict[str, list[Row]] = {}
    seen = set()
    for row in rows:
        key = (row["session"], row["group"])
        if key in seen:
            message = f"group {key[1]} of session {key[0]}: appears twice"
            findings.tell("config", row["row"], message)
        seen.add(key)
        sessions.setdefault(row["session"], []).append(row)
    _all_there(sessions, manifest, findings)
    marks = {row.get("rehearsed", "") for row in rows}
    if manifest.get("rehearsed") and marks == {False}:
        findings.tell(
            "config", None, "no group was rehearsed, but the manifest says that some groups were"
        )
    for session, groups in sessions.items():
        _numbered(session, {row["group"] for row in groups}, findings)
        _shared(groups, session_in(manifest, session).get("session_config"), findings)


def _all_there(
    sessions: Mapping[str, Sequence[Row]], manifest: Mapping[str, Any], findings: Findings
) -> None:
    """Check that each session has the number of groups stated in the manifest. Manifests from
    earlier releases do not have this number."""
    for session in manifest.get("sessions", ()):
        number, groups = len(sessions.get(session, ())), session_in(manifest, session).get("groups")
        expected = groups.get(findings.game) if isinstance(groups, Mapping) else groups
        if expected is not None and not _is_count(expected, number):
            rule = f"of session {session}, but the manifest says {expected!r}"
            message = f"{counted(number, 'group')} {rule}"
            findings.tell("config", None, message)
        games = manifest.get("games", (findings.game,))
        for game in set(groups if isinstance(groups, Mapping) else ()) - {*games}:
            message = f"sessions: {session}: groups: {game}: not a game in the export"
            findings.problems.append(Problem("differs", message, MANIFEST, session))


def _is_count(stated: Any, number: int) -> bool:
    """Return whether the manifest states this number and it is a whole number."""
    return type(stated) is int and stated == number


def _numbered(session: str, numbers: set[int], findings: Findings) -> None:
    """Check that the groups of each block are numbered from 1 without gaps."""
    by_block: dict[int, set[int]] = {}
    for group in numbers:
        block, number = block_and_number(group)
        by_block.setdefault(block, set()).add(number)
    for block, present in by_block.items():
        for number in sorted(set(range(min(present), max(present))) - present):
            missing = group_number(block, number)
            findings.tell("config", None, f"missing: group {missing} of session {session}")
        if min(present) > 1:
            findings.tell("config", None, f"missing: the first groups of session {session}")


def check_versions(
    config: Rows, game: str, manifest: Mapping[str, Any], findings: Findings
) -> None:
    """Check that the rules version in the manifest matches the groups' version."""
    versions = sorted(set(map(str, config.columns["version"])))
    named = manifest.get("games")
    if named is None or not versions:
        return
    declared = str(named.get(game, ""))
    if declared not in versions:
        should = " or ".join(map(repr, versions))
        message = f"games: {game}: {declared!r} should be {should}, as in config"
        findings.problems.append(Problem("differs", message, MANIFEST))


def _shared(rows: Sequence[Row], name: Any, findings: Findings) -> None:
    _alike(rows, _SHARED, "session's", findings)
    by_treatment: dict[Any, list[Row]] = {}  # separately in each block
    for row in rows:
        by_treatment.setdefault((row.get("treatment", ""), row.get("block", "")), []).append(row)
    for group_rows in by_treatment.values():
        _alike(
            group_rows, _PLAYED, "session's" if len(by_treatment) == 1 else "treatment's", findings
        )
    if isinstance(name, str):
        for row in rows:
            actual = row["session_config"]
            findings.value(
                "config", row["row"], "session_config", actual, name, f"session {row['session']}"
            )


def _alike(rows: Sequence[Row], columns: Sequence[str], whose: str, findings: Findings) -> None:
    common = [column for column in columns if all(column in row for row in rows)]
    for column in common:  # exports from earlier releases lack some
        values = [_read(_shared_text(row, column)) for row in rows]
        texts = [json.dumps(value, sort_keys=True) for value in values]
        usual = Counter(texts).most_common(1)[0][0]
        for row, text in zip(rows, texts, strict=True):
            key = f"session {row['session']}, group {row['group']}"
            rule = f"differs from that of the {whose} other groups"
            findings.rule(text == usual, "config", row["row"], column, row[column], rule, key)


def _shared_text(row: Row, column: str) -> str:
    """Return the value that should be the same in other groups. If groups vote on rules, compare
    the rules instead of the config."""
    return str(row["rules"] if column == "config" and row.get("rules") else row[column])


def check_config(row: Row, game: Any, manifest: Mapping[str, Any], findings: Findings) -> None:
    """Check that game, version and seed match the configuration. In a simulated play, the seed must
    follow from the simulation's seed."""
    identity = game.config.identity
    findings.value("config", row["row"], "game", row["game"], identity.game)
    findings.value("config", row["row"], "version", row["version"], identity.version)
    options = options_of(row)
    check_options(row, manifest, findings)
    check_form(row, game, manifest, findings)
    _once(row, findings)
    _rehearsal(row, options, manifest, findings)
    _check_software(row, findings)
    seeds = [play_seed(identity.seed, row["group"])]
    if "simulated" in options:
        named = [seed for seed in rehearsed_seeds(manifest) if seed is not None]
        seeds = [int(play_seeds(seed, row["group"] - 1)) for seed in named]
    if seeds:
        rule = f"should be {' or '.join(map(str, seeds))}"
        cell = ("config", row["row"], "seed", row["seed"])
        findings.rule(row["seed"] in seeds, *cell, rule)


def _check_software(row: Row, findings: Findings) -> None:
    """Check that a group's software is an object, and names oTree if the group was played on a
    server."""
    software = _read(row["software"])
    cell = ("config", row["row"], "software", row["software"])
    is_object = isinstance(software, dict)
    findings.rule(is_object, *cell, "is not a JSON object of versions")
    if is_object and has_server(read(row["options"])):
        rule = "does not name a version of otree, but the group was played on a server"
        findings.rule(bool(software.get("otree")), *cell, rule)


def _once(row: Row, findings: Findings) -> None:
    """Check that no key appears twice in a JSON cell, because programs differ in which of the two
    values they read."""
    for column in (*_PLAYED, "software"):
        try:
            parsed(row.get(column) or "{}")
        except (ValueError, RecursionError) as error:
            findings.tell("config", row["row"], f"{column}: {error}", column=column)


def _rehearsal(
    row: Row, options: Mapping[str, Any], manifest: Mapping[str, Any], findings: Findings
) -> None:
    """Check that the manifest says which groups were rehearsed, simulated or imported.

    In exports from earlier releases, groups themselves are not marked.
    """
    mark = row.get("rehearsed", "")
    whole = bool(manifest.get("rehearsed"))
    cell = ("config", row["row"], "rehearsed", mark)
    if "simulated" in options:
        findings.rule(whole and mark is not False, *cell, "but its options say: simulated")
    elif mark != "":
        findings.rule(whole or not mark, *cell, "contradicts the manifest")
    stated = "imported" in session_in(manifest, row["session"])
    right = stated == ("imported" in options)
    rule = "contradicts the manifest about whether the group was imported"
    findings.rule(right, "config", row["row"], "options", row["options"], rule)


def _follows(row: Row, manifest: Mapping[str, Any]) -> bool:
    """Return whether the row belongs to a block after the first. Not everybody reaches later
    blocks."""
    names = block_names(course(session_in(manifest, row["session"])))
    return row.get("block", "") in names[1:]


def check_people(outcomes: Rows, manifest: Mapping[str, Any], findings: Findings) -> None:
    """Check that everybody has exactly one row, that the number of rows matches the manifest, and
    that people without a seat earned nothing."""
    seen = set()
    counts: Counter[str] = Counter()
    payments: defaultdict[str, float] = defaultdict(float)
    for row in outcomes.records():
        key = person_of(row)
        if key in seen:
            message = f"participant {key[1]} of session {key[0]}: appears twice"
            findings.tell("outcomes", row["row"], message)
        seen.add(key)
        counts[row["session"]] += not _follows(row, manifest)
        payments[row["session"]] += row["payment"] or 0.0
        if (row["group"] == "") != (row["seat"] == ""):
            message = f"participant {key[1]} has a group without a seat, or a seat without a group"
            findings.tell("outcomes", row["row"], message)
    unseated = [row for row in outcomes.records() if row["group"] == ""]
    check_unseated(unseated, findings)
    for session, number in Counter(row["session"] for row in unseated).items():
        message = (
            f"{counted(number, 'row')} of session {session} without a seat: only the server's key "
            f"shows whether these participants exist"
        )
        where = place(findings.game, "outcomes")
        findings.problems.append(Problem("unknown", message, where, session))
    for session, paid in payments.items():
        entry = session_in(manifest, session)
        if "total" in entry and not _is_sum(entry["total"], paid):
            message = (
                f"payments of session {session} sum to {paid:.2f}, but the manifest says "
                f"{entry['total']!r}"
            )
            findings.tell("outcomes", None, message)
    for session, number in counts.items():
        expected = session_in(manifest, session).get("participants")
        # without rows, the first block is of another game; older exports lack the number
        if number and expected is not None and not _is_count(expected, number):
            rule = f"of session {session}, but the manifest says {expected!r}"
            message = f"{counted(number, 'participant')} {rule}"
            findings.tell("outcomes", None, message)


def check_codes(games: Mapping[str, Mapping[str, Rows]], findings: Findings) -> None:
    """Check that nobody has the code of a person in another session, because a server uses each
    code only once. Simulated and imported sessions have other codes. `games` maps each game to its
    tables."""
    config = rows_of(games, "config")
    alone = {row["session"] for row in config if not has_server(read(row["options"]))}
    people = [row for row in rows_of(games, "outcomes") if row["session"] not in alone]
    first: dict[str, str] = {}
    for session, code in sorted({(row["session"], row["participant"]) for row in people}):
        first.setdefault(code, session)
    for row in people:
        code, session = row["participant"], row["session"]
        if row["of"] == findings.game and first[code] != session:
            message = f"participant {code} of session {session}: also in session {first[code]}"
            findings.tell("outcomes", row["row"], message, column="participant")


def _is_sum(stated: Any, paid: float) -> bool:
    """Return whether the manifest states this amount and it is a number."""
    return type(stated) in (int, float) and round(paid, 2) == stated
