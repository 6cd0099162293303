"""Setup of a session: the game's configuration and the options, parsed and checked once.

`session_config` writes a config for settings.py that contains every number, so each can be changed
when a session is created. `resolve` parses the keys from settings, a form, a plan or a command, and
names the keys that it rejects. After that, the setup is stored as JSON (`table.stored`).

Values that were changed in the form take precedence; all others come from the archetype, so they
change if another archetype is chosen.
"""

from __future__ import annotations

import json
import math
import secrets
from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import Any, Self

from pydantic import ValidationError

from mixed_company import engine, policies
from mixed_company.engine.config import resolved
from mixed_company.engine.contract.chance import check_seed
from mixed_company.engine.contract.config import Configuration, Section, refusal
from mixed_company.engine.contract.errors import ConfigError, EngineError, nearest, short
from mixed_company.engine.game import Game
from mixed_company.language.catalogue import opened
from mixed_company.policies.policy import Policy
from mixed_company.policies.spec import policy_specs
from mixed_company.table.choosing import alternatives
from mixed_company.table.disclosing import check_disclosure
from mixed_company.table.given import consent_text, from_text, is_number, read
from mixed_company.table.options import Options
from mixed_company.table.questions import check_questions
from mixed_company.table.stored import restored
from mixed_company.table.talk.among import check_talk


class Setup(Section):
    """Complete description of a table, as plain JSON. All tables of a session share one game and
    its policies.

    config     of the game: complete if this code has checked it, otherwise as another release wrote
               it
    rules      name -> configuration, for the rules that a group chooses from
    leanings   policy -> the rule that it votes for, if that is known (`table.leanings`)
    rule       chosen rule, with the configuration `config`; empty if there is none
    rehearsed  whether policies play in place of people
    """

    config: dict[str, Any]
    options: Options
    rules: dict[str, dict[str, Any]] = {}
    leanings: dict[str, str] = {}
    rule: str = ""
    rehearsed: bool = False

    @cached_property
    def _checked(self) -> bool:
        """True if this code has validated the configurations."""
        return False

    @classmethod
    def trusted(cls, data: Mapping[str, Any]) -> Self:
        """Return the setup with this JSON form, which was checked and written by this code."""
        setup = super().trusted(data)
        setup.__dict__["_checked"] = True
        return setup

    def __getstate__(self) -> dict[Any, Any]:
        """Return the state to pickle, without the game and the policies. Other processes recreate
        them, because population classes cannot be pickled.
        """
        state = super().__getstate__()
        stored = {*type(self).model_fields, "_checked"}
        content = {key: value for key, value in state["__dict__"].items() if key in stored}
        return {**state, "__dict__": content}

    def checked(self) -> Setup:
        """Return the setup with complete configurations. Raises ConfigError, UnknownName."""
        if self._checked:
            return self
        rules = {name: engine.completed(config) for name, config in self.rules.items()}
        return Setup.trusted(dict(self.changed(config=engine.completed(self.config), rules=rules)))

    @cached_property
    def game(self) -> Game[Any]:
        """Game, which all tables of the setup can share because it is pure."""
        return engine.restored(self.config, trusted=self._checked)

    @cached_property
    def practice(self) -> Setup:
        """Setup for practice (`server.open.practices`)."""
        return self.changed(options=self.options.in_practice(), rules={}, leanings={})

    @cached_property
    def _chosen(self) -> dict[str, Setup]:
        return {}

    @property
    def games(self) -> list[Game[Any]]:
        """Games that groups of this setup can play, including the games of its rules."""
        return [self.game, *(self.chosen(rule).game for rule in self.rules)]

    def chosen(self, rule: str) -> Setup:
        """Return the setup for a group that has chosen one of the rules."""
        if rule not in self._chosen:
            self._chosen[rule] = self.changed(config=self.rules[rule], rule=rule)
        return self._chosen[rule]

    def changed(self, **fields: Any) -> Setup:
        """Return the setup with some fields changed, to values that must already be checked."""
        values = {name: getattr(self, name) for name in Setup.model_fields} | fields
        return Setup.trusted(values) if self._checked else Setup.model_construct(**values)

    @cached_property
    def _policies(self) -> dict[str, Policy]:
        return {}

    def policy(self, spec: str) -> Policy:
        """Return the policy that `spec` names; the seat, not the policy, stores its memory."""
        if spec not in self._policies:
            self._policies[spec] = policies.make(spec, self.game)
        return self._policies[spec]

    def use(self, spec: str, policy: Policy) -> None:
        """Use this policy for `spec`, for example a policy that is not installed."""
        self._policies[spec] = policy


