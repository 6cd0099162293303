"""Numbers for the pictures in the commons' instructions. Each screen shows a lake."""

from __future__ import annotations

from commons_game.instructions import example
from mixed_company.engine.games.commons_game import CommonsGame
from mixed_company.server.pages import plain
from mixed_company.server.pages.guide import Row


def scenes(game: CommonsGame) -> dict[str, Row]:
    """Return the numbers for each screen's picture: {lake, seats, stock, change, harvest}, in fish.
    They have the same format as the numbers that `stage.py` sends during a play.

    about    the lake at the start
    decides  the fish that each player gets if every player requests the maximum
    happens  the lake after the example period; only for logistic growth
    ends     half of the stock below which the lake collapses; only if there is such a threshold
    """
    core = game.core
    stock = float(core.initial_stock or 0.0)
    whole = {
        "seats": core.seats,
        "lake": {
            "capacity": core.capacity,
            "collapse_stock": core.collapse_stock,
            "recovery_stock": core.recovery_stock,
        },
    }
    drawn = {
        "about": {**whole, "stock": stock},
        "decides": {**whole, "stock": stock, "harvest": _granted(game, stock)},
    }
    if core.growth == "logistic":
        before, taken, born, left = example(game)
        change = {"before": before, "taken": taken, "left": before - taken, "born": born}
        catches = [taken / core.seats] * core.seats
        drawn["happens"] = {**whole, "stock": left, "change": change, "harvest": catches}
    if core.collapse_stock > 0:
        drawn["ends"] = {**whole, "stock": core.collapse_stock / 2}
    return drawn


def _granted(game: CommonsGame, stock: float) -> list[float]:
    """Return the fish that each seat gets if every seat requests its maximum, shape (n,)."""
    requests = [min(limit, stock) for limit in plain.most(game, "harvest")]
    share = min(1.0, stock / sum(requests)) if sum(requests) else 0.0
    return [share * limit for limit in requests]
