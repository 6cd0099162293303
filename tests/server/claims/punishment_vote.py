"""Claims about the punishment vote."""

from __future__ import annotations

from typing import Any

from tests.server.claims.playing import Played, always, is_core

N = r"([\d.]+)"


def layer(name: str, **parameters: Any) -> dict[str, Any]:
    return {"layers": {name: {"intensity": 1.0, **parameters}}}


WALKS = ["up", "down", "left", "right", "noop"]
VARIANTS: dict[str, dict[str, Any]] = {
    "window hidden": layer("information", hide=["window"]),
    "level hidden": layer("information", hide=["level"]),
    "votes late": layer("information", delay={"increases": 2}),
    "harm doubled": layer("interaction", externality=2.0),
    "shared": layer("interaction", share=0.5),
    "votes fade": layer("uncertainty", drift={"vote_step": -0.01}),
    "some may not vote": {
        "agents": {
            "roles": {"voter": {}, "walker": {"acts": {"action": WALKS}}},
            "seats": ["voter", "walker"] * 2,
        }
    },
    "some votes are none": {
        "agents": {"roles": {"voter": {}, "none": {}}, "seats": ["voter", "none"] * 2},
        **layer("power", weights={"none": 0.0}),
    },
    "nobody punished": {"taboo": []},
    "by chance": {"punishment": "lottery"},
}


def kind_harms(played: Played, kind: str, harm: str) -> bool:
    return played.core.resources[kind].harm == float(harm) and not pays_others(played)


def pays_others(played: Played) -> bool:
    """Return whether a seat's income is shared with others."""
    return "shared" in played.play._state or bool(played.game.config.layers.interaction.share)


def level_after(played: Played, before: str, weight: str, after: str) -> bool:
    weights = [1.0] if played.game.weights is None else played.game.weights.tolist()
    moved = float(before) + 100 * played.core.vote_step * float(weight)
    return (
        float(weight) in weights
        and abs(min(100.0, moved) - float(after)) < 1e-9
        and not played.game.drifts
    )


def plain_vote(played: Played, before: str, after: str) -> bool:
    return played.game.weights is None and level_after(played, before, "1", after)


def punished(played: Played, level: str, kind: str, points: str) -> bool:
    worth = played.core.resources[kind].value - float(level) / 100 * played.core.magnitude
    right = abs(worth - float(points.replace("\N{MINUS SIGN}", "-"))) < 1e-9
    return right and kind in played.core.tabooed and not pays_others(played)


def unweighed(played: Played, *_groups: str) -> bool:
    return played.game.weights is None


def taboo(played: Played, kinds: str) -> bool:
    return tuple(kinds.split(", ")) == tuple(played.core.tabooed)


def simultaneous(played: Played, *_groups: str) -> bool:
    return played.core.timing == "simultaneous"


def sequential(played: Played, *_groups: str) -> bool:
    return played.core.timing == "sequential"


def harmful(kinds: Any) -> bool:
    return any(kind.harm for kind in kinds.values())


def sees(*names: str) -> Any:
    return lambda played, *_groups: played.is_exact(*names)


def lasts(played: Played, turns: str) -> bool:
    return bool(played.steps) and played.game.horizon == int(turns) and not played.play.done