@lru_cache(maxsize=256)
def setup_from(text: str) -> Setup:
    """Return a stored setup; equal strings return the same object. Raises ConfigError."""
    return restored(Setup, text)


_SECTIONS = ("layers", "agents")
_SHARED = ("archetype", "seed", *_SECTIONS)
_OTREE = frozenset(
    ("name", "display_name", "app_sequence", "num_demo_participants", "doc", "room_name")
    + ("participation_fee", "real_world_currency_per_point")
    + ("use_browser_bots", "mturk_hit_settings")
)


NEW_SESSIONS: dict[str, Any] = {"practice_periods": 2, "ready": True}
"""Options of new session configs that differ from the defaults.

A config without these keys, such as a config from an earlier release, has neither a practice nor
`ready`.
"""


def session_config(name: str, game_id: str, archetype: str, **changes: Any) -> dict[str, Any]:
    """Return a session config for settings.py: oTree's keys, the game's numbers, the options.

    `changes` can contain any of these keys. Raises ConfigError for a key that does not exist.
    """
    game = engine.find(game_id)
    preset = game.known_archetypes().get(archetype, {})
    options = Options(**NEW_SESSIONS)
    values = _written(game.resolve(archetype), options) | {"archetype": archetype, "seed": ""}
    for key, field in game.Core.model_fields.items():
        if field.default is None and key not in preset:
            values[key] = ""  # follows from other keys
    for key in changes:
        if key not in values and key not in _OTREE:
            raise ConfigError(f"{name}: {short(key)}: unknown key{nearest(key, values)}")
    people = changes.get("people_per_group", values["people_per_group"])
    people *= changes.get("parts", 1)  # one group per part
    return {
        "name": name,
        "app_sequence": [game_id],
        "num_demo_participants": people,
        **values,
        **changes,
    }


def resolve(
    game_id: str, config_keys: Mapping[str, Any], shipped: Mapping[str, Any]
) -> tuple[Setup, dict[str, Any]]:
    """Parse and check a session's config; `shipped` is the config in settings.py that it is based
    on.

    Returns the setup and the values to write back, so that the session shows the values in effect.
    Raises ConfigError or UnknownName listing every invalid key.
    """
    kind = engine.find(game_id)
    _no_typos(config_keys, set(kind.Core.model_fields) | set(Options.model_fields) | set(_SHARED))
    for key in ("participation_fee", "real_world_currency_per_point"):
        _check_money(key, config_keys.get(key, 0.0))
    options = options_from(config_keys)
    game = _playable(kind, config_keys, shipped, options)
    seed = game.config.identity.seed

    def changed(changes: Mapping[str, Any]) -> Game[Any]:
        kept = {key: value for key, value in shipped.items() if key not in changes}
        return _playable(kind, {**config_keys, **changes, "seed": seed}, kept, options)

    config, rules = game.config.model_dump(mode="json"), alternatives(game, options.rules, changed)
    setup = Setup.trusted({"config": config, "options": options, "rules": rules})
    return setup, _written(game.config, options)


def _playable(
    kind: type[Game[Any]],
    config_keys: Mapping[str, Any],
    shipped: Mapping[str, Any],
    options: Options,
) -> Game[Any]:
    """Return the game. Raises ConfigError if it cannot be played with these options."""
    game = kind(kind.completed(_config(kind, config_keys, shipped, options)))
    _check_seats(game, options)
    _check_language(game.id, options.language)
    check_disclosure(game, options)
    check_talk(game, options, options.by_clock, options.decision_seconds)
    check_questions(game, options)
    if options.by_clock and game.config.agents.timing == "sequential":
        raise ConfigError("pace = 'clock': should be 'answers' if agents.timing is sequential")
    return game


