"""Claims about peer points, in any game that has them."""

from __future__ import annotations

from typing import Any

import numpy as np

from mixed_company import engine
from mixed_company.engine.contract.errors import ActionError
from tests.server.claims.playing import Played

N = r"([\d.]+)"
COSTS = (0, 1, 2, 4, 6, 9, 12, 16, 20, 25, 30)
SHARE = {"peer": "punishment", "peer_costs": COSTS, "peer_effect_share": 0.1}

VARIANTS: dict[str, dict[str, Any]] = {
    "punishment": {"peer": "punishment"},
    "punishment by a share, shuffled": {**SHARE, "peer_names": "shuffled"},
    "reward, from whom": {"peer": "reward", "peer_effect": 2.5, "peer_tells": "who"},
    "reward by a share": {"peer": "reward", "peer_effect_share": 0.2, "peer_cost": 0.5},
    "both, with limits": {
        "peer": "both",
        "peer_max": 4,
        "peer_budget": 6,
        "peer_targets": 2,
        "peer_floor": "stage",
    },
    "both, rewards dearer": {"peer": "both", "peer_reward_cost": 2.0, "peer_reward_effect": 5.0},
    "punishment in turn": {"peer": "punishment", "agents": {"timing": "sequential"}},
    "punishment shared": {
        "peer": "punishment",
        "layers": {"interaction": {"intensity": 1.0, "share": 0.5}},
    },
}


def hidden_and_barred(decision: str) -> dict[str, dict[str, Any]]:
    """Return variants of a game with this decision: one in which it is hidden, and one in which one
    seat cannot punish.
    """
    hidden = {"information": {"intensity": 1.0, "hide": [decision]}}
    roles = {"one": {}, "other": {"acts": [decision]}}
    return {
        "decision hidden": {"peer": "punishment", "layers": hidden},
        "one cannot punish": {
            "peer": "punishment",
            "agents": {"roles": roles, "seats": ["one"] * 3 + ["other"]},
        },
    }


def earned(played: Played, *assigned: tuple[int, int, float]) -> Any:
    """Return the rewards (n,) of a first period in which every seat chooses half of its maximum.
    Then the seats assign points: (from, to, points)."""
    play = engine.Episode(played.game, seed=1)
    n, name = played.game.seats, played.game.declaration.actions[0].name
    halves = {field.name: [0.0] * n for field in play.fields}
    play.step({**halves, name: [high / 2 for high in played.largest(name)]})
    matrix = np.zeros((n, n))
    for giver, target, points in assigned:
        matrix[giver, target] = points
    return play.step({"assign": matrix.tolist()}).rewards


def effects(played: Played, points: float) -> tuple[float, float]:
    """Return how much it costs seat 0 to assign points to seat 1, and how that changes seat 1's
    reward."""
    change = changed(played, points)
    return -change[0], change[1]


def changed(played: Played, points: float) -> Any:
    plain = in_plain(played)
    return earned(plain, (0, 1, points)) - earned(plain)


def in_plain(played: Played) -> Played:
    """Return the game with these parameters, without layers, roles and shuffled names."""
    core = {**played.core.model_dump(), "peer_names": "fixed"}
    return Played(engine.make(played.game.id, **core))


def of_the_rich(played: Played) -> Played:
    """Return the plain game in which everyone can pay for all points."""
    core = {**played.core.model_dump(), "peer_names": "fixed"}
    if played.game.holding is not None:
        core["initial_wealth"] = 1000.0
    return Played(engine.make(played.game.id, **core))


def is_refused(played: Played, *assigned: tuple[int, int, float]) -> bool:
    try:
        earned(of_the_rich(played), *assigned)
    except ActionError:
        return True
    return False


def signed(played: Played) -> float:
    return -1.0 if played.core.peer == "both" else 1.0


def is_proportional(played: Played, cost: str, sign: float = 1.0) -> bool:
    return all(abs(effects(played, sign * k)[0] - k * float(cost)) < 1e-9 for k in (1, 2, 3))


