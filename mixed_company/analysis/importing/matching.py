"""The plays of a table: the people in each group, their seats and their periods."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import NamedTuple, TypeVar

from mixed_company.analysis.importing.cells import Table
from mixed_company.analysis.importing.mapping import Column, Map
from mixed_company.engine.contract.errors import ConfigError, UnknownName, nearest
from mixed_company.table.seating import MOST_GROUPS, group_number

STRANGERS = "strangers"
"""Name of the block that contains all plays if groups change every period."""
ONE_SESSION = "session"
"""Name of the session if the map names no session column."""
ONE_TREATMENT = "imported"
"""Name of the treatment if the map names no treatment column."""


class Cell(NamedTuple):
    """A row of the table: its index and line, and who decided, with whom and when. `company` is the
    group within its session, or the two people of a pair; `person` is empty if the table has only
    seats.
    """

    place: int
    line: int
    session: str
    company: str
    period: int
    person: str
    seat: int | None
    treatment: str

    def __str__(self) -> str:
        who = f"person {self.person!r}" if self.person else f"seat {self.seat}"
        return f"{who} of session {self.session!r}"


@dataclass(frozen=True)
class Play:
    """A play of the table.

    group      number in the export
    company    group in the table
    block      name of the play if people are strangers; else empty
    treatment  name of the treatment in the table
    people     code of the person in each seat
    places     by period and seat: the row of the table
    mixing     smallest number of a first-period group that is connected to this one by exchanging
               people; None if people stay in their groups
    """

    session: str
    group: int
    company: str
    block: str
    treatment: str
    people: Sequence[str]
    places: Sequence[Sequence[int]]
    mixing: int | None = None

    def __str__(self) -> str:
        where = f"group {self.company!r} of session {self.session!r}"
        return f"{where}, {self.block}" if self.block else where


def matched(table: Table, described: Map) -> list[Play]:
    """Return the plays of a table in order. Raises ConfigError or UnknownName."""
    cells = _cells(table, described)
    described.check_treatments({cell.treatment for cell in cells} if described.treatments else ())
    _check_once(cells)
    if described.columns.partner is not None:
        _check_pairs(cells, table.names("columns.partner", described.columns.partner))
    plays: list[Play] = []
    for _, of_session in _parted(cells, lambda cell: cell.session):
        here = _strangers(of_session) if described.matching == STRANGERS else _partners(of_session)
        if len({play.group % (MOST_GROUPS + 1) for play in here}) > MOST_GROUPS:
            rule = f"more than {MOST_GROUPS} groups; name a column `session`"
            raise ConfigError(f"session {here[0].session!r}: {rule}")
        plays += here
    _check_sizes(plays)
    return plays


def _cells(table: Table, described: Map) -> list[Cell]:
    columns = described.columns

    def names(key: str, column: Column | None, otherwise: str) -> list[str]:
        if column is None:
            return [otherwise] * len(table)
        return table.names(f"columns.{key}", column)

    people = names("person", columns.person, "")
    if columns.partner is None:
        companies = names("group", columns.group, "")
    else:
        partners = names("partner", columns.partner, "")
        pairs = zip(people, partners, strict=True)
        companies = [" and ".join(sorted(pair, key=_natural)) for pair in pairs]
    seats: Sequence[int | None] = [None] * len(table)
    if columns.seat is not None:
        numbers = table.wholes("columns.seat", columns.seat)
        seats = [number - (min(numbers) == 1) for number in numbers]
    values = zip(
        range(len(table)),
        table.lines,
        names("session", columns.session, ONE_SESSION),
        companies,
        table.wholes("columns.period", columns.period),
        people,
        seats,
        names("treatment", columns.treatment, ONE_TREATMENT),
        strict=True,
    )
    return [Cell(*row) for row in values]


def _natural(text: str) -> tuple[float, str]:
    """Return a sort key that puts numbers first, by size, and then strings."""
    try:
        return float(text), ""
    except ValueError:
        return float("inf"), text


_Key = TypeVar("_Key", str, int)


def _parted(cells: Iterable[Cell], key: Callable[[Cell], _Key]) -> list[tuple[_Key, list[Cell]]]:
    """Return the cells grouped by key, in natural order. The key is a string or a number."""

    def order(cell: Cell) -> tuple[float, str]:
        return _natural(str(key(cell)))

    ordered = sorted(cells, key=order)
    return [(key(part[0]), part) for _, group in groupby(ordered, order) if (part := list(group))]


# -- checks --------------------------------------------------------------------------------------


def _check_once(cells: Sequence[Cell]) -> None:
    """Raise ConfigError if a person, or a group's seat, has two rows in a period."""
    seen: dict[tuple[object, ...], Cell] = {}
    for cell in cells:
        who = (cell.person,) if cell.person else (cell.company, cell.seat)
        first = seen.setdefault((cell.session, cell.period, *who), cell)
        if first is not cell:
            raise ConfigError(
                f"line {cell.line}: {cell}: two rows in period {cell.period}; the other is on "
                f"line {first.line}"
            )


