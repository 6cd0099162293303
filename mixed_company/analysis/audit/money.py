"""Check people's payments, using the server's own rules (`experiment.payment`).

The parts must add up to the payment, to the cent. If a person played several games in a session,
the tables of all of them are needed, because the fee is paid only once and the payment is for the
whole session.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import product
from typing import Any

from mixed_company.analysis.audit.options import options_of
from mixed_company.analysis.audit.rows import Findings, Rows
from mixed_company.analysis.audit.way import (
    block_names,
    can_be_read,
    other_apps,
    plan_of,
    rows_of,
    seed_of,
    session_in,
)
from mixed_company.analysis.data import SEAT, Data, Problem
from mixed_company.analysis.reading import place
from mixed_company.experiment.assignment import drawn_block
from mixed_company.experiment.comparisons import counted
from mixed_company.experiment.payment import Part, of_blocks, of_games
from mixed_company.table.export import Row
from mixed_company.table.export.describing import file_of
from mixed_company.table.export.participants import PARTICIPANTS
from mixed_company.table.ledger import PARTS, Ledger, Stay, Terms, total
from mixed_company.table.pay import can_be_paid

_QUESTIONS = "pay_questions"
_COLUMNS = (*(f"pay_{name}" for name in PARTS if name != "questions"), "pay_elsewhere")
_AMOUNTS = (*_COLUMNS, _QUESTIONS, "payment", "points", "question_points", "waited_ms")
_ONCE = ("pay_fee", "pay_rounding")
"""Columns for the parts of a payment that only one of a session's games pays."""

_MOST = 1e12
"""The largest number accepted as an amount of money, a number of points or a time."""

Games = Mapping[str, Mapping[str, Rows]]
Shares = Mapping[str, Mapping[tuple[str, int, int], float]]


def check_money(
    games: Games, shares: Shares, manifest: Mapping[str, Any], findings: Findings, whole: bool
) -> None:
    """Check the payments of everybody in the audited game. `games` maps each game to its tables,
    and `shares` to the shares of periods that people held seats (`shares_of`). `whole` says whether
    `games` has all of the games in the export."""
    paying = _Paying(games, shares, manifest)
    people: dict[tuple[str, str], list[Row]] = {}
    for row in rows_of(games, "outcomes"):
        people.setdefault((row["session"], row["participant"]), []).append(row)
    unchecked = 0
    for rows in people.values():
        here = [row for row in rows if row["of"] == findings.game]
        sums = [_check_sum(row, findings) for row in here]
        if all(sums) and all(_has_parts(row) and are_amounts(row) for row in rows):
            checked = _check_person(paying, rows, findings, whole)
            unchecked += bool(here) and not checked and paying.has_groups(rows[0]["session"])
    count = sum(
        row["payment"] not in ("", 0.0) and not _has_parts(row)
        for row in rows_of(games, "outcomes")
        if row["of"] == findings.game
    )
    why = "could not be checked, because the parts are missing"
    _tell_unchecked(count, why, manifest, findings)
    if whole:
        why = "could not be computed, because the fee, the value of a point or a block is invalid"
        _tell_unchecked(unchecked, why, manifest, findings)


def shares_of(data: Data) -> dict[tuple[str, int, int], float]:
    """Return, by session, group and seat, the share of the game's periods in which a person held
    the seat. Groups whose decisions cannot be read are missing."""
    if "decisions" in data.unread:
        return {}
    people = data.decisions.loc[data.decisions["occupant"] == "person", SEAT]
    periods, games = Counter(people.itertuples(index=False, name=None)), data.games
    return {
        (session, group, seat): count / games[session, group].horizon
        for (session, group, seat), count in periods.items()
        if (session, group) in games
    }


def _tell_unchecked(count: int, why: str, manifest: Mapping[str, Any], findings: Findings) -> None:
    """Report payments that could not be checked. Every release that writes journals or
    `participants` also writes everything that they are computed from."""
    if count:
        later = {file_of("", PARTICIPANTS), file_of(findings.game, "journal")}
        kind = "differs" if later & {*manifest.get("tables", ())} else "unknown"
        message = f"{counted(count, 'payment')} {why}"
        findings.problems.append(Problem(kind, message, file_of(findings.game, "outcomes")))


def are_amounts(row: Row) -> bool:
    """Return whether all numbers that determine a payment are finite and plausible."""
    amounts = [row.get(name, "") for name in _AMOUNTS]
    # a string here means that the column could not be read as numbers
    texts = [amount for amount in amounts if isinstance(amount, str) and amount != ""]
    return not texts and not any(map(_is_absurd, amounts))


def _is_absurd(amount: Any) -> bool:
    is_number = not isinstance(amount, str)
    return is_number and not (math.isfinite(amount) and abs(amount) <= _MOST)


