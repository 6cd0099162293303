"""Keys of a session config for talk."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal, Self

from pydantic import field_validator, model_validator

from mixed_company.engine.contract.config import Section, parameter
from mixed_company.table.talk.wording import LONGEST, unwritable

_talk = partial(parameter, group="Talk")
_MOST_SENTENCES = 50
_MOST_WORDS = 1000

SILENT: dict[str, Any] = {"talk": "off", "talk_sentences": (), "talk_blocklist": ()}
"""Values of these keys for a session without talk."""


class TalkOptions(Section):
    """Keys for how a group talks, shared by all games."""

    talk: Literal["off", "free", "list"] = _talk(
        "off",
        "off: nobody can write; free: people write whatever they like; list: people choose a "
        "sentence "
        "from talk_sentences",
    )
    talk_when: Literal["before", "periods", "stages", "always"] = _talk(
        "periods",
        "before: once before the play; periods: before every period; stages: in every period, "
        "before points are assigned; always: while decisions are made",
    )
    talk_seconds: float = _talk(
        30.0,
        "length of the talk before the play, a period or a stage; it ends early if everyone is "
        "ready to continue; with always: time from the start of each period, where 0 means the "
        "whole period",
        unit="s",
        ge=0,
        le=3600,
    )
    talk_with: Literal["all", "neighbours", "one"] = _talk(
        "all", "who reads a message: everyone; its author's neighbours; or one chosen player"
    )
    talk_sentences: tuple[str, ...] = _talk((), "sentences to choose from if talk is list")
    talk_roles: tuple[str, ...] = _talk((), "roles that can write; empty: all. Everyone can read")
    talk_length: int = _talk(
        200, "maximum length of a message", unit="characters", ge=1, le=LONGEST
    )
    talk_per_minute: int = _talk(
        12, "maximum number of messages from one person within 60 s", ge=1, le=60
    )
    talk_blocklist: tuple[str, ...] = _talk(
        (),
        "blocked words and phrases, regardless of case; a message that contains one reaches "
        "nobody but stays in the data",
    )

    @field_validator("talk_sentences")
    @classmethod
    def _sentences(cls, sentences: tuple[str, ...]) -> tuple[str, ...]:
        if len(sentences) > _MOST_SENTENCES:
            raise ValueError(f"{len(sentences)} sentences; at most {_MOST_SENTENCES} are allowed")
        for sentence in sentences:
            why = unwritable(sentence, LONGEST)
            if why is not None or sentence != sentence.strip():
                raise ValueError(f"{sentence!r:.60}: {why or 'has leading or trailing spaces'}")
        if len(set(sentences)) < len(sentences):
            raise ValueError("a sentence is listed twice")
        return sentences

    @field_validator("talk_blocklist")
    @classmethod
    def _words(cls, words: tuple[str, ...]) -> tuple[str, ...]:
        if len(words) > _MOST_WORDS:
            raise ValueError(f"{len(words)} words; at most {_MOST_WORDS} are allowed")
        for word in words:
            if unwritable(word, LONGEST) is not None:
                raise ValueError(f"{word!r:.60}: not a word")
        return words

    @model_validator(mode="after")
    def _talk_fits(self) -> Self:
        if self.talk == "list" and len(self.talk_sentences) < 1:
            raise ValueError("talk_sentences = []: talk is 'list', which needs at least one")
        if self.talk != "list" and self.talk_sentences:
            raise ValueError(f"talk_sentences: applies only if talk is 'list', not {self.talk!r}")
        if self.talk == "list" and self.talk_blocklist:
            raise ValueError("talk_blocklist: does not apply if talk is 'list'")
        if self.talks and self.talk_when != "always" and not self.talk_seconds:
            raise ValueError(
                f"talk_seconds = 0: should be above 0 if talk_when is {self.talk_when!r}"
            )
        return self

    @property
    def talks(self) -> bool:
        """True if the session has talk."""
        return self.talk != "off"

    @property
    def talk_apart(self) -> bool:
        """True if talk has a separate phase, in which nobody decides."""
        return self.talks and self.talk_when != "always"
