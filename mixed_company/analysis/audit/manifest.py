"""Check that the manifest has every entry that a server writes, and that imported sessions and
anonymous exports contain nothing that the manifest rules out.

If an entry were missing, a comparison would be skipped. Entries may be missing in exports from
earlier releases, which have no treatment digests, and in files without a seal made with a key, such
as joined exports.

Everybody in an imported table has a group, and some group played each treatment in the manifest.
The payoff counts must be possible; only the imported table shows whether they are right.

In an anonymous export, columns declared personal may contain only codes, or a marker for omitted
values. This check cannot tell whether somebody could trace a code to a person.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from mixed_company import engine, policies
from mixed_company.analysis.audit.described import is_of_this_release
from mixed_company.analysis.audit.rows import Findings, Rows
from mixed_company.analysis.audit.way import seed_of, session_in
from mixed_company.analysis.data import Problem, rehearsed_seeds
from mixed_company.engine.contract.errors import EngineError, short
from mixed_company.experiment.digests import has_server, read
from mixed_company.experiment.manifest import unknown_keys
from mixed_company.policies.outside import agent_of
from mixed_company.table.export import CODED, Row, columns, is_anonymous
from mixed_company.table.export.archive import MANIFEST, PROJECT
from mixed_company.table.export.describing import file_of
from mixed_company.table.export.participants import PARTICIPANTS

_ALL = ("made", "software", "code", "games", "sessions", "created", "session_configs")
_OF_SESSION = ("session_config", "participants", "groups")
_OF_PLAN = ("name", "digest")
_OF_BLOCKS = ("matching", "matching_groups", "roles", "pay_blocks")
_OF_SEAL = ("groups", "head", "key", "seal")


def check_manifest(config: Rows, manifest: Mapping[str, Any], findings: Findings) -> None:
    """Report missing entries, and names in the manifest that contradict each other."""
    rows, seal = list(config.records()), manifest.get("sealed")
    of_server = seal is not None and seal.get("key") != ""
    if of_server and any(row.get("digest", "") for row in rows):
        played = dict.fromkeys(row["session"] for row in rows)
        uncounted = _uncounted(manifest, played, findings.game)
        absent = _left_out(rows, manifest, findings.game)
        for message in (*_problems(manifest, list(played)), *uncounted, *absent):
            findings.problems.append(Problem("differs", message, MANIFEST))
    kind = "differs" if is_of_this_release(manifest) else "unknown"
    findings.problems += [
        Problem(kind, f"{key}: no release writes this key", MANIFEST)
        for key in unknown_keys(manifest)
    ]
    for message in _unfounded(manifest):
        findings.problems.append(Problem("differs", message, MANIFEST))
    for session in (
        code for code in manifest.get("sessions", {}) if _has_other_total(manifest, code)
    ):
        message = f"sessions: {session}: total: an export has this only if the session has one app"
        findings.problems.append(Problem("differs", message, MANIFEST, session))
    if of_server and is_of_this_release(manifest):
        findings.problems += _strangers(manifest)
    for row in rows if "rehearsed" in manifest else ():
        if "simulated" not in read(row["options"]):
            sealed = of_server and row.get("digest", "") != ""
            _check_rehearsed(row, rehearsed_seeds(manifest), sealed, findings)


def _unfounded(manifest: Mapping[str, Any]) -> Iterator[str]:
    """Yield an error for each manifest entry about imports or anonymity in an export that is not
    imported or not anonymous."""
    sessions = manifest.get("sessions", {})
    if "imported" in manifest and not any("imported" in about for about in sessions.values()):
        yield "imported: no session was imported"
    for key in ("replaced", "left_out", "codes"):
        if key in manifest and manifest.get("anonymous") is not True:
            yield f"{key}: an export has this only if it has no personal data"


def _has_other_total(manifest: Mapping[str, Any], session: str) -> bool:
    """Return whether a session with several apps has a total payment."""
    about = session_in(manifest, session)
    apps = about.get("apps")
    return "total" in about and isinstance(apps, list) and len(apps) > 1


def _left_out(rows: Sequence[Row], manifest: Mapping[str, Any], game: str) -> Iterator[str]:
    """Yield the tables that every server writes but that are not in this export."""
    if any(has_server(read(row["options"])) for row in rows):
        for path in (file_of(game, "journal"), file_of("", PARTICIPANTS)):
            if path not in manifest["tables"]:
                yield f"tables: {path}: is missing"


def _uncounted(manifest: Mapping[str, Any], played: Iterable[str], game: str) -> Iterator[str]:
    """Yield the sessions for which the manifest does not state the number of this game's groups."""
    for session in played:
        groups = session_in(manifest, session).get("groups")
        if isinstance(groups, Mapping) and game not in groups:
            yield f"sessions: {session}: groups: {game}: is missing"


