"""A group: its recorded rows, and the rows that a replay of its journal or decisions produces."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from itertools import permutations, product
from typing import Any

from mixed_company.analysis.audit.again import (
    entries_of,
    imported_rows,
    rebuilt,
    replayed,
    simulated,
)
from mixed_company.analysis.audit.order import in_order
from mixed_company.analysis.audit.rows import Findings, Rows
from mixed_company.analysis.files import ExportError
from mixed_company.engine.game import Game
from mixed_company.experiment.comparisons import counted
from mixed_company.experiment.digests import has_server, read
from mixed_company.table.export import Anonymous, Column, Row, columns, spread
from mixed_company.table.export.peers import later_columns
from mixed_company.table.export.played import ROWS, Played
from mixed_company.table.export.ruled import has_pairs
from mixed_company.table.journal import Entry, of_play
from mixed_company.table.table import Table

KEYS: Mapping[str, tuple[str, ...]] = {
    "decisions": ("period", "seat"),
    "periods": ("period",),
    "pairs": ("period", "seat", "partner"),
}
"""Tables that can be recomputed using only the rules, with the columns that identify a row within a
group."""

_LISTED = ("seats", "events", "messages")
"""Tables that can be recomputed only from the journal, row by row and in its order."""

OF_PLAYS = {"session", "group", "treatment", "group_id", "block", "wall_ms", "shown_wall_ms"}
"""Columns that a replay cannot produce; `assigned` and `clocks` check them."""

_SENT = {
    *("participant", "occupant", "policy_id", "decided_by"),
    *("shown_ms", "received_ms", "delay_ms", "settled_ms"),
}
"""Columns, besides `sent_...`, that cannot be recomputed using only the rules."""


MOST_MISSING = 100_000
"""Maximum number of rows that a group's table can lack. A larger table can still be read if it has
its rows. There is a limit because the key of every missing row is listed, and two cells of a small
file can claim 10^10 of them."""

_MOST_ALIGNED = 1_000
"""Maximum number of differing rows to align. There is a limit because the time for alignment can
grow with the square of their number."""

Key = tuple[Any, ...]


class _Left(Anonymous):
    """Filter that removes the values that an anonymous export leaves out. It leaves participants'
    codes as they are, because these were replaced when the export was made."""

    def code(self, value: str) -> str:
        return value


@dataclass(frozen=True)
class Group:
    """A group of an export.

    config      its row of `config`
    options     the session's options for people and bots; empty if they cannot be read
    tables      its rows in every readable table; rows of tables in KEYS are sorted and have no
                duplicates
    periods     number of periods that have rows
    played      the replayed play, from its journal or, if it has none, from its decisions
    again       rows that the replay produced, by table
    whole       whether `again` has complete rows, and not only the numbers that follow from the
                rules
    table       the rebuilt table; None if there is no valid journal
    complete    whether all its periods could be replayed
    leaves_out  whether the export leaves out people's texts
    """

    config: Row
    options: Mapping[str, Any]
    game: Game[Any]
    tables: Mapping[str, Rows]
    periods: int
    played: Played
    again: Mapping[str, Sequence[Row]]
    whole: bool
    table: Table | None
    complete: bool
    leaves_out: bool

    def option(self, name: str, otherwise: Any) -> Any:
        """Return one of the session's options for people and bots, or `otherwise` if the option is
        missing."""
        return self.options.get(name, otherwise)

    def expected(self, name: str, rows: Iterable[Row]) -> list[Row]:
        """Return the rows without the values that are left out of the export."""
        if not self.leaves_out:
            return list(rows)
        names = spread(columns(name, self.game))
        return [dict(row) for row in _Left(b"").rows(names, rows)]

    @cached_property
    def sat(self) -> dict[int, list[Row]]:
        """Rows of `seats`, by seat; empty if the table could not be read."""
        by_seat: dict[int, list[Row]] = {}
        for row in self.tables["seats"].records() if "seats" in self.tables else ():
            by_seat.setdefault(row["seat"], []).append(row)
        return by_seat


def arranged(
    config: Row,
    options: Mapping[str, Any],
    game: Game[Any],
    tables: Mapping[str, Rows],
    findings: Findings,
    leaves_out: bool = False,
) -> Group:
    """Replay the group and return it with its rows in order. Report missing and duplicate rows.

    Raises ExportError if a table lacks more than MOST_MISSING rows.
    """
    codes = _participants(tables)
    rebuilt = None
    if "imported" in options:
        _check_no_journal(tables, findings)
    else:
        rebuilt = _rebuilt(config, game, tables, codes, findings, leaves_out)
    periods = _periods(game, tables) if rebuilt is None else len(rebuilt[0].periods)
    ordered = dict(tables)
    for name, keys in KEYS.items():
        if name in tables:
            _check_size(tables[name], periods, game, findings)
            places = _places(name, periods, game)
            ordered[name] = in_order(tables[name], keys, places, findings)
    base = config, options, game, ordered, periods
    if rebuilt is not None:
        findings.journals += 1
        played, table = rebuilt
        again = {name: list(ROWS[name](played)) for name in (*KEYS, *_LISTED)}
        return Group(*base, played, again, True, table, True, leaves_out)
    played, why = replayed(config, game, ordered["decisions"], codes, periods)
    if why:
        findings.tell("decisions", None, why)
    alone = {name: list(ROWS[name](played)) for name in KEYS}
    if "imported" in options:
        findings.imported += 1
        over = not why and _is_over(played, findings)
        rows = imported_rows(config, options, played, ordered["decisions"]) if over else None
    else:
        failed = any(
            "default" in ordered["decisions"].columns[f"{stage}_by"]
            for stage in ("decided", *game.stages.names[1:])
        )
        rows = None if failed else simulated(config, options, game, findings)
        findings.without_journal += rows is None
    whole = rows is not None
    return Group(*base, played, rows or alone, whole, None, not why, leaves_out)


def _check_no_journal(tables: Mapping[str, Rows], findings: Findings) -> None:
    """Check that an imported group has no journal."""
    journal = tables.get("journal", ())
    if len(journal):
        message = f"{counted(len(journal), 'entry')}, but an imported group has no journal"
        findings.tell("journal", None, message)


def _is_over(played: Played, findings: Findings) -> bool:
    """Return whether an imported play has its last period, and report a play without it."""
    if played.periods and played.periods[-1]["ended"] is not None:
        return True
    message = f"the play continues after {counted(len(played.periods), 'period')}"
    findings.tell("decisions", None, f"{message}, but an import has whole plays")
    return False


def _rebuilt(
    config: Row,
    game: Game[Any],
    tables: Mapping[str, Rows],
    codes: Mapping[int, str],
    findings: Findings,
    leaves_out: bool,
) -> tuple[Played, Table] | None:
    """Return the play and the table from a group's journal; None if there is no journal that can be
    replayed."""
    journal = tables.get("journal")
    if journal is None or not len(journal):
        options = read(config["options"])
        silenced = leaves_out and options.get("talk") == "free"
        if journal is not None and not silenced and has_server(options):
            findings.tell("journal", None, "missing: this group's journal")
        return None
    decisions = tables["decisions"]
    rows = dict(zip(decisions.keys(KEYS["decisions"]), decisions.numbers, strict=True))
    entries = entries_of(journal, findings)
    for number, entry in zip(journal.numbers, entries, strict=False):
        if entry["kind"] == "start":
            seeds = entry.get("seed"), config["seed"]
            findings.value("journal", number, "entry", *seeds, "seed of the start", "config")
    again = rebuilt(config, entries, codes, rows, findings) if entries else None
    if again is not None:
        column = spread(columns("journal", game)) if leaves_out else {}
        _check_journal(journal, entries, again[0], column, findings)
    return again


def _periods(game: Game[Any], tables: Mapping[str, Rows]) -> int:
    """Return the number of periods played. Rows with a number beyond the last possible period are
    ignored."""
    counts: Sequence[int] = [
        period + 1
        for name in KEYS
        if name in tables
        for period in tables[name].columns["period"]
        if 0 <= period < game.horizon
    ]
    return max(counts, default=0)


def _check_size(rows: Rows, periods: int, game: Game[Any], findings: Findings) -> None:
    """Raise ExportError if more than MOST_MISSING of a group's rows are missing."""
    seats = game.seats
    pairs = seats * (seats - 1) if has_pairs(game) else 0
    size = periods * {"periods": 1, "decisions": seats, "pairs": pairs}[rows.table]
    if size - len(rows) > MOST_MISSING:
        raise ExportError(
            f"{rows.table}: group {findings.group} of session {findings.session}: {seats} seats "
            f"and {periods} periods require {size} rows, but there are {len(rows)}; at most "
            f"{MOST_MISSING} can be missing"
        )


