"""Keys of a session config about groups: who is in a group, its timing, and who leaves it."""

from __future__ import annotations

from typing import Literal

from pydantic import field_validator

from mixed_company.engine.contract.config import Section, parameter
from mixed_company.policies.spec import policy_specs
from mixed_company.table import thinking

_PEOPLE, _TIME, _LEAVING = "People and bots", "Time", "The lobby and dropouts"


class GroupOptions(Section):
    """Keys, shared by all games, for how people and bots form a group and play in it."""

    people_per_group: int = parameter(
        1, "number of people in a group; bots take the other seats", ge=1, group=_PEOPLE, first=True
    )
    people_seats: Literal["drawn", "first"] = parameter(
        "drawn",
        "people's seats: drawn at random; or the first seats, for a session whose bots need "
        "certain seats (the seat number then reveals who is a person)",
        group=_PEOPLE,
    )
    parts: int = parameter(
        1,
        "number of sessions, each on its own server, among which the people are divided",
        ge=1,
        le=36,
        group=_PEOPLE,
    )
    treatment_order: str = parameter(
        "",
        "for a session with a plan: comma-separated treatments of the first group, the second "
        "group and so on, repeated as needed; empty: the plan assigns them",
        group=_PEOPLE,
    )
    bots: str = parameter(
        "sustainable",
        "comma-separated policies for the empty seats, used in rotation; population:NAME is a "
        "person drawn from that population, and outside:NAME is an agent that connects",
        group=_PEOPLE,
        first=True,
    )
    bot_delay: str = parameter("people", "how long a bot takes to answer", group=_PEOPLE)
    disclosure: Literal["none", "possible", "count", "labels"] = parameter(
        "possible",
        "what people are told about bots: nothing; that some players may be bots; how many "
        "players are bots when the game begins; or which players are bots",
        group=_PEOPLE,
    )
    disclosure_text: str = parameter(
        "",
        "the statement about bots in your own words; {bots} and {seats} are filled in",
        group=_PEOPLE,
    )
    pace: Literal["answers", "clock"] = parameter(
        "answers",
        "answers: a period ends when all seats have decided; clock: a period lasts "
        "decision_seconds, and each seat's last choice counts",
        group=_TIME,
    )
    decision_seconds: float = parameter(
        45.0, "time for a decision; 0: no limit", unit="s", ge=0, le=86_400, group=_TIME, first=True
    )
    peer_seconds: float = parameter(
        0.0,
        "with peer points: time to assign them; 0: the same as for a decision",
        unit="s",
        ge=0,
        le=86_400,
        group=_TIME,
    )
    line_seconds: float = parameter(
        1.5,
        "when time is up: how long a play waits for choices that were made in time but on a slow "
        "connection; never longer than decision_seconds; 0: not at all",
        unit="s",
        ge=0,
        le=10,
        group=_TIME,
    )
    countdown_seconds: float = parameter(
        0.0,
        "length of the countdown on pages before the play begins, once all people in a group have "
        "arrived",
        unit="s",
        ge=0,
        le=10,
        group=_TIME,
    )
    lobby_seconds: float = parameter(
        60.0,
        "maximum wait in the lobby that people are promised; 0: start immediately",
        unit="s",
        ge=0,
        le=86_400,
        group=_LEAVING,
    )
    lobby_outcome: Literal["bots", "extend", "release"] = parameter(
        "bots",
        "after the promised wait: fill the group with bots; wait once more and then fill it; or "
        "release people with pay",
        group=_LEAVING,
    )
    dropout: Literal["bot", "reduced", "pause", "end"] = parameter(
        "bot",
        "if a person leaves: bot: a bot takes the seat; reduced: the others continue without the "
        "person; "
        "pause: they wait for pause_seconds, then a bot takes it; end: the group's play ends, "
        "and people are paid",
        group=_LEAVING,
    )
    pause_seconds: float = parameter(
        60.0,
        "with dropout pause: how long the others wait for a person who has left",
        unit="s",
        ge=1,
        le=3600,
        group=_LEAVING,
    )
    grace_seconds: float = parameter(
        90.0,
        "silence after which a person counts as having left; what happens then depends on dropout",
        unit="s",
        ge=10,
        le=86_400,
        group=_LEAVING,
    )
    dropout_bot: str = parameter(
        "", "policy that takes over a seat; empty: the first one in `bots`", group=_LEAVING
    )
    agent_misses: int = parameter(
        0,
        "number of consecutive periods without a decision after which dropout_bot replaces an "
        "outside agent; 0: never, and the default is used instead",
        ge=0,
        le=1000,
        group=_LEAVING,
    )

    @field_validator("bot_delay")
    @classmethod
    def _delay(cls, text: str) -> str:
        return thinking.check(text)

    @property
    def by_clock(self) -> bool:
        """True if periods end only by the clock."""
        return self.pace == "clock"

    @property
    def bot_list(self) -> list[str]:
        """Policies for the empty seats, in rotation."""
        return policy_specs(self.bots)
