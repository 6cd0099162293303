"""Exact results for games in which it is best to keep to the baseline: `graduated`, `lab_0_8`.

In these games, the whole endowment is expected (b = e), a public good is produced, each seat counts
only its own points, trust is constant, and the signal compares the memory with the baseline. A seat
that gives d_t less in period t gains (1 - mpcr) d_t, and loses S tanh(kappa x_t). Here x_t is the
mean of its last k values of d, and S is the full sanction by all other seats. Neither depends on
the others' contributions. With a `full` memory, periods before the play count as d = 0; with an
`inclusive` memory, x_t is the mean over the periods played so far.

-S tanh(kappa x) is convex in x >= 0, so earnings are convex in the points held back in any periods.
They are largest if each d_t is either 0 or the whole endowment. So the best of all replies uses
only two actions, the memory has 2^(k-1) states, and dynamic programming yields exact results.

Sufficient patience. tanh is above its chord, so S tanh(kappa x) >= c x with c = S tanh(kappa b) /
b. With a discount of d, a point held back costs at least (c / k) (1 + d + ... + d^(k-1)), so no
deviation pays if this is at least 1 - mpcr. After earlier offences, a further offence adds less to
the sanction, and it adds the least if all earlier periods had the largest offence. If keeping to
the baseline is best there, it is best after every history.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from mixed_company.engine.contract.drift import changed
from mixed_company.engine.contract.space import Array
from mixed_company.engine.games.sanctions.core import SanctionsCore, per_seat
from mixed_company.engine.games.sanctions.rules import SanctionsGame
from mixed_company.engine.solutions.sanctions.replay import replayed, returns
from mixed_company.engine.solutions.sanctions.replies import Reply

_LONGEST = 14  # periods of memory; each doubles the number of states
_HALVINGS = 20
_SMALL, _ROUNDING = 1e-9, 1e-12  # points


def exact_reply(game: SanctionsGame, discount: float = 1.0) -> Reply:
    """Return the best of all replies, with any contributions, in a play of the game's length.

    The value assumes that the others give the baseline. Raises ValueError for other kinds of games.
    """
    extras = [_extra(game, periods) for periods in range(1, game.core.memory + 1)]
    following = _following(game.core.memory)
    states = np.arange(len(following))
    worth, plan = np.zeros(len(states)), []
    for period in reversed(range(game.horizon)):
        extra = extras[min(period, game.core.memory - 1)]
        choices = extra[states % len(extra)] + discount * worth[following]
        offends = choices[:, 1] > choices[:, 0] + _SMALL
        plan.append(offends)
        worth = np.where(offends, choices[:, 1], choices[:, 0])
    expected = float(per_seat(game.core.baseline, game.seats)[0])
    state, path = 0, np.full(game.horizon, expected)
    for period, offends in enumerate(reversed(plan)):
        path[period] = 0.0 if offends[state] else expected
        state = following[state, int(offends[state])]
    value = float(returns(game, path[None], expected, discount)[0])
    return Reply(path, value, value)


def enough_discount(game: SanctionsGame) -> float:
    """Return a discount at or above which no deviation pays, from the chord of tanh, or 1.0."""
    core = game.core
    _check_full(core)
    expected = float(per_seat(core.baseline, core.seats)[0])
    full = float(replayed(game, np.full((1, game.horizon), expected), expected).stake[0, -1])
    chord = full * np.tanh(core.kappa * expected) / expected
    needed = core.memory * (1.0 - core.mpcr) / chord

    def is_enough(discount: float) -> bool:
        return bool(np.sum(discount ** np.arange(core.memory)) >= needed)

    return _lowest(is_enough)


def least_discount(game: SanctionsGame) -> float:
    """Return the discount below which some deviation pays for a seat that has never deviated."""
    extra, following = _habits(game)

    def is_enough(discount: float) -> bool:
        return not _some_plan_pays(extra, following, discount)

    return _lowest(is_enough)


def reforming_discount(game: SanctionsGame) -> float:
    """Return the discount at or above which always keeping to the baseline is best, even after the
    worst history.

    By the one-shot deviation principle, always keeping to the baseline is best after any history if
    no single offence pays after any history.
    """
    extra, following = _habits(game)

    def is_enough(discount: float) -> bool:
        worth = _kept(extra, following, discount)
        once = extra[:, 1] + discount * worth[following[:, 1]]
        return bool(np.all(once <= worth + _SMALL))

    return _lowest(is_enough)


def _habits(game: SanctionsGame) -> tuple[Array, Array]:
    """Return a period's gains and the states after it, for a full memory."""
    _check_full(game.core)
    return _extra(game, game.core.memory), _following(game.core.memory)


