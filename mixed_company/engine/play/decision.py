"""A decision: what one seat does in one period, who decided it, and when."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

__all__ = ["DECIDES", "By", "Decision", "Occupant"]

Occupant = Literal["person", "policy", "nobody"]
By = Literal["person", "policy", "default", "absent"]

DECIDES: Mapping[Occupant, tuple[By, ...]] = {
    "person": ("person", "default"),
    "policy": ("policy", "default"),
    "nobody": ("absent",),
}
"""By whom a decision can be, by who has the seat."""


@dataclass(frozen=True)
class Decision:
    """What one seat does in one period. Its JSON form is that of tables, logs and exports.

    action      action field -> number
    by          person or policy; default: whoever has the seat did not decide, and the game did;
                absent: the seat is out of the play
    at_ms       when it counted, milliseconds since 1970
    policy_id   the policy that had the seat; None: a person had it, or nobody
    delay_ms    how long the policy thought; None unless a policy had the seat
    """

    action: Mapping[str, float]
    by: By
    at_ms: int
    policy_id: str | None = None
    delay_ms: int | None = None

    @property
    def occupant(self) -> Occupant:
        """Who had the seat when it decided; somebody else may have sat down since."""
        if self.policy_id:
            return "policy"
        return "nobody" if self.by == "absent" else "person"

    @property
    def answered(self) -> By:
        """As `by`, but `policy` also where a policy had the seat and was at fault."""
        return "policy" if self.occupant == "policy" else self.by

    def to_json(self) -> dict[str, Any]:
        """All fields, and the occupant, which follows from them."""
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
        """The decision that `to_json` described."""
        return cls(data["action"], data["by"], data["at_ms"], data["policy_id"], data["delay_ms"])
