"""The graduated sanctions game: n seats contribute; sanctions depend on trust and memory.

Source: GraduatedSanction-v0 of coopetition_gym, after Pant and Yu: TR-1 (arXiv:2510.18802, payoffs,
Eq. 11), TR-2 (arXiv:2510.24909, trust, Eqs. 6 to 9), TR-4 (arXiv:2604.01240, reciprocity: signal
Eq. 19, memory Eq. 20, modifier Eq. 44), after Ostrom (1990), Governing the Commons. Seat i
observes seat j; D_ij is how much i depends on j. Every period, in this order:

    1. a <- clip(a, 0, e)
    2. s_j = tanh(kappa_T (a_j - b_j)); with the ceiling C_ij = 1 - R_ij before the period
       T_ij += lambda_+ s_j max(0, C_ij - T_ij) if s_j > 0,
       T_ij += lambda_- s_j T_ij (1 + xi D_ij) if s_j < 0, then T_ij <- clip(T_ij, 0, C_ij)
       R_ij -= mu_R s_j (1 - R_ij) if s_j < 0, else R_ij -= delta_R R_ij
    3. pi_i = e_i - a_i + f(a_i) + alpha_i gamma g(a), where g is the geometric mean and
       f(a) = theta ln(1 + a) or, for `power`, a^beta; `public_good`: pi_i = e_i - a_i + mpcr sum(a)
       U_i = pi_i + sum_j min(T_ij, 1 - R_ij) D_ij pi_j, with the new T and R
       (reward `private`: U_i = pi_i; `cooperative`: everyone gets the mean of U)
    4. m_j averages the last k contributions of seat j: including this one (`inclusive`), only
       earlier ones (`prior`), including this one but not that of period 0 (`peer`), or including
       this one and the baseline for every period before the first (`full`).
       The signal is m_j - b_j (`baseline`) or a_j - m_j (`deviation`), 0 if `prior` has no earlier
       periods
    5. E_ij = lambda_R T_ij (1 + omega D_ij) rho_0 D_ij^eta tanh(kappa signal_j) falls on j (the
       `deviator`) or on i (the `observer`); reward = U + effects (`additive`) or
       U * max(0.01, 1 + effects / mean endowment) (`multiplier`)

Action           `contribution` (real, 0 .. own endowment)
State            `contribution` (n), `contributions` (n, k: a ring, period t in place t mod k),
                 `memory_averages` (n), `cooperation_signals` (n), `trust`, `reputation` (n, n),
                 `mean_trust` (off the diagonal), `reciprocity_effects` (n, n)
Observation      full, as in the source: `contribution`, `memory_averages`, `baseline` of every
                 seat (n); `trust`, `reputation`, `reciprocity_effects`, `dependence` (n, n): row
                 i observes column j. The same for all seats; a role can hide any field
Components       `kept`, `production`, `synergy`, `others` (the welfare of others), `sanctions`;
                 they add up to the reward
Endings          `horizon` (neither)

Archetypes. `source`: suppose a seat gives 0 while five others give the baseline of 40. Its signal
is -40, so tanh is -1 in both places: the others' trust in it falls from 0.5 to 0.5 - 0.3 * 0.5 *
1.175 = 0.32375. 0.6 * 0.35^1.5 = 0.124238, and each of the five imposes a sanction of 1.8 * 0.32375
* 1.35 * 0.124238 = 0.0977394, which is 0.488697 in total in the first period. Later sanctions are
smaller, because it is trusted less. Contributing 40 is past the optimum: one more point costs 1 and
brings the group 20 / 41 + 0.65 / 6 = 0.596; the sum of private payoffs is largest at 21.43
(`engine.solutions`).

`tr4` implements the paper: the observer pays, and only deviations from a seat's own past count, so
the sanction for a seat that stays at 0 fades. `coopetition_gym` is the published implementation.

`lab` is for people: 20 periods, 4 seats, an endowment of 20, and each contributed point pays 0.4 to
every seat. A quarter of the endowment (b = 5) is expected; the group would gain from more. In
numbers:

    If all seats give 0, each keeps 20. If all give 5, each earns 20 - 5 + 0.4 * 20 = 23; if all
    give 20, each earns 0.4 * 80 = 32. Both are before rewards. A seat that gives 0 instead of 5
    gains 5 * (1 - 0.4) = 3 a period.

    kappa_T = 0: trust stays 0.5. The full sanction of three partners, which is also the full
    reward, is 3 * 16 * 0.5 * 1.35 * 0.124238 = 4.03. This is a third more than free riding gains.

    kappa = 2.5: an average of 1 point below 5 already costs 4.03 * tanh(2.5) = 3.97, and an average
    of 1 point above earns as much. Each further point costs 0.6 and earns at most 4.03 * (tanh(5) -
    tanh(2.5)) = 0.05.

    So if the others' contributions are fixed, 6 is the best whole amount to give: 20 - 0.6 * 6 +
    3.97 = 20.37, plus 0.4 for each point they give. Giving 5 earns 17, giving everything 12.03,
    and giving nothing 15.97.

    memory = 2: a seat that gives 0 once instead of 6 gains 3.6. Its average is 3 in two periods,
    and in each it loses 3.97 + 4.03 = 8.00. So even in the last period this does not pay.

A group in which everyone gives everything still earns the most: 32 + 4.03 each. Sanctions make
seats give what is expected, but no more.

`unsanctioned` is `lab` without sanctions (lambda_R = 0): in the same public good, each point costs
its contributor 0.6, and free riding is the best reply to fixed contributions.

For every deviation, `graduated` implements what the source describes in words: a first offence is
sanctioned mildly, repeated or larger offences more severely, and reform ends the sanctions. The
reasons for the differences from `source` are:

    kappa_T = 0: trust stays 0.5. Sanctions are proportional to it, and giving what is expected does
    not restore it. So any erosion of trust would end all sanctions in a long play.

    window = full: otherwise an offence in period 0 is the whole memory, and is sanctioned as if it
    were the tenth.

    production = public_good: holding back one point gains 1 - 0.4 = 0.6, and the group loses 1.4.
    reward = private: each seat counts only its own points, so only sanctions restrain it.

    baseline = 100, the whole endowment: this is best for the group, and no seat can give more to be
    rewarded or to build up credit for later offences.

    kappa = 0.01: tanh(0.01 * 100) = 0.761594 bends, but does not flatten: a larger offence is
    always sanctioned more, and the last of ten periods of giving nothing still adds 5%.

    lambda_R = 470: the full sanction of five is 5 * 470 * 0.5 * 1.35 * 0.124238 = 197.07. Giving
    nothing gains 60 and loses 197.07 * tanh(0.1) = 19.64 in the first period, a third of the gain,
    and 197.07 * tanh(1) = 150.09 from the tenth on, two and a half times the gain.

Near the end of a play, too few periods are left for sanctions to deter: the last three if the full
sanction is two and a half times the gain, and the last four if it is twice the gain (lambda_R =
376). If all give 100, each earns 0.4 * 600 = 240. A seat that stops after one offence loses 19.64
in each of ten periods, and then nothing more. A seat that stops after ten or more is sanctioned
less and less for nine periods, and then no more. Exact results
(`engine.solutions.sanctions.keeping`), if the next period is discounted by d, which is also the
chance that the play continues:

    d < 0.713   giving nothing for ever pays (by dynamic programming: the best of all plans)
    d >= 0.768  no plan pays a seat that never deviated: (1.50087 / 10) (1 + d + ... + d^9) >= 0.6,
                where 1.50087 is the average rise of the full sanction per point up to 100
    d >= 0.82   giving 100 is the best reply after every history (0.811 to three digits)

With a known end, d = 1: 100 until the last three periods, then nothing, which gains 64.05.

`reputation` is a public good with an endowment of 20 points, of which 10 are expected. Trust builds
and erodes. It has layers: contributions, trust and sanctions are hidden (information). Instead,
seats see `mean_cooperation`, the mean share of the endowment that each seat gave in the last 5
periods. Points are paid two periods after they are earned (temporal). `lab_0_7`, which was `lab` up
to release 0.7, has the same numbers without layers. `lab_0_8`, which was `lab` in release 0.8,
expects the whole endowment, with kappa = 0.05 and lambda_R = 120. There, giving all of it is the
best reply no matter what the others do (`engine.solutions.sanctions`). Neither is offered any
longer, but old configurations may name them.

Peer points. With `peer` and a public good, a period has a second stage, in which seats punish or
reward each other (`mixed_company.engine.contract.peers`). The income is the reward of the first
stage.

Design. In a public good without sanctions (lambda_R = 0), `contributions = "all_or_nothing"` allows
only 0 and the whole endowment: an amount in between counts as the nearer of the two, and the exact
midpoint counts as 0. For example, 20, 12, 10 and 0 of 20 count as 20, 20, 0 and 0; the pool pays
0.4 * 40 = 16, so these seats earn 16, 16, 36 and 36. `framing = "take"` changes only the wording
and the pages: the pool starts with all endowments, and whatever a seat does not take out counts as
its contribution. With `others_earnings = "seen"`, all seats observe `earned` (n), the points of
every seat in the period, after peer points; with `hidden` they do not observe the others' `income`
either. With `periods_told = false`, policies see 10,000 periods, and people see no number
(`engine.games.sanctions.design` lists the settings that are refused).

Layers. Cooperation is the share of the endowment that a seat contributes. The externality is the
effect of contributions on others: `mpcr` or, without a public good, `synergy` and `dependence`.
`mpcr` and `theta` may drift. Trust in a seat that has ended no longer changes. The seat does not
sanction and is not sanctioned, and the geometric mean is taken over the active seats.
"""

from mixed_company.engine.games.sanctions.core import SanctionsCore
from mixed_company.engine.games.sanctions.rules import SanctionsGame

__all__ = ["GAME", "SanctionsCore", "SanctionsGame"]

GAME = SanctionsGame