def _check_pairs(cells: Sequence[Cell], partners: Sequence[str]) -> None:
    """Raise ConfigError or UnknownName if two people do not name each other as partners."""
    by_person = {(cell.session, cell.period, cell.person): cell for cell in cells}
    for cell, partner in zip(cells, partners, strict=True):
        other = by_person.get((cell.session, cell.period, partner))
        start = f"line {cell.line}: columns.partner = {partner!r}"
        if other is None:
            people = sorted({row.person for row in cells if row.session == cell.session})
            rule = f"no row in period {cell.period} of session {cell.session!r}"
            raise UnknownName(f"{start}: {rule}{nearest(partner, people)}")
        if other is cell:
            raise ConfigError(f"{start}: should not be the person in the same row")
        if partners[other.place] != cell.person:
            rule = f"this person's partner on line {other.line} is {partners[other.place]!r}"
            raise ConfigError(f"{start}: {rule}, not {cell.person!r}")


def _check_sizes(plays: Sequence[Play]) -> None:
    """Raise ConfigError if the groups of a treatment differ in size or have only one person."""
    first: dict[str, Play] = {}
    for play in plays:
        usual, size = first.setdefault(play.treatment, play), len(play.people)
        if size < 2:
            raise ConfigError(f"{play}: only one person, but a group needs two or more")
        if size != len(usual.people):
            raise ConfigError(
                f"{play}: {size} people, but {usual} has {len(usual.people)}; all groups "
                "of a treatment should have the same size"
            )


def _check_treatment(where: str, cells: Sequence[Cell]) -> str:
    """Return the treatment of a play. Raises ConfigError if it changes."""
    first = cells[0]
    for cell in cells:
        if cell.treatment != first.treatment:
            raise ConfigError(
                f"{where}: columns.treatment is {first.treatment!r} on line {first.line}, but "
                f"{cell.treatment!r} on line {cell.line}; a play has only one treatment, so import "
                f"each part as a separate table"
            )
    return first.treatment


def _periods(where: str, cells: Sequence[Cell], first: int) -> list[tuple[int, list[Cell]]]:
    """Return the rows by period. Raises ConfigError if a period is missing."""
    periods = _parted(cells, lambda cell: cell.period)
    for expected, (period, _) in enumerate(periods, first):
        if period != expected:
            raise ConfigError(
                f"{where}: columns.period: there is a row in period {periods[-1][0]}, but none in "
                f"period {expected}; no period should be left out"
            )
    return periods


def _seated(where: str, cells: Sequence[Cell]) -> list[Cell]:
    """Return a group's rows in a period, by seat. Raises ConfigError."""
    if cells[0].seat is None:
        return sorted(cells, key=lambda cell: _natural(cell.person))
    seats = sorted(cells, key=lambda cell: cell.seat or 0)
    if [cell.seat for cell in seats] != list(range(len(seats))):
        numbers = ", ".join(str(cell.seat) for cell in seats)
        raise ConfigError(
            f"{where}: columns.seat: seats in period {cells[0].period} are {numbers}, but should "
            f"be 0 to {len(seats) - 1}, each once"
        )
    return seats


