"""Tournaments: every policy with itself and against every other one, in plays that can be redone.

mixed tournament commons_game --archetype lab --policies all --plays 1000 --output results

    batch.py       which policies meet, who sits where, and their plays: as one batch of the engine,
                   over the processors of this machine or a Dask cluster
    means.py       what a mix came to; what a policy came to, over all mixes
    results.py     both as CSV and Markdown; all files of a tournament by name
    pictures.py    both as SVG
    tables.py      tables and intervals as text

Play j has the same seed in every mix and whatever else is played, so that mixes are compared under
the same chance, and a mix comes out the same whatever the workers: `engine.Episode(game,
play_seeds(seed, [j])[0])` with the seats of `batch.seating` is that play alone.
"""
