"""Votes of bots: a bot votes for the rule under which a group that plays only its policy earns the
most.

The policy plays PLAYS times under each rule, in all seats, with the same seeds. The bot abstains if
several rules earn the same amount. The `random` policy votes at random; an outside agent abstains.

The plays take a while, so they run when a session is created (`prepared`), and the session's setup
stores the result.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from mixed_company import engine
from mixed_company.engine.contract import chance
from mixed_company.engine.play.episode import Episode
from mixed_company.policies import make
from mixed_company.policies.outside import agent_of
from mixed_company.policies.rollout import rollout
from mixed_company.policies.spec import parse, parts
from mixed_company.table.choosing import ABSTAINED
from mixed_company.table.setup import Setup

PLAYS = 5


def vote(setup: Setup, spec: str, seed: int, seat: int) -> str:
    """Return the vote of a seat's policy in the play with this seed; empty if it abstains."""
    return ABSTAINED if setup.options.rules_bots == "abstain" else wish(setup, spec, seed, seat)


def wish(setup: Setup, spec: str, seed: int, seat: int) -> str:
    """Return a policy's vote, even in a session in which bots abstain (`rules_bots`)."""
    if _by_chance(spec):
        order = chance.stream(seed, f"rule of seat {seat}").order(len(setup.rules))
        return list(setup.rules)[int(order[0])]
    kept = setup.leanings.get(spec)
    return leaning(setup.rules, spec) if kept is None else kept


def prepared(setup: Setup, people: Sequence[str] = ()) -> Setup:
    """Return the setup with the votes of its bots and of `people` already computed."""
    bot_list = [] if setup.options.rules_bots == "abstain" else setup.options.bot_list
    if not setup.rules or not (bot_list or people):
        return setup
    specs = [spec for spec in (*people, *bot_list) if not _by_chance(spec)]
    votes = {spec: leaning(setup.rules, spec) for spec in specs}
    return Setup(config=setup.config, options=setup.options, rules=setup.rules, leanings=votes)


def leaning(configs: Mapping[str, dict[str, Any]], spec: str) -> str:
    """Return the rule under which a group that plays this policy earns the most; empty if there is
    a tie."""
    if agent_of(spec) is not None:
        return ABSTAINED
    texts = []
    for name, config in configs.items():
        seeded = {**config, "identity": {**config["identity"], "seed": 0}}
        texts.append((name, json.dumps(seeded, sort_keys=True)))
    return _leaning(tuple(texts), spec)


@lru_cache(maxsize=256)
def _leaning(configs: tuple[tuple[str, str], ...], spec: str) -> str:
    points = {name: _earned(text, spec) for name, text in configs}
    highest = max(points.values())
    best = [name for name, earned in points.items() if math.isclose(earned, highest, rel_tol=1e-9)]
    return best[0] if len(best) == 1 else ABSTAINED


def _earned(config: str, spec: str) -> float:
    """Return the total points that a group earns in PLAYS plays if all seats play this policy."""
    game = engine.make(engine.completed(json.loads(config)))
    policies = [make(spec, game)] * game.seats
    return math.fsum(
        reward
        for seed in range(PLAYS)
        for period in rollout(Episode(game, seed), policies)
        for reward in period.rewards.tolist()
    )


def _by_chance(spec: str) -> bool:
    return parse(parts(spec)[0])[0] == "random"
