"""Ask policies again while a group's table is rebuilt from its journal.

A policy decides from its observation, its memory and the random numbers of the seat and period. So
a renamed policy, a bot in a person's place or an edited decision shows up as a difference. The play
then continues with the journal's decision, so that later rows can still be compared. If no policy
can be asked, the decision is counted under one of these reasons (`Findings.unasked`):

    NOT_INSTALLED   no policy with that name is installed
    OUTSIDE         an outside agent decided; its decisions cannot be recomputed
    FAILED          the policy failed, gave an invalid answer or was too slow, so the default was
                    played
    SILENT          the policy failed when it should have written a message, so it wrote none

This cannot detect a bot that is recorded as a person, because a person can make any decision.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NoReturn

from mixed_company import policies
from mixed_company.analysis.audit.rows import Findings
from mixed_company.engine.contract.errors import EngineError
from mixed_company.engine.game import Game
from mixed_company.policies.outside import agent_of
from mixed_company.policies.policy import Answer, Policy
from mixed_company.policies.talk import Saying
from mixed_company.table import leanings
from mixed_company.table.answers import Question, Recalled
from mixed_company.table.export import Row, in_columns
from mixed_company.table.journal import Entry
from mixed_company.table.setup import Setup
from mixed_company.table.table import Table

NOT_INSTALLED = "because their policy is not installed here"
OUTSIDE = "because an outside agent made them"
FAILED = "because the default was played after the policy failed or was late"
SILENT = "because the policy failed to write a message, or was late"

Place = tuple[Any, ...]
"""A period and a seat; in later stages of the period, also the name of the stage."""


class _Missing(Policy):
    """Placeholder for a policy that is not installed."""

    id = "missing"
    games = ()
    source = "no policy: its decisions are in the journal"
    talks = True
    stage = None

    def act(self, *_: Any) -> NoReturn:
        raise RuntimeError("this policy is not installed")


def stand_in(setup: Setup, journal: Sequence[Entry]) -> bool:
    """Add a placeholder for each policy in a journal that is not installed. Return whether any
    placeholder was added."""
    specs = {entry["policy_id"] for entry in journal if entry["kind"] == "seat"} - {None}
    setups = [setup, *map(setup.chosen, setup.rules)]
    missing = [spec for spec in specs if not _is_installed(spec, setup.game)]
    for spec in missing:
        for other in setups:
            other.use(spec, _Missing(other.game.core))
    return bool(missing)


def _is_installed(spec: str, game: Game[Any]) -> bool:
    try:
        policies.make(spec, game)
    except (EngineError, ImportError):
        return False
    return True


def check_votes(setup: Setup, journal: Sequence[Entry], findings: Findings) -> None:
    """Compare the policies' recorded votes with the votes that they cast now. The replay itself
    uses the recorded votes, because policies may be missing, or their code may have changed."""
    for entry in (entry for entry in journal if entry.get("event") == "chosen"):
        for seat, (spec, vote) in enumerate(zip(entry["occupants"], entry["votes"], strict=True)):
            if spec == "person":
                continue
            policy = setup.policy(spec)
            if isinstance(policy, _Missing):
                findings.unasked[NOT_INSTALLED] += 1
                continue
            findings.recomputed += 1
            should = leanings.vote(setup, spec, journal[0]["seed"], seat)
            if vote == should:
                findings.numbers += 1
            elif findings.other_code:
                findings.otherwise[_versioned(policy)] += 1
            else:
                message = f"chosen: seat {seat}, vote of policy {policy.id}: {vote!r} should be"
                findings.tell("journal", None, f"{message} {should!r}")


class AskedAgain(Recalled):
    """Compares the answers that policies gave during the play with the answers that they give when
    asked again.

    rows     the position of each decision in the file, by period and seat
    """

    def __init__(
        self,
        journal: Sequence[Entry],
        rows: Mapping[Place, int],
        findings: Findings,
    ) -> None:
        super().__init__(journal)
        self._rows, self._findings = rows, findings
        self._apart: dict[Place, tuple[Question, Answer]] = {}
        self._messages = {
            (entry["period"], entry["seat"]): _saying(entry)
            for entry in journal
            if entry["kind"] == "message" and "id" not in entry
        }

    def answer(self, wanted: Question, period: int, seat: int, *stage: str) -> Answer:
        """Compare the policy's recorded answer with the answer that it gives now; return the
        recorded answer."""
        place = (period, seat, *stage)
        recorded = self.actions.get(place)
        if isinstance(wanted.policy, _Missing):
            self._count(NOT_INSTALLED, recorded)
            default = wanted.allowed.default_action()
            return Answer(default if recorded is None else recorded, {}, self.faults.get(place))
        if place in self.faults and recorded is not None:
            self._count(FAILED, recorded)
            self._check_default(wanted, place, recorded)
        return super().answer(wanted, period, seat, *stage)

    def asked(self, wanted: Question, period: int, seat: int, *stage: str) -> Answer:
        """Ask the policy again, and compare its answer with the recorded one."""
        again, place = wanted.answered(), (period, seat, *stage)
        if place in self.actions:
            should = wanted.allowed.nearest(again.action)
            self._compare(wanted, place, should, self.actions[place])
        return again

    def said(
        self, policy: Policy, ask: Callable[[], Saying | str | None], period: int, seat: int
    ) -> Saying | str | None:
        """Return the message that the policy writes now. If it differs from the recorded message
        and other code made the export, count the difference and return the recorded message."""
        place = period, seat
        recorded: Saying | str | None = self.unsaid.get(place, self._messages.get(place))
        if isinstance(policy, _Missing):
            return recorded
        if place in self.unsaid:
            self._count(SILENT, recorded)
            return recorded
        again = ask()
        if not self._findings.other_code or again == recorded:
            return again
        self._findings.otherwise[_versioned(policy)] += 1
        return recorded

    def look(self, table: Table, entry: Entry) -> None:
        """Check a decision that a policy made outside the server's event loop. `entry` is the
        journal entry that was just applied."""
        if entry["kind"] not in ("asked", "answer"):
            return
        # an answer is recorded before the next stage begins, so period and seat identify it
        place = entry["period"], entry["seat"]
        wanted = table.question(entry["seat"]) if entry["kind"] == "asked" else None
        if wanted is not None and wanted.policy.id not in ("outside", _Missing.id):
            self._apart[place] = wanted, wanted.answered()
        elif wanted is None and place in self._apart:
            question, again = self._apart.pop(place)
            self._check_apart(question, again, place, entry)
        elif wanted is None and entry["fault"]:
            self._count(FAILED, entry)
        elif wanted is None:
            agent = agent_of(table.seats[entry["seat"]].policy_id)
            self._count(NOT_INSTALLED if agent is None else OUTSIDE, entry)

    def _count(self, why: str, recorded: Any) -> None:
        """Count a recorded decision that no policy can be asked about."""
        if recorded is not None:
            self._findings.unasked[why] += 1

    def _check_apart(self, wanted: Question, again: Answer, place: Place, entry: Entry) -> None:
        """Compare the answer of a policy that was asked outside the server's event loop. Also
        compare the memory that it returned, because its later answers depend on it. A policy that
        fails keeps its old memory."""
        memory = wanted.memory if entry["fault"] else again.memory
        if entry["fault"]:
            self._count(FAILED, entry)
            self._check_default(wanted, place, entry["action"])
        else:
            self._compare(wanted, place, dict(again.action), entry["action"])
        if json.loads(json.dumps(memory)) == entry["memory"]:
            self._findings.numbers += 1
        elif self._findings.other_code:
            self._findings.otherwise[_versioned(wanted.policy)] += 1
        else:
            policy = wanted.policy.id
            message = (
                f"answer: {_key(place)}: the recorded memory differs from that of {policy} here"
            )
            self._findings.tell("journal", None, message)

    def _check_default(self, wanted: Question, place: Place, recorded: Mapping[str, Any]) -> None:
        """Check that the default was played in place of a failed policy's decision."""
        should = wanted.allowed.nearest(wanted.allowed.default_action())
        row, whose = self._rows.get(place[:2]), f"{_key(place)}, the default for a failed policy"
        for name, actual, value in _columns(wanted, wanted.allowed.nearest(recorded), should):
            if row is not None:
                self._findings.value("decisions", row, name, actual, value, whose)

    def _compare(
        self, wanted: Question, place: Place, should: Row, recorded: Mapping[str, Any]
    ) -> None:
        findings, row = self._findings, self._rows.get(place[:2])
        findings.recomputed += 1
        for name, actual, value in _columns(wanted, recorded, should):
            if actual == value:
                findings.numbers += 1
            elif findings.other_code:
                findings.otherwise[_versioned(wanted.policy)] += 1
            elif row is not None:
                whose = f"{_key(place)}, as {wanted.policy.id} decides"
                findings.value("decisions", row, name, actual, value, whose)


