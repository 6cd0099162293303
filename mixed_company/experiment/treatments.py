"""What is played in each treatment of a plan: setups, made from a session config and checked as a
session is; and the session config of the plan itself.
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
    NAMES,
    PLAN,
    SHARED,
    check_blocks,
    check_following,
    check_keys,
    check_people,
)
from mixed_company.experiment.plan import Plan, Treatment
from mixed_company.experiment.reading import within
from mixed_company.table.consent import consent_text
from mixed_company.table.options import Options, policy_specs
from mixed_company.table.seating import policy_in_turn
from mixed_company.table.setup import Setup, resolve

__all__ = [
    "PLAN",
    "as_given",
    "game_of",
    "mixing",
    "order_of",
    "own_seed",
    "rules_of",
    "seats_of",
    "series",
    "session_config",
    "setups",
    "shipped_series",
    "shipped_setups",
    "treated",
]


def game_of(config: Mapping[str, Any]) -> str:
    """The one game of a session config. Raises ConfigError."""
    games = [app for app in config["app_sequence"] if app in engine.game_ids()]
    if len(games) != 1:
        raise ConfigError(
            f"session = {config['name']!r}: plays {len(games)} games; a plan is of one"
        )
    return str(games[0])


def as_given(changes: Mapping[str, Any]) -> dict[str, Any]:
    """Changes of a plan as a session config has them: lists and tables are JSON there."""
    return {
        key: json.dumps(value) if isinstance(value, dict | list | tuple) else value
        for key, value in changes.items()
    }


def session_config(name: str, plan: Plan, configs: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The session config of a plan, made from the one it starts from, which is among `configs`.

    All treatments are checked. Raises UnknownName, ConfigError.
    """
    by_name = {str(config["name"]): config for config in configs}
    if name in by_name:
        raise ConfigError(f"plan {name!r}: there is a session config of this name")
    if plan.session not in by_name:
        raise UnknownName(
            f"session = {plan.session!r}: no such session config{nearest(plan.session, by_name)}"
        )
    start = by_name[plan.session]
    common = as_given(plan.changes)
    if "consent" in {**start, **common}:
        common["consent"] = consent_text(str({**start, **common}["consent"]))
    known = (*start, *MONEY)
    check_keys("changes", common, known, NAMES)
    for treatment, own in plan.treatments.items():
        where = f"treatments.{treatment}.changes"
        check_keys(where, own.changes, known, (*NAMES, *MONEY, *SHARED))
    sessions = _sessions(plan, by_name)
    check_blocks(plan, known, sessions)
    game = game_of(start)
    before = {key: value for key, value in start.items() if key not in common or key == "archetype"}
    setup, written = resolve(game, {**start, **common}, before)
    kept = {key: value for key, value in written.items() if start.get(key, "") != ""}
    config = {
        **start,
        **kept,
        **common,
        "name": name,
        "display_name": plan.title,
        "seed": "",
        PLAN: {"name": name, "plan": plan.model_dump(mode="json"), "sessions": sessions},
    }
    config["app_sequence"] = _apps(plan, config, sessions)
    played = series(plan, {**config, "seed": "0"}, config)
    check_people(plan, played)
    sizes = [setup.options.people_per_group for setup in played[0].values()]
    people = sum(sizes) * plan.matching_groups
    return {**config, "num_demo_participants": people * setup.options.parts}