def _places(table: str, periods: int, game: Game[Any]) -> dict[tuple[int, ...], int]:
    """Return the keys of all rows that should be present, in order."""
    seats = game.seats if table != "pairs" or has_pairs(game) else 0
    if table == "periods":
        keys: list[Any] = [(period,) for period in range(periods)]
    elif table == "decisions":
        keys = list(product(range(periods), range(seats)))
    else:
        pairs = list(permutations(range(seats), 2))
        keys = [(period, *pair) for period in range(periods) for pair in pairs]
    return {key: index for index, key in enumerate(keys)}


def _participants(tables: Mapping[str, Rows]) -> dict[int, str]:
    """Return the participant in each seat: the code that most of the seat's rows have."""
    votes: dict[int, Counter[str]] = {}
    for name in ("decisions", "seats", "outcomes"):
        if name in tables:
            rows = tables[name].columns
            for seat, code in zip(rows["seat"], rows["participant"], strict=True):
                votes.setdefault(seat, Counter())[code] += 1
    return {seat: counts.most_common(1)[0][0] for seat, counts in votes.items()}


def _check_journal(
    rows: Rows,
    journal: Sequence[Entry],
    played: Played,
    left_out: Mapping[str, Column],
    findings: Findings,
) -> None:
    """Compare the journal's entries with those of the rebuilt table.

    If a vote replaced a `start` entry, that entry is ignored, because nobody played by its rules.
    """
    places = {id(entry): number for entry, number in zip(journal, rows.numbers, strict=True)}
    entries, again = of_play(journal), played.log
    findings.numbers += len(entries)
    for entry, should in zip(entries, again, strict=False):
        wanted = _without_words(should, left_out) if left_out else should
        if entry != wanted:
            names = [name for name in entry | wanted if entry.get(name) != wanted.get(name)]
            differs = f"{entry['kind']}: differs from its replay in {', '.join(map(str, names))}"
            findings.tell("journal", places[id(entry)], differs)
            return
    if len(entries) != len(again):
        message = f"{counted(len(entries), 'entry')}, but its replay has {len(again)}"
        findings.tell("journal", None, message)


