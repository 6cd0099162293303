"""What policies said, asked again: with what their seat saw, and what it had heard by then."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from mixed_company import policies
from mixed_company.analysis import again
from mixed_company.analysis.audit.group import Group
from mixed_company.analysis.audit.rows import Findings
from mixed_company.engine.contract.errors import EngineError
from mixed_company.engine.contract.space import Arrays
from mixed_company.engine.play.episode import Episode
from mixed_company.policies.outside import agent_of
from mixed_company.table.export import Row
from mixed_company.table.options import Options
from mixed_company.table.talk import among, voices
from mixed_company.table.talk.checking import is_too_often
from mixed_company.table.talk.memory import Composed, Utterance

__all__ = ["check_voices", "utterances"]


def utterances(group: Group, options: Options, rows: Sequence[Row]) -> list[Utterance]:
    """The rows of `messages` as a table keeps them."""
    return [_utterance(group, options, row) for row in rows]


def _utterance(group: Group, options: Options, row: Row) -> Utterance:
    to = None if row["to"] == "" else int(row["to"])
    seat, blocked = int(row["seat"]), row["blocked"] is True
    known = 0 <= seat < group.game.seats and not blocked
    return Utterance(
        0 if row["number"] == "" else int(row["number"]),
        0 if row["at_ms"] == "" else int(row["at_ms"]),
        -1 if row["period"] == "" else int(row["period"]),
        seat,
        row["occupant"],
        row["policy_id"] or None,
        to,
        _unquoted(row["text"]),
        None if row["sentence"] == "" else int(row["sentence"]),
        blocked,
        among.readers(group.game, options, seat, to) if known else [],
        [int(part) for part in str(row["reported_by"]).split() if part.isdigit()],
    )


def _unquoted(text: str) -> str:
    """What a spreadsheet would take for a formula has a quotation mark before it."""
    return text[1:] if text[:1] == "'" and text[1:2] in ("=", "+", "-", "@") else text


def check_voices(
    group: Group,
    options: Options,
    rows: Sequence[Row],
    messages: Sequence[Utterance],
    findings: Findings,
) -> None:
    """Each message of a policy is the one that it says again, and none is missing; what an agent
    from outside says again is not known."""
    if not any(_speaks(group, row) for sat in group.occupancies.values() for row in sat):
        for row in rows:
            if row["occupant"] == "policy" and agent_of(row["policy_id"]) is None:
                findings.tell("messages", row["row"], "its policy says nothing")
        return
    if group.replay.stopped is not None:
        return
    should = {(one.at_ms, seat): one for seat, one in _composed(group, options, messages)}
    until = _until(group)
    for row, message in zip(rows, messages, strict=True):
        if message.occupant != "policy" or agent_of(message.policy_id) is not None:
            continue
        own = should.pop((message.at_ms, message.seat), None)
        key = f"message {row['number']}, seat {message.seat}"
        if own is None:
            findings.tell("messages", row["row"], f"{key}: its policy said nothing then")
            continue
        given = ("messages", row["row"])
        findings.value(*given, "text", message.text, own.text, key)
        findings.value(*given, "sentence", message.sentence, own.sentence, key)
        findings.value(*given, "to", message.to, own.to, key)
    for (at, seat), own in should.items():
        if at <= until:
            what = f"missing: seat {seat} said {own.text!r:.60} at {at}"
            findings.tell("messages", None, what)


def _speaks(group: Group, sat: Row) -> bool:
    try:
        return bool(sat["policy_id"]) and policies.make(sat["policy_id"], group.game).talks
    except EngineError:
        return False


def _until(group: Group) -> int:
    """The last time of which the tables tell: what was due later may not have been sent."""
    times = [row["settled_ms"] for row in group.rounds.values()]
    for name in ("events", "messages"):
        if name in group.tables:
            times += [row["at_ms"] for row in group.tables[name].records()]
    return max((int(at) for at in times if at != ""), default=0)


def _composed(
    group: Group, options: Options, messages: Sequence[Utterance]
) -> Iterator[tuple[int, Composed]]:
    """(seat, what it says) of all that policies say, in the order in which they are asked."""
    writing: dict[int, int] = {}
    events = list(group.tables["events"].records())
    unsaid = {(row["period"], row["seat"]) for row in events if row["event"] == "talk_fault"}
    ends = [int(row["at_ms"]) for row in events if row["event"] in ("ending", "ended")]
    for period, at, over, seen in _times(group, options):
        for seat in range(group.game.seats):
            sat = group.occupancy_at(seat, at)
            if sat is None or sat["occupant"] != "policy" or not _speaks(group, sat):
                continue
            busy = not options.talk_apart and writing.get(seat, at) > at
            if busy or (period, seat) in unsaid or not among.can_write(group.game, options, seat):
                continue
            one = _asked(group, options, messages, sat, seat, period, at, seen[seat])
            if one is None:
                continue
            writing[seat] = one.at_ms
            if one.at_ms > min([*ends, *([] if over is None else [over])], default=one.at_ms):
                continue
            later = group.occupancy_at(seat, one.at_ms - 1) or sat
            before = [own for own in messages if own.at_ms < one.at_ms]
            if later["occupant"] == "policy" and not is_too_often(before, options, seat, one.at_ms):
                yield seat, one


def _asked(
    group: Group,
    options: Options,
    messages: Sequence[Utterance],
    sat: Row,
    seat: int,
    period: int,
    at: int,
    seen: Arrays,
) -> Composed | None:
    known = [one for one in messages if one.period < period]
    talk = voices.talk_of(known, group.game, options, seat, period)
    seed = int(group.config["seed"])
    policy = policies.make(sat["policy_id"], group.game)
    saying: Any = voices.asked(policy, options, talk, seen, seed)
    if saying is None or isinstance(saying, str):
        return None
    return voices.composed(group.game, options, talk, seed, saying, at)


Moment = tuple[int, int, int | None, list[Arrays]]


def _times(group: Group, options: Options) -> Iterator[Moment]:
    """(period, when policies are asked, when that talk is over if it is known, what seats see)."""
    for period, seen in _seen(group):
        begun, over = group.talk_times(period)
        if not options.talk_apart:
            played, last = group.rounds.get(period), group.rounds.get(period - 1)
            first = played["shown_ms"] if played else last["settled_ms"] if last else None
            begun, over = (None if first in ("", None) else int(first)), None
        if begun is not None:
            yield period, begun, over, seen


def _seen(group: Group) -> Iterator[tuple[int, list[Arrays]]]:
    """What all seats see before each period, also before the one that is being played."""
    episode = Episode(group.game, int(group.config["seed"]))
    moments: list[tuple[int, list[Arrays]]] = []

    def rows() -> Iterator[list[Row]]:
        for period in range(group.periods):
            moments.append((period, _sight(episode)))
            yield [group.decisions[period, seat] for seat in range(group.game.seats)]

    for _period in again.played(episode, rows()):
        yield moments.pop()
    if not episode.done:
        yield episode.period, _sight(episode)


def _sight(episode: Episode) -> list[Arrays]:
    return [episode.observation(seat) for seat in range(episode.game.seats)]
