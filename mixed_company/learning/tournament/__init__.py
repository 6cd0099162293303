"""Tournaments, in which every policy plays with copies of itself and with every other policy.

mixed tournament commons_game --archetype lab --policies all --plays 1000 --output results

    batch.py       mixes of policies, their seats and their plays, on this machine's processors or
                   on a Dask cluster
    means.py       results of a mix, and results of a policy over all mixes; as text
    results.py     these results as CSV and Markdown; all files of a tournament by name
    pictures.py    these results as SVG

Play j has the same seed in every mix and tournament. So mixes are compared with the same random
numbers, and a mix has the same results with any number of workers. To repeat a single play, use
`engine.Episode(game, play_seeds(seed, [j])[0])` with the seats of `batch.seating`.
"""
