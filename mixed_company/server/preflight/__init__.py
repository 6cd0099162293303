"""Findings about a session before it starts, in plain sentences: go or no-go.

whole     all findings, for the command and the board
site      the server's settings, rooms, database, and outside agents
session   a session config: people, times, links, statements about bots
pay       people's earnings, compared with the cap and the budget
words     whether all texts are translated into the session's language
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

__all__ = ["Finding", "Verdict", "go", "look", "stop"]


class Verdict(Enum):
    """Verdict on whether the session can start."""

    GO = "go"
    LOOK = "look"
    STOP = "STOP"


@dataclass(frozen=True)
class Finding:
    """Result of one check: a sentence for the manager, and its verdict."""

    verdict: Verdict
    sentence: str


def go(sentence: str) -> Finding:
    """Return a finding that needs no action."""
    return Finding(Verdict.GO, sentence)


def look(sentence: str) -> Finding:
    """Return a finding about something that may be intended but that the manager should look at."""
    return Finding(Verdict.LOOK, sentence)


def stop(sentence: str) -> Finding:
    """Return a finding about something that must be fixed before the session starts."""
    return Finding(Verdict.STOP, sentence)