def _without_words(entry: Entry, column: Mapping[str, Column]) -> Entry:
    """Return an entry without people's texts."""
    rest = {key: value for key, value in entry.items() if key not in ("kind", "at_ms")}
    [row] = _Left(b"").rows(column, [{"entry": json.dumps(rest)}])
    return {"kind": entry["kind"], "at_ms": entry["at_ms"], **json.loads(row["entry"])}


# -- rows compared --------------------------------------------------------------------------------


def check_rows(group: Group, findings: Findings) -> None:
    """Compare each of a group's rows with the replayed row. Without a journal, compare only the
    numbers that follow from the rules."""
    for name, keys in KEYS.items():
        if name in group.tables:
            rows = group.expected(name, group.again.get(name, ()))
            should = {tuple(row[key] for key in keys): row for row in rows}
            findings.rows(group.tables[name], keys, should, _compared(group))
    if "imported" in group.options:
        _check_import(group, findings)
    elif group.whole:
        _check_rule(group, findings)
    else:
        _check_choice(group, findings)
    for name in _LISTED:
        rows = group.expected(name, group.again.get(name, ()))
        if name in group.tables and group.whole:
            check_listed(group.tables[name], rows, findings)
        elif rows:
            findings.tell(name, None, f"missing: {counted(len(rows), 'row')}")


def _check_rule(group: Group, findings: Findings) -> None:
    """Check that the group chose this rule, and that the configuration matches it."""
    if group.table is not None:
        rule, played = group.played.setup.rule, group.played.setup.config
    else:
        [row] = group.again["config"]
        rule, played = row.get("rule", ""), json.loads(row["config"])
    config, line = group.config, ("config", group.config["row"])
    if "rule" in config:
        findings.value(*line, "rule", config["rule"], rule)
    if rule:
        right = json.loads(config["config"]) == played
        why = f"should be the configuration of rule {rule}"
        findings.rule(right, *line, "config", config["config"], why)


