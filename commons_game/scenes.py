"""The numbers of the pictures in the instructions of the commons: the lake, screen by screen."""

from __future__ import annotations

from commons_game.instructions import example
from mixed_company.engine.games.commons_game import CommonsGame
from mixed_company.server.pages import plain
from mixed_company.server.pages.guide import Row

__all__ = ["scenes"]


def scenes(game: CommonsGame) -> dict[str, Row]:
    """Screen -> {lake, seats, stock, change, harvest}: fish; as `stage.py` sends them in a play.

    about    the lake as it begins
    decides  so many on board as each player gets if all ask for the most that they may
    happens  after the period that is the example, where the stock grows by what is left
    ends     half of the stock below which it collapses, where there is such a mark
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
    """(n,) fish: what each seat gets of a stock if all ask for the most that they may."""
    requests = [min(most, stock) for most in plain.most(game, "harvest")]
    share = min(1.0, stock / sum(requests)) if sum(requests) else 0.0
    return [share * most for most in requests]
