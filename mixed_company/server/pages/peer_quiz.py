"""Quiz questions on peer points, the same for all games that have them."""

from __future__ import annotations

from typing import Any

from mixed_company.engine.contract.peer_core import PeerCore
from mixed_company.engine.game import Game
from mixed_company.language import pair
from mixed_company.server.pages import plain
from mixed_company.server.pages.guide import Question
from mixed_company.server.pages.peer_example import Given, example, rounded
from mixed_company.server.pages.peer_rules import costs, gained, taken
from mixed_company.server.pages.texts import counted


def questions(game: Game[Any]) -> list[Question]:
    """Return the questions on the cost and effect of peer points; empty if there are no peer
    points."""
    if game.peers is None or not plain.is_paid_at_once(game):
        return []
    core: PeerCore = game.core
    shown = _of_kind(game, core.peer == "reward")
    if core.peer_reward_cost is not None or core.peer_reward_effect is not None:
        shown += _of_kind(game, reward=True)
    return [question for question in shown if len(question["options"]) > 1]


def _of_kind(game: Game[Any], reward: bool) -> list[Question]:
    """Return the questions on either punishment or reward points; empty if there is no example."""
    points = example(game, 3, reward)
    if points is None:
        return []
    return [_cost_question(game.core, points, reward), _effect_question(game.core, points, reward)]


def _cost_question(core: PeerCore, points: Given, reward: bool) -> Question:
    words = pair(
        "You give another player {n} punishment point. How many points does this cost you?",
        "You give another player {n} punishment points. How many points does this cost you?",
    )
    if reward:
        words = pair(
            "You give another player {n} reward point. How many points does this cost you?",
            "You give another player {n} reward points. How many points does this cost you?",
        )
    return {
        "name": _named("peer_cost", core, reward),
        "text": counted(*words, points.points),
        "options": _options(0.0, points.cost, abs(points.change)),
        "right": rounded(points.cost),
        "why": costs(core)[-1 if reward else 0],
    }


def _effect_question(core: PeerCore, points: Given, reward: bool) -> Question:
    words = pair(
        "You earned {mine} points in this period. Then you get {n} punishment point. How many "
        "points do you lose because of this?",
        "You earned {mine} points in this period. Then you get {n} punishment points, all from "
        "one player. How many points do you lose because of this?",
    )
    if reward:
        words = pair(
            "You earned {mine} points in this period. Then you get {n} reward point. How many "
            "points do you gain because of this?",
            "You earned {mine} points in this period. Then you get {n} reward points, all from "
            "one player. How many points do you gain because of this?",
        )
    return {
        "name": _named("peer_effect", core, reward),
        "text": counted(*words, points.points, mine=rounded(points.theirs)),
        "options": _options(0.0, float(points.points), abs(points.change)),
        "right": rounded(abs(points.change)),
        "why": gained(core) if reward else taken(core),
    }


def _named(name: str, core: PeerCore, reward: bool) -> str:
    """Return the name of a question. If a game has both kinds of points, questions on reward points
    have different names.
    """
    return name.replace("peer_", "peer_reward_") if reward and core.peer == "both" else name


def _options(*values: float) -> list[str]:
    return list(dict.fromkeys(rounded(value) for value in sorted(values)))