def _config(
    kind: type[Game[Any]],
    config_keys: Mapping[str, Any],
    shipped: Mapping[str, Any],
    options: Options,
) -> dict[str, Any]:
    """Return the archetype's values, overridden by the session's numbers and sections."""
    archetype = str(config_keys.get("archetype", "custom"))
    same = archetype == shipped.get("archetype")
    overrides = {
        key: value for key, value in config_keys.items() if same or value != shipped.get(key)
    }
    seed = _seed(config_keys.get("seed", ""))
    data = resolved(kind, archetype, seed, {}, read(kind.Core, overrides))
    data |= {key: from_text(key, overrides[key], {}) for key in _SECTIONS if key in overrides}
    if options.dropout == "reduced" and isinstance(data.get("agents", {}), dict):
        data["agents"] = {**data.get("agents", {}), "may_leave": True}
    return data


def _check_language(game_id: str, language: str) -> None:
    if game_id in opened(language).lacks:
        raise ConfigError(
            f"language = {language!r}: texts of {game_id} are not translated; "
            f"`mixed languages` lists them"
        )


def options_from(config_keys: Mapping[str, Any]) -> Options:
    """Return the options in the keys of a session config. Raises ConfigError."""
    values = read(Options, config_keys)
    if isinstance(values.get("consent"), str):
        values["consent"] = consent_text(values["consent"])
    try:
        return Options.model_validate(values)
    except ValidationError as error:
        raise refusal(error, Options) from None


def _check_seats(game: Game[Any], options: Options) -> None:
    if options.people_per_group > game.seats:
        raise ConfigError(
            f"people_per_group = {options.people_per_group}: should be at most seats, {game.seats}"
        )
    if not options.bot_list:
        raise ConfigError(f"bots = {options.bots!r}: should name at least one policy")
    named = [("bots", spec) for spec in options.bot_list]
    if options.dropout_bot:
        named.append(("dropout_bot", options.dropout_bot))
    if options.practice_periods:
        named += [("practice_bots", spec) for spec in policy_specs(options.practice_bots) or [""]]
    for key, spec in named:
        try:
            policies.make(spec, game)
        except EngineError as error:
            raise ConfigError(f"{key} = {getattr(options, key)!r}: {error}") from None


def _seed(value: Any) -> int:
    """Return the session's seed; draw one if none is set."""
    if value in ("", None):
        return secrets.randbelow(2**53)
    return check_seed(int(value) if isinstance(value, str) and is_number(value) else value)


def _check_money(key: str, amount: Any) -> None:
    """Refuse a fee or a rate that would make oTree fail, at startup or when people are paid."""
    try:
        right = not isinstance(amount, bool) and math.isfinite(amount) and amount >= 0
    except (OverflowError, TypeError):
        right = False
    if not right:
        raise ConfigError(f"{key} = {short(amount)}: should be a number that is at least 0")


def _no_typos(config_keys: Mapping[str, Any], allowed: set[str]) -> None:
    """Refuse a key that looks misspelt. Other unknown keys are allowed, because they can belong to
    other apps.
    """
    for key in config_keys:
        if key in allowed or key in _OTREE:
            continue
        hint = nearest(key, allowed)
        if hint.startswith("; did you mean"):
            raise ConfigError(f"{key} = {short(config_keys[key])}: unknown key{hint}")


def _written(config: Configuration[Any], options: Options) -> dict[str, Any]:
    """Return all keys in a form that oTree can edit: numbers, flags and strings.

    Layers and agents are JSON of the values that differ from the defaults; empty if none do.
    """
    values: dict[str, Any] = {}
    for section in (config.core, options):
        kind = type(section)
        values |= {name: kind.model_fields[name].default for name in kind.unwritten()}
        values |= section.model_dump(mode="json")
    for key in _SECTIONS:
        values[key] = getattr(config, key).model_dump(mode="json", exclude_defaults=True)
    values |= {"archetype": config.identity.archetype, "seed": str(config.identity.seed)}
    return {
        key: value if isinstance(value, bool | int | float | str) else _as_text(value)
        for key, value in values.items()
    }


def _as_text(value: Any) -> str:
    return "" if value in (None, {}, [], ()) else json.dumps(value)
