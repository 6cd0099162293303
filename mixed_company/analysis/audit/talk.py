"""What a group said: the table `messages`, and the events of its talk.

times      a time for talk begins when the period before is over, and ends when its time is up, or
           when all people are ready, and all policies that are not told from people seem to be;
           the period begins with that
messages   are in order, by who had the seat, within times, roles, length, list and rate; what is
           blocked has a word of the blocklist, and nothing else has
policies   say what they say again when they are asked again (`analysis.audit.voices`)

What people wrote, within these limits, and what they reported only the server has seen. Where an
export leaves texts out, those of a list are known by their number; what was said in own words is
not looked at, nor what policies would have said to it.
"""

from __future__ import annotations

from typing import Any

from mixed_company.analysis.audit.group import Group
from mixed_company.analysis.audit.rows import Findings
from mixed_company.analysis.audit.voices import check_voices, utterances
from mixed_company.policies.outside import agent_of
from mixed_company.table.export import LEFT_OUT, Row
from mixed_company.table.options import Options, recorded
from mixed_company.table.talk import voices
from mixed_company.table.talk.checking import is_too_often, why_not_to, words_of
from mixed_company.table.talk.memory import Utterance
from mixed_company.table.talk.wording import is_blocked

__all__ = ["check_talk"]


def check_talk(group: Group, findings: Findings) -> None:
    """All of it; nothing where the session was silent and says so."""
    rows = list(group.tables["messages"].records()) if "messages" in group.tables else []
    options = recorded(str(group.config["options"]))
    rows = [_listed(row, options) for row in rows]
    if options is None or not options.talks:
        for row in rows:
            findings.tell("messages", row["row"], "nobody talks in this session")
        return
    if "events" not in group.tables or "seats" not in group.tables:
        return
    if options.talk_apart:
        _check_times(group, options, findings)
    earlier: list[Utterance] = []
    for number, (row, utterance) in enumerate(
        zip(rows, utterances(group, options, rows), strict=True)
    ):
        findings.value("messages", row["row"], "number", row["number"], number)
        _check_message(group, options, row, utterance, earlier, findings)
        earlier.append(utterance)
    if all(_is_there(row["text"]) for row in rows):
        check_voices(group, options, rows, earlier, findings)


def _is_there(text: str) -> bool:
    """Was it not left out of the export?"""
    return text != LEFT_OUT


def _listed(row: Row, options: Options | None) -> Row:
    """With its text, where that was left out and its number tells it."""
    place = row["sentence"]
    if _is_there(row["text"]) or options is None or place in ("", None):
        return row
    sentences = options.talk_sentences
    return {**row, "text": sentences[place]} if 0 <= place < len(sentences) else row


# -- messages -------------------------------------------------------------------------------------


def _check_message(
    group: Group,
    options: Options,
    row: Row,
    message: Utterance,
    before: list[Utterance],
    findings: Findings,
) -> None:
    given, seat = ("messages", row["row"]), message.seat
    key = f"message {row['number']}"
    if not 0 <= seat < group.game.seats:
        findings.tell(*given, f"{key}: seat {seat}: there is no such seat")
        return
    findings.value(*given, "participant", row["participant"], group.participants.get(seat, ""), key)
    listed = message.sentence if options.talk == "list" else None
    findings.value(*given, "sentence", message.sentence, listed, key)
    if _is_there(message.text):
        _check_words(options, row, message, listed, findings, key)
    reason = why_not_to(group.game, options, seat, message.to)
    findings.rule(reason is None, *given, "to", row["to"], f"cannot be: {reason}", key)
    often = is_too_often(before, options, seat, message.at_ms)
    findings.rule(not often, *given, "at_ms", row["at_ms"], "is too soon for this seat", key)
    if before and message.at_ms < before[-1].at_ms:
        findings.rule(False, *given, "at_ms", row["at_ms"], "is before the message above", key)
    _check_time(group, options, row, message, findings, key)
    readable = set(message.readers) - {seat}
    right = set(message.reported_by) <= readable
    rule = "are not seats that could read it"
    findings.rule(right, *given, "reported_by", row["reported_by"], rule, key)


