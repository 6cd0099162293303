"""The open renewable resource game: n seats harvest one stock that grows back.

Source: "Open Renewable Resource Game Specification" (February 2026); the numbers in brackets refer
to its deterministic step order.

Every period, each seat requests a harvest and, with governance, pays into a pool.

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

Not in the source, and without effect by default: `living_cost` c_l is paid first, so only wealth
beyond it can be paid into the pool. A seat that holds less than c_l when another period is about to
start is out (`bankrupt`). With a `recovery_stock` R_goal, the play is won (`recovery`) when the new
stock reaches it, and each active seat gets `recovery_bonus` b.

Action           `harvest` (real, 0 .. h_max), `contribution` (real, 0 .. own wealth)
State            `stock`, `wealth` (n), `pool`, last `harvest` (n), last `contribution` (n),
                 `empty_periods`, `collapsed`
Observation      `stock` (a noisy reading if stock_noise > 0, the same for all seats, not clipped),
                 `wealth`, `harvest`, `contribution` of every seat, `pool`. With `local` observation
                 the pool and the values of seats that are not neighbours are masked.
Components       `harvest`, `contribution` (negative), and if set `living_cost` (negative) and
                 `recovery_bonus`; they add up to the reward
Endings          `horizon` (neither), `collapse` (failure) if terminate_on_collapse, `recovery`
                 (success) if there is a recovery_stock; of a seat `bankrupt` (failure) if there
                 is a living_cost, and then of the play `all_out` (failure)

Archetypes. `lab` is the default for people. It has 4 seats, 20 periods, gamma = 0.7 and h_max = 12.
The lake can hold K = 160 fish but starts with R_0 = 50, and the play ends when less than half a
fish is left. In numbers:

    Growth at 50 is 0.7 * 50 * 110/160 = 24.06, so if each seat takes 6, the stock does not change
    and each earns 120.

    Growth is largest at 80: 0.7 * 80 * 0.5 = 28, so each seat can take 7 for ever, but only if all
    seats wait first. If each takes 7 from the start, the lake is empty after 14 periods and each
    earns 45.0.

    The best group plan: in the first period nobody fishes, so the stock is 50 + 24.06 = 74.06. Then
    each takes 5.48, which leaves 74.06 - 21.91 + 27.85 = 80. For 15 periods each takes 7 and the
    stock stays at 80. In the last three periods each takes 9.86, 12 and 12, which empties the lake.
    The group earns 577.3 in total, or 144.3 each.

    All greedy (12 each): they take 48 of 50 fish, which leaves 50 - 48 + 24.06 = 26.06. Then they
    take all the fish every period, until 0.47 are left after 11 periods. Each earns 29.4.

    docs/stakes.md lists what each policy earns among the default bots, and what it costs to take
    more fish.

`subsistence` is an overfished lake that people live off. It has 15 periods, K = 100, gamma = 0.4
and h_max = 10, and the play ends if fewer than 10 fish are left. The lake starts with 30 fish and
each seat with 6 points. Living costs 1.5 points a period, and each active seat gets 20 points once
the stock is back at 60. In numbers:

    All greedy: they request 40 fish and get 30, 7.5 each. Growth is 0.4 * 30 * 0.7 = 8.4, and a
    stock of 8.4 < 10 is a collapse. Each earned 7.5 - 1.5 = 6.

    Nobody fishes, and all seats live on their points: the stock is 30, 38.4, 47.9, 57.8, 67.6 >=
    60. The play is won after 4 periods, and each seat earns 20 - 4 * 1.5 = 14.

    Each seat takes its living cost, 6 fish together: the stock is 32.4, 35.2, ... 57.3, 61.1. The
    play is won after 9 periods. The seats still have their 6 points, and each earns 20.

    One seat gives up its harvest, and the others take 1.5 each. After 4 periods that seat has no
    points left, with 48.6 fish in the lake, and it is out with -6. The others win after 7 periods
    and earn 20 each.

`fishing` is the game of GovSim (Piatti et al. 2024, NeurIPS, arXiv:2404.16698; their code, read on
2026-11-23): 5 seats, 12 periods and 100 fish. A seat may request all the fish; the fish that remain
double, up to 100. In GovSim, the play ends if fewer than 5 are left before they double; here it
ends if there are fewer than 10 afterwards, which is equivalent. If the requests exceed the stock,
GovSim hands out whole fish one by one at random; here each seat gets the same share of its request.
In numbers:

    10 each: 50 of 100 fish are left and double to 100, every period. Each earns 120 in 12 periods.

    The best group plan: each takes 10 for 11 periods, and 20 in the last, which empties the lake.
    The group earns 11 * 50 + 100 = 650, or 130 each.

    11 each: 45 fish are left and double to 90; then 35, to 70; then 15, to 30. The next requests,
    55 of 30 fish, leave none: collapse. Each earned 3 * 11 + 6 = 39 in 4 periods. All 100 at once:
    each earns 20, and the play is over.

`unequal` is a full lake with the numbers of `lab_0_7`, plus layers. Every other seat is weak and
can take at most 5 fish, while strong seats can take up to 10 (power). Seats see the previous
period's stock, with an error of standard deviation 5 (information). Strong and weak seats form
groups, and each seat sees its own group's sums (hierarchy).

`lab_0_7`, which was `lab` up to release 0.7, is this lake without layers. `lab_0_8`, which was
`lab` in release 0.8, has 20 periods, K = 100, R_0 = 50, gamma = 0.64, h_max = 12, and ends below 30
fish, so taking one fish too many could end a play. Neither is offered any longer, but old
configurations may name them.

Peer points. With `peer`, a period has a second stage, in which seats punish or reward each other
(`mixed_company.engine.contract.peers`). The income is what a seat took, less its contribution and
living costs. Points are moved between the seats' wealth, and costs cannot exceed a seat's wealth.
Seats do not see the others' wealth, because it would reveal what the others spend.

Layers. Cooperation is the unused share of the largest request: 1 - requested / h_max. The
externality is the stock lost per fish taken: with factor f, a harvest of H reduces the stock by f
H. `growth_rate` may drift. A shock to the stock happens before collapse is judged.
"""

from mixed_company.engine.games.commons_game.core import CommonsCore, growth
from mixed_company.engine.games.commons_game.rules import CommonsGame

__all__ = ["GAME", "CommonsCore", "CommonsGame", "growth"]

GAME = CommonsGame
