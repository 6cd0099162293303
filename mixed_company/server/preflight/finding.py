"""One thing that was looked at."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

__all__ = ["Finding", "Verdict", "go", "look", "stop"]


class Verdict(Enum):
    """What a finding means for starting."""

    GO = "go"
    LOOK = "look"
    STOP = "STOP"


@dataclass(frozen=True)
class Finding:
    """A sentence, and what it means."""

    verdict: Verdict
    sentence: str


def go(sentence: str) -> Finding:
    """All right."""
    return Finding(Verdict.GO, sentence)


def look(sentence: str) -> Finding:
    """It may be meant so; somebody should know."""
    return Finding(Verdict.LOOK, sentence)


def stop(sentence: str) -> Finding:
    """Not like this."""
    return Finding(Verdict.STOP, sentence)