def of_kind(played: Played, kind: str) -> float:
    """Return the sign of points of this kind, punishment or reward."""
    return signed(played) if kind == "punishment" else 1.0


def takes(played: Played, points: str) -> bool:
    return abs(effects(played, signed(played))[1] + float(points)) < 1e-9


def brings(played: Played, points: str) -> bool:
    return abs(effects(played, 1)[1] - float(points)) < 1e-9


def by_share(sign: float) -> Any:
    def check(played: Played, share: str) -> bool:
        income = earned(in_plain(played))[1]
        return bool(abs(effects(played, 2)[1] - sign * 0.02 * float(share) * income) < 1e-9)

    return check


def leaves_the_others(played: Played) -> bool:
    change = changed(played, signed(played))
    return bool(change[0] < 0 > change[1] and not change[2:].any())


def takes_at_most_all(played: Played) -> bool:
    """Check that if everyone assigns all points, they take everything that was earned, before
    costs."""
    largest = signed(played) * min(played.core.peer_max, played.core.peer_budget or np.inf)
    givers = [(seat, 0, largest) for seat in range(1, played.game.seats)]
    return bool(earned(of_the_rich(played), *givers)[0] >= -1e-9)


def example(played: Played, mine: str, theirs: str, points: str, left: str, kept: str) -> bool:
    before = earned(in_plain(played))
    cost, change = effects(played, signed(played) * float(points))
    shown = [float(value.replace("\N{MINUS SIGN}", "-")) for value in (mine, theirs, left, kept)]
    right = [before[0], before[1], before[0] - cost, before[1] + change]
    return bool(np.allclose(shown, right, atol=0.006))


def at_most(played: Played, points: str) -> bool:
    limit = int(points)
    return not is_refused(played, (0, 1, limit)) and is_refused(played, (0, 1, limit + 1))


def at_most_together(played: Played, points: str) -> bool:
    half, rest = int(points) // 2, int(points) - int(points) // 2
    fits = [(0, 1, half), (0, 2, rest)]
    return not is_refused(played, *fits) and is_refused(played, *fits, (0, 3, 1))


def chooses(played: Played, targets: str) -> bool:
    all_of_them = [(0, seat, 1) for seat in range(1, int(targets) + 2)]
    return not is_refused(played, *all_of_them[:-1]) and is_refused(played, *all_of_them)


def shows_the_decisions(played: Played) -> bool:
    """Check that in the second step everyone sees what everyone decided and earned in the first."""
    play = engine.Episode(played.game, seed=1)
    name = played.game.declaration.actions[0].name
    shown = {field.name: [0.0] * played.game.seats for field in play.fields}
    used = play.step({**shown, name: [1.0, 2.0, 3.0, 40.0]}).used[name].tolist()
    seen = [play.observation(seat) for seat in played.seats]
    done = all(sorted(observed[name]) == sorted(used) for observed in seen)
    return (
        done
        and len(set(used)) > 1
        and all(np.isfinite(observed["income"]).all() for observed in seen)
    )


def tells(played: Played, whom: bool) -> bool:
    """Check what seats see of the points after the period: who gave them, or only the total."""
    play = engine.Episode(played.game, seed=1)
    n = played.game.seats
    play.step({field.name: [0.0] * n for field in play.fields})
    play.step({"assign": np.zeros((n, n)).tolist()})
    return whom == ("received_from" in play.observation(1)) and "received" in play.observation(1)


def holds_are_hidden(played: Played) -> bool:
    assert played.steps
    return not any(np.isfinite(seen[0]["wealth"][1:]).any() for seen in played.seen)


def own_alone(played: Played) -> bool:
    """Check that a seat sees only its own numbers here, and everyone else's in some other field."""
    assert played.steps
    alone = [
        name
        for name, value in played.seen[-1][0].items()
        if np.shape(value) == (played.game.seats,) and np.isfinite(value).sum() == 1
    ]
    return bool(alone) and played.core.peer_names == "shuffled"


