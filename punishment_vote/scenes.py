"""Numbers for the pictures in the punishment vote's instructions."""

from __future__ import annotations

from mixed_company.engine.games.punishment_vote import PunishmentVote
from mixed_company.server.pages import plain
from mixed_company.server.pages.guide import Row
from mixed_company.server.pages.texts import percent
from punishment_vote.stage import setting


def scenes(game: PunishmentVote) -> dict[str, Row]:
    """Return the data for each screen's picture. A kind has the same format as in `stage.py`.

    about    kinds on the field, and the number of seats
    decides  kinds around a player who can go in four directions and vote
    happens  a taboo kind in its ring, at the initial level and after one vote for more
    pays     the most harmful kind, and the number of other seats it harms
    """
    core = game.core
    kinds = [means for means in setting(game, 0)["means"] if means["type"] == "resource"]
    drawn: dict[str, Row] = {
        "about": {"kinds": kinds, "seats": core.seats},
        "decides": {"kinds": kinds},
    }
    taboo = [kind for kind in kinds if kind["taboo"]]
    plainly = game.weights is None and plain.is_steady(game, "level", "vote_step")
    if taboo and plainly and plain.is_seen(game, "level") and core.vote_step:
        after = min(1.0, core.initial_level + core.vote_step)
        levels = [
            {"level": level, "words": percent(round(level, 12))}
            for level in (core.initial_level, after)
        ]
        drawn["happens"] = {"kind": taboo[0], "levels": levels}
    worst = max(kinds, key=lambda kind: kind["harm"])
    if core.seats > 1 and worst["harm"] and not plain.is_shared(game):
        drawn["pays"] = {"kind": worst, "others": core.seats - 1}
    return drawn