def _extra(game: SanctionsGame, periods: int) -> Array:
    """Return the gain over always keeping to the baseline, (2^(p-1), 2), in the last of p periods;
    p is at most k.

    In column 0 the seat gives everything, and in column 1 nothing. The bits of a row number are the
    offences in earlier periods; the lowest bit is the latest. The rewards come from the engine.
    """
    core = game.core
    _check(core)
    short = SanctionsGame(SanctionsGame.resolve(**changed(core, periods=periods).model_dump()))
    expected = float(per_seat(core.baseline, core.seats)[0])
    offences = np.arange(2**periods)[:, None] >> np.arange(periods)[::-1] & 1
    last = replayed(short, expected * (1.0 - offences), expected).rewards[:, -1]
    extra: Array = (last - last[0]).reshape(-1, 2)
    return extra


def _following(memory: int) -> Array:
    """Return the states that follow, (2^(k-1), 2), after giving everything or nothing."""
    states = np.arange(2 ** (memory - 1))[:, None]
    return np.asarray((2 * states + np.array([0, 1])) % len(states))


def _kept(extra: Array, following: Array, discount: float) -> Array:
    """Return the value of keeping to the baseline from now on, by state: past offences are still
    sanctioned."""
    worth, state = np.zeros(len(extra)), np.arange(len(extra))
    for period in range(len(extra).bit_length()):
        worth += discount**period * extra[state, 0]
        state = following[state, 0]
    return worth


def _some_plan_pays(extra: Array, following: Array, discount: float) -> bool:
    """Return whether any plan beats always keeping to the baseline, starting from a memory without
    offences."""
    worth = _kept(extra, following, discount)  # a lower bound, which only increases
    while True:
        better = (extra + discount * worth[following]).max(axis=1)
        if better[0] > _SMALL:
            return True
        if (better - worth).max() <= max(_SMALL * (1.0 - discount), _ROUNDING):
            return False
        worth = better


def _lowest(is_enough: Callable[[float], bool]) -> float:
    """Return the lowest sufficient discount, rounded up; 1.0 if no lower one is sufficient."""
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2.0
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return high


def _check_full(core: SanctionsCore) -> None:
    _check(core)
    if core.window != "full":
        raise ValueError(f"window = {core.window!r}: discounts are known only for 'full'")


def _check(core: SanctionsCore) -> None:
    needed = {
        "production": "public_good",
        "reward": "private",
        "signal": "baseline",
        "falls_on": "deviator",
        "form": "additive",
        "kappa_T": 0.0,
        "baseline": core.endowment,
    }
    for name, value in needed.items():
        if getattr(core, name) != value:
            raise ValueError(
                f"{name} = {getattr(core, name)!r}: exact replies are known only for {value!r}"
            )
    if core.window not in ("full", "inclusive"):
        raise ValueError(
            f"window = {core.window!r}: exact replies are known only for 'full' and 'inclusive'"
        )
    if core.memory > _LONGEST:
        raise ValueError(
            f"memory = {core.memory}: exact replies are computed only for memory up to "
            f"{_LONGEST} periods"
        )