def costs_in(played: Played, points: str, kind: str, right: str) -> bool:
    return abs(effects(played, of_kind(played, kind) * float(points))[0] - float(right)) < 0.006


def changes_by(played: Played, income: str, points: str, kind: str, right: str) -> bool:
    before = earned(in_plain(played))[1]
    change = effects(played, of_kind(played, kind) * float(points))[1]
    return bool(abs(before - float(income)) < 0.006 and abs(abs(change) - float(right)) < 0.006)


def is_kind(*kinds: str) -> Any:
    return lambda played, *_groups: played.core.peer in kinds


KIND = r"(?:punishment|reward)"
CLAIMS: list[tuple[str, Any]] = [
    (r"Every period has a second step\.", lambda p: p.game.stages.names == ("decide", "peer")),
    (r"Every period has a second step, where you see what the .*", shows_the_decisions),
    (r"You can then give punishment points to other players\.", is_kind("punishment")),
    (r"You can then give reward points to other players\.", is_kind("reward")),
    (r"You can then give punishment points or reward points .*", is_kind("both")),
    (r"Some players cannot do this\.", lambda p: bool(p.game.barred)),
    (
        rf"Each (punishment|reward) point costs you {N} points?\.",
        lambda p, kind, cost: is_proportional(p, cost, of_kind(p, kind)),
    ),
    (rf"Each punishment point or reward point costs you {N} points?\.", is_proportional),
    (
        r"You pay for the points you give\. The cost depends .*",
        lambda p: effects(p, 3)[0] != 3 * effects(p, 1)[0],
    ),
    (rf"Each punishment point takes {N} points from the player who gets it\.", takes),
    (rf"Each reward point gives {N} points to the player who gets it\.", brings),
    (rf"Each punishment point takes {N}% of what the player who gets it .*", by_share(-1.0)),
    (rf"Each reward point adds {N}% of what the player who gets it .*", by_share(1.0)),
    (
        r"Punishment points never take more than the player earned in this period\.",
        takes_at_most_all,
    ),
    (r"Nobody gets the points that are taken away\.", leaves_the_others),
    (
        rf"For example, suppose you earned {N} points and another player earned {N}\. If you give "
        rf"this player {N} {KIND} points?, you are left with (\S+) points .* the other player "
        r"with (\S+)\.",
        example,
    ),
    (rf"You can give at most {N} to one player\.", at_most),
    (rf"You can give at most {N} to all players together\.", at_most_together),
    (rf"You can give points to at most {N} players?\.", chooses),
    (r"You cannot spend more points than you have\.", lambda p: p.game.holding is not None),
    (
        r"In this step, all players decide at the same time\.",
        lambda p: p.game.config.agents.timing == "sequential",
    ),
    (
        r"You see how many points you got in total, but not who gave them\.",
        lambda p: tells(p, whom=False),
    ),
    (
        r"You see how many points you got from each of the other players\.",
        lambda p: tells(p, whom=True),
    ),
    (
        r"In this total, a punishment point and a reward point cancel each other out\.",
        is_kind("both"),
    ),
    (r"Each player keeps the same number in all periods\.", lambda p: p.core.peer_names == "fixed"),
    (
        r"In every period, the other players are shown in a new random order\. .*",
        lambda p: p.core.peer_names == "shuffled",
    ),
    (r"Some numbers would give this away, so you see only your own\.", own_alone),
    (r"You do not see how many points the other players have\.", holds_are_hidden),
    (
        rf"You give another player {N} (punishment|reward) points?\. How many points does this "
        rf"cost you\? -> {N}",
        costs_in,
    ),
    (
        rf"You earned {N} points in this period\. Then you get {N} (punishment|reward) points, "
        rf".* -> {N}",
        changes_by,
    ),
]