# -- plays ---------------------------------------------------------------------------------------


def _partners(cells: Sequence[Cell]) -> list[Play]:
    """Return the plays of a session in which people stay in their group."""
    groups = _parted(cells, lambda cell: cell.company)
    _check_one_group(cells)
    start = min(cell.period for cell in cells)
    plays = []
    for number, (company, rows) in enumerate(groups, 1):
        where = f"group {company!r} of session {rows[0].session!r}"
        periods = [_seated(where, part) for _, part in _periods(where, rows, start)]
        first = [_code(cell) for cell in periods[0]]
        for part in periods:
            here = [_code(cell) for cell in part]
            if here != first:
                raise ConfigError(
                    f"{where}: {', '.join(here)} in period {part[0].period}, but "
                    f"{', '.join(first)} in period {start}; a group's people and seats should stay "
                    f"the same, unless matching = 'strangers'"
                )
        places = [[cell.place for cell in part] for part in periods]
        treatment = _check_treatment(where, rows)
        plays.append(Play(rows[0].session, number, company, "", treatment, first, places))
    return plays


def _check_one_group(cells: Sequence[Cell]) -> None:
    """Raise ConfigError if a person is in two groups."""
    groups: dict[str, Cell] = {}
    for cell in cells:
        first = groups.setdefault(cell.person, cell) if cell.person else cell
        if first.company != cell.company:
            raise ConfigError(
                f"line {cell.line}: {cell}: in group {cell.company!r} here, but in group "
                f"{first.company!r} on line {first.line}; set matching = 'strangers' if groups "
                "change every period, or name columns.seat instead of columns.person if numbers "
                "repeat in every group"
            )


def _code(cell: Cell) -> str:
    return cell.person or f"{cell.session}-{cell.company}-{cell.seat}"


def _strangers(cells: Sequence[Cell]) -> list[Play]:
    """Return the plays of a session in which groups change every period."""
    session = cells[0].session
    start = min(cell.period for cell in cells)
    for person, rows in _parted(cells, lambda cell: cell.person):
        _periods(f"person {person!r} of session {session!r}", rows, start)
    plays: list[Play] = []
    last = 0
    for block, (period, of_period) in enumerate(_periods(f"session {session!r}", cells, start), 1):
        for number, (company, rows) in enumerate(_parted(of_period, lambda cell: cell.company), 1):
            where = f"group {company!r} of session {session!r} in period {period}"
            seated = _seated(where, rows)
            places = [[cell.place for cell in seated]]
            codes = [_code(cell) for cell in seated]
            treatment = _check_treatment(where, rows)
            name = f"{STRANGERS}_{block}"
            group = group_number(block, number)
            plays.append(Play(session, group, company, name, treatment, codes, places))
        last = block
    _check_all_periods(session, cells, start + last - 1)
    mixing = mixed_groups({play.group: play.people for play in plays})
    return [replace(play, mixing=mixing[play.group]) for play in plays]


def _check_all_periods(session: str, cells: Sequence[Cell], last: int) -> None:
    """Raise ConfigError if a person has no rows in the last periods."""
    for person, rows in _parted(cells, lambda cell: cell.person):
        latest = max(cell.period for cell in rows)
        if latest < last:
            raise ConfigError(
                f"person {person!r} of session {session!r}: columns.period: no row in period "
                f"{latest + 1}, but the session has {last}; everyone should have a row in every "
                f"period"
            )


def mixed_groups(groups: Mapping[int, Sequence[str]]) -> dict[int, int]:
    """Return, for each group of a session, the smallest number among the groups that are connected
    to it by exchanging people. `groups` maps each group's number to its people."""
    number = {code: group for group in sorted(groups, reverse=True) for code in groups[group]}
    changed = True
    while changed:
        changed = False
        for people in groups.values():
            least = min((number[code] for code in people), default=0)
            changed |= any(number[code] != least for code in people)
            number.update(dict.fromkeys(people, least))
    return {group: number[people[0]] if people else group for group, people in groups.items()}
