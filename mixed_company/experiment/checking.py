"""Checks that a plan changes only keys it may change, and that its blocks can follow each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from mixed_company import policies
from mixed_company.engine.contract.errors import ConfigError, EngineError, UnknownName, nearest
from mixed_company.experiment.assignment import check_matching
from mixed_company.experiment.blocks import Block
from mixed_company.experiment.plan import Plan, misplaced
from mixed_company.experiment.simulated_people import for_stages
from mixed_company.policies.spec import policy_specs
from mixed_company.table.setup import Setup

PLAN = "plan"
"""Key of a session config that holds the plan, as {name, plan, sessions}. oTree's form does not
show it. `sessions` maps names to the session configs of blocks that play another game.
"""

NAMES = ("name", "display_name", "app_sequence", "num_demo_participants", "doc", "seed", PLAN)
MONEY = ("participation_fee", "real_world_currency_per_point")
SHARED = (
    *("language", "consent", "parts", "budget", "panel_parameters", "completion_links"),
    "treatment_order",
)
"""Keys that apply before a person has a treatment, or to the whole session."""
ONCE = (
    *("quiz", "quiz_tries", "quiz_failed", "practice_periods", "practice_bots"),
    *("lobby_outcome", "comments"),
)
"""Keys that apply before a game's first block or after its last, so no block can change them."""


def check_following(plan: Plan, played: Sequence[Mapping[str, Setup]]) -> None:
    """Raise ConfigError if people cannot move from one block to the next as the plan says."""
    for treatment, first in played[0].items():
        people, seats = first.options.people_per_group, first.game.seats
        check_matching(plan.matching, plan.matching_groups, people, len(plan.plays))
        if plan.roles == "kept" and plan.matching != "partners" and people != seats:
            raise ConfigError(
                f"roles = 'kept': {plan.matching} can keep their seats only if people have all "
                f"the seats, but treatment {treatment!r} has {people} people in {seats} seats; "
                "use 'redrawn'"
            )
        _check_asked_last(plan, [setups[treatment] for setups in played])
        for block, setups in zip(plan.blocks, played, strict=True):
            setup = setups[treatment]
            _check_repeated(block, setup)
            if setup.options.people_per_group != people:
                raise ConfigError(
                    f"blocks.{block.name}: groups of treatment {treatment!r} have "
                    f"{setup.options.people_per_group} people there, but {people} in the first "
                    "block; set the same people_per_group"
                )
            if plan.roles == "kept" and setup.game.seats != seats:
                raise ConfigError(
                    f"roles = 'kept': block {block.name!r} has {setup.game.seats} seats, the first "
                    f"{seats}; use 'redrawn'"
                )


def _check_repeated(block: Block, setup: Setup) -> None:
    """Raise ConfigError if a repeated block would ask questions or hold a vote in every play."""
    if block.repeat == 1:
        return
    questions = [item.name for item in setup.options.questions if item.when in ("before", "after")]
    for key, repeated in (("questions", questions), ("rules", list(setup.options.rules))):
        if repeated:
            raise ConfigError(
                f"blocks.{block.name}.repeat = {block.repeat}: {key} ({', '.join(repeated)}) "
                f"would be repeated before or after every play; leave them out"
            )


def _check_asked_last(plan: Plan, played: Sequence[Setup]) -> None:
    """Raise ConfigError if a question for the end of the session is missing from the last block."""
    last = {item.name for item in played[-1].options.questions if item.when == "end"}
    for block, setup in zip(plan.blocks, played, strict=True):
        for item in setup.options.questions:
            if item.when == "end" and item.name not in last:
                end = plan.blocks[-1].name
                raise ConfigError(
                    f"blocks.{block.name}: question {item.name!r} would be asked at the end of "
                    f"the last block, {end!r}, which does not have it; add it to `questions` "
                    f"there (changes in a block replace those of the plan)"
                )


def check_changes(
    plan: Plan, keys: Iterable[str], sessions: Mapping[str, Mapping[str, Any]]
) -> None:
    """Raise UnknownName or ConfigError for a key that the plan, its treatments or its blocks cannot
    change.

    `keys` are the keys of the plan's session config. `sessions` are the session configs of blocks
    that play another game.
    """
    shared = (*NAMES, *MONEY, *SHARED)
    _check_keys("changes", plan.changes, keys, NAMES)
    for name, variable in plan.space.variables.items() if plan.space else ():
        where = "space.variables" + ("" if variable.keys_of(name) == [name] else f".{name}")
        for number in range(variable.count if isinstance(variable.choices, dict) else 1):
            _check_keys(where, variable.changes(name, variable.level(number)), keys, shared)
    for name, treatment in plan.treatments.items():
        _check_keys(f"treatments.{name}.changes", treatment.changes, keys, shared)
    for block in plan.blocks:
        allowed = (*sessions[block.session], *MONEY) if block.session else keys
        barred = shared if block.session else (*shared, *ONCE)
        _check_keys(f"blocks.{block.name}.changes", block.changes, allowed, barred)
        for name, treatment in plan.treatments.items():
            if block.name in treatment.blocks:
                where = f"treatments.{name}.blocks.{block.name}.changes"
                _check_keys(where, treatment.blocks[block.name].changes, allowed, barred)


def _check_keys(
    where: str, changes: Mapping[str, Any], keys: Iterable[str], barred: Iterable[str]
) -> None:
    for key, value in changes.items():
        if key in barred:
            raise ConfigError(f"{where}.{key} = {value!r}: {_barred(key)}")
        if key not in keys:
            hint = misplaced(key) or nearest(key, keys)
            raise UnknownName(f"{where}.{key} = {value!r}: unknown key{hint}")


def _barred(key: str) -> str:
    if key in NAMES:
        return "follows from the plan"
    if key in ONCE:
        return "applies once, to the whole session, not to each block"
    return "is the same for the whole session; set it in the plan's `changes`"


def check_people(plan: Plan, played: Sequence[Mapping[str, Setup]]) -> None:
    """Raise ConfigError for policies that should take people's places but cannot play."""
    several = any(setup.game.stages.several for setups in played for setup in setups.values())
    for number, setups in enumerate(played, start=1):
        for name, setup in setups.items():
            key, named = plan.named_people(name, number)
            for spec in for_stages(named, setup) if several else policy_specs(named):
                try:
                    policies.make(spec, setup.game)
                except EngineError as error:
                    raise ConfigError(f"{key} = {named!r}: {error}") from None
