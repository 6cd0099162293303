"""When a session is created: check its config by name, write down what has effect."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from otree.common import get_constants
from otree.session import SESSION_CONFIGS_DICT

import engine
from experiment.plan import Plan
from experiment.planned import planned_for
from experiment.treatments import PLAN, own_seed
from server.pages.guide import guide_of
from server.session_form import changes
from table.consent import consent_text
from table.leanings import prepared
from table.setup import Setup, resolve

__all__ = ["create"]

LONGEST_LABEL = 200
"""So much of what was changed a list of sessions shows."""


def create(subsession: Any) -> None:
    """The `creating_session` of every app. Raises ConfigError; then there is no session."""
    session = subsession.session
    game_id = get_constants(subsession.get_folder_name()).GAME
    shipped = SESSION_CONFIGS_DICT[session.config["name"]]
    config = {**session.config, "consent": consent_text(str(session.config.get("consent", "")))}
    for key in _of_other_games(game_id, config["app_sequence"]):
        config.pop(key, None)
    own = shipped.get(PLAN)
    config.pop(PLAN, None)
    plan = None if own is None else Plan.model_validate(own["plan"])
    if plan is not None and not str(config.get("seed", "")).strip():
        config["seed"] = own_seed(plan, session.code)
    setup, written = resolve(game_id, config, shipped)
    setup = _prepared(setup)
    subsession.setup = setup.model_dump_json()
    if plan is not None:
        planned = planned_for(own["name"], plan, {**config, "seed": written["seed"]}, shipped)
        treated = {name: _prepared(setup) for name, setup in planned.setups.items()}
        planned = planned.model_copy(update={"setups": treated})
        subsession.plan = planned.model_dump_json()
    given = dict(session.config)
    shown = {PLAN: own} if own is not None else {}
    session.config = type(session.config)({**session.config, **written, **shown})
    if not session.label:
        session.label = changes(given, shipped)[:LONGEST_LABEL]


def _prepared(setup: Setup) -> Setup:
    """What takes long is done now: of the game, and what bots vote for."""
    for own in (setup, *map(setup.chosen, setup.rules)):
        guide_of(own.game.id).prepare(own.game)
    return prepared(setup)


def _of_other_games(game_id: str, apps: Sequence[str]) -> set[str]:
    """The parameters that only other games of the same session have."""
    own = set(engine.find(game_id).Core.model_fields)
    others = (engine.find(app).Core.model_fields for app in apps if app in engine.game_ids())
    return set().union(*others) - own
