"""The punishment vote: seats walk a grid, collect resources, and vote on how likely punishment is.

Source: "State Punishment Beta - Game Rules"; section names in brackets.

A turn (a period of the contract) has these steps:

    (a) [Resource Spawning] each empty cell gets a resource with `spawn_probability`, its kind
        drawn by `spawn_weights`
    (b) [Actions] the seats act. A move into a wall or a seat stays put, costs nothing and collects
        nothing; a move onto a resource takes it. Collecting gives its `value`; if it is `taboo`,
        the seat is punished at the level p: - magnitude * p for sure (`expected`), or - magnitude
        with probability p (`lottery`). A vote costs `vote_cost` and moves the level by `vote_step`
        up or down, within 0 .. 1
    (c) [Social Harm System] what a seat collects harms all others by the resource's `harm`

`simultaneous`: moves are resolved in an order drawn afresh each turn; all are punished at the level
the turn began with; votes are tallied after all moves, level <- clip(level + step * (increases -
decreases), 0, 1); harm is paid by all others at the end of the turn.
`sequential`: seats act in order 0 .. n-1, each punished at the level of that moment; its vote
(after its move, if it does both) counts at once; harm gathers on accounts, and each seat pays its
own at the end of its own move. What is left on the accounts after the last turn is paid then.

Action           `action`, `simple`: 0 up, 1 down, 2 left, 3 right, 4 vote_increase,
                 5 vote_decrease, 6 noop. `composite`: 0-3 moves, 4-7 moves and an increase, 8-11
                 moves and a decrease (each up, down, left, right), 12 noop: nothing at all
State            `grid` (codes: 0 empty, 1 wall, then the resources, then the seats), `row`,
                 `column`, `level`, `harm` (the accounts), and of the last turn per seat
                 `collected` (0, or 1 + kind), `vote`, `moved`, `punished`, `harm_paid`; in all
                 `increases`, `decreases`
Observation      `window`: the (2 vision + 1)^2 cells around the seat, one-hot over the codes; what
                 lies beyond the edge is wall. With `composite` views the windows of all seats, own
                 first, then by number. `level`, `pending_harm` (own account), `noise` (uniform).
                 Not in the source, since people see it too: `collected`, `row`, `column` (a blocked
                 move is seen), `increases`, `decreases` (votes of the last turn); with `map_memory`
                 `remembered` and `last_seen`, the cells seen before as they were then
Components       `value`, `punishment`, `vote_cost`, `harm`, each signed; they add up to the reward
Endings          `horizon` (neither)

Worlds are `shared`, or `separate`: every seat has a grid of its own, with resources of its own,
under one level, and harm crosses worlds.

Archetypes. `source`: the numbers of the text. `sequential`, `composite` (actions and views),
`separate_worlds`: the same with the variant they name. `lab` is the one people play by default.
In the source collecting is good for the group: a seat that takes B earns 7 and harms two others
by 1 each; only D (-2) takes more than it gives, and nobody wants it. So a level above 0 only takes
away. In `lab`, with 4 seats, there are two kinds, A which harms nobody, and B, the only taboo,
which harms each of the others by 3:

    A brings its collector 3, and so the group. B brings 5 and costs the others 3 * 3 = 9: the group
    loses 4 each time. Of five resources that appear one is a B.
    At level p taking B earns 5 - 10 p: 4 at the start (p = 0.1), nothing after two votes to
    increase (p = 0.5), - 2 after three (p = 0.7). Three votes cost 0.3 points and three turns in
    which others walk: little for the group, and best cast by somebody else.

Further in `lab`: a 12 x 12 grid (100 cells inside), vision 3 and a map of what was seen, so that
people need not keep it in their heads; 20 resources at the start and 2 % spawning, not quite two a
turn for four seats, of which each can take one a turn at most; 100 turns, which at two seconds each
take little more than three minutes: longer tires the hand before the mind.

`weighted_votes` has such a grid with 80 turns, 1 % spawning and the five kinds of the source, of
which B harms by 3 and is the only taboo. It has layers: the vote of every fourth seat, an elder,
counts three times (power), and each seat's reputation of the last 10 turns is shown (temporal).
`lab_0_7`, which is `lab` up to release 0.7, has the same numbers without layers. It is not offered,
but old configurations may name it.

Layers. A turn is cooperative (1) in which a seat collects nothing that harms others, else 0. The
externality is harm: with factor f every resource harms by f times as much. Votes can be weighed;
`increases` and `decreases` stay counts of votes; a vote of weight 0 is none: it costs nothing and
is not counted. `vote_step` may drift. Shocks may move `harm` only where there are accounts
(`sequential`), up to what the others can do to a seat in a turn. A seat that has ended stands where
it is, does nothing and owes nothing. `agents.timing` is refused: `timing` of the core says who acts
when.
"""

from mixed_company.engine.games.punishment_vote.core import ACTIONS, MOVES, Resource, VoteCore
from mixed_company.engine.games.punishment_vote.rules import PunishmentVote

__all__ = ["ACTIONS", "GAME", "MOVES", "PunishmentVote", "Resource", "VoteCore"]

GAME = PunishmentVote
