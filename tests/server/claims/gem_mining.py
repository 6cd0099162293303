"""Claims about gem mining."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.server.claims.playing import Played, always, is_core

N = r"([\d.]+)"


def layer(name: str, **parameters: Any) -> dict[str, Any]:
    return {"layers": {name: {"intensity": 1.0, **parameters}}}


VARIANTS: dict[str, dict[str, Any]] = {
    "found hidden": layer("information", hide=["found"]),
    "workers late": layer("information", delay={"workers_at": 1}),
    "chances known": {"known_probabilities": True},
    "chances known, and moving": {
        "known_probabilities": True,
        **layer("uncertainty", shocks={"base_probabilities": 0.02}),
    },
    "chances shown": layer("information", show=["base_probabilities"]),
    "no bonus": layer("interaction", externality=0.0),
    "shared": layer("interaction", share=0.5),
    "one does not choose": {
        "agents": {"roles": {"one": {}, "other": {"acts": []}}, "seats": ["one"] * 3 + ["other"]}
    },
    "paid half": {
        "agents": {
            "roles": {"one": {}, "half": {"rewards": {"own": 0.5}}},
            "seats": ["one"] * 3 + ["half"],
        }
    },
    "three kinds": {"gem_types": 3, "weights": [1, 2, 5]},
}


def steady(played: Played, *_groups: str) -> bool:
    return played.stays("base_probabilities")


def moving(played: Played, *_groups: str) -> bool:
    return not steady(played)


def equally_paid(played: Played, *_groups: str) -> bool:
    """Check that all villages earn the same in every period."""
    return all(len(set(step.rewards.tolist())) == 1 for step in played.steps)


def everybody_chooses(played: Played) -> bool:
    return not played.game.barred and not played.game.closed


def bonus(played: Played, factor: str, product: str) -> bool:
    return abs(float(factor) * played.core.worker_bonus - float(product)) < 0.06


def all_see(*names: str) -> Any:
    return lambda played, *_groups: played.is_exact(*names)


def bounds(played: Played, low: str, high: str) -> bool:
    """Check that the probabilities drawn for the first period are within these percentages."""
    assert played.steps
    chances = played.states[0]["base_probabilities"]
    least, together = float(chances.min()), float(chances.sum(axis=-1).max())
    return 100 * least >= float(low) - 1e-9 and 100 * together <= float(high) + 1e-9


def lasts(played: Played, periods: str) -> bool:
    """Check that the game lasts this many periods and that the play ended exactly then."""
    over = len(played.steps) == int(periods)
    return played.game.horizon == int(periods) and played.play.done == over


def paid_for_gems_alone(played: Played) -> bool:
    """Check that points come only from gems, so a period without gems earns nothing."""
    steps = zip(played.steps, played.states[1:], strict=True)
    worths = np.asarray(played.core.weights)
    return all(np.allclose(step.rewards, state["gems"] @ worths) for step, state in steps)


CLAIMS: list[tuple[str, Any]] = [
    (rf"You lead one of {N} villages\.", is_core("seats")),
    (
        r"The villages look for gems\. When one village finds a gem, all villages earn points for "
        r"it\.",
        always,
    ),
    (rf"The game has {N} periods?, no matter what is found\.", lasts),
    (rf"When does the game end\? -> Always after period {N}", lasts),
    (r"No village finds anything in a period\. .* -> You keep all of them", paid_for_gems_alone),
    (r"In every period, each village chooses a mine .*", everybody_chooses),
    (
        r"In every period, each village that is allowed to decide chooses a mine .*",
        lambda p: not everybody_chooses(p),
    ),
    (rf"There are {N} mines\. .*", is_core("mines")),
    (
        r"If you do nothing or your time runs out, your workers go to the first mine you can "
        r"reach\.",
        always,
    ),
    (rf"There are {N} kinds of gems: .*", is_core("gem_types")),
    (r"Every gem earns points for all villages, no matter which village found it\.", always),
    (r"Each gem is worth 1 point to every village\.", lambda p: set(p.core.weights) == {1.0}),
    (r"One (\w+) is worth .* to every village\.", lambda p, _kind: len(set(p.core.weights)) > 1),
    (r"If there are workers in a mine, chance decides which gems they find\. .*", always),
    (r"The chances of finding gems can differ .*\. They stay the same .*", steady),
    (
        r"The chances of finding gems can differ from mine to mine\. They change at random from "
        r"period to period, .*",
        moving,
    ),
    (r"These are the numbers for the first period\.", moving),
    (
        rf"With one worker, the chance of finding each kind is at least {N}%\. "
        rf".* add up to at most {N}%\. .*",
        bounds,
    ),
    (
        rf"All workers in a mine are counted together, .* multiplies the chances by {N}\.",
        is_core("worker_bonus"),
    ),
    (
        r"Sending more workers to a mine does not change its chances\.",
        lambda p: p.core.worker_bonus == 1,
    ),
    (rf"The chance is never higher than {N}%\.", is_core("truncation", 100)),
    (r"For example, if the chance with one worker is .*", always),
    (
        r"After every period, you see which mine each village chose\. .*",
        all_see("mines", "workers_at", "found"),
    ),
    (
        r"After every period, you see what was found in your own mine and what all villages found "
        r"together\.",
        lambda p: p.is_exact("gems") and p.is_whole("own_found"),
    ),
    (
        r"After every period, you see your points, but not what the other villages did\.",
        lambda p: p.core.information == "none",
    ),
    (
        r"You see the chances of every mine\.",
        all_see_shown := lambda p: p.is_whole("shown_base_probabilities"),
    ),
    (
        r"You see the chances of every mine\. You also see the roads and workers of every "
        r"village\.",
        all_see("base_probabilities"),
    ),
    (
        r"You are not told the chances of finding gems.*",
        lambda p: not all_see_shown(p) and not p.is_whole("base_probabilities"),
    ),
    (
        r"Some things are hidden, delayed or inexact\. .*",
        lambda p: not p.is_exact("mines", "workers_at", "found"),
    ),
    (
        r"A village finds a \w+\. Who gets points for it\? -> All villages get the same",
        equally_paid,
    ),
    (r"Two villages go to the same mine\. .* -> At most 1", always),
    (
        rf"With one worker, the chance of finding a \w+ in a mine is {N}%\. "
        rf"What is it with two workers\? -> {N}%",
        bonus,
    ),
    (r"A gem was found in a mine\. .* -> They stay the same", steady),
    (r"A gem was found in a mine\. .* -> They change at random, up or down", moving),
]
