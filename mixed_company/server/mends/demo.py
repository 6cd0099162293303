"""The Demo page: each game with a picture, a sentence, its sessions, and the numbers of players and
minutes.

oTree 6.0.15 lists all session configs by name. Here they are listed under their game: the first one
in the game's `sessions.py` is a button, and the others are collapsed. Session configs of other apps
come last, in oTree's format.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import Any

from otree.common import get_models_module
from otree.session import SESSION_CONFIGS_DICT
from otree.views.demo import DemoIndex

from mixed_company import engine
from mixed_company.engine.contract.errors import EngineError
from mixed_company.experiment.checking import PLAN
from mixed_company.experiment.showing import longest_minutes, practice_minutes, whole_minutes
from mixed_company.experiment.treatments import shipped_series
from mixed_company.server.pages.guide import guide_of
from mixed_company.table.setup import Setup

PICTURE = "picture.svg"
_MOST_LISTED = 3  # different treatments
_STATIC = Path(__file__).parents[3] / "_static"
_log = logging.getLogger(__name__)
_vars = DemoIndex.vars_for_template


def install() -> None:
    """Change the content of the Demo page."""
    DemoIndex.vars_for_template = _with_games


def _with_games(view: Any) -> dict[str, Any]:
    shown: dict[str, Any] = _vars(view)
    urls = {entry["name"]: entry["url"] for entry in shown["session_info"]}
    return {**shown, "games": listed(urls), "others": _others(urls)}


def listed(urls: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the data of each game, as HTML; `urls` maps names of session configs to links."""
    games = []
    for game_id in engine.game_ids():
        names = [name for name in urls if _game_of(name) == game_id]
        try:
            described = _described(game_id) if names else None
        except Exception as error:  # noqa: BLE001  one broken app must not hide the others
            _log.error("%s is omitted from the Demo page: %s", game_id, error)
            continue
        if described is not None:
            best, *more = (_session(name, urls[name]) for name in names)
            games.append({**described, "best": best, "more": more})
    return games


def _game_of(name: str) -> str:
    """Return the first of this project's games in a session config, or an empty string."""
    apps = SESSION_CONFIGS_DICT[name]["app_sequence"]
    return next((app for app in apps if app in engine.game_ids()), "")


def _others(urls: Mapping[str, str]) -> list[dict[str, str]]:
    return [
        {"name": escape(str(SESSION_CONFIGS_DICT[name]["display_name"])), "url": url}
        for name, url in urls.items()
        if not _game_of(name)
    ]


def _described(game_id: str) -> dict[str, str]:
    """Return the game's name, a sentence about it, and a picture if its app has one."""
    sentence = str(get_models_module(game_id).doc or "").strip().split("\n\n")[0]
    picture = f"/static/{game_id}/{PICTURE}" if (_STATIC / game_id / PICTURE).is_file() else ""
    return {
        "title": escape(guide_of(game_id).title),
        "sentence": escape(sentence),
        "picture": picture,
    }


def _session(name: str, url: str) -> dict[str, str]:
    config = SESSION_CONFIGS_DICT[name]
    return {
        "name": escape(str(config["display_name"])),
        "url": url,
        "details": _details(name),
    }


@lru_cache(maxsize=256)
def _details(name: str) -> str:
    """Return the numbers of players, people, minutes and, for a plan, treatments."""
    config = SESSION_CONFIGS_DICT[name]
    try:
        setups = shipped_series(_game_of(name), config)[0]
    except EngineError as error:
        return escape(f"cannot be created: {error}")
    described = list(dict.fromkeys(map(_of_setup, setups.values())))
    listed = len(described) <= _MOST_LISTED
    details = " or ".join(described) if listed else _ranges(setups.values())
    return details if PLAN not in config else f"{len(setups)} treatments: {details}"


def _ranges(setups: Collection[Setup]) -> str:
    """Return the ranges of the numbers of people and minutes across many treatments."""
    people = [setup.options.people_per_group for setup in setups]
    minutes = [_minutes(setup) for setup in setups]
    who = f"{min(people)} to {max(people)} people per group"
    if not min(minutes):
        return who
    return f"{who}; from {whole_minutes(min(minutes))} to {whole_minutes(max(minutes))}"


def _minutes(setup: Setup) -> float:
    """Return the maximum length of the play and the practice; 0 if there is no time limit."""
    return (longest_minutes(setup) or 0.0) + practice_minutes(setup)


def _of_setup(setup: Setup) -> str:
    seats, people = setup.game.seats, setup.options.people_per_group
    minutes = _minutes(setup)
    who = f"{seats} players, {people} of them {'a person' if people == 1 else 'people'}"
    if people == seats:
        who = f"{seats} people"
    if not minutes:
        return f"{who}; no time limit"
    if setup.options.practice_periods:
        return f"{who}; about {max(round(minutes), 1)} minutes with the practice"
    return f"{who}; {whole_minutes(minutes)} at most"
