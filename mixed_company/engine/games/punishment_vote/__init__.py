"""The punishment vote: seats walk on a grid, collect resources, and vote on the level of
punishment.

Source: "State Punishment Beta - Game Rules"; section names in brackets.

A turn (a period of the contract) has these steps:

    (a) [Resource Spawning] each empty cell gets a resource with `spawn_probability`; its kind is
        drawn by `spawn_weights`
    (b) [Actions] the seats act. A move into a wall or a seat does nothing and costs nothing; a
        move onto a resource collects it. Collecting gives its `value`; if it is `taboo`, the seat
        is punished at the level p: - magnitude * p for sure (`expected`), or - magnitude with
        probability p (`lottery`). A vote costs `vote_cost` and moves the level by `vote_step` up
        or down, within 0 .. 1
    (c) [Social Harm System] a collected resource harms all others by its `harm`

`simultaneous`: moves are resolved in an order redrawn each turn; all seats are punished at the
level at the start of the turn; votes are counted after all moves, level <- clip(level + step *
(increases - decreases), 0, 1); all others pay harm at the end of the turn. `sequential`: seats act
in order 0 .. n-1, each punished at the current level; a vote (after the move, if there are both)
takes effect immediately. Harm accumulates in accounts, and each seat pays its account at the end of
its own move. Remaining accounts are paid after the last turn.

Action           `action`, `simple`: 0 up, 1 down, 2 left, 3 right, 4 vote_increase,
                 5 vote_decrease, 6 noop. `composite`: 0-3 moves, 4-7 moves and an increase, 8-11
                 moves and a decrease (each up, down, left, right), 12 noop: no move and no vote
State            `grid` (codes: 0 empty, 1 wall, then the resources, then the seats), `row`,
                 `column`, `level`, `harm` (the accounts), and of the last turn per seat
                 `collected` (0, or 1 + kind), `vote`, `moved`, `punished`, `harm_paid`; in all
                 `increases`, `decreases`
Observation      `window`: the (2 vision + 1)^2 cells around the seat, one-hot over the codes; cells
                 beyond the edge are walls. With `composite` views the windows of all seats, its own
                 first, then by number. `level`, `pending_harm` (own account), `noise` (uniform).
                 Not in the source, but visible to people: `collected`, `row`, `column` (which
                 reveal a blocked move), `increases`, `decreases` (votes of the last turn); with
                 `map_memory` `remembered` and `last_seen`: the content of cells seen before, and
                 when each was last seen
Components       `value`, `punishment`, `vote_cost`, `harm`, each signed; they add up to the reward
Endings          `horizon` (neither)

Worlds are `shared`, or `separate`: every seat has its own grid and resources, under one level, and
harm crosses worlds.

Archetypes. `source` has the numbers in the source. `sequential`, `composite` (actions and views)
and `separate_worlds` each change it as the name says. `lab` is the default for people.
In the source, collecting is good for the group: a seat that takes B earns 7 and harms two others by
1 each. Only D (-2) costs more than it gives, and no seat wants it. So a level above 0 only destroys
points. In `lab`, with 4 seats, there are two kinds: A, which harms nobody, and B, the only taboo
kind, which harms each of the others by 3:

    A brings 3 to its collector and to the group. B brings 5 and costs the others 3 * 3 = 9, so the
    group loses 4 each time. One in ten new resources is a B. At level p, taking B earns 5 - 10 p: 4
    at the start (p = 0.1), nothing after two votes to increase (p = 0.5), and -2 after three (p =
    0.7). Three votes cost 0.3 points, and three turns in which the others move. That is little for
    the group, but each seat would rather have another one vote.

`lab` also has a 12 x 12 grid (100 cells inside), vision 3 and a map of seen cells, so that people
need not memorise it. It starts with 20 resources, and new ones spawn in 5% of the empty cells, as
in the source: almost four a turn at first. Four seats do not collect that many, so even people
without a plan earn something. Its 100 turns of two seconds take just over three minutes; a longer
play would be tiring.

`weighted_votes` has the same grid with 80 turns, 1% spawning and the source's five kinds; B does 3
points of harm and is the only taboo kind. It has layers. Every fourth seat is an elder, whose vote
counts three times (power), and everyone sees each seat's reputation over the last 10 turns
(temporal). `lab_0_7`, which was `lab` up to release 0.7, has the same numbers without layers.
`lab_0_8`, which was `lab` in release 0.8, has 2% spawning, and one in five resources is a B.
Neither is offered any longer, but old configurations may name them.

Layers. A seat is cooperative in a turn (1) if it collects nothing that harms others, else 0. The
externality is harm: with factor f, every resource does f times as much harm. Votes can be weighted;
`increases` and `decreases` remain counts of votes. A vote of weight 0 costs nothing and is not
counted. `vote_step` may drift. Shocks may change `harm` only if there are accounts (`sequential`),
by at most the largest harm that the others can do to a seat in a turn. A seat that has ended keeps
its cell, does nothing and owes nothing. `agents.timing` is refused, because the core's `timing`
sets the order.
"""

from mixed_company.engine.games.punishment_vote.core import ACTIONS, MOVES, VoteCore
from mixed_company.engine.games.punishment_vote.rules import PunishmentVote

__all__ = ["ACTIONS", "GAME", "MOVES", "PunishmentVote", "VoteCore"]

GAME = PunishmentVote