def _key(place: Place) -> str:
    return f"period {place[0]}, seat {place[1]}"


def _columns(
    wanted: Question, recorded: Mapping[str, Any], should: Row
) -> Iterator[tuple[str, Any, Any]]:
    """Yield each column of a decision, with its recorded and expected values."""
    allowed = wanted.allowed
    fields = [field for field in allowed.fields if field.name not in allowed.idle]
    sent = in_columns("sent_", fields, recorded)
    for name, value in in_columns("sent_", fields, should).items():
        yield name, sent[name], value


def check_otherwise(findings: Findings) -> None:
    """Report policies that now decide differently even though this release made the export.

    Another release can have other policies, so for its exports, differences are only counted.
    """
    if not findings.same_release:
        return
    findings.session, findings.group = "", None
    for named, count in sorted(findings.otherwise.items()):
        message = (
            f"{named}: {count} of its values differ from those computed here, although this "
            "release "
            f"made the export: either its code was different, or somebody changed the data"
        )
        findings.tell("decisions", None, message)
    findings.otherwise.clear()


def _versioned(policy: Policy) -> str:
    return f"{policy.id}, version {policy.version}"


def _saying(entry: Entry) -> Saying:
    if entry["sentence"] is None:
        return Saying(text=entry["text"], to=entry["to"])
    return Saying(sentence=entry["sentence"], to=entry["to"])
