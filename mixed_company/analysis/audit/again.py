"""Replay a group from its journal or, if it has none, using only the rules.

    rebuilt     rebuilds the table from config, seed and journal (`table.rebuilding`), including
                decisions, times, people, talk and votes
    simulated   replays plays of policies without a server
    replayed    replays the decisions under the rules, if the export is from an earlier release,
                policies are not installed, or texts were left out of the file
    imported_rows
                returns the rows that an import writes for a replayed play

`rebuilt` and `replayed` return a `Played`, which produces the group's rows in an export.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from mixed_company.analysis import again
from mixed_company.analysis.audit.asked import AskedAgain, check_votes, stand_in
from mixed_company.analysis.audit.rows import Findings, Rows
from mixed_company.analysis.importing.rows import OF_GROUP, ImportedPlay, events_of
from mixed_company.analysis.simulated import group_rows
from mixed_company.engine.contract.errors import EngineError, LogError
from mixed_company.engine.game import Game
from mixed_company.engine.play.episode import Episode
from mixed_company.files import parsed
from mixed_company.table import voting
from mixed_company.table.choosing import ABSTAINED
from mixed_company.table.export import Row
from mixed_company.table.export.played import Played
from mixed_company.table.journal import Entry
from mixed_company.table.options import Options, recorded
from mixed_company.table.rebuilding import following, opened
from mixed_company.table.setup import Setup
from mixed_company.table.table import Table

_WRONG = (
    *(EngineError, ArithmeticError, AssertionError, AttributeError, LookupError),
    *(RecursionError, RuntimeError, TypeError, ValueError),
)
"""Errors that a table can raise if somebody has changed its journal."""


def entries_of(rows: Rows, findings: Findings) -> list[Entry]:
    """Return a journal's entries, parsed from its rows. If a row cannot be read, report it and
    return []."""
    entries = []
    for place, row in enumerate(rows.records()):
        findings.value("journal", row["row"], "number", row["number"], place)
        try:
            rest = parsed(row["entry"])
            entries.append({"kind": row["kind"], "at_ms": int(row["at_ms"]), **rest})
        except (TypeError, ValueError, RecursionError):
            findings.tell(
                "journal",
                row["row"],
                f"entry {place}: should be a JSON object without repeated keys",
            )
            return []
    return entries


def rebuilt(
    config: Row,
    journal: Sequence[Entry],
    codes: Mapping[int, str],
    rows: Mapping[tuple[int, int], int],
    findings: Findings,
) -> tuple[Played, Table] | None:
    """Rebuild the table, and return its play and the table. If that fails, report why and return
    None.

    `rows` maps period and seat to the decision's position in the file.
    """
    last = -1
    try:
        setup = _setup(config, journal, findings)
        recalled = AskedAgain(journal, rows, findings)
        table = opened(setup, journal)
        for entry in following(table, journal, recalled):
            recalled.look(table, entry)
            last += 1
    except _WRONG as error:
        why = f"{type(error).__name__}: {error!s:.200}"
        findings.tell("journal", None, f"cannot be replayed after entry {last}: {why}")
        return None
    entries = json.loads(json.dumps(table.rows))
    return Played({}, voting.played(setup, entries), entries, codes, lambda at_ms: None), table


def _setup(config: Row, journal: Sequence[Entry], findings: Findings) -> Setup:
    """Return the setup that the table was opened with."""
    options = recorded(config["options"])
    if options is None:
        raise LogError("this release cannot read the options")
    setup = _opened_with(config, options)
    missing = stand_in(setup, journal)
    if setup.rules and (missing or findings.other_code):
        check_votes(setup, journal, findings)
        setup = setup.changed(leanings=_votes(journal))
        stand_in(setup, journal)
    return setup


def _opened_with(config: Row, options: Options) -> Setup:
    """Return the setup before a vote; its configuration is the first rule on the ballot."""
    rules = json.loads(config["rules"]) if config.get("rules") else {}
    first = next(iter(rules.values())) if rules else json.loads(config["config"])
    return Setup(config=first, options=options, rules=rules)


def _votes(journal: Sequence[Entry]) -> dict[str, str]:
    """Return a mapping from each policy to the rule that it voted for."""
    return {
        name: vote
        for entry in journal
        if entry.get("event") == "chosen"
        for name, vote in zip(entry["occupants"], entry["votes"], strict=True)
        if name != "person" and vote != ABSTAINED
    }


def simulated(
    config: Row, options: Mapping[str, Any], game: Game[Any], findings: Findings
) -> dict[str, list[Row]] | None:
    """Return the rows, by table, of a group that policies played without a server.

    Return None if the group played on a server, if a policy is not installed, or if another release
    made the export.
    """
    people, bots = options.get("simulated"), options.get("bots", [])
    if not isinstance(people, list) or (findings.other_code and not findings.same_release):
        return None
    base = {name: config.get(name, "") for name in ("session", "group", "treatment")}
    voting = {name: options[name] for name in ("rules_bots", "rules_tie") if name in options}
    try:
        setup = _opened_with(config, Options(**voting))
        played = setup if setup.rules else game
        rows = group_rows(played, people, bots, int(config["seed"]), base)
    except _WRONG:
        return None
    findings.recomputed += len(rows["decisions"])
    return rows


def replayed(
    config: Row, game: Game[Any], rows: Rows, codes: Mapping[int, str], periods: int
) -> tuple[Played, str]:
    """Replay a group's decisions under the rules, as far as possible. Return the play and, if the
    replay stops early, the reason. `rows` are the group's decisions in order, without
    duplicates."""
    journal: list[Entry] = [{"kind": "start", "at_ms": 0, "seed": int(config["seed"])}]
    played = Played({}, _setup_of(config, game), journal, codes, lambda at_ms: None)
    places: dict[int, list[int]] = {}
    for place, period in enumerate(rows.columns["period"]):
        places.setdefault(period, []).append(place)
    by_period = [list(rows.take(places.get(period, [])).records()) for period in range(periods)]
    whole = next(
        (number for number, decided in enumerate(by_period) if len(decided) < game.seats), periods
    )
    why = ""
    if whole < periods:
        missing = game.seats - len(by_period[whole])
        why = f"period {whole} cannot be replayed: {missing} of its decisions are missing"
    try:
        episode = Episode(game, int(config["seed"]))
        for period in again.played(episode, by_period[:whole]):
            decisions = [_decided(row) for row in by_period[period.number]]
            entry = {"kind": "period", "at_ms": 0, "shown_ms": 0, "seats": decisions}
            journal += [{**entry, **period.to_json()}, *events_of(period)]
    except EngineError as error:
        why = f"the periods from {len(journal)} on cannot be replayed: {error}"
    return played, why


def imported_rows(
    config: Row, options: Mapping[str, Any], played: Played, decisions: Rows
) -> dict[str, list[Row]]:
    """Return the rows, by table, that an import writes for the replayed play of a group."""
    game = played.setup.game
    base = {name: config.get(name, "") for name in OF_GROUP}
    times: list[list[int]] = [[0] * game.seats for _ in played.periods]
    for row in decisions.records():
        times[row["period"]][row["seat"]] = max(row["received_ms"] or 0, 0)
    timed = any(value != "" for value in decisions.columns["received_ms"])
    people = [played.code(seat) for seat in range(game.seats)]
    lines = [entry for entry in played.log if entry["kind"] != "start"]
    play = ImportedPlay(base, game, people, lines, times if timed else None, "questions" in options)
    return play.rows(config["session_config"], config.get("matching_group", ""))


def _setup_of(config: Row, game: Game[Any]) -> Setup:
    options = recorded(str(config["options"])) or Options()
    return Setup(config=game.config.model_dump(mode="json"), options=options)


def _decided(row: Row) -> Row:
    """Return a decision as a journal entry without a time."""
    return {
        "action": {},
        "by": row["decided_by"],
        "at_ms": 0,
        "policy_id": row["policy_id"] or None,
        "delay_ms": None,
        "occupant": row["occupant"],
    }
