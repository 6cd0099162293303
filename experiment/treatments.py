"""What is played in each treatment of a plan: setups, made from a session config and checked as a
session is; and the session config of the plan itself.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

import bots
import engine
from engine.contract.chance import generator
from engine.contract.errors import ConfigError, EngineError, UnknownName, nearest
from experiment.plan import Plan
from experiment.reading import within
from table.consent import consent_text
from table.options import Options, policy_specs
from table.seating import policy_in_turn
from table.setup import Setup, resolve

__all__ = [
    "PLAN",
    "as_given",
    "game_of",
    "own_seed",
    "rules_of",
    "seats_of",
    "session_config",
    "setups",
    "shipped_setups",
    "treated",
]

PLAN = "plan"
"""The key of a session config that holds the plan: {name, plan}. The form does not show it."""

_NAMES = ("name", "display_name", "app_sequence", "num_demo_participants", "doc", "seed", PLAN)
_MONEY = ("participation_fee", "real_world_currency_per_point")
_SHARED = ("language", "consent", "parts", "budget", "panel_parameters", "completion_links")
"""What holds before a person has a treatment, or is of the whole session."""


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
    known = (*start, *_MONEY)
    _check_keys("changes", common, known, _NAMES)
    for treatment, own in plan.treatments.items():
        where = f"treatments.{treatment}.changes"
        _check_keys(where, own.changes, known, (*_NAMES, *_MONEY, *_SHARED))
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
        PLAN: {"name": name, "plan": plan.model_dump(mode="json")},
    }
    played = setups(plan, {**config, "seed": "0"}, config)
    _check_people(plan, played)
    sizes = [setup.options.people_per_group for setup in played.values()]
    return {**config, "num_demo_participants": sum(sizes) * setup.options.parts}


def setups(plan: Plan, given: Mapping[str, Any], shipped: Mapping[str, Any]) -> dict[str, Setup]:
    """The setup of each treatment, for a session with the config `given` that started from the
    plan's, `shipped`. All have the seed of `given`, which must have one.

    Raises ConfigError for a key that the session changes and treatments differ in, for a treatment
    that cannot be played, and for two that do not differ.
    """
    game, played = game_of(given), dict[str, Setup]()
    for name, treatment in plan.treatments.items():
        own = as_given(treatment.changes)
        for key in own:
            if given.get(key) != shipped.get(key):
                raise ConfigError(
                    f"{key} = {given.get(key)!r}: treatment {name!r} of the plan sets it; change "
                    "it there"
                )
        set_by_plan = {*plan.changes, *own} - {"archetype"}
        known = {key: value for key, value in shipped.items() if key not in set_by_plan}
        try:
            chosen = {key: value for key, value in given.items() if key != PLAN}
            played[name], _ = resolve(game, {**chosen, **own}, known)
        except EngineError as error:
            raise within(f"treatments.{name}", error) from None
    _check_differing(played)
    return played


def shipped_setups(game: str, config: Mapping[str, Any]) -> dict[str, Setup]:
    """The setups of a session config as it is: of a plan by treatment, else one without a name.

    Their seed is 0 where the config has none. Raises ConfigError.
    """
    own = config.get(PLAN)
    if own is None:
        return {"": resolve(game, config, config)[0]}
    given = {**config, "seed": str(config.get("seed", "")) or "0"}
    return setups(Plan.model_validate(own["plan"]), given, config)


def treated(config: Mapping[str, Any]) -> list[dict[str, Any]]:
    """A session config as each treatment changes it, unchecked; without a plan, as it is."""
    own = config.get(PLAN)
    if own is None:
        return [dict(config)]
    treatments = own["plan"]["treatments"].values()
    return [{**config, **as_given(treatment["changes"])} for treatment in treatments]


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


def _check_keys(
    where: str, changes: Mapping[str, Any], known: Iterable[str], barred: Iterable[str]
) -> None:
    """Raises UnknownName for a key of no session config, ConfigError for one not to be set here."""
    for key, value in changes.items():
        if key in barred:
            raise ConfigError(f"{where}.{key} = {value!r}: {_barred(key)}")
        if key not in known:
            raise UnknownName(f"{where}.{key} = {value!r}: unknown key{nearest(key, known)}")


def _barred(key: str) -> str:
    if key in _NAMES:
        return "follows from the plan"
    return "is the same for the whole session; set it in `changes` of the plan"


def _check_differing(played: Mapping[str, Setup]) -> None:
    seen: dict[str, str] = {}
    for name, setup in played.items():
        rules = json.dumps(rules_of(setup), sort_keys=True)
        if rules in seen:
            raise ConfigError(
                f"treatments.{name}: differs in nothing from treatment {seen[rules]!r}; give it "
                "`changes`"
            )
        seen[rules] = name


def _check_people(plan: Plan, played: Mapping[str, Setup]) -> None:
    """Raises ConfigError for policies in people's places that cannot play."""
    for name, setup in played.items():
        for spec in policy_specs(plan.people_of(name)):
            try:
                bots.make(spec, setup.game)
            except EngineError as error:
                key = f"treatments.{name}.people" if plan.treatments[name].people else "people"
                raise ConfigError(f"{key} = {plan.people_of(name)!r}: {error}") from None


def seats_of(
    plan: Plan, treatment: str, options: Options, seats: int
) -> tuple[list[str], list[str]]:
    """The policies of a rehearsed group: those in people's places, and the bots beside them."""
    people = policy_specs(plan.people_of(treatment))
    listed = [policy_in_turn(people, turn) for turn in range(options.people_per_group)]
    others = range(seats - len(listed))
    return listed, [policy_in_turn(options.bot_list, turn) for turn in others]