def _check_sum(row: Row, findings: Findings) -> bool:
    """Check that the parts add up to the payment, and that all or none of them are present. Return
    whether all are present."""
    key, line = f"participant {row['participant']}", ("outcomes", row["row"])
    for name in _AMOUNTS:
        if _is_absurd(row.get(name, "")):
            rule = f"is not a number from {-_MOST:.0e} to {_MOST:.0e}"
            findings.rule(False, *line, name, row[name], rule, key)
    if not _has_parts(row):
        named = [name for name in (*_COLUMNS, _QUESTIONS, "waited_ms") if row.get(name, "") != ""]
        if named:
            findings.tell(*line, f"{key}: has {', '.join(named)}, but some parts are missing")
        return False
    if not are_amounts(row):
        return False
    parts = [row[name] for name in _COLUMNS] + [row.get(_QUESTIONS) or 0.0]
    whole = sum(map(_cents, parts), Decimal(0))
    findings.value(*line, "payment", row["payment"], float(whole), key)
    exact = all(part == float(_cents(part)) for part in parts)
    rule = "and all other parts should be in whole cents"
    findings.rule(exact, *line, "pay_fee", row["pay_fee"], rule, key)
    return True


def _has_parts(row: Row) -> bool:
    return all(row.get(name, "") != "" for name in _COLUMNS)


def _cents(amount: Any) -> Decimal:
    return Decimal(repr(float(amount))).quantize(Decimal("0.01"))


class _Paying:
    """The payment terms of each group, the sessions' seeds, and the shares of periods that people
    played."""

    def __init__(self, games: Games, shares: Shares, manifest: Mapping[str, Any]) -> None:
        self._shares, self._manifest, self._games = shares, manifest, tuple(games)
        self._terms: dict[tuple[Any, ...], list[Terms]] = {}
        self._seeds: dict[str, int | None] = {}
        self._has_digests: set[str] = set()
        for group in rows_of(games, "config"):
            self._add(group)

    def _add(self, group: Row) -> None:
        session = group["session"]
        fee, rate = group.get("participation_fee", ""), group.get("point_value", "")
        self._seeds.setdefault(session, seed_of(group["config"]))
        if group.get("digest", ""):
            self._has_digests.add(session)
        if not (can_be_paid(str(fee)) and can_be_paid(str(rate))):
            return
        terms = Terms.of(fee, rate, options_of(group))
        played = (group["of"], group.get("treatment", ""), group.get("block", ""))
        for key in ((group["of"], group["group"]), played, ()):
            listed = self._terms.setdefault((session, *key), [])
            if terms not in listed:
                listed.append(terms)

    def has_groups(self, session: str) -> bool:
        """Return whether the export has a group of the session."""
        return session in self._seeds

    def plan(self, session: str) -> Mapping[str, Any] | None:
        return plan_of(self._manifest, session)

    def drawn(self, row: Row, plan: Mapping[str, Any]) -> int | None:
        """Return the block that was drawn for a person; None if all blocks are paid or the seed is
        unknown."""
        seed = self._seeds.get(row["session"])
        if plan["pay_blocks"] == "all" or seed is None:
            return None
        slot = -1 if row.get("slot", "") == "" else int(row["slot"])
        return drawn_block(seed, slot, len(block_names(plan)))

    def others(self, session: str) -> list[str] | None:
        """Return the apps of a session that are not games in the export; None if they are unknown,
        as in exports from earlier releases."""
        entry = session_in(self._manifest, session)
        if "apps" in entry or not ("total" in entry or session in self._has_digests):
            return other_apps(entry, self._games)
        return []

    def terms(self, row: Row) -> list[Terms]:
        """Return the payment terms that can apply to a person: the group's terms or, without a
        group, the terms of the treatment's groups or, failing that, of any group in the session."""
        if row["group"] != "":
            return self._terms.get((row["session"], row["of"], row["group"]), [])
        played = row["session"], row["of"], row.get("treatment", ""), row.get("block", "")
        return self._terms.get(played) or self._terms.get((row["session"],), [])

    def part(self, row: Row, terms: Terms) -> Part:
        share = self._share(row) if terms.pro_rata else 1.0
        numbers = (row.get(name) or 0.0 for name in ("waited_ms", "question_points"))
        stay = Stay(row["status"], row["seat"] != "", row["points"] or 0.0, share, *numbers)
        return Part(terms, stay)

    def _share(self, row: Row) -> float:
        """Return the share of the game's periods in which the person held a seat: 0 without a seat
        or if the group has no decisions."""
        seat = row["session"], row["group"], row["seat"]
        return self._shares.get(row["of"], {}).get(seat, 0.0)


