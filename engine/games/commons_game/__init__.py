"""The open renewable resource game: n seats harvest one stock that grows back.

Source: "Open Renewable Resource Game Specification" (February 2026); the numbers in brackets
are its steps of the deterministic step order.

Every period each seat asks for a harvest and, where there is governance, pays into a pool.

    [2] h <- clip(h, 0, h_max); c <- clip(c, 0, wealth held before the harvest)
    [3] phi = min(1, R / sum h); the harvest taken is phi h
    [4] wealth <- wealth + phi h - c
    [5] pool <- sum c (`per_step`) or rho pool + sum c (`accumulating`)
    [6] bonus G = alpha * the pool just updated
    [7] R <- clip(R - sum(phi h) + growth + G, 0, K), where growth = gamma R (1 - R/K) with R
        before the harvest (`linear`: growth = gamma)
    [8] reward = phi h - c
    [9] observations, [10] collapse: R < R_critical, or R = 0 for k periods running

Action           `harvest` (real, 0 .. h_max), `contribution` (real, 0 .. own wealth)
State            `stock`, `wealth` (n), `pool`, last `harvest` (n), last `contribution` (n),
                 `empty_periods`, `collapsed`
Observation      `stock` (a noisy reading if stock_noise > 0, the same for all seats, not clipped),
                 `wealth`, `harvest`, `contribution` of every seat, `pool`. With `local` observation
                 those of seats that are no neighbours, and the pool, are masked.
Components       `harvest` and `contribution` (negative); they add up to the reward
Endings          `horizon` (neither), `collapse` (failure) if terminate_on_collapse

Archetypes. `lab` is the one people play by default: 4 seats, 15 periods, K = R_0 = 100,
gamma = 0.4, h_max = 10, the play ends when the stock falls below 10. The sums:

    Everybody greedy (10 each): period 0 takes 40 of 100, growth at K is 0, stock 60. Period 1
    takes 40, growth 0.4 * 60 * 0.4 = 9.6, stock 29.6. Period 2 takes all 29.6 (7.4 each),
    growth 0.4 * 29.6 * 0.704 = 8.33, stock 8.33 < 10: collapse. Each earned 27.4 in 3 periods.

    The best the group can do: 10 each once (stock 60), 4.9 each (60 - 19.6 + 9.6 = 50), then the
    maximum sustainable yield 0.4 * 100 / 4 = 10 (2.5 each) for 11 periods with the stock at 50,
    and in the last two periods all that can be had: 20.3, then the 39.7 that are left. What is
    earned is what was there, plus what grew, less what is left: R_0 = 100, growth 0 + 9.6 +
    12 * 10 + 9.6, left 9.6: 229.6, or 57.4 each. More than twice the 27.4 of the greedy.

    Yet one seat earns 108.5 by taking 10 where it can while the others keep to 2.5 each
    (`best_response(core, [7.5] * 15)`), and when the others all ask for 10 nothing earns more
    than asking for 10 too (27.4): a social dilemma whose trap is an equilibrium.

`unequal` is `lab` with layers: every other seat is weak and takes 5 at most, where the strong take
up to 10 (power); the stock that is shown is that of the period before, read with a standard
deviation of 5 (information); strong and weak are groups, and each seat sees the sums of its own
(hierarchy).

Layers. Cooperation is the share of the largest request that is left: 1 - requested / h_max. The
externality is what the stock loses per fish taken: with factor f a harvest of H costs it f H.
`growth_rate` may drift. A shock to the stock comes before collapse is judged.
"""

from engine.games.commons_game.core import CommonsCore, growth, neighbour_matrix
from engine.games.commons_game.rules import CommonsGame

__all__ = ["GAME", "CommonsCore", "CommonsGame", "growth", "neighbour_matrix"]

GAME = CommonsGame