def _check_words(
    options: Options,
    row: Row,
    message: Utterance,
    listed: int | None,
    findings: Findings,
    key: str,
) -> None:
    """It is what could be written, and blocked where it has a blocked word."""
    given, words = ("messages", row["row"]), words_of(options, message.text, listed)
    reason = words if isinstance(words, str) else None
    findings.rule(reason is None, *given, "text", message.text, f"cannot be: {reason}", key)
    if not isinstance(words, str):
        findings.value(*given, "text", message.text, words[0], key)
    blocked = is_blocked(message.text, options.talk_blocklist)
    findings.value(*given, "blocked", message.blocked, blocked, key)


def _check_time(
    group: Group,
    options: Options,
    row: Row,
    message: Utterance,
    findings: Findings,
    key: str,
) -> None:
    """It was sent in a time for talk, by who had the seat then."""
    given, at, period = ("messages", row["row"]), message.at_ms, message.period
    begun: Any
    over: Any
    begun, over = group.talk_times(period)
    if not options.talk_apart:
        played, last = group.rounds.get(period), group.rounds.get(period - 1)
        begun = played["shown_ms"] if played else last["settled_ms"] if last else begun
        over = played["settled_ms"] if played else None
        if options.talk_seconds and begun not in ("", None):
            end = begun + round(1000 * options.talk_seconds)
            over = end if over in ("", None) else min(over, end)
    known = begun not in ("", None)
    right = known and begun <= at and (over in ("", None) or at <= over)
    rule = "is in no time for talk of its period"
    findings.rule(right, *given, "at_ms", row["at_ms"], rule, key)
    sat = [
        one
        for one in group.occupancies.get(message.seat, [])
        if one["at_ms"] == "" or one["at_ms"] <= at
    ]
    if sat and sat[-1]["at_ms"] != at:
        findings.value(*given, "occupant", row["occupant"], sat[-1]["occupant"], key)
        findings.value(*given, "policy_id", row["policy_id"], sat[-1]["policy_id"], key)


# -- times ------------------------------------------------------------------------------------


def _check_times(group: Group, options: Options, findings: Findings) -> None:
    """Each period that has a time for talk has one, at its beginning, and it ends as it should."""
    for period in range(group.periods if options.talk_when == "periods" else min(group.periods, 1)):
        begun, over = group.talk_times(period)
        row = group.rounds.get(period)
        if row is None:
            continue
        if begun is None or over is None:
            findings.tell("events", None, f"missing: period {period}: talk, talk_over")
            continue
        key, last = f"period {period}", group.rounds.get(period - 1)
        number = group.talk_row(period, "talk")
        if last is not None:
            given = ("events", number, "at_ms", begun)
            findings.value(*given, last["settled_ms"], key)
        _check_end(group, options, period, begun, over, findings)


def _check_end(
    group: Group, options: Options, period: int, begun: int, over: int, findings: Findings
) -> None:
    key, number = f"period {period}", group.talk_row(period, "talk_over")
    given = ("events", number, "at_ms", over)
    end = begun + round(1000 * options.talk_seconds)
    findings.rule(begun <= over <= end, *given, "is not within the time for talk", key)
    events = [row for row in group.tables["events"].records() if row["period"] == period]
    moved = any(row["event"] == "handed" and row["at_ms"] <= over for row in events)
    if moved or over == end:
        return
    ready = {row["seat"]: row["at_ms"] for row in events if row["event"] == "talk_done"}
    for seat in range(group.game.seats):
        sat = group.occupancy_at(seat, begun)
        if sat is None or sat["occupant"] == "nobody" or seat in group.replay.out.get(period, ()):
            continue
        if sat["occupant"] == "policy" and agent_of(sat["policy_id"]) is None:
            ready[seat] = _seems_ready(group, options, seat, period, begun)
        missing = f"ended before seat {seat} was ready"
        findings.rule(ready.get(seat, end) <= over, *given, missing, key)
    if ready:
        findings.value(*given, max([begun, *ready.values()]), key)


def _seems_ready(group: Group, options: Options, seat: int, period: int, begun: int) -> int:
    if options.disclosure == "labels":
        return begun
    written = [
        row["at_ms"]
        for row in (group.tables["messages"].records() if "messages" in group.tables else ())
        if row["seat"] == seat and row["period"] == period and row["occupant"] == "policy"
    ]
    read_ms: Any = voices.reading_ms(options, int(group.config["seed"]), seat, period)
    return int(max([begun, *written]) + read_ms)
