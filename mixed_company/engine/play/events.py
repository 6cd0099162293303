"""Events in a play, for its log: things that do not happen in every period.

Kinds of events are declared with their values: those that all games share in
`engine.contract.declaration`, and the others in the classes of games and layers. Some report a
change to the rules (`EventKind.changes_rule`), such as a vote that changed the level of punishment,
or a parameter that drifted. `instrumentation.events` selects the events to log.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from mixed_company.engine.contract.declaration import EVENTS, EventKind
from mixed_company.engine.game import Game

Event = dict[str, Any]


def event_kinds(game: Game[Any]) -> dict[str, EventKind]:
    """Return the kinds of events that a game and its layers can have, by name."""
    kinds = {**EVENTS, **game.event_kinds}
    for layer in game.layers:
        kinds |= layer.event_kinds
    return dict(sorted(kinds.items()))


def is_wanted(game: Game[Any], event: str) -> bool:
    """Return whether the configuration says to log events of this kind."""
    chosen = game.config.instrumentation.events
    return chosen == "all" or event in chosen


def clamped(sent: Mapping[str, Any], used: Mapping[str, Any]) -> Iterator[Event]:
    """Yield an event for every seat and field where the action used differs from the action
    sent."""
    for name, value in used.items():
        numbers = zip(np.asarray(sent[name]).tolist(), np.asarray(value).tolist(), strict=True)
        for seat, (before, after) in enumerate(numbers):
            if before != after:
                yield {
                    "event": "clamped",
                    "seat": seat,
                    "field": name,
                    "sent": before,
                    "used": after,
                }
