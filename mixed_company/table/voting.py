"""A table's vote on the rule of its play, before the play begins.

The vote begins when everyone has arrived, or has had time to arrive. Each person can make and
change a choice until the vote is over. The vote is over when all people have chosen and bots have
finished thinking, or when the time is up. A person who has not chosen abstains; nobody waits for a
person whose page does not respond for the grace time. Bots vote last, so their votes do not reveal
them (`table.leanings`). The table then continues under the winning rule, with the same seats and
seed. Its play begins after people have had READ_MS to see the result.

Two events report this: `choosing`, the vote begins; `chosen`, with the rule, the vote of every seat
and its occupant. After that, the `start` entry is logged again, with the observations under that
rule.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from mixed_company.engine.contract.chance import stream
from mixed_company.engine.play.episode import Episode
from mixed_company.language import gettext as _
from mixed_company.table import leanings, thinking, timing
from mixed_company.table.choosing import ABSTAINED, Vote, counts, winner
from mixed_company.table.journal import Entry
from mixed_company.table.protocol import Message, Refusal, short
from mixed_company.table.seating import MOST_CHOICES, Seat
from mixed_company.table.setup import Setup
from mixed_company.table.state import State
from mixed_company.table.writing import log, log_event

READ_MS = 10_000
"""Time that people have to see the result before the play begins."""

BEFORE = -1
"""Period number used for the time before the first period."""


def is_held(table: State) -> bool:
    """Return whether the table has a vote that is not over."""
    return table.vote is not None and table.vote.rule is None


def is_open(table: State) -> bool:
    """Return whether people can currently vote."""
    return is_held(table) and _vote(table).begun_ms is not None


def begin(table: State, time_ms: int) -> None:
    """Begin the vote, unless it has begun."""
    if table.vote is not None and table.vote.begun_ms is None:
        table.vote.begun_ms = time_ms
        log_event(table, "choosing", time_ms)


def closes_ms(table: State) -> int:
    """Return when the open vote ends if no more messages arrive."""
    vote = _vote(table)
    begun = int(vote.begun_ms or 0)
    ends = [_waits_until(table, vote, chair, begun) for chair in table.seats]
    limit = ends_ms(table)
    return max(ends) if limit is None else min(max(ends), limit)


def ends_ms(table: State) -> int | None:
    """Return the deadline of the open vote; None if there is no limit."""
    limit = timing.limit_ms(table.options.rules_seconds)
    return None if limit is None else int(_vote(table).begun_ms or 0) + limit


def _waits_until(table: State, vote: Vote, chair: Seat, begun: int) -> int:
    """Return when the vote no longer waits for a seat."""
    if chair.occupant != "person":
        return begun + thought_ms(table, chair.seat)
    if chair.seat in vote.votes:
        return vote.voted_ms[chair.seat]
    if chair.last_seen_ms is None:
        return max(begun, table.opened_ms + table.come_ms)
    return max(begun, chair.last_seen_ms + table.grace_ms)


def thought_ms(table: State, seat: int) -> int:
    """Return how long a bot takes to choose.

    Without this delay, a person alone with bots would see them vote immediately.
    """
    seed = int(stream(table.episode.seed, "thinking of rules").bits()) >> 11
    return thinking.delay_ms(table.options.bot_delay, seed, seat, 0)


def why_not(table: State, seat: int, message: Message) -> str | None:
    """Return why a vote is refused, as a sentence for the person, or None if it is accepted."""
    vote = table.vote
    if vote is None:
        return _("there is no vote in this game")
    if vote.begun_ms is None:
        return _("the vote has not begun yet")
    if vote.rule is not None:
        return _("the vote is over")
    if message.rule != ABSTAINED and message.rule not in table.setup.rules:
        return f"rule = {short(message.rule)}: should be one of {', '.join(table.setup.rules)}"
    if table.seats[seat].choices(BEFORE) >= MOST_CHOICES:
        return _("you have changed your choice too many times; your last choice counts")
    return None


def take(
    table: State, seat: int, message: Message, time_ms: int, barred: str | None
) -> Refusal | None:
    """Take a person's vote. Return a refusal that changes nothing, or None if the vote counts.

    `barred` is the reason why nothing is accepted from the seat, if any.
    """
    if message.id in table.seats[seat].ids:
        return None
    reason = barred or why_not(table, seat, message)
    if reason is not None:
        return Refusal(reason, message.id, table.episode.period)
    log(table, "choose", time_ms, seat=seat, id=message.id, rule=message.rule)
    table.seats[seat].remember(message.id, BEFORE)
    vote = _vote(table)
    vote.votes[seat], vote.voted_ms[seat] = message.rule, time_ms
    return None


def has_voted(table: State, seat: int) -> bool:
    """Return whether the person in a seat has chosen."""
    return seat in _vote(table).votes


def abstain(table: State, seat: int, time_ms: int) -> None:
    """Have a person abstain because the manager has ended the wait for this person."""
    vote = _vote(table)
    vote.votes[seat], vote.voted_ms[seat] = ABSTAINED, time_ms


def close(table: State, time_ms: int) -> None:
    """End the vote, and set up the play under the winning rule."""
    vote, setup, seed = _vote(table), table.setup, table.episode.seed
    votes = [_of(table, vote, chair) for chair in table.seats]
    vote.rule = winner(list(setup.rules), votes, setup.options.rules_tie, seed)
    vote.counts = counts(setup.rules, votes)
    occupants = [chair.policy_id or chair.occupant for chair in table.seats]
    log_event(table, "chosen", time_ms, rule=vote.rule, votes=votes, occupants=occupants)
    table.setup = setup.chosen(vote.rule)
    table.episode = Episode(table.setup.game, seed)
    table.game = table.episode.game
    for chair in table.seats:
        if chair.occupant == "policy":
            chair.memory = table.setup.policy(str(chair.policy_id)).start()
    log(table, "start", time_ms, seed=seed, observations=table.episode.observations_json)
    table.ready_ms = time_ms + max(table.countdown_ms, READ_MS)


def _of(table: State, vote: Vote, chair: Seat) -> str:
    """Return the vote of a seat."""
    if chair.occupant == "policy":
        return leanings.vote(table.setup, str(chair.policy_id), table.episode.seed, chair.seat)
    return vote.votes.get(chair.seat, ABSTAINED)


def _vote(table: State) -> Vote:
    if table.vote is None:
        raise RuntimeError("there is no vote at this table")
    return table.vote


# -- view of the vote -----------------------------------------------------------------------------


def view(table: State, seat: int) -> dict[str, Any] | None:
    """Return the part of the vote that a page shows, or None.

    During the vote, this is the person's choice; afterwards it is the rule and, until the first
    decision, the counts.
    """
    vote = table.vote
    if vote is None or vote.begun_ms is None or table.over:
        return None
    if vote.rule is None:
        return {"choice": vote.votes.get(seat)}
    begun = table.episode.period > 0 or seat in table.decided
    return {"rule": vote.rule} if begun else {"rule": vote.rule, "counts": vote.counts}


def played(setup: Setup, log: Iterable[Entry]) -> Setup:
    """Return the setup that a group played, according to its journal."""
    chosen = [entry["rule"] for entry in log if entry.get("event") == "chosen"]
    return setup.chosen(chosen[-1]) if chosen else setup
