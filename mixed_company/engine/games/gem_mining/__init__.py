"""Gem mining: villages send their workers to mines and share all gems that are found.

Source: MOGemMining of momaland (Felten et al. 2024), after the gem mining of Roijers, Whiteson and
Oliehoek (2015), Journal of AI Research 52, and Bargiacchi et al. (2018), ICML. There are n villages
and m = n + C - 1 mines, where C is `max_connectivity`; village i reaches the mines i .. i + reach_i
- 1, so only neighbours share mines. Every period, in this order:

    1. village i sends its workers_i to one mine in its reach; w is the sum at a mine
    2. p = min(truncation, base * worker_bonus^(w-1)) for each gem type at a mine with w >= 1;
       a mine without workers yields nothing
    3. one Bernoulli draw per mine and type: at most one gem of a type at a mine
    4. the reward vector counts the gems of each type found at all mines together; it is the same
       for every seat, whose points are `weights` . vector

Reach, workers and base probabilities are drawn once from the seed, before play, and stay the same
in all periods (a bandit; the source has one period). Reach and workers are drawn uniformly from
their ranges. With `correlated` every type has at least `min_probability`, and the types of a mine
sum to at most `max_probability`: each type in turn takes a uniform share of the remainder beyond
the minimum, and then the types of each mine are shuffled. Otherwise every probability is uniform
between these two. If `instance` is set, reach, workers and base probabilities come from it and are
not drawn.

Action           `mine` (choice). A mine out of reach is refused. A village that does not decide
                 goes to the first mine in reach, mine i for village i
State            `reach`, `workers` (n), `base_probabilities` (m, K), `mine` (n), `workers_at` (m),
                 `found` (m, K), `gems` (K): last period's reward vector, `purse` (K): the
                 sum of all reward vectors so far
Observation      `nothing`, the constant 0 of the source, and `reach` (private), which the source
                 reveals through its action spaces. Settings add further fields: `information`
                 `own`: own `workers`, last period's `own_mine` and `own_found` (private), and
                 `gems`, last period's reward vector, and `purse`; `all`: also `found` and
                 `workers_at` of all mines, and `mines`, the choice of each village;
                 `known_probabilities`: `base_probabilities`, `reaches`, `workforces` of all
                 villages
Components       `gem_0`, `gem_1`, ...: weight times gems of that type; they add up to the points
Endings          `horizon` (neither): terminated, not cut short

Archetypes. `source`: 20 villages, 2 types, one period, and villages see nothing. `momaland_42`: the
same, with the instance of the published game for seed 42, as listed in
`engine.games.gem_mining.core`. `lab` is for people: 4 villages with one worker each, 2 types, 20
periods. Villages see the chances at the 6 mines and everything about the last period. Each village
can reach three mines. The four mines in the middle are good and worth the same (90% for one kind,
80% for the other); the first and the last are poor (1% for one kind). A second worker is a
hindrance: with b = 0.25, the chances fall to a quarter, and with a third worker to a quarter of
that. In gems per period (points for every village), with the mines A to F:

    One village at each good mine: 4 * 1.7 = 6.8. Five joint choices achieve this: B C D E, B C E D,
    B D C E, C B D E and C B E D. So the first village can reach two good mines, and the better one
    depends on the others' choices. Each goes to the mine that would be best if it were alone (the
    first in a tie), B B C D: 1.7 * 0.25 + 2 * 1.7 = 3.825. Two villages share a mine, and one
    good mine is empty: 2 * 1.7 + 1.7 * 0.25 = 3.825, or 56% of the best. All at random: 3.32,
    the mean over all 81 joint choices, which is less than half of the best.

In `open_book`, an instance is drawn for each play, and workers help each other a little. A layer
shows the base probabilities and the workers at each mine (information). After every period, each
probability changes by a normal step of standard deviation 0.02 (uncertainty). `lab_0_7`, which was
`lab` up to release 0.7, draws instances in the same way and has no layers. `lab_0_8`, which was
`lab` in release 0.8, has b = 0.5 and seven mines, of which each village can reach four: one rich
mine in the middle, two good and four poor ones. Neither is offered any longer, but old
configurations may name them.

Layers. All villages earn the same, so no village can be more cooperative than another, and there is
no reputation. The externality is the worker bonus: 1 + f (b - 1). A village that has ended has no
workers and earns nothing. No parameter may drift. Instead, shocks to `base_probabilities` change
the game; they may exceed the limits that `correlated` sets at the start.

Two villages, C = 2, one worker each, b = 1.5, t = 0.9, one type with base chances 0.2, 0.4, 0.2.
Village 0 can reach mines 0 and 1, and village 1 can reach mines 1 and 2. In numbers:

    With both at mine 1, 0.4 * 1.5 = 0.6 gems are expected. With one at mine 1 and the other at its
    own mine, it is 0.4 + 0.2 = 0.6 as well. With b = 1.4, it is better to split up (0.6 against
    0.56). With three workers each, mine 1 is truncated: 0.4 * 1.5^5 = 3.04 counts as 0.9, while
    three workers alone get 0.4 * 1.5^2 = 0.9, and the other village adds 0.2 * 1.5^2 = 0.45,
    together 1.35.
"""

from mixed_company.engine.games.gem_mining.core import GemCore
from mixed_company.engine.games.gem_mining.instance import Instance, given, of_state
from mixed_company.engine.games.gem_mining.rules import GemGame

__all__ = ["GAME", "GemCore", "GemGame", "Instance", "given", "of_state"]

GAME = GemGame
