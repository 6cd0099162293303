"""Setups of a plan's treatments, created from a session config and checked like a session's setup;
and the plan's own session config.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from mixed_company import engine
from mixed_company.engine.contract.chance import generator
from mixed_company.engine.contract.errors import ConfigError, EngineError, UnknownName, nearest
from mixed_company.experiment.blocks import Block
from mixed_company.experiment.checking import (
    MONEY,
    PLAN,
    SHARED,
    check_changes,
    check_following,
    check_people,
)
from mixed_company.experiment.plan import Plan, Treatment
from mixed_company.experiment.reading import within
from mixed_company.policies.spec import policy_specs
from mixed_company.table.setup import Setup, resolve


def games_of(config: Mapping[str, Any]) -> list[str]:
    """Return the game ids of a session config, in the order of its apps."""
    return [str(app) for app in config["app_sequence"] if app in engine.game_ids()]


def game_of(config: Mapping[str, Any]) -> str:
    """Return the game id of a session config. Raises ConfigError unless it has exactly one game."""
    games = games_of(config)
    if len(games) != 1:
        raise ConfigError(
            f"session = {config['name']!r}: {len(games)} games, but a plan needs exactly one"
        )
    return games[0]


def plan_of(config: Mapping[str, Any]) -> Plan | None:
    """Return the plan of a session config, or None. The plan was checked when the config was
    made."""
    return Plan.trusted(config[PLAN]["plan"]) if config.get(PLAN) else None


def session_config(name: str, plan: Plan, configs: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return a plan's session config, created from the config in `configs` that the plan names.

    Raises UnknownName or ConfigError if the plan or one of its treatments is invalid.
    """
    by_name = {str(config["name"]): config for config in configs}
    if name in by_name:
        raise ConfigError(f"plan {name!r}: a session config already has this name")
    if plan.session not in by_name:
        raise UnknownName(
            f"session = {plan.session!r}: no such session config{nearest(plan.session, by_name)}"
        )
    start, sessions = by_name[plan.session], _sessions(plan, by_name)
    check_changes(plan, (*start, *MONEY), sessions)
    setup, common = _common(plan, start)
    config = {
        **start,
        **common,
        "name": name,
        "display_name": plan.title,
        "seed": "",
        PLAN: {"name": name, "plan": plan.model_dump(mode="json"), "sessions": sessions},
    }
    config["app_sequence"] = _apps(plan, config, sessions)
    played = series(plan, {**config, "seed": "0"}, config)
    check_people(plan, played)
    sizes = [treatment.options.people_per_group for treatment in played[0].values()]
    people = (max(sizes) if plan.space else sum(sizes)) * plan.matching_groups
    return {**config, "num_demo_participants": people * setup.options.parts}


def _common(plan: Plan, start: Mapping[str, Any]) -> tuple[Setup, dict[str, Any]]:
    """Return the setup that all treatments share, and the entries of its config that replace
    entries of the session config.
    """
    changes = {  # oTree's form shows lists and tables as JSON
        key: json.dumps(value) if isinstance(value, dict | list) else value
        for key, value in plan.changes.items()
    }
    before = {key: start[key] for key in start if key not in changes or key == "archetype"}
    setup, written = resolve(game_of(start), {**start, **changes}, before)
    kept = {key: value for key, value in written.items() if start.get(key, "") != ""}
    return setup, {**kept, **changes}


