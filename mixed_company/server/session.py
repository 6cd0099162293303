"""Creation of a session: its config is parsed and checked once, and the setups are stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from otree.common import get_constants, get_models_module
from otree.session import SESSION_CONFIGS_DICT

from mixed_company import engine
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.experiment.checking import PLAN
from mixed_company.experiment.plan import Plan
from mixed_company.experiment.planned import Planned, planned_blocks
from mixed_company.experiment.treatments import own_seed, plan_of
from mixed_company.server.blocks.apps import block_of, game_of
from mixed_company.server.pages.guide import guide_of
from mixed_company.server.session_form import changes
from mixed_company.table.leanings import prepared
from mixed_company.table.seating import MOST_GROUPS
from mixed_company.table.setup import Setup, resolve
from mixed_company.table.stored import stored

LONGEST_LABEL = 200
"""Maximum length of the text that a list of sessions shows about changes."""


def create(subsession: Any) -> None:
    """Serve as the `creating_session` of every app. If it raises ConfigError, no session is
    created.
    """
    session = subsession.session
    if subsession.plan:
        return  # a later block of a plan is created together with the first
    game_id = get_constants(subsession.get_folder_name()).GAME
    shipped = SESSION_CONFIGS_DICT[session.config["name"]]
    config = dict(session.config)
    for key in _of_other_games(game_id, config["app_sequence"]):
        config.pop(key, None)
    config.pop(PLAN, None)
    plan = plan_of(shipped)
    seed_by_hand = bool(str(config.get("seed", "")).strip())
    if plan is not None and not seed_by_hand:
        config["seed"] = own_seed(plan, session.code)
    setup, written = resolve(game_id, config, shipped)
    if plan is None and setup.options.treatment_order:
        rule = "this session has no plan and therefore no treatments"
        raise ConfigError(f"treatment_order = {setup.options.treatment_order!r:.60}: {rule}")
    setup = _prepared(setup)
    subsession.setup = stored(setup)
    if plan is not None:
        config |= {"seed": written["seed"], PLAN: shipped[PLAN]}
        _plan(subsession, plan, planned_blocks(plan, config, shipped, seed_by_hand))
        written[PLAN] = shipped[PLAN]
    chosen = dict(session.config)
    session.config = type(session.config)({**session.config, **written})
    if not session.label:
        session.label = changes(chosen, shipped)[:LONGEST_LABEL]


def _prepared(setup: Setup) -> Setup:
    """Compute in advance the values that take a long time: plays for comparison, and the bots'
    votes."""
    for game in setup.games:
        guide_of(game.id).prepare(game)
    return prepared(setup).checked()


def _plan(subsession: Any, plan: Plan, blocks: Sequence[Planned]) -> None:
    """Store the blocks of a session's plan, each in its app."""
    session = subsession.session
    _check_size(session, plan, blocks[0].sizes)
    kept = []
    for planned in blocks:
        treated = {name: _prepared(setup) for name, setup in planned.setups.items()}
        kept.append(planned.model_copy(update={"setups": treated}))
    # oTree has already created the subsessions of all blocks
    for app in map(get_models_module, session.config["app_sequence"]):
        number = block_of(app.__name__)
        if number > 1:
            later = app.Subsession.objects_first(session=session)
            common = next(iter(kept[number - 1].setups.values()))
            later.setup, later.plan = stored(common), stored(kept[number - 1])
    subsession.plan = stored(kept[0])


def _check_size(session: Any, plan: Plan, sizes: Mapping[str, int]) -> None:
    """Check that a session with blocks does not have too many people, and that a session with a
    space has enough people for its groups. Raises ConfigError.
    """
    needed = sum(sizes.values()) if plan.assignment == "balanced" else max(sizes.values())
    if plan.space and session.num_participants < needed:
        raise ConfigError(
            f"{session.num_participants} participants: with {len(sizes)} points and assignment = "
            f"{plan.assignment!r}, a session needs at least {needed}"
        )
    if plan.blocks and session.num_participants > MOST_GROUPS:
        raise ConfigError(
            f"{session.num_participants} participants: a session with blocks can have at "
            f"most {MOST_GROUPS}; use `parts`"
        )


def _of_other_games(game_id: str, apps: Sequence[str]) -> set[str]:
    """Return the parameters that only other games in the same session have."""
    games = {game_of(app) for app in apps} - {""}
    others = (engine.find(game).Core.model_fields for game in games)
    return set().union(*others) - set(engine.find(game_id).Core.model_fields)
