"""Times by the clock of the play, ms since 1970: a period begins when the one before is over.

    a period      is over when its last decision counted; by the clock, when its time is up
    a policy      decides when it has thought, and when its time is up at the latest; later by what
                  an event `policy_late` tells, if it was asked beside the server's loop
    a default     counts when the time is up; where somebody's line is slow, when what was pressed
                  in time could have come (`analysis.audit.lines`)
    in turn       the time of a seat begins when the seat before it has decided
    extended      the manager added time to a decision, as events say; a policy knows what was added
                  before it began

What a person took within these limits only the server has seen. The clock of the play stands
still while the server is away, and goes by no clock that can be set. What the machine's clock
showed is `wall_ms`: for all that a group did or for nothing (releases before 0.8.0), and at one
time one value.
Plays without a server have no times: then there is none in any table.
"""

from __future__ import annotations

from collections.abc import Iterator

from mixed_company.analysis.audit.group import Group
from mixed_company.analysis.audit.lines import closes
from mixed_company.analysis.audit.rows import Findings
from mixed_company.engine.contract.errors import EngineError
from mixed_company.table import thinking, timing
from mixed_company.table.export import Row

__all__ = ["check_times"]

_TIMES = {
    "decisions": ("shown_ms", "received_ms", "delay_ms"),
    "periods": ("shown_ms", "settled_ms"),
    "seats": ("at_ms",),
    "events": ("at_ms",),
}
_WALL = {
    "decisions": "received_ms",
    "periods": "settled_ms",
    **dict.fromkeys(("seats", "events", "messages"), "at_ms"),
}


def check_times(group: Group, findings: Findings) -> None:
    """Every time follows from the others, or lies where they let it."""
    _walls(group, findings)
    if not group.timed:
        _none(group, findings)
        return
    if "seats" not in group.tables:  # who sat down late decided late
        return
    before: Row | None = None
    for period in range(group.periods):
        row = group.rounds.get(period)
        if row is not None and not _missing(row, "periods", findings):
            _period(group, period, row, before, findings)
        before = row
    _seated(group, findings)


def _walls(group: Group, findings: Findings) -> None:
    """What the machine's clock showed when something took place: the same for all of one time."""
    rows = [
        (name, row["row"], row[column], row["wall_ms"])
        for name, column in _WALL.items()
        if name in group.tables
        for row in group.tables[name].records()
    ]
    known = 2 * sum(wall != "" for *_, wall in rows) > len(rows)
    shown: dict[int, int] = {}
    for name, number, at, wall in rows:
        if not known:
            findings.value(name, number, "wall_ms", wall, "")
        elif wall == "":
            findings.rule(False, name, number, "wall_ms", wall, "is no time")
        elif at != "":
            findings.value(name, number, "wall_ms", wall, shown.setdefault(at, wall))


def _none(group: Group, findings: Findings) -> None:
    """No table has a time."""
    for name in _TIMES:
        if name in group.tables and group.periods:
            for row in group.tables[name].records():
                for column in _TIMES[name]:
                    findings.value(name, row["row"], column, row[column], "")


def _missing(row: Row, table: str, findings: Findings) -> bool:
    lacks = [name for name in _TIMES[table] if row[name] == "" and name != "delay_ms"]
    for name in lacks:
        findings.rule(False, table, row["row"], name, "", "is no time", f"period {row['period']}")
    return bool(lacks)


def _period(group: Group, period: int, row: Row, before: Row | None, findings: Findings) -> None:
    shown, settled, key = row["shown_ms"], row["settled_ms"], f"period {period}"
    given = ("periods", row["row"])
    talked = group.talk_times(period)[1]
    if talked is not None:  # `analysis.audit.talk` looks at how long that took
        findings.value(*given, "shown_ms", shown, talked, key)
    elif before is not None and before["settled_ms"] != "":
        findings.value(*given, "shown_ms", shown, before["settled_ms"], key)
    elif period == 0:
        opened = [rows[0]["at_ms"] for rows in group.occupancies.values()]
        grace = timing.grace_ms(group.option("grace_seconds", 0))
        right = all(at == "" or at <= shown <= at + grace for at in opened)
        findings.rule(right, *given, "shown_ms", shown, "is not within the grace time", key)
    heard = list(_decisions(group, period, shown, settled, findings))
    over = closes(group, period, range(group.game.seats), shown)
    if group.option("pace", "") == "clock" and over is not None:
        findings.value(*given, "settled_ms", settled, over[1], key)
    elif len(heard) == group.game.seats - len(_gone(group, period)) and heard:
        findings.value(*given, "settled_ms", settled, max(heard), key)
    findings.rule(settled >= shown, *given, "settled_ms", settled, "is before it began", key)


def _gone(group: Group, period: int) -> tuple[int, ...]:
    """The seats whose turn does not come: in turn, those that were out before."""
    return group.replay.out.get(period, ()) if group.game.sight.order is not None else ()


