"""The meta-game: policies as strategies, and what becomes of populations that choose among them.

    mixed metagame commons_game --archetype lab --policies steward,greedy --output folder

Every composition of k among n seats is played, not only one of a kind in a field of another. What
they earn is a symmetric game of n players, whose strategies are the policies. What is reported:

    equilibria     mixtures in which no policy earns more than the mixture (Nash), with what is
                   lacking to that (regret): pure ones, mixtures of two and three, and where
                   replicators rest
    replicators    shares grow by what they earn more than the mean (Taylor and Jonker 1978), from
                   many beginnings
    Moran          a finite population in which one at a time is replaced, rarely by something new:
                   how long it consists of each policy (Fudenberg and Imhof 2006)
    alpha-rank     the same with the payoffs of one newcomer in a group of residents, whatever its
                   number (Omidshafiei et al. 2019)

Exact clones, policies that do the same in the same composition to the last bit, are one strategy
here: written down twice, a strategy would come up twice as often.

Worked by hand. Rock, paper, scissors: the one equilibrium is a third each, replicators go round it
for ever, and all ranks are a third. Hawk and dove fight for 2 at a cost of 4: two hawks get -1
each, two doves 1, a hawk takes 2 from a dove; hawks earn as much as doves where they are a half.

    composition.py     who sits where, and plays in portions: files, so that a run goes on after any
                       interruption, and grows
    game.py            the symmetric game, and which policies are one
    dynamics.py        replicators, Moran, alpha-rank
    nash.py            equilibria
    scenarios.py       policies among backgrounds that they were not trained with
    report.py          tables and pictures
"""