def _sessions(plan: Plan, configs: Mapping[str, Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
    """Return the session configs of the blocks with another game.

    Raises UnknownName, ConfigError.
    """
    for block in plan.blocks:
        if block.session and block.session not in configs:
            raise UnknownName(
                f"blocks.{block.name}.session = {block.session!r}: no such session config"
                f"{nearest(block.session, configs)}"
            )
    sessions = {block.session: configs[block.session] for block in plan.blocks if block.session}
    for config in sessions.values():
        game_of(config)
    return sessions


def _apps(
    plan: Plan, config: Mapping[str, Any], sessions: Mapping[str, Mapping[str, Any]]
) -> list[str]:
    """Return the apps of the session. The apps of later blocks follow the first game, and each
    block is preceded by its `apps_before`."""
    game, apps = game_of(config), list(config["app_sequence"])
    following: list[str] = []
    for number, play in list(enumerate(plan.plays, start=1))[1:]:
        block = plan.blocks[play.number - 1]
        played = game_of(sessions[block.session]) if block.session else game
        before = block.apps if play.name == block.plays[0] else []
        following += [*before, f"{played}_{number}"]
    place = apps.index(game) + 1
    listed = [*apps[:place], *following, *apps[place:]]
    for app in listed:
        if listed.count(app) > 1:
            raise ConfigError(
                f"apps_before = {app!r}: in the session twice, but oTree allows it only once"
            )
    return listed


def setups(
    plan: Plan, config: Mapping[str, Any], shipped: Mapping[str, Any], number: int = 1
) -> dict[str, Setup]:
    """Return the setup of each treatment in the block with this number.

    `config` is the session's config with its seed, `shipped` the plan's config that it was created
    from. Raises ConfigError if the session changes a key that the plan sets, or if a treatment
    cannot be played.
    """
    played, block = dict[str, Setup](), plan.block(number)
    start, before = dict(config), dict(shipped)
    set_by_plan = {*plan.changes}
    if block is not None and block.session:
        before = dict(shipped[PLAN]["sessions"][block.session])
        whole = ("seed", *MONEY, *SHARED)
        start = {**before, **{key: config[key] for key in whole if key in config}}
        set_by_plan = set()
    for name, treatment in plan.treatments.items():
        changes = _changes(treatment, block)
        for key in changes:
            if start.get(key) != before.get(key):
                where = f"treatment {name!r}" if block is None else f"{name!r} in {block.name!r}"
                raise ConfigError(
                    f"{key} = {start.get(key)!r}: {where} of the plan sets this key; change it "
                    f"there"
                )
        given_up = {*set_by_plan, *changes} - {"archetype"}
        kept = {key: value for key, value in before.items() if key not in given_up}
        try:
            chosen = {key: value for key, value in start.items() if key != PLAN}
            played[name], _ = resolve(game_of(before), {**chosen, **changes}, kept)
        except EngineError as error:
            where = f"treatments.{name}" + ("" if block is None else f", block {block.name}")
            raise within(where, error) from None
    return played


def _changes(treatment: Treatment, block: Block | None) -> dict[str, Any]:
    """Return the keys that a treatment changes in a block."""
    if block is None:
        return treatment.changes
    varied = treatment.blocks.get(block.name)
    common = {} if block.session else treatment.changes
    return {**common, **block.changes, **({} if varied is None else varied.changes)}


def series(
    plan: Plan, config: Mapping[str, Any], shipped: Mapping[str, Any]
) -> list[dict[str, Setup]]:
    """Return the setups by treatment, one mapping per block; if there are no blocks, one mapping.

    Raises ConfigError as `setups` does, and also if two treatments do not differ or blocks cannot
    follow each other.
    """
    numbers = range(1, len(plan.block_names) + 1)
    played = [setups(plan, config, shipped, number) for number in numbers]
    _check_differing(played)
    for name in order_of(played[0]):
        if name not in plan.treatments:
            raise ConfigError(
                f"treatment_order = {name!r}: no such treatment{nearest(name, plan.treatments)}"
            )
    if plan.blocks:
        check_following(plan, played)
        if plan.pay_blocks == "one" and not config.get("real_world_currency_per_point", 1):
            raise ConfigError("pay_blocks = 'one': points have no cash value in this session")
    return played


def order_of(setups: Mapping[str, Setup]) -> tuple[str, ...]:
    """Return the treatments of successive groups, if a session specifies them by hand."""
    common = next(iter(setups.values())).options
    return tuple(policy_specs(common.treatment_order))


def treated(config: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the session config under each treatment; if there is no plan, only the unchanged
    config."""
    plan = plan_of(config)
    if plan is None:
        return [dict(config)]
    return [{**config, **treatment.changes} for treatment in plan.treatments.values()]


def shipped_series(game: str, config: Mapping[str, Any]) -> list[dict[str, Setup]]:
    """Return the setups of a shipped session config by treatment, one mapping per block.

    Without a plan there is one mapping, with one setup, which has an empty name. The seed is 0 if
    the config has none. Raises ConfigError.
    """
    plan = plan_of(config)
    if plan is None:
        return [{"": resolve(game, config, config)[0]}]
    return series(plan, {**config, "seed": str(config.get("seed", "")) or "0"}, config)


def rules_of(setup: Setup) -> dict[str, Any]:
    """Return everything in a setup that has an effect, except the seed and the archetype's name."""
    identity = {key: setup.config["identity"][key] for key in ("game", "version")}
    rules = {name: _unnamed(config) for name, config in setup.rules.items()}
    chosen = {"rules": rules} if rules else {}
    options = setup.options.model_dump(mode="json")
    return {**identity, **_unnamed(setup.config), **chosen, "options": options}


def _unnamed(config: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in config.items() if key != "identity"}


def own_seed(plan: Plan, code: str) -> str:
    """Return the seed for the config of the session with this code; empty if the plan has none."""
    return seed_from(plan.seed, code)


def seed_from(seed: int | None, code: str) -> str:
    """Return the session seed derived from its plan's seed; empty if the plan has none."""
    return "" if seed is None else str(int(generator(seed, f"session {code}").integers(2**53)))


def _check_differing(played: Sequence[Mapping[str, Setup]]) -> None:
    """Raise ConfigError if two treatments are the same in all blocks."""
    seen: dict[str, str] = {}
    for name in played[0]:
        rules = json.dumps([rules_of(setups[name]) for setups in played], sort_keys=True)
        if rules in seen:
            raise ConfigError(
                f"treatments.{name}: the same as treatment {seen[rules]!r}; give it `changes`"
            )
        seen[rules] = name
