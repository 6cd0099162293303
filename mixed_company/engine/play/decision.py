"""A decision: one seat's action in one period, with its source and time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Occupant = Literal["person", "policy", "nobody"]
By = Literal["person", "policy", "default", "absent"]

DECIDES: Mapping[Occupant, tuple[By, ...]] = {
    "person": ("person", "default"),
    "policy": ("policy", "default"),
    "nobody": ("absent",),
}
"""Possible sources of a decision, by occupant of the seat."""


@dataclass(frozen=True)
class Decision:
    """One seat's action in one period. Tables, logs and exports use its JSON form.

    action      action field -> number
    by          person or policy; default: the occupant did not decide, so the default was used;
                absent: the seat has ended
    at_ms       time at which the decision took effect, in milliseconds since 1970
    policy_id   the policy in the seat; None for a person or an empty seat
    delay_ms    thinking time of the policy; None unless a policy was in the seat
    """

    action: Mapping[str, float]
    by: By
    at_ms: int
    policy_id: str | None = None
    delay_ms: int | None = None

    @property
    def occupant(self) -> Occupant:
        """Occupant of the seat when it decided; it may have changed since."""
        if self.policy_id:
            return "policy"
        return "nobody" if self.by == "absent" else "person"

    @property
    def answered(self) -> By:
        """Source as in `by`, except that a default used after a policy error counts as `policy`."""
        return "policy" if self.policy_id else self.by

    def to_json(self) -> dict[str, Any]:
        """Return all fields, and the occupant, as plain JSON values."""
        return {
            "action": dict(self.action),
            "by": self.by,
            "at_ms": self.at_ms,
            "policy_id": self.policy_id,
            "delay_ms": self.delay_ms,
            "occupant": self.occupant,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Decision:
        """Return the decision from the result of `to_json`."""
        return cls(data["action"], data["by"], data["at_ms"], data["policy_id"], data["delay_ms"])
