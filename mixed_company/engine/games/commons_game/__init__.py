"""The open renewable resource game: n seats harvest one stock that grows back.

Source: "Open Renewable Resource Game Specification" (February 2026); the numbers in brackets
are its steps of the deterministic step order.

Every period each seat asks for a harvest and, where there is governance, pays into a pool.

    [2] h <- clip(h, 0, h_max); c <- clip(c, 0, wealth held before the harvest)
    [3] phi = min(1, R / sum h); the harvest taken is phi h
    [4] wealth <- wealth + phi h - c (- c_l, what living costs)
    [5] pool <- sum c (`per_step`) or rho pool + sum c (`accumulating`)
    [6] bonus G = alpha * the pool just updated
    [7] R <- clip(R - sum(phi h) + growth + G, 0, K), where growth = gamma R (1 - R/K) with R
        before the harvest (`linear`: growth = gamma; `exponential`, not in the source: growth =
        gamma (R - sum(phi h)), from what the harvest leaves)
    [8] reward = phi h - c (- c_l, + b for each seat that takes part when the play is won)
    [9] observations, [10] collapse: R < R_critical, or R = 0 for k periods running

Not in the source, and without effect by default: `living_cost` c_l is paid first, so that what can
be paid into the pool is what is held beyond it; a seat that holds less than c_l when another period
is to come is out (`bankrupt`). With a `recovery_stock` R_goal the play is won (`recovery`) when the
new stock reaches it, and each seat that takes part gets `recovery_bonus` b.

Action           `harvest` (real, 0 .. h_max), `contribution` (real, 0 .. own wealth)
State            `stock`, `wealth` (n), `pool`, last `harvest` (n), last `contribution` (n),
                 `empty_periods`, `collapsed`
Observation      `stock` (a noisy reading if stock_noise > 0, the same for all seats, not clipped),
                 `wealth`, `harvest`, `contribution` of every seat, `pool`. With `local` observation
                 those of seats that are no neighbours, and the pool, are masked.
Components       `harvest`, `contribution` (negative), and with such rules `living_cost` (negative)
                 and `recovery_bonus`; they add up to the reward
Endings          `horizon` (neither), `collapse` (failure) if terminate_on_collapse, `recovery`
                 (success) if there is a recovery_stock; of a seat `bankrupt` (failure) if living
                 costs something, and then of the play `all_out` (failure)

Archetypes. `lab` is the one people play by default: 4 seats, 20 periods, a lake for K = 100 that is
half full (R_0 = 50), gamma = 0.64, h_max = 12, and the play ends when the stock falls below 30. The
sums:

    At 50 most grows back: 0.64 * 50 * 0.5 = 16, so that 4 each can be taken for ever.

    Everybody greedy (12 each): 48 of 50 are taken, 50 - 48 + 16 = 18 < 30: collapse. Each earned 12
    in one period.

    The best the group can do: 4 each for 18 periods, and in the last two all that can be had: 9
    each leaves 50 - 36 + 16 = 30, and then the 30 that are left are 7.5 each. What is earned is
    what was there, plus what grew before the last period: 50 + 19 * 16 = 354, or 88.5 each.

    One seat that always takes 6 while the others follow that plan earns more than they, and all at
    6 come to an end soon: 24 of 50 leave 42, then 33.59, then 23.87 < 30, 18 each in three periods.
    When the others all ask for 12, nothing earns more than asking for 12 too: a social dilemma
    whose trap is an equilibrium. docs/stakes.md has what each policy earns.

`subsistence` is a lake that was overfished, and people who live from it: 15 periods, K = 100, gamma
= 0.4, h_max = 10, the end below 10. There are 30 fish, each has 6 points to begin with, living
costs 1.5 a period, and each who is still in gets 20 points when there are 60 fish again. The sums:

    All greedy: 30 fish for 40 asked, 7.5 each; growth 0.4 * 30 * 0.7 = 8.4, stock 8.4 < 10:
    collapse. Each earned 7.5 - 1.5 = 6.

    Nobody fishes, all live from what they have: 30, 38.4, 47.9, 57.8, 67.6 >= 60: won after 4
    periods, 20 - 4 * 1.5 = 14 each.

    All take what living costs, 6 together: 32.4, 35.2, ... 57.3, 61.1: won after 9 periods, with
    the 6 points still in hand: 20 each.

    One gives up its harvest for the others, who take 1.5: it has nothing left after 4 periods, at
    48.6 fish, and is out with - 6; the others win after 7 periods, 20 each.

`fishing` is that of GovSim (Piatti et al. 2024, NeurIPS, arXiv:2404.16698; their code, read on
2026-11-23): 5 seats, 12 periods, 100 fish, of which each may ask for all; what is left doubles, up
to 100. There the play ends where fewer than 5 are left before they double, here where there are
fewer than 10 after it, which is the same. They give out whole fish, one by one at random where too
many are asked for; here each gets the same share of what was asked for. The sums:

    10 each: 50 of 100 are left and double to 100, for ever: 120 each in 12 periods.

    The best the group can do: 10 each for 11 periods, and in the last all that is there, 20 each:
    11 * 50 + 100 = 650, or 130 each.

    11 each: 45 left, 90; 35, 70; 15, 30; 30 asked for 55, nothing is left: collapse. Each earned
    3 * 11 + 6 = 39 in 4 periods. All 100 at once: 20 each, and the play is over.

`unequal` is a full lake with the same numbers, and layers: every other seat is weak and takes 5 at
most, where the strong take up to 10 (power); the stock that is shown is that of the period before,
read with a standard deviation of 5 (information); strong and weak are groups, and each seat sees
the sums of its own (hierarchy).

`lab_0_7`, which is `lab` up to release 0.7, is such a lake without layers. It is not offered, but
old configurations may name it.

Layers. Cooperation is the share of the largest request that is left: 1 - requested / h_max. The
externality is what the stock loses per fish taken: with factor f a harvest of H costs it f H.
`growth_rate` may drift. A shock to the stock comes before collapse is judged.
"""

from mixed_company.engine.games.commons_game.core import CommonsCore, growth, neighbour_matrix
from mixed_company.engine.games.commons_game.rules import CommonsGame

__all__ = ["GAME", "CommonsCore", "CommonsGame", "growth", "neighbour_matrix"]

GAME = CommonsGame
