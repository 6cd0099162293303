"""The meta-game: policies as strategies, and populations that choose among them.

    mixed metagame commons_game --archetype lab --policies steward,greedy --output folder

Every composition of k policies in n seats is played, not only those in which a single seat differs.
The earnings form a symmetric game of n players, whose strategies are the policies. The report has:

    equilibria     mixtures in which no policy earns more than the mixture (Nash), with the distance
                   from it (regret): single policies, mixtures of two or three, and the rest points
                   of the replicator dynamics
    replicators    shares that grow with earnings above the mean (Taylor and Jonker 1978), from many
                   starting points
    Moran          a finite population in which one member at a time is replaced, rarely by a new
                   policy: the share of time that it spends with each policy (Fudenberg and Imhof
                   2006)
    alpha-rank     the same, but however many newcomers there are, payoffs are those of a single
                   newcomer among residents (Omidshafiei et al. 2019)

Exact clones (policies that act identically in every composition) count as one strategy, because a
strategy that is listed twice would appear twice as often.

Two worked examples. In rock, paper, scissors, the only equilibrium is one third of each policy,
replicators circle around it forever, and all ranks are a third. In hawk and dove, two policies
fight for 2 at a cost of 4: two hawks get -1 each, two doves get 1 each, and a hawk takes 2 from a
dove. Hawks earn as much as doves if half of the population are hawks.

The intervals of shares of time, points in equilibria, and frequencies of rest points come from
solving the game again for plays drawn with replacement. The sweep contains the shares of time for
other selection strengths and population sizes.

    composition.py     which policies are in which seats, and their plays
    game.py            the symmetric game, its clones and its equilibria
    dynamics.py        replicators, Moran, alpha-rank, and their sweep
    bootstrap.py       the same solutions of bootstrap samples
    scenarios.py       policies among other policies that they were not trained with
    report.py          tables, and a paragraph that explains why the solutions differ
    pictures.py        pictures
"""
