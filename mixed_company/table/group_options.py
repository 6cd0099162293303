"""Session config keys for groups: who is in them, how they are timed, and what happens when someone
leaves."""

from __future__ import annotations

from functools import partial
from typing import Literal

from pydantic import field_validator

from mixed_company.engine.contract.config import Section, parameter
from mixed_company.policies.spec import policy_specs
from mixed_company.table import thinking

_people = partial(parameter, group="People and bots")
_time = partial(parameter, group="Time")
_leaving = partial(parameter, group="The lobby and dropouts")


class GroupOptions(Section):
    """Keys, shared by all games, for how people and bots form a group and play in it."""

    people_per_group: int = _people(
        1, "number of people in a group; bots take the other seats", ge=1, first=True
    )
    people_seats: Literal["drawn", "first"] = _people(
        "drawn",
        "people's seats: drawn at random; or the first seats, for a session whose bots need "
        "certain seats (the seat number then reveals who is a person)",
    )
    parts: int = _people(
        1,
        "number of sessions, each on its own server, among which the people are divided",
        ge=1,
        le=36,
    )
    treatment_order: str = _people(
        "",
        "for a session with a plan: comma-separated treatments of the first group, the second "
        "group and so on, repeated as needed; empty: the plan assigns them",
    )
    bots: str = _people(
        "sustainable",
        "comma-separated policies for the empty seats, used in rotation; if the list has more "
        "policies than there are empty seats, the last ones play only in groups with fewer people; "
        "population:NAME is a person drawn from that population, and outside:NAME is an agent that "
        "connects",
        first=True,
    )
    bot_delay: str = _people("people", "how long a bot takes to answer")
    disclosure: Literal["none", "possible", "count", "labels"] = _people(
        "possible",
        "what people are told about bots: nothing; that some players may be bots; how many "
        "players are bots when the game begins; or which players are bots",
    )
    disclosure_text: str = _people(
        "", "the statement about bots in your own words; {bots} and {seats} are filled in"
    )
    pace: Literal["answers", "clock"] = _time(
        "answers",
        "answers: a period ends when all seats have decided; clock: a period lasts "
        "decision_seconds, and each seat's last choice counts",
    )
    decision_seconds: float = _time(
        45.0, "time for a decision; 0: no limit", unit="s", ge=0, le=86_400, first=True
    )
    peer_seconds: float = _time(
        0.0,
        "with peer points: time to assign them; 0: the same as for a decision",
        unit="s",
        ge=0,
        le=86_400,
    )
    line_seconds: float = _time(
        1.5,
        "when time is up: how long a play waits for choices that were made in time but on a slow "
        "connection; never longer than decision_seconds; 0: not at all",
        unit="s",
        ge=0,
        le=10,
    )
    countdown_seconds: float = _time(
        0.0,
        "length of the countdown on pages before the play begins, once all people in a group have "
        "arrived",
        unit="s",
        ge=0,
        le=10,
    )
    lobby_seconds: float = _leaving(
        60.0,
        "maximum wait in the lobby that people are promised; 0: start immediately",
        unit="s",
        ge=0,
        le=86_400,
    )
    lobby_outcome: Literal["bots", "extend", "release"] = _leaving(
        "bots",
        "after the promised wait: fill the group with bots; wait once more and then fill it; or "
        "release people with pay",
    )
    dropout: Literal["bot", "reduced", "pause", "end"] = _leaving(
        "bot",
        "if a person leaves: bot: a bot takes the seat; reduced: the others continue without the "
        "person; "
        "pause: they wait for pause_seconds, then a bot takes it; end: the group's play ends, "
        "and people are paid",
    )
    pause_seconds: float = _leaving(
        60.0,
        "with dropout pause: how long the others wait for a person who has left",
        unit="s",
        ge=1,
        le=3600,
    )
    grace_seconds: float = _leaving(
        90.0,
        "how long a person's page can be silent before the person counts as having left; "
        "`dropout` says what happens then",
        unit="s",
        ge=10,
        le=86_400,
    )
    dropout_bot: str = _leaving("", "policy that takes over a seat; empty: the first one in `bots`")
    agent_misses: int = _leaving(
        0,
        "number of consecutive periods without a decision after which dropout_bot replaces an "
        "outside agent; 0: never, and the default is used instead",
        ge=0,
        le=1000,
    )

    @field_validator("bot_delay")
    @classmethod
    def _delay(cls, text: str) -> str:
        return thinking.check(text)

    @property
    def by_clock(self) -> bool:
        """True if a period ends only when its time is up."""
        return self.pace == "clock"

    @property
    def bot_list(self) -> list[str]:
        """Policies for the empty seats, in rotation."""
        return policy_specs(self.bots)