def _check_choice(group: Group, findings: Findings) -> None:
    """Check the rule of a group without a journal against its `chosen` event and its ballot."""
    config, line = group.config, ("config", group.config["row"])
    rules, rule = read(config.get("rules", "")), config.get("rule", "")
    if not rules or "events" not in group.tables:
        return
    events = group.tables["events"].records()
    chosen = [read(row["detail"]).get("rule") for row in events if row["event"] == "chosen"]
    findings.value(*line, "rule", rule, chosen[-1] if chosen else "", "", "events")
    if rule:
        right = read(config["config"]) == rules.get(rule)
        why = f"should be the configuration of rule {rule}"
        findings.rule(right, *line, "config", config["config"], why)


def _check_import(group: Group, findings: Findings) -> None:
    """Check that the row of `config` has what an import writes."""
    config, line = group.config, ("config", group.config["row"])
    for row in group.again.get("config", ()):
        for name in config:
            if name not in OF_PLAYS | {"row", "config", "options"}:
                findings.value(*line, name, config[name], row.get(name, ""))
        right = read(config["options"]) == read(row["options"]) or not findings.same_release
        rule = "differs from the options that an import writes"
        findings.rule(right, *line, "options", config["options"], rule)


def _compared(group: Group) -> Callable[[str], bool]:
    """Return a function that returns whether to compare a column. If the replay is incomplete, it
    selects only columns that follow from the rules."""
    later = {column.name for column in later_columns(group.game)}
    of_plays = OF_PLAYS | {name for name in later if name.endswith("_wall_ms")}

    def compared(column: str) -> bool:
        if not group.whole and (column in _SENT | later or column.startswith("sent_")):
            return False
        return column not in of_plays

    return compared


def check_listed(rows: Rows, should: Sequence[Row], findings: Findings) -> None:
    """Compare rows in journal order; report missing and extra rows."""
    names = [name for name in rows.columns if name not in OF_PLAYS]
    actual = rows.keys(names)
    wanted = [tuple(row.get(name, "") for name in names) for row in should]
    findings.numbers += len(names) * len(wanted)
    for first, last, begin, end in _differing(actual, wanted):
        for index, place in zip(range(first, last), range(begin, end), strict=False):
            key = _named(names, wanted[place])
            for name, value, right in zip(names, actual[index], wanted[place], strict=True):
                if value != right:
                    findings.value(rows.table, rows.numbers[index], name, value, right, key)
        for index in range(first + end - begin, last):
            message = f"{_named(names, actual[index])}: this row should not exist"
            findings.tell(rows.table, rows.numbers[index], message)
        for place in range(begin + last - first, end):
            findings.tell(rows.table, None, f"missing: {_named(names, wanted[place])}")


def _differing(actual: Sequence[Key], wanted: Sequence[Key]) -> list[tuple[int, int, int, int]]:
    """Return the stretches where two lists differ, as start and end positions in each list.

    Rows next to inserted and deleted rows are aligned. Long stretches are compared row by row
    instead.
    """
    shorter = min(len(actual), len(wanted))
    begin = next((index for index in range(shorter) if actual[index] != wanted[index]), shorter)
    rest = shorter - begin
    after = next((index for index in range(rest) if actual[-1 - index] != wanted[-1 - index]), rest)
    actual_part = actual[begin : len(actual) - after]
    wanted_part = wanted[begin : len(wanted) - after]
    sizes = len(actual_part), len(wanted_part)
    if max(sizes) == 0:
        return []
    if sizes[0] == sizes[1] or max(sizes) > _MOST_ALIGNED:
        return [(begin, begin + sizes[0], begin, begin + sizes[1])]
    matcher = SequenceMatcher(None, actual_part, wanted_part, autojunk=False)
    return [
        (begin + first, begin + last, begin + start, begin + end)
        for same, first, last, start, end in matcher.get_opcodes()
        if same != "equal"
    ]


def _named(names: Sequence[str], values: Sequence[Any]) -> str:
    row = dict(zip(names, values, strict=True))
    fields = [(name, row.get(name, "")) for name in ("period", "seat", "number", "question")]
    parts = [f"{name} {value}" for name, value in fields if value != ""]
    key = ", ".join(parts)
    return ": ".join(part for part in (key, str(row.get("event", ""))) if part)