def _sessions(plan: Plan, configs: Mapping[str, Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
    """The session configs of the blocks that play another game. Raises UnknownName, ConfigError."""
    for block in plan.blocks:
        if block.session and block.session not in configs:
            raise UnknownName(
                f"blocks.{block.name}.session = {block.session!r}: no such session config"
                f"{nearest(block.session, configs)}"
            )
    own = {block.session: configs[block.session] for block in plan.blocks if block.session}
    for config in own.values():
        game_of(config)
    return own


def _apps(
    plan: Plan, config: Mapping[str, Any], sessions: Mapping[str, Mapping[str, Any]]
) -> list[str]:
    """The apps of the session: later blocks follow the game, each after those that come before."""
    game, apps = game_of(config), list(config["app_sequence"])
    following: list[str] = []
    for number, block in list(enumerate(plan.blocks, start=1))[1:]:
        played = game_of(sessions[block.session]) if block.session else game
        following += [*block.apps, f"{played}_{number}"]
    at = apps.index(game) + 1
    listed = [*apps[:at], *following, *apps[at:]]
    for app in listed:
        if listed.count(app) > 1:
            raise ConfigError(f"apps_before = {app!r}: is in the session twice; oTree has it once")
    return listed


def setups(
    plan: Plan, given: Mapping[str, Any], shipped: Mapping[str, Any], number: int = 1
) -> dict[str, Setup]:
    """The setup of each treatment in the block with this number, for a session with the config
    `given` that started from the plan's, `shipped`. All have the seed of `given`, which must have
    one.

    Raises ConfigError for a key that the session changes and the plan sets, and for a treatment
    that cannot be played.
    """
    played, block = dict[str, Setup](), plan.block(number)
    start, before = dict(given), dict(shipped)
    set_by_plan = {*plan.changes}
    if block is not None and block.session:
        before = dict(shipped[PLAN]["sessions"][block.session])
        whole = ("seed", *MONEY, *SHARED)
        start = {**before, **{key: given[key] for key in whole if key in given}}
        set_by_plan = set()
    for name, treatment in plan.treatments.items():
        own = _changes(treatment, block)
        for key in own:
            if start.get(key) != before.get(key):
                where = f"treatment {name!r}" if block is None else f"{name!r} in {block.name!r}"
                raise ConfigError(
                    f"{key} = {start.get(key)!r}: {where} of the plan sets it; change it there"
                )
        given_up = {*set_by_plan, *own} - {"archetype"}
        known = {key: value for key, value in before.items() if key not in given_up}
        try:
            chosen = {key: value for key, value in start.items() if key != PLAN}
            played[name], _ = resolve(game_of(before), {**chosen, **own}, known)
        except EngineError as error:
            where = f"treatments.{name}" + ("" if block is None else f", block {block.name}")
            raise within(where, error) from None
    return played


def _changes(treatment: Treatment, block: Block | None) -> dict[str, Any]:
    """What a treatment changes in a block, as a session config has it."""
    if block is None:
        return as_given(treatment.changes)
    varied = treatment.blocks.get(block.name)
    common = {} if block.session else treatment.changes
    return as_given({**common, **block.changes, **({} if varied is None else varied.changes)})


def series(
    plan: Plan, given: Mapping[str, Any], shipped: Mapping[str, Any]
) -> list[dict[str, Setup]]:
    """The setups of all blocks, in order, by treatment; without blocks of the one play.

    Raises ConfigError as `setups` does, for two treatments that do not differ, and for blocks that
    cannot follow each other.
    """
    numbers = range(1, len(plan.block_names) + 1)
    played = [setups(plan, given, shipped, number) for number in numbers]
    _check_differing(played)
    for name in order_of(played[0]):
        if name not in plan.treatments:
            raise ConfigError(
                f"treatment_order = {name!r}: no such treatment{nearest(name, plan.treatments)}"
            )
    if plan.blocks:
        check_following(plan, played)
        if plan.pay_blocks == "one" and not given.get("real_world_currency_per_point", 1):
            raise ConfigError("pay_blocks = 'one': points are worth nothing in this session")
    return played


def order_of(setups: Mapping[str, Setup]) -> tuple[str, ...]:
    """The treatments of groups, in turn, where a session has them by hand; empty: it has not."""
    common = next(iter(setups.values())).options
    return tuple(policy_specs(common.treatment_order))


def shipped_setups(game: str, config: Mapping[str, Any]) -> dict[str, Setup]:
    """The setups of a session config as it is: of a plan by treatment, in its first block, else one
    without a name.

    Their seed is 0 where the config has none. Raises ConfigError.
    """
    return shipped_series(game, config)[0]


def treated(config: Mapping[str, Any]) -> list[dict[str, Any]]:
    """A session config as each treatment changes it, unchecked; without a plan, as it is."""
    own = config.get(PLAN)
    if own is None:
        return [dict(config)]
    treatments = own["plan"]["treatments"].values()
    return [{**config, **as_given(treatment["changes"])} for treatment in treatments]


def mixing(config: Mapping[str, Any]) -> int:
    """So many groups of a treatment, one after the other, mix with each other in later blocks."""
    own = config.get(PLAN)
    return 1 if own is None else int(own["plan"].get("matching_groups", 1))


def shipped_series(game: str, config: Mapping[str, Any]) -> list[dict[str, Setup]]:
    """The same of all blocks, in order."""
    own = config.get(PLAN)
    if own is None:
        return [{"": resolve(game, config, config)[0]}]
    given = {**config, "seed": str(config.get("seed", "")) or "0"}
    return series(Plan.model_validate(own["plan"]), given, config)


def rules_of(setup: Setup) -> dict[str, Any]:
    """All that has effect in a setup, but the seed and the name of the archetype."""
    config = {key: value for key, value in setup.config.items() if key != "identity"}
    identity = {key: setup.config["identity"][key] for key in ("game", "version")}
    rules = {
        name: {key: value for key, value in own.items() if key != "identity"}
        for name, own in setup.rules.items()
    }
    chosen = {"rules": rules} if rules else {}
    return {**identity, **config, **chosen, "options": setup.options.model_dump(mode="json")}


def own_seed(plan: Plan, code: str) -> str:
    """The seed of the session with a code, as its config has it; empty: the plan has none."""
    if plan.seed is None:
        return ""
    return str(int(generator(plan.seed, f"session {code}").integers(2**53)))


def _check_differing(played: Sequence[Mapping[str, Setup]]) -> None:
    """Raises ConfigError for two treatments that are the same in all blocks."""
    seen: dict[str, str] = {}
    for name in played[0]:
        rules = json.dumps([rules_of(own[name]) for own in played], sort_keys=True)
        if rules in seen:
            raise ConfigError(
                f"treatments.{name}: differs in nothing from treatment {seen[rules]!r}; give it "
                "`changes`"
            )
        seen[rules] = name


def seats_of(
    plan: Plan, treatment: str, options: Options, seats: int, number: int = 1
) -> tuple[list[str], list[str]]:
    """The policies of a rehearsed group in the block with this number: those in people's places,
    and the bots beside them."""
    people = policy_specs(plan.people_of(treatment, number))
    listed = [policy_in_turn(people, turn) for turn in range(options.people_per_group)]
    others = range(seats - len(listed))
    return listed, [policy_in_turn(options.bot_list, turn) for turn in others]