def _check_rehearsed(row: Row, seeds: Sequence[Any], of_server: bool, findings: Findings) -> None:
    """Check a group's `rehearsed` value against the seeds of rehearsed sessions in the manifest.

    A rehearsal has its own server, without other sessions. Only joined exports can contain both
    rehearsed groups and groups from real sessions. Groups from earlier releases do not have this
    value.
    """
    seed, mark = seed_of(row["config"]), row.get("rehearsed", "")
    named, cell = seed is not None and seed in seeds, ("config", row["row"], "rehearsed")
    if mark is False:
        rule = "but the manifest lists the seed of this session as rehearsed"
        findings.rule(not named, *cell, mark, rule)
        rule = "but the manifest says this server only ran rehearsals, so it had no real sessions"
        findings.rule(named or not of_server, *cell, mark, rule)
    elif of_server:
        rule = "has a seed that the manifest does not list as rehearsed"
        findings.rule(named, "config", row["row"], "config", row["config"], rule)


def _strangers(manifest: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield a problem for each policy that took people's places in a rehearsal, but that only other
    games have. If it is not installed here at all, this is a note."""
    where = "rehearsed: people: "
    for spec in dict.fromkeys(manifest.get("rehearsed", {}).get("people", ())):
        games = [game for game in engine.game_ids() if _has(game, spec)]
        if set(games) & set(manifest.get("games", ())) or agent_of(spec) is not None:
            continue
        if games:
            other = f"is a policy of {', '.join(games)}, but of no game in this export"
            yield Problem("differs", f"{where}{short(spec)} {other}", MANIFEST)
        else:
            missing = "is not installed here, so it could not be checked"
            yield Problem("unknown", f"{where}{short(spec)} {missing}", MANIFEST)


def _has(game: str, spec: str) -> bool:
    """Return whether a game has the policies of a spec."""
    try:
        policies.kinds(spec, game)
    except (EngineError, ImportError, ValueError):  # a population can name a path
        return False
    return True


def _problems(manifest: Mapping[str, Any], played: list[str]) -> Iterator[str]:
    if manifest.get("project") != PROJECT:
        yield f"project should be {PROJECT!r}"
    yield from _missing("", manifest, _ALL)
    if manifest.get("made") == "":
        yield "made: is empty, but every server writes the time of the export"
    if "sealed" in manifest:
        yield from _missing("sealed: ", manifest["sealed"], _OF_SEAL)
    sessions, configs = manifest.get("sessions", {}), set()
    for session in played if "sessions" in manifest else ():
        if session not in sessions:
            yield f"sessions: {session} is missing, but it has groups"
    for session, about in sessions.items():
        where = f"sessions: {session}: "
        expected = [key for key in _OF_SESSION if key != "groups" or session in played]
        yield from _missing(where, about, expected)
        configs.add(about.get("session_config"))
        if plan := about.get("plan"):
            yield from _missing(f"{where}plan: ", plan, _OF_PLAN)
            if "blocks" in plan or "matching" in plan:
                yield from _missing(f"{where}plan: ", plan, ("blocks", *_OF_BLOCKS))
            if plan.get("name") != about.get("session_config"):
                yield f"{where}plan: its name differs from that of the session config"
    yield from _named(manifest, sessions, configs)


def _named(
    manifest: Mapping[str, Any], sessions: Mapping[str, Any], configs: set[Any]
) -> Iterator[str]:
    """Yield an error for each list of names that does not match the sessions."""
    named, codes = manifest.get("session_configs", ()), manifest.get("created", list(sessions))
    if len(set(named)) != len(named) or not configs >= set(named):
        yield "session_configs: do not match the sessions"
    if len(set(codes)) != len(codes) or not set(sessions) <= set(codes):
        yield "created: lists a session twice, or does not list one"


def _missing(where: str, content: Mapping[str, Any], keys: Any) -> Iterator[str]:
    for key in keys:
        if key not in content:
            yield f"{where}{key}: is missing"


# -- imported sessions -------------------------------------------------------------------------


_PAYOFFS = ("compared", "differing")


def check_imported(
    tables: Mapping[str, Rows], manifest: Mapping[str, Any], findings: Findings
) -> None:
    """Check that people in imported sessions have a group, and check the entries of these sessions
    in the manifest."""
    number = _decisions(tables, manifest)
    for message in (*_payoffs(manifest, number), *_unplayed(tables["config"], manifest)):
        findings.problems.append(Problem("differs", message, MANIFEST))
    for row in tables["outcomes"].records() if "outcomes" in tables else ():
        if "imported" in session_in(manifest, row["session"]) and row["group"] == "":
            rule = "should be a group, because everybody in an imported table has one"
            key = f"participant {row['participant']}"
            findings.rule(False, "outcomes", row["row"], "group", "", rule, key)


def _decisions(tables: Mapping[str, Rows], manifest: Mapping[str, Any]) -> int:
    """Return the number of decisions in all games of an export or, for data without a file, in
    their game."""
    if "tables" not in manifest:
        return len(tables["decisions"]) if "decisions" in tables else 0
    listed = [about for path, about in manifest["tables"].items() if _is_decisions(path)]
    counts = [about.get("rows") for about in listed if isinstance(about, Mapping)]
    return sum(count for count in counts if type(count) is int)


def _payoffs(manifest: Mapping[str, Any], decisions: int) -> Iterator[str]:
    """Yield an error if the numbers of compared and differing payoffs are impossible."""
    payoffs = manifest.get("imported", {}).get("payoffs", {})
    if not payoffs:
        return
    if set(payoffs) != {*_PAYOFFS}:
        yield f"imported.payoffs = {short(payoffs)}: should have {' and '.join(_PAYOFFS)}"
        return
    compared, differing = (payoffs[name] for name in _PAYOFFS)
    if not 0 <= differing <= compared <= decisions:
        yield (
            f"imported.payoffs: {differing} of {compared} payoffs differ: should be from 0 "
            f"to {decisions}, the number of decisions"
        )


def _is_decisions(path: str) -> bool:
    return PurePosixPath(path).stem == "decisions"


def _unplayed(config: Rows, manifest: Mapping[str, Any]) -> Iterator[str]:
    """Yield an error for each treatment of an imported table that no imported group played. Each
    session's entry lists the treatments of all sessions in its table.
    """
    entries = {
        session: entry
        for session, entry in manifest.get("sessions", {}).items()
        if "imported" in entry
    }
    played = {row.get("treatment") for row in config.records() if row["session"] in entries}
    for session, entry in entries.items():
        for name in entry["imported"].get("treatments", ()):
            if played and name not in played:
                where = f"sessions: {session}: imported: treatments: {name}"
                yield f"{where}: no group played it"


# -- anonymous exports -------------------------------------------------------------------------


def check_anonymous(
    tables: Mapping[str, Rows], manifest: Mapping[str, Any], findings: Findings
) -> None:
    """Check that a game's tables contain no personal data, except texts that the export was asked
    to keep."""
    texts = manifest.get("left_out") == []
    usual = engine.make(findings.game)
    for name, rows in tables.items():
        personal = [
            column
            for column in columns(name, usual)
            if column.name in rows.columns
            and column.personal is not None
            and (column.personal in CODED or not texts)
        ]
        for row in rows.records():
            for column in personal:
                value = row[column.name]
                findings.coded(is_anonymous(column, row), name, row["row"], column.name, value)