def _check_person(paying: _Paying, rows: Sequence[Row], findings: Findings, whole: bool) -> bool:
    """Check the parts of a person's payment, and return whether they could be computed. `rows` are
    the person's rows in all games and blocks."""
    plan = paying.plan(rows[0]["session"])
    names = block_names(plan)
    if names and plan is not None:
        if not can_be_read(plan) or any(row["block"] not in names for row in rows):
            return False
        rows = sorted(rows, key=lambda row: names.index(row["block"]))
        if [names.index(row["block"]) for row in rows] != list(range(len(rows))):
            return False  # the tables of another game are missing
    else:
        rows = sorted(rows, key=lambda row: not row["pay_fee"])
    possible = list(_possible(paying, rows, plan))
    if not possible:
        return False
    ledgers = next((some for some in possible if _is_paid(rows, some)), possible[0])
    foreign = _foreign(paying, rows, ledgers, bool(plan), findings) if whole else None
    for number, (row, amounts) in enumerate(zip(rows, ledgers, strict=True)):
        if row["of"] == findings.game:
            alone = foreign is None and bool(row["pay_elsewhere"])
            _check_row(row, amounts, alone, findings)
            if foreign is not None:
                elsewhere = _elsewhere(ledgers, number, bool(plan))
                should = float(elsewhere + foreign[number])
                cell = ("outcomes", row["row"], "pay_elsewhere", row["pay_elsewhere"])
                findings.value(*cell, should, _key(row))
    return True


def _possible(
    paying: _Paying, rows: Sequence[Row], plan: Mapping[str, Any] | None
) -> Iterator[list[Ledger]]:
    """Yield a person's ledger under each possible set of terms. There are several only if the
    person had no seat and no group played the treatment."""
    names = block_names(plan)
    for terms in product(*(paying.terms(row) for row in rows)):
        parts = [paying.part(row, single) for row, single in zip(rows, terms, strict=True)]
        if names and plan is not None:
            yield of_blocks(parts, len(names), paying.drawn(rows[0], plan))
        else:
            yield of_games(parts)


def _is_paid(rows: Sequence[Row], ledgers: Sequence[Ledger]) -> bool:
    return all(
        (row.get(f"pay_{name}") or 0.0) == float(amount)
        for row, amounts in zip(rows, ledgers, strict=True)
        for name, amount in amounts.items()
    )


def _check_row(row: Row, amounts: Ledger, alone: bool, findings: Findings) -> None:
    """Compare the parts of the payment in a row. `alone` means that another game's tables are
    missing. That game may have paid the fee, so the fee is not compared."""
    for name, amount in amounts.items():
        column = f"pay_{name}"
        if column == _QUESTIONS and row.get(column, "") == "" and not amount:
            continue  # an export without questions lacks this column
        if not (alone and column in _ONCE):
            cell = ("outcomes", row["row"], column, row.get(column, ""))
            findings.value(*cell, float(amount), _key(row))


def _elsewhere(ledgers: Sequence[Ledger], number: int, planned: bool) -> Decimal:
    """Return the amount that a row should show for the person's payment from other games and
    blocks. Without a plan, a game that pays nothing shows 0."""
    here = total(ledgers[number])
    return sum(map(total, ledgers), -here) if here or planned else Decimal(0)


def _foreign(
    paying: _Paying,
    rows: Sequence[Row],
    ledgers: Sequence[Ledger],
    planned: bool,
    findings: Findings,
) -> list[Decimal]:
    """Return, for each row, the amount paid by apps that are not in the export. It can be any
    amount, but must be the same in all rows, and 0 if the session has no such app."""
    nothing = [Decimal(0)] * len(rows)
    apps = paying.others(rows[0]["session"])
    if apps == []:
        return nothing
    paid = bool(sum(map(total, ledgers), Decimal(0)))
    shows = [paid and (planned or bool(total(amounts))) for amounts in ledgers]
    if not any(shows):
        return nothing
    first = shows.index(True)
    extra = _cents(rows[first]["pay_elsewhere"]) - _elsewhere(ledgers, first, planned)
    if extra and rows[first]["of"] == findings.game:
        message = (
            f"{extra} of the payment comes from apps of the session that are not in this export"
            f"{': ' if apps else ''}{', '.join(apps or ())}; only the server's key shows whether "
            f"somebody changed it"
        )
        code = rows[first]["participant"]
        where = place(findings.game, "outcomes")
        whose = {"session": rows[first]["session"], "participant": code}
        findings.problems.append(
            Problem("unknown", f"participant {code}: {message}", where, **whose)
        )
    return [extra if shown else Decimal(0) for shown in shows]


def _key(row: Row) -> str:
    block = f", block {row['block']}" if row.get("block", "") else ""
    return f"participant {row['participant']}{block}"
