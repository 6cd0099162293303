"""Keys of a session config that all games share: how people and bots meet."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import Any, Literal

from pydantic import ValidationError, field_validator, model_validator

from mixed_company.engine.contract.config import parameter, refusal
from mixed_company.engine.contract.errors import nearest
from mixed_company.engine.contract.section import Sparse
from mixed_company.language import SOURCE, codes
from mixed_company.policies.outside import agent_of
from mixed_company.policies.spec import policy_specs
from mixed_company.table.choosing import ChoosingOptions
from mixed_company.table.group_options import GroupOptions
from mixed_company.table.questions import QuestionOptions
from mixed_company.table.talk.options import SILENT, TalkOptions

STATUSES = (
    *("finished", "left", "released", "ended"),
    *("quiz_failed", "no_consent", "excluded", "full"),
)
"""Ways a participant's part can end; `full`: it never began because the session was
full."""

QUIZ_ATTEMPTS_KEPT = 200
"""Maximum number of attempts at the quiz that are stored; older ones are dropped."""

FASTEST_SECONDS = 0.25
"""Shortest turn that people can follow."""

UNENDING_SECONDS = 1e9
"""Grace time that is effectively infinite: 30 years."""

_PARAMETER = re.compile(r"[A-Za-z0-9_-]{1,40}")
_OTREE_PARAMETERS = ("participant_label", "hash", "welcome_page_ok", "browser", "visit")


_before = partial(parameter, group="Before the play")
_after = partial(parameter, group="Attention and comments")
_pay = partial(parameter, group="Pay and links")


class Options(GroupOptions, TalkOptions, QuestionOptions, ChoosingOptions, Sparse):
    """Keys of a session config that all games share."""

    language: Literal[codes()] = _before(  # type: ignore[valid-type]  # those with a catalogue
        SOURCE,
        "language of everything that participants read, including numbers and money",
        first=True,
    )
    practice_periods: int = _before(
        0,
        "number of practice periods for each person before the lobby, alone with bots and without "
        "a time limit; they do not count; with pace clock, a turn ends when the person has chosen",
        ge=0,
        le=10,
    )
    practice_bots: str = _before(
        "random",
        "comma-separated policies for the other seats in practice, in rotation; the policies in "
        "`bots` would show people how the game's bots play",
    )
    ready: bool = _before(
        False,
        "whether people in a group confirm that they are ready before the play begins; a person "
        "who does not confirm within 30 s (grace_seconds for a person alone with bots, or with "
        "dropout reduced or end) counts as away",
    )
    quiz: bool = _before(True, "whether people answer comprehension questions")
    quiz_tries: int = _before(
        0, "maximum number of attempts at the quiz; 0: no limit", ge=0, le=QUIZ_ATTEMPTS_KEPT
    )
    quiz_failed: Literal["end", "go_on"] = _before(
        "end", "if no attempts are left: the person's part ends, or the person plays anyway"
    )
    consent: str = _before(
        "",
        "text that people must agree to first, or the name of a .txt file in the "
        "project that contains it; empty: no consent page",
        first=True,
    )
    attention: bool = _after(True, "whether to record how long the play page was hidden or idle")
    comments: bool = _after(False, "whether to ask for comments at the end")
    pay_cap: float = _pay(0.0, "maximum number of points paid; 0: no cap", unit="points", ge=0)
    pay_floor: float = _pay(0.0, "minimum number of points paid", unit="points", ge=0)
    pay_waiting: float = _pay(0.0, "pay for each minute in the lobby", unit="currency", ge=0)
    fee_pro_rata: bool = _pay(
        False,
        "whether a person who has left gets only part of the fee, for the periods they played",
    )
    fee_shares: dict[str, float] = _pay(
        {}, "share of the fee, from 0 to 1, for each status that gets only part of it"
    )
    pay_rounding: float = _pay(
        0.01,
        "each part of a payment is rounded to the nearest cent, and their sum is rounded up to a "
        "multiple of this",
        unit="currency",
        ge=0.01,
        le=100,
    )
    budget: float = _pay(
        0.0, "maximum total payment to all people; 0: no check", unit="currency", ge=0
    )
    completion_links: dict[str, str] = _pay(
        {}, f"where to send people at the end, by status: {', '.join(STATUSES)}"
    )
    panel_parameters: str = _pay(
        "PROLIFIC_PID,STUDY_ID,SESSION_ID",
        "comma-separated link parameters that are kept; the first one identifies the participant",
    )

    return_by_label: Literal["room", "always", "never"] = _before(
        "room",
        "when a label alone is enough to return a participant to the seat: in rooms with a label "
        "file, always or never; the same browser and a personal link are always enough",
    )

    scriptless: bool = _before(
        False,
        "whether participants with plain=1 in their link get pages without scripts, with forms "
        "for programs",
    )

    @classmethod
    def unwritten(cls) -> tuple[str, ...]:
        return ("peer_seconds", "scriptless")

    @field_validator("completion_links")
    @classmethod
    def _links(cls, links: dict[str, str]) -> dict[str, str]:
        for status, link in links.items():
            if status not in STATUSES:
                raise ValueError(f"{status!r}: unknown status{nearest(status, STATUSES)}")
            if not link.startswith(("https://", "http://")):
                raise ValueError(f"{status} = {link!r}: should start with https:// or http://")
        return links

    @field_validator("fee_shares")
    @classmethod
    def _shares(cls, shares: dict[str, float]) -> dict[str, float]:
        paid = STATUSES[:-1]  # people turned away from a full session are not paid
        for status, share in shares.items():
            if status not in paid:
                raise ValueError(f"{status!r}: unknown status{nearest(status, paid)}")
            if not 0 <= share <= 1:
                raise ValueError(f"{status} = {share}: should be from 0 to 1")
        return shares

    @field_validator("panel_parameters")
    @classmethod
    def _parameters(cls, text: str) -> str:
        for name in policy_specs(text):
            if not _PARAMETER.fullmatch(name):
                raise ValueError(f"{name!r:.60}: should be 1 to 40 letters, digits, _ or -")
            if name in _OTREE_PARAMETERS:
                raise ValueError(f"{name!r}: oTree uses this parameter in its own links")
        return text

    @model_validator(mode="after")
    def _order(self) -> Options:
        if self.pay_cap and self.pay_cap < self.pay_floor:
            raise ValueError(
                f"pay_cap = {self.pay_cap}: should be at least pay_floor, {self.pay_floor}"
            )
        if self.agent_misses and agent_of(self.dropout_bot or self.bots.partition(",")[0]):
            raise ValueError(
                f"agent_misses = {self.agent_misses}: dropout_bot should name a policy, not an "
                "outside agent"
            )
        if any(agent_of(spec) is not None for spec in policy_specs(self.practice_bots)):
            raise ValueError(
                f"practice_bots = {self.practice_bots!r}: should name policies, not outside agents"
            )
        if self.by_clock and self.decision_seconds < FASTEST_SECONDS:
            raise ValueError(
                f"decision_seconds = {self.decision_seconds}: should be at least "
                f"{FASTEST_SECONDS} if pace is clock"
            )
        if self.scriptless and (self.talks or self.questions):
            raise ValueError(
                "scriptless = true: pages without scripts have no talk and no questions"
            )
        return self

    def in_practice(self) -> Options:
        """Return the options for a practice: bots answer immediately, and there is no time
        limit."""
        timeless = {"decision_seconds": 0.0, "grace_seconds": UNENDING_SECONDS, "dropout": "end"}
        unhurried = {"countdown_seconds": 0.0, "line_seconds": 0.0, "questions": (), **SILENT}
        at_once = {"pace": "answers", "bot_delay": "instant", "ready": False}
        changes = {**timeless, **unhurried, **at_once, "bots": self.practice_bots}
        return self.model_copy(update=changes)

    @property
    def confirms_alone(self) -> bool:
        """True if a group has only one person, and this person confirms being ready."""
        return self.ready and self.people_per_group == 1

    @property
    def panel(self) -> list[str]:
        """Link parameters that are kept; the first one identifies the participant."""
        return policy_specs(self.panel_parameters)


def recorded(text: str) -> Options | None:
    """Return the options of a session from its export.

    None if another release wrote them, or if the play did not run on a server.
    """
    try:
        return Options.model_validate_json(text)
    except ValidationError:
        return None


def problems_in(options: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what is wrong with these options, with one line per key."""
    try:
        Options.model_validate(options)
    except ValidationError as error:
        return tuple(str(refusal(error, Options)).splitlines())
    return ()