CLAIMS: list[tuple[str, Any]] = [
    (r"You walk around and earn points by collecting resources\.", always),
    (
        r"Some resources take points from all other players when you collect them\.",
        lambda p: harmful(p.core.resources),
    ),
    (
        r"The players vote on the punishment for collecting taboo resources\.",
        lambda p: bool(p.core.tabooed and p.core.vote_step and p.core.magnitude),
    ),
    (
        r"A red number below it shows how many points every other player loses\.",
        lambda p: harmful(p.core.resources),
    ),
    (r"A taboo resource has a ring around it\. The ring fills as the level rises\.", sees("level")),
    (rf"You are one of {N} players who walk on the same field of .* cells\.", is_core("seats")),
    (
        rf"You are one of {N} players\. Each player walks on a separate field of .*",
        is_core("seats"),
    ),
    (r"There are resources on the field that you can collect\.", always),
    (rf"The game has {N} turns?, no matter what the players collect or how they vote\.", lasts),
    (rf"When does the game end\? -> After turn {N}", lasts),
    (
        rf"In every turn, the chance that an empty cell gets a new resource is {N}%\.",
        is_core("spawn_probability", 100),
    ),
    (r"In every turn, you can move one cell .*", always),
    (r"Instead of moving, you can vote .*", lambda p: p.core.actions == "simple"),
    (
        r"When you move, you can also vote in the same turn .*",
        lambda p: p.core.actions == "composite",
    ),
    (r"Some players cannot do all of this\. .*", lambda p: bool(p.game.closed or p.game.barred)),
    (r"If you walk into a wall.*", always),
    (r"If two players move to the same cell at once, .*", simultaneous),
    (r"The players act one after the other, in the order of their numbers\.", sequential),
    (r"Walk onto a resource to collect it\. .*", always),
    (r"When a player collects a harmful resource, all other players lose points\.", always),
    (r"These points are taken away at the end of the same turn\.", simultaneous),
    (r"These points add up\. They are taken away after each of your moves, .*", sequential),
    (
        r"This happens even though the other players walk on separate fields\.",
        lambda p: p.core.worlds == "separate",
    ),
    (r"Taboo: (.*)\.", taboo),
    (r"No kind is taboo, so nobody is ever punished\.", lambda p: not p.core.tabooed),
    (
        rf"Any player who collects a taboo resource is punished\. .* {N} points times .*",
        is_core("magnitude"),
    ),
    (
        rf"Any player who collects a taboo resource can be punished by losing {N} points\. .*",
        is_core("magnitude"),
    ),
    (rf"At the start the level is {N}%\.", is_core("initial_level", 100)),
    (
        r"Each vote raises or lowers the punishment level for all players by "
        rf"{N} percentage points\. .*",
        lambda p, step: unweighed(p) and is_core("vote_step", 100)(p, step),
    ),
    (
        r"Each vote raises or lowers the punishment level for all players\. The level moves by "
        rf"{N} percentage points times .*",
        lambda p, step: not unweighed(p) and is_core("vote_step", 100)(p, step),
    ),
    (
        r"This is how far a vote moves the level in the first turn\. This can change later\.",
        lambda p: bool(p.game.drifts),
    ),
    (rf"A vote costs you {N} points\.", is_core("vote_cost")),
    (
        r"A vote with weight 0 costs nothing and changes nothing\.",
        lambda p: bool((p.game.weights == 0).any()),
    ),
    (r"Votes are counted at the end of a turn\. .*", simultaneous),
    (r"A vote counts immediately for all players who act after it\. .*", sequential),
    (r"Your own vote counts after your own move\.", sequential),
    (
        rf"You see the {N} x [\d.]+ cells around you\.",
        lambda p, side: int(side) == 2 * p.core.vision + 1 and p.is_whole("window"),
    ),
    (
        r"All players see the punishment level and how many votes were cast\.",
        sees("level", "increases", "decreases"),
    ),
    (
        r"You also see what every other player sees\.",
        lambda p: p.core.views == "composite" and p.is_whole("window"),
    ),
    (
        r"Parts of the field that you have already seen stay visible, but look paler\. .*",
        lambda p: p.is_whole("remembered") and p.is_exact("row", "column"),
    ),
    (
        r"Some things are hidden, delayed or inexact\. .*",
        lambda p: not (p.is_whole("window") and p.is_exact("level", "increases", "decreases")),
    ),
    (r"Your points in a turn: .*", always),
    (r"Your points can be below 0, .*", always),
    (r"You walk into a wall\. .* -> You stay where you are and lose nothing", always),
    (
        rf"The punishment level is {N}%\. One player votes for more punishment, .* -> {N}%",
        plain_vote,
    ),
    (
        rf"The punishment level is {N}%\. One player, whose vote has a weight of {N}, "
        rf"votes for more punishment\. .* -> {N}%",
        level_after,
    ),
    (
        rf"A player collects (\w+)\. Who loses {N} points .* -> All players except the collector",
        kind_harms,
    ),
    (rf"The punishment level is {N}%\. You collect (\w+), which is taboo\. .* -> (\S+)", punished),
]
