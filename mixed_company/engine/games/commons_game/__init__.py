"""The open renewable resource game: n seats harvest one stock that grows back.

Source: "Open Renewable Resource Game Specification" (February 2026); the numbers in brackets are
the steps of its deterministic step order.

Every period each seat requests a harvest and, with governance, pays into a pool.

    [2] h <- clip(h, 0, h_max); c <- clip(c, 0, wealth held before the harvest)
    [3] phi = min(1, R / sum h); the harvest taken is phi h
    [4] wealth <- wealth + phi h - c (- c_l, the living cost)
    [5] pool <- sum c (`per_step`) or rho pool + sum c (`accumulating`)
    [6] bonus G = alpha * the pool just updated
    [7] R <- clip(R - sum(phi h) + growth + G, 0, K), where growth = gamma R (1 - R/K) with R
        before the harvest (`linear`: growth = gamma; `exponential`, not in the source: growth =
        gamma (R - sum(phi h)), of the stock after the harvest)
    [8] reward = phi h - c (- c_l, + b for each active seat when the play is won)
    [9] observations, [10] collapse: R < R_critical, or R = 0 for k consecutive periods

Not in the source, and without effect by default: `living_cost` c_l is paid first, so that only
wealth beyond it can be paid into the pool. A seat that holds less than c_l before another period
is out (`bankrupt`). With a `recovery_stock` R_goal the play is won (`recovery`) when the new stock
reaches it, and each active seat gets `recovery_bonus` b.

Action           `harvest` (real, 0 .. h_max), `contribution` (real, 0 .. own wealth)
State            `stock`, `wealth` (n), `pool`, last `harvest` (n), last `contribution` (n),
                 `empty_periods`, `collapsed`
Observation      `stock` (a noisy reading if stock_noise > 0, the same for all seats, not clipped),
                 `wealth`, `harvest`, `contribution` of every seat, `pool`. With `local` observation
                 those of seats that are not neighbours, and the pool, are masked.
Components       `harvest`, `contribution` (negative), and if set `living_cost` (negative) and
                 `recovery_bonus`; they add up to the reward
Endings          `horizon` (neither), `collapse` (failure) if terminate_on_collapse, `recovery`
                 (success) if there is a recovery_stock; of a seat `bankrupt` (failure) if there
                 is a living_cost, and then of the play `all_out` (failure)

Archetypes. `lab` is the default for people: 4 seats, 20 periods, a lake that could hold K = 160 but
starts with R_0 = 50, gamma = 0.7, h_max = 12, and the play ends when less than half a fish is left.
In numbers:

    Growth at 50 is 0.7 * 50 * 110/160 = 24.06, so 6 each keep the lake as it is: 120 each.

    Growth is largest at 80: 0.7 * 80 * 0.5 = 28, so each seat can take 7 for ever, but only if all
    wait first. From 50 fish, 7 each empty the lake in 14 periods and earn 45.0.

    The best group plan: nobody fishes in the first period, 50 + 24.06 = 74.06. Then 5.48 each leave
    74.06 - 21.91 + 27.85 = 80, 7 each for 15 periods keep them, and 9.86, 12 and 12 in the last
    three periods use up what is left: 577.3 in all, or 144.3 each.

    All greedy (12 each): 48 of 50 are taken, 50 - 48 + 24.06 = 26.06; then all that are left in
    every period, until 0.47 are left after 11 periods: 29.4 each.

    docs/stakes.md lists what each policy earns among the default bots, and what more fish cost.

`subsistence` is an overfished lake and people who live on it: 15 periods, K = 100, gamma = 0.4,
h_max = 10, and the play ends below 10. There are 30 fish, each seat starts with 6 points, living
costs 1.5 a period, and each active seat gets 20 points when there are 60 fish again. In numbers:

    All greedy: 30 fish for 40 requested, 7.5 each; growth 0.4 * 30 * 0.7 = 8.4, stock 8.4 < 10:
    collapse. Each earned 7.5 - 1.5 = 6.

    Nobody fishes, and all seats live on their points: 30, 38.4, 47.9, 57.8, 67.6 >= 60: won after 4
    periods, 20 - 4 * 1.5 = 14 each.

    All take their living cost, 6 together: 32.4, 35.2, ... 57.3, 61.1: won after 9 periods, with
    the 6 points left: 20 each.

    One seat gives up its harvest for the others, who take 1.5: that seat has no points left after 4
    periods, with 48.6 fish in the lake, and is out with - 6; the others win after 7 periods, 20
    each.

`fishing` is the game of GovSim (Piatti et al. 2024, NeurIPS, arXiv:2404.16698; their code, read on
2026-11-23): 5 seats, 12 periods, 100 fish, all of which each seat may request; the remaining fish
double, up to 100. Their play ends if fewer than 5 are left before they double, ours if there are
fewer than 10 afterwards, which is equivalent. If more is requested than there is, GovSim gives out
whole fish one by one at random; here each seat gets the same share of its request. In numbers:

    10 each: 50 of 100 are left and double to 100, for ever: 120 each in 12 periods.

    The best group plan: 10 each for 11 periods, and all the fish in the last, 20 each:
    11 * 50 + 100 = 650, or 130 each.

    11 each: 45 left, 90; 35, 70; 15, 30; 55 requested of 30, none left: collapse. Each earned
    3 * 11 + 6 = 39 in 4 periods. All 100 at once: 20 each, and the play is over.

`unequal` is a full lake with the numbers of `lab_0_7`, and layers: every other seat is weak and
takes at most 5, while the strong take up to 10 (power); the stock shown is that of the previous
period, with a standard deviation of 5 (information); strong and weak are groups, and each seat
sees the sums of its own group (hierarchy).

`lab_0_7`, which was `lab` up to release 0.7, is this lake without layers. `lab_0_8`, which was
`lab` in release 0.8, has 20 periods, K = 100, R_0 = 50, gamma = 0.64, h_max = 12, and ends below 30
fish, so that one fish too many ended a play. Neither is offered, but old configurations may name
them.

Peer points. With `peer` a period has a second stage, in which seats punish or reward each other
(`mixed_company.engine.contract.peers`). The income is what a seat took, less its contribution and
living costs. Points move from wealth to wealth, costs cannot exceed a seat's wealth, and others'
wealth is not shown, because what they spend would follow from it.

Layers. Cooperation is the unused share of the largest request: 1 - requested / h_max. The
externality is the stock lost per fish taken: with factor f, a harvest of H costs f H. `growth_rate`
may drift. A shock to the stock comes before collapse is judged.
"""

from mixed_company.engine.games.commons_game.core import CommonsCore, growth
from mixed_company.engine.games.commons_game.rules import CommonsGame

__all__ = ["GAME", "CommonsCore", "CommonsGame", "growth"]

GAME = CommonsGame