def _decisions(
    group: Group, period: int, shown: int, settled: int, findings: Findings
) -> Iterator[int]:
    """When each decision counted; in turn, in the order of the seats."""
    order, turn, gone = group.game.sight.order, shown, _gone(group, period)
    seats = range(group.game.seats)
    over = closes(group, period, seats, shown)
    for seat in (at for at in (order or seats) if at not in gone):
        row = group.decisions.get((period, seat))
        if row is None or _missing(row, "decisions", findings):
            return
        key = f"period {period}, seat {seat}"
        findings.value("decisions", row["row"], "shown_ms", row["shown_ms"], shown, key)
        if order is not None:
            over = closes(group, period, range(seat, seat + 1), turn)
        _decision(group, row, turn, over, findings, key)
        yield row["received_ms"]
        turn = shown if order is None else row["received_ms"]
    for seat in gone:
        row = group.decisions.get((period, seat))
        if row is not None:
            key = f"period {period}, seat {seat}"
            findings.value("decisions", row["row"], "shown_ms", row["shown_ms"], shown, key)
            findings.value("decisions", row["row"], "received_ms", row["received_ms"], settled, key)
            findings.value("decisions", row["row"], "delay_ms", row["delay_ms"], "", key)


def _begun(group: Group, period: int, seat: int, turn: int) -> int:
    """When a seat began to decide: at its turn, or when its occupant sat down in it."""
    sat = group.occupancy(period, seat)
    return max(turn, sat["at_ms"]) if sat and sat["at_ms"] != "" else turn


def _decision(
    group: Group,
    row: Row,
    turn: int,
    over: tuple[int, int] | None,
    findings: Findings,
    key: str,
) -> None:
    given, received, delay = ("decisions", row["row"]), row["received_ms"], row["delay_ms"]
    at = _begun(group, row["period"], row["seat"], turn)
    extensions = group.extensions(row["period"], row["seat"])
    if row["occupant"] == "policy":
        should = _thought(group, row)
        if should is None:
            findings.tell("config", None, f"bot_delay: no thinking time follows from it, {key}")
        elif findings.value(*given, "delay_ms", delay, should, key):
            known = None if group.limit_ms is None else turn + group.limit_ms
            known = None if known is None else known + timing.extra_ms(extensions, at)
            thought = timing.answers_at(at, should, known)
            thought += group.late.get((row["period"], row["seat"]), 0)
            findings.value(*given, "received_ms", received, thought, key)
        return
    findings.value(*given, "delay_ms", delay, "", key)
    if row["decided_by"] == "absent":
        findings.value(*given, "received_ms", received, at, key)
    elif row["decided_by"] == "default":
        findings.value(*given, "received_ms", received, "" if over is None else over[1], key)
    else:
        right = turn <= received and (over is None or received < over[0])
        findings.rule(
            right, *given, "received_ms", received, "is not within the time to decide", key
        )


def _thought(group: Group, row: Row) -> int | None:
    """How long the policy on a seat thinks in a period; None where the options do not say it."""
    delay, seed = str(group.option("bot_delay", "")), int(group.config["seed"])
    try:
        seat, period = row["seat"], row["period"]
        surprised = thinking.is_surprising(_points(group, seat, period))
        return thinking.delay_ms(delay, seed, seat, period, _taken(group, period), surprised)
    except EngineError:
        return None


def _points(group: Group, seat: int, period: int) -> list[float]:
    """Return the points of a seat in the last two periods before one."""
    periods = range(max(period - 2, 0), period)
    rows = [group.replay.decisions.get((before, seat)) for before in periods]
    return [row["reward"] for row in rows if row is not None]


def _taken(group: Group, period: int) -> list[dict[int, int]]:
    """Return people's times for decisions in the last periods before one, in ms by seat."""
    if group.option("pace", "") == "clock":
        return []
    order, taken = group.game.sight.order, []
    for before in range(max(period - thinking.RECENT, 0), period):
        gone, times = _gone(group, before), dict[int, int]()
        rows = [group.decisions.get((before, seat)) for seat in order or range(group.game.seats)]
        turn: int | str | None = None
        for row in rows:
            if row is None or row["seat"] in gone or row["received_ms"] == "":
                continue
            begun = row["shown_ms"] if turn is None or order is None else turn
            turn = row["received_ms"]
            if row["decided_by"] == "person" and begun != "":
                times[row["seat"]] = int(row["received_ms"]) - int(begun)
        taken.append(times)
    return taken


def _seated(group: Group, findings: Findings) -> None:
    """All sit down at once; who comes back does when a period begins; who leaves, in between."""
    starts = [rows[0]["at_ms"] for rows in group.occupancies.values()]
    opened = max(set(starts), key=starts.count) if starts else ""
    for seat, rows in group.occupancies.items():
        for at, row in enumerate(rows):
            given, key = ("seats", row["row"], "at_ms", row["at_ms"]), f"seat {seat}"
            if at == 0:
                findings.value(*given, opened, key)
                continue
            since = row["since_period"] if row["since_period"] != "" else 0
            begins, ends = _began(group, since), _ended(group, since)
            if row["occupant"] == "person":
                talks = group.talk_times(since)[0] == row["at_ms"]
                findings.value(*given, row["at_ms"] if talks else begins, key)
                continue
            first = _began(group, max(since - 1, 0))
            first = first if since else group.talk_times(0)[0] or first
            right = row["at_ms"] != "" and first <= row["at_ms"]
            right = right and (ends is None or row["at_ms"] <= ends)
            findings.rule(right, *given, f"is not in the periods around {since}", key)


def _began(group: Group, period: int) -> int:
    """When a period began; also the one that is being played."""
    if period in group.rounds:
        return int(group.rounds[period]["shown_ms"] or 0)
    last = group.rounds.get(period - 1)
    return int(last["settled_ms"] or 0) if last else 0


def _ended(group: Group, period: int) -> int | None:
    row = group.rounds.get(period)
    return int(row["settled_ms"]) if row and row["settled_ms"] != "" else None
