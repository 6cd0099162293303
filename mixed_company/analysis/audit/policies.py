"""What policies decided, asked again: with what their seat saw, and the chance of seat and period.

A policy that has another name now, a bot in a person's place, and a number that was edited decide
otherwise than the tables say. What cannot be asked again is counted (`Findings.unasked`), by why:

    NOT_INSTALLED   no policy of that name is here
    OUTSIDE         an agent from outside decided: nothing here knows why
    FAILED          the default stands there: it broke, gave nonsense, or was too slow that day
    TALK            it listens, and what was said is left out, or was said in that same moment

Who says that a bot is a person is not found by this: people do what they like.
"""

from __future__ import annotations

from typing import Any

from mixed_company import policies
from mixed_company.analysis.audit.group import Group
from mixed_company.analysis.audit.rows import Findings
from mixed_company.analysis.audit.voices import utterances
from mixed_company.engine.contract.errors import EngineError
from mixed_company.policies.outside import agent_of
from mixed_company.policies.policy import Answer, Memory, Policy, ask, seat_chance
from mixed_company.policies.talk import Talk
from mixed_company.table.export import LEFT_OUT, Row, in_columns
from mixed_company.table.options import Options, recorded
from mixed_company.table.talk import voices
from mixed_company.table.talk.memory import Utterance

__all__ = ["FAILED", "NOT_INSTALLED", "OUTSIDE", "TALK", "check_policies"]

NOT_INSTALLED = "as their policy is not installed here"
OUTSIDE = "as an agent from outside decided, which nothing here follows from"
FAILED = "as the default stands there, since the policy failed or was late"
TALK = "as what the policy had heard is left out, or is of that same moment"


def check_policies(group: Group, findings: Findings) -> None:
    """Every decision of a policy is the one that it takes again."""
    if "seats" not in group.tables:
        return
    heard = _Heard(group)
    for seat in range(group.game.seats):
        _follow(group, seat, heard, findings)


def _follow(group: Group, seat: int, heard: _Heard, findings: Findings) -> None:
    """The policies on a seat, one after the other, each from the memory with which it begins."""
    sat: Row | None = None
    policy: Policy | None = None
    memory: Memory = {}
    why = ""
    for period in range(group.periods):
        row, now = group.decisions.get((period, seat)), group.occupancy(period, seat)
        if now is not sat:
            sat, why = now, "" if now is None or agent_of(now["policy_id"]) is None else OUTSIDE
            policy = _made(now, group)
            memory = {} if policy is None else policy.start()
        if row is None or sat is None or row["decided_by"] not in ("policy", "default"):
            continue
        if sat["occupant"] != "policy" or (period, seat) not in group.replay.sights:
            continue
        if row["decided_by"] == "default":
            findings.unasked[FAILED] += 1
            continue
        why = why or (NOT_INSTALLED if policy is None else heard.unknown(policy, period, seat))
        if policy is None or why:
            findings.unasked[why] += 1
            continue
        answer = _asked(group, policy, period, seat, memory, heard.talk(policy, period, seat))
        memory = answer.memory
        _compare(group, row, policy, answer, findings)


def _made(sat: Row | None, group: Group) -> Policy | None:
    if sat is None or sat["occupant"] != "policy":
        return None
    try:
        return policies.make(sat["policy_id"], group.game)
    except (EngineError, ImportError):
        return None


def _asked(
    group: Group, policy: Policy, period: int, seat: int, memory: Memory, talk: Talk | None
) -> Answer:
    sight, far = group.replay.sights[period, seat], float("inf")
    chance = seat_chance(int(group.config["seed"]), seat, period)
    given = sight.allowed, sight.seen, memory, chance
    return ask(policy, *given, budget=far, patience=far, talk=talk)


def _compare(group: Group, row: Row, policy: Policy, answer: Answer, findings: Findings) -> None:
    """Check that what a policy sends now, as far as a page can send it, is what was sent."""
    place = row["period"], row["seat"]
    action = dict(answer.action)
    if not _as_it_is(group):
        action = group.replay.sights[place].allowed.nearest(action)
    findings.recomputed += 1
    key = f"period {place[0]}, seat {place[1]}"
    should = in_columns("sent_", group.game.declaration.actions, action)
    for name, value in should.items():
        if row[name] == value:
            findings.numbers += 1
        elif findings.other_code:
            findings.otherwise[f"{policy.id}, version {policy.version}"] += 1
        else:
            whose = f"{key}, as {row['policy_id']} decides"
            findings.value("decisions", row["row"], name, row[name], value, whose)


def _as_it_is(group: Group) -> bool:
    """Do policies send what they decide, and not the nearest that a page can?"""
    return "simulated" in group.options or group.option("disclosure", "") == "labels"


class _Heard:
    """What policies have heard when they decide, in a group that talks."""

    def __init__(self, group: Group) -> None:
        self._group = group
        self._options: Options | None = recorded(str(group.config["options"]))
        self._messages: list[Utterance] = []
        self._left_out = False
        if self._options is not None and self._options.talks and "messages" in group.tables:
            rows: list[Row] = [
                _with_text(row, self._options) for row in group.tables["messages"].records()
            ]
            self._left_out = any(row["text"] == LEFT_OUT for row in rows)
            self._messages = utterances(group, self._options, rows)

    def talk(self, policy: Policy, period: int, seat: int) -> Talk | None:
        """What a policy knows of the talk; None: it does not listen, or nobody talks."""
        if not _listens(policy) or self._options is None or not self._options.talks:
            return None
        until = self._asked_ms(period, seat)
        known = [one for one in self._messages if one.at_ms < until]
        return voices.talk_of(known, self._group.game, self._options, seat, period)

    def unknown(self, policy: Policy, period: int, seat: int) -> str:
        """Why that cannot be known; empty: it can."""
        if not _listens(policy):
            return ""
        until = self._asked_ms(period, seat)
        moment = any(one.at_ms == until for one in self._messages)
        return TALK if self._left_out or moment else ""

    def _asked_ms(self, period: int, seat: int) -> float:
        """When the policy was asked: as the period began, or its turn, or when it sat down."""
        times: list[Any] = [self._group.rounds.get(period, {}).get("shown_ms", "")]
        sat = self._group.occupancy(period, seat)
        times.append("" if sat is None else sat["at_ms"])
        order = self._group.game.sight.order or ()
        before = order[: order.index(seat)] if seat in order else ()
        rows = [self._group.decisions.get((period, other), {}) for other in before]
        times += [row.get("received_ms", "") for row in rows]
        return max((float(at) for at in times if at != ""), default=float("inf"))


def _listens(policy: Policy) -> bool:
    return type(policy).hear is not Policy.hear


def _with_text(row: Row, options: Options) -> Row:
    """With its text, where that was left out and its number in the list tells it."""
    place = row["sentence"]
    if row["text"] != LEFT_OUT or place == "" or not 0 <= place < len(options.talk_sentences):
        return row
    return {**row, "text": options.talk_sentences[place]}
