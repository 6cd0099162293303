"""Looking on: a link for an assistant who sees the board and can do nothing on it.

The link has a sign that follows from the session's code and the server's secret key: who has it
needs no login, and it tells nothing of other sessions. Codes and labels of participants are not
shown: with a code, or with the label that a panel gave, anybody could play as that person.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from dataclasses import replace
from typing import Any

from otree import settings

from mixed_company.server.board.people import Crowd

__all__ = ["is_sign", "sign_of", "without_codes", "without_labels"]

_BYTES = 16


def sign_of(code: str) -> str:
    """Return the sign of a session, 22 characters."""
    digest = hmac.digest(
        str(settings.SECRET_KEY).encode(), f"board {code}".encode(), hashlib.sha256
    )
    return base64.urlsafe_b64encode(digest[:_BYTES]).decode().rstrip("=")


def is_sign(code: str, sign: str) -> bool:
    """Return whether this is the sign of that session."""
    return hmac.compare_digest(sign_of(code).encode(), sign.encode())


def without_labels(crowd: Crowd) -> Crowd:
    """Return the people of a session without their labels, so that numbers name them."""
    return replace(crowd, people=[replace(person, label="") for person in crowd.people])


def without_codes(seen: Any) -> Any:
    """Return the data of the board with the name of a participant in place of the code."""
    if isinstance(seen, list):
        return [without_codes(part) for part in seen]
    if not isinstance(seen, dict):
        return seen
    shown = {key: without_codes(part) for key, part in seen.items()}
    return shown | ({"participant": seen["name"]} if "participant" in seen else {})
