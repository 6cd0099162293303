"""People who are followed from play to play of a repeated block, such as strangers.

A play of strangers may last a single period, so the period before a decision can be in the person's
previous play, with other people. The models take those people's actions as the others' last
actions, because a person who meets strangers can only expect them to do what other people did
before. Periods are numbered across all plays of a block. Groups that exchanged people count as one
group, because their decisions are not independent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from mixed_company.analysis.behaviour.panel import Faced
from mixed_company.analysis.data import GROUP, Data
from mixed_company.engine.contract.space import Arrays


class After(NamedTuple):
    """The end of a period, as seen from a seat.

    state       state after the period
    others      mean of the others' actions, as shown; NaN: not shown
    own_action  action of the seat; NaN: not in the state
    """

    seat: int
    state: Arrays
    others: float
    own_action: float


def follow(data: Data, entries: Sequence[dict[str, Any]]) -> None:
    """Join each person's decisions in all plays of a repeated block; `entries` is changed in place.

    `entries` come from `behaviour.decisions`: the session, group, seat, participant and period of
    each decision, its situation (`faced`), the end of its period (`after`), and whether it is the
    first of its play (`begins`).
    """
    if "play" not in data.config:
        return
    config = data.config.assign(unit=data.by_unit(data.config[GROUP])["group"].to_numpy())
    groups: dict[Any, Any] = config.set_index(GROUP)[["block", "play", "unit"]].to_dict("index")
    people: dict[tuple[str, str, str], list[dict[str, Any]]] = {}
    for entry in entries:
        block = groups[entry["session"], entry["group"]]["block"]
        people.setdefault((entry["session"], entry["participant"], block), []).append(entry)
    for decisions in people.values():
        _join(decisions, groups)


def _join(decisions: list[dict[str, Any]], groups: dict[Any, Any]) -> None:
    """Join a person's decisions in one block."""

    def play(entry: dict[str, Any]) -> int:
        return int(groups[entry["session"], entry["group"]]["play"])

    decisions.sort(key=lambda entry: (play(entry), entry["period"]))
    plays = [play(entry) for entry in decisions]
    lengths = [entry["faced"].game.horizon for entry in decisions]
    seat, unit = (
        decisions[0]["seat"],
        groups[decisions[0]["session"], decisions[0]["group"]]["unit"],
    )
    for number, entry in enumerate(decisions):
        if entry["begins"] and number and plays[number - 1] == plays[number] - 1:
            entry["faced"] = _continued(entry["faced"], decisions[number - 1]["after"])
            entry["begins"] = False
        entry |= {"group": unit, "seat": seat}
        entry["period"] += plays[number] * lengths[number]


def _continued(situation: Faced, before: After) -> Faced:
    """Return the situation at the start of a play as if the previous play had gone on. It assumes
    that everyone else repeats the mean action of the people whom the person met before.
    """
    state = dict(situation.state)
    for field in situation.game.declaration.actions:
        if not field.stage and field.name in state and field.kind != "choice":
            actions = before.state[field.name]
            state[field.name] = np.full(actions.shape, np.delete(actions, before.seat).mean())
            state[field.name][situation.seat] = actions[before.seat]
    return replace(situation, state=state, others=before.others, own_action=before.own_action)
