"""Findings before a session, in plain sentences: go or no go.

whole     all findings, for the command and the board
site      the server's settings, rooms, database, and agents from outside
session   one session config: people, times, links, what is said about bots
pay       what people will earn, against cap and budget
words     whether all that people read is there in the session's language
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

__all__ = ["Finding", "Verdict", "go", "look", "stop"]


class Verdict(Enum):
    """The meaning of a finding for starting a session."""

    GO = "go"
    LOOK = "look"
    STOP = "STOP"


@dataclass(frozen=True)
class Finding:
    """A sentence, and what it means."""

    verdict: Verdict
    sentence: str


def go(sentence: str) -> Finding:
    """Return a finding that all is right."""
    return Finding(Verdict.GO, sentence)


def look(sentence: str) -> Finding:
    """Return a finding that may be meant so, and that somebody should know."""
    return Finding(Verdict.LOOK, sentence)


def stop(sentence: str) -> Finding:
    """Return a finding that has to be mended first."""
    return Finding(Verdict.STOP, sentence)
