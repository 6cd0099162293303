"""Tournaments: every policy with itself and against every other one, in plays that can be redone.

mixed tournament commons_game --archetype lab --policies all --plays 1000 --output results

    mixes.py       which policies meet, and who sits where
    batch.py       plays of a mix, as one batch of the engine
    work.py        the plays of all mixes, over the processors of this machine or a Dask cluster
    means.py       what a mix came to
    summary.py     what a policy came to, over all mixes
    scoreboard.py  both as CSV and Markdown
    pictures.py    both as SVG; drawing.py has the parts
    results.py     all of it together, as files by name

Play j has the same seed in every mix and whatever else is played, so that mixes are compared under
the same chance, and a mix comes out the same whatever the workers: `engine.Episode(game,
play_seeds(seed, [j])[0])` with the seats of `mixes.seating` is that play alone.
"""
