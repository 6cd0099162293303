"""A policy's decision, based on a view that a server has sent."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from mixed_company.engine.contract import space
from mixed_company.engine.contract.allowed import Allowed
from mixed_company.engine.contract.chance import generator
from mixed_company.engine.contract.peer_layout import ASSIGN
from mixed_company.engine.contract.space import Arrays
from mixed_company.engine.game import Game
from mixed_company.policies.policy import Answer, Policy, ask
from mixed_company.policies.talk import Talk

View = dict[str, Any]


def decision(
    game: Game[Any],
    policy: Policy,
    view: View,
    memory: dict[str, Any],
    seed: int,
    person: int,
    talk: Talk | None = None,
) -> Answer:
    """Return a policy's answer to a view: its observation, its limits, and the talk so far.

    Amounts are rounded to the steps in which the page's controls move.
    """
    seen = space.from_json(game.declaration.observations, view["observation"])
    allowed = _allowed(game, view, seen)
    rng = generator(seed, f"person {person}{stage_of(view)}", view["period"])
    answer = ask(policy, allowed, seen, memory, rng, budget=math.inf, talk=talk)
    return replace(answer, action=allowed.nearest(answer.action))


def _allowed(game: Game[Any], view: View, seen: Arrays) -> Allowed:
    """Return the actions that a view allows: its limits and, for peer points, their rules."""
    allowed = Allowed.from_json(game.declaration.actions, view["limits"])
    if game.peers is None:
        return allowed
    idle = frozenset(field.name for field in allowed.fields if field.stage != seen["stage"])
    limits = {field.name: allowed.ends(field) for field in allowed.fields}
    points = None
    if ASSIGN not in idle:
        places = view["limits"][ASSIGN][2]
        points = game.peers.assigning_of(int(seen["seat"]), places, seen)
    return Allowed(allowed.fields, (), limits, {}, allowed.closed, points, idle)


def stage_of(view: View) -> str:
    """Return a suffix that distinguishes names at a later stage; empty at the first stage."""
    stage = view["observation"].get("stage", 0)
    return f" stage {stage}" if stage else ""
