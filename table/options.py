"""The session-config keys that are the same for all games: how people and bots meet."""

from __future__ import annotations

import json
from typing import Any, Literal

from pydantic import field_validator, model_validator

from engine.contract.config import Section, parameter
from engine.contract.errors import ConfigError, nearest
from table import thinking

__all__ = ["QUIZ_ATTEMPTS_KEPT", "Options", "from_text", "policy_specs"]

STATUSES = ("finished", "left", "released")
"""How a participant's part can end."""

QUIZ_ATTEMPTS_KEPT = 200
"""How many attempts at the quiz are logged, the last ones."""

FASTEST_SECONDS = 0.25
"""No person follows a clock that is faster."""


def from_text(key: str, value: Any, empty: Any) -> Any:
    """A text that holds a JSON list or object as what it holds; an empty one as `empty`.

    Raises ConfigError that names `key`, where the text is no JSON.
    """
    if value == "":
        return empty
    if isinstance(value, str) and value.lstrip()[:1] in ("[", "{"):
        try:
            return json.loads(value)
        except (ValueError, RecursionError) as error:
            raise ConfigError(f"{key} = {value!r:.60}: is not JSON: {error}") from None
    return value


def policy_specs(text: str) -> list[str]:
    """The policies of a comma-separated list."""
    return [spec.strip() for spec in text.split(",") if spec.strip()]


class Options(Section):
    """How people and bots meet, the same for all games."""

    people_per_group: int = parameter(1, "people in a group; bots take the other seats", ge=1)
    bots: str = parameter("sustainable", "policies for the empty seats, in turn, comma-separated")
    bot_delay: str = parameter("lognormal:median=2;sigma=0.5", "how long a bot takes to answer")
    disclosure: Literal["none", "labels"] = parameter("none", "are bots marked as bots")
    pace: Literal["answers", "clock"] = parameter(
        "answers",
        "answers: a period ends when all have decided; clock: it lasts decision_seconds, and the "
        "last choice of each seat counts",
    )
    decision_seconds: float = parameter(
        45.0, "time for a decision; 0: no limit", unit="s", ge=0, le=86_400
    )
    lobby_seconds: float = parameter(
        60.0, "promise: at most so long in the lobby; 0: start at once", unit="s", ge=0, le=86_400
    )
    lobby_outcome: Literal["bots", "extend", "release"] = parameter(
        "bots", "promise over: fill with bots; wait once more, then fill; release with pay"
    )
    dropout: Literal["bot", "reduced"] = parameter(
        "bot", "a person has left: a bot takes the seat; reduced: the others go on without it"
    )
    grace_seconds: float = parameter(
        90.0, "a person not heard of for so long has left", unit="s", ge=10, le=86_400
    )
    dropout_bot: str = parameter("", "policy that takes over; empty: the first of `bots`")
    practice_periods: int = parameter(0, "this version has none", ge=0, le=0)
    quiz: bool = parameter(True, "ask the comprehension questions")
    pay_cap: float = parameter(0.0, "points paid at most; 0: no cap", unit="points", ge=0)
    pay_floor: float = parameter(0.0, "points paid at least", unit="points", ge=0)
    completion_links: dict[str, str] = parameter(
        {}, "where to send people at the end, by status: finished, left, released"
    )

    @field_validator("bot_delay")
    @classmethod
    def _delay(cls, text: str) -> str:
        return thinking.check(text)

    @field_validator("completion_links", mode="before")
    @classmethod
    def _links(cls, links: Any) -> Any:
        links = from_text("completion_links", links, {})
        for status, link in links.items() if isinstance(links, dict) else ():
            if status not in STATUSES:
                raise ValueError(f"{status!r}: unknown status{nearest(str(status), STATUSES)}")
            if not str(link).startswith(("https://", "http://")):
                raise ValueError(f"{status} = {link!r}: should start with https:// or http://")
        return links

    @model_validator(mode="after")
    def _order(self) -> Options:
        if self.pay_cap and self.pay_cap < self.pay_floor:
            raise ValueError(f"pay_cap = {self.pay_cap}: less than pay_floor, {self.pay_floor}")
        if self.by_clock and self.decision_seconds < FASTEST_SECONDS:
            raise ValueError(
                f"decision_seconds = {self.decision_seconds}: at least {FASTEST_SECONDS} if "
                "pace is clock"
            )
        return self

    @property
    def by_clock(self) -> bool:
        """Do periods end by the clock alone?"""
        return self.pace == "clock"

    @property
    def bot_list(self) -> list[str]:
        """The policies for the empty seats, in turn."""
        return policy_specs(self.bots)
