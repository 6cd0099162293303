"""What a bot votes for: the rule under which a group of its own policy earns most.

That is known from PLAYS plays of each rule, in which the policy has all seats, with the same seeds;
where several rules bring as much, the bot abstains. The policy `random` votes by chance; an agent
from outside abstains.

The plays take a while, and are played when a session is created (`prepared`); what came of them
stands in its setup.
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
from mixed_company.policies.spec import parse
from mixed_company.table.choosing import ABSTAINED
from mixed_company.table.setup import Setup

__all__ = ["PLAYS", "leaning", "prepared", "vote", "wish"]

PLAYS = 5


def vote(setup: Setup, spec: str, seed: int, seat: int) -> str:
    """What the policy on a seat votes for, in the play with this seed; empty: it abstains."""
    return ABSTAINED if setup.options.rules_bots == "abstain" else wish(setup, spec, seed, seat)


def wish(setup: Setup, spec: str, seed: int, seat: int) -> str:
    """What a policy would vote for, also where bots abstain."""
    if _by_chance(spec):
        order = chance.stream(seed, f"rule of seat {seat}").order(len(setup.rules))
        return list(setup.rules)[int(order[0])]
    known = setup.leanings.get(spec)
    return leaning(setup.rules, spec) if known is None else known


def prepared(setup: Setup, people: Sequence[str] = ()) -> Setup:
    """The setup with what its bots vote for, so that no table waits for the plays; and what
    policies do that stand for people."""
    bot_list = [] if setup.options.rules_bots == "abstain" else setup.options.bot_list
    if not setup.rules or not (bot_list or people):
        return setup
    specs = [spec for spec in (*people, *bot_list) if not _by_chance(spec)]
    known = {spec: leaning(setup.rules, spec) for spec in specs}
    return Setup(config=setup.config, options=setup.options, rules=setup.rules, leanings=known)


def leaning(configs: Mapping[str, dict[str, Any]], spec: str) -> str:
    """The rule, by name, under which a group of this policy earns most; empty: several do."""
    if agent_of(spec) is not None:
        return ABSTAINED
    texts = []
    for name, config in configs.items():
        own = {**config, "identity": {**config["identity"], "seed": 0}}
        texts.append((name, json.dumps(own, sort_keys=True)))
    return _leaning(tuple(texts), spec)


@lru_cache(maxsize=256)
def _leaning(configs: tuple[tuple[str, str], ...], spec: str) -> str:
    points = {name: _earned(text, spec) for name, text in configs}
    most = max(points.values())
    best = [name for name, earned in points.items() if math.isclose(earned, most, rel_tol=1e-9)]
    return best[0] if len(best) == 1 else ABSTAINED


def _earned(config: str, spec: str) -> float:
    """What groups of a policy earn together in PLAYS plays."""
    game = engine.make(engine.completed(json.loads(config)))
    policies = [make(spec, game)] * game.seats
    return math.fsum(
        reward
        for seed in range(PLAYS)
        for period in rollout(Episode(game, seed), policies)
        for reward in period.rewards.tolist()
    )


def _by_chance(spec: str) -> bool:
    return parse(spec)[0] == "random"
