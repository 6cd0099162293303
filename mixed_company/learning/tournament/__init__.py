"""Tournaments: every policy with itself and against every other one, in reproducible plays.

mixed tournament commons_game --archetype lab --policies all --plays 1000 --output results

    batch.py       mixes of policies, their seats and their plays: as one batch of the engine, on
                   the processors of this machine or a Dask cluster
    means.py       results of a mix, and of a policy over all mixes
    results.py     both as CSV and Markdown; all files of a tournament by name
    pictures.py    both as SVG
    tables.py      tables and intervals as text

Play j has the same seed in every mix and tournament, so that mixes are compared with the same
random numbers, and a mix gives the same results with any number of workers. `engine.Episode(game,
play_seeds(seed, [j])[0])` with the seats of `batch.seating` is that play alone.
"""
